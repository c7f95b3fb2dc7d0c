"""Der Prestel Schlossgarten (Ulf Siebert, 2004), 2-4 players.

Comments cite the rulings in docs/rules/schlossgarten.md (`# 3.2`).
"""

from __future__ import annotations

from typing import Any

from bosquet.core.inputs.deals import lay
from bosquet.core.rng import draw_member, shuffle
from bosquet.core.state import CHANCE, NOBODY, Numbers, Options
from bosquet.kernels.bits import count_bits, lowest_bit, members
from bosquet.kernels.jit import kernel

from .board import ACTIONS as ACTIONS
from .board import (
    ARCHITECT,
    BOARD,
    BUILD,
    CARD,
    CELLS,
    EDGE_NEAR,
    ELEMENTS,
    END,
    FIRST_BUILD,
    FIRST_DIG,
    FIRST_SITE,
    GARDENER,
    MAX_PLAYERS,
    MOVE,
    NEAR,
    OVER,
    OVER_BORDERING,
    OVER_ELEMENTS,
    PILE,
    ROTATIONS,
    ROUND_LIMIT,
    SITE_MASK,
    SITE_SIZE,
    STEPS,
    STOP,
    WINNING_POINTS,
    WORK,
    covered,
    figure_cell,
    pawns,
    subjects,
)
from .board import MAX_MOVES as MAX_MOVES
from .board import State as State
from .box import Box, load_box
from .constellations import CARDS, OFFSETS
from .walking import move_pawn, pawn_moves

# --- 2 Deal ----------------------------------------------------------------------------------------------------


@kernel
def deal(state: State, rng_state: Numbers) -> None:
    """Deal a new game. Reads options and box of `state`, overwrites the rest, advances `rng_state`. 2.1"""
    cell = 0
    for value in range(1, 4):
        for _ in range(state.tiles[value - 1]):
            state.landscape[cell] = value
            cell += 1
    shuffle(rng_state, state.landscape, CELLS)
    for card in range(CARDS):
        state.pile[card] = card
    shuffle(rng_state, state.pile, CARDS)
    begin(state)


@kernel
def begin(state: State) -> None:
    """Start the game from the shuffled `state.landscape` and `state.pile`; the hands are drawn from the pile."""
    state.pile_at = 0
    state.pile_end = CARDS
    for seat in range(MAX_PLAYERS):
        state.hand[seat] = 0
        state.may_hold[seat] = 0
        state.own[seat] = 0
        state.kept[seat] = 0
        state.tile_points[seat] = 0
        for kind in range(3):
            state.pawn[3 * seat + kind] = state.start[3 * seat + kind]  # 2.2
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
    """Begin the turn of the seat to move: it draws a card. The pile must not be empty. 3.1"""
    draw_card(state, state.seat)
    state.played = -1
    state.steps = 0
    state.shifted = 0
    state.worker = -1
    state.phase = CARD


@kernel
def sample_chance(state: State, rng_state: Numbers) -> None:
    """Apply the chance event: shuffle the discard into a new pile. Advances `rng_state`. 3.1"""
    n = 0
    cards = state.discard
    while cards:
        state.pile[n] = lowest_bit(cards)
        cards &= cards - 1
        n += 1
    shuffle(rng_state, state.pile, n)
    restock(state, n)


@kernel
def restock(state: State, n: int) -> None:
    """Continue with the first n cards of `state.pile`, the shuffled discard.

    All cards that are not in hands lay face up in the discard. A seat that still has the card it held at an earlier
    shuffle holds one of its earlier candidates; every other seat holds one of the remaining cards.
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
    """Write every legal action into `moves`; return their number."""
    n = 0
    if state.phase == MOVE:
        occupied = pawns(state)
        folk = subjects(state, GARDENER) | subjects(state, ARCHITECT)
        if covered(state) & ~occupied == 0:
            hittable = 0  # no seat has a free cell to which its subject could be sent
        else:
            hittable = folk & state.up
        for kind in range(3):
            n = pawn_moves(state, kind, occupied, folk, hittable, moves, n)
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
        workers = builders(state)
        for worker in range(GARDENER, ARCHITECT + 1):
            if workers >> worker & 1:
                n = builds(state, worker, moves, n)
        moves[n] = END
        n += 1
    return n


@kernel
def play(state: State, action: int) -> None:
    """Apply a legal action."""
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
    """Play a card face up. If the seat held it at a shuffle, every seat can see that. 3.1"""
    state.hand[state.seat] ^= 1 << card
    if state.may_hold[state.seat] >> card & 1:
        state.may_hold[state.seat] = 0
        for seat in range(state.players):
            state.may_hold[seat] &= ~(1 << card)
    state.played = card
    state.steps = STEPS
    state.phase = MOVE


@kernel
def end_turn(state: State) -> None:
    """Discard the card; give the turn to the next seat, or end the game. 3.1, 5.2"""
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
    """Return which subjects of the seat to move stand in a figure of the played card, as a mask of kinds. 4.1, 4.2"""
    king = state.pawn[3 * state.seat]
    own_gardener = state.pawn[3 * state.seat + GARDENER]
    own_architect = state.pawn[3 * state.seat + ARCHITECT]
    gardeners = subjects(state, GARDENER)
    architects = subjects(state, ARCHITECT)
    pattern = state.pattern[state.played]
    workers = 0
    for turn in range(ROTATIONS):
        gardener = figure_cell(king, turn, pattern // OFFSETS)
        architect = figure_cell(king, turn, pattern % OFFSETS)
        if (gardener >= 0) & (architect >= 0):
            if (gardeners >> gardener & 1) & (architects >> architect & 1):
                workers |= (gardener == own_gardener) << GARDENER | (architect == own_architect) << ARCHITECT
    return workers


@kernel
def builders(state: State) -> int:
    """Return which subjects of the seat to move may build after a dig, as a mask of kinds. 4.2"""
    return standing(state) if state.each_works else 1 << state.worker


@kernel
def digs(state: State, worker: int, moves: Numbers, n: int) -> int:
    """Write the digs of a worker; return the new end of `moves`. 4.3"""
    cells = NEAR[state.pawn[3 * state.seat + worker]] & state.up & ~pawns(state)
    while cells:
        moves[n] = FIRST_DIG + (worker - 1) * CELLS + lowest_bit(cells)
        cells &= cells - 1
        n += 1
    return n


@kernel
def builds(state: State, worker: int, moves: Numbers, n: int) -> int:
    """Write the builds of a worker; return the new end of `moves`. 4.4"""
    if (state.dug == 0) & (state.overbuild != OVER_ELEMENTS):
        return n
    near = NEAR[state.pawn[3 * state.seat + worker]]
    built = covered(state)
    closed = state.up | pawns(state)
    for size in range(1, 4):
        if state.element[ELEMENTS * state.seat + 3 * (worker - 1) + size - 1] < 0:
            for site in range(FIRST_SITE[size], FIRST_SITE[size + 1]):
                cells = SITE_MASK[site]
                if is_open(state, cells, built, closed) & (cells & near != 0):
                    if cells & built == 0 or may_cover(state, cells, built):
                        moves[n] = FIRST_BUILD + (worker - 1) * len(SITE_MASK) + site
                        n += 1
    return n


@kernel
def is_open(state: State, cells: int, built: int, closed: int) -> bool:
    """Return whether a site is open to builders, after one dig at most; `may_cover` checks what it covers. 4.4

    `built` are the cells of all elements, `closed` those where nobody can build now.
    """
    fresh = cells & state.up
    enough = (cells & ~built != 0) | (state.overbuild == OVER_ELEMENTS)
    return (cells & closed == 0) & (fresh & (fresh - 1) == 0) & enough


@kernel
def may_cover(state: State, cells: int, built: int) -> bool:
    """Return whether every element that a site touches may be built over; `built` are the cells of all elements. 4.4"""
    return covers_whole(state, cells) and borders(state, cells, built)


@kernel
def covers_whole(state: State, cells: int) -> bool:
    """Return whether every element that a site touches lies wholly inside it and is smaller. 4.4"""
    for i in range(ELEMENTS * state.players):
        if state.element[i] >= 0:
            element = SITE_MASK[state.element[i]]
            if (element & cells != 0) & ((element & ~cells != 0) | (element == cells)):
                return False
    return True


@kernel
def borders(state: State, cells: int, built: int) -> bool:
    """Return whether every element that a site touches borders an excavation of it, if `overbuild` is so. 4.4"""
    if state.overbuild != OVER_BORDERING:
        return True
    excavations = cells & ~built
    beside = 0
    while excavations:
        beside |= EDGE_NEAR[lowest_bit(excavations)]
        excavations &= excavations - 1
    for i in range(ELEMENTS * state.players):
        if state.element[i] >= 0:
            element = SITE_MASK[state.element[i]]
            if (element & cells != 0) & (element & beside == 0):
                return False
    return True


@kernel
def dig(state: State, work: int) -> None:
    """Apply a dig: turn a tile over. 4.3"""
    cell = work % CELLS
    state.up ^= 1 << cell
    state.dug |= 1 << cell
    state.worker = work // CELLS + 1
    state.phase = BUILD


@kernel
def build(state: State, work: int) -> None:
    """Apply a build: place the element, keep the tiles of its excavations, return covered elements. 4.5, 5.1"""
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
def gain_of(state: State, cells: int, built: int) -> int:
    """Return what the seat to move gains by an element on some cells; `built` are those of all elements. 4.5, 4.6"""
    gain = count_bits(cells & ~state.own[state.seat])
    tiles = cells & ~built
    while tiles:
        gain += state.landscape[lowest_bit(tiles)]
        tiles &= tiles - 1
    return gain


@kernel
def score(state: State, seat: int) -> int:
    """Return the current points of a seat. 4.6"""
    return state.tile_points[seat] + count_bits(state.own[seat])


# --- 5 End -----------------------------------------------------------------------------------------------------


@kernel
def scores(state: State, points: Numbers) -> None:
    """Write the current score of every seat into `points`."""
    for seat in range(state.players):
        points[seat] = score(state, seat)


@kernel
def winners(state: State) -> int:
    """Return the winning seats of a finished game as a bit mask. 5.1, 5.2"""
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
    """Return the points and winners of a finished game."""
    return {"scores": _points(state), "winners": list(members(winners(state)))}


def _points(state: State) -> list[int]:
    return [score(state, seat) for seat in range(state.players)]


# --- Options, hidden information -------------------------------------------------------------------------------

NAME = "schlossgarten"

TITLE = "Schlossgarten"

OPTIONS: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4),
    "work": ("one", "each"),
    "overbuild": ("site", "elements", "bordering"),
}


def new_state(options: Options, box: Any = None) -> State:
    """Return a state with its options and box set, ready for `deal`. `box` is as in `box.load_box`.

    Raises OptionError.
    """
    state = State()
    state.players = options["players"]
    state.each_works = int(options.get("work") == "each")
    state.overbuild = OPTIONS["overbuild"].index(options.get("overbuild", "site"))
    set_box(state, load_box(box, state.players))
    return state


def set_box(state: State, box: Box) -> None:
    """Set the box of a state before its deal."""
    lay(state, box._asdict())


def options_of(state: State) -> dict[str, Any]:
    """Return the options of a state by name."""
    return {
        "players": state.players,
        "work": OPTIONS["work"][state.each_works],
        "overbuild": OPTIONS["overbuild"][state.overbuild],
    }


@kernel
def is_irreversible(state: State, action: int) -> bool:
    """Return False. Cards are drawn between turns only, so every action of a turn may be undone, a played card too."""
    return False


@kernel
def determinize_in_place(state: State, viewer: int, rng_state: Numbers) -> None:
    """Redistribute the hands of the other seats and the pile, uniformly among what is consistent with the play so far.

    A card that was in a hand at a shuffle stays there until it is played; all other cards in hands were drawn from the
    new pile. 3.1 Mutates `state`, advances `rng_state`.
    """
    for i in range(state.pile_at):
        state.pile[i] = 0  # drawn cards: they would reveal the hands
    for i in range(state.pile_end, CARDS):
        state.pile[i] = 0  # cards of the pile before: the last of them are in hands
    unseen = 0
    for i in range(state.pile_at, state.pile_end):
        unseen |= 1 << state.pile[i]
    size = 0  # 8 bits per seat: the number of cards to deal to it
    for seat in range(state.players):
        if seat != viewer:
            unseen |= state.hand[seat]
            size |= count_bits(state.hand[seat]) << 8 * seat
            state.hand[seat] = 0
    for seat in range(state.players):
        if (seat != viewer) & (state.may_hold[seat] & unseen != 0):
            state.hand[seat] = 1 << draw_member(rng_state, state.may_hold[seat] & unseen)
            unseen ^= state.hand[seat]
    for seat in range(state.players):
        if seat != viewer:
            while count_bits(state.hand[seat]) < (size >> 8 * seat & 255):
                card = draw_member(rng_state, unseen)
                unseen ^= 1 << card
                state.hand[seat] |= 1 << card
    for i in range(state.pile_at, state.pile_end):
        state.pile[i] = draw_member(rng_state, unseen)
        unseen ^= 1 << state.pile[i]
