"""Whole turns of Schlossgarten, for a search: kernels that find good ones and weigh them (plans: `schlossgarten_turn`).

A figure counts as within reach when the pawns can walk to it one after the other, in one of the six orders, without
hits; for a plan that wins one of them may first make way. So a figure for which the pawns must take turns in walking,
mostly to jump over each other, or for which a subject must be hit, is not found: of 1,035 turns that could win at once
122 were missed, 108 of which take a hit (`python -m benchmarks.endings --games 300`). `schlossgarten_ending` finds them
at the root of a search.
"""

from __future__ import annotations

from bosquet.bots.search.schlossgarten_ending import ENDING_SCRATCH
from bosquet.bots.search.schlossgarten_ending import solve as solve
from bosquet.bots.search.schlossgarten_turn import (
    FAR,
    NO_CARD,
    NO_SITE,
    NO_TILE,
    PAWN_AT,
    STAND_BITS,
    WORK_BITS,
    around,
    at_once,
    can_walk,
    foreign_pawns,
    gain_of,
    hurdles,
    plan_of,
    step_on,
    steps_left,
    workplaces,
)
from bosquet.bots.search.schlossgarten_turn import actions as actions
from bosquet.bots.search.schlossgarten_turn import carry_out as carry_out
from bosquet.core.bits import count_bits, lowest_bit
from bosquet.core.chance import draw
from bosquet.core.jit import kernel
from bosquet.core.state import Numbers
from bosquet.games.constellations import OFFSETS
from bosquet.games.schlossgarten import (
    ARCHITECT,
    AT_OFFSET,
    BOARD,
    BUILD,
    CARD,
    CELLS,
    ELEMENTS,
    FIRST_SITE,
    GARDENER,
    KING,
    MOVE,
    NEAR,
    ROTATED,
    ROTATIONS,
    SITE_MASK,
    SITE_SIZE,
    SITES,
    WINNING_POINTS,
    State,
    covered,
    score,
    standing,
    subjects,
)

MAX_PLANS = 48
QUIET_PLANS = 4
"""Plans without work, at the most."""

# Variety: how many plans may be alike.
SAME_WORK = 2
"""Plans that do the same work with the same card, from different stands."""
SAME_STAND = 4
"""Plans of one stand with the same card."""
SAME_CARD = 32
DEPTH = 3
"""Works of one worker in one stand that are looked at, and a dig besides."""

# --- Weights, in hundredths of a point ---------------------------------------------------------------------------

POINT = 100
COVERED = -20
"""A cell of others that is built over: they lose a point, but have an element at hand again."""
SPENT = (0, 55, 180, -100)
"""[size]: an element that is then not at hand. Two small ones are a step towards the large one, a middle one is not."""
AT_HAND = (0, 120, -40, 80)
"""[cells]: own elements that are built over and so at hand again."""
VICTORY = 10000
OPEN_MINE = (20, 50, 40, 30, 0)
"""An excavation left open, for each point of its tile, by the distance of the nearest own subject (4: farther)."""
OPEN_THEIRS = (0, 10, 10, 40, 30)
"""The same for the nearest subject of the others, to be taken off."""
FAR_STEP = 70
"""A step that a pawn is away from a figure, when a card is kept for it."""
QUIET = -50
"""A turn without work."""

# --- Scratch space -----------------------------------------------------------------------------------------------

WORKS = CELLS + len(SITES)
"""A work is a number: a cell to be dug and left open, or CELLS + a site to build on (its last tile dug before)."""
ROOM = 4096
"""So many choices of figure and work are kept."""

DISTANCE = 0  # [CELLS × kind + cell]: steps of an own pawn at the least
ELEMENT = DISTANCE + 3 * CELLS  # [cell]: cells of the element that lies there
OPEN = ELEMENT + CELLS  # [cell]: worth of an excavation there
WORTH = OPEN + CELLS  # [work]
PLACES = WORTH + WORKS  # [work]: where its worker may stand
TILE = PLACES + WORKS  # [work]: the cell to be dug first, or NO_TILE
RANKED = TILE + WORKS  # [rank]: keys of the works, the best first
BEST_AT = RANKED + WORKS  # [CELLS × (worker - 1) + cell]: rank of the best work from there
CHOICES = BEST_AT + 2 * CELLS  # keys of choices
CHOSEN = CHOICES + ROOM  # their plans
SCRATCH = max(CHOSEN + ROOM, ENDING_SCRATCH)
"""Length of the scratch space; a search uses it for plans or for the ending, one after the other."""

BIAS = 1 << 20
"""Makes a worth positive in a key: worth + BIAS, then ten bits of chance, then what it is the worth of."""
WINNING_KEY = BIAS + VICTORY // 2 << 22

# --- Distances -----------------------------------------------------------------------------------------------------

APART = tuple(
    tuple(max(abs(a % 7 - b % 7), abs(a // 7 - b // 7)) for b in range(CELLS)) for a in range(CELLS)
)  # steps on an empty board


@kernel
def measure(state: State, steps: int, foreign: int, jumped: int, scratch: Numbers) -> None:
    """Write the least steps of each own pawn to each cell: the other own pawns are in no way, but can be jumped."""
    ground = state.up | state.own[state.seat]
    free = ground & ~foreign
    for i in range(3 * CELLS):
        scratch[DISTANCE + i] = FAR
    for kind in range(3):
        over = jumped
        for other in range(GARDENER, ARCHITECT + 1):
            if other != kind:
                over |= 1 << state.pawn[3 * state.seat + other] & ground
        met = 0
        reached = at_once(state, kind, free)
        for taken in range(steps + 1):
            fresh = reached & ~met
            while fresh:
                scratch[DISTANCE + CELLS * kind + lowest_bit(fresh)] = taken
                fresh &= fresh - 1
            met = reached
            if taken < steps:
                reached = step_on(state, kind, reached, free, over)


# --- Work --------------------------------------------------------------------------------------------------------


@kernel
def weigh_excavations(state: State, foreign: int, scratch: Numbers) -> None:
    """Write what an excavation on each cell is worth when it is left open."""
    mine = 0
    theirs = 0
    for seat in range(state.players):
        folk = 1 << state.pawn[3 * seat + GARDENER] | 1 << state.pawn[3 * seat + ARCHITECT]
        if seat == state.seat:
            mine |= folk
        else:
            theirs |= folk
    for cell in range(CELLS):
        scratch[OPEN + cell] = 0
    met_mine = 0
    met_theirs = 0
    for ring in range(len(OPEN_MINE)):
        fresh = mine & ~met_mine
        if ring == len(OPEN_MINE) - 1:
            fresh = BOARD & ~met_mine
        while fresh:
            cell = lowest_bit(fresh)
            fresh &= fresh - 1
            scratch[OPEN + cell] += OPEN_MINE[ring] * state.landscape[cell]
        fresh = theirs & ~met_theirs
        if ring == len(OPEN_MINE) - 1:
            fresh = BOARD & ~met_theirs
        while fresh:
            cell = lowest_bit(fresh)
            fresh &= fresh - 1
            scratch[OPEN + cell] -= OPEN_THEIRS[ring] * state.landscape[cell]
        met_mine = mine
        met_theirs = theirs
        mine = around(mine)
        theirs = around(theirs)
    while foreign:
        scratch[OPEN + lowest_bit(foreign)] = -BIAS  # nobody digs there now
        foreign &= foreign - 1


@kernel
def list_elements(state: State, scratch: Numbers) -> None:
    """Write which element lies on each cell."""
    for cell in range(CELLS):
        scratch[ELEMENT + cell] = 0
    for i in range(ELEMENTS * state.players):
        if state.element[i] >= 0:
            element = SITE_MASK[state.element[i]]
            cells = element
            while cells:
                scratch[ELEMENT + lowest_bit(cells)] = element
                cells &= cells - 1


@kernel
def list_works(state: State, foreign: int, lanes: Numbers, scratch: Numbers) -> int:
    """Rank all works that the others' pawns allow, ties by chance; return how many. 4.3-4.6"""
    n = 0
    if state.phase != BUILD:
        tiles = state.up & ~foreign
        while tiles:
            cell = lowest_bit(tiles)
            tiles &= tiles - 1
            scratch[WORTH + cell] = scratch[OPEN + cell]
            scratch[PLACES + cell] = NEAR[cell]
            scratch[TILE + cell] = cell
            scratch[RANKED + n] = key_of(scratch[OPEN + cell], cell, lanes)
            n += 1
    own = state.own[state.seat]
    built = covered(state)
    missing = WINNING_POINTS - score(state, state.seat)
    for size in range(1, 4):
        first = ELEMENTS * state.seat + size - 1
        if (state.element[first] < 0) | (state.element[first + 3] < 0):
            for site in range(FIRST_SITE[size], FIRST_SITE[size + 1]):
                cells = SITE_MASK[site]
                fresh = cells & state.up
                if (cells & foreign == 0) & (fresh & (fresh - 1) == 0) & (cells & ~built != 0):
                    if (fresh == 0) | (state.phase != BUILD) and whole(cells & built, cells, scratch):
                        work = CELLS + site
                        scratch[PLACES + work] = workplaces(site, fresh)
                        scratch[TILE + work] = NO_TILE
                        if fresh:
                            scratch[TILE + work] = lowest_bit(fresh)
                        gain = gain_of(state, cells, built)
                        closed = 0
                        tiles = cells & ~built & ~fresh
                        while tiles:
                            closed += scratch[OPEN + lowest_bit(tiles)]
                            tiles &= tiles - 1
                        worth = POINT * gain + COVERED * count_bits(cells & built & ~own) - closed
                        worth += AT_HAND[count_bits(cells & own)] - SPENT[size]
                        if gain >= missing:
                            worth += VICTORY
                        scratch[WORTH + work] = worth
                        scratch[RANKED + n] = key_of(worth, work, lanes)
                        n += 1
    sort_down(scratch, RANKED, n)
    return n


@kernel
def whole(touched: int, cells: int, scratch: Numbers) -> bool:
    """Whether the elements on the touched cells lie wholly inside a site. 4.4"""
    while touched:
        if scratch[ELEMENT + lowest_bit(touched)] & ~cells:
            return False
        touched &= touched - 1
    return True


@kernel
def key_of(worth: int, number: int, lanes: Numbers) -> int:
    """A key that sorts by worth, then by chance, and ends with the number it stands for. Steps `lanes`."""
    return (worth + BIAS) << 22 | (draw(lanes) & 1023) << 12 | number


@kernel
def sort_down(scratch: Numbers, start: int, n: int) -> None:
    """Sort n numbers, the greatest first (Shell)."""
    gap = 40
    while gap:
        for i in range(gap, n):
            key = scratch[start + i]
            at = i
            while at >= gap and scratch[start + at - gap] < key:
                scratch[start + at] = scratch[start + at - gap]
                at -= gap
            scratch[start + at] = key
        if gap > 13:
            gap = 13
        elif gap > 4:
            gap = 4
        elif gap > 1:
            gap = 1
        else:
            gap = 0


@kernel
def can_do(state: State, worker: int, work: int) -> bool:
    """Whether a worker has the element that a work needs. 4.4"""
    if work < CELLS:
        return True
    size = SITE_SIZE[work - CELLS]
    return state.element[ELEMENTS * state.seat + 3 * (worker - 1) + size - 1] < 0


@kernel
def note_best(state: State, n: int, scratch: Numbers) -> None:
    """Write for each worker and place the rank of the best work from there, n if there is none."""
    for i in range(2 * CELLS):
        scratch[BEST_AT + i] = n
    for worker in range(GARDENER, ARCHITECT + 1):
        todo = BOARD
        for rank in range(n):
            work = scratch[RANKED + rank] & 4095
            places = scratch[PLACES + work] & todo
            if places and can_do(state, worker, work):
                todo &= ~places
                while places:
                    scratch[BEST_AT + CELLS * (worker - 1) + lowest_bit(places)] = rank
                    places &= places - 1
                if todo == 0:
                    break


@kernel
def next_work(state: State, worker: int, cell: int, stand: int, rank: int, n: int, scratch: Numbers) -> int:
    """The next rank of a work for a worker on a cell, from `rank` on, that no own pawn of a stand is in the way of."""
    while rank < n:
        work = scratch[RANKED + rank] & 4095
        if scratch[PLACES + work] >> cell & 1:
            cells = 1 << work
            if work >= CELLS:
                cells = SITE_MASK[work - CELLS]
            if cells & stand == 0 and can_do(state, worker, work):
                return rank
        rank += 1
    return n


# --- Figures -----------------------------------------------------------------------------------------------------


@kernel
def survey(state: State, steps: int, foreign: int, jumped: int, lanes: Numbers, scratch: Numbers) -> int:
    """Look at the position: distances, excavations, works. Return how many works there are."""
    measure(state, steps, foreign, jumped, scratch)
    weigh_excavations(state, foreign, scratch)
    list_elements(state, scratch)
    n = list_works(state, foreign, lanes, scratch)
    note_best(state, n, scratch)
    return n


@kernel
def tile_to_open(state: State, cell: int, stand: int, scratch: Numbers) -> int:
    """The best tile for a worker on a cell to dig and leave open beside a site that needs no dig, or NO_TILE."""
    tiles = NEAR[cell] & state.up & ~stand
    best = 0
    found = NO_TILE
    while tiles:
        tile = lowest_bit(tiles)
        tiles &= tiles - 1
        if scratch[OPEN + tile] > best:
            best = scratch[OPEN + tile]
            found = tile
    return found


@kernel
def choose(
    state: State,
    card: int,
    king: int,
    gardener: int,
    architect: int,
    worker: int,
    depth: int,
    choices: int,
    n: int,
    lanes: Numbers,
    scratch: Numbers,
) -> int:
    """Note the best works of a worker in a stand, and to dig only; return the new number of choices.

    At most `depth` works; with `depth` 1 no dig of its own.
    """
    stand = 1 << king | 1 << gardener | 1 << architect
    cell = gardener
    if worker == ARCHITECT:
        cell = architect
    rank = scratch[BEST_AT + CELLS * (worker - 1) + cell]
    taken = 0
    digs = 0
    while choices < ROOM:
        rank = next_work(state, worker, cell, stand, rank, n, scratch)
        if rank == n:
            break
        work = scratch[RANKED + rank] & 4095
        rank += 1
        if (taken < depth) | ((work < CELLS) & (digs == 0)):
            site = NO_SITE
            if work >= CELLS:
                site = work - CELLS
            else:
                digs += 1
            tile = scratch[TILE + work]
            worth = scratch[WORTH + work]
            if (tile == NO_TILE) & (state.phase != BUILD):
                tile = tile_to_open(state, cell, stand, scratch)
                if tile != NO_TILE:
                    worth += scratch[OPEN + tile]
            plan = plan_of(card, king, gardener, architect, worker, tile, site)
            scratch[CHOSEN + choices] = plan
            scratch[CHOICES + choices] = key_of(worth, choices, lanes)
            choices += 1
            taken += 1
        if (taken >= depth) & ((digs > 0) | (depth == 1)):
            break
    return choices


@kernel
def choose_figures(
    state: State,
    card: int,
    told: int,
    steps: int,
    foreign: int,
    depth: int,
    choices: int,
    n: int,
    lanes: Numbers,
    scratch: Numbers,
) -> int:
    """Note the choices of every figure of a card that seems within reach; return the new number of choices. 4.1

    `told` is the card as plans tell it: NO_CARD if it is played already.
    """
    pattern = state.pattern[card]
    first = 3 * state.seat
    my_gardener = state.pawn[first + GARDENER] + 0
    my_architect = state.pawn[first + ARCHITECT] + 0
    gardeners = subjects(state, GARDENER) & foreign
    architects = subjects(state, ARCHITECT) & foreign
    for king in range(CELLS):
        left = steps - scratch[DISTANCE + CELLS * KING + king]
        if left >= 0:
            for turn in range(ROTATIONS):
                gardener = AT_OFFSET[king][ROTATED[turn][pattern // OFFSETS]]
                architect = AT_OFFSET[king][ROTATED[turn][pattern % OFFSETS]]
                if (gardener >= 0) & (architect >= 0):
                    to_gardener = scratch[DISTANCE + CELLS * GARDENER + gardener]
                    to_architect = scratch[DISTANCE + CELLS * ARCHITECT + architect]
                    if to_gardener + to_architect <= left:
                        for worker in range(GARDENER, ARCHITECT + 1):
                            choices = choose(
                                state, told, king, gardener, architect, worker, depth, choices, n, lanes, scratch
                            )
                    if (architects >> architect & 1) & (to_gardener <= left):
                        if (my_architect != king) & (my_architect != gardener):
                            choices = choose(
                                state, told, king, gardener, my_architect, GARDENER, depth, choices, n, lanes, scratch
                            )
                    if (gardeners >> gardener & 1) & (to_architect <= left):
                        if (my_gardener != king) & (my_gardener != architect):
                            choices = choose(
                                state, told, king, my_gardener, architect, ARCHITECT, depth, choices, n, lanes, scratch
                            )
    return choices


@kernel
def choose_all(state: State, steps: int, foreign: int, depth: int, n: int, lanes: Numbers, scratch: Numbers) -> int:
    """Note the choices of the turn, whatever its phase; return how many."""
    choices = 0
    if state.phase == CARD:
        cards = state.hand[state.seat]
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            choices = choose_figures(state, card, card, steps, foreign, depth, choices, n, lanes, scratch)
    elif state.phase == MOVE:
        choices = choose_figures(state, state.played, NO_CARD, steps, foreign, depth, choices, n, lanes, scratch)
    else:
        workers = 1 << state.worker if state.phase == BUILD else standing(state)
        first = 3 * state.seat
        king = state.pawn[first] + 0
        gardener = state.pawn[first + GARDENER] + 0
        architect = state.pawn[first + ARCHITECT] + 0
        for worker in range(GARDENER, ARCHITECT + 1):
            if workers >> worker & 1:
                choices = choose(
                    state, NO_CARD, king, gardener, architect, worker, MAX_PLANS, choices, n, lanes, scratch
                )
    return choices


# --- Quiet turns -------------------------------------------------------------------------------------------------


@kernel
def keep_still(state: State, card: int) -> int:
    """The plan to play a card (or NO_CARD) and do nothing."""
    first = 3 * state.seat
    king = state.pawn[first] + 0
    gardener = state.pawn[first + GARDENER] + 0
    architect = state.pawn[first + ARCHITECT] + 0
    return plan_of(card, king, gardener, architect, 0, NO_TILE, NO_SITE)


@kernel
def go_near(state: State, kind: int, cell: int, blocked: int, jumped: int, most: int) -> int:
    """The cell next to a goal that an own pawn reaches within the steps, with the steps: cell << 6 | steps."""
    free = (state.up | state.own[state.seat]) & ~blocked
    at = state.pawn[3 * state.seat + kind] + 0
    nearest = APART[at][cell]
    best = at << 6
    reached = at_once(state, kind, free)
    for steps in range(most + 1):
        cells = reached
        while cells:
            other = lowest_bit(cells)
            cells &= cells - 1
            if APART[other][cell] < nearest:
                nearest = APART[other][cell]
                best = other << 6 | steps
        reached = step_on(state, kind, reached, free, jumped)
    return best


@kernel
def approach(
    state: State, card: int, kept: int, steps: int, foreign: int, jumped: int, n: int, scratch: Numbers
) -> int:
    """The plan to play a card (or NO_CARD) and to walk towards the best figure of the kept one."""
    first = 3 * state.seat
    own = state.own[state.seat]
    ground = (state.up | own) & ~foreign
    pattern = state.pattern[kept]
    best = -BIAS
    goal = 0
    for king in range(CELLS):
        if ground >> king & 1:
            for turn in range(ROTATIONS):
                gardener = AT_OFFSET[king][ROTATED[turn][pattern // OFFSETS]]
                architect = AT_OFFSET[king][ROTATED[turn][pattern % OFFSETS]]
                if (gardener >= 0) & (architect >= 0):
                    if (ground >> gardener & 1) & (ground >> architect & 1):
                        worth = max(
                            worth_at(GARDENER, gardener, n, scratch), worth_at(ARCHITECT, architect, n, scratch)
                        )
                        worth -= FAR_STEP * (
                            APART[state.pawn[first]][king]
                            + APART[state.pawn[first + GARDENER]][gardener]
                            + APART[state.pawn[first + ARCHITECT]][architect]
                        )
                        if worth > best:
                            best = worth
                            goal = king | gardener << 6 | architect << 12
    plan = keep_still(state, card)
    if best == -BIAS:
        return plan
    left = steps
    for kind in range(3):
        blocked = 0
        folk = 0
        for other in range(3):
            if other != kind:
                at = 1 << (plan >> (PAWN_AT + 6 * other) & 63)
                blocked |= at
                if other != KING:
                    folk |= at
        near = go_near(state, kind, goal >> 6 * kind & 63, foreign | blocked, jumped | folk & (state.up | own), left)
        left -= near & 63
        shift = PAWN_AT + 6 * kind
        plan = plan & ~(63 << shift) | near >> 6 << shift
    return plan


@kernel
def worth_at(worker: int, cell: int, n: int, scratch: Numbers) -> int:
    """The worth of the best work of a worker on a cell."""
    rank = scratch[BEST_AT + CELLS * (worker - 1) + cell]
    if rank == n:
        return 0
    return scratch[WORTH + (scratch[RANKED + rank] & 4095)]


@kernel
def add_plan(plan: int, worth: int, found: Numbers, worths: Numbers, n: int) -> int:
    """Add a plan unless it is there already; return the new number of plans."""
    for i in range(n):
        if found[i] == plan:
            return n
    found[n] = plan
    worths[n] = worth
    return n + 1


@kernel
def add_quiet(
    state: State,
    steps: int,
    foreign: int,
    jumped: int,
    n: int,
    scratch: Numbers,
    found: Numbers,
    worths: Numbers,
    count: int,
) -> int:
    """Add the plans without work, at most QUIET_PLANS; return the new number of plans."""
    hand = state.hand[state.seat]
    if state.phase == CARD:
        cards = hand
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            kept = hand ^ 1 << card
            if kept:
                plan = approach(state, card, lowest_bit(kept), steps, foreign, jumped, n, scratch)
                count = add_plan(plan, QUIET, found, worths, count)
            count = add_plan(keep_still(state, card), QUIET - 10, found, worths, count)
    elif state.phase == MOVE:
        if hand:
            plan = approach(state, NO_CARD, lowest_bit(hand), steps, foreign, jumped, n, scratch)
            count = add_plan(plan, QUIET, found, worths, count)
        count = add_plan(keep_still(state, NO_CARD), QUIET - 10, found, worths, count)
    else:
        count = add_plan(keep_still(state, NO_CARD), 0, found, worths, count)
    return count


# --- Plans -------------------------------------------------------------------------------------------------------


@kernel
def sift(scratch: Numbers, at: int, n: int) -> None:
    """Let the key at a place of the heap of n choices sink to where it belongs."""
    key = scratch[CHOICES + at]
    while 2 * at + 1 < n:
        below = 2 * at + 1
        if below + 1 < n and scratch[CHOICES + below + 1] > scratch[CHOICES + below]:
            below += 1
        if scratch[CHOICES + below] <= key:
            break
        scratch[CHOICES + at] = scratch[CHOICES + below]
        at = below
    scratch[CHOICES + at] = key


@kernel
def is_fresh(plan: int, found: Numbers, n: int) -> bool:
    """Whether a plan adds variety: its work by its card was found once at most, its stand thrice at most."""
    works = 0
    stands = 0
    cards = 0
    for i in range(n):
        if found[i] == plan:
            return False
        differs = found[i] ^ plan
        works += differs & WORK_BITS == 0
        stands += differs & STAND_BITS == 0
        cards += differs & 63 == 0
    return (works < SAME_WORK) & (stands < SAME_STAND) & (cards < SAME_CARD)


@kernel
def plans(state: State, found: Numbers, worths: Numbers, scratch: Numbers, lanes: Numbers) -> int:
    """Write up to MAX_PLANS different plans for the seat to move, the best first, and their worths; return how many.

    `found` and `worths` have room for MAX_PLANS numbers, `scratch` for SCRATCH. Steps `lanes`.
    """
    steps = steps_left(state)
    foreign = foreign_pawns(state)
    jumped = hurdles(state, foreign)
    n = survey(state, steps, foreign, jumped, lanes, scratch)
    left = choose_all(state, steps, foreign, DEPTH, n, lanes, scratch)
    for at in range(left // 2 - 1, -1, -1):
        sift(scratch, at, left)
    count = 0
    moves = (state.phase == CARD) | (state.phase == MOVE)
    while (left > 0) & (count < MAX_PLANS - QUIET_PLANS):
        key = scratch[CHOICES]
        plan = scratch[CHOSEN + (key & 4095)]
        left -= 1
        scratch[CHOICES] = scratch[CHOICES + left]
        sift(scratch, 0, left)
        if moves:
            wins = key > WINNING_KEY
            if is_fresh(plan, found, count) and can_walk(state, plan, wins, steps, foreign, jumped):
                count = add_plan(plan, (key >> 22) - BIAS, found, worths, count)
        else:
            count = add_plan(plan, (key >> 22) - BIAS, found, worths, count)
    count = add_quiet(state, steps, foreign, jumped, n, scratch, found, worths, count)
    sort_plans(found, worths, count)
    return count


@kernel
def sort_plans(found: Numbers, worths: Numbers, n: int) -> None:
    """Put the best plans first."""
    for i in range(1, n):
        plan = found[i]
        worth = worths[i]
        at = i
        while at > 0 and worths[at - 1] < worth:
            found[at] = found[at - 1]
            worths[at] = worths[at - 1]
            at -= 1
        found[at] = plan
        worths[at] = worth


@kernel
def lean(state: State, lanes: Numbers, found: Numbers, worths: Numbers, scratch: Numbers) -> None:
    """Make the best plan for the seat to move, as far as a quick look tells. Mutates `state`, steps `lanes`."""
    steps = steps_left(state)
    foreign = foreign_pawns(state)
    jumped = hurdles(state, foreign)
    n = survey(state, steps, foreign, jumped, lanes, scratch)
    left = choose_all(state, steps, foreign, 1, n, lanes, scratch)
    moves = (state.phase == CARD) | (state.phase == MOVE)
    quiet = BIAS << 22
    if moves:
        quiet = (BIAS + QUIET) << 22
    while left > 0:
        best = 0
        for i in range(1, left):
            if scratch[CHOICES + i] > scratch[CHOICES + best]:
                best = i
        key = scratch[CHOICES + best]
        if key < quiet:
            break
        plan = scratch[CHOSEN + (key & 4095)]
        if (not moves) or can_walk(state, plan, key > WINNING_KEY, steps, foreign, jumped):
            carry_out(state, plan)
            return
        left -= 1
        scratch[CHOICES + best] = scratch[CHOICES + left]
    add_quiet(state, steps, foreign, jumped, n, scratch, found, worths, 0)
    carry_out(state, found[0])


# --- how a position stands ---


@kernel
def noticed(state: State, viewer: int) -> int:
    """Nothing tells positions of the same turns apart: a card that was drawn shows in the plans that can be made."""
    return 0


@kernel
def outlook(state: State, count: Numbers) -> None:
    """The points that each seat has so far, in hundredths."""
    for seat in range(state.players):
        count[seat] = 100 * score(state, seat)


def settings(state: State) -> dict[str, float]:
    """What `Settings` leave to the game."""
    return {"exploration": 1.0, "temperature": 300.0, "scale": 800.0, "win_weight": 0.5, "rounds": 3}


def same_decision(first: State, later: State) -> bool:
    """Whether a later ply of a seat is part of the plan that it began with the first."""
    return bool(first.turn == later.turn)
