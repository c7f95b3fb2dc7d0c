"""How the pawns of a candidate walk to their places, one after the other: whether they can, and by which moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from bosquet.kernels.bits import lowest_bit, mask_of, members
from bosquet.kernels.jit import kernel

from .board import (
    CARD,
    CELLS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    GRID,
    KING,
    MAX_MOVES,
    MOVE,
    NO_HIT,
    PAWNS,
    SITE_MASK,
    SITES,
    STEPS,
    STOP,
    State,
    pawns,
)
from .rules import legal, play_card, standing
from .turns import (
    NO_CARD,
    NO_SITE,
    NO_TILE,
    card_of,
    cell_of,
    digger_of,
    hits_of,
    refuge_of,
    site_of,
    tile_of,
    worker_of,
)
from .walking import (
    FAR,
    Stand,
    at_once,
    foreign_pawns,
    hurdles,
    moves_without_hits,
    place,
    step_of,
    step_on,
    steps_to,
    walks,
)

ORDERS = tuple(permutations(range(3)))


@kernel
def walkable(state: State, candidate: int, steps: int, foreign: int, jumped: int) -> bool:
    """Return whether the own pawns can walk to their places one after the other, in one order or another.

    `jumped` are the subjects of the others that may be jumped.
    """
    first = 3 * state.seat
    ground = state.up | state.own[state.seat]
    for order in range(len(ORDERS)):
        left = steps
        arrived = 0
        for i in range(3):
            kind = ORDERS[order][i]
            cell = cell_of(candidate, kind)
            if cell != state.pawn[first + kind]:
                blocked = 0
                folk = 0
                for other in range(3):
                    if other != kind:
                        at = state.pawn[first + other] + 0
                        if arrived >> other & 1:
                            at = cell_of(candidate, other)
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
def walkable_after_wait(state: State, candidate: int, steps: int, foreign: int, jumped: int) -> bool:
    """Return whether the own pawns can walk to their places when one of them first makes way by a step.

    It takes long, so it is for candidates that win. `state` is left as it was.
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
            found = walkable(state, candidate, steps - 1, foreign, jumped)
        state.pawn[first + kind] = at
        state.shifted = shifted
        if found:
            return True
    return False


@kernel
def can_walk(state: State, candidate: int, wins: bool, steps: int, foreign: int, jumped: int) -> bool:
    """Return whether the own pawns can walk to their places, as far as it is looked into."""
    if walkable(state, candidate, steps, foreign, jumped):
        return True
    return wins and steps > 0 and walkable_after_wait(state, candidate, steps, foreign, jumped)


# --- From a candidate to its moves ------------------------------------------------------------------------------------


def actions(state: State, candidate: int) -> list[int]:
    """Return the legal actions, in order, by which a candidate is made. `state` is left as it was.

    The pawns walk one after the other, in the order that takes fewest moves; if no order leads there, or somebody is to
    be hit, they take turns. Raises ValueError if that does not help.
    """
    made = [] if card_of(candidate) == NO_CARD else [card_of(candidate)]
    walker = state.copy()
    if state.phase == CARD:
        play_card(walker, card_of(candidate))
    if walker.phase == MOVE:
        made += [*_march(walker, candidate), STOP]
    tile, site = tile_of(candidate), site_of(candidate)
    if tile != NO_TILE:
        made.append(FIRST_DIG + (digger_of(candidate) - 1) * CELLS + tile)
    if site != NO_SITE:
        made.append(FIRST_BUILD + (worker_of(candidate) - 1) * len(SITES) + site)
    elif walker.phase != MOVE or _stands(walker, candidate):
        made.append(END)
    return made


def _places(candidate: int) -> list[int]:
    """Return where the own pawns end up."""
    return [cell_of(candidate, kind) for kind in range(len(PAWNS))]


def _stands(state: State, candidate: int) -> bool:
    """Return whether a figure stands where a candidate leads, so that the work has to be ended."""
    there = state.copy()
    there.pawn[3 * state.seat : 3 * state.seat + 3] = _places(candidate)
    for pawn, refuge in _refuges(state, candidate).items():
        there.pawn[pawn] = refuge
    return standing(there) != 0


def _march(state: State, candidate: int) -> list[int]:
    """Return the moves of the pawns."""
    marches = _marches(state, candidate) if hits_of(candidate) == 0 else []
    march = min(marches, key=len) if marches else _march_in_turns(state, candidate)
    if march is None:
        raise ValueError(f"the pawns can't walk to {', '.join(GRID.names[cell] for cell in _places(candidate))}")
    return march


def _marches(state: State, candidate: int) -> list[list[int]]:
    """Return the moves of the pawns, one pawn after the other, for each order that leads there."""
    return [march for order in ORDERS if (march := _march_in(state, candidate, order)) is not None]


def _march_in(state: State, candidate: int, order: tuple[int, ...]) -> list[int] | None:
    """Return the moves of the pawns in an order, None if the steps do not suffice."""
    walker = state.copy()
    made: list[int] = []
    for kind in order:
        goal = cell_of(candidate, kind)
        pawn = 3 * state.seat + kind
        stand = next((stand for stand in _walks_of(walker, kind) if stand.pawn[pawn] == goal), None)
        if stand is None:
            return None
        place(walker, stand)
        made += stand.path
    return made


def _walks_of(state: State, kind: int) -> Iterator[Stand]:
    """Return every way of one pawn without hits, the first to each cell."""
    pawn = 3 * state.seat + kind
    return walks(state, lambda at: moves_without_hits(at, [kind]), lambda stand: stand.pawn[pawn])


def _march_in_turns(state: State, candidate: int) -> list[int] | None:
    """Return the moves of the pawns in whatever turns, with all hits, by fewest steps; None if there are none."""
    first, goal, sent = 3 * state.seat, _places(candidate), _refuges(state, candidate)
    homing = [_steps_home(state, candidate, kind) for kind in range(len(PAWNS))]
    moves = [0] * MAX_MOVES

    def standing_still(stand: Stand | State) -> list[int]:
        """Return the pawns that are still to be hit."""
        return [pawn for pawn in sent if stand.pawn[pawn] == state.pawn[pawn]]

    def useful(at: State) -> list[int]:
        """Return the moves from a position from which the own pawns may still come to their places."""
        own = at.pawn[first : first + 3]
        if sum(homing[kind][own[kind]] for kind in range(len(PAWNS))) > at.steps:
            return []
        allowed = {(state.pawn[pawn], sent[pawn]) for pawn in standing_still(at)}
        return [
            action
            for action in moves[: legal(at, moves)]
            if action != STOP and (step_of(action)[2] == NO_HIT or step_of(action)[1:] in allowed)
        ]

    def key(stand: Stand) -> tuple[int, ...]:
        return (stand.shifted, *stand.pawn[first : first + 3], *standing_still(stand))

    for stand in walks(state, useful, key):
        if list(stand.pawn[first : first + 3]) == goal and not standing_still(stand):
            return list(stand.path)
    return None


def _steps_home(state: State, candidate: int, kind: int) -> list[int]:
    """Return [cell]: the least steps of an own pawn from there to its place, as if it could jump wherever it likes."""
    there = state.copy()
    there.pawn[3 * state.seat + kind] = _places(candidate)[kind]
    there.shifted = 0
    ground = state.up | state.own[state.seat]
    free = ground & ~(foreign_pawns(state) & ~mask_of(state.pawn[pawn] for pawn in members(hits_of(candidate))))
    steps, reached = [FAR] * CELLS, 0
    for taken in range(STEPS + 1):
        beyond = step_on(there, kind, reached, free, ground) if taken else at_once(there, kind, free)
        for cell in members(beyond & ~reached):
            steps[cell] = taken
        reached = beyond
    return steps


def _refuges(state: State, candidate: int) -> dict[int, int]:
    """Return where to send the subjects that the candidate hits, so that its figure stands and its site is free. 3.5"""
    hit = list(members(hits_of(candidate)))
    if refuge_of(candidate) >= 0:
        return dict.fromkeys(hit, refuge_of(candidate))
    taken = pawns(state) | SITE_MASK[site_of(candidate)] if hit else 0
    there = state.copy()
    there.pawn[3 * state.seat : 3 * state.seat + 3] = _places(candidate)
    if card_of(candidate) != NO_CARD:
        there.played = card_of(candidate)
    workers = 1 << worker_of(candidate) | 1 << digger_of(candidate)
    for cells in product(*(members(state.own[pawn // 3] & ~taken) for pawn in hit)):
        for pawn, cell in zip(hit, cells, strict=True):
            there.pawn[pawn] = cell
        if len(set(cells)) == len(hit) and standing(there) & workers == workers:
            return dict(zip(hit, cells, strict=True))
    return {}
