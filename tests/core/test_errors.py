"""Errors that say why."""

from __future__ import annotations

import pickle

import pytest

import bosquet
from bosquet.core.errors import IllegalMove, Reason


def test_an_illegal_move_says_the_rule_by_itself_also_in_another_process() -> None:
    game = bosquet.new("topas", players=1, seed=1)
    card = game.legal()[0].split("@")[0]
    with pytest.raises(IllegalMove) as caught:
        game.play(f"{card}@0,0E")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert str(error).startswith(f'"{card}@0,0E": there is a card on 0,0 already; legal: ')
        assert error.reason == "there is a card on 0,0 already"
        assert isinstance(error.reason, Reason)
        assert (error.reason.key, error.reason.about) == ("covered", {"cell": "0,0"})


def test_text_that_is_no_move_says_how_moves_are_written() -> None:
    with pytest.raises(IllegalMove) as caught:
        bosquet.new("topiary", seed=1).play("put")
    reason = caught.value.reason
    assert isinstance(reason, Reason)
    assert (reason.key, reason.about) == ("no_move", {})
    assert reason.startswith("this is no move of Topiary; moves are written")
    assert "legal: " not in reason
