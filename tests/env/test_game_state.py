"""One game in play: what is refused, because compiled code would read beside its arrays."""

from __future__ import annotations

import pyspiel
import pytest

import bosquet
import bosquet.env.openspiel  # registers the games
from bosquet.env.chance_game import ChanceGame, ChanceModel
from bosquet.env.compiled_game import compiled_game
from bosquet.env.game_state import GameState
from tests.rows import each_row

BEYOND = [-1, 114, 10**7, 2**62]


@each_row("index", BEYOND)
def test_an_index_outside_the_action_space_is_refused(index: int) -> None:
    game_state = GameState(compiled_game("topiary"), 7)
    before = game_state.state
    with pytest.raises(bosquet.IllegalMove, match=f"action {index} is not legal; actions are 0 to 113"):
        game_state.play(index)
    assert game_state.state == before
    assert game_state.seat == before.seat


def test_a_game_that_is_over_takes_no_action() -> None:
    game_state = GameState(compiled_game("topiary"), 7)
    while not game_state.over:
        game_state.play(game_state.legal()[0])
    with pytest.raises(bosquet.IllegalMove, match="the game is over"):
        game_state.play(0)


def test_a_chance_event_comes_before_the_next_action() -> None:
    chance_game = ChanceGame(ChanceModel(compiled_game("topiary"), explicit=True))
    with pytest.raises(bosquet.IllegalMove, match="no action is legal"):
        chance_game.play(0)
    for outcome in (-1, chance_game.due):
        with pytest.raises(bosquet.IllegalMove, match=f"chance outcome {outcome} is not due; outcomes are 0 to"):
            chance_game.choose(outcome)


@each_row("index", BEYOND[1:])  # it refuses -1 itself
def test_openspiel_gets_the_same_refusal(index: int) -> None:
    state = pyspiel.load_game("bosquet_topiary(players=2)").new_initial_state()
    with pytest.raises(bosquet.IllegalMove, match="is not due"):
        state.apply_action(256)
    while state.is_chance_node():
        state.apply_action(0)
    before = str(state)
    with pytest.raises((bosquet.IllegalMove, TypeError)):
        state.apply_action(index)
    assert str(state) == before
