"""The luck receipt: games of the same deal that differ, and the same numbers for the same seed."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.core.chance import Chance
from bosquet.lab import luck


@pytest.mark.parametrize(("name", "players"), [("topiary", 2), ("topiary", 4), ("topas", 1), ("schlossgarten", 2)])
def test_bots_make_different_games_of_one_deal(name: str, players: int) -> None:
    game = bosquet.new(name, players=players, seed=2)
    seats: list[Any] = [bots.make("greedy") for _ in range(players)]
    while game.seat is not None:
        game.play(seats[game.seat].choose(game.view(game.seat), Chance(1)))
    played = list(luck.replayed(game, 12))
    assert all(again.deal == game.deal and again.over for again in played)
    spreads = luck.receipt(game, played)
    assert [spread.yours for spread in spreads] == game.scores
    assert all(len(set(spread.points)) > 3 for spread in spreads)
    assert [again.scores for again in played[:2]] == [luck.replay(game, index).scores for index in (0, 1)]
