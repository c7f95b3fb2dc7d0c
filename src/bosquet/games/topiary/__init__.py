"""Topiary (Danny Devine, 2017), 2-4 players."""

from __future__ import annotations

from bosquet.core.spec import GameSpec

from . import notation, rules, view

__all__ = ["SPEC", "notation", "rules", "view"]

SPEC = GameSpec(
    package=__name__,
    rules=rules,
    notation=notation,
    view=view,
    open_keys=("removed",),
    option_help={
        "draft": "with the draft of the leftover tiles",
        "removed": "the type that is left out with two or three players, drawn or named",
    },
    optional_in_records=("removed",),
    check_together=rules.check_options,
    pace=1.0,
    revealed=view.revealed,
    levels=((1, 0.5), (1, 0.28), (1, 0.08), (2, 0.0), (75, 0.0), (400, 0.0)),
    luck_bot="level3",
)
