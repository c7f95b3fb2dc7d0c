"""Which turns of Schlossgarten a puzzle asks for: the best work of a figure that stands, or a whole turn that wins.

A turn that wins at once is asked for where few places to build on do. Every stand within reach is looked at, hits and
jumps included (`endings`), so that this is exact. How the pawns walk there, and where those that do not work end up,
makes no difference to the answer. All of these are hard: `greedy` finds what needs no hit, and levels 2 and 4 look at
no hits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bosquet.core.state import Numbers, StateList
from bosquet.kernels.jit import available, bind, kernel

from .board import BUILD, CARD, GRID, WORK, State
from .planning.candidate import NO_CANDIDATE, cell_of
from .planning.endings import list_wins, winning_on
from .planning.paths import ACTIONS_ROOM, write_actions
from .planning.stands import list_targets, target_cells
from .planning.workspace import Workspace
from .rules import MAX_MOVES, legal, play
from .walking import foreign_pawns

TASKS = {"best": ("easy", "medium"), "win": ("hard",)}
ASKED = None
"""Moves of a turn that are asked for, at most: the whole turn, or what is left of it."""
MARGIN = 1.0
"""Points by which the best work is better: a work scores a few."""


def is_start(state: State) -> bool:
    """Return whether a puzzle may ask for the turn that begins here, or for the work with which it goes on."""
    return bool((state.phase == CARD) | (state.phase == WORK))


def task_of(state: State) -> str:
    """Return whether the best work is asked for, or a turn that wins."""
    return "best" if state.phase == WORK else "win"


def turns(state: State) -> list[tuple[int, ...]]:
    """Return every work of the figure that stands, as actions: a dig or none, then a build or the end of the turn."""
    found: list[tuple[int, ...]] = []
    works, builds = [0] * MAX_MOVES, [0] * MAX_MOVES
    for work in works[: legal(state, works)]:
        then = state.copy()
        play(then, work)
        if then.phase == BUILD and then.seat == state.seat:
            found += [(work, action) for action in builds[: legal(then, builds)]]
        else:
            found.append((work,))
    return found


def wins(state: State) -> list[tuple[int, ...]]:
    """Return a turn that wins at once for each site on which that is possible, as actions. It is complete."""
    compiled = available()
    states: Any = state.pack() if compiled else [state]
    spaces: Any = np.zeros(1, Workspace.dtype) if compiled else [Workspace()]
    found: Any = np.zeros(SITES, np.int64) if compiled else [0] * SITES
    n = bind(winning_sites, {}, jit=compiled)(states, spaces, found)
    return [tuple(actions(state, int(candidate), jit=compiled)) for candidate in found[:n]]


def actions(state: State, candidate: int, *, jit: bool = False) -> list[int]:
    """Return the actions of a candidate in an uncompiled state; `jit` is whether to compile what finds them.

    Raises ValueError if the pawns can't walk there.
    """
    states: Any = np.repeat(state.pack(), 2) if jit else StateList([state, state])
    found: Any = np.zeros(ACTIONS_ROOM, np.int64) if jit else [0] * ACTIONS_ROOM
    n = bind(write_actions, {}, jit=jit)(states, candidate, found)
    if n == 0:
        places = ", ".join(GRID.names[cell_of(candidate, kind)] for kind in range(3))
        raise ValueError(f"the pawns can't walk to {places}")
    return [int(action) for action in found[:n]]


SITES = 512


@kernel
def winning_sites(states: Any, workspaces: Any, found: Numbers) -> int:
    """Write a candidate that wins for each site on which the seat to move can win at once; return how many."""
    state = states[0]
    workspace = workspaces[0]
    targets = list_targets(state, workspace)
    fixed = foreign_pawns(state) & ~target_cells(state, targets, workspace)
    count = list_wins(state, fixed, workspace)
    n = 0
    for i in range(count):
        list_targets(state, workspace)
        list_wins(state, fixed, workspace)
        workspace.winning_sites[0] = workspace.winning_sites[i]
        candidate = winning_on(state, targets, 1, workspace)
        if candidate != NO_CANDIDATE:
            found[n] = candidate
            n += 1
    return n
