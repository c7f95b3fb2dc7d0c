"""Measure work in separate processes, each pinned to its cores, so that measurements do not affect each other."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, NamedTuple

from bosquet.core.errors import BosquetError
from bosquet.core.system.processes import SPAWN

Piece = Callable[[], int]
"""A function that does a small piece of work and returns its number of steps."""

WARM_UP_SECONDS = 0.1


class Slice(NamedTuple):
    """Steps and time of a short measurement."""

    steps_per_s: float
    busy: float
    """Share of its cores' time that the work used."""


class Team:
    """Processes that do the same work, each on its own cores. They are idle when they are not measured."""

    def __init__(self, what: str, make: Callable[..., Piece], arguments: Sequence[Any], cores: list[list[int]]) -> None:
        """Start a process for each list of cores. It calls `make(*arguments)` to get its work and warms up.

        Raises BosquetError if that fails.
        """
        self._what, self._cores = what, sum(map(len, cores))
        self._members: list[tuple[Any, Connection]] = []
        context = SPAWN
        try:
            for held in cores:
                ours, theirs = context.Pipe()
                member = context.Process(target=_serve, args=(theirs, make, arguments, held), daemon=True)
                member.start()
                self._members.append((member, ours))
                theirs.close()
            self._heard()
        except BaseException:
            self.close()
            raise

    def measure(self, seconds: float) -> Slice:
        """Let all processes work for about `seconds`. Raises BosquetError if one of them fails."""
        for _, connection in self._members:
            connection.send(seconds)
        results = self._heard()
        steps_per_s = sum(steps / passed for steps, passed, _ in results)
        busy = sum(worked / passed for _, passed, worked in results)
        return Slice(steps_per_s, busy / self._cores)

    def close(self) -> None:
        """Stop the processes."""
        for member, connection in self._members:
            member.terminate()
            member.join()
            connection.close()

    def __enter__(self) -> Team:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _heard(self) -> list[Any]:
        """Return the next message of each process. Raises BosquetError if one has died."""
        said = []
        for _, connection in self._members:
            try:
                said.append(connection.recv())
            except (EOFError, ConnectionError):
                raise BosquetError(f"{self._what}: its process has died; perhaps there was not enough memory") from None
        for word in said:
            if isinstance(word, str):
                raise BosquetError(f"{self._what}: {word}")
        return said


def _serve(connection: Connection, make: Callable[..., Piece], arguments: Sequence[Any], cores: list[int]) -> None:
    """Run in the child process: work for each number of seconds received, until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and stops this process
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # libraries print to stdout, where our rows go
    os.dup2(nowhere, 2)
    if hasattr(os, "sched_setaffinity"):  # not on macOS and Windows
        os.sched_setaffinity(0, cores)
    try:
        piece = make(*arguments)
        _work(piece, WARM_UP_SECONDS)
        connection.send(None)
        while True:
            connection.send(_work(piece, connection.recv()))
    except (EOFError, ConnectionError):
        return
    except Exception as error:
        connection.send(f"{type(error).__name__}: {error}")


def _work(piece: Piece, seconds: float) -> tuple[int, float, float]:
    """Return steps, elapsed seconds and seconds of CPU time."""
    steps, begin, worked = 0, time.perf_counter(), time.process_time()
    while True:
        steps += piece()
        passed = time.perf_counter() - begin
        if passed >= seconds:
            return steps, passed, time.process_time() - worked


def usable_cores() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
