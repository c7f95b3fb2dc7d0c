"""Topiary (Danny Devine, 2017), 2-4 players. Comments cite the rulings in docs/rules/topiary.md (`# 3.2`)."""

from __future__ import annotations

from typing import Annotated, Any

from bosquet.core.errors import OptionError
from bosquet.core.grid import HEADINGS, Grid
from bosquet.core.nochance import sample_chance as sample_chance
from bosquet.core.rng import below, draw_member, shuffle
from bosquet.core.state import NOBODY, Field, Int8, Int64, Numbers, Options, Range, StateRecord
from bosquet.kernels.bits import count_bits, lowest_bit, members
from bosquet.kernels.jit import kernel

# --- 1 Parts ---------------------------------------------------------------------------------------------------

TYPES = "TWSEPHOL"  # 1.1

KINDS = len(TYPES)

SIZES = 5

TILES = KINDS * SIZES

GRID = Grid(5)  # 1.2

CELLS = GRID.size

CENTRE = CELLS // 2

GARDEN = (1 << CELLS) - 1

VISITORS = (0, 0, 8, 6, 5)  # 1.3, by number of players

HAND = 3

LEFTOVER = 4  # at most

ALL_TYPES = 4  # 2.1: number of players from which no type is removed

# 3.1: a sight line enters the garden at its first cell and crosses at least two cells.
LINES = tuple(
    (cell, heading)
    for cell in range(CELLS)
    for heading, (east, north) in HEADINGS.items()
    if GRID.step(cell, -east, -north) < 0 and len(GRID.ray(cell, heading)) > 1
)

LINE_CELLS = tuple((GRID.ray(cell, heading) + (-1,) * GRID.width)[: GRID.width] for cell, heading in LINES)

LINE_LENGTH = tuple(len(GRID.ray(cell, heading)) for cell, heading in LINES)

LINE_MASK = tuple(sum(1 << c for c in GRID.ray(cell, heading)) for cell, heading in LINES)

ALL_LINES = (1 << len(LINES)) - 1

# 4.2, 4.3: [mask of sizes]: points for the seen tiles of one type.
TYPE_POINTS = tuple(
    sum(size + 1 for size in range(SIZES) if mask >> size & 1) + (mask.bit_count() if mask.bit_count() > 1 else 0)
    for mask in range(1 << SIZES)
)

ONE_TYPE = (1 << SIZES) - 1

DRAFT, LINE, TAKE, PUT, OVER = range(5)


class State(StateRecord):
    """A state of Topiary. Sets of cells, lines and tiles are bit masks; tile = type × 5 + size - 1."""

    players: Int8
    draft: Int8
    named: Int8  # option `removed`: the type that the host named, or -1
    seat: Int8
    phase: Annotated[Int8, Range(0, OVER)]
    removed: Annotated[Int8, Range(-1, KINDS - 1)]  # type, or -1
    placed: Int8  # visitors placed so far
    line: Annotated[Int8, Range(-1, len(LINES) - 1)]  # line chosen in the current turn, or -1
    gap: Annotated[Int8, Range(-1, CELLS - 1)]  # cell whose tile was taken in the current turn, or -1
    tiles: Annotated[
        list[int], Field("i1", TILES), Range(0, TILES - 1)
    ]  # [cell]: tile in that cell; entries beyond the garden are used by the deal only
    up: Int64  # cells with a face-up tile
    down: Int64  # cells with a face-down tile
    free: Int64  # lines without a visitor
    aside: Int64  # tiles set aside
    visitors: Annotated[list[int], Field("i8", 4)]  # [seat]: lines
    hand: Annotated[list[int], Field("i8", 4)]  # [seat]: tiles
    passed: Annotated[list[int], Field("i8", 5)]  # [seat]: tiles passed on in the draft; [players]: the leftover
    put: Annotated[list[int], Field("i8", 4)]  # [seat]: tiles put into the garden


MAX_MOVES = 64

FIRST_TAKE = len(LINES)

PASS = FIRST_TAKE + CELLS

FIRST_PUT = PASS + 1

FIRST_KEEP = FIRST_PUT + TILES

ACTIONS = FIRST_KEEP + (1 << HAND + LEFTOVER)

# --- 2 Deal ----------------------------------------------------------------------------------------------------


@kernel
def deal(state: State, rng_state: Numbers) -> None:
    """Deal a new game. Reads the options of `state`, overwrites everything else, advances `rng_state`."""
    state.removed = state.named  # 2.1
    if (state.named < 0) & (state.players != ALL_TYPES):
        state.removed = below(rng_state, KINDS)
    n = 0
    for tile in range(TILES):
        if tile // SIZES != state.removed:
            state.tiles[n] = tile
            n += 1
    shuffle(rng_state, state.tiles, n)  # 2.2
    begin(state)


@kernel
def begin(state: State) -> None:
    """Start the game from the shuffled `state.tiles`: the garden, then the hand of each seat, then the leftover."""
    n = TILES if state.removed < 0 else TILES - SIZES
    place = CELLS
    for seat in range(4):
        state.visitors[seat] = 0
        state.put[seat] = 0
        state.hand[seat] = 0
        if seat < state.players:
            for _ in range(HAND):
                state.hand[seat] |= 1 << state.tiles[place]
                place += 1
    for seat in range(5):
        state.passed[seat] = 0
    state.aside = 0
    for i in range(place, n):
        state.aside |= 1 << state.tiles[i]
    for i in range(CELLS, TILES):
        state.tiles[i] = 0
    state.up = 1 << CENTRE
    state.down = GARDEN ^ state.up
    state.free = ALL_LINES
    state.placed = 0
    state.line = -1
    state.gap = -1
    state.seat = 0  # 2.3
    state.phase = LINE
    if state.draft:  # 2.4
        state.seat = state.players - 1
        state.hand[state.seat] |= state.aside
        state.passed[state.players] = state.aside
        state.aside = 0
        state.phase = DRAFT


# --- 3 Turn ----------------------------------------------------------------------------------------------------


@kernel
def legal(state: State, moves: Numbers) -> int:
    """Write every legal action into `moves`; return their number."""
    n = 0
    if state.phase == LINE:  # 3.1
        free = state.free
        while free:
            moves[n] = lowest_bit(free)
            n += 1
            free &= free - 1
    elif state.phase == TAKE:  # 3.3
        takeable = LINE_MASK[state.line] & state.down
        while takeable:
            moves[n] = FIRST_TAKE + lowest_bit(takeable)
            n += 1
            takeable &= takeable - 1
        moves[n] = PASS
        n += 1
    elif state.phase == PUT:
        hand = state.hand[state.seat]
        while hand:
            moves[n] = FIRST_PUT + lowest_bit(hand)
            n += 1
            hand &= hand - 1
    elif state.phase == DRAFT:  # 2.4
        for kept in range(1 << count_bits(state.hand[state.seat])):
            if count_bits(kept) == HAND:
                moves[n] = FIRST_KEEP + kept
                n += 1
    return n


@kernel
def play(state: State, action: int) -> None:
    """Apply a legal action."""
    seat = state.seat
    if state.phase == LINE:
        state.visitors[seat] |= 1 << action
        state.free ^= 1 << action
        state.placed += 1
        state.line = action
        if LINE_MASK[action] & state.down:
            state.phase = TAKE
        else:
            end_turn(state)
    elif state.phase == TAKE:
        if action == PASS:
            end_turn(state)
        else:
            cell = action - FIRST_TAKE
            state.hand[seat] |= 1 << state.tiles[cell]
            state.tiles[cell] = 0
            state.down ^= 1 << cell
            state.gap = cell
            state.phase = PUT
    elif state.phase == PUT:
        tile = action - FIRST_PUT
        state.hand[seat] ^= 1 << tile
        state.put[seat] |= 1 << tile
        state.tiles[state.gap] = tile
        state.up |= 1 << state.gap
        end_turn(state)
    else:
        keep(state, action - FIRST_KEEP)


@kernel
def keep(state: State, places: int) -> None:
    """Keep the tiles at these places of the hand (a bit mask) and pass on the others. 2.4"""
    seat = state.seat
    rest = state.hand[seat]
    kept = 0
    while rest:
        if places & 1:
            kept |= rest & -rest
        places >>= 1
        rest &= rest - 1
    passed = state.hand[seat] ^ kept
    state.hand[seat] = kept
    state.passed[seat] = passed
    if seat:
        state.seat = seat - 1
        state.hand[seat - 1] |= passed
    else:
        state.aside = passed
        state.phase = LINE


@kernel
def end_turn(state: State) -> None:
    """Give the turn to the next seat, or end the game. 2.3, 4.1"""
    state.line = -1
    state.gap = -1
    if state.placed == state.players * VISITORS[state.players]:
        state.phase = OVER
        state.seat = NOBODY
    else:
        state.phase = LINE
        state.seat = state.seat + 1 if state.seat + 1 < state.players else 0


# --- 4 Score ---------------------------------------------------------------------------------------------------


@kernel
def sees(state: State, line: int) -> int:
    """Return the tiles that a visitor on this line sees. 4.2"""
    seen = 0
    tallest = -1
    for i in range(LINE_LENGTH[line]):
        cell = LINE_CELLS[line][i]
        if state.up >> cell & 1:
            tile = state.tiles[cell]
            if tile % SIZES > tallest:
                seen |= 1 << tile
                tallest = tile % SIZES
    return seen


@kernel
def visitor_points(seen: int) -> int:
    """Return the points of a visitor that sees these tiles. 4.2, 4.3"""
    points = 0
    while seen:
        points += TYPE_POINTS[seen & ONE_TYPE]
        seen >>= SIZES
    return points


@kernel
def hand_points(hand: int, seen: int) -> int:
    """Return the points of a hand whose owner's visitors together see the tiles `seen`. 4.4"""
    points = 0
    while hand:
        tile = lowest_bit(hand)
        hand &= hand - 1
        size = tile % SIZES + 1
        larger = (seen >> (tile - size + 1) & ONE_TYPE) >> size
        if larger:
            points += size
    return points


@kernel
def sights(state: State, seat: int) -> tuple[int, int]:
    """Return the points of a seat's visitors, and the tiles that they see together. 4.2, 4.3"""
    points = 0
    seen = 0
    lines = state.visitors[seat]
    while lines:
        tiles = sees(state, lowest_bit(lines))
        lines &= lines - 1
        points += visitor_points(tiles)
        seen |= tiles
    return points, seen


@kernel
def score(state: State, seat: int) -> int:
    """Return what a seat would score if the game ended now. 3.5"""
    points, seen = sights(state, seat)
    return points + hand_points(state.hand[seat], seen)


@kernel
def scores(state: State, points: Numbers) -> None:
    """Write the current score of every seat into `points`."""
    for seat in range(state.players):
        points[seat] = score(state, seat)


@kernel
def winners(state: State) -> int:
    """Return the winning seat of a finished game as a bit mask; there is exactly one. 4.5"""
    best = 0
    best_points = -1
    best_hand = -1
    for seat in range(state.players):
        points, seen = sights(state, seat)
        hand = hand_points(state.hand[seat], seen)
        points += hand
        if (points > best_points) | ((points == best_points) & (hand >= best_hand)):
            best = seat
            best_points = points
            best_hand = hand
    return 1 << best


@kernel
def seen_by(state: State, seat: int) -> int:
    """Return the tiles that the visitors of a seat see together."""
    return sights(state, seat)[1]


def result(state: State) -> dict[str, Any]:
    """Return the points and the winner of a finished game."""
    points = [0] * 4
    scores(state, points)
    return {"scores": points[: state.players], "winners": list(members(winners(state)))}


# --- Options, deals, notation ----------------------------------------------------------------------------------

NAME = "topiary"

TITLE = "Topiary"

DRAWN = "drawn"

OPTIONS: dict[str, tuple[Any, ...]] = {"players": (2, 3, 4), "draft": (False, True), "removed": (DRAWN, *TYPES)}


def check_options(options: Options) -> None:
    """Check that a type is named only where one is removed. Raises OptionError. 2.1"""
    named = options.get("removed", DRAWN)
    if options["players"] == ALL_TYPES and named != DRAWN:
        raise OptionError(f"removed is {named}; with {ALL_TYPES} players no type is removed, leave it out")


def new_state(options: Options) -> State:
    """Return a state with its options set, ready for `deal`."""
    state = State()
    state.players = options["players"]
    state.draft = int(options["draft"])
    state.named = TYPES.find(options.get("removed", DRAWN))
    return state


def options_of(state: State) -> dict[str, Any]:
    """Return the options of a state by name."""
    return {
        "players": state.players,
        "draft": bool(state.draft),
        "removed": DRAWN if state.named < 0 else TYPES[state.named],
    }


@kernel
def is_irreversible(state: State, action: int) -> bool:
    """Return whether the action reveals a hidden tile: one taken, put, or passed on."""
    return state.phase != LINE and action != PASS


ASIDE = 4

"""A place of hidden tiles: 0-3 are the hands of the seats, this one is the tiles set aside."""


@kernel
def determinize_in_place(state: State, viewer: int, rng_state: Numbers) -> None:
    """Place the tiles that the viewer cannot see, uniformly among the placements consistent with the draft.

    Mutates `state`, advances `rng_state`.

    Each tile that the viewer passed on in the draft was kept by a seat that received it, or set aside. The tiles that
    the other seats passed on are then chosen consistently with that. 2.4
    """
    unseen = state.aside
    room = count_bits(state.aside) << 8 * ASIDE  # 8 bits per place: the number of tiles to put there
    for seat in range(state.players):
        if (seat != viewer) & (state.phase != OVER):
            unseen |= state.hand[seat]
            room |= count_bits(state.hand[seat]) << 8 * seat
            state.hand[seat] = 0
    state.aside = 0
    cells = state.down
    while cells:
        unseen |= 1 << state.tiles[lowest_bit(cells)]
        cells &= cells - 1
    if (state.draft != 0) & (viewer >= 0):
        passed = state.passed[viewer] & unseen
        room = lay_passed(state, viewer, passed, room, rng_state)
        unseen ^= passed
    for seat in range(state.players):
        for _ in range(room >> 8 * seat & 255):
            tile = draw_member(rng_state, unseen)
            unseen ^= 1 << tile
            state.hand[seat] |= 1 << tile
    cells = state.down
    while cells:
        tile = draw_member(rng_state, unseen)
        unseen ^= 1 << tile
        state.tiles[lowest_bit(cells)] = tile
        cells &= cells - 1
    state.aside |= unseen
    if state.draft:
        lay_draft(state, viewer, rng_state)


@kernel
def lay_passed(state: State, viewer: int, passed: int, room: int, rng_state: Numbers) -> int:
    """Distribute the unseen tiles that the viewer passed on to the hands and aside; return the remaining room. 2.4

    No seat kept more than three tiles. Every valid distribution leaves the same number of placements of the other
    tiles, so rejection sampling is uniform.
    """
    first = state.seat if state.phase == DRAFT else 0
    while True:
        left = room
        fits = True
        for seat in range(viewer):
            state.hand[seat] &= ~passed
        state.aside = 0
        tiles = passed
        while tiles:
            places = left >> 8 * ASIDE & 255
            for seat in range(first, viewer):
                places += left >> 8 * seat & 255
            at = below(rng_state, places)
            place = first
            while (place < viewer) & (at >= (left >> 8 * place & 255)):
                at -= left >> 8 * place & 255
                place += 1
            if place < viewer:
                state.hand[place] |= tiles & -tiles
            else:
                place = ASIDE
                state.aside |= tiles & -tiles
            left -= 1 << 8 * place
            tiles &= tiles - 1
        if state.phase != DRAFT:
            for seat in range(viewer):
                kept = (state.hand[seat] | state.put[seat]) & state.passed[viewer]
                fits &= count_bits(kept) <= HAND
        if fits:
            return left


@kernel
def lay_draft(state: State, viewer: int, rng_state: Numbers) -> None:
    """Choose what the other seats passed on in the draft, consistently with what the viewer saw. 2.4

    Works backwards from the seat that passed last: each seat kept or passed on what it had received.
    """
    first = 0
    end = state.aside  # the tiles that were passed on last
    if state.phase == DRAFT:
        first = state.seat + 1
        end = state.hand[state.seat]
    size = (TILES if state.removed < 0 else TILES - SIZES) - CELLS - HAND * state.players
    for seat in range(first, state.players + 1):
        if (viewer < 0) | ((seat != viewer) & (seat != viewer + 1)):
            mine = state.passed[viewer] if seat < viewer else 0
            had = end
            if seat > first:
                kept = draw_set(rng_state, state.hand[seat - 1] | state.put[seat - 1], HAND, mine)
                had = state.passed[seat - 1] | kept
            state.passed[seat] = draw_set(rng_state, had, size, mine)


@kernel
def draw_set(rng_state: Numbers, mask: int, size: int, must: int) -> int:
    """Return a uniform subset with `size` members that contains every member of `must` that is in the set."""
    chosen = mask & must
    for _ in range(size - count_bits(chosen)):
        chosen |= 1 << draw_member(rng_state, mask & ~chosen)
    return chosen
