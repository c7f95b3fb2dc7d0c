"""Processes that leave Ctrl-C to the one that starts them, from their first moment on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import context


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Put Ctrl-C off until this ends, and block it in processes started here. Windows can't block it there.

    The system may give the signal to any thread of this process, so blocking it in this thread would not put it off.
    """
    came = []
    handler = signal.getsignal(signal.SIGINT)
    puts_off = callable(handler) and threading.current_thread() is threading.main_thread()
    if puts_off:
        signal.signal(signal.SIGINT, lambda *_: came.append(True))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if puts_off:
            signal.signal(signal.SIGINT, handler)
            if came:
                signal.raise_signal(signal.SIGINT)


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
