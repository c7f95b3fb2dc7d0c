"""What a seat gets depends on nothing that it may not know, where the plain oracle says what it may know.

Two tiles or cards of a deal change places; the same moves are made in both games. As long as the oracle's facts for a
viewer are the same, the product gives it the same bytes: views, moves told, refusals.

`BOSQUET_TEST_GAMES=10` plays ten times as many games.
"""

from __future__ import annotations

import copy
import os
import random
from collections.abc import Iterator
from typing import Any

import msgspec

import bosquet
from tests.contract.helpers.positions import every_ply
from tests.helpers.cases import every_game_briefly
from tests.helpers.product import Product, product_game
from tests.plain import plain_game

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
PLIES = 60
OPEN = ("landscape", "removed")
"""What lies open in a deal, and is no name of a tile or card."""
Path = tuple[Any, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every single value of a deal, with the way to it."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path, value


def put(value: Any, path: Path, leaf: Any) -> None:
    """Change a single value of a deal."""
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = leaf


def exchanged(deal: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], dict[str, str]]:
    """A deal with two values of one kind exchanged, and the names that stand for each other then."""
    twin = copy.deepcopy(deal)
    found = [(path, leaf) for path, leaf in leaves(deal) if path[0] not in OPEN]
    (one, a), (other, b) = rng.sample(found, 2)
    put(twin, one, b)
    put(twin, other, a)
    return twin, {str(a): str(b), str(b): str(a)}


def renamed(moves: list[str], names: dict[str, str]) -> list[str]:
    """The moves with names exchanged where the draft hides them."""
    return [" ".join(names.get(w, w) for w in move.split(" ")) if move.startswith("keep ") else move for move in moves]


class Both:
    """A game on the oracle and on the product."""

    def __init__(self, name: str, options: dict[str, Any], deal: dict[str, Any]) -> None:
        self.plain = plain_game(name, options, deal)
        self.product: Product = product_game(name, options, deal)

    def play(self, move: str) -> None:
        self.plain.play(move)
        self.product.play(move)

    def bytes_for(self, viewer: int | None, wrong: list[str]) -> list[Any]:
        """All that the product gives to a viewer."""
        game = self.product.game
        refusals = [refusal(self.product, text) for text in wrong] if viewer == game.seat is not None else []
        return [msgspec.json.encode(game.view(viewer)), game.observed_moves(viewer), refusals]


def refusal(product: Product, text: str) -> str:
    """What is said about a move; nothing if it is legal."""
    try:
        product.copy().play(text)
    except bosquet.IllegalMove as error:
        return str(error)
    return ""


def play_both(pair: tuple[Both, Both], moves: tuple[list[str], list[str]], rng: random.Random) -> int:
    """Make the moves in both games as long as they are legal; how often different states gave a viewer the same."""
    left, right = pair
    viewers: set[int | None] = {None, *range(left.plain.players)}
    compared = 0
    for ply in range(len(moves[0]) + 1):
        viewers = {viewer for viewer in viewers if left.plain.facts(viewer) == right.plain.facts(viewer)}
        wrong = rng.sample(moves[0], min(3, len(moves[0])))
        for viewer in viewers:
            if ply % 4 == 0 or viewer == left.plain.seat:
                assert left.bytes_for(viewer, wrong) == right.bytes_for(viewer, wrong), (viewer, ply, moves)
                compared += left.product.game.state != right.product.game.state
        if ply == len(moves[0]) or not viewers or not legal(right.plain, moves[1][ply]):
            break
        left.play(moves[0][ply])
        right.play(moves[1][ply])
    return compared


def legal(plain: Any, move: str) -> bool:
    """Whether the oracle takes the move; a shuffle may be of other cards then."""
    if plain.seat is None:
        return bool(sorted(move.split()[1:]) == sorted(str(card) for card in plain.facts(None)["discard"]))
    return move in plain.legal()


@every_game_briefly
def test_what_a_seat_gets_depends_on_nothing_unseen(name: str, options: dict[str, Any]) -> None:
    compared = 0
    for seed in range(3 * MORE):
        rng = random.Random(seed)
        *_, game = every_ply(name, options, seed, PLIES)
        deal, moves = game.record()["deal"], list(game.moves)
        for _ in range(5):
            twin, names = exchanged(deal, rng)
            try:
                pair = Both(name, options, deal), Both(name, options, twin)
            except bosquet.RecordError:
                continue
            compared += play_both(pair, (moves, renamed(moves, names)), rng)
    assert compared > 30
