"""The texts of positions in plain Python, against which the kernels that write them are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bosquet.core.positions.position import Position
from bosquet.games.schlossgarten.board import BUILD, ELEMENTS, GRID, MOVE, PAWNS, SITES
from bosquet.games.schlossgarten.box import Box
from bosquet.games.schlossgarten.notation import CARD_NUMBERS
from bosquet.games.schlossgarten.position import PHASES as SCHLOSSGARTEN_PHASES
from bosquet.games.schlossgarten.rules import score
from bosquet.games.topas.notation import cards_of as topas_cards
from bosquet.games.topas.notation import to_notation
from bosquet.games.topas.position import PHASES as TOPAS_PHASES
from bosquet.games.topas.rules import DECK
from bosquet.games.topiary import rules as topiary_rules
from bosquet.games.topiary.notation import LINE_NAMES, TILE_NAMES, tiles_of
from bosquet.games.topiary.position import PHASES as TOPIARY_PHASES
from bosquet.games.topiary.position import received
from bosquet.kernels.bits import members
from tests.plain.schlossgarten_box import starts_of, write_box


def text(position: Position) -> str:
    """Return the text of a position."""
    words = [position.spec.name]
    for name, values in position.spec.options.items():
        value = position.options[name]
        if name == "players" or value != values[0]:
            words.append(name if value is True else f"{name}={value}")
    words.append(f"view={'-' if position.viewer is None else position.viewer}")
    fields = FIELDS[position.spec.name](position.state, position.viewer)
    return "/".join([*words, *(f"{name}={text}" for name, text in fields.items() if text)])


def joined(names: Iterable[str]) -> str:
    """Return the text of a list."""
    return ".".join(names) or "-"


def write_hands(hands: Sequence[int], known: Sequence[int], names: Callable[[int], list[str]]) -> str:
    """Return the text of hands (sets): the names of what is in those that are known, of the others how much it is."""
    return ",".join(joined(names(hand)) if seat in known else str(hand.bit_count()) for seat, hand in enumerate(hands))


def topiary(position: Any, viewer: int | None) -> dict[str, str]:
    """Return the fields of a position of Topiary by name; an empty one is left out."""
    seats = range(position.players)
    return {
        "phase": TOPIARY_PHASES[position.phase],
        "seat": "-" if position.seat < 0 else str(position.seat),
        "without": "" if position.removed < 0 else topiary_rules.TYPES[position.removed],
        "garden": ",".join(
            "".join(_cell(position, cell) for cell in range(row, row + topiary_rules.GRID.width))
            for row in range(0, topiary_rules.CELLS, topiary_rules.GRID.width)
        ),
        "visitors": ",".join(joined(LINE_NAMES[line] for line in members(position.visitors[seat])) for seat in seats),
        "line": "" if position.line < 0 else LINE_NAMES[position.line],
        "put": ",".join(joined(tiles_of(position.put[seat])) for seat in seats),
        "hands": write_hands(position.hand[: position.players], _open_hands_of_topiary(position, viewer), tiles_of),
        **_write_draft(position, viewer),
    }


def _cell(position: Any, cell: int) -> str:
    if position.up >> cell & 1:
        return str(TILE_NAMES[position.tiles[cell]])
    return "." if position.down >> cell & 1 else "_"


def _open_hands_of_topiary(position: Any, viewer: int | None) -> list[int]:
    """Return the seats whose hands are known."""
    return [seat for seat in range(position.players) if seat == viewer or position.phase == topiary_rules.OVER]


def _write_draft(position: Any, viewer: int | None) -> dict[str, str]:
    """Return what the viewer was passed in the draft, and passed on. 2.4"""
    if viewer is None or not position.draft:
        return {}
    known = {"received": received(position, viewer), "passed": position.passed[viewer]}
    return {name: joined(tiles_of(tiles)) for name, tiles in known.items() if tiles}


def topas(position: Any, viewer: int | None) -> dict[str, str]:
    """Return the fields of a position of Topas by name; an empty one is left out."""
    alone = position.players == 1
    return {
        "phase": TOPAS_PHASES[position.phase],
        "seat": "-" if position.seat < 0 else str(position.seat),
        "points": ",".join(map(str, position.points[: position.players])),
        "columns": joined(map(str, position.columns[: position.column])) if alone else "",
        "gone": joined(topas_cards(position.gone)) if alone else "",
        "table": joined(to_notation(position, action) for action in position.laid[: position.turn + 1]),
        "hands": write_hands(position.hand[: position.players], _open_hands_of_topas(position, viewer), topas_cards),
        "pile": str(DECK - position.drawn),
    }


def _open_hands_of_topas(position: Any, viewer: int | None) -> list[int]:
    """Return the seats whose hands are known. 5.1"""
    return [seat for seat in range(position.players) if seat == viewer or position.players == 1]


ELEMENT_OF = {f"{mark}{size}": 3 * (kind - 1) + size - 1 for kind, mark in enumerate("GA", 1) for size in (1, 2, 3)}


def schlossgarten(position: Any, viewer: int | None) -> dict[str, str]:
    """Return the fields of a position of Schlossgarten by name; an empty one is left out."""
    seats = range(position.players)
    moving = position.phase == MOVE
    return {
        **_write_box(position),
        "turn": str(position.turn),
        "phase": SCHLOSSGARTEN_PHASES[position.phase],
        "seat": "-" if position.seat < 0 else str(position.seat),
        "points": ",".join(str(score(position, seat)) for seat in seats),
        "garden": ",".join(
            "".join(map(str, position.landscape[row : row + GRID.width])) for row in range(0, GRID.size, GRID.width)
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
        "hands": write_hands(position.hand[: position.players], _open_hands_of_schlossgarten(viewer), cards_of),
        "pile": str(position.pile_end - position.pile_at),
        "discard": joined(cards_of(position.discard)),
        "held": joined(cards_of(position.held_over)),
        "may": ",".join(joined(cards_of(position.may_hold[seat])) for seat in seats),
    }


def cards_of(cards: int) -> list[str]:
    """Return the names of a set of cards."""
    return [CARD_NUMBERS[card] for card in members(cards)]


def _elements(position: Any, seat: int) -> list[str]:
    """Return the elements of a seat, such as `G2:c4:d4`."""
    placed = {name: position.element[ELEMENTS * seat + kind] for name, kind in ELEMENT_OF.items()}
    return [":".join([name, *(GRID.names[cell] for cell in SITES[site])]) for name, site in placed.items() if site >= 0]


def _open_hands_of_schlossgarten(viewer: int | None) -> list[int]:
    """Return the seats whose hands are known."""
    return [] if viewer is None else [viewer]


def _write_box(position: Any) -> dict[str, str]:
    """Return the fields of what is not in the house box: the rows of each card, the tiles, the starting cells."""
    written_box = write_box(Box(position.pattern, position.tiles, position.start), position.players)
    written = {}
    if "deck" in written_box:
        written["deck"] = ",".join(":".join(rows).replace(".", "_") for rows in written_box["deck"])
    if "tiles" in written_box:
        written["tiles"] = joined(map(str, written_box["tiles"]))
    if "starts" in written_box:
        written["starts"] = ",".join(map(joined, starts_of(position.start, position.players)))
    return written


FIELDS: dict[str, Callable[[Any, int | None], dict[str, str]]] = {
    "topiary": topiary,
    "topas": topas,
    "schlossgarten": schlossgarten,
}
