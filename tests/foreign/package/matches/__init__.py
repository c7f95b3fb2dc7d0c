"""Matches: 21 of them lie on the table, everybody in turn takes one, two or three, and the last one wins."""

from __future__ import annotations

from bosquet.core.spec import GameSpec
from matches import game

SPEC = GameSpec(
    package=__name__,
    rules=game,
    notation=game,
    view=game,
    rules_in_short="Take one, two or three matches: take 2. Taking the last one wins.",
    max_decisions=game.MATCHES,
    max_chance_events=0,
    min_points=0,
    max_points=1,
)
