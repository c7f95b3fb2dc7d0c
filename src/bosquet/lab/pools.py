"""Executors for pieces of work: this process, a process pool, or a Ray cluster. All give the same results."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bosquet.bots.outside import close_idle
from bosquet.bots.program import kill_all
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.system.extras import remedy
from bosquet.core.system.processes import SPAWN

P = TypeVar("P")
T = TypeVar("T")

LOCAL = "local"
"""Address that starts a Ray cluster on this computer for the duration of the run."""
AHEAD = 3
"""Pieces of work per worker that are submitted ahead of the next result, so that no worker waits."""

KNOCK_SECONDS = 5.0
UNPROTECTED = (
    'worker processes import the script that starts them: put what it does under `if __name__ == "__main__":`, '
    "or use one worker"
)


class Pool(NamedTuple):
    """An executor, and the number of pieces of work to submit ahead of the next result."""

    executor: Executor
    ahead: int


def in_this_process() -> Pool:
    """Return a pool that does the work in this process."""
    return Pool(_Here(), 1)


@contextmanager
def pool(workers: int | None = None, ray: str | None = None) -> Iterator[Pool]:
    """Open a pool: `workers` processes, by default one per core, or a Ray cluster. One worker runs in this process.

    Raises OptionError if Ray is not installed or no cluster answers at this address. Ends a worker process that opens a
    pool because it imports a script that does so without being asked.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):  # what multiprocessing itself looks at
        raise SystemExit(f"bosquet: {UNPROTECTED}")
    workers = workers or os.cpu_count() or 1
    if ray is not None:
        with _Ray(ray, workers) as cluster:
            yield Pool(cluster, AHEAD * max(workers, cluster.cores))
    elif workers == 1:
        yield in_this_process()
    else:
        processes = ProcessPoolExecutor(workers, SPAWN, initializer=_begin_worker)
        others, abandoned = multiprocessing.active_children(), []
        try:
            yield Pool(processes, AHEAD * workers)
        except KeyboardInterrupt:
            abandoned = [process for process in multiprocessing.active_children() if process not in others]
            for process in abandoned:
                process.terminate()
            raise
        finally:
            with suppress(RuntimeError):  # an interrupt may come before its thread runs
                processes.shutdown(wait=True, cancel_futures=True)  # not waiting races with the end of the process
            for process in abandoned:
                process.join()  # the pool does not know one whose start was interrupted


def in_order(
    given: Pool, work: Callable[[P], T], pieces: Iterable[P], stopping: Callable[[], bool] = lambda: False
) -> Iterator[T]:
    """Do pieces of work and yield the results in order.

    Once `stopping()` returns True, no more work is started and the results of running work are still yielded. Raises
    BosquetError if a worker dies.
    """
    todo = iter(pieces)
    waiting: deque[Future[T]] = deque()
    try:
        while not stopping():
            while len(waiting) < given.ahead and (piece := next(todo, None)) is not None:
                waiting.append(given.executor.submit(work, piece))
            if not waiting:
                return
            yield waiting.popleft().result()
        given.executor.shutdown(wait=True, cancel_futures=True)
        while waiting and _has_result(waiting[0]):
            yield waiting.popleft().result()
    except BrokenProcessPool:
        why = UNPROTECTED if _is_unprotected() else "perhaps there was not enough memory: try fewer --workers"
        raise BosquetError(f"a worker process has died; {why}") from None


def _is_unprotected() -> bool:
    """Return whether the program that runs is a script that works without asking for `__name__`."""
    script = getattr(sys.modules["__main__"], "__file__", None)
    try:
        return script is not None and b"__name__" not in Path(script).read_bytes()
    except OSError:
        return False


def _has_result(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _begin_worker() -> None:
    """Ignore Ctrl-C, which the parent handles, exit if the parent is killed, and end bots from outside at the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    Finalize(None, close_idle, exitpriority=1)  # a worker process does not come to its `atexit`


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    _leave()


def _leave(*_: object) -> None:
    """End this worker at once, and the bots from outside that think."""
    kill_all()
    os._exit(1)


class _Here(Executor):
    """An executor that runs work immediately, in this process."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the work; return a finished future."""
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _do(work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    return work(*args, **kwargs)


def _knock(address: str) -> None:
    """Check that a server answers at `HOST:PORT`; Ray itself would retry for minutes. Raises OSError."""
    host, _, port = address.rpartition(":")
    if port.isdigit() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=KNOCK_SECONDS).close()


class _Ray(Executor):
    """An executor that runs tasks on a Ray cluster, whose nodes must have the same version of bosquet."""

    def __init__(self, address: str, workers: int) -> None:
        try:
            self._ray: Any = importlib.import_module("ray")
        except ImportError:
            raise OptionError(f"--ray needs Ray, which is not installed; {remedy('cluster')}") from None
        where: dict[str, Any] = {"address": address}
        if address == LOCAL:
            where |= {"num_cpus": workers, "include_dashboard": False}
        try:
            _knock(address)
            self._ray.init(**where, log_to_driver=False, logging_level="ERROR")
        except (OSError, RuntimeError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise OptionError(f"there is no Ray cluster at {quoted(address)}: {reason}") from None
        self.cores = int(self._ray.cluster_resources().get("CPU", 1))
        self._task = self._ray.remote(_do)

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a task to the cluster."""
        future: Future[Any] = self._task.remote(work, *args, **kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster, which cancels unfinished tasks; stop it if it was started here."""
        self._ray.shutdown()
