"""Deprecated names of version 0.1. They will be removed in version 0.3."""

from __future__ import annotations

import warnings
from typing import Any

from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec


def _warn(old: str, new: str) -> None:
    warnings.warn(f"bosquet.{old} is deprecated; use bosquet.{new}", DeprecationWarning, stacklevel=3)


class Chance(Rng):
    """`Rng` under its old name."""

    def __init__(self, *seed: object) -> None:
        """Seed as in `Rng`."""
        _warn("Chance", "Rng")
        super().__init__(*seed)


class Rules:
    """A game with all its functions under their old names; the result of `bosquet.rules`."""

    RENAMED = {  # noqa: RUF012
        "say": "to_notation",
        "told": "observed_action",
        "objection": "illegal_reason",
        "reveals": "is_irreversible",
        "redeal": "determinize",
        "resample": "determinize_in_place",
        "roll": "sample_chance",
        "say_roll": "chance_to_notation",
        "play_roll": "apply_chance",
    }

    def __init__(self, game: GameSpec) -> None:
        self._modules = (game.view, game.notation, game.rules)

    def __getattr__(self, name: str) -> Any:
        current = self.RENAMED.get(name, name)
        for module in self._modules:
            if hasattr(module, current):
                return getattr(module, current)
        raise AttributeError(name)


def rules(name: object) -> Rules:
    """Return the rules of a game. Raises OptionError."""
    _warn("rules", "spec")
    return Rules(spec(name))
