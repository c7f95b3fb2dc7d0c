"""Drawing at the terminal: nothing is left out, nothing is too wide, nothing hidden is shown."""

from __future__ import annotations

from typing import Any

import pytest

from bosquet.core.rng import Rng
from bosquet.terminal import draw, draw_moves, draw_sheet
from tests.contract.helpers.positions import determinized
from tests.helpers.cases import QUICK, case_of_each_size, parameters, walk
from tests.helpers.drawn import plain

NAMES = ["You", "greedy", "Annemarie", "Bob"]


@pytest.mark.parametrize(("name", "options"), parameters(case_of_each_size(), QUICK[:2]))
def test_every_position_can_be_drawn_at_every_width(name: str, options: dict[str, Any]) -> None:
    names = NAMES[: options["players"]]
    for game in walk(name, options, 41):
        if len(game.moves) % 7 and not game.over:
            continue
        for viewer in {None, game.seat, options["players"] - 1}:
            view: Any = game.view(viewer)
            for width in (60, 80):
                text = plain(draw(view, names), width)
                assert all(seat in text for seat in names)
                for piece in pieces(view):
                    assert piece in text.replace(" ", ""), piece
            if view.moves:
                listed = plain(draw_moves(view, limit=1000), 80)
                assert all(move.say in listed for move in view.moves)
                assert len(plain(draw_moves(view, limit=12), 80).splitlines()) <= 14
            other = determinized(game, viewer, Rng(1))
            assert plain(draw(other.view(viewer), names), 80) == plain(draw(view, names), 80)
        plain(draw_sheet(game.score_sheet(), names, over=game.over), 80)


def pieces(view: Any) -> list[str]:
    """What must be found in the drawing of a view."""
    if view.game == "topiary":
        return [tile for tile in view.garden if tile] + list(view.hand or [])
    if view.game == "topas":
        return [half for card in view.table for half in (card.card[:2], card.card[2:])] + list(view.hand or [])
    return [f"{mark}{seat + 1}" for seat in range(len(view.pawns)) for mark in "KGA"]
