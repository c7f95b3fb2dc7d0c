"""Messages about replays and analyses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from bosquet.core.real_game import SeatNumber
from bosquet.core.view import Move, Sheet, View
from bosquet.lab.coach import Decision
from bosquet.lab.luck import Spread
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


class AnalysisRequest(Struct, forbid_unknown_fields=True):
    """Have a finished game analysed: by the coach, or played again by bots. The answer is an `Analysis` a line."""

    record: dict[str, Any]
    table: Annotated[str, Meta(max_length=32)] | None = None
    """The table whose record it is: what the coach says is then kept in the history of those who played there."""


class AnalysisBegun(Struct, tag="begun"):
    """What is analysed, and how many steps that takes."""

    game: GameName
    names: list[str]
    bots: list[str | None]
    """Which bot played on each seat, as far as the record says."""
    steps: int


class AnalysisStep(Struct, tag="step"):
    """A step is done; of the coach's, one decision, the last of the game first."""

    done: int
    decision: Decision | None = None
    """None where there was nothing to decide, and where bots play."""


class Judged(Struct, tag="judged"):
    """What the decisions of a game come to, once all of them are known."""

    costliest: list[int]
    """Indices of the costliest decisions, of those that were sent in the order of the game, the costliest first."""
    lost: list[float]
    """Per seat the win chance that its decisions lost, 1 is a whole game; alone a hundredth for each point."""
    decisions: list[int]
    """Per seat how many decisions it had, without those that were forced."""


class Receipt(Struct, tag="receipt"):
    """The same deal, played by bots: each seat's points, and how many of them the real score beats."""

    bot: str
    """Who played on every seat."""
    spreads: list[Spread]


class AnalysisFailed(Struct, tag="failed"):
    """An analysis that was begun ends here: it can be asked for again."""


Analysis = AnalysisBegun | AnalysisStep | Judged | Receipt | AnalysisFailed


class Hinted(Struct):
    """Something that could be played."""

    moves: list[str]
    """The choice, and what follows it in the same turn where that was thought of together."""
    data: list[Move]
    """The same moves as data."""
    win: float | None
    """Chance to win, 0 … 1; None alone."""
    points: float
    """Expected points at the end."""
