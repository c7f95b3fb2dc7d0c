"""Compiled rules and plain Python are the same rules, byte for byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.core import rng as rng_module
from bosquet.core.rng import RNG_WORDS, seed_rng
from bosquet.core.state import CHANCE, NOBODY
from bosquet.kernels.jit import bind, kernel
from bosquet.lab.playout import random_games
from tests.helpers.cases import actions_of, every_game_compiled, walk


@kernel
def _on_record(states: Any, *rest: Any) -> Any:
    return target(states[0], *rest)


def target(state: Any, *rest: Any) -> Any:
    """Bound to a kernel."""


def on_array(name: str, rule: str) -> Any:
    """A compiled kernel of a game, called with an array of one state."""
    return bind(_on_record, {"target": getattr(bosquet.spec(name).rules, rule)})


@every_game_compiled
def test_whole_random_games_are_equal(name: str, options: dict[str, Any]) -> None:
    spec = bosquet.spec(name)
    bindings = spec.kernels
    plain = bind(random_games, bindings, jit=False)
    compiled = bind(random_games, bindings)
    games = 2 if name == "schlossgarten" else 12
    for seed in range(3):
        state, rng_state = spec.rules.new_state(options), seed_rng(seed)
        decisions = plain([state], rng_state, [0] * spec.rules.MAX_MOVES, [0] * 4, games)
        packed, machine = spec.rules.new_state(options).pack(), np.array(seed_rng(seed), np.int64)
        moves, points = np.zeros(spec.rules.MAX_MOVES, np.int32), np.zeros(4, np.int64)
        assert compiled(packed, machine, moves, points, games) == decisions > 20
        assert packed.tobytes() == state.pack().tobytes()
        assert machine.tolist() == rng_state


@every_game_compiled
def test_every_kernel_is_equal_at_every_ply(name: str, options: dict[str, Any]) -> None:
    spec = bosquet.spec(name)
    legal, play = on_array(name, "legal"), on_array(name, "play")
    scores, winners = on_array(name, "scores"), on_array(name, "winners")
    determinize_in_place = on_array(name, "determinize_in_place")
    compared = 0
    for game in walk(name, options, 11):
        state = game.state
        packed = state.pack()
        moves, points = np.zeros(spec.rules.MAX_MOVES, np.int32), np.zeros(4, np.int64)
        n = legal(packed, moves)
        assert moves[:n].tolist() == actions_of(game)
        scores(packed, points)
        assert points[: game.players].tolist() == game.scores
        assert packed.tobytes() == state.pack().tobytes()
        if game.over:
            assert winners(packed) == spec.rules.winners(state)
        for viewer in range(-1, game.players):
            other, other_packed = state.copy(), state.pack()
            rng_state, machine = seed_rng(viewer), np.array(seed_rng(viewer), np.int64)
            spec.rules.determinize_in_place(other, viewer, rng_state)
            determinize_in_place(other_packed, viewer, machine)
            assert other_packed.tobytes() == other.pack().tobytes()
            assert machine.tolist() == rng_state
        for action in actions_of(game)[:: max(1, n // 5)]:
            after, after_packed = state.copy(), state.pack()
            spec.rules.play(after, action)
            play(after_packed, action)
            assert after_packed.tobytes() == after.pack().tobytes()
            compared += 1
    assert compared > 20


@pytest.mark.compiled
@pytest.mark.slow
def test_chance_is_equal_and_rolls_too() -> None:
    shuffle = bind(rng_module.shuffle)
    for seed in range(20):
        rng_state, items = seed_rng(seed), list(range(40))
        machine, array = np.array(rng_state, np.int64), np.arange(40)
        rng_module.shuffle(rng_state, items, 40)
        shuffle(machine, array, 40)
        assert array.tolist() == items
        assert machine.tolist() == rng_state
        assert len(rng_state) == RNG_WORDS
    sample_chance = on_array("schlossgarten", "sample_chance")
    rolled = 0
    for options in ({"players": 2}, {"players": 4}):
        game = bosquet.new("schlossgarten", seed=3, **options)
        game.rng = None
        pick = bosquet.Rng(5)
        while game.state.seat != NOBODY and rolled < 4:
            if game.state.seat == CHANCE:
                packed, machine = game.state.pack(), np.array(seed_rng(9), np.int64)
                sample_chance(packed, machine)
                game.sample_chance(bosquet.Rng(9))
                assert packed.tobytes() == game.state.pack().tobytes()
                rolled += 1
            else:
                game.play(pick.choice(game.legal()))
    assert rolled > 1
