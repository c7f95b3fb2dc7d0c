"""Writes two tables of the documentation: each game in numbers, and the layouts of the observations.

    python -m studies.numbers [--games 2000]

Random games are played in batches, `greedy` games one by one. Luck comes from the ladder, `level6` against `greedy`:
the share of the mean square of the lead that is not due to the mean lead.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

from rich.progress import track

import bosquet
from bosquet import bots
from bosquet.bots.levels import COUNT
from bosquet.env.compiled_game import compiled_game
from studies import DOCS
from studies.ladder import results as ladder_results
from studies.markdown import table, written

PAGE = DOCS / "environments.md"
LAYOUTS = DOCS / "observations.md"
SEED = 2026
SIDE_BY_SIDE = 100
GREEDY_GAMES = 20
COLUMNS = [
    "game",
    "decisions, random",
    "decisions, greedy",
    "legal, mean",
    "legal, most",
    "actions",
    "observation",
    "luck",
]
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("topiary", {"players": 2}),
    ("topiary", {"players": 4}),
    ("topiary", {"players": 2, "draft": True}),
    ("topas", {"players": 1}),
    ("topas", {"players": 2}),
    ("topas", {"players": 4}),
    ("schlossgarten", {"players": 2}),
    ("schlossgarten", {"players": 4}),
]


class Length(NamedTuple):
    """How long games are, and how many actions are legal."""

    decisions: float
    """Decisions a game."""
    actions: float
    """Mean number of legal actions at a decision."""
    most: int
    """Greatest number of legal actions at a decision."""


def random_length(game: str, options: dict[str, Any], games: int) -> Length:
    """Return the length of uniformly random games."""
    batch = bosquet.batch(game, SIDE_BY_SIDE, seed=SEED, **options)
    steps = legal = most = ended = 0
    while ended < games:
        counts = batch.masks.sum(1)
        legal, most = legal + int(counts.sum()), max(most, int(counts.max()))
        batch.step(batch.sample())
        steps, ended = steps + batch.n, ended + int(batch.done.sum())
    batch.close()
    return Length(steps / ended, legal / steps, most)


def greedy_length(game: str, options: dict[str, Any], games: int) -> Length:
    """Return the length of games of `greedy` against itself."""
    counts, decisions = [], 0
    for number in range(games):
        rng = bosquet.Rng(SEED, number)
        played_out = bosquet.new(game, seed=SEED + number, **options)
        players = [bots.make("greedy") for _ in range(played_out.players)]
        while played_out.seat is not None:
            counts.append(len(played_out.legal()))
            played_out.play(players[played_out.seat].choose(played_out.view(played_out.seat), rng))
            decisions += 1
    return Length(decisions / games, statistics.fmean(counts), max(counts))


def luck(game: str, options: dict[str, Any]) -> float | None:
    """Return the share of the mean square of the lead that is luck; None if the ladder has no such table."""
    for match in ladder_results.read().of_game(game):
        if match.options == options and (match.one, match.other) == (f"level{COUNT}", "greedy"):
            return match.spread**2 / (match.spread**2 + match.ahead**2)
    return None


def rows(games: int) -> Iterator[list[object]]:
    """Yield the rows of the table of the games."""
    for game, options in track(TABLES, "playing"):
        made = compiled_game(game, **options)
        random, greedy = random_length(game, options, games), greedy_length(game, options, GREEDY_GAMES)
        part = luck(game, options)
        extras = "".join(f", {name}" for name, value in options.items() if value is True)
        yield [
            f"{made.spec.title}, {options['players']}{extras}",
            f"{random.decisions:.1f}",
            f"{greedy.decisions:.1f}",
            f"{random.actions:.1f}",
            max(random.most, greedy.most),
            f"{made.actions:,}",
            f"{made.observation_size:,}",
            "–" if part is None else f"{100 * part:.0f} %",
        ]


def layouts() -> Iterator[str]:
    """Yield the lines about the parts of the observations for two players."""
    for game in bosquet.GAMES:
        made = compiled_game(game, players=2)
        yield f"**{made.spec.title}**, version {made.encoder.VERSION}, two players:"
        yield ""
        yield from table(
            ["part", "shape", "to", "what it says"],
            [
                (part.name, " × ".join(map(str, part.shape)), part.high, part.meaning)
                for part in made.layout
                if not part.name.endswith(" 1")  # the same as for seat 0
            ],
        )
        yield ""


def main() -> None:
    """Play, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    given = parser.parse_args()
    parts = {PAGE: ("numbers", table(COLUMNS, rows(given.games))), LAYOUTS: ("layouts", list(layouts()))}
    for page, (name, lines) in parts.items():
        page.write_text(written(page.read_text(encoding="utf-8"), name, lines), encoding="utf-8")


if __name__ == "__main__":
    main()
