"""The text of positions of Schlossgarten. Format: docs/positions.md."""

from __future__ import annotations

from collections.abc import Sequence

from bosquet.core.errors import PositionError, RecordError
from bosquet.core.position import packed_sizes
from bosquet.core.position_text import (
    Fields,
    Word,
    begin_field,
    check_once,
    put_hands,
    put_items,
    put_name,
    put_seat,
    put_sets,
    read_hands,
    separate,
)
from bosquet.core.state import CHANCE, NOBODY
from bosquet.core.writing import Text, put, put_number, put_row
from bosquet.kernels.bits import members
from bosquet.kernels.jit import kernel

from .board import (
    BOARD,
    BUILD,
    CARD,
    CELLS,
    ELEMENTS,
    GRID,
    MAX_PLAYERS,
    MOVE,
    OVER,
    PAWNS,
    PILE,
    ROUND_LIMIT,
    SITE_MASK,
    SITE_SIZE,
    STARTS,
    STEPS,
    WINNING_POINTS,
    WORK,
    State,
)
from .box import VALUES, read_box
from .constellations import CARDS
from .notation import CARD_NUMBERS, CARD_OF, SITE_OF
from .position import PHASES, lay_unseen
from .rules import score, set_box, standing
from .writing import (
    HOUSE_DECK,
    HOUSE_TILES,
    LOW_LINE,
    OVERBUILD_TEXTS,
    PHASE_TEXTS,
    WORK_TEXTS,
    differ,
    frame_width,
    put_card_row,
)
from .writing_moves import CARD_TEXTS, CELL_TEXTS, ELEMENT_TEXTS, PAWN_TEXTS, SITE_CELLS

PHASE_OF = {name: phase for phase, name in enumerate(PHASES)}
PAWN_OF = {mark: kind for kind, mark in enumerate(PAWNS)}
SUBJECT_OF = {mark: kind for mark, kind in PAWN_OF.items() if kind}
ELEMENT_OF = {f"{mark}{size}": 3 * (kind - 1) + size - 1 for mark, kind in SUBJECT_OF.items() for size in range(1, 4)}
GRID_WIDTH = GRID.width


@kernel
def write_options(position: State, out: Text) -> None:
    """Write the fields of the options."""
    begin_field(out, b"players")
    put_number(out, position.players)
    if position.each_works:
        put_name(out, b"work", WORK_TEXTS, 1)
    if position.overbuild:
        put_name(out, b"overbuild", OVERBUILD_TEXTS, position.overbuild)


@kernel
def write_position(position: State, viewer: int, out: Text) -> None:
    """Write the fields of a position."""
    seats = position.players
    write_box(position, out)
    begin_field(out, b"turn")
    put_number(out, position.turn)
    put_name(out, b"phase", PHASE_TEXTS, position.phase)
    put_seat(out, b"seat", position.seat)
    begin_field(out, b"points")
    for seat in range(seats):
        separate(out, b",", seat)
        put_number(out, score(position, seat))
    begin_field(out, b"garden")
    for cell in range(CELLS):
        if cell % GRID_WIDTH == 0:
            separate(out, b",", cell)
        put_number(out, position.landscape[cell])
    begin_field(out, b"dug")
    put_items(out, CELL_TEXTS, position.dug)
    put_sets(out, b"kept", CELL_TEXTS, position.kept, seats)
    begin_field(out, b"elements")
    for seat in range(seats):
        separate(out, b",", seat)
        put_elements(position, seat, out)
    begin_field(out, b"pawns")
    put_pawns(position.pawn, seats, out)
    write_turn(position, out)
    put_hands(out, CARD_TEXTS, position.hand, seats, 1 << viewer if viewer >= 0 else 0)
    begin_field(out, b"pile")
    put_number(out, position.pile_end - position.pile_at)
    begin_field(out, b"discard")
    put_items(out, CARD_TEXTS, position.discard)
    begin_field(out, b"held")
    put_items(out, CARD_TEXTS, position.held_over)
    put_sets(out, b"may", CARD_TEXTS, position.may_hold, seats)


@kernel
def write_turn(position: State, out: Text) -> None:
    """Write how far the turn is. 3.1-3.7, 4.2"""
    put_name(out, b"card", CARD_TEXTS, position.played)
    if position.phase == MOVE:
        begin_field(out, b"steps")
        put_number(out, position.steps)
        begin_field(out, b"shifted")
        put_items(out, PAWN_TEXTS, position.shifted)
    if position.phase == BUILD:
        put_name(out, b"worker", PAWN_TEXTS, position.worker)


@kernel
def put_elements(position: State, seat: int, out: Text) -> None:
    """Write the elements of a seat, such as `G2:c4:d4`. 1.3"""
    n = 0
    for kind in range(ELEMENTS):
        site = position.element[ELEMENTS * seat + kind]
        if site >= 0:
            separate(out, b".", n)
            put_row(out, ELEMENT_TEXTS, kind)
            for i in range(SITE_SIZE[site]):
                put(out, b":")
                put_row(out, CELL_TEXTS, SITE_CELLS[site][i])
            n += 1
    if n == 0:
        put(out, b"-")


@kernel
def put_pawns(cells: Sequence[int], seats: int, out: Text) -> None:
    """Write the cells of king, gardener and architect of each seat. 1.3"""
    for seat in range(seats):
        separate(out, b",", seat)
        for kind in range(len(PAWN_TEXTS)):
            separate(out, b".", kind)
            put_row(out, CELL_TEXTS, cells[3 * seat + kind])


@kernel
def write_box(position: State, out: Text) -> None:
    """Write what is not in the house box: the rows of each card, the tiles, the starting cells. 1.1, 1.4, 2.2"""
    if differ(position.pattern, HOUSE_DECK, CARDS):
        begin_field(out, b"deck")
        for card in range(CARDS):
            separate(out, b",", card)
            for row in range(frame_width(position.pattern[card])):
                separate(out, b":", row)
                put_card_row(position.pattern[card], row, LOW_LINE, out)
    if differ(position.tiles, HOUSE_TILES, len(HOUSE_TILES)):
        begin_field(out, b"tiles")
        for i in range(len(HOUSE_TILES)):
            separate(out, b".", i)
            put_number(out, position.tiles[i])
    if differ(position.start, STARTS[position.players], 3 * MAX_PLAYERS):
        begin_field(out, b"starts")
        put_pawns(position.start, position.players, out)


def cards_of(cards: int) -> list[str]:
    """Return the names of a set of cards."""
    return [CARD_NUMBERS[card] for card in members(cards)]


def read_position(position: State, viewer: int, fields: Fields) -> None:
    """Set a new state with its options to a position. Mutates `position`; raises PositionError.

    The position need not have come about in a game; what cannot lie on a table is refused.
    """
    _read_box(position, fields)
    position.turn = fields["turn"].number(0, ROUND_LIMIT * position.players)
    position.phase = fields["phase"].known(PHASE_OF, "phase")
    _read_garden(position, fields)
    _read_elements(position, fields)
    _read_pawns(position, fields["pawns"])
    _read_turn(position, fields)
    _read_cards(position, viewer, fields)
    _check_phase(position, fields)


def _read_box(position: State, fields: Fields) -> None:
    """Read what is not in the house box. 1.1, 1.4, 2.2"""
    given: dict[str, object] = {}
    if "deck" in fields:
        given["deck"] = [word.text.replace("_", ".").split(":") for word in fields["deck"].lists(CARDS, "card")]
    if "tiles" in fields:
        given["tiles"] = [word.number(0, CELLS) for word in fields["tiles"].items()]
    if "starts" in fields:
        given["starts"] = [word.text.split(".") for word in fields["starts"].lists(position.players, "seat")]
    try:
        set_box(position, read_box(given, position.players, "box"))
    except RecordError as error:
        raise PositionError(f"in what is not the house box (counted from 0): {error}") from None


def _cells(word: Word, free: int) -> int:
    """Return cells as a set. Raises PositionError for one that is not in another set."""
    cells = word.all_known(GRID.cell_of, "cell")
    check_once(word, cells, BOARD & ~free, GRID.names, "cell")
    return cells


def _read_garden(position: State, fields: Fields) -> None:
    """Read the values of the tiles, and which are dug up or kept. 1.1, 4.3, 4.5"""
    garden = fields["garden"]
    values = {str(value): value for value in VALUES}
    for start, row in zip(range(0, CELLS, GRID.width), garden.lists(GRID.width, "row of the garden"), strict=True):
        if len(row.text) != GRID.width or set(row.text) - values.keys():
            raise row.error(f"must be {GRID.width} values of tiles, 1 to {len(values)}")
        position.landscape[start : start + GRID.width] = map(values.__getitem__, row.text)
    for value, number in zip(VALUES, position.tiles, strict=True):
        if position.landscape.count(value) != number:
            raise garden.error(f"has {position.landscape.count(value)} tiles of {value}; the box has {number}")
    position.dug = _cells(fields["dug"], BOARD)
    position.up = BOARD & ~position.dug
    for seat, word in enumerate(fields["kept"].lists(position.players, "seat")):
        position.kept[seat] = _cells(word, position.up)
        position.up &= ~position.kept[seat]
        position.tile_points[seat] = sum(position.landscape[cell] for cell in members(position.kept[seat]))


def _read_elements(position: State, fields: Fields) -> None:
    """Read the elements of each seat; they cover the cells whose tiles are kept. 1.3, 4.4, 4.5"""
    position.element = [-1] * len(position.element)
    bare = BOARD & ~(position.up | position.dug)
    for seat, word in enumerate(fields["elements"].lists(position.players, "seat")):
        for element in word.items():
            name, *cells = element.split(":")
            place = ELEMENTS * seat + name.known(ELEMENT_OF, "element")
            site = SITE_OF.get(tuple(cell.known(GRID.cell_of, "cell") for cell in cells), -1)
            if site < 0 or len(cells) != int(name.text[1]):
                raise element.error(f"is no element; an element of size 2 is written like {name.text[0]}2:c4:d4")
            if position.element[place] >= 0:
                raise element.error(f"is another {name.text} of seat {seat}, which has one")
            if SITE_MASK[site] & ~bare:
                raise element.error("does not lie on kept tiles that no other element covers")
            bare &= ~SITE_MASK[site]
            position.element[place] = site
            position.own[seat] |= SITE_MASK[site]
    if bare:
        raise fields["kept"].error(f"has {GRID.names_of(bare)[0]}, which no element covers")


def _read_pawns(position: State, pawns: Word) -> None:
    """Read the cells of king, gardener and architect of each seat. 1.3, 3.3, 3.5"""
    position.pawn = [-1] * len(position.pawn)
    taken = 0
    for seat, word in enumerate(pawns.lists(position.players, "seat")):
        cells = word.split(".")
        if len(cells) != len(PAWNS):
            raise word.error(f"must have {len(PAWNS)} cells, of {PAWNS}")
        for kind, cell in enumerate(cells):
            at = cell.known(GRID.cell_of, "cell")
            if not (position.up | position.own[seat]) >> at & 1:
                raise cell.error("is neither a tile that lies up nor an element of the pawn's seat")
            taken = check_once(cell, 1 << at, taken, GRID.names, "a pawn at")
            position.pawn[3 * seat + kind] = at


def _read_turn(position: State, fields: Fields) -> None:
    """Read how far the turn is. 3.1-3.7, 4.2"""
    phase = position.phase
    position.played = position.worker = -1
    if phase in (MOVE, WORK, BUILD) or (phase == OVER and "card" in fields):
        position.played = fields["card"].known(CARD_OF, "card")
    if phase == MOVE:
        position.steps = fields["steps"].number(0, STEPS)
        position.shifted = fields["shifted"].all_known(PAWN_OF, "pawn")
    if phase == BUILD:
        position.worker = fields["worker"].known(SUBJECT_OF, "subject")
    position.seat = {OVER: NOBODY, PILE: CHANCE}.get(phase, position.turn % position.players)


def _read_cards(position: State, viewer: int, fields: Fields) -> None:
    """Read where the cards are, and what is known of those that were in hands at a shuffle. 3.1"""
    sizes = [1 + (position.phase == CARD and seat == position.seat) for seat in range(position.players)]
    seen = 1 << position.played if position.played >= 0 else 0
    position.discard = fields["discard"].all_known(CARD_OF, "card")
    seen = check_once(fields["discard"], position.discard, seen, CARD_NUMBERS, "card")
    for seat, held in enumerate(read_hands(fields["hands"], sizes, 1 << viewer if viewer >= 0 else 0, CARD_OF, "card")):
        seen = check_once(fields["hands"], held, seen, CARD_NUMBERS, "card")
        position.hand[seat] = held
    _read_held_over(position, viewer, fields)
    left = CARDS - sum(sizes) - position.discard.bit_count() - (position.played >= 0)
    position.pile_end = CARDS - position.held_over.bit_count()
    position.pile_at = position.pile_end - left
    if not 0 <= left <= position.pile_end:
        raise fields["discard"].error(f"has {position.discard.bit_count()} cards, which leaves {left} for the pile")
    if position.phase == PILE and left:
        raise fields["phase"].error(f"is due when the pile is empty; there are {left} cards")
    lay_unseen(position, packed_sizes(sizes))


def _read_held_over(position: State, viewer: int, fields: Fields) -> None:
    """Read which cards were in hands at the last shuffle, and who may still hold which of them. 3.1"""
    held = fields["held"]
    position.held_over = held.all_known(CARD_OF, "card")
    if position.held_over.bit_count() not in (0, position.players):
        raise held.error(f"has {position.held_over.bit_count()} cards; each seat held one at a shuffle, or none was")
    words = fields["may"].lists(position.players, "seat")
    position.may_hold[: position.players] = [word.all_known(CARD_OF, "card") for word in words]
    played = 1 << position.played if position.played >= 0 else 0
    rest = position.held_over & ~(position.discard | played)
    for cards in set(position.may_hold) - {0}:
        if cards & ~rest or cards.bit_count() != position.may_hold.count(cards):
            raise fields["may"].error("must give as many seats the same cards of `held` as these are, not played yet")
        rest &= ~cards
    if rest:
        raise fields["may"].error(
            f"names nobody who may hold {cards_of(rest)[0]}, which is in a hand since the shuffle"
        )
    if viewer >= 0:
        _check_own(words[viewer], position.hand[viewer], position.held_over, position.may_hold[viewer])


def _check_own(word: Word, hand: int, held_over: int, may_hold: int) -> None:
    """Check that the viewer holds one of its own candidates, and nothing else that was in a hand at a shuffle."""
    if hand & held_over & ~may_hold or (hand & may_hold).bit_count() != (may_hold != 0):
        raise word.error(f"does not fit the hand, {', '.join(cards_of(hand))}")


def _check_phase(position: State, fields: Fields) -> None:
    """Check that the turn can have come to its phase, and that the game is over if and only if it must be. 4.2, 5"""
    phase = fields["phase"]
    points = [score(position, seat) for seat in range(position.players)]
    mover = position.turn % position.players
    ended = position.turn == ROUND_LIMIT * position.players
    reached = [seat for seat, total in enumerate(points) if total >= WINNING_POINTS]
    if reached not in ([], [mover]) or (position.played < 0 and reached):
        raise fields["kept"].error(f"gives seat {reached[0]} {points[reached[0]]} points, with which a turn had won")
    if (position.phase == OVER) != (ended or bool(reached)) or (ended and position.played >= 0):
        raise phase.error(f"does not fit {position.turn} turns and {max(points)} points")
    if position.phase in (WORK, BUILD) and not standing(position):
        raise phase.error("needs a figure of the card in which a subject of the seat to move stands")
    if position.phase == BUILD and not (position.dug and standing(position) >> position.worker & 1):
        raise fields["worker"].error("can't have dug: it must stand in the figure, and an excavation be open")
