"""Der Prestel Schlossgarten (Ulf Siebert, 2004), 2-4 players."""

from __future__ import annotations

from bosquet.core.spec import GameSpec

from . import board, notation, rules, view, walking
from .box import KEYS
from .constellations import house_rows

__all__ = ["SPEC", "board", "notation", "rules", "view", "walking"]

RULES_IN_SHORT = """\
Schlossgarten in short

Play one of your two cards (card 17). Move your king K, gardener G and
architect A, five steps in all (K d2). You may jump over a neighbouring
gardener or architect. You may enter a cell with another player's gardener or
architect if its owner has a free element cell to send it to (G e3 hit b6).
Within your own element a pawn shifts for nothing. Then stop.

If your king with one gardener and one architect stands as the card shows,
turned any way (one of the two may be another player's), one of your two may
work: dig a tile next to it (G dig c4), then build an element of its kind
(G build 3 c4 d4 d5) on excavations and on whole elements. Or end.

Gardener: hedge 1, long hedge 2, maze 3. Architect: fountain 1, pool 2,
terrace 3. You keep the tiles you build on and score their points, and 1 for
each cell of your elements. What is built over goes back to its owner.
21 points win at once."""

SPEC = GameSpec(
    package=__name__,
    rules=rules,
    notation=notation,
    view=view,
    rules_in_short=RULES_IN_SHORT,
    open_keys=("landscape",),
    box_keys=KEYS,
    house_deck=house_rows,
    optional_in_records=("work", "overbuild"),
    option_help={
        "work": "with each, one own subject in a figure may dig and the other build; with one, the digger builds",
        "overbuild": "with elements, a site may be made of smaller elements alone; with site, it has an excavation; "
        "with bordering, each element built over also borders one of its excavations",
    },
    pace=0.6,
    levels=((1, 0.988), (1, 0.954), (1, 0.85), (3, 0.7), (14, 0.29), (400, 0.0)),
    luck_bot="level3",
)
