"""What sculptures and lines come to in Topiary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import bosquet
from bosquet.games.topiary.notation import LINE_OF
from bosquet.games.topiary.rules import LINE_LENGTH
from studies.findings.figures import Counts, per_game, ratio
from studies.findings.games import Played
from studies.markdown import table

CELLS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]
LINES = {"straight, 5 tiles": (5, False)} | {f"diagonal, {length} tiles": (length, True) for length in (5, 4, 3, 2)}
"""Kinds of lines: their length, and whether they are diagonal."""


def tables(deals: Sequence[Sequence[Played]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the tables, each with its name."""
    counts = [counted(games) for games in deals]
    columns = ["size", "open at the end", "visitors that see one", "points that one brings visitors"]
    columns += ["in hands at the end", "points that one brings in a hand"]
    yield (
        "sculptures",
        table(
            columns,
            [
                (
                    size,
                    f"{per_game(counts, ('open', size)).value:.1f}",
                    ratio(counts, ("seen", size), ("open", size)).text(2),
                    ratio(counts, ("points", size), ("open", size)).text(),
                    f"{per_game(counts, ('kept', size)).value:.1f}",
                    ratio(counts, ("in hand", size), ("kept", size)).text(2),
                )
                for size in range(1, 6)
            ],
        ),
    )
    yield (
        "lines",
        table(
            ["line", "visitors a game", "points of one"],
            [
                (
                    name,
                    f"{per_game(counts, ('visitors', kind)).value:.1f}",
                    ratio(counts, ("of line", kind), ("visitors", kind)).text(),
                )
                for name, kind in LINES.items()
            ],
        ),
    )


def counted(games: Sequence[Played]) -> Counts:
    """Return what the games of a deal come to: by sizes, and by kinds of lines."""
    found = Counts()
    for played in games:
        game = bosquet.load(played.record)
        view: Any = game.view(None)
        sizes = {cell: int(tile[1]) for cell, tile in zip(CELLS, view.garden, strict=True) if tile}
        found.update(("open", size) for size in sizes.values())
        for entry in game.score_sheet().entries:
            if entry.kind == "hand":
                size = int(entry.name[1])
                found["kept", size] += 1
                found["in hand", size] += entry.points
                continue
            kind = int(LINE_LENGTH[LINE_OF[entry.name]]), len(str(entry.heading)) == 2
            found["visitors", kind] += 1
            found["of line", kind] += entry.points
            for part in entry.parts:
                for cell in part.cells:
                    found["seen", sizes[cell]] += part.kind == "tile"
                    found["points", sizes[cell]] += sizes[cell] if part.kind == "tile" else 1
    return found
