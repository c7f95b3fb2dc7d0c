"""The search model of Topiary: candidates are actions, their heuristic value is what they gain at once."""

from __future__ import annotations

from typing import Any

from bosquet.core.objective import SearchSettings
from bosquet.core.rng import below
from bosquet.core.state import Int8, Numbers, StateRecord
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .endings import solve as solve
from .rules import (
    CELLS,
    FIRST_PUT,
    FIRST_TAKE,
    LINE,
    LINE_CELLS,
    LINE_LENGTH,
    LINE_MASK,
    LINES,
    MAX_MOVES,
    PASS,
    PUT,
    SIZES,
    TAKE,
    State,
    hand_points,
    legal,
    play,
    score,
    seen_by,
    sees,
    visitor_points,
)

MAX_CANDIDATES = MAX_MOVES
ACTIONS_ROOM = 1

THROUGH = tuple(sum(1 << line for line in range(len(LINES)) if LINE_MASK[line] >> cell & 1) for cell in range(CELLS))
"""[cell]: the lines that cross it."""
UNTURNED = 70
"""Worth of a face-down tile in a line, in hundredths of a point: it may be taken, or turned for the visitor."""
RIVAL = 50
"""How much a rival's point weighs against an own one, in hundredths."""


class Workspace(StateRecord):
    """Nothing is computed in it."""

    unused: Int8


@kernel
def candidates(state: State, found: Numbers, heuristics: Numbers, workspace: Any, rng_state: Numbers) -> int:
    """Write every legal action and its heuristic value in hundredths of a point; return how many."""
    n = legal(state, found)
    if state.phase == LINE:
        hand = state.hand[state.seat]
        before = seen_by(state, state.seat)
        held = hand_points(hand, before)
        for i in range(n):
            heuristics[i] = gain_of_line(state, found[i], hand, before) - 100 * held
    else:
        for i in range(n):
            heuristics[i] = gain_of_tile(state, found[i])
    return n


@kernel
def apply_candidate(state: State, candidate: int) -> None:
    """Make an action."""
    play(state, candidate)


@kernel
def information_set_key(state: State, viewer: int) -> int:
    """Return the viewer's hand after it took a tile; no other seat knows which tile that was."""
    if (state.phase == PUT) & (state.seat == viewer):
        return state.hand[viewer]
    return 0


@kernel
def may_evaluate(state: State) -> bool:
    """Return False: a rollout goes on to its horizon."""
    return False


@kernel
def evaluate(state: State, points: Numbers, workspace: Workspace) -> int:
    """Write the points that each seat has so far, in hundredths."""
    for seat in range(state.players):
        points[seat] = 100 * score(state, seat)
    return 0


@kernel
def rollout_policy(state: State, rng_state: Numbers, found: Numbers, heuristics: Numbers, workspace: Workspace) -> None:
    """Make the action with the best heuristic value, one of the best at random."""
    n = candidates(state, found, heuristics, workspace, rng_state)
    best = heuristics[0]
    for i in range(1, n):
        best = max(best, heuristics[i])
    ties = 0
    for i in range(n):
        if heuristics[i] == best:
            found[ties] = found[i]
            ties += 1
    play(state, found[below(rng_state, ties)])


@kernel
def gain_of_line(state: State, line: int, hand: int, before: int) -> int:
    """Return what a visitor on a line would see, with what the hand then scores, in hundredths of a point.

    `before` are the tiles that the seat's other visitors see.
    """
    seen = sees(state, line)
    value = 100 * (visitor_points(seen) + hand_points(hand, before | seen))
    return value + UNTURNED * count_bits(LINE_MASK[line] & state.down)


@kernel
def gain_of_tile(state: State, action: int) -> int:
    """Return what taking or putting a tile gains, in hundredths of a point."""
    if state.phase == TAKE:
        if action == PASS:
            return 0
        best = -10000
        hand = state.hand[state.seat]
        while hand:
            best = max(best, gain_of_putting(state, action - FIRST_TAKE, lowest_bit(hand)))
            hand &= hand - 1
        return best
    if state.phase == PUT:
        return gain_of_putting(state, state.gap, action - FIRST_PUT)
    return 0


@kernel
def gain_of_putting(state: State, cell: int, tile: int) -> int:
    """Return what a tile of the hand on a cell without a face-up tile changes for the mover, less for the others."""
    gain = 0
    for seat in range(state.players):
        lines = state.visitors[seat]
        points = 0
        before = 0
        after = 0
        if seat == state.seat:
            while lines:
                line = lowest_bit(lines)
                lines &= lines - 1
                seen = sees(state, line)
                seen_then = sees_with(state, line, cell, tile) if LINE_MASK[line] >> cell & 1 else seen
                points += visitor_points(seen_then) - visitor_points(seen)
                before |= seen
                after |= seen_then
            hand = state.hand[seat]
            points += hand_points(hand & ~(1 << tile), after) - hand_points(hand, before)
            gain += 100 * points
        else:
            lines &= THROUGH[cell]
            while lines:
                line = lowest_bit(lines)
                lines &= lines - 1
                points += visitor_points(sees_with(state, line, cell, tile)) - visitor_points(sees(state, line))
            gain -= RIVAL * points
    return gain


@kernel
def sees_with(state: State, line: int, at: int, put: int) -> int:
    """Return the tiles that a visitor at this line would see with one more tile put on a cell."""
    seen = 0
    tallest = -1
    for i in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][i]
        if (state.up >> cell & 1) | (cell == at):
            tile = put if cell == at else state.tiles[cell]
            if tile % SIZES > tallest:
                seen |= 1 << tile
                tallest = tile % SIZES
    return seen


@kernel
def write_actions(states: Any, candidate: int, found: Numbers) -> int:
    """Write the actions of a candidate: it is one action."""
    found[0] = candidate
    return 1


@kernel
def default_settings(state: State, settings: SearchSettings) -> None:
    """Write the settings that are left to the game."""
    settings.exploration, settings.temperature = 1.0, 300.0
    settings.scale, settings.win_weight = 800.0, 0.5
    settings.rounds = 0


@kernel
def same_decision(first: State, later: State) -> bool:
    """Return False: every ply is a decision of its own."""
    return False
