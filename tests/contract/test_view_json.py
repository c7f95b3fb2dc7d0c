"""What is sent of a position is the JSON of its views, written by msgspec, plain kernels or compiled ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

import bosquet
from bosquet.core import offers
from bosquet.core.game import Game
from bosquet.core.installed import names, spec
from bosquet.core.view import with_plain_moves
from tests.helpers.cases import CASES, every_game, parameters, walk

WRITING = [name for name in names() if spec(name).module("offers") is not None]
every_writing_game = pytest.mark.parametrize(
    ("name", "options"), parameters(case for case, (name, _) in enumerate(CASES) if name in WRITING)
)
"""Every game whose moves kernels write, with all of its options."""
GREED = 30
"""How many moves are compared for the one with most points: long rows are rare where all moves are random."""


def greedy_walk(name: str, options: dict[str, Any], seed: int) -> Iterator[Game]:
    """Play a game whose moves mostly gain much; yield it at every position."""
    chance = random.Random(seed)
    game = bosquet.new(name, seed=seed, **options)
    while not game.over:
        yield game
        moves = game.view(game.seat).moves
        some = chance.sample(moves, min(GREED, len(moves)))
        game.play(max(some, key=lambda move: move.points or 0).say)
    yield game


def check(game: Game) -> None:
    """Compare what is sent with the JSON of the plain view, for every viewer, first asked and asked again."""
    for seat in (game.seat, None, *range(game.players)):
        right = msgspec.json.encode(game.spec.view.view(game.state, seat))
        assert game.view_json(seat) == right
        assert game.view_json(seat) == right
        assert msgspec.json.encode(game.view(seat)) == right
        plain = msgspec.json.encode(with_plain_moves(game.spec.view.view(game.state, seat)))
        assert game.view_json(seat, assisted=False) == plain
        assert game.view_json(seat) == right


@every_game
def test_what_is_sent_is_the_json_of_the_view(name: str, options: dict[str, Any]) -> None:
    for i, game in enumerate(walk(name, options, 4, 40)):
        if i % 5 == 0 or game.over:
            check(game)


@pytest.mark.compiled
@every_writing_game
def test_compiled_offers_are_sent_as_the_plain_ones(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers, "_loaded", {})
    offers.load(spec(name))
    assert offers.written(spec(name), bosquet.new(name, seed=1, **options).state) is not None
    for seed in range(3):
        for game in greedy_walk(name, options, seed):
            check(game)
            assert game.over or game.legal() == game.copy().legal() == plainly_legal(game)


def plainly_legal(game: Game) -> list[str]:
    """Return the legal moves, listed by the plain rules."""
    moves = [0] * game.spec.rules.MAX_MOVES
    n = game.spec.rules.legal(game.state, moves)
    return [game.spec.notation.to_notation(game.state, action) for action in moves[:n]]


@every_writing_game
def test_plain_kernels_write_the_same_text(name: str, options: dict[str, Any]) -> None:
    module = spec(name).module("offers")
    assert module is not None
    out, ends = np.zeros(module.BYTES, np.uint8), [0] * len(module.FIELDS)
    for i, game in enumerate(greedy_walk(name, options, 5)):
        if i % 4 == 3 and not game.over:
            for assisted, view in enumerate([with_plain_moves(game.view(game.seat)), game.view(game.seat)]):
                n = module.write_offers(game.state, assisted, moves := [0] * game.spec.rules.MAX_MOVES, out, ends)
                assert [game.spec.notation.to_notation(game.state, action) for action in moves[:n]] == game.legal()
                for field, start, end in zip(module.FIELDS, [0, *ends], ends, strict=False):
                    assert out[start:end].tobytes() == msgspec.json.encode(getattr(view, field))


@every_game
def test_moves_without_assistance_say_that_they_are_legal_and_not_what_they_come_to(
    name: str, options: dict[str, Any]
) -> None:
    for game in walk(name, options, 2, 12):
        if game.seat is not None:
            full, plain = (msgspec.json.decode(game.view_json(game.seat, assisted=on)) for on in (True, False))
            del full["moves"]
            assert [move.keys() & {"points", "rows", "sight"} for move in plain["moves"]] == [set()] * len(
                plain["moves"]
            )
            assert [move["say"] for move in plain.pop("moves")] == game.legal()
            assert plain == full


@pytest.mark.parametrize("name", names())
def test_the_fields_that_kernels_write_are_those_that_follow_from_the_others(name: str) -> None:
    module = spec(name).module("offers")
    if module is not None:
        assert set(module.FIELDS) == set(bosquet.new(name, seed=1).view(None).OFFERS)
