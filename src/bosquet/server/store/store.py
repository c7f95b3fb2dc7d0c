"""The database: tables, their seats and their journals, in any database that SQLAlchemy can use.

The journal of a table is append-only: moves, moves of chance, moves taken back. `(table, number)` is unique, so of two
entries that are written at once one is refused.
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
from alembic.util import CommandError
from sqlalchemy import Executable
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from structlog.typing import FilteringBoundLogger

from bosquet.core.errors import BosquetError
from bosquet.server.base.clock import now, today
from bosquet.server.base.metrics import Metrics
from bosquet.server.base.refusals import Refusal, as_unreadable
from bosquet.server.store.databases import READING, database_of, said
from bosquet.server.store.entries import JournalEntry as JournalEntry
from bosquet.server.store.migrate import migrate
from bosquet.server.store.packing import unpack
from bosquet.server.store.reader import Reader
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
FREED: Mapping[str, Any] = dict.fromkeys(("guest", "name", "nonce", "agrees")) | dict.fromkeys(
    ("hints", "program", "shelved", "chat"), False
)
"""The columns of a seat that is free before the deal."""
Statement = tuple[Executable, Any]
"""A statement, and what it is given."""
_ENTRY = sa.insert(journal)
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
        self._writer = Writer(writing, _ENTRY, _TURN, self._metrics, self._forget, alone=alone)
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
        except (SQLAlchemyError, CommandError) as error:
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
        self,
        table: str,
        number: int,
        entries: Sequence[JournalEntry],
        also: Sequence[Statement] = (),
        then: Sequence[Statement] = (),
        **values: Any,
    ) -> None:
        """Write entries from a number on, what they change of the table, and then something more.

        All is durable when this returns.

        Raises Conflict if one of the numbers is taken; nothing of it is then written.
        """
        rows = [
            {"table_id": table, "number": number + i, "kind": entry.kind, "text": entry.text}
            for i, entry in enumerate(entries)
        ]
        if values.keys() == {"turn"} and not also and not then:  # a move: the rest of it happens once a game
            await self._commit(rows, [], [{"table": table, "seat": values["turn"]}])
        else:
            await self._commit(rows, [*also, *([_update(table, **values)] if values else []), *then])

    async def _commit(self, rows: list[dict[str, Any]], statements: list[Statement], turns: Sequence[Row] = ()) -> None:
        """Have something written; it is durable when this returns. Raises Conflict; Refusal if it can't be."""
        if self._closing:
            raise Refusal("unavailable", "the server is about to stop; try again in a moment")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
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
        opened = (sa.insert(tables), row | {"opened": now(), "touched": today()})
        await self._commit([], [opened, (sa.insert(seats), seated), *also])

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

    async def update_table(self, table: str, also: Sequence[Statement] = (), **values: Any) -> None:
        """Change what is kept of a table."""
        await self._commit([], [*([_update(table, **values)] if values else []), *also])

    async def take_seat(
        self, table: str, seat: int, guest: str, name: str, program: bool = False, barred: str = "", chat: bool = False
    ) -> None:
        """Somebody sits down.

        Raises Conflict if the seat is taken, if others are `barred`, or if the table waits for nobody any more.
        """
        taken = _update_seat(
            table, seat, "of no guest", "of no bot", guest=guest, name=name, program=program, chat=chat
        )
        await self._commit([], [taken, _still_waiting(table, barred)])

    async def bar(
        self, table: str, barred: str, since: str, seat: int | None, guest: str | None, invitation: str | None
    ) -> None:
        """Somebody is sent away, from a seat before the deal, and another invitation counts if one is given.

        Raises Conflict if others are barred than `since` then, or if the guest does not sit there any more.
        """
        values = {"barred": barred} | ({} if invitation is None else {"invitation": invitation})
        if seat is None or guest is None:
            statement, given = _update(table, "barred", **values)
            await self._commit([], [(statement, given | {"since_barred": since})])
            return
        await self._commit(
            [], [_update_seat(table, seat, "of guest", whose=guest, **FREED), _still_waiting(table, since, **values)]
        )

    async def give_seat(
        self, table: str, seat: int, guest: str | None, bot: str, name: str, also: Sequence[Statement] = ()
    ) -> None:
        """A bot plays on a seat that is this guest's, or free. Raises Conflict if it is another's or a bot's."""
        theirs = "of no guest" if guest is None else "of guest"
        given: dict[str, Any] = {"bot": bot, "name": name} | ({} if guest is None else {"stood_in": True})
        await self._commit([], [_update_seat(table, seat, theirs, "of no bot", whose=guest, **given), *also])

    async def take_back(self, table: str, guest: str, also: Sequence[Statement] = ()) -> None:
        """No bot stands in for a guest any more."""
        await self._commit([], [_update_seats_of(table, guest, bot=None), *also])

    async def allow_hints(self, table: str, guest: str, allow: bool) -> None:
        """A guest agrees to hints, or does no longer."""
        await self._commit([], [_update_seats_of(table, guest, hints=allow)])

    async def allow_chat(self, table: str, guest: str, allow: bool) -> None:
        """A guest switches the chat on, or off."""
        await self._commit([], [_update_seats_of(table, guest, chat=allow)])

    async def leave_seat(
        self, table: str, seat: int, guest: str, bot: str, how: str, also: Sequence[Statement] = ()
    ) -> None:
        """A guest gives a seat to a bot for good. Raises Conflict if it is not theirs any more."""
        given: dict[str, Any] = {"guest": None, "bot": bot, "left": how, "left_by": guest}
        given |= {"hints": False, "agrees": None, "program": False, "chat": False}
        playing = _update(table, "is playing", phase="playing")
        await self._commit([], [_update_seat(table, seat, "of guest", whose=guest, **given), playing, *also])

    async def agree(self, table: str, guest: str, offer: str) -> None:
        """A guest offers something, or agrees to it."""
        await self._commit([], [_update_seats_of(table, guest, agrees=offer)])

    async def drop_offers(self, table: str) -> None:
        """Nobody offers anything any more."""
        await self._commit(
            [], [(_changing(seats, ("at table",), ("agrees",)), {"table": table} | _new({"agrees": None}))]
        )

    async def go_on(self, table: str, rematch: str) -> None:
        """The same people play again at another table. Raises Conflict if they do so at one already."""
        await self._commit([], [_update(table, "without rematch", rematch=rematch)])

    async def archive(self, table: str, guest: str, archived: bool) -> None:
        """Leave a table out of the list of a guest who sits there, or bring it back."""
        await self._commit([], [_update_seats_of(table, guest, shelved=archived)])

    async def add_nonces(
        self,
        table: str,
        nonces: dict[int, str],
        also: Sequence[Statement] = (),
        barred: str | None = None,
        **values: Any,
    ) -> None:
        """What some seats add to the shuffle, and what that changes of the table.

        Raises Conflict if one of them has added already, if others are `barred` (somebody was sent away), or if the
        table waits for nobody any more.
        """
        statements = [_update_seat(table, seat, "without nonce", nonce=nonce) for seat, nonce in nonces.items()]
        await self._commit([], [*statements, _still_waiting(table, barred, **values), *also])

    async def close_table(self, table: str) -> None:
        """The table is given up before the deal. Raises Conflict if the game has started."""
        await self._commit([], [_still_waiting(table, phase="closed")])

    def timed(self, table: str, since: str | None, deadline: str | None, due: str | None) -> Statement:
        """Return the change of a deadline, which is a conflict where it is not the one since when any more."""
        which, given = ("no deadline", {}) if since is None else ("deadline", {"since": since})
        statement, values = _update(table, which, deadline=deadline, due=due)
        return statement, values | given

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
        erased: Mapping[str, Any] = {"guest": None, "name": name, "agrees": None}
        if phase == "waiting":
            erased = FREED
        elif phase == "playing":
            erased = {**erased, "bot": bot}
        row: dict[str, Any] = {"host": None} if host else {}
        if due is not None and phase == "playing":
            row |= {"due": due}
        if phase == "waiting":
            change = _still_waiting(table, **({"phase": "closed", "host": None} if host else {}))
        else:
            change = _update(table, f"is {phase}", **({"phase": phase} | row))
        seated_rows = [_update_seats_of(table, guest, **erased)] if seated else []
        left_rows = [_update_seats_of(table, guest, "left by", name=name, left_by=None)] if left else []
        await self._commit([], [*seated_rows, *left_rows, change])

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


_CONDITIONS = {
    "table": tables.c.id == sa.bindparam("table"),
    "waiting": tables.c.phase == "waiting",
    **{f"is {phase}": tables.c.phase == phase for phase in ("playing", "over", "closed")},
    "deadline": tables.c.deadline == sa.bindparam("since"),
    "no deadline": tables.c.deadline.is_(None),
    "barred": tables.c.barred == sa.bindparam("since_barred"),
    "without rematch": tables.c.rematch.is_(None),
    "seat": (seats.c.table_id == sa.bindparam("table")) & (seats.c.seat == sa.bindparam("place")),
    "theirs": (seats.c.table_id == sa.bindparam("table")) & (seats.c.guest == sa.bindparam("whose")),
    "left by": (seats.c.table_id == sa.bindparam("table")) & (seats.c.left_by == sa.bindparam("whose")),
    "at table": seats.c.table_id == sa.bindparam("table"),
    "of guest": seats.c.guest == sa.bindparam("whose"),
    "of no guest": seats.c.guest.is_(None),
    "of no bot": seats.c.bot.is_(None),
    "without nonce": seats.c.nonce.is_(None),
}


@functools.cache
def _changing(changed: sa.Table, conditions: tuple[str, ...], columns: tuple[str, ...]) -> sa.Update:
    """A statement that sets some columns where some conditions hold. To make one takes longer than to execute it."""
    values: dict[Any, Any] = {column: sa.bindparam(f"new_{column}") for column in columns}
    return sa.update(changed).where(*(_CONDITIONS[condition] for condition in conditions)).values(values)


@functools.cache
def _table_of(query: sa.Select[*tuple[Any, ...]]) -> sa.FromClause:
    """Return the one table that a query asks about. To find out takes longer than to ask."""
    (table,) = query.get_final_froms()
    return table


def _update(table: str, *conditions: str, **values: Any) -> Statement:
    """A change of one table, if some conditions hold."""
    return _changing(tables, ("table", *conditions), tuple(values)), {"table": table} | _new(values)


def _still_waiting(table: str, barred: str | None = None, /, **values: Any) -> Statement:
    """A change of one table before its deal; nothing else is written with it if the table has gone on, or is closed.

    If `barred` is given, nor if others are by now.
    """
    changed = {"phase": "waiting"} | values
    if barred is None:
        return _update(table, "waiting", **changed)
    statement, given = _update(table, "waiting", "barred", **changed)
    return statement, given | {"since_barred": barred}


def _update_seat(table: str, seat: int, *conditions: str, whose: str | None = None, **values: Any) -> Statement:
    """A change of one seat, if some conditions hold."""
    given = {"table": table, "place": seat} | ({} if whose is None else {"whose": whose})
    return _changing(seats, ("seat", *conditions), tuple(values)), given | _new(values)


def _update_seats_of(table: str, whose: str, which: str = "theirs", /, **values: Any) -> Statement:
    """A change of all seats that a guest has at a table, or has left there."""
    return _changing(seats, (which,), tuple(values)), {"table": table, "whose": whose} | _new(values)


def _new(values: dict[str, Any]) -> dict[str, Any]:
    return {f"new_{column}": value for column, value in values.items()}
