"""How strong a player is, as a number with its uncertainty, and what a game changes of that. Pure.

This is OpenSkill's Plackett-Luce model (Weng and Lin 2011) on a scale on which a difference is Elo: between two players
who are known well, 400 points are odds of ten to one. The model is called once per rated player, so each player can
have a different set of opponents; Plackett-Luce allows leaving players out. `rated_games.py` chooses the opponents.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from bosquet.bots.strengths import ELO_PER_NAT

Z = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations of the mean."""
BETA = ELO_PER_NAT / math.sqrt(2)
"""Standard deviation of how well somebody plays in one game: with it a difference between two players is Elo."""
LEVEL_SIGMA = 25.0
"""The uncertainty of the strength of a level: about that of the ladder, two levels away from the middle."""
SIGMA_A_GAME = 5.0
SIGMA_A_DAY = 4.0
"""By how much a rating grows more uncertain, with each game and with each day without one: people change."""
CERTAIN = 200 / Z
"""A rating is provisional as long as its standard deviation is above this one: until 95 % lie within ± 200."""
ABOVE = CERTAIN
"""The most that a rating on a leaderboard may exceed what games against levels alone say: a standard deviation."""
DAYS = 36_500


class Skill(NamedTuple):
    """A rating, with its standard deviation."""

    mu: float
    sigma: float

    @property
    def is_provisional(self) -> bool:
        """Return whether too few games are known for the rating to say much."""
        return self.sigma > CERTAIN

    @property
    def spread(self) -> float:
        """Return within how many points of the rating the skill lies, in 95 of 100 cases."""
        return Z * self.sigma


NEW = Skill(1000.0, 300.0)
"""The rating of somebody of whom no game is known."""


class Rival(NamedTuple):
    """Another player of a game: the skill, with what the seat was worth, and the rank, 1 for the first."""

    skill: Skill
    rank: int


def _whole(c: float, k: int, mu: float, sigma_squared: float, team: Sequence[Any], rank: int, weights: Any) -> float:
    """Return 1: the uncertainty falls by all that the game says (the default of the library is a part of it)."""
    return 1.0


_MODEL = PlackettLuce(mu=NEW.mu, sigma=NEW.sigma, beta=BETA, gamma=_whole, tau=0.0)


def aged(skill: Skill, days: int) -> Skill:
    """Return a rating after days without a game."""
    return _spread(skill, max(0, days) * SIGMA_A_DAY**2)


def days_certain(skill: Skill) -> int | None:
    """Return for how many days without a game a rating is not provisional; None if it is now."""
    if skill.is_provisional:
        return None
    return min(DAYS, int((CERTAIN**2 - skill.sigma**2) / SIGMA_A_DAY**2))


def shown(skill: Skill, levels: Skill | None) -> float:
    """Return the rating that a leaderboard shows, given what games against levels alone say, where there are levels.

    Nobody can make a level lose. People may lose on purpose to somebody, or be that somebody.
    """
    return skill.mu if levels is None else min(skill.mu, levels.mu + ABOVE)


def after(skill: Skill, rank: int, rivals: Sequence[Rival], seat: float = 0.0, weight: float = 1.0) -> Skill:
    """Return a rating after a game against others, given the rank of its player.

    `seat` is what the own seat was worth in Elo. With a `weight` below 1 the game counts as such a part of one.
    """
    before = _spread(skill, SIGMA_A_GAME**2)
    own = _MODEL.rating(mu=before.mu + seat, sigma=before.sigma)
    others = [_MODEL.rating(mu=rival.skill.mu, sigma=rival.skill.sigma) for rival in rivals]
    ranks = [float(rank), *(float(rival.rank) for rival in rivals)]
    ((rated,), *_) = _MODEL.rate([[own], *([other] for other in others)], ranks=ranks)
    gained = 1 / rated.sigma**2 - 1 / before.sigma**2
    mu = before.mu + weight * (rated.mu - own.mu)
    return Skill(mu, 1 / math.sqrt(1 / before.sigma**2 + weight * gained))


def _spread(skill: Skill, variance: float) -> Skill:
    return Skill(skill.mu, min(NEW.sigma, math.sqrt(skill.sigma**2 + variance)))
