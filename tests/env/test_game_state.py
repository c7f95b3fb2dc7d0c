"""One game in play: what is refused, because compiled code would read beside its arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import pytest

import bosquet
import bosquet.env.openspiel  # registers the games
from bosquet.core.errors import quoted
from bosquet.env.chance_game import ChanceGame, ChanceModel
from bosquet.env.compiled_game import compiled_game
from bosquet.env.game_state import GameState
from tests.helpers.rows import each_row

BEYOND = [-1, 114, 10**7, 2**62]


@each_row("index", BEYOND)
def test_an_index_outside_the_action_space_is_refused(index: int) -> None:
    game_state = GameState(compiled_game("topiary"), 7)
    before = game_state.state
    with pytest.raises(bosquet.IllegalMove, match=r"action .* is not legal; actions are 0 to 113"):
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
    wrong: list[Any] = [-1, chance_game.due, 1.5, None, True]
    for outcome in wrong:
        with pytest.raises(bosquet.IllegalMove, match=f"chance outcome {quoted(outcome)} is not due; outcomes"):
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


def test_openspiel_refuses_an_action_that_is_not_legal_now() -> None:
    state = pyspiel.load_game("bosquet_topiary(players=2)").new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    first = state.legal_actions()
    state.legal_actions().clear()  # the list is the caller's
    state.apply_action(first[0])
    before, history = str(state), state.history()
    for known in (False, True):  # whether the legal actions were asked for
        if known:
            assert not set(first) & set(state.legal_actions())
        with pytest.raises(bosquet.IllegalMove, match=f"action {first[0]} is not legal; legal are"):
            state.clone().apply_action(first[0])
    assert (str(state), state.history()) == (before, history)


NO_SEATS = [(7, "7"), (2, "2"), (-1, "-1"), (100, "100"), (None, "null"), (1.0, "1.0"), ("x", '"x"'), (True, "true")]


@each_row(("seat", "shown"), NO_SEATS)
def test_a_seat_that_there_is_not_is_refused(seat: Any, shown: str) -> None:
    game_state = GameState(compiled_game("topas"), 1)
    before = game_state.state
    looks: list[Callable[[], Any]] = [
        lambda: game_state.observation(seat),
        lambda: game_state.determinize(seat, 1),
        *([lambda: game_state.view(seat)] if seat is not None else []),
    ]
    for look in looks:
        with pytest.raises(bosquet.OptionError, match=f"^seat is {shown}; seats are 0 to 1$"):
            look()
    assert game_state.state == before
    assert (game_state.observation(np.int64(1)) == game_state.observation(1)).all()


@each_row(("seat", "shown"), NO_SEATS)
def test_openspiel_sees_and_resamples_for_seats_alone(seat: Any, shown: str) -> None:
    game = pyspiel.load_game("bosquet_topas(players=2)")
    state, observer = game.new_initial_state(), game.make_py_observer()
    for _ in range(2):
        before, seen = str(state), observer.tensor.copy()
        looks: list[Callable[[], Any]] = [
            lambda: observer.set_from(state, seat),
            lambda: state.resample_from_infostate(seat, lambda: 0.5),
        ]
        for look in looks:
            with pytest.raises(bosquet.OptionError, match=f"^seat is {shown}; seats are 0 to 1$"):
                look()
        assert str(state) == before
        assert (observer.tensor == seen).all()
        while state.is_chance_node():
            state.apply_action(7)
        observer.set_from(state, 0)
    with pytest.raises(bosquet.OptionError, match=f"^seat is {shown}"):
        observer.string_from(state, seat)


@each_row("index", [1.5, None, "x", True, [1]])
def test_what_is_no_index_is_refused(index: Any) -> None:
    game_state = GameState(compiled_game("topiary"), 7)
    chance_game = ChanceGame(ChanceModel(compiled_game("topiary"), deals=1))
    chance_game.choose(0)
    for use in (game_state.play, game_state.to_notation, chance_game.play):
        with pytest.raises(bosquet.IllegalMove, match="is no action; an action is a whole number below 114"):
            use(index)
    game_state.play(np.int64(game_state.legal()[0]))


@each_row("index", BEYOND)
def test_an_index_outside_the_action_space_has_no_notation(index: int) -> None:
    with pytest.raises(bosquet.IllegalMove, match="actions are 0 to 113"):
        GameState(compiled_game("topiary"), 7).to_notation(index)


@each_row(
    ("settings", "words"),
    [
        ({"deals": -1}, "deals is -1; it must be a whole number from 0"),
        ({"deals": 2.5}, "deals is 2.5"),
        ({"explicit": "x"}, 'explicit is "x"; it must be True or False'),
    ],
)
def test_wrong_settings_of_chance_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(bosquet.OptionError, match=words):
        ChanceModel(compiled_game("topiary"), **settings)


@each_row("seed", ["a", None, 1.5, True, [1]])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    compiled = compiled_game("topiary")
    game_state = GameState(compiled, 7, 1)
    before = game_state.state
    for use in (
        lambda: GameState(compiled, seed),
        lambda: GameState(compiled, 7, seed),
        lambda: GameState.at(compiled, before, seed),
        lambda: game_state.determinize(0, seed),
    ):
        with pytest.raises(bosquet.OptionError, match=r"^seed is .*; it must be a whole number$"):
            use()
    assert game_state.state == before
    assert GameState(compiled, np.int64(7), 1).state == before
