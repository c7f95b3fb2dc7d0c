"""How the text of a position of Schlossgarten is read. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.core.positions.position_reading import (
    COLON,
    DOT,
    ZERO,
    Reader,
    begin_fault,
    check_once,
    check_parts,
    count_items,
    count_parts,
    fault,
    fault_of_name,
    fault_of_numbers,
    field,
    has,
    item,
    length_of,
    part,
    part_between,
    read_hand,
    read_name,
    read_names,
    read_number,
    start_of,
)
from bosquet.core.positions.position_text import put_items
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.core.text.writing import put, texts
from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

from .board import (
    BOARD,
    BUILD,
    CARD,
    CELLS,
    ELEMENTS,
    GARDENER,
    GRID,
    MAX_PLAYERS,
    MOVE,
    OVER,
    PAWNS,
    PILE,
    ROUND_LIMIT,
    SITE_MASK,
    STEPS,
    WINNING_POINTS,
    WORK,
    State,
)
from .box import VALUES
from .constellations import CARDS, MAX_WIDTH, OFFSETS, offset
from .position import lay_unseen
from .rules import score, standing
from .writing import PHASE_TEXTS
from .writing_moves import CARD_TEXTS, CELL_TEXTS, ELEMENT_TEXTS, PAWN_TEXTS, SITE_CELLS

SUBJECT_TEXTS = texts(*PAWNS[GARDENER:])
GRID_WIDTH = GRID.width
KING_MARK, GARDENER_MARK, ARCHITECT_MARK, NO_MARK = b"KGA_"


@kernel
def read_position(position: State, viewer: int, reader: Reader) -> None:
    """Set a new state with its options to a position.

    The position need not have come about in a game; what cannot lie on a table is a fault.
    """
    read_box(position, reader)
    position.turn = read_number(reader, field(reader, b"turn"), 0, ROUND_LIMIT * position.players)
    position.phase = read_name(reader, field(reader, b"phase"), PHASE_TEXTS, b"phase")
    read_garden(position, reader)
    read_elements(position, reader)
    read_pawns(position, reader)
    read_turn(position, reader)
    read_cards(position, viewer, reader)
    if not reader.is_faulty:
        check_phase(position, reader)


# --- The box ---------------------------------------------------------------------------------------------------


@kernel
def read_box(position: State, reader: Reader) -> None:
    """Read what is not in the house box. 1.1, 1.4, 2.2"""
    if has(reader, b"deck"):
        deck = check_parts(reader, field(reader, b"deck"), CARDS, b"card")
        for card in range(CARDS):
            position.pattern[card] = read_pattern(reader, part(reader, deck, card))
    if has(reader, b"tiles"):
        tiles, total = field(reader, b"tiles"), 0
        n = count_items(reader, tiles)
        if n != len(VALUES):
            fault_of_numbers(reader, tiles, b"has # entries; it must have #", n, len(VALUES))
        for i in range(len(VALUES)):
            position.tiles[i] = read_number(reader, item(reader, tiles, i), 0, CELLS)
            total += position.tiles[i]
        if total != CELLS:
            fault_of_numbers(reader, tiles, b"has # tiles; the board has # cells", total, CELLS)
    if has(reader, b"starts"):
        starts, taken = check_parts(reader, field(reader, b"starts"), position.players, b"seat"), 0
        for seat in range(position.players):
            taken = read_stand(part(reader, starts, seat), seat, BOARD, taken, position.start, reader)


@kernel
def read_pattern(reader: Reader, word: int) -> int:
    """Return the pattern of a card, of which the rows stand between colons. 1.4"""
    rows, width = count_parts(reader, word, COLON), length_of(part_between(reader, word, COLON, 0))
    is_card = (rows <= MAX_WIDTH) & (width > 0) & (width <= MAX_WIDTH)
    king = gardener = architect = -1
    for row in range(min(rows, MAX_WIDTH)):
        line = part_between(reader, word, COLON, row)
        is_card &= length_of(line) == width
        for column in range(length_of(line)):
            mark, place = reader.bytes[start_of(line) + column], row * MAX_WIDTH + column
            if (mark == KING_MARK) & (king < 0):
                king = place
            elif (mark == GARDENER_MARK) & (gardener < 0):
                gardener = place
            elif (mark == ARCHITECT_MARK) & (architect < 0):
                architect = place
            else:
                is_card &= mark == NO_MARK
    if (not is_card) | (king < 0) | (gardener < 0) | (architect < 0):
        fault(reader, word, b"must be 1 to 5 rows, equally long, with K, G and A once each, such as ___:_G_:K_A")
        return 0
    return offset_between(king, gardener) * OFFSETS + offset_between(king, architect)


@kernel
def offset_between(king: int, subject: int) -> int:
    """Return the offset from the king of a subject, by their places on a card."""
    return offset(subject % MAX_WIDTH - king % MAX_WIDTH, king // MAX_WIDTH - subject // MAX_WIDTH)


@kernel
def read_stand(word: int, seat: int, ground: int, taken: int, cells: Numbers, reader: Reader) -> int:
    """Read where king, gardener and architect of a seat stand, on some ground; return the cells that are taken then."""
    if count_parts(reader, word, DOT) != len(PAWN_TEXTS):
        fault(reader, word, b"must have 3 cells, of KGA")
    for kind in range(len(PAWN_TEXTS)):
        cell = item(reader, word, kind)
        at = read_name(reader, cell, CELL_TEXTS, b"cell")
        if ground >> at & 1 == 0:
            fault(reader, cell, b"is neither a tile that lies up nor an element of the pawn's seat")
        taken = check_once(reader, cell, 1 << at, taken, CELL_TEXTS, b"a pawn at")
        cells[3 * seat + kind] = at
    return taken


# --- The garden ------------------------------------------------------------------------------------------------


@kernel
def read_cells(word: int, free: int, reader: Reader) -> int:
    """Return cells as a set. A fault for one that is not in another set."""
    cells = read_names(reader, word, CELL_TEXTS, b"cell")
    check_once(reader, word, cells, BOARD & ~free, CELL_TEXTS, b"cell")
    return cells


@kernel
def read_garden(position: State, reader: Reader) -> None:
    """Read the values of the tiles, and which are dug up or kept. 1.1, 4.3, 4.5"""
    garden = check_parts(reader, field(reader, b"garden"), GRID_WIDTH, b"row of the garden")
    for cell in range(CELLS):
        row = part(reader, garden, cell // GRID_WIDTH)
        value = 0
        if length_of(row) == GRID_WIDTH:
            value = reader.bytes[start_of(row) + cell % GRID_WIDTH] - ZERO
        if (value < 1) | (value > len(VALUES)):
            fault_of_numbers(reader, row, b"must be # values of tiles, 1 to #", GRID_WIDTH, len(VALUES))
            value = 0
        position.landscape[cell] = value
    for value in range(1, len(VALUES) + 1):
        found = 0
        for cell in range(CELLS):
            found += position.landscape[cell] == value
        if found != position.tiles[value - 1]:
            fault_of_numbers(reader, garden, b"has # tiles of #; the box has another number", found, value)
    position.dug = read_cells(field(reader, b"dug"), BOARD, reader)
    position.up = BOARD & ~position.dug
    lists = check_parts(reader, field(reader, b"kept"), position.players, b"seat")
    for seat in range(position.players):
        cells = read_cells(part(reader, lists, seat), position.up, reader)
        position.kept[seat] = cells
        position.up &= ~cells
        while cells:
            position.tile_points[seat] += position.landscape[lowest_bit(cells)]
            cells &= cells - 1


@kernel
def read_elements(position: State, reader: Reader) -> None:
    """Read the elements of each seat; they cover the cells whose tiles are kept. 1.3, 4.4, 4.5"""
    for i in range(ELEMENTS * MAX_PLAYERS):
        position.element[i] = -1
    bare = BOARD & ~(position.up | position.dug)
    lists = check_parts(reader, field(reader, b"elements"), position.players, b"seat")
    for seat in range(position.players):
        word = part(reader, lists, seat)
        for i in range(min(count_items(reader, word), ELEMENTS + 1)):  # of one more, one is there twice
            bare = read_element(position, seat, item(reader, word, i), bare, reader)
    if bare:
        fault_of_name(reader, field(reader, b"kept"), b"has #, which no element covers", CELL_TEXTS, lowest_bit(bare))


@kernel
def read_element(position: State, seat: int, word: int, bare: int, reader: Reader) -> int:
    """Read an element, such as `G2:c4:d4`, on some of the cells that are bare; return the others."""
    kind = read_name(reader, part_between(reader, word, COLON, 0), ELEMENT_TEXTS, b"element")
    size = count_parts(reader, word, COLON) - 1
    first, second = cell_of(word, 1, size, reader), cell_of(word, 2, size, reader)
    third = cell_of(word, 3, size, reader)
    site = -1
    for other in range(len(SITE_MASK)):
        cells = SITE_CELLS[other]
        if (cells[0] == first) & (cells[1] == second) & (cells[2] == third):
            site = other
    place = ELEMENTS * seat + kind
    if (site < 0) | (size != kind % 3 + 1):
        fault(reader, word, b"is no element; an element of size 2 is written like G2:c4:d4")
    elif position.element[place] >= 0:
        fault_of_name(reader, word, b"is another # of its seat, which has one", ELEMENT_TEXTS, kind)
    elif SITE_MASK[site] & ~bare:
        fault(reader, word, b"does not lie on kept tiles that no other element covers")
    else:
        position.element[place] = site
        position.own[seat] |= SITE_MASK[site]
        bare &= ~SITE_MASK[site]
    return bare


@kernel
def cell_of(word: int, i: int, size: int, reader: Reader) -> int:
    """Return a cell of an element, counted from 1, or -1 beyond its size."""
    return read_name(reader, part_between(reader, word, COLON, i), CELL_TEXTS, b"cell") if i <= size else -1


@kernel
def read_pawns(position: State, reader: Reader) -> None:
    """Read the cells of king, gardener and architect of each seat. 1.3, 3.3, 3.5"""
    for i in range(3 * MAX_PLAYERS):
        position.pawn[i] = -1
    taken = 0
    lists = check_parts(reader, field(reader, b"pawns"), position.players, b"seat")
    for seat in range(position.players):
        ground = position.up | position.own[seat]
        taken = read_stand(part(reader, lists, seat), seat, ground, taken, position.pawn, reader)


# --- The turn --------------------------------------------------------------------------------------------------


@kernel
def read_turn(position: State, reader: Reader) -> None:
    """Read how far the turn is. 3.1-3.7, 4.2"""
    phase = position.phase
    position.played = position.worker = -1
    is_played = (phase == MOVE) | (phase == WORK) | (phase == BUILD)
    if is_played or (phase == OVER and has(reader, b"card")):
        position.played = read_name(reader, field(reader, b"card"), CARD_TEXTS, b"card")
    if phase == MOVE:
        position.steps = read_number(reader, field(reader, b"steps"), 0, STEPS)
        position.shifted = read_names(reader, field(reader, b"shifted"), PAWN_TEXTS, b"pawn")
    if phase == BUILD:
        position.worker = GARDENER + read_name(reader, field(reader, b"worker"), SUBJECT_TEXTS, b"subject")
    position.seat = position.turn % position.players
    if phase == OVER:
        position.seat = NOBODY
    elif phase == PILE:
        position.seat = CHANCE


@kernel
def read_cards(position: State, viewer: int, reader: Reader) -> None:
    """Read where the cards are, and what is known of those that were in hands at a shuffle. 3.1"""
    seats, seen, sizes = position.players, 0, 0
    left = CARDS
    if position.played >= 0:
        seen = 1 << position.played
        left -= 1
    discard = field(reader, b"discard")
    position.discard = read_names(reader, discard, CARD_TEXTS, b"card")
    seen = check_once(reader, discard, position.discard, seen, CARD_TEXTS, b"card")
    hands = check_parts(reader, field(reader, b"hands"), seats, b"seat")
    for seat in range(seats):
        size = 1 + ((position.phase == CARD) & (seat == position.seat))
        held = read_hand(reader, part(reader, hands, seat), seat, size, seat == viewer, CARD_TEXTS, b"card")
        seen = check_once(reader, hands, held, seen, CARD_TEXTS, b"card")
        position.hand[seat] = held
        sizes |= size << 8 * seat
        left -= size
    read_held_over(position, viewer, reader)
    thrown = count_bits(position.discard)
    left -= thrown
    position.pile_end = CARDS - count_bits(position.held_over)
    position.pile_at = position.pile_end - left
    if (left < 0) | (left > position.pile_end):
        fault_of_numbers(reader, discard, b"has # cards, which leaves # for the pile", thrown, left)
    if (position.phase == PILE) & (left != 0):
        complaint = b"is due when the pile is empty; there are # cards"
        fault_of_numbers(reader, field(reader, b"phase"), complaint, left, 0)
    if not reader.is_faulty:
        lay_unseen(position, sizes)


@kernel
def read_held_over(position: State, viewer: int, reader: Reader) -> None:
    """Read which cards were in hands at the last shuffle, and who may still hold which of them. 3.1"""
    seats, held = position.players, field(reader, b"held")
    position.held_over = read_names(reader, held, CARD_TEXTS, b"card")
    n = count_bits(position.held_over)
    if (n != 0) & (n != seats):
        fault_of_numbers(reader, held, b"has # cards; each seat held one at a shuffle, or none was", n, 0)
    may = check_parts(reader, field(reader, b"may"), seats, b"seat")
    for seat in range(seats):
        position.may_hold[seat] = read_names(reader, part(reader, may, seat), CARD_TEXTS, b"card")
    rest = position.held_over & ~position.discard
    if position.played >= 0:
        rest &= ~(1 << position.played)
    for seat in range(seats):
        cards, alike, is_new = position.may_hold[seat], 0, True
        for other in range(seats):
            alike += position.may_hold[other] == cards
            is_new &= (other >= seat) | (position.may_hold[other] != cards)
        if is_new & (cards != 0):
            if (cards & ~rest != 0) | (count_bits(cards) != alike):
                fault(reader, may, b"must give as many seats the same cards of `held` as these are, not played yet")
            rest &= ~cards
    if rest:
        complaint = b"names nobody who may hold #, which is in a hand since the shuffle"
        fault_of_name(reader, may, complaint, CARD_TEXTS, lowest_bit(rest))
    if viewer >= 0:
        check_own(position, viewer, part(reader, may, viewer), reader)


@kernel
def check_own(position: State, viewer: int, word: int, reader: Reader) -> None:
    """Check that the viewer holds one of its own candidates, and nothing else that was in a hand at a shuffle."""
    hand, may_hold = position.hand[viewer], position.may_hold[viewer]
    due = 1 if may_hold else 0
    if (hand & position.held_over & ~may_hold != 0) | (count_bits(hand & may_hold) != due):
        if begin_fault(reader, word):
            put(reader, b"does not fit the hand, ")
            put_items(reader, CARD_TEXTS, hand)


@kernel
def check_phase(position: State, reader: Reader) -> None:
    """Check that the turn can have come to its phase, and that the game is over if and only if it must be. 4.2, 5"""
    phase = field(reader, b"phase")
    mover = position.turn % position.players
    has_ended = position.turn == ROUND_LIMIT * position.players
    winners, most = 0, 0
    for seat in range(position.players):
        points = score(position, seat)
        most = max(most, points)
        if points >= WINNING_POINTS:
            winners |= 1 << seat
    if (winners & ~(1 << mover) != 0) | ((winners != 0) & (position.played < 0)):
        seat = lowest_bit(winners)
        complaint = b"gives seat # # points, with which a turn had won"
        fault_of_numbers(reader, field(reader, b"kept"), complaint, seat, score(position, seat))
    is_over = has_ended | (winners != 0)
    if ((position.phase == OVER) != is_over) | (has_ended & (position.played >= 0)):
        fault_of_numbers(reader, phase, b"does not fit # turns and # points", position.turn, most)
    workers = 0
    if (position.phase == WORK) | (position.phase == BUILD):
        workers = standing(position)
        if workers == 0:
            fault(reader, phase, b"needs a figure of the card in which a subject of the seat to move stands")
    if position.phase == BUILD:
        if (position.dug == 0) | (workers >> position.worker & 1 == 0):
            fault(
                reader,
                field(reader, b"worker"),
                b"can't have dug: it must stand in the figure, and an excavation be open",
            )
