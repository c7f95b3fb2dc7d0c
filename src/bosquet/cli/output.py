"""What commands print: text and progress for people, JSON for programs, complaints on standard error."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import typer
from rich.console import Console

from bosquet.cli import streams
from bosquet.core.errors import INTERRUPTED as INTERRUPTED
from bosquet.core.errors import BosquetError, did_you_mean
from bosquet.core.system.files import growing_file

UsageError: Any = typer.BadParameter.__mro__[1]
"""The class of all errors in how a command is called, for which typer has no public name."""

out: Console = Console(highlight=False)
err: Console = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    import msgspec

    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # the name of a file that is no text
        text = json.dumps(msgspec.to_builtins(value))
    sys.stdout.write(streams.as_json(text) + "\n")


def complain(message: str) -> None:
    """Write one line to standard error."""
    sys.stderr.write(message + "\n")


def explained(error: Any) -> str:
    """Return what is wrong with how a command was called, in one line like all errors."""
    said = " ".join(error.format_message().split()).rstrip(".").replace(". Did", "; did")
    said = said.replace("valid int range", "whole number").replace("valid float range", "number")
    if given := re.search(r"'([^']*)' is not one of (.+)", said):
        said += did_you_mean(given[1], re.findall(r"'(.+?)'", given[2]))
    command = error.ctx.command_path if error.ctx else "bosquet"
    return f"{said[:1].lower()}{said[1:]}{'' if said.endswith('?') else ';'} see {command} --help"


def fail(message: str) -> NoReturn:
    """Say what is wrong and stop."""
    raise BosquetError(message)


def report_forfeits(place: str, seated: Sequence[str], forfeits: Iterable[Any]) -> None:
    """Say which bots lost a game because they failed, and why."""
    for forfeit in forfeits:
        bot = seated[forfeit.seat]
        text = f"{place}, ply {forfeit.ply}: {bot} in seat {forfeit.seat} loses the game: it {forfeit.reason}"
        err.print(text, markup=False)


def print_forfeits(seated: Sequence[str], forfeits: Sequence[int]) -> None:
    """Print how many games each bot lost because it failed, if any; `forfeits` has those of each seat."""
    for bot in dict.fromkeys(seated):
        games = sum(lost for name, lost in zip(seated, forfeits, strict=False) if name == bot)
        if games:
            out.print(f"{bot} forfeited {games} games; standard error says why", markup=False)


@contextmanager
def writing(path: Path | None, *, force: bool) -> Iterator[Callable[[bytes], object]]:
    """Open a file to write lines to, or nothing; yield the function that writes one."""
    if path is None:
        yield lambda line: None
        return
    with growing_file(path, force=force) as file:
        yield file.write


@contextmanager
def stopping_once(what: str, begun: Callable[[], object]) -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C ask to stop, once: what is under way is finished. Ctrl-C again stops at once.

    So does the first one if nothing is `begun` that would be lost.
    """
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, before)
        if not begun() and callable(before):
            before(number, frame)
        os.write(sys.stderr.fileno(), f"\nstopping after the {what} under way; Ctrl-C again stops at once\n".encode())

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on standard error, if that is a terminal; yield the function that counts one on."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


@contextmanager
def phases() -> Iterator[Callable[[str, int, int], None]]:
    """Show a progress bar of one phase after another on standard error, if that is a terminal.

    Yield the function that tells how far it is: name of the phase, what is done of it, and its total.
    """
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("", total=None)
        phase = ""

        def tell(name: str, done: int, total: int) -> None:
            nonlocal phase
            if name != phase:
                bar.reset(task, description=name, total=total)
                phase = name
            bar.update(task, completed=done)

        yield tell


def duration(seconds: float) -> str:
    """Return a duration as text: in seconds if it is under two minutes."""
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def interval(estimate: Any, form: str = ".1f") -> str:
    """Return a number and its interval as text; an infinite end has no number."""
    value, low, high = (number(end, form) for end in estimate)
    return f"{value} [{low}, {high}]"


def number(value: float, form: str) -> str:
    """Return a number as text, also one that is infinite or unknown."""
    return f"{value:{form}}" if math.isfinite(value) else "∞" if value > 0 else "-∞" if value < 0 else "–"
