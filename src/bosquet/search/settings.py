"""The settings of a search."""

from __future__ import annotations

from typing import Annotated

import msgspec

from bosquet.core.errors import OptionError

Positive = Annotated[float, msgspec.Meta(gt=0, le=1e6)]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long and in which way to search. What is None is left to the game (`settings` of its search model)."""

    simulations: Annotated[int, msgspec.Meta(ge=1, le=100_000_000)] = 1000
    """Simulations for a decision, of all threads together; with `seconds` the least."""
    seconds: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 0.0
    """Search on until so long has passed."""
    stop_early: bool = False
    """With `seconds`, a thread stops as soon as no other candidate can get as many visits as its best one."""
    threads: Annotated[int, msgspec.Meta(ge=1, le=256)] = 1
    exploration: Positive | None = None
    """Weight of the bonus for a high prior and few visits."""
    temperature: Positive | None = None
    """Hundredths of a point: how soon a candidate gets a low prior that looks worse than the best."""
    scale: Positive | None = None
    """Hundredths of a point: a lead of so much is worth three quarters of all."""
    win_weight: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    """Share of winning in the value; the rest is the lead."""
    rounds: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None = None
    """Rounds (a decision of every seat) before a simulation is cut off; 0 plays to the end."""
    random_rollouts: bool = False
    """Play rollouts at random instead of by the game's rollout policy."""
    candidate_dropout: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    """Share of the candidates that are left out at random: how a weaker player errs."""


ROLLOUT_SETTINGS = ("rounds", "random_rollouts")
"""Settings of rollouts, which a search with learned values has not: it evaluates only where there is a network."""


def check_without_rollouts(settings: Settings) -> None:
    """Raise OptionError if a setting of rollouts is given."""
    if wrong := [name for name in ROLLOUT_SETTINGS if getattr(settings, name)]:
        raise OptionError(f"a search with learned values has no rollouts; leave out {' and '.join(wrong)}")
