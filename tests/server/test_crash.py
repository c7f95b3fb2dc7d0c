"""A server that is killed at any moment has lost nothing that it acknowledged, and the games go on to their ends."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import secrets
import signal
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import bosquet
from bosquet.core.records import fair
from tests.server.helpers.people import GREEDY, ME, RANDOM

KILLS = 4


class Running:
    """A server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = ""
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start on any free port and wait until it says where."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bosquet", "serve", "--port", "0", "--data", str(self.folder), "--no-browser",
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stderr is not None
        while True:
            line = (await asyncio.wait_for(self.process.stderr.readline(), 60)).decode()
            assert line, "the server ended before it listened"
            found = re.search(r"http://([\d.:]+)/", line)
            if found:
                self.address = found[1]
                return

    async def kill(self) -> None:
        """End it at once, as a power cut would end the process."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        await self.process.wait()


class Client:
    """Somebody who plays at random and remembers what was acknowledged."""

    def __init__(self, cookie: str, table: str, seed: int) -> None:
        self.cookie = cookie
        self.table = table
        self.draw = random.Random(seed)
        self.moves: dict[int, str] = {}
        self.over = False

    async def play(self, address: str) -> None:
        """Play until the game is over or the server is gone."""
        url = f"ws://{address}/api/tables/{self.table}/live"
        try:
            async with connect(url, additional_headers={"cookie": f"bosquet={self.cookie}"}) as socket:
                while not self.over:
                    await self._hear(socket, json.loads(await socket.recv()))
        except (OSError, ConnectionClosed, InvalidHandshake):
            return

    async def _hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        if message["type"] == "table" and message["phase"] == "waiting":
            await socket.send(json.dumps({"type": "ready", "nonce": secrets.token_hex(16)}))
        if message["type"] != "position":
            return
        for line in message["entries"]:
            before = self.moves.setdefault(line["number"], line["say"])
            assert before == line["say"], "an acknowledged move has changed"
        assert sorted(self.moves) == list(range(message["number"])), "an acknowledged move is lost"
        view = message["view"]
        self.over = view["over"]
        if view["moves"]:
            move = self.draw.choice(view["moves"])["say"]
            ask = {"type": "play", "seat": message["viewpoint"], "number": message["number"], "move": move}
            await socket.send(json.dumps(ask))


async def whole_story(folder: Path) -> None:
    server = Running(folder)
    await server.start()
    clients = []
    async with httpx2.AsyncClient() as http:
        for i in range(9):
            game = bosquet.GAMES[i % 3]
            http.cookies.clear()
            cookie = (await http.get(f"http://{server.address}/api/lobby")).cookies["bosquet"]
            bot = GREEDY if game == "schlossgarten" else RANDOM
            body = {"game": game, "options": {"players": 2}, "seats": [ME, bot], "pace": "instant"}
            http.cookies.set("bosquet", cookie)
            opened = await http.post(f"http://{server.address}/api/tables", json=body)
            clients.append(Client(cookie, opened.json()["table"], i))
    draw = random.Random(7)
    for kill in range(KILLS + 1):
        playing = [asyncio.create_task(client.play(server.address)) for client in clients]
        if kill < KILLS:
            await asyncio.sleep(draw.uniform(0.05, 0.6))
            await server.kill()
            await asyncio.wait_for(asyncio.gather(*playing), 30)
            await server.start()
        else:
            await asyncio.wait_for(asyncio.gather(*playing), 120)
    assert all(client.over for client in clients)
    async with httpx2.AsyncClient() as http:
        for client in clients:
            record = (await http.get(f"http://{server.address}/api/tables/{client.table}/record")).json()
            fair.verify(bosquet.load(record))
            assert len(record["moves"]) == len(client.moves)
    await server.kill()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL on Windows")
def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    asyncio.run(whole_story(tmp_path))
