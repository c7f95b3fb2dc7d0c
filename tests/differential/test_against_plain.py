"""The product against the plain oracles, ply by ply: legal moves, open count, facts for every viewer, results.

`BOSQUET_TEST_GAMES=10` plays ten times as many games.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import pytest

import bosquet
from bosquet.games.constellations import rows_of
from tests.cases import CASES, IDS
from tests.plain import plain_game
from tests.plain.purposeful import choose, is_special
from tests.product import product_game

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
CHUNKS = 4


def random_deck(rng: random.Random) -> list[list[str]]:
    """32 constellations of any kind."""
    offsets = [i for i in range(25) if i != 12]
    deck: list[list[str]] = []
    while len(deck) < 32:
        gardener, architect = rng.sample(offsets, 2)
        try:
            rows = rows_of(gardener * 25 + architect)
            if bosquet.games.constellations.pattern_of(rows) == gardener * 25 + architect:
                deck.append(rows)
        except bosquet.BosquetError:
            continue  # wider than a card
    return deck


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


def chosen(name: str, plain: Any, legal: list[str], rng: random.Random, vary: float) -> str:
    """A random move, a purposeful one, or a shuffle."""
    if plain.seat is None:
        cards = plain.facts(None)["discard"]
        rng.shuffle(cards)
        return " ".join(["pile", *map(str, cards)])
    if name == "schlossgarten" and vary < 1:
        return choose(plain, rng, vary)
    return rng.choice(legal)


def kinds(name: str, plain: Any, move: str) -> list[str]:
    """What is special about a move of Schlossgarten."""
    words = move.split()
    if name != "schlossgarten":
        return []
    if words[0] == "pile":
        return ["shuffles"]
    if "hit" in words:
        return ["hits"]
    if len(words) == 2 and words[0] in "KGA":
        if not is_special(plain, move):
            return []
        home = plain.element_at(plain.pawns[plain.turn][words[0]])
        return ["shifts" if home is not None and words[1] in home.cells else "jumps"]
    if "build" in words:
        over = [e for e in plain.elements if set(e.cells) & set(words[3:])]
        return ["builds"] + ["builds over others"] * any(e.seat != plain.turn for e in over)
    return []


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(("name", "options"), CASES, ids=IDS)
def test_random_games(name: str, options: dict[str, Any], chunk: int) -> None:
    games = {"topiary": 60, "topas": 12, "schlossgarten": 1}[name] * MORE
    for index in range(games):
        seed = chunk * games + index
        deal = bosquet.new(name, seed=seed, **options).record()["deal"]
        compare(name, options, deal, random.Random(seed), 1.0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_purposeful_games(players: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(48 * MORE):
        rng = random.Random(seed)
        deck = random_deck(rng) if seed % 3 == 0 else None
        deal = bosquet.new("schlossgarten", players=players, seed=seed, deck=deck).record()["deal"]
        met += compare("schlossgarten", {"players": players}, deal, rng, (0.0, 0.1, 0.3, 0.6)[seed % 4])
    due = ["hits", "jumps", "shifts", "builds", "builds over others", "wins by 21"]
    assert all(met[kind] >= 10 for kind in due), met
    assert players == 2 or met["shuffles"] > 0, met
