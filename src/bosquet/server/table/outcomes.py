"""The outcome of a finished game for each seat. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from bosquet.core.ending import How

Outcome = Literal["won", "shared", "lost", "left", "void", "alone", "together"]
"""What a game came to for a seat: `left` where its guest left the game to a bot, `alone` in a game for one, `together`
where a guest has several seats at one screen."""
EndedHow = Literal[How, "time"]
"""How a game ended before its end by the rules, as lists show it: `time` where all who resigned were out of time."""
RESIGNED: tuple[EndedHow, ...] = ("resigned", "time")
"""Ends after which who had resigned has lost."""
DECIDED: tuple[Outcome, ...] = ("won", "shared", "lost")
"""Outcomes that count in rates."""


class Closed(NamedTuple):
    """How a game ended."""

    at: str
    scores: list[int] | None
    """None of a game that is void."""
    winners: list[int]
    how: str | None
    """How it ended before its end by the rules; None where it did not."""


class Seated(NamedTuple):
    """What the outcome of a seat depends on, besides how the game ended."""

    guest: str | None
    """Whose seat it is, or was until that guest left it."""
    person: bool
    """Whether it is, or was, somebody's, who may have been erased."""
    left: str | None


def outcomes(closed: Closed, seated: Sequence[Seated]) -> list[tuple[Outcome, int | None]]:
    """Return what a game came to for each seat, and its place: 1 for each winner, then by points.

    Seats that resigned come last. There are no places in a game that is void, or for one player.
    """
    if closed.how == "void" or closed.scores is None:
        return [("void", None)] * len(seated)
    if len(seated) == 1:
        return [("alone", None)]
    scores, winners = closed.scores, closed.winners
    ranks = [(seat in winners, not _has_resigned(seat, one, closed), scores[seat]) for seat, one in enumerate(seated)]
    places = [1 + sum(other > rank for other in ranks) for rank in ranks]
    guests = [one.guest for one in seated if one.guest is not None]
    found: list[tuple[Outcome, int | None]] = []
    for seat, one in enumerate(seated):
        outcome: Outcome = "lost" if seat not in winners else "won" if len(winners) == 1 else "shared"
        if one.left == "left":
            outcome = "left"
        elif guests.count(one.guest or "") > 1:
            outcome = "together"
        found.append((outcome, places[seat]))
    return found


def _has_resigned(seat: int, one: Seated, closed: Closed) -> bool:
    """Return whether a seat had resigned: the last one to do so ends the game, and only who resigned can't win."""
    return one.left == "resigned" or (closed.how in RESIGNED and one.person and seat not in closed.winners)
