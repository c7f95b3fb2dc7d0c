"""The ladder of docs/bots.md: every level against the next, the top against `greedy` and against itself.

    python -m docs.ladder FOLDER [--games 400] [--workers 1] [--only topas] [--seats 2] [--bots level3,level4]
    python -m docs.ladder FOLDER --finished

Each match is kept in a folder of its own below FOLDER: stopped or killed, the same command goes on. The tables go into
docs/bots.md between its marks; with `--only` that of one game. `--seats` plays at tables of that size only.
`--bots` plays the matches of some bots only, such as the levels that were changed; `champion`, which takes a second for
a decision on two cores, is not played unless it is named. Rows that are neither played nor finished stay as they are.
With `--finished` nothing more is played.

The tables are also what ratings of people are measured by; at the end `docs.strengths` hands them to the program.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from rich.progress import Progress

from bosquet.bots import LEVELS, champion
from bosquet.bots.levels import COUNT
from bosquet.games import spec
from bosquet.lab.arena import Arena, Folder, played, seatings_of
from bosquet.lab.matches import Outcome
from bosquet.lab.standings import Standings
from docs import strengths

PAGE = Path(__file__).parent / "bots.md"
SEED = 2026
PAIR = (0, 1)
CHAMPION = (champion.NAME, f"level{COUNT}")
CHAMPION_GAMES = 60
TABLES: dict[str, list[dict[str, Any]]] = {
    "topiary": [{"players": 2}, {"players": 3}, {"players": 4}],
    "topas": [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 2, "expert": True}],
    "schlossgarten": [{"players": 2}, {"players": 3}, {"players": 4}],
}


class Row(NamedTuple):
    """A line of the table of a game."""

    options: Mapping[str, Any]
    one: str
    other: str
    standings: Standings
    spread: float
    """Standard deviation of the points that the first is ahead in a single game."""


def pairs(game: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Who meets whom. The top level by another name is its equal: what is left then is luck."""
    neighbours = [(f"level{level}", f"level{level - 1}") for level in range(COUNT, 1, -1)]
    simulations, _ = spec(game).levels[-1]
    extra = [(f"level{COUNT}", "greedy")]
    if options["players"] > 2:
        return neighbours + extra
    champion = [] if options.get("expert") else [CHAMPION]
    return champion + neighbours + [*extra, (f"level{COUNT}", f"search:{simulations}")]


class Wanted(NamedTuple):
    """What is played."""

    games: int
    workers: int | None
    seats: range
    bots: frozenset[str]
    """One of them plays in each match."""

    def includes(self, players: int, pair: tuple[str, str]) -> bool:
        """Return whether the match of two bots at tables of a size is played."""
        named = self.bots & {*pair}
        return players in self.seats and bool(named) and (pair != CHAMPION or champion.NAME in named)


def rows(game: str, folder: Path, wanted: Wanted, progress: Progress) -> Iterator[Row]:
    """Play the matches of a game that are wanted, and read all the others that are finished."""
    for options in TABLES[game]:
        variant = "-".join(f"{name}{value}" for name, value in options.items())
        for one, other in pairs(game, options):
            place = folder / f"{game}-{variant}-{one}-{other}".replace(":", "_")
            plays = wanted.includes(options["players"], (one, other))
            if not plays and not place.is_dir():
                continue
            slow = (one, other) == CHAMPION
            match = Arena(game, options, [one, other], CHAMPION_GAMES if slow else wanted.games, SEED).checked()
            standings, leads = Standings(match), list[float]()
            task = progress.add_task(f"{game} {variant} {one} {other}", total=match.deals)
            with (
                Folder(place, match) as kept,
                closing(played(match, 1 if slow else wanted.workers, None, kept) if plays else kept.deals()) as deals,
            ):
                for deal in deals:
                    leads += map(lead, seatings_of(standings.pairings), deal.games)
                    standings.add(deal)
                    progress.advance(task)
            progress.remove_task(task)
            if standings.deals < match.deals:
                continue
            yield Row(options, one, other, standings, statistics.stdev(leads))


def lead(seating: tuple[int, ...], outcome: Outcome) -> float:
    """By how many points the seats of the first bot are ahead of those of the second, in the mean."""
    means = [
        statistics.fmean(points for seat, points in enumerate(outcome.scores) if seating[seat] == bot) for bot in (0, 1)
    ]
    return means[0] - means[1]


def table(game: str, found: list[Row], before: str) -> str:
    """Return the table of a game, as Markdown: the rows that were found, and of the table before all others."""
    lines = {key(line): line for line in before.splitlines() if line.startswith("| ")}
    lines |= {key(line): line for line in map(line_of, found)}
    order = [(seats(options), *pair) for options in TABLES[game] for pair in pairs(game, options)]
    kept = [lines[each] for each in order if each in lines]
    steps = [float(cells(line)[6]) for line in kept if {*cells(line)[1:3]} <= {*LEVELS}]
    return "\n".join(
        [
            f"### {spec(game).title}",
            "",
            "| seats | | against | games | won | 95 % | Elo | 95 % | points ahead | their spread |",
            "|---|---|---|---|---|---|---|---|---|---|",
            *kept,
            "",
            f"The mean step between neighbours is {statistics.fmean(steps):.0f} Elo.",
        ]
    )


def line_of(row: Row) -> str:
    """Return the line of a row, as Markdown."""
    standings = row.standings
    score, elo, ahead = standings.score(PAIR), standings.elo(PAIR), standings.difference(PAIR)
    return (
        f"| {seats(row.options)} | {row.one} | {row.other} | {standings.games} "
        f"| {100 * score.value:.1f} % | {100 * score.low:.1f}–{100 * score.high:.1f} "
        f"| {elo.value:+.0f} | {elo.low:+.0f} … {elo.high:+.0f} | {ahead.value:+.1f} | {row.spread:.1f} |"
    )


def seats(options: Mapping[str, Any]) -> str:
    """Return what a line says of the table."""
    return f"{options['players']}{', expert' if options.get('expert') else ''}"


def cells(line: str) -> list[str]:
    """Return the cells of a line."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def key(line: str) -> tuple[str, ...]:
    """Return what tells the lines of a table apart: the table, and who plays."""
    return tuple(cells(line)[:3])


def main() -> None:
    """Play what has not been played, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--only", choices=list(TABLES))
    parser.add_argument("--seats", type=int, choices=(2, 3, 4))
    parser.add_argument("--workers", type=int)
    parser.add_argument("--bots", default=",".join(LEVELS))
    parser.add_argument("--finished", action="store_true")
    given = parser.parse_args()
    sizes = range(0) if given.finished else range(given.seats, given.seats + 1) if given.seats else range(2, 5)
    wanted = Wanted(given.games, given.workers, sizes, frozenset(given.bots.split(",")))
    with Progress() as progress:
        for game in [given.only] if given.only else TABLES:
            found = list(rows(game, given.folder, wanted, progress))
            begin, end = f"<!-- ladder {game} -->", f"<!-- end of ladder {game} -->"
            above, rest = PAGE.read_text(encoding="utf-8").split(begin)
            before, below = rest.split(end)
            PAGE.write_text(f"{above}{begin}\n\n{table(game, found, before)}\n\n{end}{below}", encoding="utf-8")
    strengths.write()


if __name__ == "__main__":
    main()
