"""Serves the application on sockets with uvicorn until it is told to stop: signals, draining, further sockets."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import signal
import socket
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette

from bosquet.server.base.background import ended, in_background
from bosquet.server.host.watchdog import watched
from bosquet.server.http.connections.config import Config
from bosquet.server.http.local_network import BACKLOG, LocalNetwork
from bosquet.server.http.monitor import Monitor

LAST_SECONDS = 1.0
"""Seconds that clients have to read what they were sent when their connection, or the server, ends."""
MESSAGE_BYTES = 16 * 1024
"""Longer WebSocket messages end the connection before they are held in memory."""


def run(
    app: Starlette,
    listening: socket.socket,
    started: Callable[[], object],
    proxies: Collection[str] = (),
    monitored: socket.socket | None = None,
    drain: float = 0.0,
) -> None:
    """Serve an application on a socket until it is told to stop; calls `started` once it answers.

    What a client's address and scheme are is believed of `proxies` only. On the socket `monitored` it says how it is.
    After SIGTERM it goes on for `drain` seconds. Raises BosquetError where its database can't be opened.
    """
    # Views are many small objects without cycles: looking for those often costs a fifth of the time, and finds nothing.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    config = Config(
        app,
        app.state.server.limits,
        proxies,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
    monitor: Monitor = app.state.monitor
    monitor.metrics.watch("sockets", "Open connections, of all kinds", lambda: config.sockets.count)
    server = _Server(config, app.state.server.connections.drain, drain)
    network: LocalNetwork | None = app.state.server.network
    if network is not None:
        network.attach(server, listening)
    servers: list[tuple[uvicorn.Server, socket.socket]] = [(server, listening)]
    if monitored is not None:
        quiet = uvicorn.Config(
            monitor.application(), log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1
        )
        servers.append((_SecondServer(quiet), monitored))
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        # An error there would only be logged by the server.
        runner.run(app.state.server.services.store.prepare())
        runner.run(app.state.server.services.nodes.bus.check())
        runner.run(_run(servers, started))


class _Server(uvicorn.Server):
    """Goes on for a while after the first SIGTERM, if that is wanted."""

    def __init__(
        self, config: uvicorn.Config, drain: Callable[[float], Coroutine[Any, Any, None]], seconds: float
    ) -> None:
        """Take what is to be done in the seconds before the end."""
        super().__init__(config)
        self._drain = drain
        self._seconds = seconds
        self._draining: asyncio.Task[None] | None = None
        self._told = False
        self._further: dict[socket.socket, asyncio.Server] = {}

    async def add(self, listening: socket.socket) -> None:
        """Serve what comes to a further socket: as `startup` does, with the same bounds of connections."""

        def made() -> asyncio.Protocol:
            return self.config.http_protocol_class(  # type: ignore[call-arg]
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            )

        self._further[listening] = await asyncio.get_running_loop().create_server(made, sock=listening, backlog=BACKLOG)

    def remove(self, listening: socket.socket) -> None:
        """Close a further socket, and end the connections that came to it."""
        place = listening.getsockname()
        self._further.pop(listening).close()
        for connection in list(self.server_state.connections):
            transport = connection.transport
            if transport.get_extra_info("sockname") == place:
                connection.shutdown()
                asyncio.get_running_loop().call_later(LAST_SECONDS, transport.abort)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, with the further sockets, soon: answers that are under way get a moment."""
        for server in self._further.values():
            server.close()
        async with in_background(self._end_answers()):
            await super().shutdown(sockets)

    async def _end_answers(self) -> None:
        """End what is still under way after that moment."""
        await asyncio.sleep(LAST_SECONDS)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await ended(*self.server_state.tasks)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig != signal.SIGTERM or not self._seconds or self._told:
            super().handle_exit(sig, frame)
            return
        self._told = True
        asyncio.get_running_loop().call_soon_threadsafe(self._begin, functools.partial(super().handle_exit, sig, frame))

    def _begin(self, end: Callable[[], None]) -> None:
        self._draining = asyncio.create_task(self._drain(self._seconds))
        asyncio.get_running_loop().call_later(self._seconds, end)


class _SecondServer(uvicorn.Server):
    """Leaves the signals to the first server."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster loop where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _run(servers: Sequence[tuple[uvicorn.Server, socket.socket]], started: Callable[[], object]) -> None:
    """Run servers until the first one ends."""
    (first, _), *others = servers
    running = [asyncio.create_task(server.serve(sockets=[listening])) for server, listening in servers]
    while not first.started and not running[0].done():
        await asyncio.sleep(0.02)
    try:
        if first.started:
            started()
            async with watched():
                await running[0]
        else:
            await running[0]
    finally:
        for other, _ in others:
            other.should_exit = True
        await asyncio.gather(*running[1:])
