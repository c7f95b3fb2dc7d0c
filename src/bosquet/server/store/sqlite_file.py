"""An SQLite database as a file: opened without the server, checked, copied."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

DATABASE = "tables.db"
"""The database of a data folder."""
PARTS = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm")
"""Its files: what was committed last may be in the second alone."""


@contextlib.contextmanager
def opened(file: Path, *, write: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a database that is there, to read it unless `write` is true. Raises sqlite3.Error.

    A server that uses it goes on.
    """
    connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode={'rw' if write else 'ro'}", uri=True, timeout=5)
    connection.text_factory = decoded
    with contextlib.closing(connection):
        yield connection


NOT_TEXT = "its schema is not text"
"""What is wrong where SQLite names a damaged table in bytes of which Python can't make its error."""


def decoded(text: bytes) -> str:
    """Return a text; bytes that are none are replaced, so that they do not hide the rows beside it."""
    return text.decode(errors="replace")


def copy(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment; the copy is one file. Raises sqlite3.Error."""
    with opened(source) as read, contextlib.closing(sqlite3.connect(target)) as written:
        read.backup(written)
        written.execute("PRAGMA journal_mode=DELETE")


def damage(connection: sqlite3.Connection) -> str | None:
    """Return what is wrong with a database, in SQLite's words; None if nothing is."""
    try:
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    except UnicodeDecodeError:
        return NOT_TEXT
    return None if found == ("ok",) else str(found[0]).splitlines()[-1]


def found_damage(file: Path, seconds: float) -> str | None:
    """Look for damage for some time; return what is wrong, None if nothing was found. Raises sqlite3.Error."""
    with opened(file) as connection:
        timer = threading.Timer(seconds, connection.interrupt)
        timer.start()
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                return None
            raise
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT:
                return str(error)
            raise
        except UnicodeDecodeError:
            return NOT_TEXT
        finally:
            timer.cancel()
            timer.join()
    return None if found == ("ok",) else str(found[0]).splitlines()[-1]


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error says that the file is damaged, or is no database at all."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
