"""What docs/environments.md says of seeds: what they determine, and where they differ."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import bosquet
import bosquet.env.gymnasium
from bosquet.core.rng import RNG_WORDS, derived_seed, seed_rng, seed_words
from bosquet.env import pettingzoo
from bosquet.env.compiled_game import compiled_game
from bosquet.env.game_state import GameState
from bosquet.lab.matches import Match

IDS = {"topiary": "bosquet/Topiary-v1", "topas": "bosquet/Topas-v1", "schlossgarten": "bosquet/Schlossgarten-v1"}


def from_batch(name: str, n: int) -> bytes:
    with bosquet.batch(name, players=2, n=n, seed=7, threads=1) as batch:
        return bytes(batch.observations[0])


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_seed_deals_differently_in_each_interface_and_the_same_within_one(name: str) -> None:
    compiled = compiled_game(name, players=2)
    new = GameState.at(compiled, bosquet.new(name, players=2, seed=7).state).observation(0).tobytes()
    batch = from_batch(name, 1)
    assert from_batch(name, 5) == batch
    with bosquet.batch(name, players=2, n=3, seed=1, threads=1) as other:
        other.reset(where=[2], seeds=[7])
        assert other.observations[2].tobytes() == batch
    environment = gymnasium.make(IDS[name], players=2, opponents=["greedy"])
    one_seat = environment.reset(seed=7)[0]["observation"].tobytes()
    assert one_seat == GameState(compiled, 7).observation(0).tobytes()
    table = pettingzoo.env(name, players=2)
    table.reset(seed=7)
    all_seats = table.observe("seat_0")["observation"].tobytes()
    assert len({new, batch, one_seat, all_seats}) == 4


def test_the_record_of_a_game_of_a_match_holds_its_seed() -> None:
    played = Match("topas", {"players": 2}, ["random"], 7).checked().play(3)
    assert played.record()["seed"] == derived_seed(7, 3)
    again = bosquet.new("topas", players=2, seed=played.record()["seed"])
    assert again.record()["deal"] == played.record()["deal"]


def test_seeds_of_many_games_are_those_of_each() -> None:
    words = np.frombuffer(seed_words(7, "batch", numbers=range(3)), "<u4").reshape(3, RNG_WORDS)
    assert words.tolist() == [seed_rng(7, "batch", i) for i in range(3)]
