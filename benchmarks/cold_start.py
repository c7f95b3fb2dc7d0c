"""Measures how long a server with many tables in its store takes from its start to its first answers.

`python -m benchmarks.cold_start` fills an SQLite store with running games, starts `bosquet serve` on it, and measures
the lobby of a guest who sits at some of the tables, and the first position at one of them.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
import typer
from websockets.sync.client import connect

import bosquet
from bosquet import bots
from bosquet.core.installed import spec
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.server.base.clock import now
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.store.key import KEY_FILE, write_key
from bosquet.server.store.schema import journal, seats, tables
from bosquet.server.store.sqlite_file import DATABASE
from bosquet.server.store.store import Store

MOVES = 12
MINE = 20
"""Tables at which the guest sits."""


def fill(folder: Path, count: int) -> str:
    """Store `count` tables of two people, and return the guest of the last ones."""
    url = f"sqlite:///{folder / DATABASE}"

    async def prepare() -> None:
        store = Store(url)
        await store.open()
        await store.close()

    asyncio.run(prepare())
    options = bosquet.new("topas", players=2).options
    secret, nonces = fair.fresh_secret(), [secrets.token_hex(16) for _ in range(2)]
    game, rng = fair.deal(spec("topas"), options, secret, list(nonces), None), Rng(1)
    moves = []
    for _ in range(MOVES):
        moves.append(bots.make("random").choose(game.view(game.seat), rng))
        game.play(moves[-1])
    me, day = secrets.token_urlsafe(24), now()
    ids = [f"table{i:06}" for i in range(count)]
    row = {
        "game": "topas",
        "options": options,
        "phase": "playing",
        "pace": "instant",
        "listed": False,
        "secret": secret,
    }
    row |= {"invitation": "i", "host": None, "turn": game.seat, "opened": day, "started": day, "touched": day[:10]}
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.insert(tables), [row | {"id": table} for table in ids])
        sitting = [
            {
                "table_id": table,
                "seat": seat,
                "guest": me if i >= count - MINE else f"{i}-{seat}",
                "nonce": nonces[seat],
            }
            for i, table in enumerate(ids)
            for seat in range(2)
        ]
        connection.execute(sa.insert(seats), [one | {"name": "Ann", "bot": None} for one in sitting])
        entries = [{"number": i, "kind": "move", "text": move} for i, move in enumerate(moves)]
        connection.execute(sa.insert(journal), [entry | {"table_id": table} for table in ids for entry in entries])
    engine.dispose()
    return me


def run(
    count: Annotated[int, typer.Option("--tables", help="Tables in the store.")] = 10_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure a cold server."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        me, key = fill(folder, count), secrets.token_bytes(32)
        write_key(folder / KEY_FILE, key)
        cookie = GuestCookies(key).cookie(me, secure=False).partition(";")[0]
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        begin = time.perf_counter()
        command = [sys.executable, "-m", "bosquet", "serve", "--no-browser", "--port", str(port), "--data", name]
        log = folder / "log"
        with open(log, "w") as file:
            process = subprocess.Popen(command, stderr=file)
        try:
            while (lobby := answer(port, cookie)) is None:
                if process.poll() is not None:
                    sys.exit(f"the server ended: {log.read_text()}")
                time.sleep(0.01)
            answered = time.perf_counter() - begin
            url = f"ws://127.0.0.1:{port}/api/tables/{lobby['mine'][0]['table']}/live"
            with connect(url, additional_headers={"cookie": cookie}) as page:
                while json.loads(page.recv(10))["type"] != "position":
                    pass
            seated = time.perf_counter() - begin
        finally:
            process.terminate()
            process.wait(20)
    row = {"tables": count, "first_answer_s": answered, "first_position_s": seated}
    sys.stdout.write(json.dumps(row) + "\n" if as_json else "".join(f"{k}: {v:.2f}\n" for k, v in row.items()))


def answer(port: int, cookie: str) -> Any:
    """Return the lobby; None where nobody answers yet."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/lobby", headers={"cookie": cookie})
    try:
        with urllib.request.urlopen(request, timeout=10) as found:
            return json.loads(found.read())
    except OSError:
        return None


if __name__ == "__main__":
    typer.run(run)
