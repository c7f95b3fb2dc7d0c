"""Players that see only a view. `make("greedy")` gives one by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bosquet.bots.greedy import Greedy
from bosquet.bots.uniform import Random
from bosquet.core.chance import Chance
from bosquet.core.errors import OptionError, quoted
from bosquet.core.view import View

__all__ = ["NAMES", "Bot", "make"]


class Bot(Protocol):
    """A player in one seat of one game.

    It gets a view and a source of chance, never a state. Equal views and chance give equal moves; a bot may remember
    what it saw in the same game.
    """

    def choose(self, view: View, chance: Chance) -> str:
        """The notation of one of the view's moves. Steps `chance`."""


NAMES: dict[str, Callable[[], Bot]] = {"random": Random, "greedy": Greedy}


def make(name: str) -> Bot:
    """A new bot, for one seat of one game. Raises OptionError."""
    if name not in NAMES:
        raise OptionError(f"there is no bot {quoted(name)}; the bots are {', '.join(NAMES)}")
    return NAMES[name]()
