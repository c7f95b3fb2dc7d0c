"""How `greedy` plays Schlossgarten: it plans a whole turn (`greedy_turns`), and makes its moves one by one."""

from __future__ import annotations

from bosquet.core.rng import below, draw_member
from bosquet.core.state import Numbers
from bosquet.kernels.bits import count_bits
from bosquet.kernels.jit import kernel

from .board import (
    BUILD,
    CARD,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    FIRST_STEP,
    MAX_MOVES,
    MOVE,
    STEPS,
    STOP,
    WORK,
    State,
    element_at,
)
from .constellations import CARDS
from .planning.greedy_turns import MOST_ACTIONS, plan_turn
from .rules import legal

MANY_ON_A_DEVICE = False
"""Nobody has tried several decisions in one launch on a GPU; in Topas they failed. One a launch is right there."""

# The plan is kept at the end of `moves`, where no legal action is ever written: the number of the actions left, these
# actions, the next one last, and the position that the next one is meant for.
LEFT = MAX_MOVES - 64
ACTIONS_LEFT = LEFT + 1
POSITION = ACTIONS_LEFT + MOST_ACTIONS
TURN, PHASE, PLAYED, STEPS_LEFT, LOW_CARDS, HIGH_CARDS, PAWNS_AT = range(POSITION, POSITION + 7)


@kernel
def greedy_action(state: State, rng_state: Numbers, moves: Numbers) -> int:
    """Return the next action of the turn that scores most. Overwrites `moves`, advances `rng_state`.

    The plan of the turn is kept in `moves`. A game that is given another array in the middle of a turn, or in which
    the position is not the expected one, has the rest of the turn planned anew. Reads nothing that is hidden from the
    seat to move.
    """
    n = 0
    left = moves[LEFT]
    if (left > 0) & (left <= MOST_ACTIONS):
        if is_expected(state, moves):
            n = legal(state, moves)
    action = moves[ACTIONS_LEFT + left - 1] if n else 0
    if not contains(moves, n, action):
        draw_hidden(state, rng_state)
        left = plan_turn(state, rng_state, moves, ACTIONS_LEFT)
        action = moves[ACTIONS_LEFT + left - 1]
        n = legal(state, moves)
        if not contains(moves, n, action):
            left = 1
            action = quiet_action(state, rng_state, moves, n)
    moves[LEFT] = left - 1
    expect(state, action, moves)
    return action


@kernel
def contains(moves: Numbers, n: int, action: int) -> bool:
    """Return whether an action is among the first n."""
    found = False
    for i in range(n):
        found |= moves[i] == action
    return found


@kernel
def quiet_action(state: State, rng_state: Numbers, moves: Numbers, n: int) -> int:
    """Return the action that ends the walk or the work, any one of the n legal ones where a card is to be played."""
    if state.phase == CARD:
        return moves[below(rng_state, n)]
    return STOP if state.phase == MOVE else END


@kernel
def draw_hidden(state: State, rng_state: Numbers) -> None:
    """Advance `rng_state` as `determinize_in_place` does, which leaves a seed the games that it has always given."""
    unseen = 0
    for i in range(state.pile_at, state.pile_end):
        unseen |= 1 << state.pile[i]
    for seat in range(state.players):
        if seat != state.seat:
            unseen |= state.hand[seat]
    for seat in range(state.players):
        if (seat != state.seat) & (state.may_hold[seat] & unseen != 0):
            unseen ^= 1 << draw_member(rng_state, state.may_hold[seat] & unseen)
    for cards in range(count_bits(unseen), 0, -1):
        below(rng_state, cards)


# --- The position that the next action is meant for -------------------------------------------------------------


@kernel
def expect(state: State, action: int, moves: Numbers) -> None:
    """Write the position after an action of the plan, which hits nobody."""
    hand = state.hand[state.seat]
    phase = state.phase
    steps = state.steps
    played = state.played
    for i in range(3 * state.players):
        moves[PAWNS_AT + i] = state.pawn[i]
    if action < CARDS:
        hand ^= 1 << action
        played = action
        steps = STEPS
        phase = MOVE
    elif action == STOP:
        steps = 0
        phase = WORK
    elif (action >= FIRST_STEP) & (action < FIRST_DIG):
        code = action - FIRST_STEP
        pawn = 3 * state.seat + (code >> 12)
        cell = code >> 6 & 63
        moves[PAWNS_AT + pawn] = cell
        if element_at(state, state.seat, state.pawn[pawn]) >> cell & 1 == 0:
            steps -= 1
    elif action < FIRST_BUILD:
        phase = BUILD
    moves[TURN] = state.turn
    moves[PHASE] = phase
    moves[PLAYED] = played
    moves[STEPS_LEFT] = steps
    moves[LOW_CARDS] = hand & 0xFFFF
    moves[HIGH_CARDS] = hand >> 16


@kernel
def is_expected(state: State, moves: Numbers) -> bool:
    """Return whether a position is the one that was written."""
    hand = state.hand[state.seat]
    same = (moves[TURN] == state.turn) & (moves[PHASE] == state.phase) & (moves[PLAYED] == state.played)
    same &= (moves[STEPS_LEFT] == state.steps) & (moves[LOW_CARDS] == hand & 0xFFFF) & (moves[HIGH_CARDS] == hand >> 16)
    for i in range(3 * state.players):
        same &= moves[PAWNS_AT + i] == state.pawn[i]
    return same
