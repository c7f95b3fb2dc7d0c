"""Tide, a small card game on a beach of 3 × 3 cells: a game that bosquet knows nothing of.

Eighteen cards, 1 to 18. Everybody holds three, lays one on a free cell (or drops it where none is free) and draws one
while there is a pile. After each round the tide comes up one column, drawn at random, and takes its lowest card. After
five rounds every row and column scores its number of cards for the player of its highest card. Most points win.
"""

from __future__ import annotations

from bosquet.core.spec import GameSpec
from tide import notation, rules, view

SPEC = GameSpec(
    package=__name__,
    rules=rules,
    notation=notation,
    view=view,
    rules_in_short="""\
Tide in short

Lay a card of your hand on a free cell: 7 b2. Where no cell is free, drop one:
drop 7. After each round the tide takes the lowest card of a column.

After five rounds every row and column scores its number of cards for the
player of its highest card. Most points win.""",
    max_decisions=rules.ROUNDS * 3,
    max_chance_events=rules.ROUNDS,
    min_points=0,
    max_points=6 * rules.WIDTH,
)
