"""Run a bot as a program that speaks the protocol of bots on its standard input and output.

`python -m bosquet.bots.host NAME` is what `bosquet.bots.outside` starts for a class in Python. `bosquet bot NAME` lets
any bot play in programs that speak the protocol.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import io
import os
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import IO, Any

import msgspec

from bosquet import bots
from bosquet.bots.outside import COMMAND, installed, is_outside
from bosquet.bots.program import BYTE_ORDER_MARK
from bosquet.bots.protocol import VERSION, Bestmove, Game, Go, Hello, Message, Position, Quit, ToBot
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.view import View

Maker = Callable[[], bots.Bot]
KINDS = {message.__struct_config__.tag for message in typing.get_args(ToBot)}


class ProtocolError(BosquetError):
    """A line that is no message of the protocol, or comes too early."""


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
    """Return what `module:Class`, `path/to/file.py:Class` or `path/to/file.py` names. Raises OptionError."""
    if name.endswith(".py"):
        return _only_bot(Path(name))
    place, _, path = name.rpartition(":")
    found: object = _module_of_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    for part in path.split("."):
        if not hasattr(found, part):
            raise OptionError(f"there is no {part} in {place}")
        found = getattr(found, part)
    return found


def _only_bot(file: Path) -> object:
    """Return the only class of a file that can be a bot. Raises OptionError, which names those that there are."""
    module = _module_of_file(file)
    found = {
        name: one
        for name, one in vars(module).items()
        if inspect.isclass(one) and one.__module__ == module.__name__ and hasattr(one, "choose")
        if not name.startswith("_") and not inspect.isabstract(one)
    }
    if not found:
        raise OptionError(f"there is no class with a method choose(view, rng) in {file}")
    if len(found) > 1:
        raise OptionError(f"there are several bots in {file}; name one after a colon: {', '.join(found)}")
    return next(iter(found.values()))


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
    for number, line in enumerate(messages, 1):
        line = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
        with _naming_line(number):
            message = _message(line)
        match message:
            case Hello():
                yield Hello(protocol=VERSION, name=str(getattr(make, "__name__", "")))
            case Game(game=name):
                read = msgspec.json.Decoder(spec(name).view_type).decode
                bot, view = make(), None
            case Position(view=given):
                with _naming_line(number):
                    if read is None:
                        raise ProtocolError("a position came before a game")
                    view = read(given)
            case Go(id=asked, seed=seed):
                if bot is None or view is None:
                    raise ProtocolError(f"line {number}: a move was asked for before a game and a position came")
                yield Bestmove(id=asked, move=_move(bot.choose(view, Rng(seed))))
            case Quit():
                return


def _message(line: bytes) -> ToBot | None:
    """Return a message to a bot, None if it is of a kind that a later version may send. Raises DecodeError."""
    if msgspec.json.decode(line, type=_Kind).type not in KINDS:
        return None
    message: ToBot = msgspec.json.decode(line, type=ToBot)
    return message


@contextmanager
def _naming_line(number: int) -> Iterator[None]:
    """Say of an error in reading a message which line it is. Raises ProtocolError."""
    try:
        yield
    except (msgspec.DecodeError, UnicodeDecodeError, ProtocolError) as error:
        raise ProtocolError(f"line {number}: {error}") from None


def _move(chosen: Any) -> str:
    """Return what a bot has chosen. Raises BosquetError if it is no string."""
    if isinstance(chosen, str):
        return chosen
    if inspect.iscoroutine(chosen):
        chosen.close()
    raise BosquetError(f"choose returned a {type(chosen).__name__}; it must return a string, the notation of a move")


def serve(name: str, messages: IO[bytes], out: IO[bytes]) -> None:
    """Answer the messages of a stream until it ends. Raises OptionError if there is no such bot, and ProtocolError."""
    for answer in answers(maker(name), iter(messages.readline, b"")):
        out.write(msgspec.json.encode(answer) + b"\n")
        out.flush()


def private_output() -> IO[bytes]:
    """Return the standard output for messages alone; what the bot prints goes to standard error instead, in UTF-8."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return os.fdopen(kept, "wb")


def main() -> None:
    """Run the bot that is named on the command line."""
    try:
        serve(sys.argv[1], sys.stdin.buffer, private_output())
    except BosquetError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
