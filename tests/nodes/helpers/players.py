"""Nodes as processes, and people who play at them and remember everything that was acknowledged."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Coroutine, Sequence
from pathlib import Path
from typing import Any

import websockets
from websockets.asyncio.client import connect

from bosquet.server.store.key import read_key
from tests.helpers.services import free_port

PAUSE = 0.05
"""Seconds that people think about a move."""
AGAIN = 0.2
"""Seconds until a page connects again, or asks again for what was refused."""
LOST = (OSError, TimeoutError, websockets.WebSocketException)


class ServedNode:
    """A node, as `bosquet serve` runs it."""

    def __init__(self, folder: Path, database: str, bus: str, *options: str) -> None:
        self.port = free_port()
        self.monitor = free_port()
        folder.mkdir()
        self.log = folder / "log"
        read_key(folder.parent / "key")  # one of all nodes
        command = [sys.executable, "-m", "bosquet", "serve", "--no-browser", "--port", str(self.port)]
        command += ["--data", str(folder), "--key", str(folder.parent / "key"), "--monitor", str(self.monitor)]
        command += ["--database", database, "--bus", bus, "--workers", "1", *options]
        with self.log.open("w") as log:
            self._process = subprocess.Popen(command, stderr=log, stdout=log, env=os.environ | {"BOSQUET_JIT": "0"})
        self._wait_until_ready(30)

    def kill(self) -> None:
        """End it as a crash of the machine would."""
        self._process.kill()
        self._process.wait()

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.send_signal(signal.SIGTERM)

    def wait(self, seconds: float = 20) -> int:
        """Wait for its end, and return how it ended."""
        return self._process.wait(seconds)

    def _wait_until_ready(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, self.log.read_text()
            with contextlib.suppress(OSError):
                self.ask("/readyz", at=self.monitor)
                self.ask("/api/lobby")
                return
            time.sleep(0.05)

    def ask(self, path: str, body: Any = None, cookie: str = "", at: int | None = None) -> tuple[Any, str]:
        """Send a request; return the answer and the cookie that came with it."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json", "cookie": cookie}
        request = urllib.request.Request(f"http://127.0.0.1:{at or self.port}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read()
            return (json.loads(text) if text else None), answer.headers.get("set-cookie", "").partition(";")[0]


class Player:
    """Somebody with one page, which connects to the next node when it has lost one."""

    def __init__(self, nodes: Sequence[ServedNode], first: int) -> None:
        self._nodes = nodes
        self.at = first
        self.cookie = nodes[first].ask("/api/lobby")[1]
        self.number = 0
        self.over = False
        self.made: dict[int, str] = {}
        """Moves that were acknowledged, by the number of their position."""
        self.refused: list[str] = []
        self.closed: list[int] = []
        """Codes with which connections were closed."""
        self._viewpoint: int | None = None
        self._rng = random.Random(first)

    async def play(self, table: str) -> None:
        """Play at a table until the game is over."""
        while not self.over:
            url = f"ws://127.0.0.1:{self._nodes[self.at].port}/api/tables/{table}/live?since={self.number}"
            try:
                async with connect(url, additional_headers={"cookie": self.cookie}, open_timeout=3) as socket:
                    async for message in socket:
                        await self._hear(socket, json.loads(message))
                        if self.over:
                            return
                    self.closed.append(socket.close_code or 0)
            except LOST as error:
                if isinstance(error, websockets.ConnectionClosed) and error.rcvd is not None:
                    self.closed.append(error.rcvd.code)
            self.at = (self.at + 1) % len(self._nodes)
            await asyncio.sleep(AGAIN)

    async def _hear(self, socket: Any, message: dict[str, Any]) -> None:
        match message["type"]:
            case "table":
                if message["phase"] == "waiting" and not all(
                    message["seats"][seat]["ready"] for seat in message["mine"]
                ):
                    await socket.send(json.dumps({"type": "ready", "nonce": secrets.token_hex(16)}))
            case "position":
                self._take(message)
                await self._move(socket, message)
            case "refused":
                self.refused.append(message["code"])
                await asyncio.sleep(AGAIN)
                await socket.send(json.dumps({"type": "look", "seat": self._viewpoint}))

    def _take(self, message: dict[str, Any]) -> None:
        """Take a position over; what was asked for and is in the log is acknowledged."""
        assert message["number"] >= self.number, "a position was taken back"
        self.number, self.over = message["number"], message["view"]["over"]
        self._viewpoint = message["viewpoint"]
        for entry in message["entries"]:
            if entry["seat"] == self._viewpoint and not entry["undo"]:
                self.made[entry["number"]] = entry["say"]

    async def _move(self, socket: Any, message: dict[str, Any]) -> None:
        moves = message["view"]["moves"]
        if moves:
            await asyncio.sleep(PAUSE)
            move = self._rng.choice(moves)["say"]
            ask = {"type": "play", "seat": message["viewpoint"], "number": message["number"], "move": move}
            await socket.send(json.dumps(ask))


@contextlib.asynccontextmanager
async def playing(work: Sequence[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Let people play meanwhile."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
