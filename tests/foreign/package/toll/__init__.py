"""Toll: a walk of 320 rounds round a road whose squares give points or take them; nothing but numbers, many below 0."""

from __future__ import annotations

from bosquet.core.spec import GameSpec
from toll import road

SPEC = GameSpec(
    package=__name__,
    rules=road,
    notation=road,
    view=road,
    rules_in_short="Walk one to three squares: walk 2. Out of a bog you walk one. You get or pay what the square says.",
    max_decisions=4 * road.ROUNDS,
    max_chance_events=road.ROUNDS,
    chance_draws=(road.SQUARES,),
    min_points=-road.MOST_A_SQUARE * road.ROUNDS,
    max_points=road.MOST_A_SQUARE * road.ROUNDS,
)
