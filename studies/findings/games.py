"""Plays the games that the findings come from, and keeps them in a folder: killed or stopped, the same call goes on."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import bosquet
from bosquet.bots.levels import COUNT, settings
from bosquet.core.installed import spec
from bosquet.core.rng import Rng, derived_seed, seed_rng
from bosquet.core.spec import check_options
from bosquet.core.state import CHANCE, NOBODY
from bosquet.lab.luck import replay
from bosquet.search import Search
from bosquet.search.from_states import StateSearch
from studies.kept import kept

SEED = 2026
LEVEL = COUNT
BOT = f"level{LEVEL}"
"""The strongest bot of the page whose moves do not depend on the machine."""


class Table(NamedTuple):
    """Who plays what: a game with its options."""

    game: str
    players: int
    variant: str = ""
    """An option that is on."""
    head_start: tuple[int, ...] = ()
    """[seat]: the points that it begins with; only Schlossgarten is played so."""

    @property
    def options(self) -> dict[str, Any]:
        """The options of the game."""
        return {"players": self.players} | ({self.variant: True} if self.variant else {})

    @property
    def title(self) -> str:
        """The game and the variant, in words."""
        return spec(self.game).title + (f", {self.variant}" if self.variant else "")

    @property
    def file(self) -> str:
        """Its name in the folder."""
        parts = [self.game, str(self.players), self.variant, *(f"{points}ahead" for points in self.head_start)]
        return "-".join(part for part in parts if part)


TABLES = [Table(game, players) for game in bosquet.GAMES for players in (2, 3, 4)]
VARIANTS = [Table("topiary", 2, "draft"), Table("topiary", 3, "draft"), Table("topas", 2, "expert")]
HEAD_STARTS = [
    Table("schlossgarten", len(points), head_start=points)
    for points in [(0, 1), (0, 2), (0, 3), (0, 4), (0, 1, 1), (0, 2, 2), (0, 1, 1, 1), (0, 1, 1, 2), (0, 2, 2, 2)]
]


class Played(NamedTuple):
    """One game: final points, winners, and its record, empty with a head start, which records can't say."""

    scores: list[int]
    winners: list[int]
    record: Any


def deals(table: Table, folder: Path, count: int, workers: int) -> Iterator[list[Played]]:
    """Yield for each deal the games that were played with it; play those that the folder lacks, and keep them.

    With a count of 0, none is played, and all that are there are yielded.
    """
    for line in kept(folder / f"{table.file}.jsonl", functools.partial(_line, table), count, workers):
        yield [Played(*game) for game in json.loads(line)]


def _line(table: Table, index: int) -> bytes:
    return json.dumps(_games(table, index)).encode()


def _games(table: Table, index: int) -> list[Played]:
    """Two games with the same deal; with a head start, one."""
    seed = derived_seed(SEED, index)
    if table.head_start:
        return [_with_head_start(table, seed)]
    dealt = bosquet.new(table.game, seed=seed, **table.options)
    games = [replay(dealt, number, BOT, seed) for number in range(2)]
    return [Played(game.scores, game.winners, game.record()) for game in games]


def _with_head_start(table: Table, seed: int) -> Played:
    chosen = spec(table.game)
    rules, search = chosen.rules, Search(settings(table.game, LEVEL))
    state = chosen.new_state(check_options(chosen, table.options))
    rules.deal(state, seed_rng(seed, "deal"))
    for seat, points in enumerate(table.head_start):
        state.tile_points[seat] = points
    chance = seed_rng(seed, "chance")
    seats = [(StateSearch(table.game, search), Rng(seed, "bot", seat)) for seat in range(table.players)]
    while state.seat != NOBODY:
        if state.seat == CHANCE:
            rules.sample_chance(state, chance)
        else:
            player, rng = seats[state.seat]
            rules.play(state, player.choose(state, rng))
    found = rules.result(state)
    return Played(found["scores"], found["winners"], None)
