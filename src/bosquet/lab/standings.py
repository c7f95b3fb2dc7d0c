"""Standings of a match on mirrored deals: compute from finished deals the numbers that `arena` prints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bosquet.core.installed import spec
from bosquet.lab.arena import Arena, Deal, seatings_of
from bosquet.lab.matches import Outcome
from bosquet.lab.ratings import (
    Array,
    Estimate,
    Skill,
    Sprt,
    elo_difference,
    mean,
    ratings,
    share,
    skills,
)
from bosquet.lab.schedules import Pairing, pairs_of


class _Meeting(NamedTuple):
    """Results of a pairing on one deal."""

    wins: Array
    """[games, bots]: share of the win of each bot; a shared win counts in part."""
    points: Array
    """[games, bots]: mean points of its seats; nan if it has none."""


class Standings:
    """The standings of a match. Rows are deals, in the order of the schedule."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.deals: int = 0
        self._games = 0
        self._course = arena.course()
        self._played = [0] * len(arena.bots)
        self.sprt: Sprt | None = Sprt(arena.sprt) if arena.sprt else None
        self.forfeits: list[int] = [0] * len(arena.bots)
        """For each bot how often a seat of it forfeited a game."""
        self._wins: list[Array] = []
        self._points: list[Array] = []
        self._pairs: list[dict[tuple[int, int], tuple[float, float]]] = []
        self._seats: list[tuple[Array, Array]] = []
        self._meetings: list[tuple[tuple[int, ...], list[float]]] = []

    @property
    def games(self) -> int:
        """Return the number of games played so far."""
        return self._games

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of bots that have met, in order."""
        return sorted({pair for met in self._pairs for pair in met})

    @property
    def pairings(self) -> list[Pairing]:
        """Return the pairings of the next deal."""
        return self._course.pairings

    @property
    def swiss_points(self) -> list[float] | None:
        """Return the points of each bot in a Swiss tournament, by which it is paired; None in other matches."""
        return [round(points, 9) for points in self._course.points] if self._course.is_swiss else None

    def seated(self, game: int) -> list[str]:
        """Return the bot of each seat in a game of the next deal."""
        return [self.arena.bots[bot] for bot in seatings_of(self.pairings)[game]]

    @property
    def decided(self) -> bool:
        """Return whether the sequential test has decided."""
        return self.sprt is not None and self.sprt.decision is not None

    def add(self, deal: Deal) -> None:
        """Add a deal."""
        count = len(self.arena.bots)
        wins, points, met = np.zeros(count), np.zeros(count), np.zeros(count)
        pairs: dict[tuple[int, int], tuple[float, float]] = {}
        counted = self.arena.counted(deal.games)
        games = iter(counted)
        for pairing in self.pairings:
            meeting = _meeting(pairing, [next(games) for _ in pairing.seatings], self.arena.players)
            bots = list(pairing.bots)
            wins[bots] += meeting.wins.mean(0)
            points[bots] += np.nanmean(meeting.points, 0)
            met[bots] += 1
            pairs |= _pairs(pairing, meeting)
            self._meetings.append((pairing.bots, _merits(meeting)))
        self.deals += 1
        self._games += len(deal.games)
        sat = np.where(met == 0, np.nan, met)  # a bot may have no game on a deal
        self._wins.append(wins / sat)
        self._points.append(points / sat)
        self._pairs.append(pairs)
        self._seats.append(_by_seat(deal.games))
        for seating, outcome in zip(seatings_of(self.pairings), deal.games, strict=True):
            for bot in set(seating):
                self._played[bot] += 1
            for forfeit in outcome.forfeits:
                self.forfeits[seating[forfeit.seat]] += 1
        self._course.add(counted)
        if self.sprt:
            self.sprt.add(pairs[0, 1][0])

    # --- estimates ---

    def win_rate(self, bot: int) -> Estimate:
        """Return a bot's share of won games; with one seat, its share of deals on which it had the most points."""
        return share(self._column(self._wins, bot))

    def points(self, bot: int) -> Estimate:
        """Return the mean points of a bot's seats."""
        return mean(self._column(self._points, bot))

    def ratings(self) -> list[Estimate]:
        """Return the Elo of each bot; the mean of all bots is 0."""
        pairs = self.pairs
        unmet = (math.nan, math.nan)
        scores = [[met.get(pair, unmet)[0] for pair in pairs] for met in self._pairs]
        return ratings(np.array(scores, dtype=float).reshape(self.deals, len(pairs)), pairs, len(self.arena.bots))

    def skills(self) -> list[Skill]:
        """Return the OpenSkill rating of each bot. All games of a pairing on one deal count as one match."""
        return skills(len(self.arena.bots), [meeting for meeting in self._meetings if len(meeting[0]) > 1])

    def score(self, pair: tuple[int, int]) -> Estimate:
        """Return the mean score of the first bot of a pair against the second."""
        return share(self._of_pair(pair, 0))

    def elo(self, pair: tuple[int, int]) -> Estimate:
        """Return the Elo difference of a pair, from its mean score."""
        return elo_difference(self._of_pair(pair, 0))

    def difference(self, pair: tuple[int, int]) -> Estimate:
        """Return the mean lead per game, in points, of the first bot of a pair over the second."""
        return mean(self._of_pair(pair, 1))

    def seat(self, seat: int) -> tuple[Estimate, Estimate]:
        """Return win rate and mean points of a seat over all bots, which sat in it equally often."""
        wins, points = ([row[part] for row in self._seats] for part in (0, 1))
        return share(self._column(wins, seat)), mean(self._column(points, seat))

    def _column(self, rows: Sequence[Any], column: int) -> Array:
        values: Array = np.array([row[column] for row in rows], dtype=float)
        known: Array = values[~np.isnan(values)]
        return known

    def _of_pair(self, pair: tuple[int, int], part: int) -> Array:
        """Return the scores (0) or leads (1) of a pair on the deals on which it met."""
        return np.array([met[pair][part] for met in self._pairs if pair in met], dtype=float)

    # --- JSON ---

    def to_json(self) -> dict[str, Any]:
        """Return the standings as `arena --json` prints them; numbers that the games do not determine are null."""
        return {
            "game": self.arena.game,
            "options": spec(self.arena.game).options_in_records(self.arena.options),
            "seed": self.arena.seed,
            "schedule": self.arena.schedule,
            "deals": self.deals,
            "games": self.games,
            "bots": self._bots_json(),
            "pairs": self._pairs_json(),
            "seats": self._seats_json(),
            "sprt": self._sprt_json(),
        }

    def _bots_json(self) -> list[dict[str, Any]]:
        elos, known = self.ratings(), self.skills()
        rows = []
        for bot, name in enumerate(self.arena.bots):
            rows.append(
                {
                    "bot": name,
                    "games": self._played[bot],
                    "forfeits": self.forfeits[bot],
                    **_json("win_rate", self.win_rate(bot)),
                    **_json("mean_score", self.points(bot)),
                    **_json("elo", elos[bot]),
                    "openskill": {"mu": round(known[bot].mu, 4), "sigma": round(known[bot].sigma, 4)},
                    **({} if self.swiss_points is None else {"swiss": self.swiss_points[bot]}),
                }
            )
        return rows

    def _pairs_json(self) -> list[dict[str, Any]]:
        return [
            {
                "bots": [self.arena.bots[bot] for bot in pair],
                **_json("score", self.score(pair)),
                **_json("elo", self.elo(pair)),
                **_json("points", self.difference(pair)),
            }
            for pair in self.pairs
        ]

    def _seats_json(self) -> list[dict[str, Any]]:
        rows = []
        for number in range(self.arena.players if self.arena.players > 1 else 0):
            wins, points = self.seat(number)
            rows.append({"seat": number, **_json("win_rate", wins), **_json("mean_score", points)})
        return rows

    def _sprt_json(self) -> dict[str, Any] | None:
        if self.sprt is None:
            return None
        low, high = self.sprt.hypotheses.bounds
        return {
            **self.sprt.hypotheses._asdict(),
            "llr": round(self.sprt.ratio, 4),
            "bounds": [round(low, 4), round(high, 4)],
            "deals": self.sprt.deals,
            "decision": self.sprt.decision,
        }


def _meeting(pairing: Pairing, games: Sequence[Outcome], players: int) -> _Meeting:
    """Return the results of a pairing on one deal. With one seat, the bots are compared as if at one table."""
    if players == 1:
        alone = np.array([[float(outcome.scores[0]) for outcome in games]])
        best = alone == alone.max()
        return _Meeting(best / best.sum(), alone)
    place = {bot: column for column, bot in enumerate(pairing.bots)}
    wins = np.zeros((len(games), len(place)))
    points = np.zeros_like(wins)
    sat = np.zeros_like(wins)
    for row, (seating, outcome) in enumerate(zip(pairing.seatings, games, strict=True)):
        for seat, bot in enumerate(seating):
            points[row, place[bot]] += outcome.scores[seat]
            sat[row, place[bot]] += 1
        for seat in outcome.winners:
            wins[row, place[seating[seat]]] += 1 / len(outcome.winners)
    return _Meeting(wins, points / sat)


def _pairs(pairing: Pairing, meeting: _Meeting) -> dict[tuple[int, int], tuple[float, float]]:
    """Return for each pair of a pairing the score of the first bot and its lead in points.

    Two bots divide one point by their shares of the win. Among more bots, the bot that ranks higher gets the point:
    winners rank above the others, then bots with more points above those with fewer.
    """
    found = {}
    for i, j in pairs_of(len(pairing.bots)):
        if len(pairing.bots) == 2:
            score = meeting.wins[:, i].mean()
        else:
            ahead = np.sign(meeting.wins[:, i] - meeting.wins[:, j])
            ahead = np.where(ahead == 0, np.sign(meeting.points[:, i] - meeting.points[:, j]), ahead)
            score = (ahead.mean() + 1) / 2
        margin = meeting.points[:, i].mean() - meeting.points[:, j].mean()
        found[pairing.bots[i], pairing.bots[j]] = (float(score), float(margin))
    return found


def _merits(meeting: _Meeting) -> list[float]:
    """Return the numbers by which OpenSkill ranks the bots of a pairing: mean wins, or points with one seat."""
    alone = len(meeting.wins) == 1
    merits = (meeting.points if alone else meeting.wins).mean(0)
    return [round(float(merit), 9) for merit in merits]


def _by_seat(games: Sequence[Outcome]) -> tuple[Array, Array]:
    """Return the win share and the mean points of each seat over the games of one deal."""
    wins = np.zeros(len(games[0].scores))
    points = np.zeros_like(wins)
    for outcome in games:
        points += outcome.scores
        for seat in outcome.winners:
            wins[seat] += 1 / len(outcome.winners)
    return wins / len(games), points / len(games)


def _json(name: str, estimate: Estimate) -> dict[str, Any]:
    """Return a number and its interval as JSON keys."""
    value, *interval = (round(number, 4) if math.isfinite(number) else None for number in estimate)
    return {name: value, f"{name}_interval": interval}
