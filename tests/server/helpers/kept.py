"""Tables in a database, for tests that need no server: rows, and games played at random."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar

import bosquet
from bosquet.core.installed import spec
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.server.base.metrics import Metrics
from bosquet.server.compute.compute import Compute
from bosquet.server.compute.thinking import Thinking
from bosquet.server.compute.workers import Workers
from bosquet.server.http.limits import Limits
from bosquet.server.http.retention import Retention, Sweeper
from bosquet.server.http.server import Server
from bosquet.server.nodes.bus import LocalBus
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.services import Services
from bosquet.server.store.sqlite_file import DATABASE
from bosquet.server.store.store import JournalEntry, Statement, Store
from bosquet.server.table import journal
from bosquet.server.table.action import Event
from bosquet.server.table.actions.deal import Dealt, NonceAdded
from bosquet.server.table.outcomes import Closed, Seated
from bosquet.server.table.results import statements
from bosquet.server.tables.registry import TableRegistry

GUESTS = ("ann", "bea")
T = TypeVar("T")
TODAY = datetime.now(UTC).date()
LIMITS = Limits()
AT_ONCE = Retention(pause=0)


def with_store(folder: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    """Do something with the store of a data folder."""

    async def whole() -> T:
        store = Store(f"sqlite:///{folder / DATABASE}")
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())


def services_of(store: Store, limits: Limits = LIMITS, workers: Any = None) -> Services:
    """Return the services over a store, with processes that are not started, or with other workers."""
    workers = workers or Workers(1)
    nodes = Nodes(LocalBus(), b"key")
    return Services(store, nodes, Compute(Thinking(workers), workers, workers, nodes, limits), Metrics())


def server_of(store: Store, limits: Limits = LIMITS, retention: Retention = AT_ONCE) -> Server:
    """Return the parts of a server over a store; nothing goes on in the background."""
    return Server(services_of(store, limits), b"key", limits, retention)


def registry_of(store: Store) -> TableRegistry:
    """Return the tables of a server over a store."""
    return server_of(store).registry


async def sweep(store: Store, today: date = TODAY, retention: Retention = AT_ONCE) -> None:
    """Clean up as a server does on a day."""
    await Sweeper(server_of(store, retention=retention).clean_ups, lambda: today).sweep()


async def happen(store: Store, table: str, *events: Event) -> None:
    """Keep what has happened at a table, as another node does. Raises Conflict."""
    await journal.write(store, table, 0, events)


async def keep_game(store: Store, table: str, game: str = "topas", plies: int = 10**6, **more: Any) -> list[str]:
    """Keep a table of two guests who have played at random, and its results if it is over; return the moves."""
    options = bosquet.new(game, players=2).options
    secret = "5" * 64
    row = {
        "id": table,
        "game": game,
        "options": options,
        "phase": "waiting",
        "pace": "human",
        "listed": False,
        "invitation": "i",
        "secret": secret,
        "host": "ann",
    }
    seats = [{"seat": seat, "guest": guest, "name": guest} for seat, guest in enumerate(GUESTS)]
    await store.add_table(row | more, seats)
    nonces = ["0" * 32, "1" * 32]
    played = fair.deal(spec(game), options, secret, nonces)
    added = [NonceAdded(seat, nonce) for seat, nonce in enumerate(nonces)]
    await happen(store, table, *added, Dealt("2026-01-01T00:00:00.000Z", 0))
    rng = Rng(1)
    entries: list[JournalEntry] = []
    while not played.over and len(entries) < plies:
        if played.chance_due:
            entries.append(JournalEntry("chance", fair.sample_chance(played, secret, nonces)))
        else:
            move = rng.choice(played.legal())
            played.play(move)
            entries.append(JournalEntry("move", move))
    ended: dict[str, Any] = {}
    closing: list[Statement] = []
    if played.result is not None:
        result = {"scores": played.result["scores"], "winners": played.result["winners"]}
        ended = {"phase": "over", "ended": "2026-01-01T01:00:00.000Z", "turn": None, "result": result}
        closed = Closed(ended["ended"], **result, how=None)
        closing = statements(table, game, closed, [Seated(guest, True, None) for guest in GUESTS], None)
    await store.append(table, 0, entries, then=closing, **ended)
    return [entry.text for entry in entries]


def change(database: Path, *statements: str) -> None:
    """Run statements on a database that nobody else uses."""
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def damage_pages(database: Path, start: int = 4096, size: int = 4096) -> None:
    """Overwrite a part of a database."""
    with open(database, "r+b") as file:
        file.seek(start)
        file.write(b"\xff" * size)


@functools.cache
def empty() -> bytes:
    """Return an empty database: to make one takes longer than most tests."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "tables.db")

        async def make() -> None:
            store = Store(f"sqlite:///{file}")
            await store.prepare()
            await store.close()

        asyncio.run(make())
        return file.read_bytes()
