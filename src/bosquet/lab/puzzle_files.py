"""Puzzles as files: a header, then a puzzle on each line; and whether an answer is right.

`lab.puzzles` makes them. A line has the record of the game up to the position, with all that is hidden there: a puzzle
must not be shown to the solver, who gets only the view of its seat.
"""

from __future__ import annotations

import functools
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec

from bosquet.core import record as records
from bosquet.core.errors import BosquetError, RecordError
from bosquet.core.game import FORMAT, Game
from bosquet.core.installed import spec
from bosquet.search.model import search_model

PuzzleTask = Literal["best", "win"]
Grade = Literal["easy", "medium", "hard"]

VERSION = "bosquet-puzzles/1"
STOCK = "puzzles.jsonl"
"""The file in a game's package."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """A turn and what is expected of it."""

    moves: list[str]
    win: float
    """Chance of the seat to win, 0 … 1."""
    lead: float
    """Expected points ahead of the best other seat at the end."""
    gain: int
    """Points at once."""


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A position and its answer."""

    id: str
    game: str
    options: dict[str, Any]
    deal: dict[str, Any]
    moves: list[str]
    """The moves up to the position."""
    seat: int
    task: PuzzleTask
    answers: list[list[str]]
    """The turns that are right; of the task `win` examples, one for each place to build on."""
    best: Result
    second: Result
    """The best turn that is wrong."""
    margin: float
    """Points of lead that the best turn is ahead of all others; of the task `win`, chance to win."""
    error: float
    """Standard error of the margin; 0 where it is exact."""
    turns: int
    """Different turns that were compared."""
    verified: Literal["exact", "search"]
    simulations: int
    """Simulations of each of the two turns in the last comparison; 0 where it is exact."""
    found_by: dict[str, float]
    """[bot]: share of its tries in which it found the answer."""
    grade: Grade
    source: list[int]
    """Seed, game and ply from which it was made."""

    def begun(self) -> Game:
        """Return the game at the position. Raises RecordError."""
        given = {"format": FORMAT, "game": self.game, "options": self.options, "deal": self.deal, "result": None}
        return records.load({**given, "moves": self.moves}, lambda name: spec(str(name)))


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a file of puzzles: how they were made."""

    format: str
    games: list[str]
    seed: int


PUZZLE = msgspec.json.Decoder(Puzzle)
HEADER = msgspec.json.Decoder(Header)


def task_of(game: str) -> PuzzleTask:
    """Return the task of a game's puzzles."""
    task: PuzzleTask = getattr(spec(game).module("puzzles"), "TASK", "best")
    return task


def judge(puzzle: Puzzle, game: Game, moves: list[str]) -> bool | None:
    """Return whether the moves made since the position are right; None if the turn goes on."""
    if puzzle.task == "win":
        if game.over:
            return puzzle.seat in game.winners
        return None if game.seat == puzzle.seat and _goes_on(puzzle, game, moves) else False
    if moves in puzzle.answers:
        return True
    more = getattr(spec(puzzle.game).module("puzzles"), "goes_on", None)
    goes_on = not moves or (more is not None and game.seat == puzzle.seat and more(game.state))
    return None if goes_on else False


def _goes_on(puzzle: Puzzle, game: Game, moves: list[str]) -> bool:
    """Return whether a turn is not over, of a seat that is to move."""
    first = puzzle.begun().state if moves else game.state
    return search_model(puzzle.game).same_decision(first, game.state)


@functools.cache
def stock(game: str) -> list[Puzzle]:
    """Return the puzzles that come with a game; none where it has no file of them. Raises BosquetError."""
    file = files(spec(game).package) / STOCK
    return read(Path(str(file))) if file.is_file() else []


def read(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file. Raises BosquetError."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BosquetError(f"{path}: can't be read: {error.strerror or error}") from None
    return read_lines(path, lines)[1]


def read_lines(path: Path, lines: list[bytes]) -> tuple[Header, list[Puzzle]]:
    """Return the header and the puzzles of the lines of a file. Raises BosquetError."""
    if not lines:
        raise BosquetError(f"{path}: empty; `bosquet puzzles` makes such a file")
    try:
        header = HEADER.decode(lines[0])
    except (msgspec.MsgspecError, ValueError) as error:
        raise BosquetError(f"{path}: no file of puzzles: {error}") from None
    if header.format != VERSION:
        raise BosquetError(f"{path}: format is {header.format[:40]!r}; this reads {VERSION!r}")
    puzzles = []
    for number, line in enumerate(lines[1:], 2):
        try:
            puzzles.append(PUZZLE.decode(line))
        except (msgspec.MsgspecError, ValueError) as error:
            raise RecordError(f"{path}, line {number}: no puzzle: {error}") from None
    return header, puzzles
