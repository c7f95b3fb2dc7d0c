"""The product behind the interface of the plain oracles, so that the same tests run on both."""

from __future__ import annotations

from typing import Any

import msgspec

import bosquet
from bosquet.core.game import FORMAT, Game


class Product:
    """A game of the product, seen as a plain oracle is seen (tests/plain)."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def seat(self) -> int | None:
        return self.game.seat

    @property
    def over(self) -> bool:
        return self.game.over

    def legal(self) -> list[str]:
        return self.game.legal()

    def play(self, move: str) -> None:
        self.game.play(move)

    def scores(self) -> list[int]:
        return self.game.scores

    def result(self) -> dict[str, Any] | None:
        return self.game.result

    def copy(self) -> Product:
        return Product(self.game.copy())

    def facts(self, viewer: int | None) -> dict[str, Any]:
        view: dict[str, Any] = msgspec.to_builtins(self.game.view(viewer, moves=False))
        return FACTS[self.game.name](view)


def _topiary(view: dict[str, Any]) -> dict[str, Any]:
    view["visitors"] = sorted([v["line"], v["seat"]] for v in view["visitors"])
    return view


def _topas(view: dict[str, Any]) -> dict[str, Any]:
    view["table"] = [[c["card"], c["x"], c["y"], c["heading"], c["seat"]] for c in view["table"]]
    return view


def _schlossgarten(view: dict[str, Any]) -> dict[str, Any]:
    view["elements"] = sorted([e["seat"], e["worker"], e["size"], e["cells"]] for e in view["elements"])
    return view


FACTS = {"topiary": _topiary, "topas": _topas, "schlossgarten": _schlossgarten}


def product_game(game: str, options: dict[str, Any], deal: dict[str, Any]) -> Product:
    """The product's game of a deal in the form of a record."""
    record: dict[str, Any] = {
        "format": FORMAT,
        "game": game,
        "options": options,
        "deal": deal,
        "moves": [],
        "result": None,
    }
    started = bosquet.load(record)
    started.rng = None  # chance events are given as moves, as in a record
    return Product(started)
