"""What is sent of a position: the JSON of its views, with as much assistance as is wanted, made once."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import bosquet
from bosquet.core.assistance import AIDS, FULL, NONE, PLAIN
from bosquet.core.game import Game
from bosquet.core.view import limited
from tests.helpers.cases import every_size, walk


def check(game: Game) -> None:
    """Compare what is sent with the JSON of the typed view, for every viewer, first asked and asked again.

    The view is what the game's module makes of the state alone, out of what is kept by then or of nothing.
    """
    for seat in (game.seat, None, *range(game.players)):
        right = game.spec.view.view(game.state, seat)
        for assistance in (FULL, NONE, PLAIN, AIDS, FULL):
            assert game.view_json(seat, assistance) == msgspec.json.encode(limited(right, assistance))
        assert game.view(seat) == right
        assert game.view(seat, moves=False) == limited(right, AIDS)
        game.release()
        assert game.view(seat) == right


@every_size
def test_what_is_sent_is_the_json_of_the_view(name: str, options: dict[str, Any]) -> None:
    for i, game in enumerate(walk(name, options, 4, 40)):
        if i % 5 == 0 or game.over:
            check(game)
            assert game.over or game.legal() == game.copy().legal() == plainly_legal(game)
    if game.players > 1 and not game.over:
        game.end("agreed")
        for seat in (None, *range(game.players)):
            assert game.view_json(seat) == msgspec.json.encode(game.view(seat))
            assert game.view(seat).winners == game.winners


def plainly_legal(game: Game) -> list[str]:
    """Return the legal moves, listed by the plain rules."""
    moves = [0] * game.spec.rules.MAX_MOVES
    n = game.spec.rules.legal(game.state, moves) if game.seat is not None else 0
    return [game.spec.notation.to_notation(game.state, action) for action in moves[:n]]


@every_size
def test_moves_without_assistance_say_that_they_are_legal_and_not_what_they_come_to(
    name: str, options: dict[str, Any]
) -> None:
    for game in walk(name, options, 2, 12):
        if game.seat is not None:
            full, plain = (msgspec.json.decode(game.view_json(game.seat, level)) for level in (FULL, PLAIN))
            del full["moves"]
            assert [move.keys() & {"points", "rows", "sight"} for move in plain["moves"]] == [set()] * len(
                plain["moves"]
            )
            assert [move["say"] for move in plain.pop("moves")] == game.legal()
            assert plain == full


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_view_is_kept_until_the_position_changes(name: str) -> None:
    game = bosquet.new(name, players=2, seed=1)
    for _ in range(3):
        assert game.seat is not None
        for seat in (0, 1, None):
            for assistance in (AIDS, FULL):
                assert game.view_json(seat, assistance) is game.view_json(seat, assistance)
        before = game.view_json(game.seat)
        game.play(game.legal()[0])
        assert game.view_json(game.seat) != before
