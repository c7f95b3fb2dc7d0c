"""The ladder of docs/bots.md: every level against the next, the top against `greedy` and against itself.

    python -m docs.ladder FOLDER [--games 400] [--only topas] [--seats 2] [--finished]

Each match is kept in a folder of its own below FOLDER: stopped or killed, the same command goes on. The tables go into
docs/bots.md between its marks; with `--only` that of one game. `--seats` plays at tables of that size only; what else
is finished stands in the tables, too. With `--finished` nothing more is played.

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

from bosquet.bots.levels import COUNT
from bosquet.games import spec
from bosquet.lab.arena import Arena, Folder, played, seatings_of
from bosquet.lab.matches import Outcome
from bosquet.lab.standings import Standings
from docs import strengths

PAGE = Path(__file__).parent / "bots.md"
SEED = 2026
PAIR = (0, 1)
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


def pairs(game: str, players: int) -> list[tuple[str, str]]:
    """Who meets whom. The top level by another name is its equal: what is left then is luck."""
    neighbours = [(f"level{level}", f"level{level - 1}") for level in range(COUNT, 1, -1)]
    simulations, _ = spec(game).levels[-1]
    extra = [(f"level{COUNT}", "greedy")]
    if players == 2:
        extra.append((f"level{COUNT}", f"search:{simulations}"))
    return neighbours + extra


def rows(game: str, folder: Path, games: int, seats: range, progress: Progress) -> Iterator[Row]:
    """Play the matches of a game at tables with so many seats, and read all the others that are finished."""
    for options in TABLES[game]:
        variant = "-".join(f"{name}{value}" for name, value in options.items())
        for one, other in pairs(game, options["players"]):
            match = Arena(game, options, [one, other], games, SEED).checked()
            standings, leads = Standings(match), list[float]()
            task = progress.add_task(f"{game} {variant} {one} {other}", total=match.deals)
            place = folder / f"{game}-{variant}-{one}-{other}".replace(":", "_")
            wanted = options["players"] in seats
            if not wanted and not place.is_dir():
                continue
            with (
                Folder(place, match) as kept,
                closing(played(match, None, None, kept, lambda: False) if wanted else kept.deals()) as deals,
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


def table(game: str, found: list[Row]) -> str:
    """The table of a game, as Markdown."""
    lines = [
        f"### {spec(game).title}",
        "",
        "| seats | | against | games | won | 95 % | Elo | 95 % | points ahead | their spread |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in found:
        standings = row.standings
        score, elo, ahead = standings.score(PAIR), standings.elo(PAIR), standings.difference(PAIR)
        expert = ", expert" if row.options.get("expert") else ""
        lines.append(
            f"| {row.options['players']}{expert} | {row.one} | {row.other} | {standings.games} "
            f"| {100 * score.value:.1f} % | {100 * score.low:.1f}–{100 * score.high:.1f} "
            f"| {elo.value:+.0f} | {elo.low:+.0f} … {elo.high:+.0f} | {ahead.value:+.1f} | {row.spread:.1f} |"
        )
    steps = [row.standings.elo(PAIR).value for row in found if row.other.startswith("level")]
    lines += ["", f"The mean step between neighbours is {statistics.fmean(steps):.0f} Elo."]
    return "\n".join(lines)


def main() -> None:
    """Play what has not been played, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--only", choices=list(TABLES))
    parser.add_argument("--seats", type=int, choices=(2, 3, 4))
    parser.add_argument("--finished", action="store_true")
    given = parser.parse_args()
    seats = range(0) if given.finished else range(given.seats, given.seats + 1) if given.seats else range(2, 5)
    with Progress() as progress:
        for game in [given.only] if given.only else TABLES:
            text = table(game, list(rows(game, given.folder, given.games, seats, progress)))
            page = PAGE.read_text(encoding="utf-8")
            begin, end = f"<!-- ladder {game} -->", f"<!-- end of ladder {game} -->"
            before, rest = page.split(begin)
            PAGE.write_text(f"{before}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}", encoding="utf-8")
    strengths.write()


if __name__ == "__main__":
    main()
