"""The databases that tables can be kept in: SQLite, a file of one server, and PostgreSQL."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError

from bosquet.core.errors import BosquetError, quoted
from bosquet.core.system.extras import remedy
from bosquet.server.store.migrate import NewerFormError
from bosquet.server.store.sqlite_file import decoded, found_damage

CHECK_SECONDS = 1.0
"""How long a start looks for damage: long enough for about 20 MB. `bosquet check` takes its time."""
LEAST_ROOM = 1 << 20
SILENCE = {
    "tcp_user_timeout": 5000,
    "keepalives_idle": 2,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""Options of libpq: a connection on which nothing is heard for some seconds is lost."""
READING = 8
"""Connections of one node that read, each in a thread of its own; one more writes."""
CONNECT_SECONDS = 5
LOCK = 0x626F7371
"""The number of the lock that the one server of a database of PostgreSQL holds; its bytes are `bosq`."""
LOCK_PAUSES = (0.05, 0.2, 0.75)
"""Seconds between attempts to take it."""
POSTGRESQL_DRIVER = "psycopg"


class Database(Protocol):
    """What differs between databases; statements are the same for all."""

    shown: str
    """What errors call it; no password is in it."""

    def engines(self) -> tuple[sa.Engine, sa.Engine]:
        """Return an engine with `READING` connections to read with, and one for the one connection that writes."""

    def check(self) -> None:
        """Look for damage before it is opened. Raises BosquetError."""

    def why(self, error: Exception) -> str:
        """Return what is wrong where it can't be opened, and what to do."""

    def is_busy(self, error: Exception) -> bool:
        """Return whether it can't be opened because another one is opening it."""

    def size(self) -> float:
        """Return its size in bytes; 0 if that is not known."""


def database_of(address: str, *, alone: bool = True) -> Database:
    """Return the database at an SQLAlchemy URL; one that is used alone lets no second node in. Raises BosquetError."""
    try:
        url = sa.make_url(address)
    except (ArgumentError, ValueError):
        raise BosquetError("--database: not a URL; it must be postgresql://USER:PASSWORD@HOST:PORT/NAME") from None
    match url.get_backend_name():
        case "sqlite" if not alone:
            raise BosquetError("--bus: several nodes need --database postgresql://…; an SQLite file has one server")
        case "sqlite":
            return Sqlite(url)
        case "postgresql":
            return Postgresql(url, alone=alone)
        case other:
            raise BosquetError(f"--database {quoted(other)}: no such database; it must be a postgresql:// URL")


class Sqlite:
    """A file that one server holds."""

    def __init__(self, url: sa.URL) -> None:
        self._url = url
        self.shown: str = url.database or ""

    def engines(self) -> tuple[sa.Engine, sa.Engine]:
        """Return the engines; each commit is on disk when it returns."""
        # An error that is logged must not tell the secrets that were to be written.
        url = self._url.set(drivername="sqlite")
        pool = {"poolclass": sa.QueuePool, "pool_size": READING, "max_overflow": 0}
        reading = sa.create_engine(url, hide_parameters=True, **pool)
        writing = sa.create_engine(url, hide_parameters=True)
        for engine in (reading, writing):
            sa.event.listen(engine, "connect", _prepare_sqlite)
        return reading, writing

    def check(self) -> None:
        """Look for damage, if there is a file. Raises BosquetError."""
        if not Path(self.shown).is_file():
            return
        with contextlib.suppress(sqlite3.Error):  # what is wrong is found again when it is opened
            wrong = found_damage(Path(self.shown), CHECK_SECONDS)
            if wrong is not None:
                raise BosquetError(
                    f"{self.shown}: is damaged ({wrong}); bring a backup back with `bosquet restore FILE`; "
                    "`bosquet check` says which tables can still be read"
                )

    def why(self, error: Exception) -> str:
        """Return what is wrong, and what to do."""
        if isinstance(error, NewerFormError):
            return "was written by a newer bosquet than this one; install the newer one, or name another --data"
        wrong = said(error)
        if "full" in wrong or ("I/O" in wrong and self._is_full()):
            return f"can't be written ({wrong}); make room there, or name another --data"
        return f"is no database of bosquet that can be read ({wrong}); `bosquet restore FILE`, or name another --data"

    def is_busy(self, error: Exception) -> bool:
        """Return whether another one is opening it: not all that waits for a lock in SQLite waits long enough."""
        return "locked" in said(error)

    def size(self) -> float:
        """Return the bytes on disk."""
        files = [Path(self.shown + end) for end in ("", "-wal")]
        return float(sum(file.stat().st_size for file in files if self.shown and file.exists()))

    def _is_full(self) -> bool:
        """Whether the disk has not even room for its log."""
        return shutil.disk_usage(Path(self.shown).parent).free < LEAST_ROOM


class Postgresql:
    """A database of a PostgreSQL server. One server of ours uses it at a time, or several nodes with a bus.

    Where it is used alone, the connection that writes holds a lock of the database, so a second server neither starts
    nor writes, not even where the first one has lost its connection and comes back.
    """

    def __init__(self, url: sa.URL, *, alone: bool) -> None:
        """Raises BosquetError where the driver is not installed."""
        self._alone = alone
        if importlib.util.find_spec(POSTGRESQL_DRIVER) is None:
            raise BosquetError(f"--database: PostgreSQL needs a driver; {remedy('nodes')}")
        self._url = url.set(drivername=f"postgresql+{POSTGRESQL_DRIVER}")
        self.shown: str = url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)

    def engines(self) -> tuple[sa.Engine, sa.Engine]:
        """Return the engines."""
        arguments = {"connect_timeout": CONNECT_SECONDS, **SILENCE}
        reading = sa.create_engine(
            self._url,
            hide_parameters=True,
            connect_args=arguments,
            pool_pre_ping=True,
            pool_size=READING,
            max_overflow=0,
        )
        writing = sa.create_engine(
            self._url, hide_parameters=True, connect_args=arguments, poolclass=sa.pool.NullPool
        )  # a connection that is closed must give its lock back
        sa.event.listen(writing, "connect", _hold_alone if self._alone else _share)
        return reading, writing

    def check(self) -> None:
        """Leave that to PostgreSQL."""

    def why(self, error: Exception) -> str:
        """Return what is wrong, and what to do."""
        if isinstance(error, NewerFormError):
            return "was written by a newer bosquet than this one; install the newer one, or name another --database"
        if isinstance(error, HeldByAnother):
            return "another server uses it; end that one, name another --database, or give both a --bus"
        return f"can't be used ({said(error)}); check that it is there and that its user may create tables in it"

    def is_busy(self, error: Exception) -> bool:
        """Return False: what waits for a lock there waits."""
        return False

    def size(self) -> float:
        """Return 0: PostgreSQL has metrics of its own."""
        return 0.0


class HeldByAnother(sa.exc.SQLAlchemyError):
    """Another server holds the lock of a database."""


def said(error: Exception) -> str:
    """Return what a database says of an error: its first line, for others may tell what was to be written."""
    lines = str(error.orig).splitlines() if isinstance(error, DBAPIError) else []
    return lines[0] if lines else type(error).__name__


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Readers do not wait for the writer, and what is committed survives a crash, of the machine too."""
    connection.text_factory = decoded
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _hold_alone(connection: Any, _record: object) -> None:
    """Take the lock of the database for as long as this connection lasts. Raises HeldByAnother."""
    _lock(connection, "pg_try_advisory_lock")


def _share(connection: Any, _record: object) -> None:
    """Share the lock of the database with other nodes. Raises HeldByAnother where a server uses it alone."""
    _lock(connection, "pg_try_advisory_lock_shared")


def _lock(connection: Any, function: str) -> None:
    """Take a lock, or wait for a server that has just ended: PostgreSQL sees the end of its connection later."""
    for pause in (*LOCK_PAUSES, None):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", (LOCK,))
            (held,) = cursor.fetchone()
        connection.commit()
        if held:
            return
        if pause is not None:
            time.sleep(pause)
    connection.close()
    raise HeldByAnother
