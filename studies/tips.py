"""Write the tips of the rules pages, with the positions that show them: `python -m studies.tips`.

Each tip says which sentence of `docs/findings.md` it comes from, and shows it in a position in which it holds by the
rules. A test checks both, and says when the files are old. The words stand in the `words.json` of each game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import bosquet
from bosquet.core.view import Move, View

PAGE = Path(__file__).parents[1] / "web/src/games"


class Tip(NamedTuple):
    """A tip, where it comes from, and the position that shows it."""

    name: str
    section: str
    """The heading in `docs/findings.md` under which it stands."""
    quote: str
    """What stands there."""
    position: str
    holds: Callable[[Any, Sequence[Any], Sequence[Any]], bool]
    """Whether the view of the position, the moves that are advised and those that are not show what the tip says."""
    better: tuple[str, ...] = ()
    """The moves that are advised, one after the other."""
    worse: tuple[str, ...] = ()
    lit: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    """Tiles in the hand, where the small board does not draw it."""


def _points(moves: Sequence[Any]) -> int:
    return sum(move.points or 0 for move in moves)


def _earns_more(_: Any, better: Sequence[Any], worse: Sequence[Any]) -> bool:
    return _points(better) > _points(worse)


def _seen_at(view: Any, cell: str) -> list[Any]:
    return [visitor for visitor in view.visitors if cell in visitor.seen]


def _rows(moves: Sequence[Any]) -> int:
    return len(moves[0].rows)


def _gems(moves: Sequence[Any]) -> int:
    return sum(int(gems) for gems in moves[0].piece[1::2])


TOPIARY = (
    Tip(
        "fives",
        "Topiary: sculptures",
        "nothing hides a 5, so it has most visitors",
        "topiary/players=2/view=-/phase=line/seat=1/without=L/garden=..T1..,..H2..,..O5.E3,.....,....."
        "/visitors=c1N.a3E,e3W/put=T1.H2,E3/hands=3,3",
        lambda view, _better, _worse: len(_seen_at(view, "c3")) == 3 and all(one.points >= 5 for one in view.visitors),
        lit=("c3",),
    ),
    Tip(
        "small",
        "Topiary: sculptures",
        "Small ones are worth less in\nthe garden, and nearly their size in a hand",
        "topiary/players=2/view=0/phase=line/seat=1/without=L/garden=.....,.....,W2.T4..,.....,....."
        "/visitors=a3E,-/put=W2,-/hands=T1.T2.W1,3",
        lambda view, _better, _worse: (
            all(any(tile[0] == seen[0] and tile[1] < seen[1] for seen in ("W2", "T4")) for tile in view.hand)
            and _seen_at(view, "c3") == _seen_at(view, "a3") != []
        ),
        lit=("a3", "c3"),
        held=("T1", "T2", "W1"),
    ),
    Tip(
        "types",
        "Topiary: sculptures",
        "one more where the visitor sees another\none of its type",
        "topiary/players=2/view=-/phase=line/seat=0/without=L/garden=..T2..,..T3..,..T5..,.....,....."
        "/visitors=c1N,c5S/put=T2,T3/hands=3,3",
        lambda view, _better, _worse: view.visitors[0].points == 2 + 3 + 5 + 3,
        lit=("c1", "c2", "c3"),
    ),
    Tip(
        "lines",
        "Topiary: sculptures",
        "Only the shortest diagonals bring less",
        "topiary/players=2/view=0/phase=line/seat=0/without=L/garden=W1....,.....,..T2..,...H4.,.E3..S5"
        "/visitors=a5S.e2W,e1W.a2E/put=W1.H4,E3.S5/hands=P1.P2.T1,3",
        lambda _, better, worse: better[0].points >= 8 and _earns_more(_, better, worse) and len(worse[0].cells) == 2,
        better=("a1NE",),
        worse=("a4NE",),
    ),
    Tip(
        "late",
        "Who begins",
        "the last player sees what the others have left",
        "topiary/players=2/view=1/phase=line/seat=1/without=H/garden=W3E5.W4O3,S3E1.E2L4,..E3.T1,P4..T5L3,W5..W1S5"
        "/visitors=a1NE.e1W.e1NW.a2E.e3NW.a4E.e4W.e5SW,a1N.a1E.d1N.e1N.a5E.a5SE.d5S"
        "/put=T1.T5.S5.E1.E2.E5.P4.L3,W1.W3.W4.W5.S3.O3.L4/hands=3,S1.P2.O2",
        lambda view, better, _: view.visitors_left == [0, 1] and better[0].points == max(m.points for m in view.moves),
        better=("b5S",),
    ),
)
TOPAS = (
    Tip(
        "rows",
        "Topas: rows, not gems",
        "Its place matters much, since it decides how many rows the card\nscores",
        "topas/players=2/view=0/phase=lay/seat=0/points=17,20/table=G3Y2@0,0E.B1Y3@0,-1E.B2G3@-1,-1N.B2G1@-2,-1N.B3Y2@0,-2E"
        "/hands=B2Y3.B3Y1.G2R3,3/pile=25",
        lambda _, better, worse: (
            _rows(better) == 2 and _rows(worse) == 1 and _earns_more(_, better, worse) and _gems(better) < _gems(worse)
        ),
        better=("B3Y1@-1,-2W",),
        worse=("B2Y3@-3,-1W",),
    ),
    Tip(
        "turn",
        "Topas: rows, not gems",
        "Its place matters much",
        "topas/players=2/view=0/phase=lay/seat=0/points=16,13/table=B3Y1@0,0E.B2Y3@0,-1E.G1Y3@2,-2W.G3Y2@2,-1N.B1R3@0,-2W"
        "/hands=B1R2.G1Y2.G2Y1,3/pile=25",
        lambda _, better, worse: (
            _rows(better) == 2
            and _rows(worse) == 1
            and _earns_more(_, better, worse)
            and better[0].piece == worse[0].piece
        ),
        better=("B1R2@-1,0S",),
        worse=("B1R2@-2,-1E",),
    ),
    Tip(
        "threes",
        "Topas: rows, not gems",
        "A gem goes on counting in later rows, and more often for the others",
        "topas/players=2/view=1/phase=lay/seat=1/points=11,10/table=G1Y3@0,0E.R2Y1@0,-1E.R3Y1@0,-2E.G1R3@-1,0S"
        "/hands=3,B1Y3.B2Y1.G2R3/pile=26",
        lambda _, better, worse: better[0].cells == worse[0].cells and _points(better) == _points(worse) + 2,
        better=("B1Y3@3,-2W",),
        worse=("B2Y1@3,-2W",),
    ),
    Tip(
        "three_rows",
        "Topas: rows, not gems",
        "| 3 | 6 % [5, 6] | 13.3 [13.1, 13.5] |",
        "topas/players=2/view=0/phase=lay/seat=0/points=28,20/table=G2Y3@0,0E.B2Y3@0,-1E.B3G2@-1,-1N.B1G2@-2,-1N.B2R1@-1,-2W"
        ".B3R2@0,-2S.R1Y3@3,-1W/hands=B2G1.G3R2.R3Y2,3/pile=23",
        lambda _, better, _worse: _rows(better) == 3 and _points(better) >= 13,
        better=("R3Y2@3,0W",),
    ),
    Tip(
        "late",
        "Who begins",
        "the last player sees what the others have left",
        "topas/players=2/view=1/phase=lay/seat=1/points=4,0/table=G1Y3@0,0E.R2Y1@0,-1E/hands=3,B2Y1.G2R3.R3Y1/pile=28",
        lambda view, better, _: _rows(better) == 2 and _points(better) > view.scores[0],
        better=("R3Y1@0,-2E",),
    ),
)
_BOX = "garden=3312232,2311132,1321323,3231211,1223333,3112122,1311122"
SCHLOSSGARTEN = (
    Tip(
        "four",
        "Schlossgarten: elements and figures",
        "Every build is worth about 4 points: a small element on a tile of 3, or a large one that covers less",
        f"schlossgarten/players=2/view=0/turn=0/phase=build/seat=0/points=0,0/{_BOX}/dug=f1/kept=-,-/elements=-,-"
        "/pawns=d1.e2.d2,d7.e7.c7/card=10/worker=G/hands=9,1/pile=29/discard=-/held=-/may=-,-",
        lambda _, better, _worse: _points(better) == 4 and len(better[0].cells) == 1,
        better=("G build 1 f1",),
    ),
    Tip(
        "lasting",
        "Schlossgarten: elements and figures",
        "An element that is built over goes back, so most small ones do not last, while a maze or a terrace stays",
        f"schlossgarten/players=2/view=1/turn=7/phase=build/seat=1/points=14,13/{_BOX}/dug=d4/kept=f1.f2.a4.c4,g2.d5.f5"
        "/elements=G1:c4.A1:a4,G1:d5.A1:f5.A3:f1:f2:g2/pawns=b4.c3.d3,e6.e5.e4/card=1/worker=G/hands=1,2/pile=22"
        "/discard=9.10.11.13.22.25.27/held=-/may=-,-",
        lambda view, better, _: (
            any(one.cells == ["c4"] and one.seat == 0 for one in view.elements)
            and "c4" in better[0].cells
            and len(better[0].cells) == 3
        ),
        better=("G build 3 c4 d4 d5",),
        lit=("c4",),
    ),
    Tip(
        "figures",
        "Schlossgarten: elements and figures",
        "Good players can take up nearly any figure within five steps",
        "schlossgarten/players=2/view=1/turn=3/phase=card/seat=1/points=8,4"
        "/garden=1323112,3122332,2213332,3121211,2121211,3133321,1231233/dug=-/kept=e2.f2,c6/elements=G1:f2.A1:e2,A1:c6"
        "/pawns=f3.e1.e2,b6.c7.d6/hands=1,1.5/pile=26/discard=14.18.21/held=-/may=-,-",
        lambda _, better, _worse: [move.kind for move in better][-2:] == ["dig", "build"] and _points(better) == 4,
        better=("card 5", "K c5", "K d5", "G d7", "stop", "G dig e6", "G build 1 e6"),
    ),
    Tip(
        "race",
        "Schlossgarten: elements and figures",
        "21 points take five or six turns, which makes the game a race",
        f"schlossgarten/players=2/view=1/turn=9/phase=build/seat=1/points=17,16/{_BOX}/dug=b1"
        "/kept=a1.f1.f2.a4.c4,g2.d4.d5.f5/elements=G1:a1.A1:a4,G3:c4:d4:d5.A1:f5.A3:f1:f2:g2/pawns=c1.b2.c3,b4.c2.d3"
        "/card=31/worker=G/hands=1,2/pile=20/discard=1.9.10.11.13.14.22.25.27/held=-/may=-,-",
        lambda view, better, _: view.scores[1] + _points(better) >= view.goal > view.scores[0],
        better=("G build 2 a1 b1",),
    ),
    Tip(
        "begin",
        "A handicap that evens the seats",
        "With two players two points make it even",
        f"schlossgarten/players=2/view=-/turn=0/phase=card/seat=0/points=0,0/{_BOX}/dug=-/kept=-,-/elements=-,-"
        "/pawns=d1.c1.e1,d7.e7.c7/hands=2,1/pile=29/discard=-/held=-/may=-,-",
        lambda view, _better, _worse: view.seat == 0 and view.turn == 0 and view.scores == [0, 0],
        lit=("d1", "c1", "e1"),
    ),
)
TIPS = {"topiary": TOPIARY, "topas": TOPAS, "schlossgarten": SCHLOSSGARTEN}


class Shown(NamedTuple):
    """A tip on its board."""

    tip: Tip
    view: View
    better: list[Move]
    worse: list[Move]


def shown(tip: Tip) -> Shown:
    """Return the view of a tip and its moves as the view gives them. Raises BosquetError where one is illegal."""
    position = bosquet.position(tip.position)
    view = position.view()
    game = bosquet.new(view.game, **position.options, seed=0).with_state(position.determinize(0))
    better = []
    for say in tip.better:
        better.append(_move(game.view(view.viewer), say))
        game.play(say)
    return Shown(tip, view, better, [_move(view, say) for say in tip.worse])


def _move(view: View, say: str) -> Move:
    for move in view.moves:
        if move.say == say:
            return move
    raise ValueError(f"{say!r} is not legal there")


def target(game: str) -> Path:
    """Return the file of a game."""
    return PAGE / game / "tips.json"


def tips(game: str) -> str:
    """Return the text of a game's file: each tip with its view and its moves, one on a line."""
    lines = []
    for tip, view, better, worse in map(shown, TIPS[game]):
        row = {
            "name": tip.name,
            "lit": tip.lit,
            "held": tip.held,
            "better": better,
            "worse": worse,
            "view": _still(view),
        }
        lines.append(f"  {msgspec.json.encode(row).decode()}")
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _still(view: View) -> View:
    """Return a view in which nothing can be pressed."""
    return msgspec.structs.replace(view, **{field: [] for field in view.OFFERS})


if __name__ == "__main__":
    for name in TIPS:
        target(name).write_text(tips(name))
