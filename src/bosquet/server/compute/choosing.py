"""What bots choose, in a worker process. It loads the search of a game when a bot that needs it is about to play."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

from bosquet import bots
from bosquet.core.game import new_game
from bosquet.core.installed import spec
from bosquet.core.positions.position import decision_rng
from bosquet.core.rng import Rng
from bosquet.core.spec import check_options
from bosquet.core.view import View
from bosquet.search import Search, Settings, plan_key
from bosquet.search.learned_weights import has_weights

Planned = list[tuple[bytes, str]]
"""Moves, each with the `plan_key` of the view that it is meant for."""
QUICK = 1
"""Simulations that plain Python makes in a hundredth of a second: a search of no more needs no compiled code."""
PATIENCE = 1.0
"""Seconds that a bot waits for its search here, which is longer than it takes to load what is compiled already."""


class NotReady(Exception):  # noqa: N818  (not an error: it is asked again)
    """What a process is to think with is still being compiled."""


class Searched(NamedTuple):
    """A search that is compiled for itself."""

    game: str
    learned: bool = False
    """Whether learned values take the place of rollouts."""

    def load(self) -> None:
        """Search once, which compiles what that takes or loads it from the cache."""
        view = new_game(spec(self.game), {}, seed=1).view(0)
        Search(Settings(simulations=1), learned=self.learned).search(view, Rng(1))


def searches(game: str) -> list[Searched]:
    """Return every search of a game, that with learned values last: levels do without."""
    learned = has_weights(game, check_options(spec(game), {}))
    return [Searched(game), *([Searched(game, learned=True)] if learned else [])]


class Searches:
    """The searches that a process has loaded, or loads in threads beside what else it is asked."""

    def __init__(self) -> None:
        self.beside = False
        """Whether it does so; otherwise whatever searches loads what it needs."""
        self._loading: dict[Searched, Future[None]] = {}

    def begin(self, searched: Searched) -> Future[None]:
        """Return the loading of a search, which begins if it has not or could not be finished."""
        loading = self._loading.get(searched)
        if loading is None or (loading.done() and loading.exception() is not None):
            self._loading[searched] = loading = Future()
            threading.Thread(target=_load, args=(searched, loading), daemon=True).start()
        return loading

    def has(self, searched: Searched) -> bool:
        """Return whether a search can be used at once."""
        loading = self._loading.get(searched)
        return not self.beside or (loading is not None and loading.done())

    def get(self, searched: Searched) -> bool:
        """Return whether a search can be used soon; it is loaded in any case."""
        if self.beside:
            with contextlib.suppress(TimeoutError):
                self.begin(searched).result(PATIENCE)
        return self.has(searched)


def _load(searched: Searched, loading: Future[None]) -> None:
    try:
        searched.load()
    except BaseException as error:
        loading.set_exception(error)
    else:
        loading.set_result(None)


_searches = Searches()


def load_beside() -> None:
    """Let this process load searches beside what else it is asked."""
    _searches.beside = True


def load_game(game: str) -> None:
    """Load every search of a game, and wait for it."""
    for searched in searches(game):
        searched.load()


def get_ready(game: str, options: dict[str, Any], names: Sequence[str]) -> None:
    """Begin to load what bots with these names think with in a game. Raises OptionError."""
    for name in names:
        player = bots.player_for(name, game, options)
        if isinstance(player, Search) and player.settings.simulations > QUICK:
            _searches.begin(Searched(game, player.learned))


def choose(bot: str, view: View, salt: str) -> Planned:
    """The move of a bot that sees this view, and those that it has planned after it. Raises NotReady.

    The same view gets the same move at tables with the same salt (`fair.bot_salt`).
    """
    player = bots.player_for(bot, view.game, view.options)
    if isinstance(player, Search):
        searched = Searched(view.game, player.learned)
        if player.settings.simulations <= QUICK and not _searches.has(searched):
            player.jit = False
        elif not _searches.get(searched):
            raise NotReady
    move = player.choose(view, decision_rng(f"{bot}/{salt}", view))
    return [(plan_key(view), move), *(player.ahead if isinstance(player, Search) else [])]
