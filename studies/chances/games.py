"""Plays games between players of different strength, and asks the coach at random decisions who will win.

The answers are stored with the result of the game, so that the same call continues after a stop.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import bosquet
from bosquet.core.installed import spec
from bosquet.core.rng import Rng, below, derived_seed
from bosquet.core.spec import check_options
from bosquet.core.state import NOBODY
from bosquet.lab import coach
from bosquet.lab.compiled_play import CompiledPlay
from bosquet.search import Search, Settings, Task
from bosquet.search.learned_weights import has_weights
from studies.kept import kept

SEED = 2027
LEVELS = range(2, 7)
"""The strengths of the players."""
ASKED = 4
"""Decisions of a game at which the coach is asked."""
DIGITS = 6
FOLDS = 5
"""Parts of the games, for cross-validation."""


class Table(NamedTuple):
    """A game and how many play it."""

    game: str
    players: int

    @property
    def file(self) -> str:
        """Return its name in the folder."""
        return f"{self.game}-{self.players}"


GAMES = {
    Table("topiary", 2): 440,
    Table("topiary", 3): 70,
    Table("topiary", 4): 70,
    Table("topas", 2): 1000,
    Table("topas", 3): 60,
    Table("topas", 4): 60,
    Table("schlossgarten", 2): 180,
    Table("schlossgarten", 3): 60,
    Table("schlossgarten", 4): 60,
}
"""Number of games. Those of Topiary and Topas with two players take least time."""


class Asked(msgspec.Struct, frozen=True):
    """The answer of the coach for a decision: the share of the simulations that each seat won."""

    ply: int
    seat: int
    over: bool
    """Whether the decision ended the game."""
    rollouts: list[float]
    learned: list[float] | None
    """The same with learned values, or None if the game has none."""


class Played(msgspec.Struct, frozen=True):
    """One game: the level of every seat, the winners, the actions, and the answers of the coach."""

    index: int
    levels: list[int]
    winners: list[int]
    actions: list[int]
    asked: list[Asked]

    @property
    def fold(self) -> int:
        """Return the part of the games to which it belongs."""
        return self.index % FOLDS

    @property
    def won(self) -> list[float]:
        """Return the win of each seat; a shared win counts in part."""
        return [(seat in self.winners) / len(self.winners) for seat in range(len(self.levels))]


def played(table: Table, folder: Path, count: int, workers: int) -> Iterator[Played]:
    """Yield the games of a table; play and store those that are missing.

    If `count` is 0, yield the stored games only.
    """
    for line in kept(folder / f"{table.file}.jsonl", functools.partial(_play, table), count, workers):
        yield msgspec.json.decode(line, type=Played)


def levels_of(table: Table, index: int) -> list[int]:
    """Return the level of every seat, drawn independently, and again if all are equal."""
    rng = Rng(SEED, "levels", table.file, index)
    while True:
        levels = [LEVELS[below(rng.state, len(LEVELS))] for _ in range(table.players)]
        if len(set(levels)) > 1:
            return levels


def _play(table: Table, index: int) -> bytes:
    levels, seed = levels_of(table, index), derived_seed(SEED, index)
    players = _players(table, tuple(levels))
    found = players.play(seed)
    game = players.game(seed, found.actions)
    choices = [plies for plies in coach.decisions(game) if not coach.is_forced(game, plies)]
    rng = Rng(SEED, "asked", table.file, index)
    chosen = [choices.pop(below(rng.state, len(choices))) for _ in range(min(ASKED, len(choices)))]
    asked = [_ask(game, plies) for plies in sorted(chosen, key=lambda plies: plies[0].number)]
    return msgspec.json.encode(Played(index, levels, found.winners, found.actions, asked))


@functools.lru_cache(maxsize=64)
def _players(table: Table, levels: tuple[int, ...]) -> CompiledPlay:
    options = check_options(spec(table.game), {"players": table.players})
    return CompiledPlay(table.game, options, [f"level{level}" for level in levels])


def _ask(game: bosquet.Game, plies: list[coach.Ply]) -> Asked:
    first, last = plies[0], plies[-1]
    task = Task(first.state, first.state.seat, tuple(ply.action for ply in plies))
    after: Any = last.state.copy()
    game.spec.rules.play(after, last.action)

    def shares(learned: bool) -> list[float]:
        search = Search(Settings(simulations=coach.SIMULATIONS, rounds=0), learned=learned)
        return [round(win, DIGITS) for win in search.evaluate(game.name, task, Rng("worlds", first.number)).wins]

    return Asked(
        ply=first.number,
        seat=first.state.seat,
        over=after.seat == NOBODY,
        rollouts=shares(learned=False),
        learned=shares(learned=True) if has_weights(game.name, game.options) else None,
    )
