"""The product against the plain oracles, ply by ply: legal moves, current scores, facts for every viewer, results.

`BOSQUET_TEST_GAMES=10` plays ten times as many games.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import pytest

import bosquet
from tests.differential.helpers.variety import EACH_OPTION, FRAMES, OPTIONS, another_box, chosen, kinds, random_deck
from tests.helpers.cases import every_game
from tests.helpers.product import product_game
from tests.plain import plain_game

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))


def compare(name: str, options: dict[str, Any], deal: dict[str, Any], rng: random.Random, vary: float) -> Counter[str]:
    """Play one game on both and compare all the way; count what was met."""
    plain, product = plain_game(name, options, deal), product_game(name, options, deal)
    met: Counter[str] = Counter()
    forget: list[str] = []
    while True:
        legal = plain.legal()
        assert product.seat == plain.seat
        assert product.over == plain.over
        assert sorted(product.legal()) == sorted(legal)
        assert product.scores() == plain.scores()
        if rng.random() < 0.15 or plain.over:
            for viewer in (None, *range(options["players"])):
                known, shown = plain.facts(viewer), product.facts(viewer)
                assert {key: shown[key] for key in known} == known
        if plain.over:
            break
        for wrong in rng.sample(forget, min(2, len(forget))):
            if wrong not in legal:
                with pytest.raises(ValueError):
                    product.play(wrong)
                with pytest.raises(ValueError):
                    plain.copy().play(wrong)
        move = chosen(name, plain, legal, rng, vary)
        met.update(kinds(name, plain, move))
        forget = legal
        plain.play(move)
        product.play(move)
    assert product.result() == plain.result()
    met["games"] += 1
    if name == "schlossgarten":
        met["wins by 21"] += max(plain.scores()) >= 21
    return met


@every_game
def test_random_games(name: str, options: dict[str, Any]) -> None:
    games = {"topiary": 60, "topas": 12, "schlossgarten": 1}[name]
    for seed in range(games * MORE):
        deal = bosquet.new(name, seed=seed, **options).record()["deal"]
        compare(name, options, deal, random.Random(seed), 1.0)


def purposeful_games(options: dict[str, Any], games: int, boxes: bool = False) -> Counter[str]:
    """Play games of Schlossgarten with options, some of them with another deck or box; count what was met.

    Frames, decks and how much is left to chance are paired in all ways within 36 games.
    """
    met: Counter[str] = Counter()
    for seed in range(games * MORE):
        rng = random.Random(seed)
        frames = [[(3, 3)], FRAMES, [(5, 5)]][seed // 3 % 3]
        deck = random_deck(rng, frames) if seed % 3 == 0 else None
        deal = bosquet.new("schlossgarten", seed=seed, box=deck, **options).record()["deal"]
        if boxes:
            deal = another_box(deal, rng)
        met += compare("schlossgarten", options, deal, rng, (0.0, 0.1, 0.3, 0.6)[seed % 4])
    due = ["hits", "jumps", "shifts", "builds", "builds over others", "wins by 21"]
    assert all(met[kind] >= games // 3 for kind in due), met
    return met


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "players", "games"),
    [
        (OPTIONS[0], 3, 36),
        *((options, players, 12) for options, players in EACH_OPTION if (options, players) != (OPTIONS[0], 3)),
    ],
)
def test_purposeful_games(options: dict[str, str], players: int, games: int) -> None:
    met = purposeful_games({"players": players, **options}, games)
    assert players == 2 or met["shuffles"] > 0, met
    assert (met["builds by another"] >= games // 3) == (options.get("work") == "each"), met
    assert (met["builds on elements alone"] >= games // 3) == (options.get("overbuild") == "elements"), met
    assert (met["builds beside nothing"] > 0) == (options.get("overbuild") != "bordering"), met


@pytest.mark.slow
@pytest.mark.parametrize("players", [3])
def test_purposeful_games_with_another_box(players: int) -> None:
    purposeful_games({"players": players}, 24, boxes=True)


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_topiary_without_a_type_that_was_named(players: int, draft: bool) -> None:
    for seed, removed in enumerate("TWSEPHOL"):
        options = {"players": players, "draft": draft, "removed": removed}
        deal = bosquet.new("topiary", seed=seed, **options).record()["deal"]
        assert deal["removed"] == removed
        compare("topiary", options, deal, random.Random(seed), 1.0)
