"""Players that see only a view. `make("greedy")` gives one by its name.

Names: `random`, `greedy`, `level1` … `level6`, and `search:SIMULATIONS`, with further `key=value` after colons
(`bosquet.bots.search.Settings`): `search:2000:rounds=2:threads=4`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Protocol

import msgspec

from bosquet.bots.greedy import Greedy
from bosquet.bots.levels import COUNT, Level
from bosquet.bots.search import Search, Settings
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


NAMES: dict[str, Callable[[], Bot]] = {
    "random": Random,
    "greedy": Greedy,
    **{f"level{level}": functools.partial(Level, level) for level in range(1, COUNT + 1)},
}
SEARCH = "search"


def make(name: str) -> Bot:
    """A new bot, for one seat of one game. Raises OptionError."""
    if name in NAMES:
        return NAMES[name]()
    kind, *settings = name.split(":")
    if kind == SEARCH and settings:
        return Search(_settings(name, settings))
    raise OptionError(f"there is no bot {quoted(name)}; the bots are {', '.join(NAMES)}, {SEARCH}:SIMULATIONS")


def _settings(name: str, words: list[str]) -> Settings:
    """The settings in the name of a search, `500:rounds=2`."""
    given = {"simulations": words[0]} | dict(word.partition("=")[::2] for word in words[1:])
    try:
        return msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as error:
        keys = ", ".join(Settings.__struct_fields__)
        raise OptionError(f"{quoted(name)} is no search: {error}; `search:SIMULATIONS` takes {keys}") from None
