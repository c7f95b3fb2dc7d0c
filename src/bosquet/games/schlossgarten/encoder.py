"""Observations and action indices of Schlossgarten.

The garden is 7 × 7 cells; row 0 is the south edge, column 0 the west edge. Seat 0 is the viewer's own. A card is given
by its number and by its pattern, so that a policy can be used with another deck. A pattern is 5 × 5 offsets from the
king; row 0 is two cells south of him. A subject that stands farther from him, on a card wider than 3 × 3, is written
at the edge, with the number of columns and three times the number of rows that it stands beyond it added to the 1.
"""

from __future__ import annotations

from bosquet.core.encoding import Part, clear, clear_part, mark, write_set
from bosquet.core.state import Numbers, Options
from bosquet.kernels.bits import index, lowest_bit
from bosquet.kernels.jit import kernel

from .board import (
    BUILD,
    CELLS,
    ELEMENTS,
    FIRST_DIG,
    FIRST_STEP,
    GARDENER,
    GRID,
    LANDSCAPE,
    MOVE,
    NO_HIT,
    OVER,
    ROUND_LIMIT,
    SITE_MASK,
    SITES,
    STEPS,
    WINNING_POINTS,
    WORK,
    State,
)
from .constellations import CARDS, OFFSETS, steps_of
from .rules import legal, score, standing
from .walking import move_action

VERSION = 1

PAWNS = 3
PHASES = 5
MAX_HAND = 2
SQUARE = 5
"""Width of a plane of offsets from the king."""
PLANE = SQUARE * SQUARE
PATTERN = 2 * PLANE
REFUGES = CELLS + 1
"""Number of actions for a step to a cell: without a hit, or with the hit subject sent to any cell."""
FIRST_WORK = FIRST_STEP + PAWNS * CELLS * REFUGES
INDICES = FIRST_WORK + 2 * CELLS + 2 * len(SITES)

# Offsets of the parts whose position is the same for all options.
UP_PLANE = CELLS
DUG_PLANE = UP_PLANE + CELLS
FIRST_PHASE = DUG_PLANE + CELLS
STEPS_LEFT = FIRST_PHASE + PHASES
SHIFTED = STEPS_LEFT + 1
STANDING = SHIFTED + PAWNS
WORKER = STANDING + 2
PLAYED = WORKER + 2
PLAYED_PATTERN = PLAYED + CARDS
HAND_CARDS = PLAYED_PATTERN + PATTERN
HAND_PATTERNS = HAND_CARDS + CARDS
DISCARD = HAND_PATTERNS + MAX_HAND * PATTERN
HELD_OVER = DISCARD + CARDS
PILE = HELD_OVER + CARDS
ROUND = PILE + 1
FIRST_SEAT = ROUND + 1
A_SEAT = 2 + CARDS + (PAWNS + ELEMENTS + 1) * CELLS


def _plane_cell(offset: int) -> tuple[int, int]:
    """Return where in its plane an offset is written, and the number that is written there."""
    half = SQUARE // 2
    steps = steps_of(offset)
    inside = [max(-half, min(half, step)) for step in steps]
    columns, rows = (abs(step - near) for step, near in zip(steps, inside, strict=True))
    return (inside[1] + half) * SQUARE + inside[0] + half, 1 + columns + 3 * rows


PLANE_CELL = tuple(_plane_cell(i)[0] for i in range(OFFSETS))
PLANE_NUMBER = tuple(_plane_cell(i)[1] for i in range(OFFSETS))


def layout(options: Options) -> tuple[Part, ...]:
    """Return the parts of an observation, in order."""
    square, pattern = (GRID.width, GRID.width), (2, SQUARE, SQUARE)
    return (
        Part("value", square, "what the tile of the cell is worth, 1 to 3, wherever it lies by now", 3),
        Part("up", square, "1 where the landscape lies, value up", 1),
        Part("dug", square, "1 on excavations", 1),
        Part(
            "phase", (PHASES,), "1 at the decision that is due: card, move, work, build, and the shuffle of chance", 1
        ),
        Part("steps", (1,), "steps left in the running turn", STEPS),
        Part("shifted", (PAWNS,), "1 for a pawn that may not shift again; king, gardener, architect", 1),
        Part(
            "standing",
            (2,),
            "1 for the subjects of the seat to move that may still work; gardener, architect",
            1,
        ),
        Part("worker", (2,), "1 for the subject that has dug and may build now; gardener, architect", 1),
        Part("played", (CARDS,), "1 at the card of the running turn", 1),
        Part(
            "played pattern",
            pattern,
            "its pattern; gardener, architect; 2 to 9 at the edge for one that stands farther off",
            9,
        ),
        Part("hand", (CARDS,), "1 for every card in the own hand", 1),
        Part(
            "hand patterns", (MAX_HAND, *pattern), "their patterns, in the order of the cards; gardener, architect", 9
        ),
        Part("discard", (CARDS,), "1 for every card that was played since the last shuffle", 1),
        Part("held over", (CARDS,), "1 for every card that was in a hand at the last shuffle", 1),
        Part("pile", (1,), "cards in the pile", CARDS),
        Part("round", (1,), f"rounds played so far, of {ROUND_LIMIT}", ROUND_LIMIT),
        *(
            part
            for seat in range(options["players"])
            for part in (
                Part(f"moves {seat}", (1,), "1 if this seat is to move", 1),
                Part(f"points {seat}", (1,), "its points", max_points(options)),
                Part(f"may hold {seat}", (CARDS,), "1 for every card that the one it held at a shuffle may be", 1),
                Part(f"pawns {seat}", (PAWNS, *square), "1 where its pawn stands; king, gardener, architect", 1),
                Part(
                    f"elements {seat}",
                    (ELEMENTS, *square),
                    "1 on the cells of its element; the gardener's of size 1, 2, 3, the architect's of size 1, 2, 3",
                    1,
                ),
                Part(f"kept {seat}", square, "1 where a tile came from that it keeps", 1),
            )
        ),
    )


def action_count(options: Options) -> int:
    """Return the size of the action space.

    Indices are ordered: cards; stop; end; steps by pawn, cell and refuge; digs by worker and cell; builds by worker and
    site.
    """
    return INDICES


def max_decisions(options: Options) -> int:
    """Return an upper bound on decisions.

    A turn has a card, five steps, a shift of each pawn before the steps, a shift of one pawn after every step, stop,
    dig and build.
    """
    turn = 1 + STEPS + PAWNS + STEPS + 1 + 1 + 1
    players: int = options["players"]
    return turn * ROUND_LIMIT * players


def max_chance_events(options: Options) -> int:
    """Return an upper bound on shuffles: one card is drawn every turn, and at a shuffle every seat holds a card."""
    players: int = options["players"]
    return ROUND_LIMIT * players // (CARDS - players)


def min_points(options: Options) -> int:
    """Return 0: nothing costs points."""
    return 0


def max_points(options: Options) -> int:
    """Return an upper bound on points: one short of winning, then an element of three cells on three best tiles."""
    return WINNING_POINTS - 1 + 3 + 3 * max(LANDSCAPE)


@kernel
def observe(state: State, viewer: int, out: Numbers) -> None:
    """Write the observation of a seat."""
    players = state.players
    clear(out, FIRST_SEAT + players * A_SEAT)
    for cell in range(CELLS):
        out[cell] = state.landscape[cell]
    write_set(out, UP_PLANE, CELLS, state.up)
    mark(out, DUG_PLANE, state.dug)
    observe_decision(state, out)
    if state.played >= 0:
        out[PLAYED + state.played] = 1
        write_pattern(state, state.played, out, PLAYED_PATTERN)
    hand = state.hand[viewer]
    mark(out, HAND_CARDS, hand)
    at = HAND_PATTERNS
    while hand:
        write_pattern(state, lowest_bit(hand), out, at)
        hand &= hand - 1
        at += PATTERN
    write_set(out, DISCARD, CARDS, state.discard)
    mark(out, HELD_OVER, state.held_over)
    out[PILE] = state.pile_end - state.pile_at
    out[ROUND] = state.turn // players
    at = FIRST_SEAT
    for turn in range(players):
        seat = viewer + turn if viewer + turn < players else viewer + turn - players
        observe_seat(state, seat, out, at)
        at += A_SEAT


@kernel
def observe_again(state: State, viewer: int, out: Numbers) -> bool:
    """Write the observation of a seat over an earlier one of the same turn: while pawns walk, the rest stays.

    Return False, with nothing written, if no pawn walks or the earlier one is not of this turn.
    """
    if (state.phase != MOVE) | (not is_of_this_turn(state, viewer, out)):
        return False
    clear_part(out, FIRST_PHASE, PLAYED)
    observe_decision(state, out)
    at = FIRST_SEAT + 2 + CARDS
    for turn in range(state.players):
        seat = viewer + turn if viewer + turn < state.players else viewer + turn - state.players
        clear_part(out, at, at + PAWNS * CELLS)
        observe_pawns(state, seat, out, at)
        at += A_SEAT
    return True


@kernel
def is_of_this_turn(state: State, viewer: int, out: Numbers) -> bool:
    """Return whether an observation is one of the seat to move, after it played its card in the turn that runs.

    Round and size of the pile tell which turn it was: every turn draws a card, and a pile lasts longer than a round.
    """
    return (
        (state.seat == viewer)
        & (out[FIRST_SEAT] == 1)
        & (out[ROUND] == state.turn // state.players)
        & (out[PILE] == state.pile_end - state.pile_at)
        & (out[PLAYED + state.played] == 1)
    )


@kernel
def observe_decision(state: State, out: Numbers) -> None:
    """Write what the decision is about, from the phase to the worker."""
    if state.phase != OVER:
        out[FIRST_PHASE + state.phase] = 1
    if state.phase == MOVE:
        out[STEPS_LEFT] = state.steps
        mark(out, SHIFTED, state.shifted)
    if (state.phase == MOVE) | (state.phase == WORK) | ((state.phase == BUILD) & (state.each_works != 0)):
        mark(out, STANDING, standing(state) >> GARDENER)
    if state.phase == BUILD:
        out[WORKER + state.worker - 1] = 1


@kernel
def observe_seat(state: State, seat: int, out: Numbers, at: int) -> None:
    """Write the public information about a seat."""
    out[at] = 1 if state.seat == seat else 0
    out[at + 1] = score(state, seat)
    mark(out, at + 2, state.may_hold[seat])
    at += 2 + CARDS
    observe_pawns(state, seat, out, at)
    at += PAWNS * CELLS
    for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
        if state.element[i] >= 0:
            mark(out, at, SITE_MASK[state.element[i]])
        at += CELLS
    mark(out, at, state.kept[seat])


@kernel
def observe_pawns(state: State, seat: int, out: Numbers, at: int) -> None:
    """Write where the pawns of a seat stand."""
    for kind in range(PAWNS):
        out[at + kind * CELLS + state.pawn[PAWNS * seat + kind]] = 1


@kernel
def write_pattern(state: State, card: int, out: Numbers, at: int) -> None:
    """Write the offsets of gardener and architect from the king, one plane each."""
    gardener = state.pattern[card] // OFFSETS
    architect = state.pattern[card] % OFFSETS
    out[at + PLANE_CELL[gardener]] = PLANE_NUMBER[gardener]
    out[at + PLANE + PLANE_CELL[architect]] = PLANE_NUMBER[architect]


@kernel
def index_of(state: State, action: int) -> int:
    """Return the index of an action: its number in the rules, without the gaps in the numbers of steps."""
    if action < FIRST_STEP:
        return action
    if action < FIRST_DIG:
        return index_of_step(action)
    return action - FIRST_DIG + FIRST_WORK


@kernel
def index_of_step(action: int) -> int:
    """Return the index of a step, jump, hit or shift."""
    code = action - FIRST_STEP
    refuge = code & 63
    return FIRST_STEP + ((code >> 12) * CELLS + (code >> 6 & 63)) * REFUGES + (CELLS if refuge == NO_HIT else refuge)


@kernel
def action_at(state: State, number: int) -> int:
    """Return the action with this index."""
    if number < FIRST_STEP:
        return number
    if number < FIRST_WORK:
        refuge = (number - FIRST_STEP) % REFUGES
        place = (number - FIRST_STEP) // REFUGES
        return move_action(place // CELLS, place % CELLS, NO_HIT if refuge == CELLS else refuge)
    return number - FIRST_WORK + FIRST_DIG


@kernel
def is_concealed(state: State, action: int) -> bool:
    """Return False: every seat sees every action."""
    return False


@kernel
def private(state: State, seat: int) -> int:
    """Return the hand of a seat."""
    return state.hand[seat]


@kernel
def indices(state: State, moves: Numbers) -> int:
    """Write the index of every legal action; return their number."""
    n = legal(state, moves)
    if state.phase == MOVE:
        for i in range(n - 1):  # all but STOP; a separate loop, so that the compiler can vectorize it
            moves[index(i)] = index_of_step(moves[index(i)])
    else:
        for i in range(n):
            moves[i] = index_of(state, moves[i])
    return n
