"""A bus over Redis, or Valkey: a channel for each table and one for all nodes, by publish and subscribe."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core.errors import BosquetError, quoted
from bosquet.core.system.extras import remedy
from bosquet.server.base.background import ended, failures_logged
from bosquet.server.nodes.bus import Beat, Here, Message, Revoked, Working

DRIVER = "redis"
CONNECT_SECONDS = 3.0
SILENCE = 4.0
"""Seconds without a message after which the connection is taken for lost. Each node hears its own beat every second."""
FOLLOW_SECONDS = 2.0
"""Seconds that are waited for Redis to confirm that a table is followed."""
AGAIN_SECONDS = 0.25
LONGEST_PAUSE = 4.0
"""Seconds between two tries to connect, at least and at most."""
WAITING = 10_000
"""Messages that wait to be sent; more are lost."""
ALL_NODES = "nodes"

_DECODER = msgspec.json.Decoder(Message)
_ENCODER = msgspec.json.Encoder()

log: FilteringBoundLogger = structlog.get_logger()


class RedisBus:
    """A bus over one Redis server. While that can't be reached it goes on trying, and messages are lost."""

    alone = False

    def __init__(self, url: str) -> None:
        """Take a URL as `redis://USER:PASSWORD@HOST:PORT`, `rediss://` with TLS. Raises BosquetError."""
        check_bus(url)
        self.url = url
        self._prefix = f"bosquet:{_number(url)}:"  # Redis has one set of channels for all its databases
        self._followed: set[str] = set()
        self._subscribing: Counter[str] = Counter()
        """Confirmations of Redis that are still to come, for each channel."""
        self._confirmed: dict[str, asyncio.Future[None]] = {}
        self._out: asyncio.Queue[Message | None] = asyncio.Queue(WAITING)
        self._connected = False
        self._pubsub: Any = None
        self._running: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def connected(self) -> bool:
        """Whether messages arrive, as far as is known."""
        return self._connected

    async def check(self) -> None:
        """Publish and hear nothing. Raises BosquetError where Redis does not let that happen."""
        client = connect(self.url)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await client.publish(self._prefix + ALL_NODES, b"")
                pubsub = client.pubsub()
                await pubsub.subscribe(self._prefix + ALL_NODES)
                await pubsub.get_message(timeout=CONNECT_SECONDS)
                await pubsub.aclose()
        except (_errors(), OSError, TimeoutError) as error:
            raise BosquetError(f"--bus: {_shown(self.url)} can't be used ({type(error).__name__})") from None
        finally:
            await _closed(client)

    async def open(self, hear: Callable[[Message], None], missed: Callable[[], None]) -> None:
        """Begin to call `hear` for every message, and `missed` whenever there is a new connection."""
        self._running = asyncio.create_task(self._run(hear, missed))

    async def close(self) -> None:
        """Send what is waiting, and end."""
        if self._running is not None:
            if self._connected:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        await self._out.put(None)
                        await asyncio.shield(self._running)
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running

    def publish(self, message: Message) -> None:
        """Send a message soon; it is lost where Redis can't be reached, or is too slow."""
        if self._connected:
            with contextlib.suppress(asyncio.QueueFull):
                self._out.put_nowait(message)

    async def follow(self, table: str) -> None:
        """Hear the messages of a table, from when this returns if Redis can be reached."""
        channel = self._channel(table)
        if table not in self._followed and self._connected:
            self._confirmed[channel] = asyncio.get_running_loop().create_future()
            self._send("subscribe", channel)
        self._followed.add(table)
        confirmed = self._confirmed.get(channel)
        if confirmed is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FOLLOW_SECONDS):
                    await asyncio.shield(confirmed)

    def unfollow(self, table: str) -> None:
        """Hear the messages of a table no longer."""
        self._followed.discard(table)
        self._confirmed.pop(self._channel(table), None)
        if self._connected:
            self._send("unsubscribe", self._channel(table))

    # --- the connections ---

    def _channel(self, table: str) -> str:
        return f"{self._prefix}table:{table}"

    def _channel_of(self, message: Message) -> str:
        return (
            self._prefix + ALL_NODES
            if isinstance(message, Beat | Working | Revoked | Here)
            else self._channel(message.table)
        )

    def _send(self, command: str, channel: str) -> None:
        """Send a command on the connection that is listened on; where that fails the listener notices."""
        if command == "subscribe":
            self._subscribing[channel] += 1

        async def send(pubsub: Any) -> None:
            with contextlib.suppress(_errors(), OSError, TimeoutError):
                await getattr(pubsub, command)(channel)

        task = asyncio.create_task(send(self._pubsub))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, hear: Callable[[Message], None], missed: Callable[[], None]) -> None:
        """Be connected until everything is sent that was to be sent before the end."""
        pause, lost = AGAIN_SECONDS, False
        while True:
            begin = time.monotonic()
            try:
                async with contextlib.AsyncExitStack() as stack:
                    client = connect(self.url)
                    stack.push_async_callback(_closed, client)
                    self._pubsub = client.pubsub()
                    stack.push_async_callback(_closed, self._pubsub)
                    await self._subscribe_all()
                    try:
                        if lost:
                            log.info("the bus is back")
                        missed()
                        if await self._serve(client, hear):
                            return
                    finally:
                        self._connected = False
            except Exception as error:  # whatever a message or the driver has done: the next connection may be better
                if not lost or time.monotonic() - begin > LONGEST_PAUSE:
                    log.error("the bus is lost; nodes look into the database meanwhile", error=type(error).__name__)
                lost = True
            finally:
                self._forget()
            pause = AGAIN_SECONDS if time.monotonic() - begin > LONGEST_PAUSE else min(2 * pause, LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _subscribe_all(self) -> None:
        """Subscribe to all channels that are to be heard. Raises what the driver does."""
        channels = {self._prefix + ALL_NODES, *map(self._channel, self._followed)}
        self._subscribing = Counter(channels)
        async with asyncio.timeout(CONNECT_SECONDS):
            await self._pubsub.subscribe(*channels)
        self._connected = True
        for table in self._followed:  # those that were followed meanwhile
            if self._channel(table) not in channels:
                self._send("subscribe", self._channel(table))

    def _forget(self) -> None:
        """Let nobody wait for a connection that is lost."""
        for confirmed in self._confirmed.values():
            if not confirmed.done():
                confirmed.set_result(None)
        self._confirmed.clear()
        while not self._out.empty():
            if self._out.get_nowait() is None:
                self._out.put_nowait(None)
                return

    async def _serve(self, client: Any, hear: Callable[[Message], None]) -> bool:
        """Listen and send; return whether the end was asked for. Raises what the connections do."""
        listening = asyncio.create_task(self._listen(hear))
        sending = asyncio.create_task(self._publish(client))
        try:
            done, _ = await asyncio.wait((listening, sending), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            return sending in done
        finally:
            await ended(listening, sending)

    async def _listen(self, hear: Callable[[Message], None]) -> None:
        """Call `hear` for what arrives. Raises TimeoutError where nothing does."""
        pubsub = self._pubsub
        while True:
            async with asyncio.timeout(SILENCE):
                message = await pubsub.get_message(timeout=None)
            if message is None:
                continue
            if message["type"] == "subscribe":
                self._confirm(message["channel"].decode())
            elif message["type"] == "message":
                with contextlib.suppress(msgspec.DecodeError, UnicodeError, RecursionError):  # newer, or not of ours
                    told = _DECODER.decode(message["data"])
                    with failures_logged("what another node said could not be taken over"):
                        hear(told)

    def _confirm(self, channel: str) -> None:
        """Redis has confirmed a subscription; only the last of several is one that holds."""
        self._subscribing[channel] -= 1
        if self._subscribing[channel] <= 0:
            del self._subscribing[channel]
            confirmed = self._confirmed.pop(channel, None)
            if confirmed is not None and not confirmed.done():
                confirmed.set_result(None)

    async def _publish(self, client: Any) -> None:
        """Send what is waiting, all of it at once, until the end is asked for."""
        while (first := await self._out.get()) is not None:
            batch: list[Message | None] = [first]
            while not self._out.empty():
                batch.append(self._out.get_nowait())
            async with asyncio.timeout(SILENCE):
                pipeline = client.pipeline(transaction=False)
                for message in batch:
                    if message is not None:
                        pipeline.publish(self._channel_of(message), _ENCODER.encode(message))
                await pipeline.execute()
            if None in batch:
                return


def check_bus(url: str) -> None:
    """Check the URL of a bus, and that its driver is installed. Raises BosquetError."""
    scheme, separator, rest = url.partition("://")
    if scheme not in ("redis", "rediss") or not separator:
        named = f" {quoted(scheme)}" if separator else ""  # without it all of it may be a password
        raise BosquetError(f"--bus{named}: must be redis://HOST:PORT, or rediss:// with TLS")
    if "?" in rest:
        raise BosquetError("--bus: a URL with options after a ? is not understood")
    if importlib.util.find_spec(DRIVER) is None:
        raise BosquetError(f"--bus: Redis needs a driver; {remedy('nodes')}")
    _number(url)


def _number(url: str) -> int:
    """Return the number of the database in a URL. Raises BosquetError where that is no URL."""
    from redis.connection import parse_url

    try:
        return int(parse_url(url).get("db", 0))  # type: ignore[no-untyped-call]
    except (ValueError, TypeError):
        raise BosquetError("--bus: not a URL; it must be redis://USER:PASSWORD@HOST:PORT") from None


def connect(url: str) -> Any:
    """Return a client that does not retry by itself: its user has to know what was lost."""
    from redis.asyncio import Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    return Redis.from_url(url, socket_connect_timeout=CONNECT_SECONDS, retry=Retry(NoBackoff(), 0))


def _errors() -> type[Exception]:
    """Return what the driver raises."""
    from redis.exceptions import RedisError

    error: type[Exception] = RedisError
    return error


def _shown(url: str) -> str:
    """Return a URL without its password."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


async def _closed(client: Any) -> None:
    with contextlib.suppress(Exception):
        await client.aclose()
