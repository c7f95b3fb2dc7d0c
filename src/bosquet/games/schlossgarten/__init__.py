"""Der Prestel Schlossgarten (Ulf Siebert, 2004), 2-4 players."""

from __future__ import annotations

from bosquet.core.spec import GameSpec

from . import board, notation, rules, view, walking
from .box import KEYS
from .constellations import house_rows

__all__ = ["SPEC", "board", "notation", "rules", "view", "walking"]

SPEC = GameSpec(
    package=__name__,
    rules=rules,
    notation=notation,
    view=view,
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
