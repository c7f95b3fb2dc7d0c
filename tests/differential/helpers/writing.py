"""Comparing what is written of a position with the plain view."""

from __future__ import annotations

import os
import random

from bosquet.core import view_texts
from bosquet.core.assistance import AIDS, FULL, NONE, PLAIN
from bosquet.core.game import Game
from bosquet.core.view import limited, plain_move, to_json
from tests.helpers.cases import actions_of
from tests.plain import plain_views

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
"""How many times as many games are played."""


def check(game: Game, chance: random.Random) -> None:
    """Compare all that is written of a position with the oracle."""
    game_spec, oracle, state = game.spec, plain_views(game.name), game.state
    packed, actions = state.pack().tobytes(), actions_of(game)
    texts = view_texts.StateTexts(game_spec, state)
    for viewer in (None, *range(game.players)):
        right = oracle.view(state, viewer)
        for assistance in (NONE, AIDS, PLAIN, FULL):
            text = texts.view(viewer, assistance)
            assert text == to_json(limited(right, assistance)), (viewer, assistance)
        assert texts.typed_view(viewer) == game.view(viewer) == game_spec.view.view(state, viewer) == right
        if game_spec.module("position_text") is not None:
            assert texts.position(viewer) == str(game.position(viewer))
        for action in chance.sample(actions, min(5, len(actions))):
            made = oracle.move_data(state, action, viewer)
            assert texts.move(action, viewer) == to_json(made)
            assert texts.move(action, viewer, PLAIN) == to_json(plain_move(made))
            assert texts.typed_move(action, viewer) == made
    assert texts.actions == view_texts.StateTexts(game_spec, state).actions == (actions if state.seat >= 0 else [])
    assert state.pack().tobytes() == packed


def check_sheet(game: Game) -> None:
    """Compare the score sheet with the oracle."""
    right = plain_views(game.name).sheet(game.state, list(game.plies()))
    assert view_texts.written_sheet(game.spec, game.state, game.plies()) == to_json(right)
    assert game.score_sheet() == right
    assert game.score_sheet() == right
