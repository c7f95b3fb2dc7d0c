"""What is kept of the tables, in any database that SQLAlchemy speaks to: who sits there, and a journal of each.

The journal of a table is a list of entries that is only ever added to: moves, moves of chance, and that one was taken
back. `(table, number)` is unique, so of two that arrive at once one is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import Executable
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("phase", sa.String(8), nullable=False, index=True),
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("invitation", sa.String(64), nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),
    sa.Column("host", sa.String(64)),
    sa.Column("turn", sa.Integer),
    sa.Column("result", sa.JSON),
    sa.Column("rematch", sa.String(32)),
    sa.Column("opened", sa.String(32), nullable=False, index=True),
    sa.Column("started", sa.String(32)),
    sa.Column("ended", sa.String(32)),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("bot", sa.String(32)),
    sa.Column("name", sa.String(32)),
    sa.Column("guest", sa.String(64), index=True),
    sa.Column("nonce", sa.String(32)),
    sa.Column("shelved", sa.Boolean, nullable=False, server_default=sa.false()),
)
journal = sa.Table(
    "journal",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("text", sa.String(400), nullable=False),
)


class Entry(NamedTuple):
    """One entry of a table's journal."""

    kind: Literal["move", "chance", "undo"]
    text: str


class Conflict(Exception):  # noqa: N818  (it is the race that was lost, not a fault)
    """Somebody else wrote the entry of this number first."""


class _Work(NamedTuple):
    """Something to be written: entries of a journal, and other statements with what they are given."""

    rows: list[dict[str, Any]]
    statements: list[tuple[Executable, Any]]
    done: asyncio.Future[None]


class Store:
    """The database. `open` it before use.

    All writing goes through one connection: what arrives while a commit is under way is committed together after it.
    """

    def __init__(self, url: str) -> None:
        """An SQLAlchemy URL with an async driver, for instance `sqlite+aiosqlite:///tables.db`."""
        self.url = url
        # An error that is logged must not tell the secrets that were to be written.
        self.engine: AsyncEngine = create_async_engine(url, hide_parameters=True)
        self._waiting: list[_Work] = []
        self._arrived = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine.sync_engine, "connect", _prepare_sqlite)

    async def open(self) -> None:
        """Bring the database to the present form, and start writing."""
        async with self.engine.begin() as connection:
            await connection.run_sync(_migrate)
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Stop writing, once all that was asked for is written."""
        while self._waiting:
            await asyncio.sleep(0.01)
        if self._writer is not None:
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        await self.engine.dispose()

    # --- journals ---

    async def append(self, table: str, number: int, entries: Sequence[Entry], **values: Any) -> None:
        """Write entries from a number on, and what they change of the table; all is durable when this returns.

        Raises Conflict if one of the numbers is taken; nothing of it is then written.
        """
        rows = [
            {"table_id": table, "number": number + i, "kind": entry.kind, "text": entry.text}
            for i, entry in enumerate(entries)
        ]
        await self._commit(rows, [_update(table, **values)] if values else [])

    async def _commit(self, rows: list[dict[str, Any]], statements: list[tuple[Executable, Any]]) -> None:
        """Have something written; it is durable when this returns. Raises Conflict."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Work(rows, statements, done))
        self._arrived.set()
        await done

    async def _write(self) -> None:
        """Commit together what arrived together."""
        async with self.engine.connect() as connection:
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                batch, self._waiting = self._waiting, []
                if await _written(connection, batch) is not None and len(batch) > 1:
                    for work in batch:  # one of them is in the way of the others
                        await _written(connection, [work])

    async def read_journal(self, table: str) -> list[Entry]:
        """All entries of a table in order."""
        query = sa.select(journal.c.kind, journal.c.text).where(journal.c.table_id == table).order_by(journal.c.number)
        async with self.engine.connect() as connection:
            return [Entry(kind, text) for kind, text in await connection.execute(query)]

    # --- tables and seats ---

    async def add_table(self, row: dict[str, Any], seat_rows: list[dict[str, Any]]) -> None:
        """Keep a new table with its seats."""
        seated = [seat | {"table_id": row["id"]} for seat in seat_rows]
        await self._commit([], [(sa.insert(tables), row | {"opened": now()}), (sa.insert(seats), seated)])

    async def read_table(self, table: str) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """A table with its seats in order; None if there is none."""
        return next(iter(await self.read_tables([table])), None)

    async def read_tables(self, ids: Sequence[str]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Those of some tables that are there, in the order asked for, each with its seats in order."""
        by_table = sa.select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.seat)
        async with self.engine.connect() as connection:
            rows = (await connection.execute(sa.select(tables).where(tables.c.id.in_(ids)))).mappings().all()
            seated = (await connection.execute(by_table)).mappings().all()
        found = {row["id"]: dict(row) for row in rows}
        return [
            (found[table], [dict(seat) for seat in seated if seat["table_id"] == table])
            for table in ids
            if table in found
        ]

    async def update_table(self, table: str, **values: Any) -> None:
        """Change what is kept of a table."""
        await self._commit([], [_update(table, **values)])

    async def update_seat(self, table: str, seat: int, **values: Any) -> None:
        """Change who sits on a seat."""
        await self._commit([], [_update_seat(table, seat, **values)])

    async def add_nonces(self, table: str, nonces: dict[int, str], **values: Any) -> None:
        """What some seats add to the shuffle, and what that changes of the table."""
        statements = [_update_seat(table, seat, nonce=nonce) for seat, nonce in nonces.items()]
        await self._commit([], statements + ([_update(table, **values)] if values else []))

    async def shelve(self, table: str, guest: str, shelved: bool) -> None:
        """Leave a table out of the list of a guest, or bring it back."""
        theirs = (seats.c.table_id == sa.bindparam("table")) & (seats.c.guest == sa.bindparam("whose"))
        update = sa.update(seats).where(theirs).values(shelved=shelved)
        await self._commit([], [(update, {"table": table, "whose": guest})])

    async def tables_of(self, guest: str, limit: int) -> list[str]:
        """The tables at which a guest sits, those that are over last, else the latest first.

        Those that were closed or shelved are not among them.
        """
        theirs = sa.select(seats.c.table_id).where(seats.c.guest == guest, ~seats.c.shelved)
        query = sa.select(tables.c.id).where(tables.c.id.in_(theirs), tables.c.phase != "closed")
        query = query.order_by(tables.c.phase == "over", tables.c.opened.desc()).limit(limit)
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())


def now() -> str:
    """The time, as RFC 3339 has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def _written(connection: AsyncConnection, batch: list[_Work]) -> Exception | None:
    """Write a batch in one transaction. Answers those who wait if it is written or alone; gives what went wrong."""
    rows = [row for work in batch for row in work.rows]
    try:
        if rows:
            await connection.execute(sa.insert(journal), rows)
        for work in batch:
            for statement, given in work.statements:
                await connection.execute(statement, given)
        await connection.commit()
    except Exception as error:
        await connection.rollback()
        wrong = Conflict() if isinstance(error, IntegrityError) else error
        if len(batch) == 1:
            _answer(batch, wrong)
        return wrong
    _answer(batch, None)
    return None


def _answer(batch: list[_Work], wrong: Exception | None) -> None:
    for work in batch:
        if work.done.done():
            continue
        if wrong is None:
            work.done.set_result(None)
        else:
            work.done.set_exception(wrong)


def _update(table: str, **values: Any) -> tuple[Executable, Any]:
    return sa.update(tables).where(tables.c.id == sa.bindparam("table")).values(values), {"table": table}


def _update_seat(table: str, seat: int, **values: Any) -> tuple[Executable, Any]:
    place = (seats.c.table_id == sa.bindparam("table")) & (seats.c.seat == sa.bindparam("place"))
    return sa.update(seats).where(place).values(values), {"table": table, "place": seat}


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Readers do not wait for the writer, and what is committed survives a crash, of the machine too."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: sa.Connection, target: str = "head") -> None:
    """Run the migrations that this database has not seen yet."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, target)
