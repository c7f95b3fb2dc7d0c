"""Views (what a seat may know) and score sheets (where points come from) as typed data.

Games extend these types with their own fields. All are frozen; `msgspec.json.encode` turns them into JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

import msgspec

from bosquet.core.assistance import AIDS, FULL, PLAIN

M = TypeVar("M", bound="Move")
V = TypeVar("V", bound="View")


class Move(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A move as data, with what a user interface needs to show it without parsing its notation.

    As JSON a field is left out where it has its default: a position may list hundreds of moves.
    """

    ASSISTANCE: ClassVar[tuple[str, ...]] = ("points",)
    """The fields that say what a move comes to, not that it is legal; all are None where that is not shown."""

    say: str
    """Its notation."""
    kind: str = "move"
    """What sort of move it is, in a word of the game; the default where the game has only one."""
    piece: str | None = None
    """What is laid, moved or at work: a card, a tile, a pawn, as the game names it."""
    cells: list[str]
    """The cells or squares it concerns, in order."""
    to: str | None = None
    """The cell to which a piece goes, if the move has one."""
    heading: str | None = None
    """The direction in which it points, if it has one."""
    points: int | None = None
    """Change of the mover's current score; None if that is not known yet, or not known to the viewer."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """All that one seat, or a spectator, may know of a state."""

    OFFERS: ClassVar[tuple[str, ...]] = ("moves",)
    """The fields that list what the seat to move may do or may not; they follow from the others."""
    AIDS: ClassVar[tuple[str, ...]] = ()
    """Further public lists that help to find legal moves; they follow from the others."""

    game: str
    options: dict[str, Any]
    viewer: int | None
    """The viewing seat; None for a spectator."""
    seat: int | None
    """The seat to move; None if the game is over or a chance event is due."""
    over: bool
    phase: str
    """The kind of decision that is due; games define the values."""
    scores: list[int] | None
    """Current score of each seat; None if scores are hidden."""
    winners: list[int]
    """Winning seats in ascending order; empty while the game runs."""
    moves: Sequence[Move]
    """The legal moves if the viewer is to move, else none. The views of a game say which sort of moves they are."""

    @property
    def players(self) -> int:
        """Return the number of seats."""
        players: int = self.options["players"]
        return players


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Part of an entry of a score sheet, such as one tile, one row or one bonus."""

    kind: str
    name: str
    points: int
    cells: list[str]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a score sheet."""

    seat: int
    kind: str
    name: str
    points: int
    """Sum of its parts, or their product if `combine` is `"product"`."""
    cells: list[str]
    parts: list[Part] = []
    combine: str = "sum"
    piece: str | None = None
    """The card, tile or element that it is about, as the game names it; None if it is about none."""
    cell: str | None = None
    """The cell where that lies, or where a line begins; None if it is nowhere."""
    heading: str | None = None
    """The direction in which it points, if it has one."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """The source of every point of a game."""

    game: str
    entries: list[Entry]
    scores: list[int]
    winners: list[int]
    columns: list[int] = []
    """Points of each column in a solitaire that plays several; the lowest counts."""


def limited(view: V, assistance: int) -> V:
    """Return a view with full assistance as it is with less: `assistance` is one of the levels of `core.assistance`."""
    if assistance == FULL:
        return view
    if assistance == PLAIN:
        return msgspec.structs.replace(view, moves=[plain_move(move) for move in view.moves])
    empty = view.OFFERS if assistance == AIDS else (*view.OFFERS, *view.AIDS)
    return msgspec.structs.replace(view, **{field: [] for field in empty})


def plain_move(move: M) -> M:
    """Return a move without its `ASSISTANCE`."""
    return msgspec.structs.replace(move, **dict.fromkeys(move.ASSISTANCE))


def to_json(value: msgspec.Struct) -> bytes:
    """Return a view or a score sheet as JSON."""
    return msgspec.json.encode(value)
