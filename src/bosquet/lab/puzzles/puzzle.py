"""A puzzle, and whether an answer is right.

It has the position as its seat knows it, so nothing that is hidden from the seat; the answer stands beside it.
"""

from __future__ import annotations

import functools
from typing import Literal

import msgspec

from bosquet.core.game import Game
from bosquet.core.positions import position as positions
from bosquet.core.positions.position import Position
from bosquet.core.rng import Rng

PuzzleTask = Literal["best", "win"]
Grade = Literal["easy", "medium", "hard"]
GRADES: tuple[Grade, ...] = ("easy", "medium", "hard")


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """A turn and what is expected of it."""

    moves: list[str]
    win: float
    """Chance of the seat to win, 0 … 1."""
    lead: float
    """Expected points ahead of the best other seat at the end."""


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A position and its answer."""

    id: str
    position: str
    """What the seat to move knows, as text (docs/positions.md)."""
    task: PuzzleTask
    asked: int | None
    """How many moves of the turn are asked for, at most; None for a whole turn."""
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

    @property
    def game(self) -> str:
        """Return the name of the game."""
        return self.position.partition("/")[0]

    @property
    def seat(self) -> int:
        """Return the seat to move."""
        return _seat_of(self.position)

    def read(self) -> Position:
        """Return the position. Raises PositionError."""
        return positions.read(self.position)

    def begun(self) -> Game:
        """Return a game at the position; what is hidden there is drawn, always the same. Raises PositionError."""
        known = self.read()
        state = known.spec.determinize(known.state, known.viewer, Rng("puzzle", self.id))
        return Game(known.spec, known.options, state, deal={})


@functools.lru_cache(maxsize=1024)
def _seat_of(position: str) -> int:
    seat = positions.read(position).seat
    assert seat is not None, "a puzzle is a position in which a seat is to move"
    return seat


def judge(puzzle: Puzzle, game: Game, moves: list[str]) -> bool | None:
    """Return whether the moves made since the position are right; None if the turn goes on.

    The page judges answers in the same way (`web/src/pages/puzzles/attempt.ts`).
    """
    seat = puzzle.seat
    if puzzle.task == "best" and moves in puzzle.answers:
        return True
    if puzzle.task == "win" and game.over:
        return seat in game.winners
    goes_on = game.seat == seat and (puzzle.asked is None or len(moves) < puzzle.asked)
    return None if goes_on else False
