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
from bosquet.games.schlossgarten.constellations import pattern_of, rows_of
from tests.cases import every_game
from tests.plain import plain_game
from tests.plain.purposeful import choose, is_special
from tests.product import product_game

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
PARTS = [range(1), pytest.param(range(1, 4), marks=pytest.mark.slow)]
"""Games by the dozen: those of the quick run, and the others."""
OPTIONS: list[dict[str, str]] = [
    {},
    {"work": "each"},
    {"overbuild": "elements"},
    {"work": "each", "overbuild": "elements"},
]
"""The options of Schlossgarten beside the number of players."""


def random_deck(rng: random.Random) -> list[list[str]]:
    """32 constellations of any kind."""
    offsets = [i for i in range(25) if i != 12]
    deck: list[list[str]] = []
    while len(deck) < 32:
        gardener, architect = rng.sample(offsets, 2)
        try:
            rows = rows_of(gardener * 25 + architect)
            if pattern_of(rows) == gardener * 25 + architect:
                deck.append(rows)
        except bosquet.BosquetError:
            continue  # wider than a card
    return deck


def another_box(deal: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The deal with other tiles, constellations and starting cells, as of another box file."""
    first, second = sorted(rng.sample(range(1, 49), 2))
    tiles = [first, second - first, 49 - second]
    cells = rng.sample([column + row for column in "abcdefg" for row in "1234567"], 3 * len(deal["hands"]))
    return {
        **deal,
        "deck": random_deck(rng),
        "tiles": tiles,
        "starts": [cells[i : i + 3] for i in range(0, len(cells), 3)],
        "landscape": rng.sample((1, 2, 3), 49, counts=tiles),
    }


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
        return (
            ["builds"]
            + ["builds over others"] * any(e.seat != plain.turn for e in over)
            + ["builds by another"] * (plain.phase == "build" and plain.worker != words[0])
            + ["builds on elements alone"] * plain.excavations.isdisjoint(words[3:])
        )
    return []


@pytest.mark.parametrize("part", PARTS, ids=["few", "many"])
@every_game
def test_random_games(name: str, options: dict[str, Any], part: range) -> None:
    games = {"topiary": 60, "topas": 12, "schlossgarten": 1}[name] * MORE
    for seed in range(part.start * games, part.stop * games):
        deal = bosquet.new(name, seed=seed, **options).record()["deal"]
        compare(name, options, deal, random.Random(seed), 1.0)


def purposeful_games(options: dict[str, Any], boxes: bool = False) -> Counter[str]:
    """Play games of Schlossgarten with options, some of them with another deck or box; count what was met."""
    met: Counter[str] = Counter()
    for seed in range(48 * MORE):
        rng = random.Random(seed)
        deck = random_deck(rng) if seed % 3 == 0 else None
        deal = bosquet.new("schlossgarten", seed=seed, box=deck, **options).record()["deal"]
        if boxes:
            deal = another_box(deal, rng)
        met += compare("schlossgarten", options, deal, rng, (0.0, 0.1, 0.3, 0.6)[seed % 4])
    due = ["hits", "jumps", "shifts", "builds", "builds over others", "wins by 21"]
    assert all(met[kind] >= 10 for kind in due), met
    return met


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "players"),
    [*((OPTIONS[0], players) for players in (2, 3, 4)), *zip(OPTIONS[1:], (2, 3, 4), strict=True)],
)
def test_purposeful_games(options: dict[str, str], players: int) -> None:
    met = purposeful_games({"players": players, **options})
    assert players == 2 or met["shuffles"] > 0, met
    assert (met["builds by another"] >= 10) == (options.get("work") == "each"), met
    assert (met["builds on elements alone"] >= 10) == (options.get("overbuild") == "elements"), met


@pytest.mark.slow
@pytest.mark.parametrize("players", [3])
def test_purposeful_games_with_another_box(players: int) -> None:
    purposeful_games({"players": players}, boxes=True)


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_topiary_without_a_type_that_was_named(players: int, draft: bool) -> None:
    for seed, removed in enumerate("TWSEPHOL"):
        options = {"players": players, "draft": draft, "removed": removed}
        deal = bosquet.new("topiary", seed=seed, **options).record()["deal"]
        assert deal["removed"] == removed
        compare("topiary", options, deal, random.Random(seed), 1.0)
