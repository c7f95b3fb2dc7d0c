"""A database checked without its server: the file itself, then every table, replayed from its journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from bosquet.core.errors import BosquetError
from bosquet.server.base.refusals import Unreadable, as_unreadable
from bosquet.server.store.entries import JournalEntry
from bosquet.server.store.migrate import revisions
from bosquet.server.store.packing import unpack
from bosquet.server.store.schema import journal, packed, seats, tables
from bosquet.server.store.sqlite_file import damage, opened
from bosquet.server.table.actions import replay
from bosquet.server.table.session import Session

Finding = tuple[str | None, str | None]
"""A table, None for the database as a whole, and what is wrong, None if nothing is."""

Kept = tuple[dict[str, Any] | None, list[dict[str, Any]], list[tuple[int, JournalEntry]]]
"""The row of a table, None if there is none, its seats, and the numbered entries of its journal."""


def check_database(file: Path) -> Iterator[Finding]:
    """Check a database and replay each of its tables. Nothing is written, and its server may go on.

    Raises BosquetError where that is no database of this version.
    """
    if not file.is_file():
        raise BosquetError(f"{file}: there is no such file; name another --data")
    try:
        with opened(file) as connection:
            _check_version(file, connection)
            wrong = damage(connection)
            if wrong is not None:
                yield None, f"is damaged ({wrong}); `bosquet restore FILE` brings a backup back"
            yield from _check_tables(connection)
    except sqlite3.Error as error:
        raise BosquetError(f"{file}: is no database of bosquet that can be read ({error}); restore a backup") from None


def _check_version(file: Path, connection: sqlite3.Connection) -> None:
    """Check that this version can read the tables. Raises BosquetError, sqlite3.Error."""
    found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    present, *former = revisions()
    if found is None or found[0] not in (present, *former):
        raise BosquetError(f"{file}: was written by a newer bosquet than this one; install the newer one")
    if found[0] != present:
        raise BosquetError(
            f"{file}: was written by an older bosquet; start a server with it, which brings it up to date"
        )


def _check_tables(raw: sqlite3.Connection) -> Iterator[Finding]:
    raw.isolation_level = None
    engine = sa.create_engine("sqlite://", creator=lambda: raw, poolclass=sa.StaticPool)
    with engine.connect() as connection:
        try:
            ids = list(connection.execute(sa.select(tables.c.id).order_by(tables.c.id)).scalars())
        except DatabaseError as error:
            yield None, f"the list of tables can't be read ({error.orig})"
            return
        for table in ids:
            yield table, _check_table(connection, table)


def _check_table(connection: sa.Connection, table: str) -> str | None:
    """Replay a table; return what is wrong with it, which tells nothing hidden."""
    played = "its row and seats"
    try:
        row, seated, entries = _read(connection, table)
        if row is None:
            return None  # deleted meanwhile
        if [number for number, _ in entries] != list(range(len(entries))):
            return "an entry of its journal is missing"
        session = Session.read(row, seated)
        if session.phase in ("playing", "over"):
            session.ensure_dealt()
            for number, entry in entries:
                played = f"entry {number} of its journal"
                replay(session, entry)
            over = session.dealt().over
            if over != (session.phase == "over"):
                return f"its game {'is' if over else 'is not'} over, and its row says otherwise"
    except Unreadable as error:
        return f"{played} can't be read ({error.error})"
    except DatabaseError as error:
        return f"it can't be read ({error.orig})"
    return None


def _read(connection: sa.Connection, table: str) -> Kept:
    """Read what is kept of a table at one moment. Raises DatabaseError, Unreadable."""
    connection.exec_driver_sql("BEGIN")
    try:
        row = connection.execute(sa.select(tables).where(tables.c.id == table)).mappings().one_or_none()
        found = connection.execute(sa.select(seats).where(seats.c.table_id == table).order_by(seats.c.seat))
        seated = [dict(seat) for seat in found.mappings()]
        query = sa.select(journal).where(journal.c.table_id == table).order_by(journal.c.number)
        rows = connection.execute(query).mappings()
        entries = [(row["number"], JournalEntry(row["kind"], row["text"])) for row in rows]
        value = connection.execute(sa.select(packed.c.entries).where(packed.c.table_id == table)).scalar()
        if value is not None:
            with as_unreadable():
                entries = list(enumerate(unpack(value)))
    finally:
        connection.exec_driver_sql("ROLLBACK")
    return None if row is None else dict(row), seated, entries
