"""Which turns of Topiary a puzzle asks for: where the visitor is placed, and which tile is then taken, if any.

Which tile is put in its place is not asked for: that depends on the tile that was taken, which cannot be known.
"""

from __future__ import annotations

from .rules import LINE, MAX_MOVES, TAKE, State, legal, play

ASKED = 2
"""Moves of a turn that are asked for, at most: a line, and a tile or none."""


def is_start(state: State) -> bool:
    """Return whether a puzzle may ask for the turn that begins here: the garden is not empty any more."""
    return state.phase == LINE and state.placed >= 4


def turns(state: State) -> list[tuple[int, ...]]:
    """Return every line with every tile that may be taken there, or none, as actions."""
    found: list[tuple[int, ...]] = []
    lines, moves = [0] * MAX_MOVES, [0] * MAX_MOVES
    for line in lines[: legal(state, lines)]:
        then = state.copy()
        play(then, line)
        if then.phase == TAKE and then.seat == state.seat:
            found += [(line, action) for action in moves[: legal(then, moves)]]
        else:
            found.append((line,))
    return found
