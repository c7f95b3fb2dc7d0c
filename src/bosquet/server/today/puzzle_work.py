"""What a puzzle shows and whether an answer is right. Pure; runs in a worker process.

Only the view of the seat to move is sent, and no part of the answer before an attempt is complete. A turn is never
played to its end: what would be revealed then stays hidden.
"""

from __future__ import annotations

from datetime import date

import msgspec

from bosquet.core.assistance import PLAIN
from bosquet.core.errors import BosquetError
from bosquet.core.game import Game
from bosquet.core.view import Entry, Move, View, limited
from bosquet.lab.puzzle_files import Puzzle, Result, judge, stock
from bosquet.server.base.messages import ENCODER
from bosquet.server.today.messages import (
    PuzzleAnswer,
    PuzzleAttempt,
    PuzzlePosition,
    PuzzleTries,
    PuzzleTurn,
    PuzzleVerdict,
)

FIRST_DAY = date(2026, 11, 1)
"""The day of the first puzzle of each game."""
NOBODY = PuzzleTries(tries=0, solved=0)


def puzzle_of(game: str, day: str) -> Puzzle:
    """Return the puzzle of a game on a day: they follow each other in the order of the file, and then again."""
    puzzles = stock(game)
    return puzzles[(date.fromisoformat(day) - FIRST_DAY).days % len(puzzles)]


def position(game: str, day: str) -> bytes:
    """Return the position of a puzzle, as its seat sees it."""
    puzzle = puzzle_of(game, day)
    return ENCODER.encode(
        PuzzlePosition(
            game=game,
            day=day,
            grade=puzzle.grade,
            task=puzzle.task,
            seat=puzzle.seat,
            view=_seen(puzzle, puzzle.begun()),
            solved=None,
            tries=NOBODY,
            before=None,
        )
    )


def attempted(game: str, day: str, attempt: PuzzleAttempt) -> tuple[bool | None, PuzzleAnswer]:
    """Return whether an attempt is right, None while its turn goes on, and what is answered. Raises BosquetError."""
    puzzle = puzzle_of(game, day)
    played = puzzle.begun()
    if attempt.give_up:
        return False, PuzzleAnswer(made=[], view=None, verdict=_verdict(puzzle, False))
    made: list[Move] = []
    right: bool | None = None
    for number, move in enumerate(attempt.moves, 1):
        if right is not None:
            raise BosquetError(f"move {number} comes after the end of the turn")
        made.append(played.observed_action(played.parse(move), puzzle.seat))
        played.play(move)
        right = judge(puzzle, played, attempt.moves[:number])
    if right is None:
        return None, PuzzleAnswer(made=made, view=_seen(puzzle, played), verdict=None)
    return right, PuzzleAnswer(made=made, view=None, verdict=_verdict(puzzle, right))


def _seen(puzzle: Puzzle, played: Game) -> View:
    return limited(played.view(puzzle.seat), PLAIN)


def _verdict(puzzle: Puzzle, right: bool) -> PuzzleVerdict:
    return PuzzleVerdict(
        right=right,
        first=False,
        best=_turn(puzzle, puzzle.best),
        second=_turn(puzzle, puzzle.second),
        answers=len(puzzle.answers),
        margin=puzzle.margin,
        error=puzzle.error,
        turns=puzzle.turns,
        verified=puzzle.verified,
        simulations=puzzle.simulations,
        found_by=puzzle.found_by,
        entries=_entries(puzzle),
        tries=NOBODY,
    )


def _turn(puzzle: Puzzle, result: Result) -> PuzzleTurn:
    played, moves = puzzle.begun(), []
    for move in result.moves:
        moves.append(played.observed_action(played.parse(move), puzzle.seat))
        played.play(move)
    return PuzzleTurn(moves=moves, win=result.win, lead=result.lead, gain=result.gain)


def _entries(puzzle: Puzzle) -> list[Entry]:
    """Return the lines of the seat's score sheet that the best turn adds or changes, as far as it can know them."""
    played = puzzle.begun()
    before = [msgspec.json.encode(entry) for entry in played.score_sheet().entries]
    moves = puzzle.best.moves
    open_moves = moves if puzzle.task == "win" or len(moves) == 1 else moves[:-1]  # the last one reveals a tile
    for move in open_moves:
        played.play(move)
    return [
        entry
        for entry in played.score_sheet().entries
        if entry.seat == puzzle.seat and entry.kind != "hand" and msgspec.json.encode(entry) not in before
    ]
