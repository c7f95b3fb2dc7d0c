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
from bosquet.env.batch.tasks import APART, ASLEEP, FOUND, LEADER, WOKEN, all_finished, give_all
from bosquet.kernels.jit import bind

Orders = SimpleQueue[Callable[[], Any] | None]
Reports = SimpleQueue[BaseException | None]


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
        """Call `work(begin, end)` in every thread, for its share of the games. Raises BosquetError once closed.

        Where an interrupt may come, it is called in `whole`.
        """
        self._get_ready()
        done: Reports = SimpleQueue()
        for orders, share in zip(self._orders, self._shares[1:], strict=True):
            orders.put(functools.partial(_report, work, share, done))
        work(*self._shares[0])
        for error in [done.get() for _ in self._orders]:
            if error is not None:
                raise error

    def act(self, kernel: Callable[..., int], task: int, arguments: Sequence[Any]) -> int:
        """Carry out a task (`env.batch.tasks`) in every thread; return the first game that one of them found, or -1.

        Called is `kernel(task, thread, boxes, *arguments, begin, end)`; threads stay in it for a while, where further
        tasks reach them quickly. They must have the same `kernel` and `arguments`. An interrupt is raised before the
        task or after it. Raises BosquetError once closed.
        """
        self._get_ready()
        if not self._orders:
            self._boxes[LEADER] = task
            return int(kernel(task, LEADER, self._boxes, *arguments, *self._shares[LEADER]))
        self._boxes[LEADER] = ASLEEP
        self.whole(functools.partial(self._carry_out, kernel, task, arguments))
        found = self._boxes[FOUND::APART].tolist()
        return min((game for game in found if game >= 0), default=-1)

    def whole(self, work: Callable[[], object]) -> None:
        """Do work to its end, whatever interrupts it; raise the interrupt, such as a KeyboardInterrupt, after that.

        Interrupted work is done again, once no thread works on it; it must come to the same then. What it raises itself
        it raises once more.
        """
        interrupt: BaseException | None = None
        while True:
            try:
                if interrupt is not None:
                    self._meet()
                work()
                break
            except BaseException as error:
                if interrupt is not None and not isinstance(error, KeyboardInterrupt):
                    raise
                interrupt = error
        if interrupt is not None:
            raise interrupt

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

    def _carry_out(self, kernel: Callable[..., int], task: int, arguments: Sequence[Any]) -> None:
        """Carry out a task in every thread that has not done so since the box of the leader was ASLEEP."""
        self._give(self._boxes, len(self), task)
        for i in self._boxes[WOKEN::APART].nonzero()[0].tolist():
            self._orders[i - 1].put(functools.partial(kernel, task, i, self._boxes, *arguments, *self._shares[i]))
        kernel(task, LEADER, self._boxes, *arguments, *self._shares[LEADER])
        while not self._all_finished(self._boxes, len(self)):
            if self._ended:  # `Thread.is_alive` would take a thread for ended where it is interrupted
                raise BosquetError("a thread of the batch has ended; make another batch")
            time.sleep(0)

    def _meet(self) -> None:
        """Wait until all threads have carried out their orders."""
        met: Reports = SimpleQueue()
        for orders in self._orders:
            orders.put(functools.partial(met.put, None))
        for _ in self._orders:
            met.get()

    def _start(self) -> None:
        self._orders: list[Orders] = [SimpleQueue() for _ in self._shares[1:]]
        self._boxes = np.zeros(APART * len(self), np.int64)
        if self._orders:
            self._give, self._all_finished = bind(give_all), bind(all_finished)
        self._ended: list[Orders] = []
        for orders in self._orders:
            Thread(target=_work, args=(orders, self._ended), daemon=True).start()
        self._dismiss = weakref.finalize(self, _end, self._orders)
        self._process = os.getpid()


def _end(queues: Sequence[Orders]) -> None:
    for orders in queues:
        orders.put(None)


def _work(orders: Orders, ended: list[Orders]) -> None:
    """Carry out orders until one is None; tell of the end. Between orders a thread has no reference to the batch."""
    try:
        while (order := orders.get()) is not None:
            order()
            del order
    finally:
        ended.append(orders)


def _report(work: Callable[[int, int], None], share: tuple[int, int], done: Reports) -> None:
    """Do a share of the work, and tell how it went."""
    error = None
    try:
        work(*share)
    except BaseException as raised:
        error = raised
    done.put(error)
