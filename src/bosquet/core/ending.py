"""How a game ended other than by its rules: somebody resigned, all agreed to end it, or it does not count.

A record says so with the key `ending` (docs/records.md). Its `result` is then null, as the rules have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, cast, get_args

import msgspec

from bosquet.core.errors import BosquetError, RecordError, listed, quoted
from bosquet.core.inputs.reading import expect_object
from bosquet.core.spec import GameSpec
from bosquet.core.state import NOBODY

KEY = "ending"
How = Literal["played", "resigned", "agreed", "void"]
"""`played` is a game that went on to its end although a seat had resigned; `void` one that does not count."""


class Ending(NamedTuple):
    """How a game ended, and the seats that had resigned, in ascending order: they can't win."""

    how: How
    resigned: list[int]


def check_ending(ending: Ending, players: int, *, over: bool) -> None:
    """Check that a game can end so; `over` is whether it is over by its rules. Raises BosquetError."""
    how, resigned = ending
    if over != (how == "played"):
        raise BosquetError("the game is over by its rules" if over else "the game is not over by its rules")
    if resigned != sorted(set(resigned) & set(range(players))):
        raise BosquetError(f"resigned is {resigned}; it must be seats below {players} in ascending order")
    if len(resigned) >= players or (how in ("played", "resigned") and not resigned):
        raise BosquetError(f"{len(resigned)} of {players} seats resigned; one at least must have, and one not")


def ended(spec: GameSpec, state: Any) -> Any:
    """Return a copy of a state in which no seat is to move, with everything revealed that the end reveals."""
    state = state.copy()
    state.seat = NOBODY
    over = getattr(spec.rules, "OVER", None)
    if over is not None and "phase" in state.fields:
        state.phase = over
    return state


def winners_of(ending: Ending, by_rules: Sequence[int], scores: Sequence[int]) -> list[int]:
    """Return who won among the seats that did not resign: the winners by the rules, or those with most points."""
    if ending.how == "void":
        return []
    left = [seat for seat in range(len(scores)) if seat not in ending.resigned]
    most = max(scores[seat] for seat in left)
    return [seat for seat in left if seat in by_rules] or [seat for seat in left if scores[seat] == most]


def write_ending(ending: Ending, scores: list[int], winners: list[int]) -> dict[str, Any]:
    """Return the value of `ending` in a record."""
    counted = {} if ending.how == "void" else {"scores": scores, "winners": winners}
    return {"how": ending.how, "resigned": ending.resigned, **counted}


def read_ending(given: object) -> Ending:
    """Return what a record says. Raises RecordError."""
    data = expect_object(given, KEY)
    how, resigned = data.get("how"), data.get("resigned", [])
    if how not in get_args(How):
        raise RecordError(f"{KEY}.how is {quoted(how)}; it must be {listed(list(get_args(How)))}")
    if not isinstance(resigned, list) or not all(type(seat) is int for seat in resigned):
        raise RecordError(f"{KEY}.resigned is {quoted(resigned)}; it must be a list of seats")
    return Ending(cast(How, how), resigned)


def check_written(given: Any, right: dict[str, Any]) -> None:
    """Check that the points and winners in a record are those that the moves give. Raises RecordError."""
    for name in ("scores", "winners"):
        if given.get(name) != right.get(name):
            raise RecordError(f"{KEY}.{name} must be {msgspec.json.encode(right.get(name)).decode()}")
