"""A bot in another language plays a match."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from bosquet.bots import outside
from bosquet.lab.arena import Arena, played
from bosquet.lab.standings import Standings
from tests.helpers.node import NODE

ROOT = Path(__file__).parents[2]
BOT = f"cmd:{shlex.join([str(NODE), str(ROOT / 'examples/bot.mjs')])}"


def test_it_is_short() -> None:
    assert len((ROOT / "examples/bot.mjs").read_text().splitlines()) <= 30


@pytest.mark.parametrize(("game", "wins"), [("topas", 0.8), pytest.param("topiary", 0.8, marks=pytest.mark.slow)])
def test_it_plays_a_match_and_beats_random(game: str, wins: float) -> None:
    match = Arena(game, {"players": 2}, [BOT, "random"], 12, 1).checked()
    standings = Standings(match)
    for deal in played(match, workers=1):
        standings.add(deal)
    outside.close_idle()
    assert standings.games == 12
    assert standings.forfeits == [0, 0]
    assert standings.win_rate(0).value >= wins
