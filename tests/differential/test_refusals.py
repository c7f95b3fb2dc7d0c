"""What is not legal is refused by both, and the product stays as it was.

`BOSQUET_TEST_GAMES=10` plays ten times as many games.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

import bosquet
from tests.contract.helpers.positions import every_ply
from tests.helpers.cases import every_size
from tests.helpers.product import product_game
from tests.plain import plain_game

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))


def refused(plain: Any, product: Any, text: str) -> None:
    """Neither plays it; record, state and legal moves of the product stay."""
    game = product.game
    before = game.record(), game.state.pack().tobytes(), game.legal(), game.scores
    with pytest.raises(ValueError, match=r"."):
        plain.copy().play(text)
    with pytest.raises(ValueError, match=r"legal|over|pile"):
        product.play(text)
    assert (game.record(), game.state.pack().tobytes(), game.legal(), game.scores) == before


def wrong_piles(discard: list[int], rng: random.Random) -> list[str]:
    """New piles that lack a card, have one twice, or one that is not discarded, or are written badly."""
    cards = rng.sample(discard, len(discard))
    other = next(card for card in range(1, 34) if card not in discard)
    lists = [cards[:-1], cards + cards[:1], cards[:-1] + cards[:1], cards[:-1] + [other], []]
    texts = [" ".join(["pile", *map(str, some)]) for some in lists]
    right = " ".join(["pile", *map(str, cards)])
    return texts + [right[5:], right + " ", right.replace(" ", "  ", 1), right.replace(" ", " 0", 1), "stop"]


@every_size
def test_moves_of_other_times_and_games_are_refused(name: str, options: dict[str, Any]) -> None:
    tried = 0
    for seed in range(3 * MORE):
        rng = random.Random(seed)
        *_, elsewhere = every_ply(name, options, seed + 100, 150)
        *_, played = every_ply(name, options, seed, 150)
        deal = played.record()["deal"]
        plain, product = plain_game(name, options, deal), product_game(name, options, deal)
        met = list(elsewhere.moves)
        for move in played.moves:
            now = plain.legal()
            stale = [text for text in rng.sample(met, min(4, len(met))) if text not in now and text[:4] != "pile"]
            for text in stale:
                refused(plain, product, text)
                tried += 1
            met += rng.sample(now, min(3, len(now)))
            plain.play(move)
            product.play(move)
        for text in rng.sample(met, 5) if plain.over else []:
            refused(plain, product, text)
    assert tried > 40


@pytest.mark.parametrize("players", [2, 3, 4])
def test_wrong_new_piles_are_refused(players: int) -> None:
    """Schlossgarten: only the discard is shuffled, every card of it once."""
    rng = random.Random(players)
    deal = bosquet.new("schlossgarten", players=players, seed=1).record()["deal"]
    plain = plain_game("schlossgarten", {"players": players}, deal)
    product = product_game("schlossgarten", {"players": players}, deal)
    while plain.seat is not None:
        moves = plain.legal()
        move = "stop" if "stop" in moves else rng.choice(moves)
        plain.play(move)
        product.play(move)
    assert product.legal() == plain.legal() == []
    for text in wrong_piles(plain.facts(None)["discard"], rng):
        refused(plain, product, text)
