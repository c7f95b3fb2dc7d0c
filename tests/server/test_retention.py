"""Old tables: deleted or packed after the stated days, a little at a time, and never where somebody is."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bosquet.server.base.rate_limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.host.checking import check_database
from bosquet.server.http import retention
from bosquet.server.http.limits import Limits
from bosquet.server.http.retention import Sweeper, sweeping
from bosquet.server.nodes.bus import LocalBus
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.clock_leaps import is_steady
from bosquet.server.store.packing import pack, unpack
from bosquet.server.store.schema import packed, tables
from bosquet.server.store.sqlite_file import DATABASE
from bosquet.server.store.store import JournalEntry, Store
from bosquet.server.table.actions.close import CloseTable
from bosquet.server.tables.clean_up import Swept, TableCleanUp, TableRetention
from bosquet.server.tables.gates import Gates
from bosquet.server.tables.registry import TableRegistry
from tests.helpers.rows import each_row
from tests.server.helpers.kept import TODAY, change, keep_game, registry_of, with_store
from tests.server.helpers.listeners import Ear
from tests.server.helpers.people import ME, RANDOM, Person

DAYS = TableRetention(pause=0, waiting=10, bots=5, abandoned=30, unpacked=3, finished=100)


async def fill(store: Store) -> None:
    """Keep a table of each kind, all in use today."""
    await keep_game(store, "waiting", plies=0)
    await keep_game(store, "closed", plies=0)
    for table, phase in (("waiting", "waiting"), ("closed", "closed")):
        await store.update_table(table, phase=phase)
    await store.write(sa.text("UPDATE seats SET nonce = NULL WHERE table_id IN ('waiting', 'closed')"))
    await keep_game(store, "playing", "topas", plies=5)
    await keep_game(store, "bots", "topas", plies=5)
    await store.write(sa.text("UPDATE seats SET guest = NULL, bot = 'greedy' WHERE table_id = 'bots'"))
    await keep_game(store, "over", "topiary")


def clean_up(store: Store, registry: TableRegistry) -> TableCleanUp:
    return TableCleanUp(store, registry, DAYS)


async def swept(store: Store, registry: TableRegistry, days: int) -> Swept:
    """Clean up as on a day that is this number of days from now."""
    return await clean_up(store, registry).sweep(TODAY + timedelta(days=days))


async def ids(store: Store) -> set[str]:
    return {row.id for row in await store.select(sa.select(tables.c.id))}


def in_folder(folder: Path, work: Callable[[Store, TableRegistry], Awaitable[None]]) -> None:
    """Do something with a table of each kind."""

    async def filled(store: Store) -> None:
        await fill(store)
        await work(store, registry_of(store))

    with_store(folder, filled)


def test_each_kind_of_table_is_kept_as_long_as_stated(tmp_path: Path) -> None:
    async def work(store: Store, registry: TableRegistry) -> None:
        everything = {"waiting", "closed", "playing", "bots", "over"}
        left = {5: everything, 6: everything - {"bots"}, 10: everything - {"bots"}, 11: {"playing", "over"}}
        left |= {30: {"playing", "over"}, 31: {"over"}, 100: {"over"}, 101: set()}
        for days, those in left.items():
            await swept(store, registry, days)
            assert await ids(store) == those, days

    in_folder(tmp_path, work)
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE)) as connection, connection:
        for table in ("tables", "seats", "journal", "packed"):
            assert connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,), table


def test_a_packed_game_is_the_same_game(tmp_path: Path) -> None:
    async def work(store: Store, registry: TableRegistry) -> None:
        before = (await registry.find("over")).session
        record, entries = before.record(), await store.read_journal("over")
        del before
        assert await swept(store, registry, 3) == Swept(0, 0)
        assert await swept(store, registry, 4) == Swept(0, 1)
        assert await swept(store, registry, 4) == Swept(0, 0)
        assert await store.read_journal("over") == entries
        assert "over" not in {held.id for held in registry_of(store).held()}
        again = (await registry_of(store).find("over")).session
        assert again.record() == record
        assert again.number == len(entries)
        (value,) = await store.select(sa.select(packed.c.entries))
        assert len(value.entries) < sum(len(entry.kind + entry.text) + 20 for entry in entries) / 4

    in_folder(tmp_path, work)
    assert [found for found in check_database(tmp_path / DATABASE) if found[0] == "over"] == [("over", None)]
    change(tmp_path / DATABASE, "UPDATE packed SET entries = x'00'")
    assert [found for found in check_database(tmp_path / DATABASE) if found[0] == "over"] == [
        ("over", "its row and seats can't be read (DecodeError)")
    ]

    async def find(store: Store) -> None:
        with pytest.raises(Refusal) as refused:
            await registry_of(store).find("over")
        assert refused.value.code == "unreadable"

    with_store(tmp_path, find)


def test_a_journal_with_a_gap_is_not_packed(tmp_path: Path) -> None:
    async def work(store: Store, registry: TableRegistry) -> None:
        await store.write(sa.text("DELETE FROM journal WHERE table_id = 'over' AND number = 3"))
        assert await swept(store, registry, 4) == Swept(0, 0)

    in_folder(tmp_path, work)


def test_a_table_where_somebody_is_stays(tmp_path: Path) -> None:
    async def work(store: Store, registry: TableRegistry) -> None:
        table = await registry.find("playing")
        viewer = Ear("a spectator")
        await table.attach(viewer)
        await swept(store, registry, 50)
        assert await ids(store) == {"playing", "over"}
        table.detach(viewer)
        await swept(store, registry, 50)
        assert "playing" in await ids(store), "it is still in somebody's hands here"
        del table
        await swept(store, registry, 50)
        assert await ids(store) == {"over"}

    in_folder(tmp_path, work)


def test_a_table_to_which_somebody_has_come_back_stays(tmp_path: Path) -> None:
    async def work(store: Store, registry: TableRegistry) -> None:
        await store.update_table("playing", touched="2020-01-01")
        await store.update_table("waiting", touched="2020-01-01")
        table = await registry.find("playing")
        for guest in ("a spectator", "ann"):
            table.detach(viewer := Ear(guest))
            await table.attach(viewer)
            table.detach(viewer)
        del table
        await swept(store, registry, 0)
        assert await ids(store) == {"closed", "playing", "bots", "over"}

    in_folder(tmp_path, work)


def test_what_happens_while_a_table_is_deleted_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store, registry: TableRegistry) -> None:
        def let_go(table: str) -> bool:
            change(
                tmp_path / DATABASE, f"UPDATE tables SET touched = '{TODAY}' WHERE id = '{table}'"
            )  # by another server
            return True

        await store.write(sa.update(tables).values(touched="2020-01-01"))
        monkeypatch.setattr(registry, "let_go", let_go)
        assert await swept(store, registry, 0) == Swept(0, 0)
        assert len(await ids(store)) == 5

    in_folder(tmp_path, work)


def test_who_still_has_a_table_that_was_deleted_is_told(tmp_path: Path) -> None:
    async def work(store: Store, registry: TableRegistry) -> None:
        table = await registry.find("waiting")
        await swept(store, registry_of(store), 50)  # that of another server
        with pytest.raises(Refusal) as refused:
            await table.do("ann", CloseTable())
        assert refused.value.code == "no table"

    in_folder(tmp_path, work)


def test_many_old_tables_are_deleted_in_one_sweep_and_moves_go_on(tmp_path: Path) -> None:
    async def work(store: Store, registry: TableRegistry) -> None:
        row = {"game": "topas", "options": {"players": 2}, "phase": "waiting", "pace": "human", "listed": False}
        row |= {"invitation": "i", "secret": "s"}
        for i in range(105):
            await store.add_table(row | {"id": f"t{i}"}, [{"seat": 0, "guest": "ann"}])
        sweeping = asyncio.create_task(swept(store, registry, 20))
        moves = 0
        while not sweeping.done():
            await store.append("over", 1000 + moves, [JournalEntry("move", "x")])
            moves += 1
        assert (await sweeping).deleted == 108
        assert moves > 5

    in_folder(tmp_path, work)


def test_sweeps_go_on_after_one_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "FIRST_SECONDS", 0)
    monkeypatch.setattr(retention, "EVERY_SECONDS", 0)

    async def work(store: Store, registry: TableRegistry) -> None:
        sweeps = 0
        done = asyncio.Event()

        async def sweep(sweeper: Sweeper) -> None:
            nonlocal sweeps
            sweeps += 1
            if sweeps == 1:
                raise Refusal("unavailable", "the disk is full")
            if sweeps == 2:
                raise RuntimeError("a fault of ours")
            done.set()

        monkeypatch.setattr(Sweeper, "sweep", sweep)
        async with sweeping([]):
            await done.wait()
        before = sweeps
        await asyncio.sleep(0.01)
        assert sweeps == before

    in_folder(tmp_path, work)


def test_a_clock_that_leaps_deletes_nothing_for_a_week(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        swept = []

        async def clean_up(today: date) -> None:
            swept.append((today - TODAY).days)

        sweeps = [0, 6, 7, 15, 24, 31, 500, 506, 507, 40, 46, 47, 48]
        for days in sweeps:
            today = functools.partial(TODAY.__add__, timedelta(days=days))
            await Sweeper([clean_up], today, functools.partial(is_steady, store)).sweep()
        # Day 24 comes after nine days in which no server ran, 500 and 40 are leaps.
        assert swept == [7, 15, 31, 507, 47, 48]

    with_store(tmp_path, work)


@each_row("journal", [[], [JournalEntry("move", "E5")], [JournalEntry("chance", "ä"), JournalEntry("undo", "")] * 1000])
def test_what_is_packed_is_unpacked(journal: list[JournalEntry]) -> None:
    assert unpack(pack(journal)) == journal


def test_tables_of_a_guest_and_of_an_address_are_counted_by_the_day() -> None:
    limits = Limits(opened_a_day=Rate(3, 0), opened_a_day_of_address=Rate(5, 0))
    gates = Gates(limits, Nodes(LocalBus(), b"key"))
    for guest in ("ann", "ann", "ann", "bea", "bea"):
        gates.take_quota(guest, "here")
    for guest, address in (("ann", "there"), ("bea", "here")):
        with pytest.raises(Refusal, match="open the next one tomorrow"):
            gates.take_quota(guest, address)


def test_opening_and_rematches_count(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    gates: Any = ann.client.app.state.server.gates  # type: ignore[attr-defined]
    counted = []
    monkeypatch.setattr(gates, "take_quota", lambda guest, address: counted.append(guest))
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    with ann.at(table) as page:
        assert page.refusal("rematch") == "not now"
    assert len(counted) == 2
    assert counted[0] == counted[1]
