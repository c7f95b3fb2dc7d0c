"""Der Prestel Schlossgarten (Ulf Siebert, 2004), 2-4 players.

Rulings: docs/rules/schlossgarten.md; a comment cites the ruling (`# 3.2`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec

from bosquet.core.bits import count_bits, index, lowest_bit, mask_of, members
from bosquet.core.chance import Chance, draw_member, shuffle
from bosquet.core.errors import IllegalMove, RecordError, quoted
from bosquet.core.grid import HEADINGS, Grid
from bosquet.core.jit import kernel
from bosquet.core.reading import (
    expect_each_once,
    expect_integer,
    expect_key,
    expect_list,
    expect_only,
)
from bosquet.core.rules import Options
from bosquet.core.state import CHANCE, NOBODY, Field, Int8, Int16, Int64, Numbers, StateRecord
from bosquet.core.view import Entry, Move, Sheet, View
from bosquet.games.constellations import (
    CARDS,
    OFFSETS,
    house_deck,
    load_deck,
    offset,
    patterns_of,
    rows_of,
    steps_of,
)

# --- 1 Parts ---------------------------------------------------------------------------------------------------

LANDSCAPE = (1,) * 17 + (2,) * 16 + (3,) * 16  # 1.1
GRID = Grid(7)  # 1.2
CELLS = GRID.size
BOARD = (1 << CELLS) - 1
NEAR = tuple(
    sum(1 << near for step in HEADINGS.values() if (near := GRID.step(cell, *step)) >= 0) for cell in range(CELLS)
)

PAWNS = "KGA"  # 1.3
KING, GARDENER, ARCHITECT = range(3)
ELEMENTS = 6  # of a player: the gardener's of size 1, 2, 3, then the architect's
MAX_PLAYERS = 4

ROTATIONS = 4
STEPS = 5
WINNING_POINTS = 21  # 5.1
ROUND_LIMIT = 100  # 5.2

# 2.2: king, gardener, architect of each seat, by number of players.
SOUTH = ("d1", "c1", "e1")
WEST = ("a4", "a5", "a3")
NORTH = ("d7", "e7", "c7")
EAST = ("g4", "g3", "g5")
STARTS = tuple(
    tuple(GRID.cell_of[name] for edge in edges for name in edge) + (-1,) * (3 * (MAX_PLAYERS - len(edges)))
    for edges in ((), (), (SOUTH, NORTH), (SOUTH, WEST, NORTH), (SOUTH, WEST, NORTH, EAST))
)


def _sites() -> list[tuple[int, ...]]:
    """Every place of an element on the board: cells, dominoes, L-shapes, each in the order of column then row. 1.3"""
    shapes = [[(0, 0)], [(0, 0), (1, 0)], [(0, 0), (0, 1)]]
    square = [(0, 0), (1, 0), (0, 1), (1, 1)]
    shapes += [[cell for cell in square if cell != left_out] for left_out in square]
    sites = []
    for shape in shapes:
        for cell in range(CELLS):
            cells = [GRID.step(cell, *step) for step in shape]
            if min(cells) >= 0:
                sites.append(tuple(sorted(cells, key=lambda c: (c % GRID.width, c // GRID.width))))
    return sites


def quarters(east: int, north: int, turns: int) -> tuple[int, int]:
    """An offset turned clockwise by so many quarters."""
    for _ in range(turns):
        east, north = north, -east
    return east, north


SITES = _sites()
SITE_MASK = tuple(sum(1 << cell for cell in site) for site in SITES)
SITE_SIZE = tuple(len(site) for site in SITES)
FIRST_SITE = (0, 0, 49, 49 + 84, len(SITES))  # [size]: sites of a size stand together

# 4.1: the offsets from the king of `constellations`, turned a quarter four times, and the cells they lead to (or -1).
ROTATED = tuple(
    tuple(offset(*turned) for east, north in map(steps_of, range(OFFSETS)) for turned in [quarters(east, north, turn)])
    for turn in range(ROTATIONS)
)
AT_OFFSET = tuple(tuple(GRID.step(cell, *steps_of(i)) for i in range(OFFSETS)) for cell in range(CELLS))
# 3.4: the cell behind a neighbouring one, or -1.
BEHIND = tuple(
    tuple(
        GRID.step(over, over % 7 - cell % 7, over // 7 - cell // 7) if NEAR[cell] >> over & 1 else -1
        for over in range(CELLS)
    )
    for cell in range(CELLS)
)

CARD, MOVE, WORK, BUILD, PILE, OVER = range(6)


class State(StateRecord):
    """Sets of cells and cards are masks; cards count from 0; elements and pawns of all seats stand in one list each."""

    players: Int8
    seat: Int8
    phase: Int8
    turn: Int16  # turns ended so far
    played: Int8  # card of the running turn, or -1
    steps: Int8  # steps left
    shifted: Int8  # pawns that may not shift again
    worker: Int8  # the digger of the running turn, or -1
    pile_at: Int8  # next card of `pile`
    pile_end: Int8
    pattern: Annotated[list[int], Field("i2", CARDS)]  # [card], see `pattern_of`; set before the deal
    landscape: Annotated[list[int], Field("i1", CELLS)]  # [cell]: value of its tile
    pile: Annotated[list[int], Field("i1", CARDS)]  # as shuffled last; cards before `pile_at` are drawn
    pawn: Annotated[list[int], Field("i1", 3 * MAX_PLAYERS)]  # [3 × seat + kind]: cell
    element: Annotated[
        list[int], Field("i2", ELEMENTS * MAX_PLAYERS)
    ]  # [6 × seat + 3 × (worker - 1) + size - 1]: site, or -1
    tile_points: Annotated[list[int], Field("i2", MAX_PLAYERS)]  # [seat]: values of the tiles kept
    up: Int64  # cells whose tile lies value up
    dug: Int64  # excavations
    discard: Int64  # cards played since the last shuffle
    held_over: Int64  # cards that were in hands at the last shuffle
    hand: Annotated[list[int], Field("i8", MAX_PLAYERS)]  # [seat]: cards
    may_hold: Annotated[list[int], Field("i8", MAX_PLAYERS)]  # [seat]: what the card it held at a shuffle may be, or 0
    own: Annotated[list[int], Field("i8", MAX_PLAYERS)]  # [seat]: cells of its elements
    kept: Annotated[list[int], Field("i8", MAX_PLAYERS)]  # [seat]: cells whose tiles it keeps


MAX_MOVES = 2048
STOP = CARDS
END = STOP + 1
FIRST_STEP = END + 1
FIRST_DIG = FIRST_STEP + (3 << 12)  # a move is 2 bits of pawn, 6 of cell, 6 of refuge
FIRST_BUILD = FIRST_DIG + 2 * CELLS
ACTIONS = FIRST_BUILD + 2 * len(SITES)
NO_HIT = 63

# --- 2 Deal ----------------------------------------------------------------------------------------------------


@kernel
def deal(state: State, lanes: Numbers) -> None:
    """Deal a new game. Reads options and patterns of `state`, overwrites all else, steps `lanes`. 2.1"""
    for cell in range(CELLS):
        state.landscape[cell] = LANDSCAPE[cell]
    shuffle(lanes, state.landscape, CELLS)
    for card in range(CARDS):
        state.pile[card] = card
    shuffle(lanes, state.pile, CARDS)
    begin(state)


@kernel
def begin(state: State) -> None:
    """Start with `state.landscape` and `state.pile` as dealt; the hands come off the pile."""
    state.pile_at = 0
    state.pile_end = CARDS
    for seat in range(MAX_PLAYERS):
        state.hand[seat] = 0
        state.may_hold[seat] = 0
        state.own[seat] = 0
        state.kept[seat] = 0
        state.tile_points[seat] = 0
        for kind in range(3):
            state.pawn[3 * seat + kind] = STARTS[state.players][3 * seat + kind]  # 2.2
        for kind in range(ELEMENTS):
            state.element[ELEMENTS * seat + kind] = -1
        if seat < state.players:
            draw_card(state, seat)
    state.up = BOARD
    state.dug = 0
    state.discard = 0
    state.held_over = 0
    state.turn = 0
    state.seat = 0
    begin_turn(state)


@kernel
def draw_card(state: State, seat: int) -> None:
    """Draw the next card of the pile."""
    state.hand[seat] |= 1 << state.pile[state.pile_at]
    state.pile_at += 1


@kernel
def begin_turn(state: State) -> None:
    """Draw for the seat whose turn begins, from a pile that is not empty. 3.1"""
    draw_card(state, state.seat)
    state.played = -1
    state.steps = 0
    state.shifted = 0
    state.worker = -1
    state.phase = CARD


@kernel
def roll(state: State, lanes: Numbers) -> None:
    """The move of chance: shuffle the discard into a new pile. Steps `lanes`. 3.1"""
    n = 0
    cards = state.discard
    while cards:
        state.pile[n] = lowest_bit(cards)
        cards &= cards - 1
        n += 1
    shuffle(lanes, state.pile, n)
    restock(state, n)


@kernel
def restock(state: State, n: int) -> None:
    """Go on with the n cards of `state.pile`, shuffled from the discard.

    All cards but those in hands lay open in the discard. Who has still not played the card it held at an earlier
    shuffle holds one of those; the others hold one of the rest.
    """
    state.held_over = ((1 << CARDS) - 1) ^ state.discard
    fresh = state.held_over
    for seat in range(state.players):
        fresh &= ~state.may_hold[seat]
    for seat in range(state.players):
        if state.may_hold[seat] == 0:
            state.may_hold[seat] = fresh
    state.discard = 0
    state.pile_at = 0
    state.pile_end = n
    state.seat = state.turn % state.players
    begin_turn(state)


# --- 3 Turn ----------------------------------------------------------------------------------------------------


@kernel
def legal(state: State, moves: Numbers) -> int:
    """Write every legal action into `moves`, return how many."""
    n = 0
    if state.phase == MOVE:
        occupied = pawns(state)
        folk = subjects(state, GARDENER) | subjects(state, ARCHITECT)
        if covered(state) & ~occupied == 0:
            prey = 0  # nobody has a free cell to be sent to
        else:
            prey = folk & state.up
        for kind in range(3):
            n = pawn_moves(state, kind, occupied, folk, prey, moves, n)
        moves[n] = STOP  # 3.6
        n += 1
    elif state.phase == CARD:
        cards = state.hand[state.seat]
        while cards:
            moves[n] = lowest_bit(cards)
            cards &= cards - 1
            n += 1
    elif state.phase == WORK:
        workers = standing(state)
        for worker in range(GARDENER, ARCHITECT + 1):
            if workers >> worker & 1:
                n = digs(state, worker, moves, n)
                n = builds(state, worker, moves, n)
        moves[n] = END
        n += 1
    elif state.phase == BUILD:
        n = builds(state, state.worker, moves, n)
        moves[n] = END
        n += 1
    return n


@kernel
def pawns(state: State) -> int:
    """The cells where pawns stand."""
    cells = 0
    for i in range(3 * state.players):
        cells |= 1 << state.pawn[i]
    return cells


@kernel
def subjects(state: State, kind: int) -> int:
    """The cells where everybody's subjects of one kind stand."""
    cells = 0
    for seat in range(state.players):
        cells |= 1 << state.pawn[3 * seat + kind]
    return cells


@kernel
def element_at(state: State, seat: int, cell: int) -> int:
    """The cells of the seat's element that lies on a cell, 0 if there is none."""
    if state.own[seat] >> cell & 1:
        for i in range(ELEMENTS * seat, ELEMENTS * (seat + 1)):
            site = state.element[i]
            if site >= 0:
                if SITE_MASK[site] >> cell & 1:
                    return SITE_MASK[site]
    return 0


@kernel
def pawn_moves(state: State, kind: int, occupied: int, folk: int, prey: int, moves: Numbers, n: int) -> int:
    """Write the steps, jumps, hits and shifts of one pawn of the seat to move; return the new end of `moves`.

    `occupied` are the cells with a pawn, `folk` those with a subject, `prey` those of them that might be hit.
    """
    seat = state.seat
    cell = state.pawn[3 * seat + kind]
    ground = state.up | state.own[seat]  # 3.2
    home = element_at(state, seat, cell)
    targets = 0
    if state.shifted >> kind & 1 == 0:
        targets = home & ~occupied  # 3.3
    if state.steps:
        own_folk = 1 << state.pawn[3 * seat + GARDENER] | 1 << state.pawn[3 * seat + ARCHITECT]
        reach = NEAR[cell] & ~home
        over = NEAR[cell] & folk & ground  # 3.4
        while over:
            behind = BEHIND[cell][lowest_bit(over)]
            over &= over - 1
            if behind >= 0:
                reach |= 1 << behind
        targets |= reach & ground & ~occupied
        hits = reach & prey & ~own_folk  # 3.5
        while hits:
            n = write_hits(state, kind, lowest_bit(hits), occupied, moves, n)
            hits &= hits - 1
    while targets:
        moves[index(n)] = move_action(kind, lowest_bit(targets), NO_HIT)
        targets &= targets - 1
        n += 1
    return n


@kernel
def write_hits(state: State, kind: int, cell: int, occupied: int, moves: Numbers, n: int) -> int:
    """Write the hits of the subject on a cell, one for each free cell of its owner's elements. 3.5"""
    for seat in range(state.players):
        if (state.pawn[3 * seat + GARDENER] == cell) | (state.pawn[3 * seat + ARCHITECT] == cell):
            refuge = state.own[seat] & ~occupied
            while refuge:
                moves[n] = move_action(kind, cell, lowest_bit(refuge))
                refuge &= refuge - 1
                n += 1
    return n


@kernel
def move_action(kind: int, cell: int, refuge: int) -> int:
    """The action of a pawn going to a cell, the subject hit there going to `refuge` (or NO_HIT)."""
    return FIRST_STEP + (kind << 12 | cell << 6 | refuge)


@kernel
def play(state: State, action: int) -> None:
    """Make a legal action."""
    if state.phase == MOVE:
        if action != STOP:
            move_pawn(state, action)
        elif standing(state):
            state.phase = WORK
            state.steps = 0
            state.shifted = 0
        else:
            end_turn(state)
    elif state.phase == CARD:
        play_card(state, action)
    elif action == END:
        end_turn(state)
    elif action < FIRST_BUILD:
        dig(state, action - FIRST_DIG)
    else:
        build(state, action - FIRST_BUILD)


@kernel
def play_card(state: State, card: int) -> None:
    """Play a card face up: everybody sees whether it was held at a shuffle. 3.1"""
    state.hand[state.seat] ^= 1 << card
    if state.may_hold[state.seat] >> card & 1:
        state.may_hold[state.seat] = 0
        for seat in range(state.players):
            state.may_hold[seat] &= ~(1 << card)
    state.played = card
    state.steps = STEPS
    state.phase = MOVE


@kernel
def move_pawn(state: State, action: int) -> None:
    """Step, jump, hit or shift. 3.2-3.5"""
    code = action - FIRST_STEP
    refuge = code & 63
    cell = code >> 6 & 63
    kind = code >> 12
    pawn = 3 * state.seat + kind
    if element_at(state, state.seat, state.pawn[pawn]) >> cell & 1:
        state.shifted |= 1 << kind
    else:
        state.steps -= 1
        state.shifted &= ~(1 << kind)
    if refuge != NO_HIT:
        for other in range(3 * state.players):
            if state.pawn[other] == cell:
                state.pawn[other] = refuge
    state.pawn[pawn] = cell


@kernel
def end_turn(state: State) -> None:
    """Discard the card, pass the turn on, or end the game. 3.1, 5.2"""
    state.discard |= 1 << state.played
    state.played = -1
    state.steps = 0
    state.shifted = 0
    state.worker = -1
    state.turn += 1
    if state.turn == ROUND_LIMIT * state.players:
        state.phase = OVER
        state.seat = NOBODY
    elif state.pile_at == state.pile_end:
        state.phase = PILE
        state.seat = CHANCE
    else:
        state.seat = state.turn % state.players
        begin_turn(state)


# --- 4 Figure and work -----------------------------------------------------------------------------------------


@kernel
def standing(state: State) -> int:
    """The own subjects (bits of their kinds) in a standing figure of the played card, for the seat to move. 4.1, 4.2"""
    king = state.pawn[3 * state.seat]
    own_gardener = state.pawn[3 * state.seat + GARDENER]
    own_architect = state.pawn[3 * state.seat + ARCHITECT]
    gardeners = subjects(state, GARDENER)
    architects = subjects(state, ARCHITECT)
    pattern = state.pattern[state.played]
    workers = 0
    for turn in range(ROTATIONS):
        gardener = AT_OFFSET[king][ROTATED[turn][pattern // OFFSETS]]
        architect = AT_OFFSET[king][ROTATED[turn][pattern % OFFSETS]]
        if (gardener >= 0) & (architect >= 0):
            if (gardeners >> gardener & 1) & (architects >> architect & 1):
                workers |= (gardener == own_gardener) << GARDENER | (architect == own_architect) << ARCHITECT
    return workers


@kernel
def digs(state: State, worker: int, moves: Numbers, n: int) -> int:
    """Write what a worker may excavate; return the new end of `moves`. 4.3"""
    cells = NEAR[state.pawn[3 * state.seat + worker]] & state.up & ~pawns(state)
    while cells:
        moves[n] = FIRST_DIG + (worker - 1) * CELLS + lowest_bit(cells)
        cells &= cells - 1
        n += 1
    return n


@kernel
def builds(state: State, worker: int, moves: Numbers, n: int) -> int:
    """Write what a worker may build; return the new end of `moves`. 4.4"""
    if state.dug == 0:
        return n
    near = NEAR[state.pawn[3 * state.seat + worker]]
    built = covered(state)
    free = (state.dug | built) & ~pawns(state)
    for size in range(1, 4):
        if state.element[ELEMENTS * state.seat + 3 * (worker - 1) + size - 1] < 0:
            for site in range(FIRST_SITE[size], FIRST_SITE[size + 1]):
                cells = SITE_MASK[site]
                if (cells & ~free == 0) & (cells & state.dug != 0) & (cells & near != 0):
                    if cells & built == 0 or covers_whole(state, cells):
                        moves[n] = FIRST_BUILD + (worker - 1) * len(SITE_MASK) + site
                        n += 1
    return n


@kernel
def covered(state: State) -> int:
    """The cells where anybody's elements lie."""
    cells = 0
    for seat in range(state.players):
        cells |= state.own[seat]
    return cells


@kernel
def covers_whole(state: State, cells: int) -> bool:
    """Whether every element that a site touches lies wholly inside it. 4.4"""
    for i in range(ELEMENTS * state.players):
        if state.element[i] >= 0:
            element = SITE_MASK[state.element[i]]
            if (element & cells != 0) & (element & ~cells != 0):
                return False
    return True


@kernel
def dig(state: State, work: int) -> None:
    """Turn a tile over. 4.3"""
    cell = work % CELLS
    state.up ^= 1 << cell
    state.dug |= 1 << cell
    state.worker = work // CELLS + 1
    state.phase = BUILD


@kernel
def build(state: State, work: int) -> None:
    """Build, keep the tiles of the excavations, send back what is built over. 4.5, 5.1"""
    seat = state.seat
    site = work % len(SITE_MASK)
    worker = work // len(SITE_MASK) + 1
    cells = SITE_MASK[site]
    for i in range(ELEMENTS * state.players):
        if state.element[i] >= 0:
            if SITE_MASK[state.element[i]] & cells:
                state.own[i // ELEMENTS] &= ~SITE_MASK[state.element[i]]
                state.element[i] = -1
    tiles = cells & state.dug
    state.kept[seat] |= tiles
    state.dug &= ~tiles
    while tiles:
        state.tile_points[seat] += state.landscape[lowest_bit(tiles)]
        tiles &= tiles - 1
    state.own[seat] |= cells
    state.element[ELEMENTS * seat + 3 * (worker - 1) + SITE_SIZE[site] - 1] = site
    if score(state, seat) >= WINNING_POINTS:
        state.phase = OVER
        state.seat = NOBODY
        state.worker = -1
    else:
        end_turn(state)


@kernel
def score(state: State, seat: int) -> int:
    """The points of a seat now. 4.6"""
    return state.tile_points[seat] + count_bits(state.own[seat])


# --- 5 End -----------------------------------------------------------------------------------------------------


@kernel
def scores(state: State, points: Numbers) -> None:
    """Write the points of every seat into `points`."""
    for seat in range(state.players):
        points[seat] = score(state, seat)


@kernel
def winners(state: State) -> int:
    """The winning seats of a game that is over, as a mask. 5.1, 5.2"""
    best = -1
    seats = 0
    for seat in range(state.players):
        points = score(state, seat)
        if points > best:
            best = points
            seats = 0
        if points == best:
            seats |= 1 << seat
    return seats


def result(state: State) -> dict[str, Any]:
    """Points and winners of a game that is over."""
    return {"scores": _points(state), "winners": list(members(winners(state)))}


def _points(state: State) -> list[int]:
    return [score(state, seat) for seat in range(state.players)]


# --- Options, deals, notation ----------------------------------------------------------------------------------

NAME = "schlossgarten"
TITLE = "Schlossgarten"
OPTIONS = {"players": (2, 3, 4)}

PHASES = ("card", "move", "work", "build", "pile", "over")
CARD_NUMBERS = [str(card + 1) for card in range(CARDS)]
CARD_OF = {number: card for card, number in enumerate(CARD_NUMBERS)}
SITE_OF = {site: i for i, site in enumerate(SITES)}


def numbers_of(mask: int) -> list[int]:
    """The numbers of a set of cards, ascending."""
    return [card + 1 for card in members(mask)]


def new_state(options: Options, deck: Any = None) -> State:
    """A state with its options and its deck set, to be dealt. `deck` as `constellations.load_deck` takes it."""
    state = State()
    state.players = options["players"]
    state.pattern = load_deck(deck)
    return state


def write_deal(state: State) -> dict[str, Any]:
    """The deal of a state that has just been dealt: hands and seat 0's first draw came off `state.pile`. 3.1"""
    cards = [card + 1 for card in state.pile]
    written: dict[str, Any] = {
        "landscape": list(state.landscape),
        "hands": cards[: state.players],
        "pile": cards[state.players :],
    }
    if tuple(state.pattern) != house_deck():
        written["deck"] = [rows_of(pattern) for pattern in state.pattern]
    return written


def read_deal(state: State, deal: Mapping[str, Any]) -> None:
    """Begin with the deal of a record."""
    expect_only(deal, ("landscape", "hands", "pile", "deck"), "deal")
    landscape = expect_list(expect_key(deal, "landscape", "deal"), CELLS, "deal.landscape")
    values = [expect_integer(value, 1, 3, f"deal.landscape[{i}]") for i, value in enumerate(landscape)]
    for value in (1, 2, 3):
        if values.count(value) != LANDSCAPE.count(value):
            raise RecordError(
                f"deal.landscape has {values.count(value)} tiles of {value}; it must have {LANDSCAPE.count(value)}"
            )
    hands = expect_list(expect_key(deal, "hands", "deal"), state.players, "deal.hands")
    pile = expect_list(expect_key(deal, "pile", "deal"), CARDS - state.players, "deal.pile")
    dealt = [_one_card(hand, f"deal.hands[{i}]") for i, hand in enumerate(hands)]
    dealt += [expect_integer(card, 1, CARDS, f"deal.pile[{i}]") - 1 for i, card in enumerate(pile)]
    expect_each_once(dealt, range(CARDS), CARD_NUMBERS, "cards")
    if "deck" in deal:
        state.pattern = patterns_of(deal["deck"], "deal.deck")
    state.landscape = values
    state.pile = dealt
    begin(state)


def _one_card(hand: object, place: str) -> int:
    return expect_integer(hand, 1, CARDS, place) - 1


def say(state: State, action: int) -> str:
    """The notation of an action. 6"""
    if action < CARDS:
        return f"card {action + 1}"
    if action in (STOP, END):
        return "stop" if action == STOP else "end"
    if action < FIRST_DIG:
        kind, cell, refuge = step_of(action)
        hit = f" hit {GRID.names[refuge]}" if refuge != NO_HIT else ""
        return f"{PAWNS[kind]} {GRID.names[cell]}{hit}"
    if action < FIRST_BUILD:
        work = action - FIRST_DIG
        return f"{PAWNS[work // CELLS + 1]} dig {GRID.names[work % CELLS]}"
    work = action - FIRST_BUILD
    site = work % len(SITES)
    cells = " ".join(GRID.names[cell] for cell in SITES[site])
    return f"{PAWNS[work // len(SITES) + 1]} build {SITE_SIZE[site]} {cells}"


def step_of(action: int) -> tuple[int, int, int]:
    """Kind of pawn, cell, and refuge of the subject hit (or NO_HIT) of a step, jump, hit or shift."""
    code = action - FIRST_STEP
    return code >> 12, code >> 6 & 63, code & 63


def parse(state: State, text: str) -> int:
    """The action that a notation means."""
    words = text.split(" ")
    cells = [GRID.cell_of.get(word, -1) for word in words]
    kind = PAWNS.find(words[0]) if len(words[0]) == 1 else -1
    match words:
        case ["stop"]:
            return STOP
        case ["end"]:
            return END
        case ["card", number] if number in CARD_OF:
            return CARD_OF[number]
        case [_, _] if kind >= 0 and cells[1] >= 0:
            return move_action(kind, cells[1], NO_HIT)
        case [_, _, "hit", _] if kind >= 0 and cells[1] >= 0 and cells[3] >= 0:
            return move_action(kind, cells[1], cells[3])
        case [_, "dig", _] if kind > 0 and cells[2] >= 0:
            return FIRST_DIG + (kind - 1) * CELLS + cells[2]
        case [_, "build", size, *_] if kind > 0 and size == str(len(words) - 3) and tuple(cells[3:]) in SITE_OF:
            return FIRST_BUILD + (kind - 1) * len(SITES) + SITE_OF[tuple(cells[3:])]
    raise IllegalMove(
        f'{quoted(text)} is no move of Schlossgarten; moves are written "card 17", "K d2", "G e3 hit b6", "stop", '
        '"G dig c4", "G build 3 c4 d4 d5" (cells in the order of column, then row), "end"'
    )


def objection(state: State, action: int) -> str:
    """Why an action is not legal now."""
    if state.phase == CARD:
        return "that card is not in the hand" if action < CARDS else "one of the two cards is to be played"
    if state.phase == MOVE:
        if action == STOP or not FIRST_STEP <= action < FIRST_DIG:
            return "the pawns are being moved; say stop first"
        return _step_objection(state, *step_of(action))
    if action == END or not action >= FIRST_DIG:
        return "the work is on: dig, build or end"
    if state.phase == BUILD and action < FIRST_BUILD:
        return "a turn has one excavation"
    return _work_objection(state, action)


def _step_objection(state: State, kind: int, cell: int, refuge: int) -> str:
    """Why a pawn may not go there. 3.2-3.5"""
    seat, at = state.seat, state.pawn[3 * state.seat + kind]
    name = GRID.names[cell]
    if cell == at:
        return f"the pawn stands on {name} already"
    if element_at(state, seat, at) >> cell & 1:
        return f"{name} is occupied" if pawns(state) >> cell & 1 else "this pawn has shifted and must first make a step"
    if state.steps == 0:
        return "all five steps are made"
    if not (state.up | state.own[seat]) >> cell & 1:
        return f"{name} is an excavation" if state.dug >> cell & 1 else f"{name} is another player's element"
    if pawns(state) >> cell & 1 and refuge == NO_HIT:
        return f"a pawn stands on {name}; another player's subject may be hit if its owner has a free element cell"
    return f"{PAWNS[kind]} can't go from {GRID.names[at]} to {name} in one step or jump" + (
        "" if refuge == NO_HIT else f" and send a subject to {GRID.names[refuge]}"
    )


def _work_objection(state: State, action: int) -> str:
    """Why this work may not be done. 4.2-4.4"""
    if action < FIRST_BUILD:
        worker, cell = (action - FIRST_DIG) // CELLS + 1, (action - FIRST_DIG) % CELLS
        if not standing(state) >> worker & 1:
            return f"{PAWNS[worker]} does not stand in the figure"
        return (
            f"{PAWNS[worker]} can't dig at {GRID.names[cell]}: a landscape tile next to it, without a pawn, can be dug"
        )
    worker, site = (action - FIRST_BUILD) // len(SITES) + 1, (action - FIRST_BUILD) % len(SITES)
    if state.phase == BUILD and worker != state.worker:
        return "only the digger may build now"
    if not standing(state) >> worker & 1:
        return f"{PAWNS[worker]} does not stand in the figure"
    if state.element[ELEMENTS * state.seat + 3 * (worker - 1) + SITE_SIZE[site] - 1] >= 0:
        return f"that element of {PAWNS[worker]} is on the board already"
    return "a site lies on excavations (one at least) and on whole elements, next to the worker, without a pawn on it"


def say_roll(state: State) -> str:
    """The new pile, its first card, drawn by now, included. 6"""
    return " ".join(["pile", *(str(card + 1) for card in state.pile[: state.pile_end])])


def play_roll(state: State, text: str) -> None:
    """Go on with the new pile that is written so. 3.1"""
    word, *numbers = text.split(" ") if isinstance(text, str) else [""]
    cards = [CARD_OF.get(number, -1) for number in numbers]
    if word != "pile" or sorted(cards) != list(members(state.discard)):
        due = " ".join(str(number) for number in numbers_of(state.discard))
        raise IllegalMove(f'{quoted(text)}: the new pile is due, "pile" and these cards in any order: {due}')
    state.pile[: len(cards)] = cards
    restock(state, len(cards))


def told(state: State, action: int, viewer: int | None) -> str:
    """An action as a viewer may know it: all of it."""
    return say(state, action)


def reveals(state: State, action: int) -> bool:
    """Whether the next card is drawn after the action: never within a turn. A played card may be taken back."""
    return False


# --- View ------------------------------------------------------------------------------------------------------


class Element(msgspec.Struct, frozen=True, kw_only=True):
    """An element in the garden."""

    seat: int
    worker: str
    """G or A, whose kind it is."""
    size: int
    cells: list[str]


class SchlossgartenMove(Move, frozen=True, kw_only=True):
    """A legal move. `pawn` is the pawn that goes or works; `refuge` where the subject hit goes."""

    kind: str
    """card, step, jump, shift, hit, stop, dig, build or end."""
    pawn: str | None = None
    refuge: str | None = None


class SchlossgartenView(View, frozen=True, kw_only=True):
    """What a seat may know of a game of Schlossgarten."""

    values: list[int]
    """The values of all tiles, cells a1 b1 … g7; they stay known when a tile is turned or kept."""
    up: list[str]
    excavations: list[str]
    elements: list[Element]
    pawns: list[list[str]]
    """Per seat the cells of king, gardener, architect."""
    kept: list[list[str]]
    """Per seat the cells whose tiles it keeps."""
    hand: list[int] | None
    hand_sizes: list[int]
    played: int | None
    steps_left: int
    shifted: list[str]
    standing: list[str]
    """The subjects (G, A) of the seat to move that stand in a figure of the played card now."""
    worker: str | None
    pile: int
    discard: list[int]
    """Cards played since the last shuffle."""
    held_over: list[int]
    """Cards that lay in hands at the last shuffle; everybody knows which, since the others lay open."""
    may_hold: list[list[int]]
    """Per seat the cards that the one it held at a shuffle may be, as everybody can tell; [] once it has played it."""
    turn: int
    """Turns ended so far, of all seats."""
    round: int
    deck: list[list[str]] | None
    """The rows of all cards; None is the house deck."""
    moves: list[SchlossgartenMove]


def view(state: State, viewer: int | None) -> SchlossgartenView:
    """All that a seat, or a spectator, may know."""
    over = state.phase == OVER
    seats = range(state.players)
    in_move = state.phase == MOVE
    workers = standing(state) if state.phase in (MOVE, WORK) else 0
    return SchlossgartenView(
        game=NAME,
        options={"players": state.players},
        viewer=viewer,
        seat=state.seat if state.seat >= 0 else None,
        over=over,
        phase=PHASES[state.phase],
        scores=_points(state),
        winners=list(members(winners(state))) if over else [],
        values=list(state.landscape),
        up=GRID.names_of(state.up),
        excavations=GRID.names_of(state.dug),
        elements=_elements(state),
        pawns=[[GRID.names[cell] for cell in state.pawn[3 * seat : 3 * seat + 3]] for seat in seats],
        kept=[GRID.names_of(state.kept[seat]) for seat in seats],
        hand=None if viewer is None else numbers_of(state.hand[viewer]),
        hand_sizes=[count_bits(state.hand[seat]) for seat in seats],
        played=None if state.played < 0 else state.played + 1,
        steps_left=state.steps if in_move else 0,
        shifted=[mark for kind, mark in enumerate(PAWNS) if in_move and state.shifted >> kind & 1],
        standing=[PAWNS[kind] for kind in members(workers)],
        worker=PAWNS[state.worker] if state.phase == BUILD else None,
        pile=state.pile_end - state.pile_at,
        discard=numbers_of(state.discard),
        held_over=numbers_of(state.held_over),
        may_hold=[numbers_of(state.may_hold[seat]) for seat in seats],
        turn=state.turn,
        round=min(state.turn // state.players + 1, ROUND_LIMIT),
        deck=None if tuple(state.pattern) == house_deck() else [rows_of(pattern) for pattern in state.pattern],
        moves=_view_moves(state) if viewer is not None and viewer == state.seat else [],
    )


def _elements(state: State) -> list[Element]:
    return [
        Element(
            seat=i // ELEMENTS,
            worker=PAWNS[i % ELEMENTS // 3 + 1],
            size=i % 3 + 1,
            cells=[GRID.names[cell] for cell in SITES[state.element[i]]],
        )
        for i in range(ELEMENTS * state.players)
        if state.element[i] >= 0
    ]


def _view_moves(state: State) -> list[SchlossgartenMove]:
    moves = [0] * MAX_MOVES
    n = legal(state, moves)
    return [_view_move(state, action) for action in moves[:n]]


def _view_move(state: State, action: int) -> SchlossgartenMove:
    text = say(state, action)
    if action < FIRST_STEP:
        kind = "card" if action < CARDS else "stop" if action == STOP else "end"
        return SchlossgartenMove(say=text, cells=[], points=0, kind=kind)
    if action < FIRST_DIG:
        pawn, cell, refuge = step_of(action)
        at = state.pawn[3 * state.seat + pawn]
        kind = "step" if NEAR[at] >> cell & 1 else "jump"
        if element_at(state, state.seat, at) >> cell & 1:
            kind = "shift"
        if refuge != NO_HIT:
            kind = "hit"
        return SchlossgartenMove(
            say=text,
            cells=[GRID.names[cell]],
            points=0,
            kind=kind,
            pawn=PAWNS[pawn],
            refuge=GRID.names[refuge] if refuge != NO_HIT else None,
        )
    if action < FIRST_BUILD:
        worker, cell = divmod(action - FIRST_DIG, CELLS)
        return SchlossgartenMove(say=text, cells=[GRID.names[cell]], points=0, kind="dig", pawn=PAWNS[worker + 1])
    worker, site = divmod(action - FIRST_BUILD, len(SITES))
    after = state.copy()
    play(after, action)
    gain = score(after, state.seat) - score(state, state.seat)
    cells = [GRID.names[cell] for cell in SITES[site]]
    return SchlossgartenMove(say=text, cells=cells, points=gain, kind="build", pawn=PAWNS[worker + 1])


# --- Redeal ----------------------------------------------------------------------------------------------------


def redeal(view: SchlossgartenView, chance: Chance) -> State:
    """A state that agrees with all the viewer has seen, uniform over hands and pile.

    A card that lay in a hand at a shuffle is there until it is played; all the others came off the new pile.
    """
    state = _open_state(view)
    mine = [] if view.viewer is None else [card - 1 for card in view.hand or []]
    if view.viewer is not None:
        state.hand[view.viewer] = mask_of(mine)
    seen = mask_of(mine) | state.discard | (1 << state.played if state.played >= 0 else 0)
    unseen = [card for card in range(CARDS) if not seen >> card & 1]
    for seat in range(state.players):
        if seat != view.viewer:
            state.hand[seat] = mask_of(unseen.pop() for _ in range(view.hand_sizes[seat]))
    state.pile[state.pile_at : state.pile_end] = unseen
    resample(state, -1 if view.viewer is None else view.viewer, chance.lanes)
    return state


@kernel
def resample(state: State, viewer: int, lanes: Numbers) -> None:
    """Lay the hands of the others and the pile anew, uniformly among what agrees with what everybody has seen.

    A card that lay in a hand at a shuffle is there until it is played; all the others came off the new pile. 3.1
    Mutates `state`, steps `lanes`.
    """
    for i in range(state.pile_at):
        state.pile[i] = 0  # tells who drew what
    unseen = 0
    for i in range(state.pile_at, state.pile_end):
        unseen |= 1 << state.pile[i]
    size = 0  # 8 bits a seat: the cards to be laid there
    for seat in range(state.players):
        if seat != viewer:
            unseen |= state.hand[seat]
            size |= count_bits(state.hand[seat]) << 8 * seat
            state.hand[seat] = 0
    for seat in range(state.players):
        if (seat != viewer) & (state.may_hold[seat] & unseen != 0):
            state.hand[seat] = 1 << draw_member(lanes, state.may_hold[seat] & unseen)
            unseen ^= state.hand[seat]
    for seat in range(state.players):
        if seat != viewer:
            while count_bits(state.hand[seat]) < (size >> 8 * seat & 255):
                card = draw_member(lanes, unseen)
                unseen ^= 1 << card
                state.hand[seat] |= 1 << card
    for i in range(state.pile_at, state.pile_end):
        state.pile[i] = draw_member(lanes, unseen)
        unseen ^= 1 << state.pile[i]


def _open_state(view: SchlossgartenView) -> State:
    """What everybody sees, as a state without hands and pile."""
    state = new_state(view.options, view.deck)
    state.phase = PHASES.index(view.phase)
    state.seat = CHANCE if view.phase == "pile" else NOBODY if view.seat is None else view.seat
    state.turn = view.turn
    state.played = -1 if view.played is None else view.played - 1
    state.steps = view.steps_left
    state.shifted = mask_of(PAWNS.index(mark) for mark in view.shifted)
    state.worker = -1 if view.worker is None else PAWNS.index(view.worker)
    state.pile_end = CARDS - len(view.held_over)
    state.pile_at = state.pile_end - view.pile
    state.landscape = list(view.values)
    state.pawn = [-1] * len(state.pawn)
    for seat, cells in enumerate(view.pawns):
        state.pawn[3 * seat : 3 * seat + 3] = [GRID.cell_of[cell] for cell in cells]
    state.element = [-1] * len(state.element)
    for element in view.elements:
        site = tuple(GRID.cell_of[cell] for cell in element.cells)
        kind = 3 * (PAWNS.index(element.worker) - 1) + element.size - 1
        state.element[ELEMENTS * element.seat + kind] = SITE_OF[site]
        state.own[element.seat] |= mask_of(site)
    for seat, cells in enumerate(view.kept):
        state.kept[seat] = GRID.mask_of_names(cells)
        state.tile_points[seat] = sum(view.values[cell] for cell in members(state.kept[seat]))
    state.up = GRID.mask_of_names(view.up)
    state.dug = GRID.mask_of_names(view.excavations)
    state.discard = mask_of(card - 1 for card in view.discard)
    state.held_over = mask_of(card - 1 for card in view.held_over)
    for seat, cards in enumerate(view.may_hold):
        state.may_hold[seat] = mask_of(card - 1 for card in cards)
    return state


# --- Score sheet -----------------------------------------------------------------------------------------------


def sheet(state: State, plies: Iterable[tuple[State, int]]) -> Sheet:
    """Which tiles each seat keeps and which elements it has in the garden. 4.6"""
    entries = []
    for seat in range(state.players):
        for cell in members(state.kept[seat]):
            name = GRID.names[cell]
            entries.append(Entry(seat=seat, kind="tile", name=name, points=state.landscape[cell], cells=[name]))
        for element in _elements(state):
            if element.seat == seat:
                name = f"{element.worker}{element.size}"
                entries.append(
                    Entry(
                        seat=seat,
                        kind="element",
                        name=name,
                        points=element.size,
                        cells=element.cells,
                    )
                )
    return Sheet(
        game=NAME,
        entries=entries,
        scores=_points(state),
        winners=list(members(winners(state))) if state.phase == OVER else [],
    )
