"""What a seat may know, and where points come from, as plain typed data.

A game extends these with its own parts. All are frozen and become JSON by `msgspec.json.encode`.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One legal move, in a form that a page can light up."""

    say: str
    """Its notation."""
    cells: list[str]
    """The cells or squares it concerns, the first one first."""
    points: int | None = None
    """By how much it changes the mover's own open count at once; None where that is not known yet."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """All that one seat, or a spectator, may know of a position."""

    game: str
    options: dict[str, Any]
    viewer: int | None
    """The seat that looks; None is a spectator."""
    seat: int | None
    """The seat to move; None when the game is over or chance decides."""
    over: bool
    phase: str
    """Which decision is due."""
    scores: list[int] | None
    """The open count of each seat, where it is open."""
    winners: list[int]
    """Ascending seats; empty while the game runs."""

    @property
    def players(self) -> int:
        """The number of seats."""
        players: int = self.options["players"]
        return players


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of an entry of a score sheet: one tile, one row, one bonus."""

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
    """The sum of its parts, or their product where `combine` says so."""
    cells: list[str]
    parts: list[Part] = []
    combine: str = "sum"


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Where every point of a game comes from."""

    game: str
    entries: list[Entry]
    scores: list[int]
    winners: list[int]
    columns: list[int] = []
    """Topas with one player: the four columns, of which the lowest counts."""


def to_json(value: msgspec.Struct) -> bytes:
    """A view or sheet as JSON."""
    return msgspec.json.encode(value)
