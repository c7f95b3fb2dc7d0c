"""Backups of a data folder. A backup is one file: the database, and in a table of its own the key.

A restore prepares the new files in the folder `restoring`, which is there once they are complete. They replace those of
the data folder; if the process ends before that is done, the next one that holds the data folder does it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bosquet.core.errors import BosquetError
from bosquet.core.system.files import check_free
from bosquet.server.base.durable import flush, replacing, unwritable
from bosquet.server.store.folder import Held, hold
from bosquet.server.store.key import KEY_BYTES, KEY_FILE, read_key, write_key
from bosquet.server.store.migrate import revisions
from bosquet.server.store.sqlite_file import DATABASE, PARTS, copy, damage, is_damage, opened

RESTORING = "restoring"
CREATE_TABLE = "CREATE TABLE backup (name TEXT PRIMARY KEY, value BLOB NOT NULL)"


def back_up(data: Path, file: Path, *, force: bool = False) -> None:
    """Write a backup of a data folder, whose server may run. Raises BosquetError."""
    for needed in (data / DATABASE, data / KEY_FILE):
        if not needed.is_file():
            raise BosquetError(f"{needed}: there is no such file, so nothing can be backed up; name another --data")
    if file.resolve().parent == data.resolve():
        raise BosquetError(f"{file}: is in the data folder itself; name a file elsewhere")
    check_free(file, force=force)
    if file.exists() and not file.is_file():
        raise BosquetError(f"{file}: is a device or a pipe; name a file")
    key = read_key(data / KEY_FILE)
    try:
        with replacing(file) as written:
            _write(data / DATABASE, key, written)
    except sqlite3.Error as error:
        raise BosquetError(f"{file}: can't be written: {error}; name another file") from None
    except OSError as error:
        raise BosquetError(f"{file}: can't be written: {error.strerror}; name another file") from None


def _write(database: Path, key: bytes, written: Path) -> None:
    """Write a backup and check it. Raises BosquetError, sqlite3.Error."""
    try:
        copy(database, written)
        with opened(written, write=True) as connection, connection:
            connection.execute(CREATE_TABLE)
            connection.execute("INSERT INTO backup VALUES ('key', ?)", (key,))
        with opened(written) as connection:
            wrong = damage(connection)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        wrong = str(error)
    if wrong is not None:
        raise BosquetError(f"{database}: is damaged ({wrong}), so no backup was written; see `bosquet check`")


def restore(file: Path, data: Path) -> Path | None:
    """Replace the files of a data folder by those of a backup; return the folder that has the former ones, if any.

    Raises BosquetError; nothing has changed then.
    """
    if not file.is_file():
        raise BosquetError(f"{file}: there is no such file; name one that `bosquet backup` has written")
    try:
        with hold(data):
            finish_restore(data)
            _prepare(file, data)
            return finish_restore(data)
    except Held as held:
        raise BosquetError(f"{data}: a server plays with these tables{held.at}; stop it first") from None
    except OSError as error:
        raise unwritable(data, error) from None
    except sqlite3.Error as error:
        raise BosquetError(f"{data}: can't be written: {error}; make room, or name another --data") from None


def finish_restore(data: Path) -> Path | None:
    """Put what a restore has prepared in its place; return the folder that has the former files, if there were any.

    To be called by the holder of the data folder before the database is opened. Raises BosquetError.
    """
    try:
        return _finish(data)
    except OSError as error:
        raise unwritable(data, error) from None


def _finish(data: Path) -> Path | None:
    prepared = data / RESTORING
    former: Path | None = None
    if not prepared.is_dir():
        return None
    if (prepared / DATABASE).exists():
        there = [data / name for name in (*PARTS, KEY_FILE) if (data / name).exists()]
        if there:
            former = data / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
            former.mkdir(mode=0o700, exist_ok=True)
            for old in there:
                os.replace(old, former / old.name)
            flush(former)
            flush(data)
        os.replace(prepared / DATABASE, data / DATABASE)  # first: without it, the files above are new ones
        flush(data)
    for new in prepared.iterdir():
        os.replace(new, data / new.name)
    prepared.rmdir()
    flush(data)
    return former


def _prepare(file: Path, data: Path) -> None:
    """Copy a backup into the data folder and check it. Raises BosquetError, OSError, sqlite3.Error."""
    for unfinished in data.glob(f".{RESTORING}.*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{RESTORING}.", dir=data))
    try:
        database = folder / DATABASE
        try:
            copy(file, database)
            with opened(database, write=True) as connection:
                key = _check(file, connection)
                connection.execute("PRAGMA secure_delete=ON")
                with connection:
                    connection.execute("DROP TABLE backup")
        except sqlite3.DatabaseError as error:
            if is_damage(error):
                raise BosquetError(f"{file}: is no backup that can be read ({error}); name another file") from None
            raise
        flush(database)
        write_key(folder / KEY_FILE, key)
        os.replace(folder, data / RESTORING)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    flush(data)


def _check(file: Path, connection: sqlite3.Connection) -> bytes:
    """Check a backup; return its key. Raises BosquetError, sqlite3.Error."""
    wrong = damage(connection)
    if wrong is not None:
        raise BosquetError(f"{file}: is damaged ({wrong}); name another backup")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "backup" not in tables or "alembic_version" not in tables:
        raise BosquetError(f"{file}: is no backup of bosquet; name a file that `bosquet backup` has written")
    key = connection.execute("SELECT value FROM backup WHERE name = 'key'").fetchone()
    if key is None or not isinstance(key[0], bytes) or len(key[0]) != KEY_BYTES:
        raise BosquetError(f"{file}: has no key; name another backup")
    version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    if version is None or version[0] not in revisions():
        raise BosquetError(f"{file}: was written by a newer bosquet than this one; install the newer one")
    return bytes(key[0])
