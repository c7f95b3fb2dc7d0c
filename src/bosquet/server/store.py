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


class _Append(NamedTuple):
    rows: list[dict[str, Any]]
    done: asyncio.Future[None]


class Store:
    """The database. `open` it before use; writes of moves that arrive together are committed together."""

    def __init__(self, url: str) -> None:
        """An SQLAlchemy URL with an async driver, for instance `sqlite+aiosqlite:///tables.db`."""
        self.url = url
        self.engine: AsyncEngine = create_async_engine(url)
        self._waiting: list[_Append] = []
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

    async def append(self, table: str, number: int, entries: Sequence[Entry]) -> None:
        """Write entries from a number on; they are durable when this returns. Raises Conflict, nothing then written."""
        rows = [
            {"table_id": table, "number": number + i, "kind": entry.kind, "text": entry.text}
            for i, entry in enumerate(entries)
        ]
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Append(rows, done))
        self._arrived.set()
        await done

    async def _write(self) -> None:
        """Commit together what arrived together."""
        async with self.engine.connect() as connection:
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                batch, self._waiting = self._waiting, []
                try:
                    await _insert(connection, [row for append in batch for row in append.rows])
                    _resolve(batch)
                except IntegrityError:
                    for append in batch:
                        await _insert_alone(connection, append)
                except Exception as error:
                    await connection.rollback()
                    _refuse(batch, error)

    async def read_journal(self, table: str) -> list[Entry]:
        """All entries of a table in order."""
        query = sa.select(journal.c.kind, journal.c.text).where(journal.c.table_id == table).order_by(journal.c.number)
        async with self.engine.connect() as connection:
            return [Entry(kind, text) for kind, text in await connection.execute(query)]

    # --- tables and seats ---

    async def add_table(self, row: dict[str, Any], seat_rows: list[dict[str, Any]]) -> None:
        """Keep a new table with its seats."""
        async with self.engine.begin() as connection:
            await connection.execute(sa.insert(tables), row | {"opened": now()})
            await connection.execute(sa.insert(seats), [seat | {"table_id": row["id"]} for seat in seat_rows])

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
        async with self.engine.begin() as connection:
            await connection.execute(sa.update(tables).where(tables.c.id == table).values(**values))

    async def update_seat(self, table: str, seat: int, **values: Any) -> None:
        """Change what is kept of a seat."""
        place = (seats.c.table_id == table) & (seats.c.seat == seat)
        async with self.engine.begin() as connection:
            await connection.execute(sa.update(seats).where(place).values(**values))

    async def start(self, table: str) -> str:
        """All are ready: the game is dealt from this moment on, which is given."""
        moment = now()
        await self.update_table(table, phase="playing", started=moment)
        return moment

    async def end(self, table: str) -> str:
        """The game is over, from this moment on, which is given."""
        moment = now()
        await self.update_table(table, phase="over", ended=moment)
        return moment

    async def listed(self, limit: int) -> list[str]:
        """The listed tables that wait, the latest first."""
        query = sa.select(tables.c.id).where(tables.c.phase == "waiting", tables.c.listed)
        return await self._ids(query.order_by(tables.c.opened.desc()).limit(limit))

    async def tables_of(self, guest: str, limit: int) -> list[str]:
        """The tables at which a guest sits, the latest first."""
        query = sa.select(tables.c.id).where(tables.c.id.in_(sa.select(seats.c.table_id).where(seats.c.guest == guest)))
        return await self._ids(query.order_by(tables.c.opened.desc()).limit(limit))

    async def _ids(self, query: Any) -> list[str]:
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars())


def now() -> str:
    """The time, as RFC 3339 has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def _insert(connection: AsyncConnection, rows: list[dict[str, Any]]) -> None:
    try:
        await connection.execute(sa.insert(journal), rows)
        await connection.commit()
    except IntegrityError:
        await connection.rollback()
        raise


async def _insert_alone(connection: AsyncConnection, append: _Append) -> None:
    """Of several that can't be written together, each that can."""
    try:
        await _insert(connection, append.rows)
        _resolve([append])
    except IntegrityError:
        _refuse([append], Conflict())


def _resolve(batch: list[_Append]) -> None:
    for append in batch:
        if not append.done.done():
            append.done.set_result(None)


def _refuse(batch: list[_Append], error: Exception) -> None:
    for append in batch:
        if not append.done.done():
            append.done.set_exception(error)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Readers do not wait for the writer, and what is committed survives a crash, of the machine too."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: sa.Connection) -> None:
    """Run the migrations that this database has not seen yet."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
