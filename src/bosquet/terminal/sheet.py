"""Draw a score sheet at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bosquet.core.view import Entry, Part, Sheet
from bosquet.drawing.palette import QUIET, SEATS, mark

YOU = "You"
"""What the only person at a terminal is called."""

GEMS = {"B": "sapphires", "G": "emeralds", "R": "rubies", "Y": "topazes"}
ELEMENTS = {"G1": "hedge", "G2": "long hedge", "G3": "maze", "A1": "fountain", "A2": "pool", "A3": "terrace"}


def draw_sheet(sheet: Sheet, names: Sequence[str], *, over: bool) -> RenderableType:
    """Return a drawing of a score sheet: the entries of each seat with their parts, and the result if there is one."""
    blocks: list[RenderableType] = []
    for seat, name in enumerate(names):
        blocks.append(Text(f"{mark(seat)} {name}", SEATS[seat]))
        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_footer=True)
        table.add_column("what", footer="total")
        table.add_column("how")
        table.add_column("points", justify="right", footer=str(_total(sheet, seat)))
        for entry in sheet.entries:
            if entry.seat == seat:
                table.add_row(_what(entry), _how(entry), str(entry.points))
        blocks.append(table)
    return Group(*blocks, *_result(sheet, names, over))


def _total(sheet: Sheet, seat: int) -> int:
    """Return the sum of a seat's entries."""
    return sum(entry.points for entry in sheet.entries if entry.seat == seat)


def _result(sheet: Sheet, names: Sequence[str], over: bool) -> list[Text]:
    """Return the lines that say who won, or how a solitaire is scored; none of a game that ended without winners."""
    lines = []
    if sheet.columns:
        columns = ", ".join(map(str, sheet.columns))
        lines.append(Text(f"Columns {columns}: the lowest counts, {sheet.scores[0]} points", style="bold"))
    elif sheet.winners:
        won = " and ".join(names[seat] for seat in sheet.winners)
        points = sheet.scores[sheet.winners[0]]
        lines.append(Text(f"{won} {_wins(sheet.winners, won)} with {points} points", "bold"))
    elif not over:
        lines.append(Text("The game still runs; this is the count now", style=QUIET))
    return lines


def _wins(winners: Sequence[int], name: str) -> str:
    """Return the verb that follows the names of the winners."""
    if len(winners) > 1:
        return "share the win"
    return "win" if name == YOU else "wins"


def _what(entry: Entry) -> Text:
    """Return the text that says what an entry is for."""
    match entry.kind:
        case "visitor":
            return Text(f"visitor {entry.name}")
        case "hand":
            return Text(f"{entry.name} in hand")
        case "tile":
            return Text(f"tile of {entry.name}")
        case "element":
            return Text(ELEMENTS[entry.name])
        case "placement":
            return Text(entry.name)
    return Text(f"{entry.kind}: {entry.name}")


def _how(entry: Entry) -> Text:
    """Return the text that says how the points of an entry are made up."""
    if entry.kind == "hand":
        return Text(
            f"a larger one is seen at {entry.cells[0]}" if entry.cells else "no larger one is seen", style=QUIET
        )
    if entry.kind == "visitor" and not entry.parts:
        return Text("sees nothing", style=QUIET)
    if entry.kind == "element":
        return Text(" ".join(entry.cells))
    sign = " × " if entry.combine == "product" else " + "
    return Text(sign.join(map(_part, entry.parts)) or "–")


def _part(part: Part) -> str:
    if part.kind == "bonus":
        return f"{part.points} for {part.points} of {part.name}"
    if part.kind == "row":
        return f"{part.points} {GEMS[part.name]}"
    return f"{part.name} at {part.cells[0]}"
