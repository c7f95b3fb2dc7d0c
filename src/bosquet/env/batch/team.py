"""Threads that share the games of a batch."""

from __future__ import annotations

import functools
import itertools
import os
import time
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

from bosquet.core.errors import BosquetError
from bosquet.env.batch.tasks import APART, FOUND, all_finished, give
from bosquet.kernels.jit import bind

Orders = SimpleQueue[Callable[[], Any] | None]


class Team:
    """Threads that divide the games among themselves; the calling thread is one of them, the leader.

    They end when the team is closed or dropped, and are started again in a forked child, which has none of them.
    """

    def __init__(self, threads: int, n: int) -> None:
        self._shares = list(itertools.pairwise(n * i // threads for i in range(threads + 1)))
        self._closed = False
        self._start()

    def __len__(self) -> int:
        return len(self._shares)

    def run(self, work: Callable[[int, int], None]) -> None:
        """Call `work(begin, end)` in every thread, for its share of the games. Raises BosquetError once closed."""
        self._get_ready()
        for orders, share in zip(self._orders, self._shares[1:], strict=True):
            orders.put(functools.partial(_report, work, share, self._done))
        work(*self._shares[0])
        for error in [self._done.get() for _ in self._orders]:
            if error is not None:
                raise error

    def act(self, kernel: Callable[..., int], task: int, arguments: Sequence[Any]) -> int:
        """Carry out a task (`env.batch.tasks`) in every thread; return the first game that one of them found, or -1.

        Called is `kernel(task, thread, boxes, *arguments, begin, end)`; threads stay in it for a while, where further
        tasks reach them quickly. They must have the same `kernel` and `arguments`. Raises BosquetError once closed.
        """
        self._get_ready()
        try:
            for i, orders in enumerate(self._orders, 1):
                if self._give(self._boxes, i, task):
                    orders.put(functools.partial(kernel, task, i, self._boxes, *arguments, *self._shares[i]))
            found = [int(kernel(task, 0, self._boxes, *arguments, *self._shares[0]))]
        finally:
            self._wait()
        found += self._boxes[APART + FOUND :: APART].tolist()
        return min((game for game in found if game >= 0), default=-1)

    def check_open(self) -> None:
        """Raise BosquetError if the team was closed."""
        if self._closed:
            raise BosquetError("the batch is closed; make another one")

    def close(self) -> None:
        """End the threads."""
        self._closed = True
        self._dismiss()

    def _get_ready(self) -> None:
        self.check_open()
        if self._orders and self._process != os.getpid():
            self._dismiss.detach()
            self._start()

    def _wait(self) -> None:
        """Wait until all threads have finished their tasks."""
        while self._orders and not self._all_finished(self._boxes, len(self)):
            if not all(thread.is_alive() for thread in self._threads):
                raise BosquetError("a thread of the batch has ended; make another batch")
            time.sleep(0)

    def _start(self) -> None:
        self._process = os.getpid()
        self._orders: list[Orders] = [SimpleQueue() for _ in self._shares[1:]]
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        self._boxes = np.zeros(APART * len(self), np.int64)
        if self._orders:
            self._give, self._all_finished = bind(give), bind(all_finished)
        self._threads = [Thread(target=_work, args=(orders,), daemon=True) for orders in self._orders]
        for thread in self._threads:
            thread.start()
        self._dismiss = weakref.finalize(self, _end, self._orders)


def _end(queues: Sequence[Orders]) -> None:
    for orders in queues:
        orders.put(None)


def _work(orders: Orders) -> None:
    """Carry out orders until one is None. Between orders a thread holds no reference to the batch."""
    while (order := orders.get()) is not None:
        order()
        del order


def _report(work: Callable[[int, int], None], share: tuple[int, int], done: SimpleQueue[BaseException | None]) -> None:
    """Do a share of the work, and tell how it went."""
    error = None
    try:
        work(*share)
    except BaseException as raised:
        error = raised
    done.put(error)
