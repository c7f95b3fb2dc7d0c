"""Schlossgarten: the view lays the played card over the garden, so that the page needs no rule of figures."""

from __future__ import annotations

import pytest

from bosquet.games.schlossgarten.constellations import house_rows, turned_rows
from bosquet.games.schlossgarten.view import Rotation, SchlossgartenView
from tests.helpers.cases import walk

MARKS = "KGA"


def laid(rows: list[str], king: str) -> dict[str, str]:
    """Where the marks of a card fall whose king lies on a cell, read off its rows."""
    at = {mark: (x, 2 - y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "."}
    cells = {}
    for mark in MARKS:
        column = ord(king[0]) - ord("a") + at[mark][0] - at["K"][0]
        row = int(king[1]) + at[mark][1] - at["K"][1]
        if 0 <= column < 7 and 1 <= row <= 7:
            cells[mark] = f"{'abcdefg'[column]}{row}"
    return cells


@pytest.mark.parametrize("players", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_the_played_card_lies_in_its_four_rotations(players: int) -> None:
    standing = 0
    for game in walk("schlossgarten", {"players": players}, players, 200):
        view = game.view(None)
        assert isinstance(view, SchlossgartenView)
        if view.played is None or view.seat is None:
            assert view.rotations == []
            continue
        rows = house_rows()[view.played - 1]
        own = view.pawns[view.seat]
        pawns = {mark: [cells[kind] for cells in view.pawns] for kind, mark in enumerate(MARKS)}
        for quarters, rotation in enumerate(view.rotations):
            cells = laid(turned_rows(rows, quarters), own[0])
            placed = [mark for mark, cell in cells.items() if cell in pawns[mark]]
            assert rotation == Rotation(cells=cells, placed=placed)
        assert len(view.rotations) == 4
        stand = [rotation.cells for rotation in view.rotations if len(rotation.placed) == len(MARKS)]
        if view.phase in ("move", "work"):
            workers = [mark for kind, mark in enumerate(MARKS) if kind and own[kind] in (c[mark] for c in stand)]
            assert view.standing == workers
            standing += bool(workers)
    assert standing
