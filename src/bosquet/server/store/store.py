"""The database: tables, their seats and their journals, in any database that SQLAlchemy can use.

The journal of a table is append-only: moves, moves of chance, undone moves. `(table, number)` is unique, so if two
entries are written at once, one is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, TypeVarTuple, cast

import sqlalchemy as sa
import structlog
from sqlalchemy import Executable
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from structlog.typing import FilteringBoundLogger

from bosquet.core.errors import BosquetError
from bosquet.server.base.clock import now, today
from bosquet.server.base.metrics import Metrics
from bosquet.server.base.refusals import Refusal, as_unreadable
from bosquet.server.store.databases import READING, database_of, said
from bosquet.server.store.entries import JournalEntry as JournalEntry
from bosquet.server.store.migrate import NewerFormError, migrate
from bosquet.server.store.packing import unpack
from bosquet.server.store.reader import Reader
from bosquet.server.store.rows import FREED, Rows
from bosquet.server.store.rows import Statement as Statement
from bosquet.server.store.schema import journal, packed, seats, tables
from bosquet.server.store.writer import Conflict as Conflict
from bosquet.server.store.writer import Row, Work, Writer

Found = TypeVarTuple("Found")
T = TypeVar("T")

COMPLAINT_SECONDS = 60.0
ANSWER_SECONDS = 8.0
"""Seconds after which a query or a commit is given up."""
MOST_ANSWERS = 20_000
"""Answers about one table that are kept."""
AT_ONCE = 500
"""Tables that are read by one query."""

log: FilteringBoundLogger = structlog.get_logger()


BUSY_PAUSES = (0.1, 0.5, 2.0)
"""Seconds before it is tried again to open a database that another one is opening."""
_ENTRY = sa.insert(journal)
_TABLE, _SEATS = sa.insert(tables), sa.insert(seats)
_TURN = sa.update(tables).where(tables.c.id == sa.bindparam("table")).values(turn=sa.bindparam("seat"))


class Store:
    """The database. `open` it before use."""

    def __init__(self, url: str, metrics: Metrics | None = None, *, alone: bool = True) -> None:
        """Take the URL of a database, for instance `sqlite:///tables.db`.

        `alone` says whether this process is the only one that writes it.

        Raises BosquetError.
        """
        self._metrics = metrics or Metrics()
        self._database = database_of(url, alone=alone)
        self.engine: sa.Engine
        self.engine, writing = self._database.engines()
        self._reader = Reader(self.engine, READING)
        self._writer = Writer(writing, _ENTRY, _TURN, self._metrics, self._forget, ANSWER_SECONDS, alone=alone)
        self._alone = alone
        self._answers: dict[sa.FromClause, dict[Any, list[Any]]] = {}
        """Answers that are kept, by the table that was asked about."""
        self._closing = False
        self._complained: dict[str, float] = {}
        """When it was last logged that the database can't be read, or written."""
        self._prepared = False

    async def prepare(self) -> None:
        """Bring the database to the present form. Raises BosquetError where that can't be."""
        if self._prepared:
            return
        await asyncio.to_thread(self._database.check)
        try:
            with self._opening():
                await self._migrate()
        except BosquetError:
            self.engine.dispose()
            raise
        self._prepared = True

    async def _migrate(self) -> None:
        """Bring the database to the present form, after another one that does so at the same moment."""
        for pause in (*BUSY_PAUSES, None):
            try:
                await asyncio.to_thread(self._migrate_now)
            except DBAPIError as error:
                if pause is None or not self._database.is_busy(error):
                    raise
                await asyncio.sleep(pause)
            else:
                return

    def _migrate_now(self) -> None:
        with self.engine.begin() as connection:
            migrate(connection)

    async def open(self) -> None:
        """Start reading and writing. Raises BosquetError."""
        await self.prepare()
        self._reader.open()
        self._writer.open()
        try:
            with self._opening():
                await self._writer.write()  # nothing, to see whether it can
        except BosquetError:
            await self.close()
            raise

    async def close(self) -> None:
        """Stop reading, and writing once all that was asked for is written."""
        self._closing = True
        await self._writer.close()
        await asyncio.to_thread(self._reader.close)
        self.engine.dispose()

    async def ping(self) -> None:
        """Ask the database for nothing. Raises SQLAlchemyError if it does not answer."""
        await self._reader.read(lambda connection: connection.execute(sa.select(1)))

    def size(self) -> float:
        """Return the size of the database in bytes; 0 if that is not known."""
        return self._database.size()

    @contextlib.contextmanager
    def _opening(self) -> Iterator[None]:
        """Say what is wrong where the database can't be opened. Raises BosquetError."""
        try:
            yield
        except (SQLAlchemyError, NewerFormError) as error:
            raise BosquetError(f"{self._database.shown}: {self._database.why(error)}") from None

    # --- any statement ---

    async def write(self, *statements: Executable | Statement) -> None:
        """Have statements carried out together, each alone or with what it is given; all is durable when this returns.

        Raises Conflict, and nothing is changed, if one of them is an update that finds no row. Raises Refusal.
        """
        await self._commit([], [one if isinstance(one, tuple) else (one, None) for one in statements])

    async def select(self, query: sa.Select[*Found], given: Row | None = None) -> list[sa.Row[*Found]]:
        """Return the rows that a query finds with what it is given. Raises Refusal."""
        return await self._read(lambda connection: list(connection.execute(query, given).all()))

    async def look_up(self, query: sa.Select[*Found], given: Row) -> list[sa.Row[*Found]]:
        """Return what `select` does, for a question about one table that is asked at each request. Raises Refusal.

        Where no other node writes, the answer is kept as long as nothing is written to that table.
        """
        if not self._alone:
            return await self.select(query, given)
        answers = self._answers.setdefault(_table_of(query), {})
        key = query, *given.values()
        if key not in answers:
            found = await self.select(query, given)
            if len(answers) >= MOST_ANSWERS:
                answers.clear()
            answers[key] = found  # of no effect if something was written meanwhile: others are kept by then
        return cast("list[sa.Row[*Found]]", answers[key])

    def _forget(self, work: Work) -> None:
        """Keep no answers about the tables that something was written to."""
        for statement, _ in work.statements:
            if isinstance(statement, sa.UpdateBase):
                self._answers.pop(statement.table, None)

    # --- journals ---

    async def append(
        self, table: str, number: int, entries: Sequence[JournalEntry], then: Sequence[Statement] = (), **values: Any
    ) -> None:
        """Write entries from a number on, what they change of the table, and then something more; see `keep`."""
        rows = Rows(table)
        rows.entries, rows.values = list(entries), values
        await self.keep(number, rows, then)

    async def keep(self, number: int, rows: Rows, then: Sequence[Statement] = ()) -> None:
        """Write what was collected, the first entry under a number, and then something more.

        All is durable when this returns. Raises Conflict, and nothing of it is written, if one of the numbers is taken
        or something is not as expected.
        """
        entries = [
            {"table_id": rows.table, "number": number + i, "kind": entry.kind, "text": entry.text}
            for i, entry in enumerate(rows.entries)
        ]
        if rows.values.keys() == {"turn"} and not (rows.expected or rows.seats or rows.also or then):
            # A move: the rest of it happens once a game.
            await self._commit(entries, [], [{"table": rows.table, "seat": rows.values["turn"]}])
            return
        statements = [change(seats, rows.table, *seat) for seat in rows.seats]
        if rows.values or rows.expected:
            statements.append(change(tables, rows.table, rows.expected, rows.values))
        await self._commit(entries, [*statements, *rows.also, *then])

    async def _commit(self, rows: list[dict[str, Any]], statements: list[Statement], turns: Sequence[Row] = ()) -> None:
        """Have something written; it is durable when this returns. Raises Conflict; Refusal if it can't be."""
        if self._closing:
            raise Refusal("unavailable", "the server is about to stop; try again in a moment")
        try:
            await self._writer.write(rows, turns, statements)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            self._complain("written", error)
            raise Refusal("unavailable", "could not save; try again in a moment") from None

    async def _read(self, read: Callable[[sa.Connection], T]) -> T:
        """Return what a function reads from a connection, in another thread. Raises Refusal where that fails."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._reader.read(read)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            self._complain("read", error)
            raise Refusal("unavailable", "the tables can't be read just now; try again in a moment") from None

    def _complain(self, what: str, error: Exception) -> None:
        """Log that the database can't be read or written, once a minute as long as that is so."""
        moment = time.monotonic()
        if moment - self._complained.get(what, -math.inf) >= COMPLAINT_SECONDS:
            self._complained[what] = moment
            log.error(f"the database can't be {what}", error=said(error))

    async def read_journal(self, table: str, since: int = 0) -> list[JournalEntry]:
        """The entries of a table in order, from a number on. Raises Unreadable."""
        theirs = (journal.c.table_id == table) & (journal.c.number >= since)
        query = sa.select(journal.c.kind, journal.c.text).where(theirs).order_by(journal.c.number)

        def read(connection: sa.Connection) -> tuple[list[JournalEntry], bytes | None]:
            entries = [JournalEntry(kind, text) for kind, text in connection.execute(query)]
            if entries:
                return entries, None
            # Asked for second: between the two the journal may be packed.
            return [], connection.execute(sa.select(packed.c.entries).where(packed.c.table_id == table)).scalar()

        entries, value = await self._read(read)
        with as_unreadable():
            return entries if value is None else unpack(value)[since:]

    async def numbers_of(self, ids: Sequence[str]) -> dict[str, int]:
        """How many entries the journals of some tables have, those that have any and are not packed."""
        counted = sa.select(journal.c.table_id, sa.func.max(journal.c.number) + 1)
        rows = await self.select(counted.where(journal.c.table_id.in_(ids)).group_by(journal.c.table_id))
        return {row[0]: row[1] for row in rows}

    # --- tables and seats ---

    async def add_table(
        self, row: dict[str, Any], seat_rows: list[dict[str, Any]], also: Sequence[Statement] = ()
    ) -> None:
        """Keep a new table with its seats, and what belongs to it. Raises Conflict if some of that is there."""
        seated = [seat | {"table_id": row["id"]} for seat in seat_rows]
        opened = (_TABLE, row | {"opened": now(), "touched": today()})
        await self._commit([], [opened, (_SEATS, seated), *also])

    async def read_table(self, table: str) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """A table with its seats in order; None if there is none."""
        return next(iter(await self.read_tables([table])), None)

    async def read_tables(self, ids: Sequence[str]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Those of some tables that are there, in the order asked for, each with its seats in order."""
        by_table = sa.select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.seat)

        def read(connection: sa.Connection) -> tuple[Sequence[sa.RowMapping], Sequence[sa.RowMapping]]:
            rows = connection.execute(sa.select(tables).where(tables.c.id.in_(ids))).mappings().all()
            return rows, connection.execute(by_table).mappings().all()

        rows, seated = await self._read(read)
        found = {row["id"]: dict(row) for row in rows}
        return [
            (found[table], [dict(seat) for seat in seated if seat["table_id"] == table])
            for table in ids
            if table in found
        ]

    async def update_table(self, table: str, **values: Any) -> None:
        """Change what is kept of a table."""
        await self._commit([], [change(tables, table, {}, values)])

    async def archive(self, table: str, guest: str, archived: bool) -> None:
        """Leave a table out of the list of a guest who sits there, or bring it back."""
        await self._commit([], [change(seats, table, {"guest": guest}, {"shelved": archived})])

    async def tables_with(self, guest: str) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """All tables that a guest opened or sits at, the oldest first, each with its seats in order."""
        theirs = sa.select(seats.c.table_id).where(sa.or_(seats.c.guest == guest, seats.c.left_by == guest))
        query = sa.select(tables.c.id).where(sa.or_(tables.c.host == guest, tables.c.id.in_(theirs)))
        ids = [row.id for row in await self.select(query.order_by(tables.c.opened))]
        return [table for i in range(0, len(ids), AT_ONCE) for table in await self.read_tables(ids[i : i + AT_ONCE])]

    async def erase_guest(
        self,
        table: str,
        guest: str,
        phase: str,
        *,
        seated: bool,
        left: bool,
        host: bool,
        bot: str,
        name: str,
        due: str | None,
    ) -> None:
        """Remove a guest from a table that is in some phase. Raises Conflict if it is in another one by now.

        A slow table is due from a time on, so that a bot goes on there.
        """
        rows = Rows(table)
        rows.expect(phase=phase)
        if seated and phase == "waiting":
            rows.set_seats({"guest": guest}, **FREED)
        elif seated:
            playing = {"bot": bot} if phase == "playing" else {}
            rows.set_seats({"guest": guest}, guest=None, name=name, agrees=None, away=None, **playing)
        if left:
            rows.set_seats({"left_by": guest}, name=name, left_by=None)
        if host:
            rows.set(host=None, **({"phase": "closed"} if phase == "waiting" else {}))
        if due is not None and phase == "playing":
            rows.set(due=due)
        await self.keep(0, rows)

    async def tables_of(self, guest: str, limit: int) -> list[str]:
        """The tables of a guest: slow ones that wait for it first, then the latest, those that are over last.

        Those that were closed or archived are not among them.
        """
        theirs = sa.select(seats.c.table_id).where(seats.c.guest == guest, ~seats.c.shelved)
        query = sa.select(tables.c.id).where(tables.c.id.in_(theirs), tables.c.phase != "closed")
        waits = sa.exists().where(
            seats.c.table_id == tables.c.id,
            seats.c.seat == tables.c.turn,
            seats.c.guest == guest,
            seats.c.bot.is_(None),
        )
        slow_first = sa.case((waits & tables.c.turn_days.is_not(None), tables.c.deadline), else_="9999")
        query = query.order_by(tables.c.phase == "over", slow_first, tables.c.opened.desc()).limit(limit)
        return [row.id for row in await self.select(query)]

    async def open_tables_of(self, guest: str) -> int:
        """Return at how many tables a guest sits where the game is not over, archived ones among them."""
        theirs = sa.select(seats.c.table_id).where(seats.c.guest == guest)
        going_on = tables.c.id.in_(theirs) & tables.c.phase.in_(("waiting", "playing"))
        ((count,),) = await self.select(sa.select(sa.func.count()).where(going_on))
        return count


def change(changed: sa.Table, table: str, expected: Mapping[str, Any], values: Mapping[str, Any]) -> Statement:
    """Return a change of the row of a table, or of those of its seats, where some columns are as expected."""
    which = tuple((column, value is None) for column, value in expected.items())
    given = {"table": table} | {f"is_{column}": value for column, value in expected.items() if value is not None}
    new = values or expected  # where nothing is to be changed, only to be as expected
    return _changing(changed, which, tuple(new)), given | {f"new_{column}": value for column, value in new.items()}


@functools.cache
def _changing(changed: sa.Table, expected: tuple[tuple[str, bool], ...], columns: tuple[str, ...]) -> sa.Update:
    """A statement that sets some columns where others are as expected, or are null.

    To make one takes longer than to execute it.
    """
    key = changed.c.id if changed is tables else changed.c.table_id
    conditions = [
        changed.c[column].is_(None) if is_null else changed.c[column] == sa.bindparam(f"is_{column}")
        for column, is_null in expected
    ]
    values: dict[Any, Any] = {column: sa.bindparam(f"new_{column}") for column in columns}
    return sa.update(changed).where(key == sa.bindparam("table"), *conditions).values(values)


@functools.cache
def _table_of(query: sa.Select[*tuple[Any, ...]]) -> sa.FromClause:
    """Return the one table that a query asks about. To find out takes longer than to ask."""
    (table,) = query.get_final_froms()
    return table
