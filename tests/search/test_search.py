"""The search keeps to what its seat may know, is the same compiled and plain, and plays legal moves to the end."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.core.errors import OptionError
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.search import Search, Settings, Task
from bosquet.search.worker import Worker
from tests.contract.helpers.positions import determinized
from tests.helpers.cases import every_size_briefly, every_size_compiled, walk
from tests.helpers.rows import each_row
from tests.search.helpers.trees import tallies

FEW = Settings(simulations=12)


def searched(game: Game, settings: Settings, *, jit: bool) -> list[tuple[int, int, float]]:
    """The tree that is searched from a position."""
    assert game.seat is not None
    worker = Worker(game.name, jit=jit)
    worker.begin(settings, Task(game.state, game.seat), Rng("search"))
    worker.run(settings.simulations, 0.0)
    return tallies(worker)


@pytest.mark.slow
@every_size_compiled
def test_the_compiled_search_is_the_plain_one(name: str, options: dict[str, Any]) -> None:
    compared = 0
    for game in itertools.islice(walk(name, options, 5), 3, None, 29):
        if game.seat is not None:
            settings = Settings(
                simulations=8, candidate_dropout=0.2 * (compared % 2), random_rollouts=name != "schlossgarten"
            )
            compiled, plain = (searched(game, settings, jit=jit) for jit in (True, False))
            assert compiled == plain
            assert sum(visits for _, visits, _ in plain) >= 8
            compared += 1
    assert compared >= 1


@every_size_briefly
def test_a_search_plays_whole_games(name: str, options: dict[str, Any]) -> None:
    """Every move is legal (the game would refuse it), for weak and strong settings."""
    game = bosquet.new(name, seed=5, **options)
    settings = [
        FEW,
        Settings(simulations=3, candidate_dropout=0.8),
        Settings(simulations=6, rounds=1),
        Settings(simulations=2),
    ]
    seats = [(Search(settings[seat]), Rng(seat)) for seat in range(game.players)]
    while game.seat is not None and len(game.moves) < 120:
        bot, rng = seats[game.seat]
        game.play(bot.choose(game.view(game.seat), rng))
    assert game.over or len(game.moves) == 120


@every_size_briefly
def test_equal_views_and_chance_give_equal_moves(name: str, options: dict[str, Any]) -> None:
    """What the seat can't see plays no part: every world that looks the same to it gets the same move and verdict."""
    compared = 0
    for game in itertools.islice(walk(name, options, 6), 2, None, 17):
        if game.seat is None:
            continue
        other = determinized(game, game.seat, Rng("another world"))
        results = [Search(FEW).search(world.view(game.seat), Rng("same")) for world in (game, other)]
        assert results[0] == results[1]
        moves = {Search(FEW).choose(world.view(game.seat), Rng("same")) for world in (game, other)}
        assert len(moves) == 1
        compared += other.state != game.state
    assert compared or options["players"] == 1


def test_threads_share_the_simulations() -> None:
    view = bosquet.new("topiary", seed=1).view(0)
    result = Search(Settings(simulations=40, threads=3)).search(view, Rng(1))
    assert result.simulations == 42
    assert sum(found.visits for found in result.candidates) == 42
    assert len({found.candidate for found in result.candidates}) == len(result.candidates)
    for found in result.candidates:
        assert 0 <= found.value <= 1
        assert 0 <= found.win <= 1


def test_seconds_go_on_beyond_the_simulations() -> None:
    result = Search(Settings(simulations=2, seconds=0.3)).search(bosquet.new("topas", seed=1).view(0), Rng(1))
    assert result.simulations > 2


@each_row(
    "name",
    ["search", "search:", "search:x", "search:-1", "search:0", "search:9:rounds", "search:9:rounds=-1"]
    + ["search:9:colour=red", "search:9:seconds=nan", "search:9:candidate_dropout=2", "level0", "level7", "level", ""],
)
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match="search:SIMULATIONS"):
        bots.make(name)


def test_names_give_settings() -> None:
    bot = bots.player_for("search:250:rounds=2:candidate_dropout=0.25:random_rollouts=true", "topas", {})
    assert isinstance(bot, Search)
    assert bot.settings == Settings(simulations=250, rounds=2, candidate_dropout=0.25, random_rollouts=True)


@pytest.mark.parametrize("level", [1, pytest.param(6, marks=[pytest.mark.compiled, pytest.mark.slow])])
@pytest.mark.parametrize("name", ["topiary", "topas", "schlossgarten"])
def test_the_levels_take_up_any_game(name: str, level: int) -> None:
    game = bosquet.new(name, seed=2)
    bot = bots.make(f"level{level}")
    while game.seat == 0:
        game.play(bot.choose(game.view(0), Rng(1)))
    assert game.moves
