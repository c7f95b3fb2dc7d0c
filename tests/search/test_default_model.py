"""A game without a search model is searched all the same: legal actions, random rollouts, open scores."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.bots import levels
from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec
from bosquet.search import Search, Settings, Task, default_model, search_model
from bosquet.search.worker import Worker


@pytest.fixture(params=bosquet.GAMES)
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game that brings no search model."""
    name: str = request.param
    module = GameSpec.module
    monkeypatch.setattr(GameSpec, "module", lambda spec, part: None if part == "search" else module(spec, part))
    monkeypatch.setattr("bosquet.search.worker._idle", {})
    return name


def test_it_takes_the_place_of_a_missing_model(game: str) -> None:
    assert search_model(game) is default_model
    assert Worker(game, jit=False).model is default_model


def test_every_legal_action_is_a_candidate(game: str) -> None:
    state = bosquet.new(game, seed=1).state
    rules = spec(game).rules
    moves = [0] * rules.MAX_MOVES
    n = rules.legal(state, moves)
    worker = Worker(game, jit=False)
    worker.begin(Settings(), Task(state, state.seat), Rng(1))
    assert sorted(worker.tree.candidate[: worker.tree.root_edge_count]) == sorted(moves[:n])
    assert worker.solved() == []


def test_a_single_simulation_takes_any_action(game: str) -> None:
    """With equal candidates the first one is made, so their order is random."""
    view = bosquet.new(game, seed=1, players=2).view(0)
    search, rng = Search(Settings(simulations=1, rounds=1), jit=False), Rng(1)
    assert len({search.choose(view, rng) for _ in range(12)}) > 1


def test_bots_play_it(game: str) -> None:
    """Every move is legal: the game would refuse it otherwise."""
    played = bosquet.new(game, seed=2, players=2)
    seats = [Search(Settings(simulations=3, rounds=1), jit=False), Search(levels.settings(game, 1), jit=False)]
    rng = Rng(2)
    while played.seat is not None and len(played.moves) < 40:
        played.play(seats[played.seat].choose(played.view(played.seat), rng))
    assert played.over or len(played.moves) == 40


@pytest.mark.slow
@pytest.mark.parametrize("game", ["topas"], indirect=True)
def test_it_plays_better_than_at_random(game: str) -> None:
    lead = 0
    for seed in range(4):
        played = bosquet.new(game, seed=seed, players=2)
        seats: list[Any] = [Search(Settings(simulations=60), jit=False), bots.make("random")]
        rng = Rng(seed)
        while played.seat is not None:
            played.play(seats[played.seat].choose(played.view(played.seat), rng))
        lead += played.scores[0] - played.scores[1]
    assert lead > 40


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", ["topas"], indirect=True)
def test_compiled_it_is_the_same(game: str) -> None:
    view = bosquet.new(game, seed=3).view(0)
    plain, compiled = (Search(Settings(simulations=20), jit=jit).search(view, Rng(3)) for jit in (False, True))
    assert plain == compiled
