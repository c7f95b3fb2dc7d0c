"""Topas (Reiner Knizia, 2009), 1-4 players."""

from __future__ import annotations

from bosquet.core.spec import GameSpec

from . import notation, rules, view

__all__ = ["SPEC", "notation", "rules", "view"]

RULES_IN_SHORT = """\
Topas in short

Lay one card of your hand so that one of its halves touches a card on the
table: the card, the square of its first half, the way to its second, like
B1G2@3,-1N. Squares are x,y: x grows to the east, y to the north.

A row is two or more halves of one colour side by side, in a straight line.
You score the gems of every row that your card belongs to, up to four rows.
No row may hold more than seven gems: such a placement is not allowed.

Expert: the rows are multiplied. Then you draw a card while the pile lasts.
After seven turns each, most points win.

Alone: lay seven cards as they come, note the points, clear the table, four
times. The lowest of the four columns is your result. 40 is good, 50 is
fantastic."""

SPEC = GameSpec(
    package=__name__,
    rules=rules,
    notation=notation,
    view=view,
    rules_in_short=RULES_IN_SHORT,
    open_keys=("start",),
    option_help={"expert": "the rows of a card are multiplied"},
    pace=1.2,
    levels=((1, 0.9), (1, 0.8), (1, 0.65), (1, 0.4), (1, 0.0), (1000, 0.0)),
    luck_bot="level3",
)
