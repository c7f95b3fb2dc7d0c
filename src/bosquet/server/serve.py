"""Running the server: the data folder, the socket, the browser."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import platformdirs
import structlog
import uvicorn
from starlette.applications import Starlette

from bosquet.core.errors import BosquetError
from bosquet.server.app import PAGE, create_app
from bosquet.server.backups import finish_restore
from bosquet.server.folder import Held, hold
from bosquet.server.key import KEY_FILE, read_key
from bosquet.server.limits import Limits
from bosquet.server.names import names_of
from bosquet.server.sqlite_file import DATABASE

PORT = 8642
DESCRIPTORS = 8192
"""Files and connections that the process may have open, if the system lets it: twice as many as connections at tables,
since usual systems start a process with fewer than those."""
OWN_DESCRIPTORS = 128
"""What the server needs for itself: its database, its workers, requests under way."""
MESSAGE_BYTES = 16 * 1024
"""Longer WebSocket messages end the connection before they are held in memory."""


def data_folder() -> Path:
    """Where tables are kept if nobody says otherwise."""
    return Path(platformdirs.user_data_dir("bosquet", appauthor=False))


def serve(host: str, port: int, data: Path, browser: bool, named: Collection[str] = ()) -> None:
    """Serve until Ctrl-C. Port 0 takes any free one; `named` is what the server is called, where that is known.

    Raises BosquetError; where another server holds the folder already, its page is opened before.
    """
    if not (PAGE / "index.html").exists():
        raise BosquetError(f"{PAGE}: the page has not been built; `uv sync --reinstall-package bosquet` builds it")
    os.umask(0o077)  # what is kept holds the secrets of games that run
    try:
        with hold(data) as leave_word:
            finish_restore(data)
            listening = _listen(host, port)
            address = f"http://{_shown(host)}:{listening.getsockname()[1]}/"
            leave_word(address)
            log_plainly()
            limits = Limits(connections=min(Limits.connections, _descriptors() - OWN_DESCRIPTORS))
            database = f"sqlite+aiosqlite:///{data / DATABASE}"
            app = create_app(database, read_key(data / KEY_FILE), limits=limits, names=names_of(host, named))

            def started() -> None:
                sys.stderr.write(f"bosquet plays at {address} · tables are kept in {data} · Ctrl-C ends\n")
                sys.stderr.flush()
                if browser:
                    _open(address)

            run(app, listening, started)
    except Held as held:
        if browser and held.address:
            _open(held.address)
        raise


def _open(address: str) -> None:
    """Open the page in a browser, if there is one."""
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)


def _descriptors() -> int:
    """How many descriptors this process may have, after it has asked for enough."""
    if sys.platform == "win32":
        return DESCRIPTORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unbounded = resource.RLIM_INFINITY
    if soft == unbounded or soft >= DESCRIPTORS:
        return DESCRIPTORS
    enough = DESCRIPTORS if hard == unbounded else min(DESCRIPTORS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
    return enough


def run(app: Starlette, listening: socket.socket, started: Callable[[], object]) -> None:
    """Serve an application on a socket until it is told to stop; calls `started` once it answers.

    Raises BosquetError where its database can't be opened.
    """
    # Views are many small objects without cycles: looking for those often costs a fifth of the time, and finds nothing.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(app.state.registry.store.prepare())  # an error there would only be logged by the server
        runner.run(_run(uvicorn.Server(config), listening, started))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster loop where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _run(server: uvicorn.Server, listening: socket.socket, started: Callable[[], object]) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.02)
    if server.started:
        started()
    await serving


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; the next free port if the usual one is taken."""
    last: OSError | None = None
    for candidate in _candidates(port):
        try:
            return socket.create_server((host, candidate), family=_family(host), backlog=512)
        except OSError as error:
            last = error
    assert last is not None
    raise BosquetError(f"{host}:{port}: can't listen there: {last.strerror or last}; name another --host or --port")


def _candidates(port: int) -> Iterator[int]:
    yield port
    if port == PORT:
        yield from range(PORT + 1, PORT + 10)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else {"0.0.0.0": "localhost"}.get(host, host)


def log_plainly() -> None:
    """Events on standard error, one a line; nothing of them is secret."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            # Plain tracebacks: the others show the values of variables, secrets and hands among them.
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
