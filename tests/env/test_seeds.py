"""What docs/environments.md says of seeds: a seed means the same deal in every interface."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import bosquet
import bosquet.env.gymnasium
from bosquet.core.rng import RNG_WORDS, derived_seed, derived_seeds, seed_rng, seed_words
from bosquet.env import pettingzoo
from bosquet.env.compiled_game import compiled_game
from bosquet.env.game_state import GameState
from bosquet.env.vector import BosquetVectorEnv
from bosquet.lab.matches import Match

IDS = {"topiary": "bosquet/Topiary-v1", "topas": "bosquet/Topas-v1", "schlossgarten": "bosquet/Schlossgarten-v1"}


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_seed_means_the_same_deal_in_every_interface(name: str) -> None:
    compiled = compiled_game(name, players=2)
    game = bosquet.new(name, players=2, seed=7)
    state = GameState(compiled, 7)
    assert state.state == game.state
    assert list(state.rng_state) == seed_rng(7, "chance")  # later chance is the same, too
    seen = GameState.at(compiled, game.state).observation(0)
    environment = gymnasium.make(IDS[name], players=2, opponents=["greedy"])
    assert (environment.reset(seed=7)[0]["observation"] == seen).all()
    environments = BosquetVectorEnv(name, 2, players=2, threads=1)
    assert (environments.reset(seed=6)[0]["observation"][1] == seen).all()
    table = pettingzoo.env(name, players=2)
    table.reset(seed=7)
    assert (table.observe("seat_0")["observation"] == seen).all()
    with bosquet.batch(name, players=2, n=3, seed=1, threads=1) as batch:
        third = GameState(compiled, derived_seed(1, 2))  # that of game 2 of a match with the seed 1
        assert (batch.observations[2] == third.observation(0)).all()
        batch.reset(where=[2], seeds=[7])
        assert (batch.observations[2] == seen).all()


def test_the_record_of_a_game_of_a_match_holds_its_seed() -> None:
    played = Match("topas", {"players": 2}, ["random"], 7).checked().play(3)
    assert played.record()["seed"] == derived_seed(7, 3)
    again = bosquet.new("topas", players=2, seed=played.record()["seed"])
    assert again.record()["deal"] == played.record()["deal"]


def test_seeds_of_many_games_are_those_of_each() -> None:
    words = np.frombuffer(seed_words(range(3), "deal"), "<u4").reshape(3, RNG_WORDS)
    assert words.tolist() == [seed_rng(i, "deal") for i in range(3)]
    assert derived_seeds(7, range(3)) == [derived_seed(7, i) for i in range(3)]
