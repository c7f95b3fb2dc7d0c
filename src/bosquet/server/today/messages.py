"""Messages about the deals and puzzles of the days."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from bosquet.core.view import Entry, Move, View
from bosquet.lab.puzzle_files import Grade, PuzzleTask
from bosquet.server.base.messages import GameName, Name


class KeptPuzzle(Struct):
    """The first answer of a guest to the puzzle of a day."""

    game: str
    day: str
    solved: bool


class PuzzleOfDay(Struct):
    """The puzzle of a game on a day, as a list has it."""

    game: str
    day: str
    grade: Grade
    solved: bool | None
    """Whether the guest's first answer was right; None before there is one."""


class PuzzleList(Struct):
    """The puzzles of today and of the days before."""

    today: str
    """By UTC."""
    days: list[list[PuzzleOfDay]]
    """The latest first."""
    streak: int
    """Days in a row, up to today or yesterday, on which the guest solved a puzzle of that day at first try."""
    repeats: dict[str, int]
    """After how many days the puzzles of each game come again."""


class PuzzleTries(Struct):
    """How the guests of this server did."""

    tries: int
    """First answers."""
    solved: int


class PuzzlePosition(Struct):
    """The position of a puzzle, as the seat to move sees it."""

    game: str
    day: str
    grade: Grade
    task: PuzzleTask
    seat: int
    view: View
    """With all legal moves, but not what they score."""
    solved: bool | None
    """Whether the guest's first answer was right; None before there is one."""
    tries: PuzzleTries
    before: str | None
    """The day of the puzzle before; None where it is too old to be asked for."""


class PuzzleAttempt(Struct, forbid_unknown_fields=True):
    """The moves of a turn so far; when the turn is complete, it is the answer."""

    moves: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=64)]
    give_up: bool = False
    """Whether the answer is to be shown; it counts as one that is not right."""


class PuzzleTurn(Struct):
    """A whole turn and what is expected of it."""

    moves: list[Move]
    win: float
    lead: float
    gain: int
    """Points at once."""


class PuzzleVerdict(Struct):
    """Whether an answer is right, and why."""

    right: bool
    first: bool
    """Whether it was the guest's first answer, which counts."""
    best: PuzzleTurn
    second: PuzzleTurn
    """The best turn that is wrong."""
    answers: int
    """How many turns are right."""
    margin: float
    error: float
    turns: int
    verified: Literal["exact", "search"]
    simulations: int
    found_by: dict[str, float]
    entries: list[Entry]
    """The lines of the score sheet that the best turn adds or changes."""
    tries: PuzzleTries


class PuzzleAnswer(Struct):
    """What an attempt comes to."""

    made: list[Move]
    view: View | None
    """The position in the middle of the turn; None where it is complete."""
    verdict: PuzzleVerdict | None
    """None while the turn goes on."""


class DailyResult(Struct):
    """What an attempt at the deal of a day came to."""

    value: int | None
    """What is ranked: one's points alone, else by how many points one leads the level. None where it was given up."""
    points: int | None
    against: int | None
    """The points of the level; None alone."""
    ranked: bool
    """Whether it was whole and in time."""


class DailyAttempt(Struct):
    """One's own attempt at the deal of a day."""

    table: str
    result: DailyResult | None
    """None while it is played."""


class DailyBot(Struct):
    """Where a bot came out on the deal of a day, on the seat of those who play it."""

    bot: str
    value: int
    points: int
    against: int | None


class DailyScores(Struct):
    """How many have come to a value."""

    value: int
    players: int


class DailyOutcome(Struct):
    """What came of the deal of a day: told to those whose own attempt is over, and to all after the day."""

    scores: list[DailyScores]
    """All ranked results, the lowest value first."""
    rank: int | None
    """One's own place; equal values share one. None of a result that is not ranked."""
    bots: list[DailyBot]
    """The weakest first; those that are worked out by now."""
    bots_due: bool
    """Whether some bots are still to come."""


class DailyGame(Struct):
    """The deal of a day of one game."""

    game: GameName
    options: dict[str, Any]
    seat: int
    """The seat on which everybody plays it."""
    opponent: str | None
    """The bot on the other seat; None alone."""
    commitment: str
    """SHA-256 of the secret that the deal is made of."""
    secret: str | None
    """None before the day is closed."""
    players: int
    """How many ranked results there are."""
    attempt: DailyAttempt | None
    outcome: DailyOutcome | None
    """None for those who may still play it, or play it now."""


class DailyDay(Struct):
    """The deals of a day."""

    day: str
    """A day of UTC: `2026-11-23`."""
    phase: Literal["open", "ending", "closed"]
    """`ending`: games that were begun in time still count. Once it is closed all may be seen, and played unranked."""
    games: list[DailyGame]


class DailyNext(Struct):
    """What is said of the next deal of a game."""

    game: GameName
    commitment: str


class Today(Struct):
    """The deals of this day, and how one does day by day."""

    today: DailyDay
    seconds: int
    """Until the next deals."""
    next: list[DailyNext]
    streak: int
    """Days up to now, one after the other, on which one has finished a deal in time."""
    best: int


class DailyPast(Struct):
    """A day of the archive, and one's own results."""

    day: str
    closed: bool
    results: dict[str, DailyResult | None]
    """By game; None of an attempt that is not over."""


class DailyArchive(Struct):
    """The last days, the latest first."""

    days: list[DailyPast]


class PlayDaily(Struct, forbid_unknown_fields=True):
    """Play the deal of a day, or go on with it."""

    name: Name


class DailyRow(Struct):
    """A ranked result."""

    rank: int
    name: str | None
    value: int
    points: int
    against: int | None
    first: bool
    """Whether its guest had never finished the deal of an earlier day."""
    mine: bool
    table: str


class DailyRanking(Struct):
    """A page of the ranked results of a deal, the best first."""

    rows: list[DailyRow]
    next: str | None
    """What the next page is asked for with; None where this is the last one."""


class KeptDaily(Struct):
    """What is kept of a guest's attempt at the deal of a day."""

    day: str
    game: str
    table: str
    name: str | None
    result: DailyResult | None
