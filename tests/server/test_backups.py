"""Backups: whole whenever they are made, restored without anything lost, refused where they are no backups."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bosquet.core.errors import BosquetError
from bosquet.server.host.backups import back_up, finish_restore, restore
from bosquet.server.store.folder import hold
from bosquet.server.store.key import read_key
from bosquet.server.store.sqlite_file import DATABASE
from bosquet.server.store.store import JournalEntry, Store
from tests.helpers.rows import each_row
from tests.server.helpers.kept import change, damage_pages, keep_game, with_store


def data_folder(path: Path, *tables: str) -> Path:
    """A data folder with some tables."""
    path.mkdir()
    read_key(path / "key")

    async def fill(store: Store) -> None:
        for table in tables:
            await keep_game(store, table, plies=5)

    with_store(path, fill)
    return path


def tables_in(data: Path) -> list[str]:
    return with_store(data, lambda store: store.tables_of("ann", 99))


def test_a_backup_brings_tables_and_key_back_and_keeps_what_was_there(tmp_path: Path) -> None:
    data, file = data_folder(tmp_path / "data", "one"), tmp_path / "backup"
    back_up(data, file)
    assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o600
    other = data_folder(tmp_path / "other", "two")
    keys = read_key(data / "key"), read_key(other / "key")
    former = restore(file, other)
    assert former is not None
    assert tables_in(other) == ["one"]
    assert read_key(other / "key") == keys[0]
    assert tables_in(former) == ["two"]
    assert read_key(former / "key") == keys[1]
    with contextlib.closing(sqlite3.connect(other / DATABASE)) as restored, restored:
        assert not restored.execute("SELECT * FROM sqlite_master WHERE name = 'backup'").fetchall()
    assert keys[0] not in (other / DATABASE).read_bytes()
    assert restore(file, tmp_path / "new" / "folder") is None
    assert tables_in(tmp_path / "new" / "folder") == ["one"]


def test_a_backup_is_whole_while_the_server_writes(tmp_path: Path) -> None:
    data, restored = data_folder(tmp_path / "data"), tmp_path / "restored"

    async def write(store: Store) -> None:
        acknowledged = 0
        await keep_game(store, "t", plies=0)
        for i in range(4):
            copying = asyncio.create_task(asyncio.to_thread(back_up, data, tmp_path / f"backup{i}"))
            before = acknowledged
            while not copying.done():
                await store.append("t", acknowledged, [JournalEntry("move", "x" * 300)])
                acknowledged += 1
            await copying
            restore(tmp_path / f"backup{i}", restored / str(i))
            with contextlib.closing(sqlite3.connect(restored / str(i) / DATABASE)) as connection, connection:
                (count,) = connection.execute("SELECT COUNT(*) FROM journal").fetchone()
            assert before <= count <= acknowledged

    with_store(data, write)


def test_a_backup_replaces_a_file_only_if_told_to_and_never_the_data_itself(tmp_path: Path) -> None:
    data, file = data_folder(tmp_path / "data", "one"), tmp_path / "backup"
    file.write_text("precious")
    with pytest.raises(BosquetError, match="exists already; name another file, or add --force"):
        back_up(data, file)
    assert file.read_text() == "precious"
    for place in (data / DATABASE, data / "new"):
        with pytest.raises(BosquetError, match="is in the data folder itself"):
            back_up(data, place, force=True)
    with pytest.raises(BosquetError, match=r"is a folder; name a file$"):
        back_up(data, tmp_path, force=True)
    back_up(data, file, force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "data"]
    with pytest.raises(BosquetError, match="can't be written: No such file or directory"):
        back_up(data, tmp_path / "no" / "folder")
    with pytest.raises(BosquetError, match="there is no such file, so nothing can be backed up; name another --data"):
        back_up(tmp_path / "nothing", tmp_path / "new")


def test_nothing_is_written_of_a_damaged_database(tmp_path: Path) -> None:
    data, file = data_folder(tmp_path / "data", "one"), tmp_path / "backup"
    damage_pages(data / DATABASE)
    with pytest.raises(BosquetError, match=r"is damaged \(.*\), so no backup was written; see `bosquet check`"):
        back_up(data, file)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def spoil(file: Path, how: str) -> None:
    match how:
        case "newer":
            change(file, "UPDATE alembic_version SET version_num = '9999'")
        case "foreign":
            file.unlink()
            change(file, "CREATE TABLE tables (id)")
        case "copy of the database":
            change(file, "DROP TABLE backup")
        case "no key":
            change(file, "UPDATE backup SET value = x'00'")
        case "damaged":
            damage_pages(file)
        case "cut off":
            os.truncate(file, file.stat().st_size - 4096)
        case "text":
            file.write_text("a letter\n" * 2000)
        case "empty":
            file.write_bytes(b"")
        case "missing":
            file.unlink()


SPOILT = {
    "newer": "was written by a newer bosquet than this one; install the newer one",
    "foreign": "is no backup of bosquet",
    "copy of the database": "is no backup of bosquet",
    "no key": "has no key; name another backup",
    "damaged": "is damaged",
    "cut off": "(is damaged|is no backup that can be read)",
    "text": "is no backup that can be read \\(file is not a database\\)",
    "empty": "is no backup of bosquet",
    "missing": "there is no such file",
}


@each_row("how", SPOILT)
def test_what_is_no_backup_changes_nothing(tmp_path: Path, how: str) -> None:
    data, file = tmp_path / "data", tmp_path / "backup"
    if not data.exists():
        data_folder(data, "one")
    file.unlink(missing_ok=True)
    back_up(data, file)
    spoil(file, how)
    before = {path.name: path.read_bytes() for path in data.iterdir() if path.name not in ("lock", f"{DATABASE}-shm")}
    with pytest.raises(BosquetError, match=f"^{re.escape(str(file))}: {SPOILT[how]}"):
        restore(file, data)
    after = {path.name: path.read_bytes() for path in data.iterdir() if path.name not in ("lock", f"{DATABASE}-shm")}
    assert after == before


def test_a_restore_waits_for_no_server(tmp_path: Path) -> None:
    data, file = data_folder(tmp_path / "data", "one"), tmp_path / "backup"
    back_up(data, file)
    with hold(data) as leave_word:
        leave_word("http://127.0.0.1:1/")
        with pytest.raises(BosquetError, match=re.escape("tables at http://127.0.0.1:1/; stop it first")):
            restore(file, data)
    assert not list(data.glob("replaced-*"))


def test_a_damaged_database_is_replaced_and_kept(tmp_path: Path) -> None:
    data, file = data_folder(tmp_path / "data", "one"), tmp_path / "backup"
    back_up(data, file)
    (data / DATABASE).write_bytes(b"garbage" * 1000)
    (data / f"{DATABASE}-wal").write_bytes(b"more")
    former = restore(file, data)
    assert former is not None
    assert (former / DATABASE).read_bytes() == b"garbage" * 1000
    assert (former / f"{DATABASE}-wal").read_bytes() == b"more"
    assert tables_in(data) == ["one"]


@pytest.mark.parametrize(
    "calls", [1, 4, *(pytest.param(calls, marks=pytest.mark.slow) for calls in (0, 2, 3, 5, 6, 7))]
)
def test_a_restore_that_is_cut_off_is_finished_later(
    tmp_path: Path, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, file = data_folder(tmp_path / "data", "one"), tmp_path / "backup"
    back_up(data, file)
    other = data_folder(tmp_path / "other", "two")
    # so that the last commits are beside the database
    with contextlib.closing(sqlite3.connect(other / DATABASE)) as kept_open:
        kept_open.execute("PRAGMA journal_mode=WAL")
        kept_open.execute("UPDATE tables SET pace = 'instant'")
        kept_open.commit()
        shutil.copytree(other, tmp_path / "killed")
    killed, left = tmp_path / "killed", calls
    replace = os.replace

    def cut(*paths: Any) -> None:
        nonlocal left
        if left == 0:
            raise OSError(5, "the power is gone")
        left -= 1
        replace(*paths)

    monkeypatch.setattr(os, "replace", cut)
    with pytest.raises(BosquetError, match="the power is gone"):
        restore(file, killed)
    monkeypatch.undo()
    complete = (killed / "restoring").exists()
    finish_restore(killed)
    assert tables_in(killed) == ["one" if complete else "two"]
    assert read_key(killed / "key") == read_key((data if complete else other) / "key")
    if complete:
        former = tmp_path / "former"
        former.mkdir()
        for folder in killed.glob("replaced-*"):
            shutil.copytree(folder, former, dirs_exist_ok=True)
        assert tables_in(former) == ["two"]
        assert read_key(former / "key") == read_key(other / "key")
        with contextlib.closing(sqlite3.connect(former / DATABASE)) as database, database:
            assert database.execute("SELECT pace FROM tables").fetchall() == [("instant",)]
