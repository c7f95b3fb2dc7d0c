"""Write the positions of the printed examples for the rules pages: `python -m studies.examples`.

Every example is counted as a game with the real box is, so its view says what the rules give for it. A test says when
the files are old.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from bosquet.core.real_game_scoring import count
from bosquet.core.view import View
from bosquet.games.topas import real_game as topas
from bosquet.games.topas.view import TopasView
from bosquet.games.topiary import real_game as topiary
from bosquet.games.topiary.view import TopiaryView

PAGE = Path(__file__).parents[1] / "web/src/games"


def _column(*tiles: str | None) -> dict[str, str]:
    """Return column c of a garden, from south to north; None lies face down."""
    return {f"c{row}": tile for row, tile in enumerate(tiles, 1) if tile}


def _topiary(garden: dict[str, str], hand: tuple[str, ...] = ()) -> TopiaryView:
    """Return what the first of two players sees after placing a visitor that looks up column c."""
    visitor = topiary.RealVisitor(seat=0, line="c1N")
    real = topiary.RealGame(players=2, garden=garden, visitors=[visitor], hands=[list(hand)])
    view = count(real).view
    assert isinstance(view, TopiaryView)
    return msgspec.structs.replace(view, viewer=0, hand=list(hand), line=visitor.line, gap=None)


def _topas(*placements: str) -> TopasView:
    """Return what everybody sees after these placements."""
    view = count(topas.RealGame(players=4, expert=False, placements=list(placements))).view
    assert isinstance(view, TopasView)
    return view


TOPIARY = {
    "example1": _topiary(_column(None, "H3", "O4", "H4", "L5")),  # 5.1
    "example2": _topiary(_column("T2", "T3", "S4", "T5", "S5")),  # 5.2
    "example3": _topiary(_column("W3", "T4", "T5"), hand=("T1", "W2", "P5")),  # 5.3
}
ROUND = ("G1Y2@0,0E", "R2Y3@3,0W", "R1Y3@3,-1W", "G3Y1@0,-1E", "B1G3@0,2S")
"""The card that starts the table of the printed example of Topas, and the first card of each of four players. 6.1"""
SECOND_ROUND = ("B3G2@1,2S", "G2R1@2,1E", "B3R1@2,2E", "B2R1@2,3E")
TOPAS = {
    **{f"example{turn}": _topas(*ROUND[: turn + 1]) for turn in range(1, 5)},
    "example5": _topas(*ROUND, *SECOND_ROUND),
    "example6": _topas("G1Y3@0,0E", "R2Y3@2,1S", "R3Y1@3,1S"),  # 6.2: seven topazes, as printed; the cards are ours
}
GAMES: dict[str, Mapping[str, View]] = {"topiary": TOPIARY, "topas": TOPAS}


def target(game: str) -> Path:
    """Return the file of a game."""
    return PAGE / game / "examples.json"


def examples(game: str) -> str:
    """Return the text of a game's file: a view of each example, by its name."""
    lines = [f"  {json.dumps(name)}: {_json(view)}" for name, view in GAMES[game].items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(view: Any) -> str:
    return msgspec.json.encode(view).decode()


if __name__ == "__main__":
    for name in GAMES:
        target(name).write_text(examples(name))
