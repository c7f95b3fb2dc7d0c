"""A position set up on the product and on the plain oracles goes on alike."""

from __future__ import annotations

import random
from typing import Any

from tests.contract.helpers.positions import every_ply, viewers
from tests.helpers.cases import every_size_briefly
from tests.helpers.placed import PLACED, plain_at, product_at


@every_size_briefly
def test_a_position_that_is_set_up_goes_on_alike(name: str, options: dict[str, Any]) -> None:
    rng, met = random.Random(name), 0
    for game in every_ply(name, options, 1) if name in PLACED else ():
        if rng.random() < 0.1 or game.over or game.chance_due:
            text = str(game.position(rng.choice(viewers(game))))
            plain, product = plain_at(text), product_at(text)
            for _ in range(25):
                assert (plain.seat, plain.over, plain.scores()) == (product.seat, product.over, product.scores())
                assert sorted(plain.legal()) == sorted(product.legal())
                for viewer in viewers(game):
                    known, shown = plain.facts(viewer), product.facts(viewer)
                    assert {key: shown[key] for key in known} == known
                if plain.seat is None:
                    break
                move = rng.choice(plain.legal())
                plain.play(move)
                product.play(move)
            met += 1
    assert met > 3 or name not in PLACED
