"""Games that begin in the middle: a position is set up on the product and on the plain oracles alike.

What the viewer of the position does not know is drawn once for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import bosquet
from bosquet.core.game import Game
from tests.helpers.product import Product
from tests.plain import plain_game


def product_at(text: str) -> Product:
    """The product's game at a position. It has no record, since its deal is not known."""
    position = bosquet.position(text)
    return Product(Game(position.spec, position.options, position.determinize(1), deal={}))


def plain_at(text: str) -> Any:
    """The plain oracle of a game at a position, told by the product's views alone."""
    placed = product_at(text).game
    oracle = plain_game(placed.name, placed.options, bosquet.new(placed.name, **placed.options).record()["deal"])
    PLACED[placed.name](oracle, product_at(text), placed)
    return oracle


def _topiary(oracle: Any, product: Product, game: Game) -> None:
    facts = product.facts(None)
    seats = [product.facts(seat) for seat in range(oracle.players)]
    oracle.removed, oracle.line, oracle.gap = facts["removed"], facts["line"], facts["gap"]
    shown = {cell: tile for cell, tile in zip(oracle.tiles, facts["garden"], strict=True) if tile}
    reveal = game.spec.revealed
    assert reveal is not None
    oracle.tiles = shown | reveal(game.state)
    oracle.face_up = set(shown)
    oracle.hands = [seen["hand"] for seen in seats]
    oracle.visitors = dict(facts["visitors"])
    oracle.visitors_left = facts["visitors_left"]
    oracle.passed = [seen["passed"] for seen in seats]
    oracle.received = [seen["received"] for seen in seats]
    oracle.phase = facts["phase"]
    oracle.turn = 0 if facts["over"] else facts["seat"]


def _schlossgarten(oracle: Any, product: Product, game: Game) -> None:
    from tests.plain.schlossgarten import Element, Pattern, house_deck

    facts, state = product.facts(None), game.state
    oracle.values = dict(zip(oracle.values, facts["values"], strict=True))
    deck = facts["box"].get("deck", house_deck())
    oracle.deck = {number: Pattern.read(rows).rotations() for number, rows in enumerate(deck, start=1)}
    oracle.hands = [product.facts(seat)["hand"] for seat in range(oracle.players)]
    oracle.pile = [card + 1 for card in state.pile[state.pile_at : state.pile_end]]
    oracle.discard, oracle.held_over = facts["discard"], facts["held_over"]
    oracle.up, oracle.excavations = set(facts["up"]), set(facts["excavations"])
    oracle.elements = [Element(seat, worker, size, tuple(cells)) for seat, worker, size, cells in facts["elements"]]
    oracle.kept = [set(cells) for cells in facts["kept"]]
    oracle.pawns = [dict(zip("KGA", cells, strict=True)) for cells in facts["pawns"]]
    oracle.turn, oracle.round = facts["turn"] % oracle.players, facts["round"]
    oracle.winners = facts["winners"]
    oracle.phase, oracle.played, oracle.steps_left = facts["phase"], facts["played"], facts["steps_left"]
    oracle.shifted, oracle.worker = set(facts["shifted"]), facts["worker"]
    several = facts["phase"] == "work" or (facts["phase"] == "build" and oracle.work == "each")
    oracle.workers = oracle.offered() if several else set(facts["worker"] or "")


PLACED: Mapping[str, Callable[[Any, Product, Game], None]] = {"topiary": _topiary, "schlossgarten": _schlossgarten}
