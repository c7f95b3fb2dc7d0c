"""Names of version 0.1 still work, and say what to use."""

from __future__ import annotations

import pytest

import bosquet


def test_chance_is_rng() -> None:
    with pytest.warns(DeprecationWarning, match=r"bosquet\.Rng"):
        old = bosquet.Chance("seed")
    new = bosquet.Rng("seed")
    assert [old.below(1000) for _ in range(5)] == [new.below(1000) for _ in range(5)]


def test_told_is_observed_moves() -> None:
    game = bosquet.new("topiary", players=2, seed=1)
    game.play(game.legal()[0])
    with pytest.warns(DeprecationWarning, match="observed_moves"):
        assert game.told(None) == game.observed_moves(None)


def test_rules_has_every_function_under_its_old_name() -> None:
    with pytest.warns(DeprecationWarning, match=r"bosquet\.spec"):
        rules = bosquet.rules("topiary")
    game = bosquet.new("topiary", players=2, seed=1)
    state = game.state
    action = rules.parse(state, "a1E")
    assert rules.say(state, action) == rules.told(state, action, 1) == "a1E"
    assert not rules.reveals(state, action)
    assert rules.view(rules.redeal(game.view(0), bosquet.Rng(1)), 0) == game.view(0)
    assert rules.OPTIONS["players"] == (2, 3, 4)
    with pytest.raises(AttributeError):
        _ = rules.nothing
