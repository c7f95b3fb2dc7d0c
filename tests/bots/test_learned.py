"""The bot `learned`: equal moves everywhere, from what may be known, with weights that come along."""

from __future__ import annotations

import itertools
from importlib.resources import files

import numpy as np
import pytest

import bosquet
from bosquet import bots
from bosquet.bots.learned import LearnedSettings, Lookahead
from bosquet.core.errors import OptionError
from bosquet.core.rng import Rng
from bosquet.games.topas.solitaire import learned
from bosquet.games.topas.solitaire.learned_inputs import Network
from bosquet.games.topas.solitaire.lookahead import Stakes
from bosquet.lab.matches import Match
from tests.helpers.cases import reach, walk
from tests.helpers.rows import each_row

ALONE = {"players": 1, "expert": False}


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("ahead", "step"), [(0, 9), (1, 4), (2, 13)])
def test_compiled_and_plain_choose_the_same(ahead: int, step: int) -> None:
    players = [learned.Player(ahead, jit=jit) for jit in (True, False)]
    first = 5 if ahead == 2 else 1  # plain Python looks two cards ahead for minutes where more cards are left
    for game in itertools.islice(walk("topas", ALONE, 4), first, 28, step):
        compiled, plain = (player.choose(game.state) for player in players)
        assert compiled == plain


@pytest.mark.compiled
def test_the_order_of_the_pile_plays_no_part() -> None:
    player = learned.Player(1)
    for game in itertools.islice(walk("topas", ALONE, 5), 28):
        states = [game.spec.view.determinize(game.view(0), Rng(seed)) for seed in range(3)]
        assert len({tuple(state.deck) for state in states}) > 1
        assert len({player.choose(state) for state in [game.state, *states]}) == 1


@each_row(("ahead", "ply"), [(0, 20), (1, 24), (2, 27)])
def test_towards_the_end_plain_python_is_quick_enough_and_knows_no_order_either(ahead: int, ply: int) -> None:
    player, game = learned.Player(ahead, jit=False), reach("topas", ALONE, 5, ply)
    chosen = {player.choose(state) for state in (game.state, game.spec.view.determinize(game.view(0), Rng(1)))}
    assert len(chosen) == 1
    assert game.spec.notation.to_notation(game.state, chosen.pop()) in game.legal()


@pytest.mark.compiled
def test_it_plays_a_whole_game_and_uses_no_chance() -> None:
    found = []
    for seed in (1, 2):
        game, bot, rng = bosquet.new("topas", seed=7, players=1), bots.make("learned"), Rng(seed)
        before = list(rng.state)
        while not game.over:
            game.play(bot.choose(game.view(0), rng))
        assert rng.state == before
        found.append(list(game.moves))
        assert game.scores[0] >= 35
    assert found[0] == found[1]


def test_the_weights_are_small_and_of_the_right_kind() -> None:
    file = files("bosquet.games.topas.solitaire") / learned.FILE
    assert len(file.read_bytes()) <= 1 << 20
    weights = learned.stored_weights()
    for name, array in weights.items():
        field = {**Network.fields, **Stakes.fields}[name]
        assert array.dtype == np.dtype(field.code)
        assert array.size == field.length
    assert {*Network.fields, "errors", "reach"} == set(weights)


def test_settings_are_in_the_name() -> None:
    bot = bots.player_for("learned:ahead=2", "topas", {"players": 1, "expert": False})
    assert isinstance(bot, Lookahead)
    assert bot.settings == LearnedSettings(ahead=2)
    assert not bots.reads_moves("learned", "topas")


@each_row("name", ["learned:ahead=4", "learned:ahead=x", "learned:seconds=1", "learned:ahead=1:seconds=1"])
def test_other_settings_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match="takes ahead"):
        bots.make(name)


@each_row(
    ("game", "options"),
    [("topas", {"players": 3}), ("topas", {"players": 1, "expert": True}), ("schlossgarten", {})],
)
def test_games_without_weights_are_refused(game: str, options: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="it plays topas with one player and without expert"):
        bots.make("learned").choose(bosquet.new(game, seed=1, **options).view(0), Rng(1))
    with pytest.raises(OptionError, match="it plays topas with one player and without expert"):
        Match(game, options, ["learned"], 1).checked()
