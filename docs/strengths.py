"""What docs/bots.md says of the levels and the seats, written where the program finds it.

    python -m docs.strengths

Ratings of people are measured by it: the Elo between neighbours with two players, and the share of the games that each
seat wins between equals. Both stand in the tables between the marks of the page, and nowhere else.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import msgspec

from bosquet.bots.levels import COUNT
from bosquet.bots.strengths import FILE, Measured
from bosquet.games import spec

PAGE = Path(__file__).parent / "bots.md"


def of_page(page: str) -> dict[str, Measured]:
    """Return what the page says of the levels and seats of each game."""
    seats = _between(page, "<!-- seats -->", "<!-- end of seats -->")
    found = {}
    for game in re.findall(r"<!-- ladder (\w+) -->", page):
        ladder = _between(page, f"<!-- ladder {game} -->", f"<!-- end of ladder {game} -->")
        elo = {cells[1]: float(cells[6]) for cells in ladder if cells[0] == "2" and cells[2].startswith("level")}
        found[game] = Measured(
            steps=[elo[f"level{level}"] for level in range(2, COUNT + 1)],
            seats={
                cells[1]: [round(float(cell.rstrip(" %")) / 100, 4) for cell in cells[2:] if cell]
                for cells in seats
                if cells[0] == spec(game).title
            },
        )
    return found


def _between(page: str, begin: str, end: str) -> list[list[str]]:
    """Return the cells of the lines of a table between two marks."""
    lines = page.split(begin)[1].split(end)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def write() -> None:
    """Write what the page says where the program finds it."""
    for game, measured in of_page(PAGE.read_text(encoding="utf-8")).items():
        file = files(spec(game).package) / FILE
        Path(str(file)).write_bytes(msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n")


if __name__ == "__main__":
    write()
