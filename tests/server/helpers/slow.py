"""Slow tables for tests: their nodes, and what looks after them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bosquet.server.store.store import Store
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.actions.join import Join
from bosquet.server.table.actions.move import Play
from bosquet.server.table.messages import NewTable, SeatWish, Slow
from bosquet.server.table.table import Table
from bosquet.server.tables.deadlines import Deadlines
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.registry import TableRegistry
from tests.server.helpers.kept import services_of, with_store
from tests.server.helpers.people import LOOSE
from tests.server.helpers.tables import HereAtOnce

ONE_TURN = Slow(days=1, bot="random")
UNTIL_BACK = Slow(days=3, bot="random", until_back=True)


def node(store: Store) -> tuple[TableRegistry, list[Any]]:
    """The tables of one process, and what is told of turns there."""
    work: Any = HereAtOnce()
    registry = TableRegistry(services_of(store, LOOSE, work), LOOSE)
    told: list[Any] = []
    registry.listeners.subscribe(told.append)
    return registry, told


async def opened(registry: TableRegistry, agreed: Slow | None = ONE_TURN, guests: str = "ab", **more: Any) -> Table:
    """A table whose game has begun, and at which nobody is."""
    options: dict[str, int | bool | str] = {"players": len(guests)}
    seats = [SeatWish(kind="me", name=guests[0]), *[SeatWish(kind="friend")] * (len(guests) - 1)]
    table = await TableOpener(registry).open(
        guests[0], NewTable(game="topas", options=options, seats=seats, pace="instant", slow=agreed, **more)
    )
    for guest in guests[1:]:
        await table.do(guest, Join(guest, table.session.invitation))
    for guest in guests:
        await table.do(guest, Ready(secrets.token_hex(16)))
    return table


def to_move(table: Table) -> tuple[int, str]:
    """The seat and the guest to move."""
    seat = table.session.dealt().seat
    assert seat is not None
    return seat, str(table.session.chairs[seat].guest)


async def play(table: Table) -> None:
    """Make the first legal move of the seat to move."""
    seat, guest = to_move(table)
    await table.do(guest, Play(seat=seat, number=table.session.number, move=table.session.dealt().legal()[0]))


async def at_rest(table: Table) -> None:
    """Wait until no bot chooses."""
    async with asyncio.timeout(20):
        while not table.bots.idle:
            await asyncio.sleep(0)


def looking(registry: TableRegistry, at: str) -> Deadlines:
    return Deadlines(registry.services.store, registry, lambda: at)


def hours_until(time: str | None) -> float:
    assert time is not None
    return (datetime.fromisoformat(time) - datetime.now(UTC)) / timedelta(hours=1)


def run(folder: Path, story: Callable[[Store], Awaitable[None]]) -> None:
    with_store(folder, story)


def stop_bots(registry: TableRegistry) -> None:
    """Let no bot of this node come to an end of its thinking, as if it was killed."""
    workers: Any = registry.services.compute.thinking.workers
    workers.run = _never


async def _never(function: Callable[..., Any], *args: Any) -> Any:
    await asyncio.Event().wait()
