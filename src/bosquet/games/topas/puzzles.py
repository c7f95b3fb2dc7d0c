"""Which turns of Topas a puzzle asks for: the placement of one card."""

from __future__ import annotations

from .rules import MAX_MOVES, TURNS, State, legal

ASKED = 1
MARGIN = 1.0
"""Points by which the best placement is better: less than elsewhere, for what scores most at once is often best."""
LADDER = ("search:15", "search:60", "level6")
"""Bots by whose tries puzzles are graded. Lower levels make one simulation: what they find is no measure."""


def is_start(state: State) -> bool:
    """Return whether a puzzle may ask for the turn that begins here: among several players, neither early nor last."""
    return state.players > 1 and 2 <= state.turn < TURNS * state.players - 1


def turns(state: State) -> list[tuple[int, ...]]:
    """Return every whole turn of the seat to move, as actions."""
    moves = [0] * MAX_MOVES
    return [(action,) for action in moves[: legal(state, moves)]]
