"""What there is to play against: each bot with a sentence. Importing it is cheap: completion in a shell reads it."""

from __future__ import annotations

CATALOGUE = {
    "random": "any legal move, all as likely",
    "greedy": "a move that scores most at once",
    "level1": "Daisy on the page, gentle",
    "level2": "Clover, easy-going",
    "level3": "Ivy, solid",
    "level4": "Box, sharp",
    "level5": "Hawthorn, tough",
    "level6": "Yew, merciless",
    "champion": "Oak, the strongest for about a second a decision",
    "learned": "by values learned from self-play, in some games",
    "search:SIMULATIONS": "a search of your own, as search:500:threads=2",
}
"""The bots by name, from the weakest of those that can be compared."""
