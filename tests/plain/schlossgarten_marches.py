"""How the pawns of a candidate of Schlossgarten walk, searched plainly: the oracle of `paths`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from bosquet.games.schlossgarten.board import (
    CARD,
    CELLS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    GRID,
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
from bosquet.games.schlossgarten.rules import legal, play_card, standing
from bosquet.games.schlossgarten.turns import (
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
from bosquet.games.schlossgarten.walking import (
    FAR,
    Stand,
    at_once,
    foreign_pawns,
    moves_without_hits,
    place,
    step_of,
    step_on,
    walks,
)
from bosquet.kernels.bits import mask_of, members

ORDERS = tuple(permutations(range(3)))


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
