"""A turn of Schlossgarten as one number, and how its pawns walk.

A *plan* is one integer that says what the rest of a turn amounts to: the card to be played, where the own pawns end up,
who works, what it digs and where it builds. How the pawns walk there is left out; `actions` finds that for a plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from bosquet.core.bits import count_bits, lowest_bit, mask_of, members
from bosquet.core.grid import HEADINGS
from bosquet.core.jit import kernel
from bosquet.games.schlossgarten import (
    ARCHITECT,
    BEHIND,
    BOARD,
    CARD,
    CELLS,
    ELEMENTS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    GARDENER,
    GRID,
    KING,
    MAX_MOVES,
    MOVE,
    NEAR,
    NO_HIT,
    PAWNS,
    SITE_MASK,
    SITES,
    STEPS,
    STOP,
    State,
    build,
    dig,
    element_at,
    end_turn,
    legal,
    move_pawn,
    pawn_moves,
    pawns,
    play_card,
    standing,
    step_of,
    subjects,
)

# --- A plan as a number ------------------------------------------------------------------------------------------

NO_CARD = NO_TILE = 63
NO_SITE = 511
PAWN_AT = 6  # the first bit of the king's cell; the subjects' follow
WORKER_AT = 24
TILE_AT = 26
SITE_AT = 32
STAND_BITS = (1 << WORKER_AT) - 1
"""Card and pawns."""
WORK_BITS = (1 << 41) - 1 - (STAND_BITS & ~63)
"""Card, worker and work."""
HITS_AT = 41
"""The subjects that a turn hits, as bits 3 × seat + kind; only the solver of endings plans hits."""


@kernel
def plan_of(card: int, king: int, gardener: int, architect: int, worker: int, tile: int, site: int) -> int:
    """A plan: a card or NO_CARD, cells, a worker or 0, a cell or NO_TILE, a site or NO_SITE."""
    stand = king << PAWN_AT | gardener << (PAWN_AT + 6) | architect << (PAWN_AT + 12)
    return card | stand | worker << WORKER_AT | tile << TILE_AT | site << SITE_AT


@kernel
def carry_out(state: State, plan: int) -> None:
    """Make a plan without hits, as its actions would. Mutates `state`; then the turn or the game is over."""
    worker = plan >> WORKER_AT & 3
    tile = plan >> TILE_AT & 63
    site = plan >> SITE_AT & 511
    if plan & 63 != NO_CARD:
        play_card(state, plan & 63)
    for kind in range(3):
        state.pawn[3 * state.seat + kind] = plan >> (PAWN_AT + 6 * kind) & 63
    state.steps = 0
    state.shifted = 0
    if tile != NO_TILE:
        dig(state, (worker - 1) * CELLS + tile)
    if site != NO_SITE:
        build(state, (worker - 1) * len(SITE_MASK) + site)
    else:
        end_turn(state)


# --- Walking -----------------------------------------------------------------------------------------------------

WEST_EDGE = sum(1 << cell for cell in range(CELLS) if cell % GRID.width == 0)
EAST_EDGE = WEST_EDGE << GRID.width - 1
FAR = 9
"""More steps than a turn has."""
ORDERS = tuple(permutations(range(3)))


@kernel
def around(cells: int) -> int:
    """The cells of a set and their neighbours."""
    row = cells | (cells & ~EAST_EDGE) << 1 | (cells & ~WEST_EDGE) >> 1
    return (row | row << 7 | row >> 7) & BOARD


@kernel
def beside(cells: int) -> int:
    """The neighbours of a set of cells; its own cells only where they are neighbours of each other."""
    row = (cells & ~EAST_EDGE) << 1 | (cells & ~WEST_EDGE) >> 1
    wide = cells | row
    return (row | wide << 7 | wide >> 7) & BOARD


@kernel
def hurdles(state: State, blocked: int) -> int:
    """The subjects among the pawns on some cells that the seat to move may jump. 3.4"""
    kings = 0
    for seat in range(state.players):
        kings |= 1 << state.pawn[3 * seat + KING]
    return blocked & ~kings & (state.up | state.own[state.seat])


@kernel
def with_shifts(state: State, cells: int, free: int) -> int:
    """Some cells, and those to which a pawn there can shift. 3.3"""
    seat = state.seat
    if cells & state.own[seat]:
        for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
            if state.element[i] >= 0:
                element = SITE_MASK[state.element[i]]
                if cells & element:
                    cells |= element & free
    return cells


@kernel
def at_once(state: State, kind: int, free: int) -> int:
    """Where an own pawn can be without a step: where it stands, and where it can shift. 3.3"""
    cells = 1 << state.pawn[3 * state.seat + kind]
    if state.shifted >> kind & 1 == 0:
        cells = with_shifts(state, cells, free)
    return cells


@kernel
def step_on(state: State, kind: int, reached: int, free: int, jumped: int) -> int:
    """The cells that an own pawn reaches with one step more, those it has reached included. 3.2-3.4

    `free` are the cells it may enter, `jumped` those with a subject that it may jump.
    """
    beyond = around(reached)
    if state.shifted >> kind & 1:
        start = state.pawn[3 * state.seat + kind]
        if reached == 1 << start:  # it has shifted and can't again
            beyond &= ~element_at(state, state.seat, start)
    over = beyond & jumped
    while over:
        hurdle = lowest_bit(over)
        over &= over - 1
        runs = NEAR[hurdle] & reached
        while runs:
            behind = BEHIND[lowest_bit(runs)][hurdle]
            runs &= runs - 1
            if behind >= 0:
                beyond |= 1 << behind
    return reached | with_shifts(state, beyond & free, free)


@kernel
def steps_to(state: State, kind: int, cell: int, blocked: int, jumped: int, most: int) -> int:
    """The steps of an own pawn to a cell, the others standing still on `blocked`; FAR if they are more than `most`."""
    free = (state.up | state.own[state.seat]) & ~blocked
    reached = at_once(state, kind, free)
    for steps in range(most + 1):
        if reached >> cell & 1:
            return steps
        reached = step_on(state, kind, reached, free, jumped)
    return FAR


@kernel
def foreign_pawns(state: State) -> int:
    """The cells of the others' pawns."""
    cells = pawns(state)
    for kind in range(3):
        cells &= ~(1 << state.pawn[3 * state.seat + kind])
    return cells


@kernel
def walkable(state: State, plan: int, steps: int, foreign: int, jumped: int) -> bool:
    """Whether the own pawns can walk to their places one after the other, in one order or another.

    `jumped` are the subjects of the others that may be jumped.
    """
    first = 3 * state.seat
    ground = state.up | state.own[state.seat]
    for order in range(len(ORDERS)):
        left = steps
        arrived = 0
        for i in range(3):
            kind = ORDERS[order][i]
            cell = plan >> (PAWN_AT + 6 * kind) & 63
            if cell != state.pawn[first + kind]:
                blocked = 0
                folk = 0
                for other in range(3):
                    if other != kind:
                        at = state.pawn[first + other] + 0
                        if arrived >> other & 1:
                            at = plan >> (PAWN_AT + 6 * other) & 63
                        blocked |= 1 << at
                        if other != KING:
                            folk |= 1 << at
                left -= steps_to(state, kind, cell, foreign | blocked, jumped | folk & ground, left)
                if left < 0:
                    break
            arrived |= 1 << kind
        if left >= 0:
            return True
    return False


@kernel
def walkable_after_wait(state: State, plan: int, steps: int, foreign: int, jumped: int) -> bool:
    """Whether the own pawns can walk to their places when one of them first makes way by a step.

    It takes long, so it is for plans that win. `state` is left as it was.
    """
    first = 3 * state.seat
    everybody = pawns(state)
    free = (state.up | state.own[state.seat]) & ~everybody
    shifted = state.shifted + 0
    over = hurdles(state, everybody)
    for kind in range(3):
        at = state.pawn[first + kind] + 0
        start = at_once(state, kind, free)
        waits = step_on(state, kind, start, free, over & ~(1 << at)) & ~start
        state.shifted |= 1 << kind  # perhaps it has: no matter
        found = False
        while (waits != 0) & (not found):
            state.pawn[first + kind] = lowest_bit(waits)
            waits &= waits - 1
            found = walkable(state, plan, steps - 1, foreign, jumped)
        state.pawn[first + kind] = at
        state.shifted = shifted
        if found:
            return True
    return False


@kernel
def can_walk(state: State, plan: int, wins: bool, steps: int, foreign: int, jumped: int) -> bool:
    """Whether the own pawns can walk to their places, as far as it is looked into."""
    if walkable(state, plan, steps, foreign, jumped):
        return True
    return wins and steps > 0 and walkable_after_wait(state, plan, steps, foreign, jumped)


@kernel
def steps_left(state: State) -> int:
    """The steps that the seat to move has for its plan."""
    if state.phase == CARD:
        return STEPS
    return state.steps


# --- Building ----------------------------------------------------------------------------------------------------

SITE_NEAR = tuple(
    sum(
        1 << cell
        for cell in range(CELLS)
        if not mask >> cell & 1
        and any(mask >> near & 1 for step in HEADINGS.values() if (near := GRID.step(cell, *step)) >= 0)
    )
    for mask in SITE_MASK
)


@kernel
def workplaces(site: int, fresh: int) -> int:
    """Where a worker may stand to build on a site; where its cell in `fresh`, if any, is to be dug first. 4.3, 4.4"""
    if fresh:
        return NEAR[lowest_bit(fresh)] & ~SITE_MASK[site]
    return SITE_NEAR[site]


@kernel
def gain_of(state: State, cells: int, built: int) -> int:
    """What the seat to move gains by an element on some cells; `built` are the cells of all elements. 4.5, 4.6"""
    gain = count_bits(cells & ~state.own[state.seat])
    tiles = cells & ~built
    while tiles:
        gain += state.landscape[lowest_bit(tiles)]
        tiles &= tiles - 1
    return gain


# --- From a plan to its moves ------------------------------------------------------------------------------------


def actions(state: State, plan: int) -> list[int]:
    """The legal actions, in order, by which a plan is made. `state` is left as it was.

    The pawns walk one after the other, in the order that takes fewest moves; if no order leads there, or somebody is to
    be hit, they take turns. Raises ValueError if that does not help.
    """
    made = [] if plan & 63 == NO_CARD else [plan & 63]
    walker = state.copy()
    if state.phase == CARD:
        play_card(walker, plan & 63)
    if walker.phase == MOVE:
        made += [*_march(walker, plan), STOP]
    worker, tile, site = plan >> WORKER_AT & 3, plan >> TILE_AT & 63, plan >> SITE_AT & 511
    if tile != NO_TILE:
        made.append(FIRST_DIG + (worker - 1) * CELLS + tile)
    if site != NO_SITE:
        made.append(FIRST_BUILD + (worker - 1) * len(SITES) + site)
    elif walker.phase != MOVE or _stands(walker, plan):
        made.append(END)
    return made


def _places(plan: int) -> list[int]:
    """Where the own pawns end up."""
    return [plan >> (PAWN_AT + 6 * kind) & 63 for kind in range(len(PAWNS))]


def _stands(state: State, plan: int) -> bool:
    """Whether a figure stands where a plan leads, so that the work has to be ended."""
    there = state.copy()
    there.pawn[3 * state.seat : 3 * state.seat + 3] = _places(plan)
    return standing(there) != 0


def _march(state: State, plan: int) -> list[int]:
    """The moves of the pawns."""
    marches = _marches(state, plan) if plan >> HITS_AT == 0 else []
    march = min(marches, key=len) if marches else _march_in_turns(state, plan)
    if march is None:
        raise ValueError(f"the pawns can't walk to {', '.join(GRID.names[cell] for cell in _places(plan))}")
    return march


def _marches(state: State, plan: int) -> list[list[int]]:
    """The moves of the pawns, one pawn after the other, for each order that leads there."""
    return [march for order in ORDERS if (march := _march_in(state, plan, order)) is not None]


def _march_in(state: State, plan: int, order: tuple[int, ...]) -> list[int] | None:
    """The moves of the pawns in an order, None if the steps do not suffice."""
    walker = state.copy()
    made: list[int] = []
    for kind in order:
        goal = _places(plan)[kind]
        pawn = 3 * state.seat + kind
        way = next(((there, path) for there, path in _paths(walker, kind) if there.pawn[pawn] == goal), None)
        if way is None:
            return None
        walker, path = way
        made += path
    return made


def _march_in_turns(state: State, plan: int) -> list[int] | None:
    """The moves of the pawns in whatever turns, with the hits of the plan, by fewest steps; None if there are none."""
    first, goal, sent = 3 * state.seat, _places(plan), _refuges(state, plan)
    homing = [_steps_home(state, plan, kind) for kind in range(len(PAWNS))]
    moves = [0] * MAX_MOVES
    met: set[tuple[int, ...]] = set()
    edge: list[tuple[State, list[int]]] = [(state, [])]
    while edge:
        beyond: list[tuple[State, list[int]]] = []
        for at, path in edge:  # grows by shifts, which are free
            own = at.pawn[first : first + 3]
            left = [pawn for pawn in sent if at.pawn[pawn] == state.pawn[pawn]]
            if own == goal and not left:
                return path
            key = (at.shifted, *own, *left)
            if key in met or sum(homing[kind][own[kind]] for kind in range(len(PAWNS))) > at.steps:
                continue
            met.add(key)
            allowed = {(state.pawn[pawn], sent[pawn]) for pawn in left}
            for action in moves[: legal(at, moves)]:
                if action != STOP and (step_of(action)[2] == NO_HIT or step_of(action)[1:] in allowed):
                    after = at.copy()
                    move_pawn(after, action)
                    (edge if after.steps == at.steps else beyond).append((after, [*path, action]))
        edge = beyond
    return None


def _steps_home(state: State, plan: int, kind: int) -> list[int]:
    """[cell]: steps of an own pawn from there to its place at the least, as if it could jump wherever it likes."""
    there = state.copy()
    there.pawn[3 * state.seat + kind] = _places(plan)[kind]
    there.shifted = 0
    ground = state.up | state.own[state.seat]
    free = ground & ~(foreign_pawns(state) & ~mask_of(state.pawn[pawn] for pawn in members(plan >> HITS_AT)))
    steps, reached = [FAR] * CELLS, 0
    for taken in range(STEPS + 1):
        beyond = step_on(there, kind, reached, free, ground) if taken else at_once(there, kind, free)
        for cell in members(beyond & ~reached):
            steps[cell] = taken
        reached = beyond
    return steps


def _refuges(state: State, plan: int) -> dict[int, int]:
    """Where the subjects are sent that the plan hits, such that its figure stands and its site is free. 3.5"""
    hit = list(members(plan >> HITS_AT))
    taken = pawns(state) | SITE_MASK[plan >> SITE_AT & 511] if hit else 0
    there = state.copy()
    there.pawn[3 * state.seat : 3 * state.seat + 3] = _places(plan)
    if plan & 63 != NO_CARD:
        there.played = plan & 63
    for cells in product(*(members(state.own[pawn // 3] & ~taken) for pawn in hit)):
        for pawn, cell in zip(hit, cells, strict=True):
            there.pawn[pawn] = cell
        if len(set(cells)) == len(hit) and standing(there) >> (plan >> WORKER_AT & 3) & 1:
            return dict(zip(hit, cells, strict=True))
    return {}


def _paths(state: State, kind: int) -> Iterator[tuple[State, list[int]]]:
    """Every way of one pawn without hits: the state at its end and the moves, by fewest steps. 3.2-3.4"""
    occupied = pawns(state) & ~(1 << state.pawn[3 * state.seat + kind])
    folk = subjects(state, GARDENER) | subjects(state, ARCHITECT)
    if kind != KING:
        folk &= occupied
    moves = [0] * MAX_MOVES
    met: set[int] = set()
    edge: list[tuple[State, list[int]]] = [(state, [])]
    while edge:
        beyond: list[tuple[State, list[int]]] = []
        for at, path in edge:  # grows by shifts, which are free
            cell = at.pawn[3 * at.seat + kind]
            if cell in met:
                continue
            met.add(cell)
            yield at, path
            for action in moves[: pawn_moves(at, kind, occupied, folk, 0, moves, 0)]:
                after = at.copy()
                move_pawn(after, action)
                (edge if after.steps == at.steps else beyond).append((after, [*path, action]))
        edge = beyond
