"""Processes that leave Ctrl-C to the one that starts them, from their first moment on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import context


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C in this thread, and in processes started here; it comes when this ends. Windows can't do that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Process(context.SpawnProcess):
    """A process that is spawned: Ctrl-C would show an error while it imports what it works with.

    The interrupt comes once the process is among `active_children()`, so that it can be ended.
    """

    def start(self) -> None:
        """Start the process."""
        with _without_interrupts():
            super().start()


class _Context(context.SpawnContext):
    Process = _Process


SPAWN = _Context()
"""The context of `multiprocessing` for processes of this package."""
