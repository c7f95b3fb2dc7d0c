"""Schedules of a match: which bots meet on each deal, and from which seats.

- `table`: all bots at one table, or each alone in a game with one seat
- `pairs`: every pair of bots, a round robin
- `gauntlet`: the first bot against each of the others
- `swiss`: rounds, in which each bot meets one with about as many points that it has not met
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bosquet.core.errors import OptionError, quoted

TABLE, PAIRS, GAUNTLET, SWISS = SCHEDULES = ("table", "pairs", "gauntlet", "swiss")


class Pairing(NamedTuple):
    """Bots that meet on a deal, by number, and the bot of each seat in each of their games."""

    bots: tuple[int, ...]
    seatings: tuple[tuple[int, ...], ...]


class Result(Protocol):
    """The result of a game."""

    @property
    def winners(self) -> list[int]:
        """Return the winning seats."""


def pairs_of(bots: int) -> list[tuple[int, int]]:
    """Return all pairs of bots, in order."""
    return list(itertools.combinations(range(bots), 2))


def usual(count: int, players: int) -> str:
    """Return the schedule that is used if none is named: a table if it has a seat for each bot, else pairs."""
    return TABLE if players == 1 or count == players > 2 else PAIRS


def check(schedule: str, count: int, players: int) -> None:
    """Check that bots can meet in this way. Raises OptionError."""
    if schedule not in SCHEDULES:
        raise OptionError(f"the schedule is {quoted(schedule)}; it must be one of {', '.join(SCHEDULES)}")
    if players == 1 and schedule != TABLE:
        raise OptionError(f"with one seat every bot plays alone; leave out the schedule {schedule}")
    if players > 1 and count < 2:
        raise OptionError("a match needs two bots or more, for instance --bots greedy,random")
    if players > 1 and schedule == TABLE and count != players:
        raise OptionError(f"{count} bots at a table of {players} seats; name {players}, or play another schedule")


def pairings(schedule: str, count: int, players: int) -> list[Pairing]:
    """Return the pairings that `count` bots play on each deal; in a Swiss tournament, those of its first round."""
    if schedule == TABLE:
        everybody = tuple(range(count))
        if players == 1:
            return [Pairing(everybody, tuple((bot,) for bot in everybody))]
        return [Pairing(everybody, tuple(everybody[-turn:] + everybody[:-turn] for turn in range(players)))]
    if schedule == PAIRS:
        return [_duel(one, other, players) for one, other in pairs_of(count)]
    if schedule == GAUNTLET:
        return [_duel(0, other, players) for other in range(1, count)]
    return [_duel(one, other, players) for one, other in _swiss_round([0.0] * count, set(), set())]


def _duel(one: int, other: int, players: int) -> Pairing:
    """Return the games of two bots. With more than two seats, one plays against copies of the other, then the reverse.

    Each bot sits in every seat equally often.
    """
    if players == 2:
        return Pairing((one, other), ((one, other), (other, one)))
    lone = [
        tuple(bot if seat == at else rest for seat in range(players))
        for bot, rest in ((one, other), (other, one))
        for at in range(players)
    ]
    return Pairing((one, other), tuple(lone))


class Course:
    """The course of a match: the pairings of its next deal, which in a Swiss tournament depend on the deals before."""

    def __init__(self, schedule: str, count: int, players: int, deals: int, rounds: int = 1) -> None:
        """Begin a match of `rounds` rounds with `deals` deals each. All schedules but `swiss` have one round."""
        self.deals: int = deals
        self.rounds: int = rounds
        self.done: int = 0
        """Number of deals added so far."""
        self._players = players
        self.points: list[float] = [0.0] * count
        """In a Swiss tournament, the points of each bot: its share of the wins of each deal, half without opponent."""
        self._met: set[tuple[int, int]] = set()
        self._paused: set[int] = set()
        """Bots that had no opponent in a round."""
        self.is_swiss: bool = schedule == SWISS
        self.pairings: list[Pairing] = pairings(schedule, count, players)
        """The pairings of the next deal."""

    @property
    def left_in_round(self) -> range:
        """Return the numbers of the deals whose pairings are known and that are still to be played."""
        begun = min(self.done // self.deals, self.rounds - 1)
        return range(self.done, (begun + 1) * self.deals)

    def add(self, games: Sequence[Result]) -> None:
        """Add the games of the next deal, pairing by pairing."""
        self.done += 1
        if not self.is_swiss:
            return
        results = iter(games)
        for pairing in self.pairings:
            one, other = pairing.bots
            share = _share(pairing, [next(results) for _ in pairing.seatings])
            self.points[one] += share
            self.points[other] += 1 - share
        alone = set(range(len(self.points))) - {bot for pairing in self.pairings for bot in pairing.bots}
        for bot in alone:
            self.points[bot] += 0.5
        if self.done % self.deals == 0 and self.done < self.deals * self.rounds:
            self._met |= {(one, other) for one, other in (sorted(pairing.bots) for pairing in self.pairings)}
            self._paused |= alone
            pairs = _swiss_round(self.points, self._met, self._paused)
            self.pairings = [_duel(one, other, self._players) for one, other in pairs]


def usual_rounds(count: int) -> int:
    """Return the number of rounds after which a Swiss tournament has one winner of everything at most."""
    return max(1, math.ceil(math.log2(count)))


def _share(pairing: Pairing, games: Sequence[Result]) -> float:
    """Return the share of the wins of a pairing that its first bot has."""
    won = 0.0
    for seating, game in zip(pairing.seatings, games, strict=True):
        won += sum(seating[seat] == pairing.bots[0] for seat in game.winners) / len(game.winners)
    return won / len(games)


def _swiss_round(points: Sequence[float], met: set[tuple[int, int]], paused: set[int]) -> list[tuple[int, int]]:
    """Return the pairs of a round: from the top, each bot with the next one that it has not met.

    If their number is odd, the last bot that has not `paused` has no opponent. Bots meet again only where it cannot be
    avoided.
    """
    order = sorted(range(len(points)), key=lambda bot: (-round(points[bot], 9), bot))
    if len(order) % 2:
        order.remove(next((bot for bot in reversed(order) if bot not in paused), order[-1]))
    return _paired(order, met) or list(zip(order[::2], order[1::2], strict=True))


def _paired(order: list[int], met: set[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Return pairs of neighbours in the order that have not met, the first one preferred; None if there are none."""
    if not order:
        return []
    first, *rest = order
    for other in rest:
        pair = (min(first, other), max(first, other))
        if pair not in met:
            others = _paired([bot for bot in rest if bot != other], met)
            if others is not None:
                return [pair, *others]
    return None
