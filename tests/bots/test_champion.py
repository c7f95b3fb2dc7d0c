"""The bot `champion`: the best player that there is for a game, for about a second."""

from __future__ import annotations

import time
from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.bots import champion, levels
from bosquet.bots.champion import strongest
from bosquet.bots.learned import LearnedSettings, Lookahead
from bosquet.core import installed
from bosquet.core.errors import OptionError
from bosquet.core.rng import Rng
from bosquet.core.view import View
from bosquet.lab import compiled_play
from bosquet.search import Search, SearchResult, Settings
from tests.helpers.cases import reach
from tests.helpers.rows import each_row


@each_row(
    ("name", "options", "is_learned"),
    [
        ("topiary", {"players": 2, "draft": False}, True),
        ("topiary", {"players": 4, "draft": True}, True),
        ("topas", {"players": 2, "expert": False}, True),
        ("topas", {"players": 2, "expert": True}, True),
        ("topas", {"players": 3, "expert": False}, False),
        ("topas", {"players": 1, "expert": True}, False),
        ("schlossgarten", {"players": 2}, False),
    ],
)
def test_it_searches_with_learned_values_where_there_are_weights(
    name: str, options: dict[str, Any], is_learned: bool
) -> None:
    player = strongest(name, options)
    assert isinstance(player, Search)
    assert player.learned == is_learned
    assert (player.settings.seconds, player.settings.threads) == (1.0, 2)


def test_alone_in_topas_it_looks_ahead() -> None:
    player = strongest("topas", {"players": 1, "expert": False})
    assert isinstance(player, Lookahead)
    assert player.settings == LearnedSettings(ahead=2)


def test_a_search_stops_when_nothing_would_change_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that counts its readings, a search that stops early chooses the same and takes less time."""
    readings = iter(range(10_000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(readings)))
    view = reach("topas", {"players": 2, "expert": False}, 5, 10).view(0)
    results = [
        Search(Settings(simulations=8, seconds=60, stop_early=early), jit=False).search(view, Rng(1))
        for early in (False, True)
    ]
    assert 8 < results[1].simulations < results[0].simulations
    assert results[0].candidates[0].candidate == results[1].candidates[0].candidate


def test_only_a_decision_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The moves of a turn that was thought about, and those without a choice, are made at once."""
    monkeypatch.setattr(champion, "settings", lambda _game: Settings(simulations=1))
    searched = []
    search = Search.search

    def search_and_note(self: Search, view: View, rng: Rng) -> SearchResult:
        searched.append(view)
        return search(self, view, rng)

    monkeypatch.setattr(Search, "search", search_and_note)
    game = bosquet.new("schlossgarten", players=2, seed=2)
    seats = [bots.make("champion"), bots.make("champion")]
    while len(game.moves) < 30:
        assert game.seat is not None
        game.play(seats[game.seat].choose(game.view(game.seat), Rng(1)))
    assert 0 < 2 * len(searched) < len(game.moves)


@pytest.mark.parametrize("variant", installed.variants())
@pytest.mark.parametrize("name", bots.NAMES)
def test_every_bot_plays_every_variant(variant: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champion, "settings", lambda _game: Settings(simulations=4))
    monkeypatch.setattr(levels, "settings", lambda _game, _level: Settings(simulations=4, candidate_dropout=0.1))
    monkeypatch.setenv("BOSQUET_JIT", "0")
    game, rng = bosquet.new(variant, seed=1), Rng(1)
    seats = [bots.make(name) for _ in range(game.players)]
    while not game.over:
        assert game.seat is not None
        game.play(seats[game.seat].choose(game.view(game.seat), rng))


@pytest.mark.parametrize("variant", installed.variants())
def test_a_variant_has_no_learned_values(variant: str) -> None:
    """Whatever those of its game are."""
    view = bosquet.new(variant, seed=1).view(0)
    with pytest.raises(OptionError, match="`learned` has no weights for this game; it plays topas with one player"):
        bots.make("learned").choose(view, Rng(1))


def test_it_needs_views_and_batches_refuse_it() -> None:
    assert not compiled_play.plays("topas", ["level1", "champion"])
    with pytest.raises(OptionError, match=r"a level, a search, or a function; other bots play in gymnasium\.make"):
        bosquet.batch("topas", 2, learner=0, opponents="champion")
