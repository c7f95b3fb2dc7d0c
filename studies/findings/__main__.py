"""The page docs/findings.md: what the strongest level knows about the games.

    uv run --extra plot python -m studies.findings FOLDER [--deals 250] [--workers 2] [--finished]

The games are kept in FOLDER: stopped or killed, the same command goes on. The tables are written between the marks of
the page, the pictures into docs/pictures. With `--finished` nothing is played.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from rich.progress import Progress

import bosquet
from studies import DOCS, markdown
from studies.findings import figures, pictures, schlossgarten, topas, topiary
from studies.findings.figures import Results
from studies.findings.games import HEAD_STARTS, TABLES, VARIANTS, Played, Table, deals
from studies.markdown import written

PAGE = DOCS / "findings.md"
PICTURES = DOCS / "pictures"
SEATS = [f"seat {seat}" for seat in range(1, 5)]
"""Columns of tables with a number for each seat."""

Deals = list[list[Played]]


def played(folder: Path, count: int, workers: int) -> dict[Table, Deals]:
    """Play what the folder lacks; return all deals of all tables."""
    found: dict[Table, Deals] = {}
    with Progress() as progress:
        for table in [*TABLES, *VARIANTS, *HEAD_STARTS]:
            task = progress.add_task(table.file, total=count)
            found[table] = []
            for games in deals(table, folder, count, workers):
                found[table].append(games)
                progress.advance(task)
    return found


def who_begins(found: dict[Table, Results]) -> list[str]:
    """How much each seat wins, and its points."""
    return markdown.table(
        ["game", "players", *SEATS],
        [
            (
                table.title,
                table.players,
                *(
                    f"{figures.share(results, seat).percent()}, {figures.points(results, seat).value:.1f} points"
                    for seat in range(results.seats)
                ),
            )
            for table, results in found.items()
        ],
    )


def handicaps(found: dict[Table, Results]) -> list[str]:
    """The points by which the seats come out even, where points decide at the end."""
    rows = []
    for table, results in found.items():
        given = figures.handicap(results)
        shares = figures.won(results.scores.reshape(-1, results.seats) + given)
        lows, highs = figures.bootstrapped(results, figures.handicap)
        bounds = [f"+{value} [{low:.0f}, {high:.0f}]" for value, low, high in zip(given, lows, highs, strict=True)]
        rows.append((table.title, table.players, ", ".join(bounds), ", ".join(f"{100 * one:.0f} %" for one in shares)))
    return markdown.table(["game", "players", "points for seats 1, 2, …", "won with them"], rows)


def head_starts(found: dict[Table, Results]) -> list[str]:
    """How much each seat of Schlossgarten wins if all but the first begin with some points."""
    return markdown.table(
        ["players", "points at the start", *SEATS],
        [
            (
                table.players,
                ", ".join(f"+{points}" for points in table.head_start or [0] * table.players),
                *(share.percent() for share in figures.shares(results)),
            )
            for table, results in found.items()
        ],
    )


def begun(players: int) -> list[Table]:
    """Return the tables of Schlossgarten with this number of players, from no head start to the largest."""
    return [Table(schlossgarten.NAME, players), *(table for table in HEAD_STARTS if table.players == players)]


def lengths(found: dict[Table, Deals]) -> list[str]:
    """How long games are."""
    rows = []
    for table, dealt in found.items():
        seats = [[seats_of(game) for game in games] for games in dealt]
        decisions = np.array([[len(one) for one in games] for games in seats], float)
        turns = np.array([[turns_of(one) for one in games] for games in seats], float) / table.players
        rows.append(
            (
                table.title,
                table.players,
                figures.mean(turns.mean(1)).text(),
                f"{turns.min():.1f} and {turns.max():.1f}",
                figures.mean(decisions.mean(1)).text(),
            )
        )
    return markdown.table(["game", "players", "turns of a player", "shortest and longest game", "decisions"], rows)


def seats_of(played: Played) -> list[int]:
    """Return which seat made each decision of a game."""
    return [int(state.seat) for state, _ in bosquet.load(played.record).plies()]


def turns_of(seats: Sequence[int]) -> int:
    """Return how many turns there were: decisions of one seat in a row are one."""
    return 1 + sum(one != other for one, other in pairwise(seats))


def luck(found: dict[Table, Results]) -> list[str]:
    """How much the deal decides between equals."""
    return markdown.table(
        ["game", "players", "spread of the lead", "decided by the deal", "same winner again", "if only seats mattered"],
        [
            (
                table.title,
                table.players,
                f"{figures.spread(results):.1f} points",
                figures.bootstrap(results, figures.of_the_deal).signed_percent(),
                figures.bootstrap(results, figures.same_winner).percent(),
                f"{100 * figures.by_chance(results):.0f} %",
            )
            for table, results in found.items()
        ],
    )


def variants(found: dict[Table, Results]) -> list[str]:
    """What an option changes: the same table without it and with it."""
    rows = []
    for table in (one for variant in VARIANTS for one in (variant._replace(variant=""), variant)):
        results = found[table]
        rows.append(
            (
                table.title,
                table.players,
                ", ".join(share.percent() for share in figures.shares(results)),
                figures.mean(results.scores.mean((1, 2))).text(),
                f"{figures.spread(results):.1f}",
                figures.bootstrap(results, figures.of_the_deal).signed_percent(),
            )
        )
    columns = ["game", "players", "won by seats 1, 2, …", "mean points", "spread of the lead", "decided by the deal"]
    return markdown.table(columns, rows)


def main() -> None:
    """Play what has not been played, and write the page and its pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=250)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--finished", action="store_true", help="play nothing, use what is there")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    dealt = played(given.folder, 0 if given.finished else given.deals, given.workers)
    found = {table: figures.results(games) for table, games in dealt.items()}
    usual = {table: found[table] for table in TABLES}
    parts = {
        "seats": who_begins(usual),
        "handicaps": handicaps(
            {table: results for table, results in usual.items() if table.game != schlossgarten.NAME}
        ),
        "head starts": head_starts({table: found[table] for players in (2, 3, 4) for table in begun(players)}),
        "lengths": lengths({table: dealt[table] for table in TABLES}),
        "luck": luck(usual),
        "variants": variants(found),
    }
    for module, game in ((topiary, "topiary"), (topas, "topas"), (schlossgarten, "schlossgarten")):
        parts |= dict(module.tables(dealt[Table(game, 2)]))
    page = PAGE.read_text(encoding="utf-8")
    for name, lines in parts.items():
        page = written(page, name, lines)
    PAGE.write_text(page, encoding="utf-8")
    draw(dealt, found)


def draw(dealt: dict[Table, Deals], found: dict[Table, Results]) -> None:
    """Draw the pictures."""
    rows = [(f"{table.title}, {table.players}", figures.shares(found[table])) for table in TABLES]
    pictures.seats(PICTURES / "findings-seats.svg", rows)
    pictures.head_starts(PICTURES / "findings-head-starts.svg", [figures.share(found[table], 1) for table in begun(2)])
    pictures.turns(
        PICTURES / "findings-turns.svg",
        [(f"{players} players", topas.by_turn(dealt[Table("topas", players)])) for players in (2, 3, 4)],
    )


if __name__ == "__main__":
    main()
