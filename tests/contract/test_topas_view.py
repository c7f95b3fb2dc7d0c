"""Topas: what the page draws comes with the view, so that the page needs no rule of rows."""

from __future__ import annotations

import random
from typing import Any

import pytest

import bosquet
from bosquet.core.errors import IllegalMove, Reason
from bosquet.core.game import Game
from bosquet.games.topas.rules import COLOURS, NAMES
from bosquet.games.topas.view import TopasView


def view_of(game: Game, viewer: int | None) -> TopasView:
    view = game.view(viewer)
    assert isinstance(view, TopasView)
    return view


def positions(options: dict[str, Any]) -> list[Game]:
    """A position of several games, each somewhere between the first card and the last."""
    found = []
    for seed in range(6):
        rng = random.Random(seed)
        game = bosquet.new("topas", seed=seed, **options)
        for _ in range(rng.randrange(3, 14)):
            # The longest rows of a few placements, so that some are full.
            moves = rng.sample(moves := view_of(game, game.seat).moves, min(60, len(moves)))
            game.play(max(moves, key=lambda move: move.points or 0).say)
        found.append(game)
    return found


@pytest.mark.parametrize("options", [{"players": 1}, {"players": 3}, {"players": 2, "expert": True}], ids=str)
def test_forbidden_placements_are_free_but_their_row_would_hold_more_than_seven_gems(options: dict[str, Any]) -> None:
    seen = 0
    for game in positions(options):
        view = view_of(game, game.seat)
        legal = {move.say for move in view.moves}
        covered = {f"{laid.x},{laid.y}" for laid in view.table}
        for one in view.forbidden:
            seen += 1
            say = f"{one.piece}@{one.cells[0]}{one.heading}"
            assert one.piece in (view.hand or [])
            assert one.row.gems > 7
            assert set(one.cells) & set(one.row.cells)
            assert not set(one.cells) & covered
            assert say not in legal
            with pytest.raises(IllegalMove, match="more than 7 gems") as refused:
                game.copy().play(say)
            reason = refused.value.reason
            assert isinstance(reason, Reason)
            same = [other.row.cells for other in view.forbidden if (other.piece, other.cells) == (one.piece, one.cells)]
            assert reason.about["row"].split() in same
        assert view_of(game, None).forbidden == []
    assert seen


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 2, "expert": True}], ids=str)
def test_the_latest_card_comes_with_the_rows_and_points_of_its_line_of_the_score_sheet(options: dict[str, Any]) -> None:
    for game in positions(options):
        latest = view_of(game, None).latest
        entry = game.score_sheet().entries[-1]
        assert latest is not None
        assert latest.points == entry.points
        assert latest.cells == entry.cells
        assert [(row.colour, row.gems, row.cells) for row in latest.rows] == [
            (part.name, part.points, part.cells) for part in entry.parts
        ]


def test_before_the_first_card_there_is_no_latest() -> None:
    assert view_of(bosquet.new("topas", players=2, seed=1), 0).latest is None


def test_a_square_closed_by_rows_of_four_colours_shows_the_limits_of_all() -> None:
    """The state keeps three of them, since no card fits there."""
    placements = ("G3Y2@0,1E", "B3Y1@-1,-1N", "B3Y2@-2,-1N", "G1R3@1,-2N", "G2R3@2,-2N", "R1Y3@-1,-2E", "R2Y3@-1,-3E")
    cards = [placement[:4] for placement in placements]
    order = [*cards, *(card for card in NAMES if card not in (*cards, "G3Y1"))]
    deal = {"hands": [order[0:6:2], order[1:6:2]], "start": "G3Y1", "pile": order[6:]}
    record = bosquet.new("topas", players=2, seed=1).record()
    game = bosquet.load(record | {"deal": deal, "moves": list(placements)})
    view = view_of(game, game.seat)
    assert [(one.colour, one.fits) for one in view.shut if one.cell == "0,-1"] == [(colour, 1) for colour in COLOURS]
    assert not any("0,-1" in move.cells for move in view.moves)
    assert not any("0,-1" in one.cells for one in view.forbidden)


def test_a_legal_placement_says_its_card_and_heading() -> None:
    game = bosquet.new("topas", players=2, seed=1)
    for move in view_of(game, game.seat).moves:
        assert move.say == f"{move.piece}@{move.cells[0]}{move.heading}"
