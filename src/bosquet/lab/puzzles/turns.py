"""Turns that puzzles ask for: what the module `puzzles` of a game says of them, and what they come to.

In a game without that module every move is a turn of its own, and the best one is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from bosquet.core.installed import spec
from bosquet.lab.puzzles.puzzle import PuzzleTask, Result

Turn = tuple[int, ...]
"""A whole turn, as actions."""
MARGIN = 2.0
"""Points of lead by which the best turn is better, unless the game says something else."""


class Judged(NamedTuple):
    """What was found out about a position."""

    answers: list[Turn]
    best: tuple[Turn, float, float]
    """A turn, its chance to win and its lead."""
    second: tuple[Turn, float, float]
    margin: float
    error: float
    turns: int
    simulations: int


def task_of(game: str) -> PuzzleTask:
    """Return the task of a game's puzzles."""
    task: PuzzleTask = _said(game, "TASK", "best")
    return task


def asked_of(game: str) -> int | None:
    """Return how many moves of a turn are asked for, at most; None for a whole turn."""
    asked: int | None = _said(game, "ASKED", 1)
    return asked


def margin_of(game: str) -> float:
    """Return the least margin of a game's puzzles in points."""
    return float(_said(game, "MARGIN", MARGIN))


def is_start(state: Any, game: str) -> bool:
    """Return whether a puzzle may ask for the turn that begins in a state."""
    given: Callable[[Any], bool] | None = _said(game, "is_start", None)
    return state.players > 1 if given is None else given(state)


def turns(state: Any, game: str) -> list[Turn]:
    """Return every whole turn of the seat to move; for the task `win` those that win at once."""
    given: Callable[[Any], list[Turn]] | None = _said(game, "wins" if task_of(game) == "win" else "turns", None)
    if given is not None:
        return given(state)
    moves = [0] * spec(game).rules.MAX_MOVES
    return [(action,) for action in moves[: spec(game).rules.legal(state, moves)]]


def after(game: str, state: Any, turn: Turn) -> Any:
    """Return the state after a turn; `state` is left as it was."""
    then = state.copy()
    for action in turn:
        spec(game).rules.play(then, action)
    return then


def notation(game: str, state: Any, turn: Turn) -> list[str]:
    """Return a turn in notation."""
    said, state = [], state.copy()
    for action in turn:
        said.append(spec(game).notation.to_notation(state, action))
        spec(game).rules.play(state, action)
    return said


def result(game: str, state: Any, turn: Turn, win: float, lead: float) -> Result:
    """Return a turn with what is expected of it."""
    return Result(moves=notation(game, state, turn), win=round(win, 4), lead=round(lead, 2))


def lead(points: Any, seat: int) -> float:
    """Return the points of a seat ahead of the best other one."""
    return float(points[seat] - max(other for i, other in enumerate(points) if i != seat))


def _said(game: str, name: str, default: Any) -> Any:
    return getattr(spec(game).module("puzzles"), name, default)
