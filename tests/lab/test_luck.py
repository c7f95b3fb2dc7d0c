"""The luck receipt plays the very deal of the game again, and counts right."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.core.rng import Rng
from bosquet.lab import luck
from bosquet.lab.luck import receipt, replayed
from tests.helpers.cases import walk


@pytest.mark.parametrize("name", ["topiary", "topas", "schlossgarten"])
def test_the_deal_is_the_same_and_the_games_are_not(name: str) -> None:
    (*_, game) = walk(name, {"players": 2}, 3)
    played = list(replayed(game, 2, "greedy"))
    assert len(played) == 2
    assert all(again.over and again.record()["deal"] == game.record()["deal"] for again in played)
    assert len({tuple(again.moves) for again in played}) > 1
    assert [again.moves for again in replayed(game, 2, "greedy")] == [again.moves for again in played]


def test_the_spread_counts_what_was_beaten() -> None:
    (*_, game) = walk("topas", {"players": 2}, 3)
    played = list(replayed(game, 5, "greedy"))
    for spread in receipt(game, played):
        points = [again.scores[spread.seat] for again in played]
        assert spread.points == sorted(points)
        assert spread.mean == pytest.approx(sum(points) / 5, abs=0.01)
        less = sum(x < spread.yours for x in points) + sum(x == spread.yours for x in points) / 2
        assert spread.beaten == pytest.approx(less / 5)
        assert spread.yours == game.scores[spread.seat]
    assert sum(spread.won for spread in receipt(game, played)) == pytest.approx(1, abs=0.001)


def test_solitaire_has_a_receipt_too() -> None:
    game = bosquet.new("topas", seed=1, players=1)
    bot = bosquet.bots.make("greedy")
    while not game.over:
        game.play(bot.choose(game.view(0), bosquet.Rng(1)))
    (spread,) = receipt(game, list(replayed(game, 3, "greedy")))
    assert spread.won == 1
    assert len(spread.points) == 3


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [("topiary", 2), ("topiary", 4), ("topas", 1), ("schlossgarten", 2)])
def test_bots_make_different_games_of_one_deal(name: str, players: int) -> None:
    game = bosquet.new(name, players=players, seed=2)
    seats: list[Any] = [bots.make("greedy") for _ in range(players)]
    while game.seat is not None:
        game.play(seats[game.seat].choose(game.view(game.seat), Rng(1)))
    played = list(luck.replayed(game, 12))
    assert all(again.deal == game.deal and again.over for again in played)
    spreads = luck.receipt(game, played)
    assert [spread.yours for spread in spreads] == game.scores
    assert all(len(set(spread.points)) > 3 for spread in spreads)
    assert [again.scores for again in played[:2]] == [luck.replay(game, index).scores for index in (0, 1)]
