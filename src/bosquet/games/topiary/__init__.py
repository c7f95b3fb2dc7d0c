"""Topiary (Danny Devine, 2017), 2-4 players."""

from __future__ import annotations

from bosquet.core.spec import GameSpec

from . import notation, rules, view

__all__ = ["SPEC", "notation", "rules", "view"]

RULES_IN_SHORT = """\
Topiary in short

Place a visitor at a free line: first cell and heading, like c1N or a1NE. It
looks straight across the garden. Then you may take one face-down tile of that
line into your hand (take c2), and must put one tile of your hand face up in
its place (put T1). Or leave the tiles alone (pass).

The game ends when all visitors stand. Then each visitor looks down its line
and sees every tile that is larger than all nearer ones; face-down tiles hide
nothing. It scores the sizes it sees, and for a type of which it sees two or
more, 1 more for each of them.

A tile left in your hand scores its size if one of your visitors sees a larger
tile of its type. Most points win; a tie goes to the better hand, then to the
player who is later in turn order.

Draft variant: the spare tiles go round from the last seat to the first; each
keeps three of what it has (keep T1 W2 P5) and passes on the rest."""

SPEC = GameSpec(
    package=__name__,
    rules=rules,
    notation=notation,
    view=view,
    rules_in_short=RULES_IN_SHORT,
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
