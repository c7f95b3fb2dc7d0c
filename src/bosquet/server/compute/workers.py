"""Worker processes for heavy computing, so that the event loop never waits for it."""

from __future__ import annotations

import asyncio
import atexit
import functools
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple, Protocol, TypeVar, TypeVarTuple

from bosquet import bots
from bosquet.core.game import new_game
from bosquet.core.installed import names, spec
from bosquet.core.processes import SPAWN
from bosquet.core.rng import Rng
from bosquet.core.spec import check_options
from bosquet.core.view import View
from bosquet.search import Search, Settings, plan_key
from bosquet.search.learned_weights import has_weights

T = TypeVar("T")
Given = TypeVarTuple("Given")
Planned = list[tuple[bytes, str]]
"""Moves, each with the `plan_key` of the view that it is meant for."""
ANALYSIS_NICE = 10
"""Bots and people at tables come first."""
QUICK = 1
"""Simulations that plain Python makes sooner than a compiler starts: a search of no more does not wait for it."""
COMPILING = 180.0
"""Seconds that a process waits for another one that compiles a search, before it does so itself."""


class NotReady(Exception):  # noqa: N818  (not an error: it is asked again)
    """What a process is to think with is still being compiled."""


class Closed(BrokenProcessPool):
    """The pool was closed."""


class Pool(Protocol):
    """Works things out in other processes, of this machine or of others."""

    @property
    def processes(self) -> int:
        """How many things at a time."""

    def open(self) -> None:
        """Get ready."""

    def close(self) -> None:
        """End."""

    async def run(self, function: Callable[[*Given], T], *args: *Given) -> T:
        """Return what a module's function gives. Raises what it raises, and BrokenProcessPool (`Closed` at the end)."""


class Workers:
    """A pool of processes, warmed up when it opens and made anew when one of them dies."""

    def __init__(
        self, processes: int | None = None, *, locks: CompileLocks | None = None, nice: int = 0, lazy: bool = False
    ) -> None:
        """By default one process fewer than there are cores, at least two.

        With `locks` they get ready to think about every game before anybody asks; those of a `lazy` pool only start,
        and get ready, when they are needed. By `nice` steps they leave the machine to others.
        """
        self.processes: int = processes or max(2, (os.cpu_count() or 2) - 1)
        self._locks = locks
        self._nice = nice
        self._lazy = lazy
        self._pool: ProcessPoolExecutor | None = None

    def open(self) -> None:
        """Start the processes; they get ready by themselves."""
        given = self._nice, self._locks, not self._lazy
        self._pool = ProcessPoolExecutor(self.processes, SPAWN, initializer=_begin, initargs=given)
        if not self._lazy:
            for _ in range(self.processes):
                self._pool.submit(_warm_up)

    def close(self) -> None:
        """End the processes, whatever they are doing: it may be long, and nobody is left to hear of it.

        One that has just started would read only after seconds that it is to end.
        """
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(wait=True, cancel_futures=True)

    async def run(self, function: Callable[[*Given], T], *args: *Given) -> T:
        """What a module's function gives, worked out in another process. Raises what it raises, and as `Pool.run`."""
        pool = self._pool
        if pool is None:
            raise Closed
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, function, *args)
        except BrokenProcessPool:
            if self._pool is None:
                raise Closed from None
            if self._pool is pool:
                # A process killed while compiling never gives its lock back.
                if self._locks is not None:
                    self._locks.renew()
                self.open()
            raise


class Searched(NamedTuple):
    """A search that is compiled for itself."""

    game: str
    learned: bool
    """Whether learned values take the place of rollouts."""


@functools.cache
def _all_searched() -> tuple[Searched, ...]:
    """Return every search there is, those with learned values last: levels do without."""
    learned = [game for game in names() if has_weights(game, check_options(spec(game), {}))]
    return (
        *(Searched(game, learned=False) for game in names()),
        *(Searched(game, learned=True) for game in learned),
    )


class CompileLocks:
    """Locks of the searches: one process compiles a search, the others then load it from the cache."""

    def __init__(self) -> None:
        self.locks: dict[Searched, Any] = {searched: SPAWN.Lock() for searched in _all_searched()}

    def renew(self) -> None:
        """Begin anew, for processes that are started from now on."""
        self.locks = {searched: SPAWN.Lock() for searched in _all_searched()}

    def close(self) -> None:
        """Give the locks back to the system: nobody else does where a signal ends the server."""
        self.locks = {}


class _Ready:
    """What this process is ready for."""

    def __init__(self) -> None:
        self.compile_locks: CompileLocks | None = None
        self.thread: threading.Thread | None = None
        """The thread that gets ready for everything, if there is one."""
        self._done: set[Searched] = set()
        self._locks = {searched: threading.Lock() for searched in _all_searched()}

    def has(self, searched: Searched) -> bool:
        """Whether this process need not wait for a search."""
        return searched in self._done or self.compile_locks is None

    def get(self, searched: Searched) -> None:
        """Be ready to search. Raises NotReady where a thread of this process sees to that: nobody waits for it here."""
        if not self.has(searched) and self.thread is not None and self.thread.is_alive():
            raise NotReady
        self._wait_for(searched)

    def _wait_for(self, searched: Searched) -> None:
        if self.compile_locks is None or self.has(searched):
            return
        turn = self.compile_locks.locks[searched]
        with self._locks[searched]:
            if searched not in self._done:
                mine = turn.acquire(timeout=COMPILING)
                self._load(searched, turn if mine else None)

    def get_all(self) -> None:
        """Be ready for every search, first for those that no other process gets ready for."""
        assert self.compile_locks is not None
        for searched, turn in self.compile_locks.locks.items():
            with self._locks[searched]:
                if searched not in self._done and turn.acquire(block=False):
                    self._load(searched, turn)
        for searched in self._locks:
            self._wait_for(searched)

    def _load(self, searched: Searched, turn: Any) -> None:
        """Search once, and give the turn on."""
        try:
            view = new_game(spec(searched.game), {}, seed=1).view(0)
            Search(Settings(simulations=1), learned=searched.learned).search(view, Rng(1))
            self._done.add(searched)
        finally:
            if turn is not None:
                turn.release()


_ready = _Ready()


def get_ready(game: str, *, learned: bool = True) -> None:
    """Be ready to search in a game: where another process compiles what that takes, wait for it.

    `learned` is whether to be ready for the search with learned values, too, where there is one. Raises NotReady in a
    process that has a thread for it.
    """
    for searched in _all_searched():
        if searched.game == game and (learned or not searched.learned):
            _ready.get(searched)


def has_learned(game: str) -> bool:
    """Return whether the search with learned values, where there is one, can be used without waiting."""
    return _ready.has(Searched(game, learned=True)) or Searched(game, learned=True) not in _all_searched()


def choose(bot: str, view: View) -> Planned:
    """The move of a bot that sees this view, and those that it has planned after it."""
    return _choose(bot, view, Rng())


def choose_alike(bot: str, view: View, seed: str) -> Planned:
    """The same, with the same answer whenever view and seed are the same."""
    return _choose(bot, view, Rng(seed))


def _choose(bot: str, view: View, rng: Rng) -> Planned:
    player = bots.player_for(bot, view.game, view.options)
    if isinstance(player, Search):
        if player.settings.simulations <= QUICK and not _ready.has(Searched(view.game, learned=player.learned)):
            player.jit = False
        else:
            get_ready(view.game, learned=player.learned)
    move = player.choose(view, rng)
    return [(plan_key(view), move), *(player.ahead if isinstance(player, Search) else [])]


def _begin(nice: int, locks: CompileLocks | None, eager: bool) -> None:
    """Leave Ctrl-C to the server, which then ends its workers; end with it if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    _ready.compile_locks = locks
    if locks is not None and eager:
        atexit.register(os._exit, 0)  # whatever still compiles then
        _ready.thread = threading.Thread(target=_ready.get_all, daemon=True)
        _ready.thread.start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _warm_up() -> Any:
    """Import what will be needed."""
    from bosquet.core import real_games
    from bosquet.server.compute import replays

    return real_games, replays
