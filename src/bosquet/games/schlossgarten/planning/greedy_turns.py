"""The turn that `greedy` plans in Schlossgarten: towards the figure whose work scores most.

Points come only from work, work only from a standing figure; so the plan looks at every figure of the cards in hand
that own pawns can reach, at the best work its subjects could then do, and walks the best one that can be walked.

Everything is computed in `moves`, the array that a kernel of a bot may overwrite: figures from its beginning, then
works, then walks, then the walk of the best turn. Worths are in hundredths of a point.
"""

from __future__ import annotations

from bosquet.core.rng import shuffle
from bosquet.core.state import Numbers
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from ..board import (
    ARCHITECT,
    BUILD,
    CARD,
    CELLS,
    ELEMENTS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    GARDENER,
    KING,
    MOVE,
    NEAR,
    ROTATIONS,
    SITE_MASK,
    SITE_SIZE,
    STEPS,
    STOP,
    State,
    covered,
    figure_cell,
    subjects,
)
from ..constellations import OFFSETS
from ..rules import builders, is_open, may_cover, standing
from ..walking import foreign_pawns
from .greedy_walks import (
    MARCH,
    NOWHERE,
    ONE_WALK,
    TOO_FAR,
    WALKS,
    WORKS,
    cell_in,
    cells_in,
    led_to,
    march,
    moved,
    own_stand,
    stand_of,
    steps_in,
    subjects_in,
    write_own_walks,
    write_steps,
    write_walk,
)

POTENTIAL = 30
"""Worth of an excavation left open, for each point of its tile."""
MOST_ACTIONS = 24
"""More than a turn has: a card, three walks of 5 steps together with their shifts, a stop, and two works."""

# A figure is its worth with the steps taken off, its card, its rotation, its king, and which own subjects it has.
LEAST = 8
"""Added to the worth of a figure, which is then positive."""
WORTH_AT, CARD_AT, TURN_AT, KING_AT = 15, 10, 8, 2
# A work is its worth, the cell to be dug or -1, and the site to be built on or -1, both one more. 0 is none.
WORK_WORTH_AT, TILE_AT = 15, 9


@kernel
def plan_turn(state: State, rng_state: Numbers, moves: Numbers, at: int) -> int:
    """Write the actions up to the end of the turn from `moves[at]` on, the first one last; return how many.

    Those after the first one may be illegal. Overwrites `moves` before, advances `rng_state`.
    """
    works = list_works(state, moves)
    if state.phase == CARD:
        n = plan_walk(state, rng_state, moves, at, works, state.hand[state.seat], STEPS)
    elif state.phase == MOVE:
        n = plan_walk(state, rng_state, moves, at, works, 1 << state.played, state.steps)
    else:
        workers = builders(state) if state.phase == BUILD else standing(state)
        n = write_work(state, moves, at, works, workers, own_stand(state))
    for i in range(n // 2):
        moves[at + i], moves[at + n - 1 - i] = moves[at + n - 1 - i], moves[at + i]
    return n


@kernel
def plan_walk(state: State, rng_state: Numbers, moves: Numbers, at: int, works: int, cards: int, steps: int) -> int:
    """Write the best turn that fulfils one of the cards, or one that comes nearer to it; return its length."""
    figures = list_figures(state, moves, works, cards, steps)
    shuffle(rng_state, moves, figures)
    best = -1
    best_card = -1
    best_targets = 0
    n = 0
    while True:
        figure = take_best(moves, figures)
        if (figure == 0) | ((best >= 0) & ((figure >> WORTH_AT) - LEAST <= best)):
            break
        card = figure >> CARD_AT & 31
        targets = targets_of(state, figure)
        marched = march(state, targets, steps, moves)
        if marched >= 0:
            worth = best_work(state, moves, works, subjects_in(targets), led_to(state, targets)) >> 2 + WORK_WORTH_AT
            if worth > best:
                best = worth
                best_card = card
                best_targets = targets
                for i in range(marched):
                    moves[at + 1 + i] = moves[MARCH + i]
                n = marched
    if best < 0:
        return approach(state, moves, at, steps)
    if state.phase == CARD:
        moves[at] = best_card
        n += 1
    else:
        for i in range(n):
            moves[at + i] = moves[at + 1 + i]
    moves[at + n] = STOP
    n += 1
    return n + write_work(state, moves, at + n, works, subjects_in(best_targets), led_to(state, best_targets))


# --- Figures --------------------------------------------------------------------------------------------------------


@kernel
def list_figures(state: State, moves: Numbers, works: int, cards: int, steps: int) -> int:
    """Write the figures that seem within reach, each pawn walking as if the others were away; return how many. 4.1"""
    n = 0
    kings = write_own_walks(state, moves)
    foreign = foreign_pawns(state)
    gardeners = subjects(state, GARDENER) & foreign
    architects = subjects(state, ARCHITECT) & foreign
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        for i in range(kings):
            king = moves[WALKS + CELLS + i]
            for turn in range(ROTATIONS):
                gardener = figure_cell(king, turn, state.pattern[card] // OFFSETS)
                architect = figure_cell(king, turn, state.pattern[card] % OFFSETS)
                if (gardener >= 0) & (architect >= 0):
                    # A foreign subject may serve, but not two. 4.1
                    own_gardener = 1 - (gardeners >> gardener & 1)
                    own_architect = 1 - (architects >> architect & own_gardener)
                    total = steps_in(moves, KING, king)
                    targets = stand_of(king, NOWHERE, NOWHERE)
                    if own_gardener:
                        total += steps_in(moves, GARDENER, gardener)
                        targets = moved(targets, GARDENER, gardener)
                    if own_architect:
                        total += steps_in(moves, ARCHITECT, architect)
                        targets = moved(targets, ARCHITECT, architect)
                    if total <= steps:
                        worth = most_worth(state, moves, works, targets, stand_of(king, gardener, architect))
                        figure = card << CARD_AT | turn << TURN_AT | king << KING_AT | own_gardener << 1 | own_architect
                        moves[n] = worth - total + LEAST << WORTH_AT | figure
                        n += 1
    return n


@kernel
def targets_of(state: State, figure: int) -> int:
    """Return where own pawns have to go for a figure, NOWHERE for a subject of another seat."""
    king = figure >> KING_AT & 63
    turn = figure >> TURN_AT & 3
    pattern = state.pattern[figure >> CARD_AT & 31]
    gardener = figure_cell(king, turn, pattern // OFFSETS) if figure & 2 else NOWHERE
    architect = figure_cell(king, turn, pattern % OFFSETS) if figure & 1 else NOWHERE
    return stand_of(king, gardener, architect)


@kernel
def take_best(moves: Numbers, figures: int) -> int:
    """Return the first of the figures that are worth most, and take it away; 0 where none is left."""
    best = 0
    at = 0
    for i in range(figures):
        if moves[i] >> WORTH_AT > best >> WORTH_AT:
            best = moves[i]
            at = i
    moves[at] = 0
    return best


@kernel
def approach(state: State, moves: Numbers, at: int, steps: int) -> int:
    """Write how to keep the card that is nearest to a figure, since none can stand, and to walk towards it. 3.1

    Returns the number of actions.
    """
    kings = write_own_walks(state, moves)
    kept = -1
    nearest = 0
    cards = state.hand[state.seat]
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        way = nearest_figure(state, moves, kings, state.pattern[card])
        if (kept < 0) | (way >> 18 < nearest >> 18):
            kept = card
            nearest = way
    n = 0
    if state.phase == CARD:
        moves[at] = lowest_bit(state.hand[state.seat] & ~(1 << kept))
        n = 1
    stand = own_stand(state)
    foreign = foreign_pawns(state)
    all_kings = subjects(state, KING) & foreign
    for kind in range(3):
        cell = nearest >> 6 * (2 - kind) & 63
        start = cell_in(stand, kind)
        write_walk(
            state, kind, start, foreign | cells_in(stand) & ~(1 << start), all_kings | 1 << cell_in(stand, KING),
            moves, ONE_WALK,
        )  # fmt: skip
        while moves[ONE_WALK + cell] >> 6 > steps:
            cell = moves[ONE_WALK + cell] & 63
        if moves[ONE_WALK + cell] >= 0:
            n += write_steps(kind, cell, moves, at + n)
            steps -= moves[ONE_WALK + cell] >> 6
            stand = moved(stand, kind, cell)
    moves[at + n] = STOP
    return n + 1


@kernel
def nearest_figure(state: State, moves: Numbers, kings: int, pattern: int) -> int:
    """Return the steps to the nearest figure of a card, and the cells of king, gardener and architect in it."""
    first = 3 * state.seat
    own = state.pawn[first] << 12 | state.pawn[first + GARDENER] << 6 | state.pawn[first + ARCHITECT]
    nearest = -1
    for i in range(kings):
        king = moves[WALKS + CELLS + i]
        for turn in range(ROTATIONS):
            gardener = figure_cell(king, turn, pattern // OFFSETS)
            architect = figure_cell(king, turn, pattern % OFFSETS)
            if (gardener >= 0) & (architect >= 0):
                total = steps_in(moves, KING, king)
                total += steps_in(moves, GARDENER, gardener) + steps_in(moves, ARCHITECT, architect)
                way = total << 18 | king << 12 | gardener << 6 | architect
                if (nearest < 0) | (way < nearest):
                    nearest = way
    return TOO_FAR << 18 | own if nearest < 0 else nearest


# --- Work -----------------------------------------------------------------------------------------------------------


@kernel
def list_works(state: State, moves: Numbers) -> int:
    """Write all works that the others' pawns allow, the best first; return how many. 4.3-4.6

    Those that dig are left out after a dig, and so are sites that two digs would open.
    """
    n = 0
    foreign = foreign_pawns(state)
    built = covered(state)
    own = state.own[state.seat]
    tiles = state.up & ~foreign if state.phase != BUILD else 0
    while tiles:
        tile = lowest_bit(tiles)
        tiles &= tiles - 1
        n = insert_work(moves, n, POTENTIAL * state.landscape[tile], tile, -1)
    for site in range(len(SITE_MASK)):
        cells = SITE_MASK[site]
        fresh = cells & state.up
        if is_open(state, cells, built, foreign) & ((fresh == 0) | (state.phase != BUILD)):
            if cells & built == 0 or may_cover(state, cells, built):
                gain = SITE_SIZE[site] - count_bits(cells & own)
                tiles = cells & (state.dug | fresh)
                while tiles:
                    gain += state.landscape[lowest_bit(tiles)]
                    tiles &= tiles - 1
                n = insert_work(moves, n, 100 * gain, lowest_bit(fresh) if fresh else -1, site)
    return n


@kernel
def insert_work(moves: Numbers, n: int, worth: int, tile: int, site: int) -> int:
    """Put a work in its place among n others; return how many there are then."""
    work = worth << WORK_WORTH_AT | tile + 1 << TILE_AT | site + 1
    at = WORKS + n
    while at > WORKS:
        if moves[at - 1] > work:
            break
        moves[at] = moves[at - 1]
        at -= 1
    moves[at] = work
    return n + 1


@kernel
def work_of(state: State, moves: Numbers, works: int, workers: int, kind: int, stand: int, taken: int) -> int:
    """Return the best work of a worker beside the pawns on some cells, 0 if there is none. 4.2-4.4"""
    near = NEAR[cell_in(stand, kind)]
    near_digger = near
    other = GARDENER + ARCHITECT - kind
    if (state.each_works != 0) & (workers >> other & 1):
        near_digger |= NEAR[cell_in(stand, other)]
    first = ELEMENTS * state.seat + 3 * (kind - 1) - 1
    for i in range(works):
        work = moves[WORKS + i]
        tile = (work >> TILE_AT & 63) - 1
        site = (work & 511) - 1
        dug = 1 << tile if tile >= 0 else 0
        if dug & taken == 0:
            if site < 0:
                if dug & near:
                    return work
            elif (dug & ~near_digger == 0) & (SITE_MASK[site] & near != 0) & (SITE_MASK[site] & taken == 0):
                if state.element[first + SITE_SIZE[site]] < 0:
                    return work
    return 0


@kernel
def most_worth(state: State, moves: Numbers, works: int, targets: int, stand: int) -> int:
    """Return the worth of the best work in a figure on `stand`, whose pawns are not in the way of any."""
    most = 0
    workers = subjects_in(targets)
    for kind in range(GARDENER, ARCHITECT + 1):
        if workers >> kind & 1:
            most = max(most, work_of(state, moves, works, workers, kind, stand, 0))
    return most >> WORK_WORTH_AT


@kernel
def best_work(state: State, moves: Numbers, works: int, workers: int, stand: int) -> int:
    """Return the best work that no own pawn is in the way of, and its worker in the two lowest bits; 0 if none. 4.2"""
    best = 0
    for kind in range(GARDENER, ARCHITECT + 1):
        if workers >> kind & 1:
            work = work_of(state, moves, works, workers, kind, stand, cells_in(stand))
            if work:
                best = max(best, work << 2 | kind)
    return best


@kernel
def write_work(state: State, moves: Numbers, at: int, works: int, workers: int, stand: int) -> int:
    """Write the best work that one of the workers can do, the other perhaps digging for it; return its length. 4.2"""
    best = best_work(state, moves, works, workers, stand)
    kind = best & 3
    tile = (best >> 2 + TILE_AT & 63) - 1
    site = (best >> 2 & 511) - 1
    n = 0
    if tile >= 0:
        near = NEAR[cell_in(stand, kind)] >> tile & 1
        digger = kind if near else GARDENER + ARCHITECT - kind
        moves[at] = FIRST_DIG + (digger - 1) * CELLS + tile
        n = 1
    moves[at + n] = FIRST_BUILD + (kind - 1) * len(SITE_MASK) + site if site >= 0 else END
    return n + 1
