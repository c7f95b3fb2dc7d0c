"""What a match on mirrored deals says of its bots: from finished deals to the numbers that `arena` prints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bosquet.lab.arena import Arena, Bout, Deal
from bosquet.lab.matches import Outcome
from bosquet.lab.ratings import (
    Array,
    Estimate,
    Skill,
    Sprt,
    elo_difference,
    mean,
    pairs_of,
    ratings,
    share,
    skills,
)


class _Meeting(NamedTuple):
    """What came of a bout on one deal, for each of its bots: a row of its own games."""

    wins: Array
    """[games, bots]: the part of the win that each has; a shared win counts in part."""
    points: Array
    """[games, bots]: the mean points of its seats, nan where it has none."""


class Standings:
    """The standing of a match. Rows are deals, in the order of the schedule."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.deals = 0
        self.pairs = pairs_of(len(arena.bots))
        self.sprt = Sprt(arena.sprt) if arena.sprt else None
        self._wins: list[Array] = []
        self._points: list[Array] = []
        self._scores: list[list[float]] = []
        self._differences: list[list[float]] = []
        self._seats: list[tuple[Array, Array]] = []
        self._meetings: list[tuple[tuple[int, ...], list[float]]] = []

    @property
    def games(self) -> int:
        """The number of games that are counted."""
        return self.deals * len(self.arena.seatings)

    @property
    def decided(self) -> bool:
        """Whether the sequential test has its answer."""
        return self.sprt is not None and self.sprt.decision is not None

    def add(self, deal: Deal) -> None:
        """Count one more deal."""
        count = len(self.arena.bots)
        wins, points, met = np.zeros(count), np.zeros(count), np.zeros(count)
        pairs: dict[tuple[int, int], tuple[float, float]] = {}
        games = iter(deal.games)
        for bout in self.arena.bouts:
            meeting = _meeting(bout, [next(games) for _ in bout.seatings], self.arena.players)
            bots = list(bout.bots)
            wins[bots] += meeting.wins.mean(0)
            points[bots] += np.nanmean(meeting.points, 0)
            met[bots] += 1
            pairs |= _pairs(bout, meeting)
            self._meetings.append((bout.bots, _merits(meeting)))
        self.deals += 1
        self._wins.append(wins / met)
        self._points.append(points / met)
        self._scores.append([pairs[pair][0] for pair in self.pairs])
        self._differences.append([pairs[pair][1] for pair in self.pairs])
        self._seats.append(_by_seat(deal.games))
        if self.sprt:
            self.sprt.add(self._scores[-1][0])

    # --- estimates ---

    def win_rate(self, bot: int) -> Estimate:
        """The part of its games that a bot won; alone, the part of the deals on which it had the most points."""
        return share(self._column(self._wins, bot))

    def points(self, bot: int) -> Estimate:
        """The mean points of a bot's seats."""
        return mean(self._column(self._points, bot))

    def ratings(self) -> list[Estimate]:
        """The Elo of each bot; the mean of all is 0."""
        scores = np.array(self._scores, dtype=float).reshape(self.deals, len(self.pairs))
        return ratings(scores, self.pairs, len(self.arena.bots))

    def skills(self) -> list[Skill]:
        """OpenSkill of each bot. A meeting on one deal, all its games together, is one match."""
        return skills(len(self.arena.bots), [meeting for meeting in self._meetings if len(meeting[0]) > 1])

    def score(self, pair: int) -> Estimate:
        """The mean score of the first of a pair against the second."""
        return share(self._column(self._scores, pair))

    def elo(self, pair: int) -> Estimate:
        """The Elo difference of a pair, of its mean score."""
        return elo_difference(self._column(self._scores, pair))

    def difference(self, pair: int) -> Estimate:
        """By how many points a game the first of a pair is ahead of the second."""
        return mean(self._column(self._differences, pair))

    def seat(self, seat: int) -> tuple[Estimate, Estimate]:
        """Win rate and mean points of a seat, whoever sat in it: all bots did equally often."""
        wins, points = ([row[part] for row in self._seats] for part in (0, 1))
        return share(self._column(wins, seat)), mean(self._column(points, seat))

    def _column(self, rows: Sequence[Any], column: int) -> Array:
        return np.array([row[column] for row in rows], dtype=float)

    # --- JSON ---

    def to_json(self) -> dict[str, Any]:
        """The standing as `arena --json` prints it. What the games don't say is null."""
        return {
            "game": self.arena.game,
            "options": dict(self.arena.options),
            "seed": self.arena.seed,
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
            sat = sum(bot in seating for seating in self.arena.seatings)
            rows.append(
                {
                    "bot": name,
                    "games": self.deals * sat,
                    **_json("win_rate", self.win_rate(bot)),
                    **_json("mean_score", self.points(bot)),
                    **_json("elo", elos[bot]),
                    "openskill": {"mu": round(known[bot].mu, 4), "sigma": round(known[bot].sigma, 4)},
                }
            )
        return rows

    def _pairs_json(self) -> list[dict[str, Any]]:
        return [
            {
                "bots": [self.arena.bots[bot] for bot in bots],
                **_json("score", self.score(pair)),
                **_json("elo", self.elo(pair)),
                **_json("points", self.difference(pair)),
            }
            for pair, bots in enumerate(self.pairs)
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


def _meeting(bout: Bout, games: Sequence[Outcome], players: int) -> _Meeting:
    """What came of the games of a bout on one deal. Alone, the bots are taken to sit at one table."""
    if players == 1:
        alone = np.array([[float(outcome.scores[0]) for outcome in games]])
        best = alone == alone.max()
        return _Meeting(best / best.sum(), alone)
    place = {bot: column for column, bot in enumerate(bout.bots)}
    wins = np.zeros((len(games), len(place)))
    points = np.zeros_like(wins)
    sat = np.zeros_like(wins)
    for row, (seating, outcome) in enumerate(zip(bout.seatings, games, strict=True)):
        for seat, bot in enumerate(seating):
            points[row, place[bot]] += outcome.scores[seat]
            sat[row, place[bot]] += 1
        for seat in outcome.winners:
            wins[row, place[seating[seat]]] += 1 / len(outcome.winners)
    return _Meeting(wins, points / sat)


def _pairs(bout: Bout, meeting: _Meeting) -> dict[tuple[int, int], tuple[float, float]]:
    """For each pair of a bout the score of the first, and by how many points it was ahead.

    Two bots share what was won. Among more the one that came in before the other has the point: who won, then who has
    more points.
    """
    found = {}
    for i, j in pairs_of(len(bout.bots)):
        if len(bout.bots) == 2:
            score = meeting.wins[:, i].mean()
        else:
            ahead = np.sign(meeting.wins[:, i] - meeting.wins[:, j])
            ahead = np.where(ahead == 0, np.sign(meeting.points[:, i] - meeting.points[:, j]), ahead)
            score = (ahead.mean() + 1) / 2
        margin = meeting.points[:, i].mean() - meeting.points[:, j].mean()
        found[bout.bots[i], bout.bots[j]] = (float(score), float(margin))
    return found


def _merits(meeting: _Meeting) -> list[float]:
    """By what OpenSkill ranks the bots of a bout on one deal: what they won, then their points where nobody shares."""
    alone = len(meeting.wins) == 1
    merits = (meeting.points if alone else meeting.wins).mean(0)
    return [round(float(merit), 9) for merit in merits]


def _by_seat(games: Sequence[Outcome]) -> tuple[Array, Array]:
    """The win share and the mean points of each seat over the games of one deal."""
    wins = np.zeros(len(games[0].scores))
    points = np.zeros_like(wins)
    for outcome in games:
        points += outcome.scores
        for seat in outcome.winners:
            wins[seat] += 1 / len(outcome.winners)
    return wins / len(games), points / len(games)


def _json(name: str, estimate: Estimate) -> dict[str, Any]:
    """A number and its interval under their names."""
    value, *interval = (round(number, 4) if math.isfinite(number) else None for number in estimate)
    return {name: value, f"{name}_interval": interval}
