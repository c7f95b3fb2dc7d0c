"""Messages about replays."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from bosquet.core.real_game import SeatNumber
from bosquet.core.view import Move, Sheet, View
from bosquet.server.base.messages import Ending, GameName


class ReplayRequest(Struct, forbid_unknown_fields=True):
    """Step through a record."""

    record: dict[str, Any]
    viewpoint: SeatNumber | Literal["all", "spectator"] = "all"


class Frame(Struct):
    """A position of a replay."""

    ply: int
    """How many moves of the record were made."""
    view: View
    seat: int | None
    """Who made the move that led here; None at the start and for chance."""
    say: str | None
    moves: list[Move]
    """The moves that led here as data: one, or those of a turn."""
    hands: list[list[str]] | None
    """Everybody's hand, where all is revealed."""
    revealed: dict[str, str] | None
    """What lies face down on the table, by cell, where all is revealed."""


class Replay(Struct):
    """A record, position by position."""

    game: GameName
    names: list[str]
    bots: list[str | None]
    """Which bot played on each seat, as far as the record says."""
    frames: list[Frame]
    sheet: Sheet
    ending: Ending | None
    """None where it ended by its rules and nobody had resigned, and where it runs."""
