"""Bots: players that see only a view. `make("greedy")` returns one by name.

Names are `random`, `greedy`, `level1` … `level6`, `champion`, `search:SIMULATIONS`, `learned:SIMULATIONS` and
`learned`. Those with simulations take settings (`bosquet.search.Settings`) after colons:
`search:2000:rounds=2:threads=4`. So does `learned` where it looks ahead (`bosquet.bots.learned.LearnedSettings`):
`learned:ahead=2`. `weights=FOLDER` plays by what `bosquet train` learned.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Protocol

from bosquet.bots import champion, learned, levels
from bosquet.bots.greedy import Greedy
from bosquet.bots.name_settings import converted, given_in
from bosquet.bots.uniform import Random
from bosquet.core.errors import OptionError, did_you_mean, quoted
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.core.state import Options
from bosquet.core.view import View
from bosquet.search import Search, Settings
from bosquet.search.from_states import StateSearch

__all__ = ["NAMES", "Bot", "choose", "is_ours", "make", "player_for", "reads_moves", "state_search_for"]


class Bot(Protocol):
    """A player in one seat of one game.

    It gets a view and a source of chance, never a state. Equal views and chance give equal moves, unless time bounds
    what it thinks (`champion`, `seconds` of a search). It may remember what it saw in the same game. One whose class
    has `reads_moves = False` may be given a view without its legal moves.
    """

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of one of the view's moves. Advances `rng`."""


class ByGame:
    """A bot whose player depends on the game and its options: it is made when the first view tells them."""

    reads_moves = False

    def __init__(self, player_for: Callable[[str, Options], Bot]) -> None:
        self._player_for = player_for
        self._player: Bot | None = None

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of the chosen move. Raises OptionError for a game that the bot does not play."""
        if self._player is None:
            self._player = self._player_for(view.game, view.options)
        return self._player.choose(view, rng)


Player = Search | learned.Lookahead | Random | Greedy
"""What plays a game for a bot."""
SIMPLE: dict[str, Callable[[], Random | Greedy]] = {"random": Random, "greedy": Greedy}
"""Bots that are the same in every game."""
LEVELS = {f"level{level}": level for level in range(1, levels.COUNT + 1)}
NAMES = (*SIMPLE, *LEVELS, champion.NAME)
"""The bots that a server plays with, the weakest first."""
SEARCH = "search"


def make(name: str) -> Bot:
    """Return a new bot for one seat of one game. Raises OptionError for an unknown name."""
    player_for = _player_for(name)
    return SIMPLE[name]() if name in SIMPLE else ByGame(player_for)


def player_for(name: str, game: str, options: Options) -> Player:
    """Return what plays a game with these options for the bot of a name: a `Search` where it searches.

    It is for one seat of one game. Raises OptionError for an unknown name, and for a game that the bot does not play.
    """
    return _player_for(name)(game, options)


def state_search_for(name: str, game: str, options: Options) -> StateSearch:
    """Return the search of a bot for which `is_search` holds, for one seat of one game, as it plays without views.

    Raises OptionError for a name that is no search.
    """
    player = player_for(name, game, options)
    if not isinstance(player, Search):
        raise OptionError(f"{quoted(name)} is no search")
    return StateSearch(game, player)


def _player_for(name: str) -> Callable[[str, Options], Player]:
    """Return `player_for` of one name. Raises OptionError for an unknown one."""
    if not isinstance(name, str):
        raise OptionError(f'{quoted(name)} is no bot; a bot is given by its name, like "greedy"')
    kind, *words = name.split(":")
    if name in SIMPLE:
        return lambda game, options: SIMPLE[name]()
    if name in LEVELS:
        return lambda game, options: Search(levels.settings(game, LEVELS[name]))
    if name == champion.NAME:
        return champion.strongest
    if kind == SEARCH and words:
        searched = _settings(name, words)
        return lambda game, options: Search(searched)
    if kind == learned.NAME:
        settings, weights = learned.named(name)
        return functools.partial(learned.player_for, settings=settings, weights=weights)
    known = [*NAMES, learned.NAME, f"{SEARCH}:SIMULATIONS"]
    raise OptionError(f"there is no bot {quoted(name)}; the bots are {', '.join(known)}{did_you_mean(name, known)}")


def is_ours(name: str) -> bool:
    """Return whether a name has the form of one that `make` takes; its settings are not looked at."""
    return name in NAMES or name.startswith((f"{SEARCH}:", f"{learned.NAME}:")) or name == learned.NAME


def is_search(name: str) -> bool:
    """Return whether a bot is a search with rollouts: a level, or `search:SIMULATIONS`."""
    return name in LEVELS or name.startswith(f"{SEARCH}:")


def threads(name: str) -> int:
    """Return how many threads a bot of `NAMES` takes for a decision."""
    return champion.THREADS if name == champion.NAME else 1


def reads_moves(bot: str | Bot, game: str) -> bool:
    """Return whether a bot, or the bot of a name, needs the legal moves in its views of a game. Raises OptionError."""
    player = make(bot) if isinstance(bot, str) else bot
    return player.reads_moves_of(game) if isinstance(player, Greedy) else getattr(player, "reads_moves", True)


def choose(bot: Bot, game: Game, rng: Rng) -> str:
    """Return the notation of the move that a bot makes for the seat to move, from a view with what it reads.

    Advances `rng`.
    """
    return bot.choose(game.view(game.seat, moves=reads_moves(bot, game.name)), rng)


def _settings(name: str, words: list[str]) -> Settings:
    """Return the settings in the name of a search bot, such as `500:rounds=2`. Raises OptionError."""
    try:
        return converted({"simulations": words[0]} | given_in(words[1:]), Settings)
    except OptionError as error:
        keys = ", ".join(Settings.__struct_fields__)
        raise OptionError(f"{quoted(name)} is no search: {error}; `search:SIMULATIONS` takes {keys}") from None
