"""Compiled rules and plain Python are the same rules, byte for byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.core import chance as chance_module
from bosquet.core.chance import LANES, lanes_of
from bosquet.core.jit import available, bind, kernel
from bosquet.core.rules import KERNELS
from bosquet.core.state import CHANCE, NOBODY
from bosquet.lab.playout import random_games
from tests.cases import CASES, IDS, walk

pytestmark = pytest.mark.skipif(not available(), reason="compiling is turned off (BOSQUET_JIT=0) or numba is absent")
every_game = pytest.mark.parametrize(("name", "options"), CASES, ids=IDS)


@kernel
def _on_record(states: Any, *rest: Any) -> Any:
    return target(states[0], *rest)


def target(state: Any, *rest: Any) -> Any:
    """Bound to a kernel."""


def on_array(name: str, rule: str) -> Any:
    """A compiled kernel of a game, called with an array of one state."""
    return bind(_on_record, {"target": getattr(bosquet.rules(name), rule)}, tag=f"{name}.{rule}")


@every_game
def test_whole_random_games_are_equal(name: str, options: dict[str, Any]) -> None:
    rules = bosquet.rules(name)
    bindings = {rule: getattr(rules, rule) for rule in KERNELS}
    plain = bind(random_games, bindings, jit=False)
    compiled = bind(random_games, bindings, tag=name)
    games = 2 if name == "schlossgarten" else 12
    for seed in range(3):
        state, lanes = rules.new_state(options), lanes_of(seed)
        decisions = plain([state], lanes, [0] * rules.MAX_MOVES, [0] * 4, games)
        packed, machine = rules.new_state(options).pack(), np.array(lanes_of(seed), np.int64)
        moves, points = np.zeros(rules.MAX_MOVES, np.int32), np.zeros(4, np.int64)
        assert compiled(packed, machine, moves, points, games) == decisions > 20
        assert packed.tobytes() == state.pack().tobytes()
        assert machine.tolist() == lanes


@every_game
def test_every_kernel_is_equal_at_every_ply(name: str, options: dict[str, Any]) -> None:
    rules = bosquet.rules(name)
    legal, play = on_array(name, "legal"), on_array(name, "play")
    scores, winners = on_array(name, "scores"), on_array(name, "winners")
    resample = on_array(name, "resample")
    compared = 0
    for game in walk(name, options, 11):
        state = game._state
        packed = state.pack()
        moves, points = np.zeros(rules.MAX_MOVES, np.int32), np.zeros(4, np.int64)
        n = legal(packed, moves)
        assert moves[:n].tolist() == game._actions()
        scores(packed, points)
        assert points[: game.players].tolist() == game.scores
        assert packed.tobytes() == state.pack().tobytes()
        if game.over:
            assert winners(packed) == rules.winners(state)
        for viewer in range(-1, game.players):
            other, other_packed = state.copy(), state.pack()
            lanes, machine = lanes_of(viewer), np.array(lanes_of(viewer), np.int64)
            rules.resample(other, viewer, lanes)
            resample(other_packed, viewer, machine)
            assert other_packed.tobytes() == other.pack().tobytes()
            assert machine.tolist() == lanes
        for action in game._actions()[:: max(1, n // 5)]:
            after, after_packed = state.copy(), state.pack()
            rules.play(after, action)
            play(after_packed, action)
            assert after_packed.tobytes() == after.pack().tobytes()
            compared += 1
    assert compared > 20


def test_chance_is_equal_and_rolls_too() -> None:
    shuffle = bind(chance_module.shuffle)
    for seed in range(20):
        lanes, items = lanes_of(seed), list(range(40))
        machine, array = np.array(lanes, np.int64), np.arange(40)
        chance_module.shuffle(lanes, items, 40)
        shuffle(machine, array, 40)
        assert array.tolist() == items
        assert machine.tolist() == lanes
        assert len(lanes) == LANES
    roll = on_array("schlossgarten", "roll")
    rolled = 0
    for options in ({"players": 2}, {"players": 4}):
        game = bosquet.new("schlossgarten", seed=3, **options)
        game.chance = None
        pick = bosquet.Chance(5)
        while game._state.seat != NOBODY and rolled < 4:
            if game._state.seat == CHANCE:
                packed, machine = game._state.pack(), np.array(lanes_of(9), np.int64)
                roll(packed, machine)
                game.roll(bosquet.Chance(9))
                assert packed.tobytes() == game._state.pack().tobytes()
                rolled += 1
            else:
                game.play(pick.choice(game.legal()))
    assert rolled > 1
