"""A game in play goes to another process, and is copied."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import pytest

import bosquet
from bosquet.core import installed
from bosquet.core.game import Game
from bosquet.core.variants import make_variant
from tests.helpers.cases import every_size, walk


def ended(game: Game) -> dict[str, Any]:
    """The record of a game after its last legal moves, up to a bound for games that these never end."""
    while not game.over and len(game.moves) < 120:
        game.play(game.legal()[-1])
    return game.record()


@every_size
def test_a_running_game_is_pickled_and_copied(name: str, options: dict[str, Any]) -> None:
    """With its hidden state, its history and its coming chance."""
    for plies in (0, 11):
        *_, game = walk(name, options, seed=3, plies=plies)
        game.view(game.seat)
        game.legal()
        kept = game.state
        for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
            assert twin.spec is game.spec
            assert (twin.state, twin.moves, twin.options, twin.deal) == (kept, game.moves, game.options, game.deal)
            assert (twin.record(), twin.can_undo) == (game.record(), game.can_undo)
            for seat in (None, *range(game.players)):
                assert twin.view(seat) == game.view(seat)
            assert ended(twin) == ended(copy.deepcopy(game))
            assert game.state == kept


def test_games_and_variants_go_to_another_process() -> None:
    """One that has not yet imported them."""
    running = [bosquet.new(name, seed=1) for name in (*bosquet.GAMES, *installed.variants())]
    for game in running:
        game.play(game.legal()[-1])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(ended, running, chunksize=1) == [ended(game) for game in running]


def test_a_game_that_nobody_can_look_up_is_not_pickled() -> None:
    spec = make_variant(bosquet.spec("topas"), "topas_nowhere", {"TURNS": 2})
    with pytest.raises(pickle.PicklingError, match="topas_nowhere is neither an installed game nor a variant"):
        pickle.dumps(spec)
