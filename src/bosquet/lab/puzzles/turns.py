"""Turns that puzzles ask for: what the module `puzzles` of a game says of them, and what they come to.

In a game without that module every move is a turn of its own, and the best one is asked for. A game with both tasks
says for which grades each of them is set (`TASKS`), and which one a position has (`task_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from bosquet.core.bound import play
from bosquet.core.installed import spec
from bosquet.core.state import Numbers, StateList
from bosquet.kernels.jit import available, bind, kernel
from bosquet.lab.puzzles.puzzle import GRADES, Grade, PuzzleTask, Result
from bosquet.search.model import MAX_ACTIONS

Turn = tuple[int, ...]
"""A whole turn, as actions."""
MARGIN = 2.0
"""Points of lead by which the best turn is better, unless the game says something else."""
LADDER = ("level2", "level4", "level6")
"""The bots that grade puzzles, from weak to strong, one for each grade, unless the game names others."""


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


def tasks_of(game: str) -> Mapping[PuzzleTask, Collection[Grade]]:
    """Return the tasks of a game's puzzles, each with the grades for which it is set."""
    tasks: Mapping[PuzzleTask, Collection[Grade]] = _said(game, "TASKS", {"best": GRADES})
    return tasks


def task_of(game: str, state: Any) -> PuzzleTask:
    """Return the task of a puzzle that begins in a state."""
    given: Callable[[Any], PuzzleTask] | None = _said(game, "task_of", None)
    return "best" if given is None else given(state)


def asked_of(game: str) -> int | None:
    """Return how many moves of a turn are asked for, at most; None for a whole turn."""
    asked: int | None = _said(game, "ASKED", 1)
    return asked


def margin_of(game: str) -> float:
    """Return the least margin of a game's puzzles in points."""
    return float(_said(game, "MARGIN", MARGIN))


def ladder_of(game: str) -> tuple[str, ...]:
    """Return the bots that grade a game's puzzles, from weak to strong, one for each grade."""
    ladder: tuple[str, ...] = _said(game, "LADDER", LADDER)
    return ladder


def is_start(state: Any, game: str) -> bool:
    """Return whether a puzzle may ask for the turn that begins in a state."""
    given: Callable[[Any], bool] | None = _said(game, "is_start", None)
    return state.players > 1 if given is None else given(state)


def turns(state: Any, game: str) -> list[Turn]:
    """Return every whole turn of the seat to move; for the task `win` those that win at once."""
    given: Callable[[Any], list[Turn]] | None = _said(game, "wins" if task_of(game, state) == "win" else "turns", None)
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


def alike(game: str, state: Any) -> dict[Turn, list[Turn]]:
    """Return the turns that lead to different positions, each with all that lead where it does."""
    compiled, found = available(), dict[bytes, list[Turn]]()
    states: Any = np.repeat(state.pack(), 2) if compiled else StateList([state, state])
    moves: Any = np.zeros(MAX_ACTIONS, np.int64) if compiled else [0] * MAX_ACTIONS
    play_turn = bind(_play_turn, spec(game).kernels, jit=compiled)
    for turn in turns(state, game):
        moves[: len(turn)] = turn
        play_turn(states, moves, len(turn))
        then = states[1:] if compiled else states[1].pack()
        found.setdefault(then.tobytes(), []).append(turn)
    return {same[0]: same for same in found.values()}


@kernel
def _play_turn(states: Any, moves: Numbers, count: int) -> None:
    """Write to `states[1]` what `states[0]` becomes by some moves."""
    states[1] = states[0]
    for i in range(count):
        play(states[1], moves[i])


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
