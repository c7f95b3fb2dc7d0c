"""A queue of jobs of bots over Redis, from which `bosquet worker` takes.

A job is a function of `FUNCTIONS` and its arguments as JSON; what comes back is JSON, too. What a bot may see of a
game is among the arguments, so the bus must be in a trusted network, or use TLS: it carries hands.

The queue is streaq's: among maintained ones it gives the job of a killed worker to another one within seconds, and
pushes results instead of polling for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib.util
import secrets
import signal
import sys
import time
import typing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Literal, TypeVar, TypeVarTuple

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core.errors import BosquetError
from bosquet.core.installed import spec
from bosquet.core.system.extras import remedy
from bosquet.core.view import View
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute.choosing import NotReady, choose, get_ready, load_beside
from bosquet.server.compute.compile_ahead import compiling_ahead
from bosquet.server.compute.daily_play import play_deal
from bosquet.server.compute.workers import DAYS_NICE, Workers
from bosquet.server.nodes.bus import Bus, Working
from bosquet.server.nodes.nodes import BEAT_SECONDS, Nodes
from bosquet.server.nodes.redis_bus import RedisBus

T = TypeVar("T")
Given = TypeVarTuple("Given")
Kind = Literal["bots", "days"]

LIBRARY = "streaq"
FUNCTIONS: dict[Kind, Sequence[Callable[..., Any]]] = {
    "bots": (choose, get_ready),
    "days": (play_deal,),
}
DEAD_SECONDS = 3.0
"""Seconds without a sign of life after which the job of a worker is given to another one."""
LOOK_SECONDS = 3
"""Seconds after which it is looked whether a job is still in the queue: an empty Redis has forgotten it."""
KEPT_SECONDS = 60
"""Seconds for which a job waits, and for which a result is kept."""
PATIENCE = 5.0
"""Seconds without any worker after which it is said that nobody thinks."""
AGAIN_SECONDS = 0.5

COMPLAINT_SECONDS = 60.0

_complained: dict[Kind, float] = {}
"""When it was last logged that a queue can't be used."""

log: FilteringBoundLogger = structlog.get_logger()


class Job(msgspec.Struct):
    """What a worker is to do."""

    function: str
    arguments: msgspec.Raw


class Done(msgspec.Struct, omit_defaults=True):
    """What has become of it."""

    result: msgspec.Raw = msgspec.Raw()
    error: Literal["not ready", "refused", "broken", "failed"] | None = None
    message: str = ""


class RemoteWorkers:
    """Workers of one kind, on whatever machines they are; used as `Workers` are."""

    def __init__(self, url: str, kind: Kind, nodes: Nodes) -> None:
        """Take the URL of the bus, and the nodes that share the workers. Raises BosquetError."""
        check_queue()
        self._url = url
        self._kind = kind
        self._nodes = nodes
        self._queue: asyncio.Future[Any]
        self._holding: asyncio.Task[None] | None = None
        self._heard = 0.0
        """When a worker was known to be there."""

    @property
    def processes(self) -> int:
        """How many jobs this node lets wait in the queue at a time: its share, and one so that nobody is idle."""
        return max(2, 1 + self._nodes.slots(self._kind) // (1 + len(self._nodes.others)))

    def open(self) -> None:
        """Begin to connect."""
        self._heard = time.monotonic()
        self._queue = asyncio.get_running_loop().create_future()
        self._holding = asyncio.create_task(self._hold())

    def close(self) -> None:
        """Connect no more."""
        if self._holding is not None:
            self._holding.cancel()

    async def _hold(self) -> None:
        """Keep the connections until cancelled."""
        while True:
            queue, job = _queue(self._url, self._kind)
            with _lost(self._kind):
                async with queue:
                    self._queue.set_result((queue, job))
                    await asyncio.Event().wait()
            if self._queue.done():
                self._queue = asyncio.get_running_loop().create_future()
            await asyncio.sleep(AGAIN_SECONDS)

    async def run(self, function: Callable[[*Given], T], *args: *Given) -> T:
        """Return what a function of `FUNCTIONS` gives, worked out elsewhere.

        Raises what it raises of BosquetError, BrokenProcessPool, and Refusal where nobody is there to work it out.
        """
        job = msgspec.json.encode(Job(function.__name__, msgspec.Raw(msgspec.json.encode(args)))).decode()
        since = time.monotonic()
        while True:
            with _lost(self._kind):
                done = await self._done(job)
                since = time.monotonic()  # the queue can be reached
                if done is not None:
                    result: T = result_of(function, done)
                    return result
            self._check_workers()
            if time.monotonic() - since > LOOK_SECONDS + PATIENCE:
                raise _away()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _done(self, job: str) -> Done | None:
        """Put a job into the queue and wait; None where it is lost."""
        self._check_workers()
        async with asyncio.timeout(PATIENCE):
            _, enqueue = await asyncio.shield(self._queue)
        task = await enqueue(job)
        while True:
            with contextlib.suppress(TimeoutError):
                outcome = await task.result(LOOK_SECONDS)
                return msgspec.json.decode(outcome.result, type=Done) if outcome.success else None
            self._check_workers()
            if (await task.status()).name == "NOT_FOUND":
                return None

    def _check_workers(self) -> None:
        """Check that somebody is there to work. Raises Refusal."""
        now = time.monotonic()
        if self._nodes.slots(self._kind):
            self._heard = now
        elif now - self._heard > PATIENCE:
            raise _away()


async def work(url: str, kind: Kind, pool: Workers, slots: dict[str, int], stopped: asyncio.Event) -> None:
    """Take jobs of a kind from the queue, and have a pool do them, until it is stopped: jobs are then given back.

    `slots` says meanwhile how many are done at a time.
    """
    from anyio import create_task_group

    while not stopped.is_set():
        queue, _ = _queue(url, kind, pool)
        with _lost(kind, stopped):
            async with create_task_group() as group:
                await group.start(_taking, queue)
                slots[kind] = pool.processes
                await stopped.wait()
                group.cancel_scope.cancel()
        slots[kind] = 0
        await asyncio.sleep(AGAIN_SECONDS)


def _away() -> Refusal:
    return Refusal("bots away", "nobody thinks for the bots just now; they go on as soon as somebody does")


def serve_jobs(url: str, kinds: Sequence[Kind], processes: int | None) -> None:
    """Do jobs of some kinds until Ctrl-C or SIGTERM. Raises BosquetError."""
    check_queue()
    bus = RedisBus(url)
    pools = {"bots": Workers(processes, begin=load_beside), "days": Workers(1, nice=DAYS_NICE)}
    chosen = {kind: pools[kind] for kind in kinds}

    async def run() -> None:
        await bus.check()
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        for pool in chosen.values():
            pool.open()
        await bus.open(lambda message: None, lambda: None)
        slots: dict[str, int] = {}
        tasks = [asyncio.create_task(work(url, kind, pool, slots, stopped)) for kind, pool in chosen.items()]
        saying = asyncio.create_task(_say(bus, secrets.token_hex(6), slots))
        sys.stderr.write(
            f"bosquet works: {', '.join(f'{kind} {pool.processes}' for kind, pool in chosen.items())} · Ctrl-C ends\n"
        )
        sys.stderr.flush()
        async with compiling_ahead():
            await asyncio.gather(*tasks)
        saying.cancel()
        await bus.close()

    try:
        asyncio.run(run())
    finally:
        for pool in chosen.values():
            pool.close()


async def _say(bus: Bus, worker: str, slots: dict[str, int]) -> None:
    """Say again and again that this worker is there."""
    while True:
        bus.publish(Working(worker, slots.copy()))
        await asyncio.sleep(BEAT_SECONDS)


async def _taking(queue: Any, *, task_status: Any) -> None:
    """Take jobs, once the queue can be used."""
    await queue.run_async(task_status=task_status)


def check_queue() -> None:
    """Check that the library is installed. Raises BosquetError."""
    if importlib.util.find_spec(LIBRARY) is None:
        raise BosquetError(f"workers need a library; {remedy('nodes')}")


def _queue(url: str, kind: Kind, pool: Workers | None = None) -> tuple[Any, Any]:
    """Return the queue of a kind of jobs, and what puts one into it; with a pool, jobs can be taken from it."""
    from streaq import Worker

    class Queue(Worker[None]):
        async def signal_handler(self, scope: Any) -> None:
            """Leave the signals to `serve_jobs`, which ends several queues."""

    queue: Any = Queue(
        redis_url=url,
        queue_name=f"bosquet-{kind}",
        concurrency=1 if pool is None else pool.processes,
        prefetch=0,
        serializer=_encoded,
        deserializer=msgspec.json.decode,
        idle_timeout=DEAD_SECONDS,
    )

    async def job(job: str) -> str:
        assert pool is not None
        return msgspec.json.encode(await done(kind, job, pool)).decode()

    enqueue = queue.task(name="job", expire=KEPT_SECONDS, ttl=KEPT_SECONDS, silent=True)(job)
    return queue, enqueue.enqueue


def _encoded(value: Any) -> str:
    """JSON; of an error of the library its name."""
    return msgspec.json.encode(value, enc_hook=lambda other: type(other).__name__).decode()


async def done(kind: Kind, text: str, pool: Workers) -> Done:
    """Do a job in a process of a pool. Raises nothing."""
    try:
        job = msgspec.json.decode(text, type=Job)
        function = next(one for one in FUNCTIONS[kind] if one.__name__ == job.function)
        result = await pool.run(function, *arguments_of(function, job.arguments))
        return Done(result=msgspec.Raw(msgspec.json.encode(result)))
    except BosquetError as error:
        return Done(error="refused", message=str(error))
    except NotReady:
        return Done(error="not ready")
    except BrokenProcessPool:
        return Done(error="broken")
    except Exception as error:
        log.error("a job failed", kind=kind, error=type(error).__name__)  # what it says may be somebody's hand
        return Done(error="failed")


def arguments_of(function: Callable[..., Any], raw: msgspec.Raw) -> list[Any]:
    """Return the arguments of a function from JSON. Raises msgspec.DecodeError."""
    parts = msgspec.json.decode(raw, type=list[msgspec.Raw])
    hints = _hints(function)
    types = [hint for name, hint in hints.items() if name != "return"]
    return [
        _view(part) if hint is View else msgspec.json.decode(part, type=hint)
        for part, hint in zip(parts, types, strict=True)
    ]


def result_of(function: Callable[..., Any], done: Done) -> Any:
    """Return the result of a function from JSON. Raises what the function has raised."""
    match done.error:
        case None:
            return msgspec.json.decode(done.result, type=_hints(function)["return"])
        case "refused":
            raise BosquetError(done.message)
        case "not ready":
            raise NotReady
    raise BrokenProcessPool  # the log of the worker has more


@functools.cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    return typing.get_type_hints(function)


class _OfGame(msgspec.Struct):
    game: str


def _view(raw: msgspec.Raw) -> View:
    """Return a view of whatever game it is."""
    game = spec(msgspec.json.decode(raw, type=_OfGame).game)
    view: View = msgspec.json.decode(raw, type=_hints(game.view.view)["return"])
    return view


@contextlib.contextmanager
def _lost(kind: Kind, stopped: asyncio.Event | None = None) -> Iterator[None]:
    """Log where the queue can't be used: somebody tries again, unless stopped, which closes connections in use."""
    from anyio import BrokenResourceError, ClosedResourceError
    from coredis.exceptions import RedisError

    try:
        yield
    except* (RedisError, OSError, TimeoutError, BrokenResourceError, ClosedResourceError) as lost:
        if stopped is None or not stopped.is_set():
            _complain(kind, lost)


def _complain(kind: Kind, lost: BaseExceptionGroup[BaseException]) -> None:
    """Log why a queue is lost, once a minute as long as that is so."""
    error: BaseException = lost
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    moment = time.monotonic()
    if moment - _complained.get(kind, -COMPLAINT_SECONDS) >= COMPLAINT_SECONDS:
        _complained[kind] = moment
        log.error("the queue can't be used; trying again", kind=kind, error=type(error).__name__)
