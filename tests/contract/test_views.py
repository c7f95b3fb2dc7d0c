"""Moves in views and in the log: what is listed, offered and seen by others is the same, and tells nothing hidden."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.core.rng import Rng
from tests.contract.helpers.positions import determinized
from tests.helpers.cases import every_size, walk


@every_size
def test_what_others_see_of_an_action_comes_of_one_parse(name: str, options: dict[str, Any]) -> None:
    for game in walk(name, options, 5, 30):
        if not game.over:
            move = game.legal()[-1]
            seats = [*range(game.players), None]
            action = game.parse(move)
            assert [data.say for data in game.observed_actions(action)] == [
                game.observed_move(move, seat) for seat in seats
            ]
            played, applied = game.copy(), game.copy()
            for twin in (played, applied):
                twin.rng = Rng(1)
            played.play(move)
            applied.apply(action)
            assert applied.record() == played.record()


@every_size
def test_a_move_in_the_log_is_as_it_was_offered(name: str, options: dict[str, Any]) -> None:
    """To the mover the same data; to the others as much of it as lies open."""
    for game in walk(name, options, 6, 30):
        if not game.over:
            view: Any = game.view(game.seat)
            assert [move.say for move in view.moves] == game.legal()
            for move in view.moves[:5]:
                action = game.parse(move.say)
                assert game.observed_action(action, game.seat) == move
                for viewer in (None, *range(game.players)):
                    if viewer != game.seat:
                        seen = game.observed_action(action, viewer)
                        assert (seen.kind, seen.cells, seen.to, seen.heading) == (
                            move.kind,
                            move.cells,
                            move.to,
                            move.heading,
                        )
                        assert seen.points in (None, move.points)


@every_size
def test_the_data_of_a_move_tells_nothing_hidden(name: str, options: dict[str, Any]) -> None:
    """The unseen dealt anew, a move that is said in the same way is the same data."""
    rng = Rng(name, "data")
    for i, game in enumerate(walk(name, options, 7, 40)):
        if i % 3 == 0 and not game.over:
            for viewer in (None, *range(game.players)):
                other = determinized(game, viewer, rng)
                both = set(game.legal()) & set(other.legal())
                for move in sorted(both)[:8]:
                    ours, theirs = (one.observed_action(one.parse(move), viewer) for one in (game, other))
                    assert ours == theirs


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_moves_that_a_view_lists_are_not_listed_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = bosquet.new(name, players=2, seed=1)
    asked = []
    legal = game.spec.rules.legal

    def counting(state: Any, moves: Any) -> int:
        asked.append(state)
        return legal(state, moves)

    monkeypatch.setattr(game.spec.rules, "legal", counting)
    for _ in range(5):
        asked.clear()
        for seat in (0, 1, None):
            game.view(seat)
        move = game.legal()[0]
        game.observed_actions(game.parse(move))
        game.play(move)
        assert len(asked) == (0 if game.spec.writes_views else 1)


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_bots_that_do_not_read_moves_choose_the_same_without_them(name: str) -> None:
    for bot in ("level1", "level2", "search:3", *(["greedy"] if bosquet.spec(name).greedy_action else [])):
        assert not bots.reads_moves(bot, name)
        for game in list(walk(name, {"players": 2}, 2, 30))[::6]:
            if not game.over:
                chosen = {bots.make(bot).choose(game.view(game.seat, moves=moves), Rng(4)) for moves in (True, False)}
                assert len(chosen) == 1
    assert bots.reads_moves("random", name)


def test_a_visitor_of_topiary_has_its_line_as_data() -> None:
    for game in walk("topiary", {"players": 3, "draft": False}, 5):
        view: Any = game.view(None)
        assert [visitor.line for visitor in view.visitors] == [
            visitor.cell + visitor.heading for visitor in view.visitors
        ]
