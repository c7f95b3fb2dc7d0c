"""Plays the ladder: every level against the next, the top against `greedy` and against itself.

    python -m studies.ladder FOLDER [--games 400] [--workers 1] [--only topas] [--seats 2] [--bots level3,level4]
    python -m studies.ladder FOLDER --finished

Each match is kept in its own folder below FOLDER: a run that was stopped or killed continues with the same command.
The results go into ladder.json, and from there into the tables of README.md and the `strengths.json` of each game.
Results of matches that are neither played nor finished stay.

`--only` plays one game, `--seats` tables of one size, and `--bots` the matches of some bots, such as levels that were
changed. `champion`, which takes a second for a decision on two cores, plays only if it is named. With `--finished`
nothing is played.
"""

from __future__ import annotations

import argparse
import functools
import statistics
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from rich.progress import Progress

from bosquet.bots import LEVELS, champion
from bosquet.bots.levels import COUNT
from bosquet.core.installed import spec
from bosquet.lab.arena import Arena, Folder, played, seatings_of
from bosquet.lab.matches import Outcome
from bosquet.lab.ratings import Estimate
from bosquet.lab.standings import Standings
from studies.ladder import results as ladder_results
from studies.ladder import strengths
from studies.ladder.results import Match, Results

SEED = 2026
PAIR = (0, 1)
CHAMPION = (champion.NAME, f"level{COUNT}")
CHAMPION_GAMES = 60
TABLES: dict[str, list[dict[str, Any]]] = {
    "topiary": [{"players": 2}, {"players": 3}, {"players": 4}],
    "topas": [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 2, "expert": True}],
    "schlossgarten": [{"players": 2}, {"players": 3}, {"players": 4}],
}


def pairs(game: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return who meets whom. `search` with the simulations of the top level is its equal: only luck decides."""
    neighbours = [(f"level{level}", f"level{level - 1}") for level in range(COUNT, 1, -1)]
    simulations, _ = spec(game).levels[-1]
    extra = [(f"level{COUNT}", "greedy")]
    if options["players"] > 2:
        return neighbours + extra
    champion = [] if options.get("expert") else [CHAMPION]
    return champion + neighbours + [*extra, (f"level{COUNT}", f"search:{simulations}")]


class Wanted(NamedTuple):
    """Which matches are played."""

    games: int
    workers: int | None
    seats: range
    bots: frozenset[str]
    """At least one of them plays in each match."""

    def includes(self, players: int, pair: tuple[str, str]) -> bool:
        """Return whether the match of two bots at tables of a size is played."""
        named = self.bots & {*pair}
        return players in self.seats and bool(named) and (pair != CHAMPION or champion.NAME in named)


def matches(game: str, folder: Path, wanted: Wanted, progress: Progress) -> Iterator[Match]:
    """Play the wanted matches of a game, read the others, and yield the results of all that are finished."""
    for options in TABLES[game]:
        variant = "-".join(f"{name}{value}" for name, value in options.items())
        for one, other in pairs(game, options):
            place = folder / f"{game}-{variant}-{one}-{other}".replace(":", "_")
            plays = wanted.includes(options["players"], (one, other))
            if not plays and not place.is_dir():
                continue
            slow = (one, other) == CHAMPION
            arena = Arena(game, options, [one, other], CHAMPION_GAMES if slow else wanted.games, SEED).checked()
            standings, leads = Standings(arena), list[float]()
            task = progress.add_task(f"{game} {variant} {one} {other}", total=arena.deals)
            workers = 1 if slow else wanted.workers
            stopping = functools.partial(bool, not plays)  # then only stored deals are read
            with Folder(place, arena) as kept, closing(played(arena, workers, None, kept, stopping)) as deals:
                for deal in deals:
                    leads += map(lead, seatings_of(standings.pairings), deal.games)
                    standings.add(deal)
                    progress.advance(task)
            progress.remove_task(task)
            if standings.deals == arena.deals:
                yield Match(
                    game=game,
                    options=options,
                    one=one,
                    other=other,
                    games=standings.games,
                    won=rounded(standings.score(PAIR), 4),
                    elo=rounded(standings.elo(PAIR), 1),
                    ahead=round(standings.difference(PAIR).value, 2),
                    spread=round(statistics.stdev(leads), 2),
                )


def rounded(estimate: Estimate, digits: int) -> Estimate:
    """Return an estimate with this number of decimals."""
    return Estimate(*(round(number, digits) for number in estimate))


def lead(seating: tuple[int, ...], outcome: Outcome) -> float:
    """Return the mean points of the seats of the first bot minus those of the second."""
    means = [
        statistics.fmean(points for seat, points in enumerate(outcome.scores) if seating[seat] == bot) for bot in (0, 1)
    ]
    return means[0] - means[1]


def merged(results: Results, found: Iterable[Match]) -> Results:
    """Return the results with the matches that were found in place of older ones, in the order of the tables."""
    by_key = {match.key: match for match in [*results.matches, *found]}
    order = [
        (game, ladder_results.table_name(options), *pair)
        for game, tables in TABLES.items()
        for options in tables
        for pair in pairs(game, options)
    ]
    return Results([by_key[key] for key in order if key in by_key], results.seats)


def main() -> None:
    """Play what has not been played, and write the results."""
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
            found = matches(game, given.folder, wanted, progress)
            results = merged(ladder_results.read(), found)
            ladder_results.write(results)
            ladder_results.write_tables(results)
    strengths.write()


if __name__ == "__main__":
    main()
