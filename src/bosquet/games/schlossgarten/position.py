"""Positions of Schlossgarten: what a seat, or a spectator, knows of a state. Format: docs/positions.md."""

from __future__ import annotations

from bosquet.core.errors import PositionError, RecordError
from bosquet.core.position import Fields, Word, check_once, joined, packed_sizes, read_hands, write_hands
from bosquet.core.state import CHANCE, NOBODY
from bosquet.kernels.bits import count_bits, members
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
    SITES,
    STEPS,
    WINNING_POINTS,
    WORK,
    State,
)
from .box import VALUES, Box, read_box, starts_of, write_box
from .constellations import CARDS
from .notation import CARD_NUMBERS, CARD_OF, SITE_OF
from .rules import score, set_box, standing

PHASES = ("card", "move", "work", "build", "pile", "over")
PHASE_OF = {name: phase for phase, name in enumerate(PHASES)}
PAWN_OF = {mark: kind for kind, mark in enumerate(PAWNS)}
SUBJECT_OF = {mark: kind for mark, kind in PAWN_OF.items() if kind}
ELEMENT_OF = {f"{mark}{size}": 3 * (kind - 1) + size - 1 for mark, kind in SUBJECT_OF.items() for size in range(1, 4)}

# --- What is known ---------------------------------------------------------------------------------------------


@kernel
def conceal(state: State, viewer: int, position: State) -> None:
    """Write what a seat, or a spectator (-1), knows of a state into `position`, which must be all zeros."""
    position.players = state.players
    position.each_works = state.each_works
    position.overbuild = state.overbuild
    position.seat = state.seat
    position.phase = state.phase
    position.turn = state.turn
    position.played = state.played
    position.steps = state.steps
    position.shifted = state.shifted
    position.worker = state.worker
    position.pile_at = state.pile_at
    position.pile_end = state.pile_end
    position.up = state.up
    position.dug = state.dug
    position.discard = state.discard
    position.held_over = state.held_over
    for card in range(CARDS):
        position.pattern[card] = state.pattern[card]
    for value in range(3):
        position.tiles[value] = state.tiles[value]
    for cell in range(CELLS):
        position.landscape[cell] = state.landscape[cell]
    for i in range(3 * MAX_PLAYERS):
        position.start[i] = state.start[i]
        position.pawn[i] = state.pawn[i]
    for i in range(ELEMENTS * MAX_PLAYERS):
        position.element[i] = state.element[i]
    sizes = 0
    for seat in range(state.players):
        position.tile_points[seat] = state.tile_points[seat]
        position.may_hold[seat] = state.may_hold[seat]
        position.own[seat] = state.own[seat]
        position.kept[seat] = state.kept[seat]
        sizes |= count_bits(state.hand[seat]) << 8 * seat
        if seat == viewer:
            position.hand[seat] = state.hand[seat]
    lay_unseen(position, sizes)


@kernel
def lay_unseen(position: State, sizes: int) -> None:
    """Lay the unseen cards, the lowest first: into the hands seat by seat, then into the pile.

    `sizes` has 8 bits per seat: the cards in its hand. A hand that is known is left as it is.
    """
    unseen = ((1 << CARDS) - 1) & ~position.discard
    if position.played >= 0:
        unseen &= ~(1 << position.played)
    for seat in range(position.players):
        unseen &= ~position.hand[seat]
    for seat in range(position.players):
        while count_bits(position.hand[seat]) < (sizes >> 8 * seat & 255):
            position.hand[seat] |= unseen & -unseen
            unseen &= unseen - 1
    place = position.pile_at
    for card in range(CARDS):
        if unseen >> card & 1:
            position.pile[place] = card
            place += 1


# --- Text ------------------------------------------------------------------------------------------------------


def write_position(position: State, viewer: int | None) -> dict[str, str]:
    """Return the fields of the text of a position by name; an empty one is left out."""
    seats = range(position.players)
    moving = position.phase == MOVE
    return {
        **_write_box(position),
        "turn": str(position.turn),
        "phase": PHASES[position.phase],
        "seat": "-" if position.seat < 0 else str(position.seat),
        "points": ",".join(str(score(position, seat)) for seat in seats),
        "garden": ",".join(
            "".join(map(str, position.landscape[row : row + GRID.width])) for row in range(0, CELLS, GRID.width)
        ),
        "dug": joined(GRID.names_of(position.dug)),
        "kept": ",".join(joined(GRID.names_of(position.kept[seat])) for seat in seats),
        "elements": ",".join(joined(_elements(position, seat)) for seat in seats),
        "pawns": ",".join(
            joined(GRID.names[cell] for cell in position.pawn[3 * seat : 3 * seat + 3]) for seat in seats
        ),
        "card": "" if position.played < 0 else CARD_NUMBERS[position.played],
        "steps": str(position.steps) if moving else "",
        "shifted": joined(PAWNS[kind] for kind in members(position.shifted)) if moving else "",
        "worker": PAWNS[position.worker] if position.phase == BUILD else "",
        "hands": write_hands(position.hand[: position.players], _open_hands(viewer), cards_of),
        "pile": str(position.pile_end - position.pile_at),
        "discard": joined(cards_of(position.discard)),
        "held": joined(cards_of(position.held_over)),
        "may": ",".join(joined(cards_of(position.may_hold[seat])) for seat in seats),
    }


def cards_of(cards: int) -> list[str]:
    """Return the names of a set of cards."""
    return [CARD_NUMBERS[card] for card in members(cards)]


def _elements(position: State, seat: int) -> list[str]:
    """Return the elements of a seat, such as `G2:c4:d4`."""
    placed = {name: position.element[ELEMENTS * seat + kind] for name, kind in ELEMENT_OF.items()}
    return [":".join([name, *(GRID.names[cell] for cell in SITES[site])]) for name, site in placed.items() if site >= 0]


def _open_hands(viewer: int | None) -> list[int]:
    """Return the seats whose hands are known."""
    return [] if viewer is None else [viewer]


def _write_box(position: State) -> dict[str, str]:
    """Return the fields of what is not in the house box: the rows of each card, the tiles, the starting cells."""
    box = write_box(Box(position.pattern, position.tiles, position.start), position.players)
    written = {}
    if "deck" in box:
        written["deck"] = ",".join(":".join(rows).replace(".", "_") for rows in box["deck"])
    if "tiles" in box:
        written["tiles"] = joined(map(str, box["tiles"]))
    if "starts" in box:
        written["starts"] = ",".join(map(joined, starts_of(position.start, position.players)))
    return written


def read_position(position: State, viewer: int | None, fields: Fields) -> None:
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


def _read_cards(position: State, viewer: int | None, fields: Fields) -> None:
    """Read where the cards are, and what is known of those that were in hands at a shuffle. 3.1"""
    sizes = [1 + (position.phase == CARD and seat == position.seat) for seat in range(position.players)]
    seen = 1 << position.played if position.played >= 0 else 0
    position.discard = fields["discard"].all_known(CARD_OF, "card")
    seen = check_once(fields["discard"], position.discard, seen, CARD_NUMBERS, "card")
    for seat, held in enumerate(read_hands(fields["hands"], sizes, _open_hands(viewer), CARD_OF, "card")):
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


def _read_held_over(position: State, viewer: int | None, fields: Fields) -> None:
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
    if viewer is not None:
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
