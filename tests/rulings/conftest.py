"""Ruling tests run on the plain oracle and on the product alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.helpers.product import product_game
from tests.plain import plain_game


@pytest.fixture(params=["plain", "product"])
def start(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Start a game (game, options, deal, moves) on the plain oracle and on the product."""
    make = plain_game if request.param == "plain" else product_game

    def begin(game: str, options: dict[str, Any], deal: dict[str, Any], moves: Sequence[str] = ()) -> Any:
        table = make(game, options, deal)
        for move in moves:
            table.play(move)
        return table

    return begin
