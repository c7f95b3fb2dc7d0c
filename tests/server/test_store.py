"""The store: journals that only grow, races that one wins, migrations that give the present form."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bosquet.server.base.fair_queue import ASKING
from bosquet.server.base.metrics import Metrics
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.migrate import migrate
from bosquet.server.store.prepared import Prepared
from bosquet.server.store.reader import AT_ONCE, Reader
from bosquet.server.store.schema import identities, metadata, seats, tables
from bosquet.server.store.store import Conflict, JournalEntry, Store
from bosquet.server.table.actions.close import Closed
from bosquet.server.table.actions.deal import Dealt, NonceAdded
from bosquet.server.table.actions.join import SeatTaken
from bosquet.server.table.actions.stand_in import SeatGiven, SeatsTakenBack
from tests.server.helpers.clocks import Clock
from tests.server.helpers.forms import assert_migrations_give_the_form_of_a_new_one
from tests.server.helpers.kept import happen, with_store

ROW = {
    "id": "t",
    "game": "topas",
    "options": {"players": 2},
    "phase": "waiting",
    "pace": "human",
    "listed": False,
    "invitation": "i",
    "secret": "s",
}


def test_of_two_that_write_one_number_one_wins(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.add_table(ROW, [{"seat": 0}])
        await store.add_table(ROW | {"id": "u"}, [{"seat": 0}])
        racers = [store.append("t", 0, [JournalEntry("move", f"m{i}"), JournalEntry("chance", "x")]) for i in range(5)]
        others = [store.append("u", i, [JournalEntry("move", str(i))]) for i in range(20)]
        done = await asyncio.gather(*racers, *others, return_exceptions=True)
        assert sum(isinstance(one, Conflict) for one in done[:5]) == 4
        assert done[5:] == [None] * 20
        assert [entry.text for entry in await store.read_journal("u")] == [str(i) for i in range(20)]
        journal = await store.read_journal("t")
        assert len(journal) == 2
        with pytest.raises(Conflict):
            await store.append("t", 1, [JournalEntry("move", "again")])
        assert await store.read_journal("t") == journal

    with_store(tmp_path, work)


def test_what_is_asked_for_in_one_round_of_the_loop_is_one_commit(tmp_path: Path) -> None:
    async def committed() -> str:
        metrics = Metrics()
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}", metrics)
        await store.open()  # one commit
        await asyncio.gather(*(ask(store, str(i)) for i in range(20)))
        await store.close()
        return metrics.exposition().decode()

    async def ask(store: Store, table: str) -> None:
        time.sleep(0.005)  # the thread that writes has its turn
        await store.add_table(ROW | {"id": table}, [{"seat": 0}])

    assert "bosquet_commit_seconds_count 2.0" in asyncio.run(committed())


def test_a_lost_race_leaves_nothing_of_it(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.add_table(ROW, [{"seat": 0}])
        await store.append("t", 1, [JournalEntry("move", "one")])
        with pytest.raises(Conflict):
            await store.append("t", 0, [JournalEntry("move", "zero"), JournalEntry("chance", "late")])
        assert [entry.text for entry in await store.read_journal("t")] == ["one"]

    with_store(tmp_path, work)


def test_of_two_that_take_one_seat_one_wins(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.add_table(ROW, [{"seat": 0, "bot": None}, {"seat": 1, "bot": "greedy"}])
        racers = [happen(store, "t", SeatTaken(0, f"guest {i}", f"Guest {i}")) for i in range(5)]
        done = await asyncio.gather(*racers, return_exceptions=True)
        assert sum(isinstance(one, Conflict) for one in done) == 4
        winner = done.index(None)
        with pytest.raises(Conflict):
            await happen(store, "t", SeatTaken(1, "guest", "Guest"))
        found = await store.read_table("t")
        assert found is not None
        assert [seat["guest"] for seat in found[1]] == [f"guest {winner}", None]

    with_store(tmp_path, work)


def test_what_was_added_to_the_shuffle_stays_and_a_game_is_dealt_once(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.add_table(ROW, [{"seat": seat, "guest": "g", "nonce": None} for seat in range(3)])
        await happen(store, "t", NonceAdded(0, "a"))
        with pytest.raises(Conflict):
            await happen(store, "t", NonceAdded(0, "b"), NonceAdded(1, "b"))
        await happen(store, "t", NonceAdded(1, "c"), Dealt("then", 0))
        for late in ([NonceAdded(2, "d")], []):
            with pytest.raises(Conflict):
                await happen(store, "t", *late, Dealt("later", 0))
        found = await store.read_table("t")
        assert found is not None
        assert (found[0]["phase"], found[0]["started"]) == ("playing", "then")
        assert [seat["nonce"] for seat in found[1]] == ["a", "c", None]

    with_store(tmp_path, work)


def test_a_bot_gets_a_seat_only_from_the_one_who_was_seen_there(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.add_table(ROW, [{"seat": 0, "guest": "a"}, {"seat": 1, "guest": None}, {"seat": 2, "guest": None}])
        await happen(store, "t", SeatTaken(1, "b", "Bea"))
        for seat, guest in ((0, None), (0, "b"), (1, None), (2, "a")):
            with pytest.raises(Conflict):
                await happen(store, "t", SeatGiven(seat, guest, "greedy", "Ivy"))
        await happen(store, "t", SeatGiven(0, "a", "greedy", "Ann"))
        await happen(store, "t", SeatGiven(2, None, "greedy", "Ivy"))
        with pytest.raises(Conflict):
            await happen(store, "t", SeatGiven(0, "a", "random", "Ann"))
        with pytest.raises(Conflict):
            await happen(store, "t", SeatTaken(2, "c", "Cid"))
        await happen(store, "t", SeatsTakenBack("a"))
        found = await store.read_table("t")
        assert found is not None
        assert [(seat["guest"], seat["bot"]) for seat in found[1]] == [("a", None), ("b", None), (None, "greedy")]

    with_store(tmp_path, work)


def test_a_table_is_closed_or_dealt_and_never_both(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for table in "tu":
            await store.add_table(ROW | {"id": table}, [{"seat": 0, "guest": "a"}, {"seat": 1, "guest": None}])
        await happen(store, "t", Closed())
        late = (
            happen(store, "t", Closed()),
            happen(store, "t", SeatTaken(1, "b", "Bea")),
            happen(store, "t", NonceAdded(0, "a")),
            happen(store, "t", NonceAdded(0, "a"), Dealt("then", 0)),
        )
        done = await asyncio.gather(*late, return_exceptions=True)
        assert [type(one) for one in done] == [Conflict] * 4
        await happen(store, "u", NonceAdded(0, "a"), Dealt("then", 0))
        with pytest.raises(Conflict):
            await happen(store, "u", Closed())
        (closed, its), (dealt, _) = await store.read_tables(["t", "u"])
        assert (closed["phase"], closed["started"], dealt["phase"], dealt["turn"]) == ("closed", None, "playing", 0)
        assert [(seat["guest"], seat["nonce"]) for seat in its] == [("a", None), (None, None)]

    with_store(tmp_path, work)


def test_kept_answers_are_those_of_the_database(tmp_path: Path) -> None:
    query = sa.select(identities.c.name).where(identities.c.guest == sa.bindparam("guest"))

    async def work(store: Store) -> None:
        asked: list[Any] = []
        sa.event.listen(store.engine, "before_cursor_execute", lambda *execution: asked.append(execution[2]))

        async def name() -> str | None:
            found = await store.look_up(query, {"guest": "ann"})
            return found[0].name if found else None

        async def rename(name: str) -> None:
            await store.write(sa.update(identities).where(identities.c.guest == "ann").values(name=name))

        assert await name() is None
        await store.write(sa.insert(identities).values(guest="ann", name="Ann"))
        assert [await name() for _ in range(3)] == ["Ann"] * 3
        assert len(asked) == 2
        for i in range(20):  # asked before, while and after it is written, the last answer is what is kept
            await asyncio.gather(name(), rename(f"Ann {i}"), name())
            assert await name() == f"Ann {i}"
        with pytest.raises(Conflict):
            await store.write(sa.update(identities).where(identities.c.guest == "bea").values(name="Bea"))
        assert await name() == "Ann 19"

    with_store(tmp_path, work)


def test_migrations_give_the_form_of_a_new_database(tmp_path: Path) -> None:
    new, older = (sa.create_engine(f"sqlite:///{tmp_path / name}") for name in ("new.db", "older.db"))
    assert_migrations_give_the_form_of_a_new_one(new, older)
    for engine in (new, older):
        engine.dispose()


def test_a_second_start_keeps_what_is_there(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.add_table(ROW, [{"seat": 0, "name": "Ann"}])

    with_store(tmp_path, work)

    async def again(store: Store) -> Any:
        return await store.read_table("t")

    row, seats = with_store(tmp_path, again)
    assert row["game"] == "topas"
    assert seats[0]["name"] == "Ann"


def test_a_first_start_that_was_cut_off_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    async def cut_off() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}")

        def cut(*execution: Any) -> None:
            if "CREATE TABLE journal" in execution[2]:
                raise OSError("the power is gone")

        sa.event.listen(store.engine, "before_cursor_execute", cut)
        with pytest.raises(OSError, match="power"):
            await store.open()
        store.engine.dispose()

    asyncio.run(cut_off())

    async def work(store: Store) -> None:
        await store.add_table(ROW, [{"seat": 0}])

    with_store(tmp_path, work)


def test_two_that_start_at_once_on_a_new_folder(tmp_path: Path) -> None:
    async def both() -> None:
        stores = [Store(f"sqlite:///{tmp_path / 'tables.db'}") for _ in range(2)]
        await asyncio.gather(*(store.open() for store in stores))
        for store in stores:
            await store.close()

    asyncio.run(both())


def test_a_file_that_another_one_is_opening_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    def busy_twice(connection: sa.Connection, target: str = "head") -> None:
        tries.append(len(tries))
        if len(tries) < 3:
            raise sa.exc.OperationalError("PRAGMA", {}, sqlite3.OperationalError("database is locked"))
        migrate(connection, target)

    async def opened() -> None:
        store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
        await store.open()
        await store.close()

    monkeypatch.setattr("bosquet.server.store.store.migrate", busy_twice)
    monkeypatch.setattr("bosquet.server.store.store.BUSY_PAUSES", (0.0, 0.0))
    asyncio.run(opened())
    assert len(tries) == 3


def test_who_reads_much_delays_others_by_one_read() -> None:
    clock, gate, begun = Clock(), threading.Event(), list[str]()
    reader = Reader(sa.create_engine("sqlite://", poolclass=sa.NullPool), 1, clock)

    async def ask(address: str, seconds: int) -> None:
        def read(connection: sa.Connection) -> None:
            assert gate.wait(20)
            begun.append(address)
            clock.now += seconds

        ASKING.set(address)
        await reader.read(read)

    async def story(asked: Sequence[tuple[str, int]]) -> str:
        """Ask for several reads while the first one goes on; return in which order they are begun."""
        gate.clear()
        begun.clear()
        tasks = [asyncio.create_task(ask(address, seconds)) for address, seconds in asked]
        await asyncio.sleep(0)  # each has asked
        gate.set()
        await asyncio.gather(*tasks)
        return "".join(begun)

    async def flood() -> None:
        reader.open()
        assert await story([*[("a", 1)] * 20, ("b", 0)]) == "ab" + "a" * 19
        assert await story([("c", 0), *[("a", 1)] * 3, *[("b", 0)] * 5]) == "cbbbbbaaa", "a has used seconds"
        reader.close()

    asyncio.run(flood())


def test_reads_of_one_address_leave_threads_to_others() -> None:
    gate, begun = threading.Event(), list[str]()
    reader = Reader(sa.create_engine("sqlite://", poolclass=sa.NullPool), 8)

    async def ask(address: str) -> None:
        def read(connection: sa.Connection) -> None:
            begun.append(address)
            assert gate.wait(20)

        ASKING.set(address)
        await reader.read(read)

    async def flood() -> None:
        reader.open()
        tasks = [asyncio.create_task(ask(address)) for address in [*"aaaaaaaaaa", "b", "", "", ""]]
        async with asyncio.timeout(10):
            while len(begun) < AT_ONCE + 4:
                await asyncio.sleep(0.01)
        assert sorted(begun) == ["", "", "", *["a"] * AT_ONCE, "b"]
        gate.set()
        await asyncio.gather(*tasks)
        reader.close()

    asyncio.run(flood())


def test_a_connection_that_is_lost_amid_a_statement_is_replaced_silently(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """psycopg can't even roll back where a connection ends amid several rows that are sent together."""

    async def work(store: Store) -> None:
        await store.add_table(ROW, [{"seat": 0}])
        with monkeypatch.context() as patch:

            def lost(*_: Any) -> None:
                raise sa.exc.OperationalError("INSERT", None, sqlite3.OperationalError("it ended"))

            patch.setattr(Prepared, "execute", lost)
            patch.setattr(type(store.engine.dialect), "do_rollback", lost)
            with pytest.raises(Refusal, match="could not save"):
                await store.append("t", 0, [JournalEntry("move", "a")])
        await store.append("t", 0, [JournalEntry("move", "b")])
        assert [entry.text for entry in await store.read_journal("t")] == ["b"]

    with_store(tmp_path, work)
    assert "Traceback" not in caplog.text


def test_prepared_statements_do_as_connections_do_and_errors_tell_no_values() -> None:
    """With values of its own, JSON that is none, several rows, and the number of rows that changed."""
    engine = sa.create_engine("sqlite://")
    opened = ROW | {"box": None, "opened": "2026-11-22"}
    moved = sa.update(tables).where(tables.c.id == sa.bindparam("table"), tables.c.phase == "waiting")
    moved = moved.values(result=sa.bindparam("scores"), turn=1)
    seated = [{"table_id": "t", "seat": seat, "name": f"name {seat}"} for seat in range(2)]
    prepared = Prepared(engine.dialect)

    def written(execute: Any) -> list[list[sa.Row[Any]]]:
        with engine.connect() as connection:
            metadata.create_all(connection)
            execute(connection, sa.insert(tables), [opened])
            execute(connection, sa.insert(seats), seated)
            changed = [execute(connection, moved, [{"table": table, "scores": {"scores": [3]}}]) for table in "tu"]
            assert changed == [1, 0]
            found = [list(connection.execute(sa.select(table))) for table in (tables, seats)]
            connection.rollback()
            metadata.drop_all(connection)
            return found

    assert written(prepared.execute) == written(
        lambda connection, statement, rows: connection.execute(statement, rows).rowcount
    )
    with engine.connect() as connection:
        metadata.create_all(connection)
        prepared.execute(connection, sa.insert(tables), [opened])
        with pytest.raises(sa.exc.IntegrityError) as refused:
            prepared.execute(connection, sa.insert(tables), [opened | {"secret": "f00d"}])
    assert "f00d" not in str(refused.value)
    engine.dispose()
