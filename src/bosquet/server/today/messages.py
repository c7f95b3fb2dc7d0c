"""Messages about the deals and puzzles of the days."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from bosquet.core.view import View
from bosquet.lab.puzzles.puzzle import Grade
from bosquet.server.base.messages import GameName, Name


class KeptPuzzle(Struct):
    """The first answer of a guest to a puzzle of a day."""

    game: str
    day: str
    """By UTC."""
    grade: Grade
    solved: bool
    on_day: bool
    """Whether it was given on that day."""


class PuzzleAnswers(Struct):
    """The first answers of a guest to the puzzles that can be asked for."""

    answers: list[KeptPuzzle]
    """The oldest first."""


class AnswerPuzzle(Struct, forbid_unknown_fields=True):
    """What a page has found: it judges answers itself."""

    solved: bool


class PuzzleTries(Struct):
    """How the guests of this server did."""

    tries: int
    """First answers."""
    solved: int


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
    opening: View
    """What a spectator sees before the first move."""
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
    week: list[bool]
    """Whether one has finished a deal in time on each of the last seven days, up to this one."""


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
