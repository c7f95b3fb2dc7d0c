"""Histories of a batch: the information states are those of OpenSpiel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest

import bosquet
import bosquet.env.openspiel  # registers the games
from bosquet.env.histories import Histories

GAMES = [
    ("topiary", {"players": 3, "draft": True}),
    ("topas", {"players": 2}),
    pytest.param("schlossgarten", {"players": 2}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_information_states_are_those_of_openspiel(name: str, options: dict[str, Any]) -> None:
    given = ",".join(f"{key}={value}" for key, value in options.items())
    game = pyspiel.load_game(f"bosquet_{name}({given})")
    with bosquet.batch(name, n=3, seed=2, threads=1, **options) as batch:
        histories = Histories(batch)
        state: Any = None
        for _ in range(30):
            if histories.lengths[1] == 0:
                state = game.new_initial_state()
                state.chance_game.go_on(batch.plain_state(1))
            assert (histories.information_states()[1] == state.information_state_tensor(state.current_player())).all()
            for seat in range(batch.players):
                assert (histories.information_states(seat)[1] == state.information_state_tensor(seat)).all()
            actions = batch.sample().copy()
            wrong = actions.copy()
            wrong[2] = -1
            with pytest.raises(ValueError, match="of game 2 is not legal"):
                histories.step(wrong)
            state.apply_action(actions[1])
            histories.step(actions, where=[1, 0])
            assert histories.lengths[2] == 0


def test_a_batch_with_a_learner_has_no_histories() -> None:
    batch = bosquet.batch("topas", n=2, learner=0, threads=1)
    with pytest.raises(bosquet.OptionError, match="has a learner"):
        Histories(batch)
    histories = Histories(bosquet.batch("topas", n=2, seed=1, threads=1))
    first = histories.information_states()
    histories.step(histories.batch.sample())
    assert (histories.information_states() != first).any(1).all()
    histories.reset(1)
    assert np.array_equal(histories.information_states(), first)
