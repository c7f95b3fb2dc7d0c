"""Topas (Reiner Knizia, 2009), 1-4 players."""

from __future__ import annotations

from bosquet.core.spec import GameSpec

from . import notation, rules, view

__all__ = ["SPEC", "notation", "rules", "view"]

SPEC = GameSpec(
    package=__name__,
    rules=rules,
    notation=notation,
    view=view,
    open_keys=("start",),
    option_help={"expert": "the rows of a card are multiplied"},
    pace=1.2,
    levels=((1, 0.9), (1, 0.8), (1, 0.65), (1, 0.4), (1, 0.0), (1000, 0.0)),
    luck_bot="level3",
)
