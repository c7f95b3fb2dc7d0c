"""Threads that share the games of a batch."""

from __future__ import annotations

import functools
import itertools
import os
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread

from bosquet.core.errors import BosquetError

Orders = SimpleQueue[Callable[[], None] | None]


class Team:
    """Threads that divide the games among themselves; the calling thread is one of them.

    They end when the team is closed or dropped, and are started again in a forked child, which has none of them.
    """

    def __init__(self, threads: int, n: int) -> None:
        self._shares = list(itertools.pairwise(n * i // threads for i in range(threads + 1)))
        self._closed = False
        self._start()

    def run(self, work: Callable[[int, int], None]) -> None:
        """Call `work(begin, end)` in every thread, for its share of the games. Raises BosquetError once closed."""
        self.check_open()
        if len(self._shares) == 1:
            work(*self._shares[0])
            return
        if self._process != os.getpid():
            self._dismiss.detach()
            self._start()
        for orders, share in zip(self._orders, self._shares[1:], strict=True):
            orders.put(functools.partial(work, *share))
        work(*self._shares[0])
        for error in [self._done.get() for _ in self._orders]:
            if error is not None:
                raise error

    def check_open(self) -> None:
        """Raise BosquetError if the team was closed."""
        if self._closed:
            raise BosquetError("the batch is closed; make another one")

    def close(self) -> None:
        """End the threads."""
        self._closed = True
        self._dismiss()

    def _start(self) -> None:
        self._process = os.getpid()
        self._orders: list[Orders] = [SimpleQueue() for _ in self._shares[1:]]
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        for orders in self._orders:
            Thread(target=_work, args=(orders, self._done), daemon=True).start()
        self._dismiss = weakref.finalize(self, _end, self._orders)


def _end(queues: Sequence[Orders]) -> None:
    for orders in queues:
        orders.put(None)


def _work(orders: Orders, done: SimpleQueue[BaseException | None]) -> None:
    """Carry out orders until one is None. Between orders a thread refers to nothing of the batch."""
    while (order := orders.get()) is not None:
        error = None
        try:
            order()
        except BaseException as raised:
            error = raised
        del order
        done.put(error)
        del error
