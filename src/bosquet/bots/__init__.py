"""Bots: players that see only a view. `make("greedy")` returns one by name.

Names are `random`, `greedy`, `level1` … `level6`, `champion`, `search:SIMULATIONS`, `learned:SIMULATIONS` and
`learned`. Those with simulations take settings (`bosquet.search.Settings`) after colons:
`search:2000:rounds=2:threads=4`. So does `learned` where it looks ahead (`bosquet.bots.learned.LearnedSettings`):
`learned:ahead=2`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Protocol

import msgspec

from bosquet.bots import champion, learned
from bosquet.bots.champion import Champion
from bosquet.bots.greedy import Greedy
from bosquet.bots.levels import COUNT, Level
from bosquet.bots.uniform import Random
from bosquet.core.errors import OptionError, quoted
from bosquet.core.rng import Rng
from bosquet.core.view import View
from bosquet.search import Search, Settings
from bosquet.search.settings import with_new_names

__all__ = ["NAMES", "Bot", "is_ours", "make", "reads_moves"]


class Bot(Protocol):
    """A player in one seat of one game.

    It gets a view and a source of chance, never a state. Equal views and chance give equal moves, unless time bounds
    what it thinks (`champion`, `seconds` of a search). It may remember what it saw in the same game. One whose class
    has `reads_moves = False` may be given a view without its legal moves.
    """

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of one of the view's moves. Advances `rng`."""


LEVELS: dict[str, Callable[[], Bot]] = {
    f"level{level}": functools.partial(Level, level) for level in range(1, COUNT + 1)
}
NAMES: dict[str, Callable[[], Bot]] = {"random": Random, "greedy": Greedy, **LEVELS, champion.NAME: Champion}
"""The bots that a server plays with, the weakest first."""
SEARCH = "search"


def make(name: str) -> Bot:
    """Return a new bot for one seat of one game. Raises OptionError for an unknown name."""
    if not isinstance(name, str):
        raise OptionError(f'{quoted(name)} is no bot; a bot is given by its name, like "greedy"')
    if name in NAMES:
        return NAMES[name]()
    kind, *settings = name.split(":")
    if kind == SEARCH and settings:
        return Search(_settings(name, settings))
    if kind == learned.NAME:
        return learned.Learned(learned.settings_of(name))
    known = ", ".join([*NAMES, learned.NAME])
    raise OptionError(f"there is no bot {quoted(name)}; the bots are {known}, {SEARCH}:SIMULATIONS")


def is_ours(name: str) -> bool:
    """Return whether a name has the form of one that `make` takes; its settings are not looked at."""
    return name in NAMES or name.startswith((f"{SEARCH}:", f"{learned.NAME}:")) or name == learned.NAME


def is_search(name: str) -> bool:
    """Return whether a bot is a search with rollouts: a level, or `search:SIMULATIONS`."""
    return name in LEVELS or name.startswith(f"{SEARCH}:")


def threads(name: str) -> int:
    """Return how many threads a bot of `NAMES` takes for a decision."""
    return champion.THREADS if name == champion.NAME else 1


def reads_moves(name: str) -> bool:
    """Return whether the bot of a name needs the legal moves in its view. Raises OptionError."""
    return getattr(make(name), "reads_moves", True)


def _settings(name: str, words: list[str]) -> Settings:
    """Return the settings in the name of a search bot, such as `500:rounds=2`. Raises OptionError."""
    given = {"simulations": words[0]} | dict(word.partition("=")[::2] for word in words[1:])
    try:
        return msgspec.convert(with_new_names(given), Settings, strict=False)
    except msgspec.ValidationError as error:
        keys = ", ".join(Settings.__struct_fields__)
        raise OptionError(f"{quoted(name)} is no search: {error}; `search:SIMULATIONS` takes {keys}") from None
