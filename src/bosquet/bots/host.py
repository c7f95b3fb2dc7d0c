"""Run a bot as a program that speaks the protocol of bots on its standard input and output.

`python -m bosquet.bots.host NAME` is what `bosquet.bots.outside` starts for a class in Python. `bosquet bot NAME` lets
any bot play in programs that speak the protocol.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import IO

import msgspec

from bosquet import bots
from bosquet.bots.outside import COMMAND, installed, is_outside
from bosquet.bots.protocol import VERSION, Bestmove, Game, Go, Hello, Message, Position, Quit, ToBot
from bosquet.core.errors import OptionError, quoted
from bosquet.core.rng import Rng
from bosquet.core.view import View
from bosquet.games import spec

Maker = Callable[[], bots.Bot]
KINDS = {message.__struct_config__.tag for message in typing.get_args(ToBot)}


class _Kind(msgspec.Struct):
    """The part of a message that says what it is."""

    type: str


def maker(name: str) -> Maker:
    """Return what makes a bot for one seat of one game: a class, or a function. Imports it. Raises OptionError."""
    if not is_outside(name):
        bots.make(name)
        return functools.partial(bots.make, name)
    if name.startswith(COMMAND):
        raise OptionError(f"{quoted(name)} is a program of its own; start it instead")
    point = installed().get(name)
    found = point.load() if point is not None else _named(name)
    if not callable(found) or not hasattr(found, "choose"):
        raise OptionError(f"{name} is no class with a method choose(view, rng)")
    return typing.cast(Maker, found)


def _named(name: str) -> object:
    """Return what `module:Class` or `path/to/file.py:Class` names. Raises OptionError."""
    place, _, path = name.rpartition(":")
    found: object = _module_of_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    for part in path.split("."):
        if not hasattr(found, part):
            raise OptionError(f"there is no {part} in {place}")
        found = getattr(found, part)
    return found


def _module_of_file(file: Path) -> ModuleType:
    """Import a file, which may import others beside it."""
    if not file.is_file():
        raise OptionError(f"there is no file {file}")
    sys.path.insert(0, str(file.resolve().parent))
    found = importlib.util.spec_from_file_location(file.stem, file)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[file.stem] = module
    found.loader.exec_module(module)
    return module


def answers(make: Maker, messages: Iterator[bytes]) -> Iterator[Message]:
    """Yield the answers of a bot to messages, until it has to quit."""
    bot: bots.Bot | None = None
    read: Callable[[msgspec.Raw], View] | None = None
    view: View | None = None
    for line in messages:
        if msgspec.json.decode(line, type=_Kind).type not in KINDS:
            continue  # a later version may send more
        match msgspec.json.decode(line, type=ToBot):
            case Hello():
                yield Hello(protocol=VERSION, name=str(getattr(make, "__name__", "")))
            case Game(game=name):
                bot, view = make(), None
                read = msgspec.json.Decoder(spec(name).view_type).decode
            case Position(view=given):
                assert read is not None, "a position came before a game"
                view = read(given)
            case Go(id=number, seed=seed):
                assert bot is not None, "a move was asked for before a game began"
                assert view is not None, "a move was asked for before a position"
                yield Bestmove(id=number, move=bot.choose(view, Rng(seed)))
            case Quit():
                return


def serve(name: str, messages: IO[bytes], out: IO[bytes]) -> None:
    """Answer the messages of a stream until it ends. Raises OptionError if there is no such bot."""
    for answer in answers(maker(name), iter(messages.readline, b"")):
        out.write(msgspec.json.encode(answer) + b"\n")
        out.flush()


def private_output() -> IO[bytes]:
    """Return the standard output for messages alone; what the bot prints goes to standard error instead."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "wb")


def main() -> None:
    """Run the bot that is named on the command line."""
    try:
        serve(sys.argv[1], sys.stdin.buffer, private_output())
    except OptionError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
