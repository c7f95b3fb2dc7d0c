"""Deals and turns of Schlossgarten, for tests of its rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

Deal = dict[str, Any]
Rows = list[str]
CELLS = [column + row for row in "1234567" for column in "abcdefg"]
LINE = ["...", "GKA", "..."]
CORNER = [".A.", "GK.", "..."]  # gardener west of the king, architect north of it


def deal_of(
    players: int = 2,
    special: Rows = LINE,
    values: Mapping[str, int] | None = None,
    common: Rows = LINE,
) -> Deal:
    """Card 1 (in the hand of seat 0) is special, all others are common; some tiles are named."""
    named = dict(values or {})
    rest = [1] * 17 + [2] * 16 + [3] * 16
    for value in named.values():
        rest.remove(value)
    return {
        "landscape": [named[cell] if cell in named else rest.pop(0) for cell in CELLS],
        "hands": list(range(1, players + 1)),
        "pile": list(range(players + 1, 33)),
        "deck": [special] + [common] * 31,
    }


def go(table: Any, *turns: str) -> None:
    """Play turns (or a part of one), each as moves with commas; `rest` does as little as can be.

    Where a card is due and none is named it is the one just drawn.
    """
    for turn in turns:
        for move in ["stop", "end"] if turn == "rest" else turn.split(", "):
            if table.facts(None)["phase"] == "card" and not move.startswith("card"):
                table.play(max(table.legal(), key=lambda card: int(card.split()[1])))
            if turn != "rest" or move in table.legal():
                table.play(move)


def moves_of(table: Any, kind: str) -> set[str]:
    """The legal moves of that pawn or worker, without its letter."""
    return {move[2:] for move in table.legal() if move.startswith(kind + " ")}


def builds_of(table: Any, kind: str) -> set[str]:
    """Size and site of the legal builds of that worker."""
    return {move[6:] for move in moves_of(table, kind) if move.startswith("build ")}


def refused(table: Any, move: str) -> bool:
    """Whether a move is neither offered nor taken."""
    before = table.facts(None)
    if move in table.legal():
        return False
    with pytest.raises(ValueError):
        table.play(move)
    return bool(table.facts(None) == before)
