"""Bots from outside of bosquet: classes in Python and programs in any language, each in a process of its own.

Where a bot is named, besides the names of `bosquet.bots`:

- `module:Class` and `path/to/file.py:Class`: a class in Python; `path/to/file.py` if it is the only one there;
- `cmd:program arguments`: a program that speaks the protocol of bots (docs/bot-protocol.md);
- a name in the entry point group `bosquet.bots` of an installed package: a class of it.

Classes run in a process of their own, too: what they do wrong ends only them, they can be stopped when they take too
long, and they have nothing but views, since the state of the game is in another process.

A server accepts the names in `bosquet.bots.NAMES` only.
"""

from __future__ import annotations

import atexit
import csv
import os
import re
import shlex
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from bosquet import bots
from bosquet.bots import learned
from bosquet.bots.program import DEFAULT_LIMITS, BotError, Limits, Program
from bosquet.bots.protocol import Game
from bosquet.core.errors import OptionError, did_you_mean, quoted
from bosquet.core.rng import Rng
from bosquet.core.view import View, to_json

__all__ = [
    "DEFAULT_LIMITS",
    "BotError",
    "Limits",
    "Outside",
    "check",
    "close",
    "is_outside",
    "make",
    "seated",
    "split_names",
]

GROUP = "bosquet.bots"
"""The group of entry points of packages that bring bots."""
COMMAND = "cmd:"
WITH_COMMA = f'a name with a comma stands in double quotes in a list, like "{COMMAND}bot --sizes 1,2",greedy'
"""What errors say where the comma in a name may have ended it."""
CLASS = re.compile(r"(.+\.py|[\w.]+):\w+(\.\w+)*|.+\.py")
"""`module:Class`, `path/to/file.py:Class` or `path/to/file.py`."""


def installed() -> dict[str, EntryPoint]:
    """Return the bots of installed packages by name; those of `bosquet.bots` cannot be replaced."""
    return {point.name: point for point in entry_points(group=GROUP) if not bots.is_ours(point.name)}


def is_outside(name: str) -> bool:
    """Return whether a name has one of the forms of this module. Whether there is such a bot is not looked at."""
    if bots.is_ours(name):
        return False
    return name.startswith(COMMAND) or CLASS.fullmatch(name) is not None or name in installed()


def split_names(text: str) -> list[str]:
    """Return the bots of a list with commas between.

    A name with a comma stands in double quotes (`WITH_COMMA`), and double quotes in it are written twice.
    """
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]


def check(names: Sequence[str], limits: Limits = DEFAULT_LIMITS) -> None:
    """Check that all bots can be made; those from outside are started and ended. Raises OptionError."""
    asked = list(dict.fromkeys(map(_text, names)))
    for name in asked:
        if bots.is_ours(name):
            bots.make(name)
        elif not is_outside(name):
            known = [*bots.NAMES, learned.NAME, *installed(), f"{bots.SEARCH}:SIMULATIONS"]
            with_command = any(other.startswith(COMMAND) for other in asked)
            raise OptionError(
                f"there is no bot {quoted(name)}; the bots are {', '.join(known)}, and your own: module:Class, "
                f"path/to/file.py, {COMMAND}PROGRAM"
                + (f"; {WITH_COMMA}" if with_command else did_you_mean(name, known))
            )
    for name in filter(is_outside, asked):
        try:
            Program(name, _command(name), limits).close()
        except BotError as error:
            raise OptionError(str(BotError(error.reason, name))) from None


def _text(name: object) -> str:
    """Return the name of a bot. Raises OptionError."""
    if not isinstance(name, str):
        raise OptionError(f'{quoted(name)} is no bot; a bot is given by its name, like "greedy"')
    return name


class Outside:
    """A bot from outside, for one seat of one game. It must be closed after the game."""

    def __init__(self, name: str, limits: Limits = DEFAULT_LIMITS) -> None:
        """Name a bot. Its process is started, or taken over from an earlier game, before the first move."""
        self.name: str = name
        self.limits: Limits = limits
        self._program: Program | None = None

    def choose(self, view: View, rng: Rng) -> str:
        """Return the notation of the bot's move. Raises BotError if it gives no legal one."""
        begins = self._program is None
        seed = rng.below(1 << 26) << 27 | rng.below(1 << 27)
        try:
            program = self._program or self._begin(view)
            try:
                move = program.decide(to_json(view), seed)
            except BotError:
                if not (begins and program.left):
                    raise
                program = self._begin(view)  # it left after its last game
                move = program.decide(to_json(view), seed)
            if not any(legal.say == move for legal in view.moves):
                raise program.failed(f"made the move {quoted(move)}, which is not legal")
        except BotError as error:
            self._program = None
            raise BotError(error.reason, self.name) from None
        except BaseException:  # Ctrl-C; the answer that is still to come belongs to no later game
            if self._program is not None:
                self._program.failed("was interrupted")
                self._program = None
            raise
        return move

    def _begin(self, view: View) -> Program:
        """Take over or start a process, and tell it of the game."""
        assert view.viewer is not None
        self._program = _borrowed(self.name, self.limits)
        self._program.begin(Game(game=view.game, options=view.options, seat=view.viewer))
        return self._program

    def close(self) -> None:
        """Leave the process to later games."""
        if self._program is not None:
            _give_back(self.name, self._program)
            self._program = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Outside, (self.name, self.limits)


@contextmanager
def seated(names: Sequence[str], limits: Limits = DEFAULT_LIMITS) -> Iterator[list[bots.Bot]]:
    """Make a bot for each seat of a game; close them after it."""
    made = [make(name, limits) for name in names]
    try:
        yield made.copy()  # the caller may put others in their places
    finally:
        for bot in made:
            close(bot)


def make(name: str, limits: Limits = DEFAULT_LIMITS) -> bots.Bot:
    """Return a new bot of any name for one seat of one game; `close` it afterwards. Raises OptionError."""
    return Outside(name, limits) if is_outside(name) else bots.make(name)


def close(bot: bots.Bot) -> None:
    """Leave the process of a bot, if it has one, to later games."""
    if isinstance(bot, Outside):
        bot.close()


def _command(name: str) -> list[str]:
    """Return the command that starts a bot. Raises BotError."""
    if not name.startswith(COMMAND):
        return [sys.executable, "-m", "bosquet.bots.host", name]
    try:
        words = shlex.split(name.removeprefix(COMMAND), posix=os.name != "nt")
    except ValueError as error:
        raise BotError(f"is no command: {error}; {WITH_COMMA}") from None
    if not words:
        raise BotError(f'names no program; a bot is named like "{COMMAND}node bot.js"')
    return words


# --- processes that wait for the next game ---

_idle: defaultdict[tuple[int, str, Limits], list[Program]] = defaultdict(list)
"""By the process that started them (a forked one has its own), name and limits."""
_lock = threading.Lock()


def _borrowed(name: str, limits: Limits) -> Program:
    while True:
        with _lock:
            waiting = _idle[os.getpid(), name, limits]
            program = waiting.pop() if waiting else None
        if program is None:
            return Program(name, _command(name), limits)
        if program.runs:
            return program
        program.close()


def _give_back(name: str, program: Program) -> None:
    with _lock:
        _idle[os.getpid(), name, program.limits].append(program)


@atexit.register
def close_idle() -> None:
    """End the processes that wait for a game."""
    with _lock:
        found = [program for key, programs in _idle.items() if key[0] == os.getpid() for program in programs]
        _idle.clear()
    for program in found:
        program.close()
