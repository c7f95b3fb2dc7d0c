"""A server that plays nothing, to measure what a move costs without our code (`benchmarks.tables --bare`).

It speaks as much of our API as the players of `benchmarks.tables` need, over the same libraries and with the same
bounds of connections. For each move it writes a row and flushes it to disk (all that wait in one commit), then it sends
both seats the next positions of one game of Topas, which was played before. It has no rules, rights or views.
"""

from __future__ import annotations

import asyncio
import queue
import random
import secrets
import socket
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

import bosquet
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.websockets import SEND_NOW
from bosquet.server.http.connections.config import Config
from bosquet.server.http.limits import Limits
from bosquet.server.table import messages
from bosquet.server.table.actions import ASKS
from bosquet.server.table.actions.move import Play

Send = Callable[[bytes], bool]


def positions(seed: int = 1) -> list[tuple[bytes, bytes]]:
    """Return the positions of a random game of Topas with two, for each seat as the server sends them."""
    game, chance = bosquet.new("topas", players=2, seed=seed), random.Random(seed)
    found = []
    while True:
        found.append((position(game, 0), position(game, 1)))
        if game.over:
            return found
        game.play(chance.choice(game.legal()))


def position(game: Any, seat: int) -> bytes:
    """Return the message that tells a seat the position."""
    known = game.position_text(seat)
    return ENCODER.encode(messages.Known(len(game.moves), seat, [], known, undo=False))


class Journal:
    """Writes a row for each move, in a separate thread. All waiting moves share a commit."""

    def __init__(self, file: Path) -> None:
        self._waiting: queue.SimpleQueue[tuple[tuple[str, int, str], asyncio.Future[None]]] = queue.SimpleQueue()
        self._file = file
        threading.Thread(target=self._run, args=(asyncio.get_running_loop(),), daemon=True).start()

    async def write(self, table: str, number: int, move: str) -> None:
        """Write a move; it is on disk when this returns."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.put(((table, number, move), done))
        await done

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        connection = sqlite3.connect(self._file, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE moves (at TEXT, number INTEGER, move TEXT, PRIMARY KEY (at, number))")
        while True:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            connection.execute("BEGIN")
            connection.executemany("INSERT INTO moves VALUES (?, ?, ?)", [row for row, _ in batch])
            connection.execute("COMMIT")
            loop.call_soon_threadsafe(_tell, [done for _, done in batch])


def _tell(written: list[asyncio.Future[None]]) -> None:
    for done in written:
        if not done.done():
            done.set_result(None)


class Bare:
    """The tables: who is connected, and the number of moves at each."""

    def __init__(self, file: Path) -> None:
        self._positions = positions()
        self._file = file
        self._journal: Journal | None = None
        self._seats: dict[str, list[Send]] = {}
        self._numbers: dict[str, int] = {}

    async def lobby(self, request: Request) -> Response:
        """Answer with a cookie."""
        return JSONResponse({}, headers={"set-cookie": f"guest={secrets.token_hex(8)}; Path=/"})

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        return JSONResponse({"table": secrets.token_hex(8)})

    async def join(self, request: Request) -> Response:
        """Answer that somebody sits down."""
        return JSONResponse({})

    async def live(self, page: WebSocket) -> None:
        """Play: the positions follow each other, whichever move is made."""
        await page.accept()
        self._journal = self._journal or Journal(self._file)
        table = page.path_params["table"]
        seats = self._seats.setdefault(table, [])
        seats.append(page.scope["state"][SEND_NOW])
        if len(seats) == 2:
            self._numbers[table] = 0
            self._tell(table)
        try:
            while True:
                asked = ASKS.decode(await page.receive_text())
                if isinstance(asked, Play):
                    self._numbers[table] += 1
                    await self._journal.write(table, self._numbers[table], asked.move)
                    self._tell(table)
        except WebSocketDisconnect:
            self._seats.pop(table, None)

    def _tell(self, table: str) -> None:
        for send, message in zip(self._seats.get(table, ()), self._positions[self._numbers[table]], strict=False):
            send(message)

    def application(self) -> Starlette:
        """Return the application."""
        return Starlette(
            routes=[
                Route("/api/lobby", self.lobby),
                Route("/api/tables", self.open_table, methods=["POST"]),
                Route("/api/tables/{table}/join", self.join, methods=["POST"]),
                WebSocketRoute("/api/tables/{table}/live", self.live),
            ]
        )


def run(folder: str, limits: Limits, listening: socket.socket, started: Callable[[], None]) -> None:
    """Serve on a socket until the process is ended; calls `started` before."""
    config = Config(
        Bare(Path(folder) / "moves.db").application(),
        limits,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_per_message_deflate=False,
    )
    started()
    uvloop.run(uvicorn.Server(config).serve(sockets=[listening]))
