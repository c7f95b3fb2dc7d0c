"""The results of the ladder, kept in ladder.json, and the tables of README.md beside it that show them.

`python -m studies.ladder` writes the matches. The shares of the seats come from `bosquet simulate` (see README.md) and
are entered by hand.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bosquet.bots import LEVELS
from bosquet.core.installed import spec
from bosquet.lab.ratings import Estimate
from studies.markdown import table, written

FILE = Path(__file__).parent / "ladder.json"
PAGE = Path(__file__).with_name("README.md")
MOST_SEATS = 4


class Match(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a bot against another one."""

    game: str
    options: dict[str, Any]
    one: str
    other: str
    games: int
    won: Estimate
    """Share of the games that `one` won."""
    elo: Estimate
    """Elo difference."""
    ahead: float
    """Mean lead of `one` in points."""
    spread: float
    """Standard deviation of its lead in a single game."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what tells matches apart: the game, the table, and the bots."""
        return self.game, table_name(self.options), self.one, self.other


def table_name(options: Mapping[str, Any]) -> str:
    """Return the number of seats, and the variant."""
    return f"{options['players']}{', expert' if options.get('expert') else ''}"


class Seats(Struct, frozen=True, forbid_unknown_fields=True):
    """The share of the games that each seat won between equal bots."""

    game: str
    players: int
    won: list[float]


class Results(Struct, forbid_unknown_fields=True):
    """All results, in the order of the tables."""

    matches: list[Match]
    seats: list[Seats]

    @property
    def games(self) -> list[str]:
        """Return the games that have a ladder."""
        return list(dict.fromkeys(match.game for match in self.matches))

    def of_game(self, game: str) -> list[Match]:
        """Return the matches of a game."""
        return [match for match in self.matches if match.game == game]


def read() -> Results:
    """Return the stored results."""
    return msgspec.convert(json.loads(FILE.read_text(encoding="utf-8")), Results)


def write(results: Results) -> None:
    """Store results, one on a line."""
    parts = []
    for name, rows in msgspec.to_builtins(results).items():
        lines = ",\n".join(json.dumps(row) for row in rows)
        parts.append(f'"{name}": [\n{lines}\n]')
    FILE.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def write_tables(results: Results) -> None:
    """Write the tables of the page."""
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")


def with_tables(page: str, results: Results) -> str:
    """Return a page with the tables of these results."""
    for game in results.games:
        page = written(page, f"ladder {game}", list(ladder(game, results.of_game(game))))
    return written(page, "seats", list(seats(results.seats)))


def ladder(game: str, matches: Iterable[Match]) -> Iterator[str]:
    """Yield the lines of the table of a game."""
    yield f"### {spec(game).title}"
    yield ""
    columns = ["seats", "", "against", "games", "won", "95 %", "Elo", "95 %", "points ahead", "their spread"]
    rows, steps = list[list[object]](), []
    for match in matches:
        won, elo = match.won.scaled(100), match.elo
        rows.append(
            [
                table_name(match.options),
                match.one,
                match.other,
                match.games,
                f"{won.value:.1f} %",
                f"{won.low:.1f}–{won.high:.1f}",
                f"{elo.value:+.0f}",
                f"{elo.low:+.0f} … {elo.high:+.0f}",
                f"{match.ahead:+.1f}",
                f"{match.spread:.1f}",
            ]
        )
        if {match.one, match.other} <= {*LEVELS}:
            steps.append(elo.value)
    yield from table(columns, rows)
    yield ""
    yield f"The mean step between neighbours is {statistics.fmean(steps):.0f} Elo."


def seats(rows: Iterable[Seats]) -> Iterator[str]:
    """Yield the lines of the table of the seats."""
    yield from table(
        ["game", "players", *(f"seat {seat + 1}" for seat in range(MOST_SEATS))],
        [[spec(row.game).title, row.players, *(f"{100 * share:.1f} %" for share in row.won)] for row in rows],
    )
