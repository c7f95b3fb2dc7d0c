"""`bosquet check`: a database is replayed without its server, and what can't be read is named."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bosquet.cli import app
from bosquet.core.errors import BosquetError
from bosquet.server.host.checking import check_database
from bosquet.server.store.sqlite_file import DATABASE
from bosquet.server.store.store import JournalEntry, Store
from tests.helpers.rows import each_row
from tests.server.helpers.kept import change, damage_pages, keep_game, with_store

TABLES = ["a", "b", "c"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a table that is over, one that is played and one of another game."""
    folder = tmp_path_factory.mktemp("kept")

    async def fill(store: Store) -> None:
        await keep_game(store, "a", "topiary")
        await keep_game(store, "b", "topas", plies=4)
        await keep_game(store, "c", "schlossgarten", plies=4)

    with_store(folder, fill)
    return folder / DATABASE


def test_all_tables_are_replayed(kept: Path) -> None:
    assert list(check_database(kept)) == [(table, None) for table in TABLES]


BAD_ROWS = {
    "UPDATE tables SET options = '{' WHERE id = 'b'": "its row and seats can't be read (ValidationError)",
    "UPDATE tables SET options = '[]' WHERE id = 'b'": "its row and seats can't be read (ValidationError)",
    """UPDATE tables SET options = '{"players": 9}' WHERE id = 'b'""": "its row and seats can't be read (OptionError)",
    "UPDATE tables SET game = 'chess' WHERE id = 'b'": "its row and seats can't be read (OptionError)",
    "UPDATE tables SET phase = 'lost' WHERE id = 'b'": "its row and seats can't be read (ValidationError)",
    "UPDATE tables SET phase = 'over' WHERE id = 'b'": "its game is not over, and its row says otherwise",
    "DELETE FROM seats WHERE table_id = 'b' AND seat = 1": "its row and seats can't be read (LookupError)",
    "UPDATE journal SET text = 'nonsense' WHERE table_id = 'b' AND number = 2": (
        "entry 2 of its journal can't be read (IllegalMove)"
    ),
    "UPDATE journal SET kind = 'odd' WHERE table_id = 'b' AND number = 2": (
        "entry 2 of its journal can't be read (ValueError)"
    ),
    "DELETE FROM journal WHERE table_id = 'b' AND number = 1": "an entry of its journal is missing",
}


@each_row(("statement", "why"), BAD_ROWS.items())
def test_only_the_bad_table_is_named(kept: Path, tmp_path: Path, statement: str, why: str) -> None:
    database = tmp_path / DATABASE
    shutil.copy(kept, database)
    change(database, statement)
    assert list(check_database(database)) == [("a", None), ("b", why), ("c", None)]


def test_the_command_works_beside_a_server_and_its_exit_code_tells(kept: Path, tmp_path: Path) -> None:
    shutil.copy(kept, tmp_path / DATABASE)

    def check() -> tuple[int, list[str]]:
        result = CliRunner().invoke(app, ["check", "--data", str(tmp_path)])
        said = [line for line in result.output.splitlines() if not line.startswith("checking ")]
        return result.exit_code, sorted(said)

    async def serve(store: Store) -> None:
        await store.update_table("b", pace="instant")
        assert await asyncio.to_thread(check) == (0, ["3 tables, all can be read"])
        await store.append("b", 4, [JournalEntry("move", "nonsense")])
        said = ["2 tables can be read", "table b: entry 4 of its journal can't be read (IllegalMove)"]
        assert await asyncio.to_thread(check) == (1, said)

    with_store(tmp_path, serve)


def test_what_a_killed_server_has_left_is_read(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    shutil.copy(kept, tmp_path / "data" / DATABASE)
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as running, running:
        running.execute("UPDATE tables SET game = 'chess' WHERE id = 'b'")
        running.commit()
        shutil.copytree(tmp_path / "data", tmp_path / "killed")
    (tmp_path / "killed" / f"{DATABASE}-shm").unlink(missing_ok=True)
    assert [table for table, why in check_database(tmp_path / "killed" / DATABASE) if why] == ["b"]


def test_a_damaged_database_is_read_as_far_as_it_goes(kept: Path, tmp_path: Path) -> None:
    database = tmp_path / DATABASE
    shutil.copy(kept, database)
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'journal'").fetchone()
    damage_pages(database, (page - 1) * 4096)
    (whole, damaged), *found = check_database(database)
    assert whole is None
    assert damaged is not None
    assert damaged.startswith("is damaged (")
    assert [table for table, _ in found] == TABLES
    assert all(why is not None and "malformed" in why for _, why in found)


def test_what_is_no_database_of_this_version_is_refused(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / DATABASE
    with pytest.raises(BosquetError, match="there is no such file; name another --data"):
        list(check_database(database))
    database.write_bytes(b"garbage" * 1000)
    with pytest.raises(BosquetError, match="is no database of bosquet that can be read"):
        list(check_database(database))
    shutil.copy(kept, database)
    monkeypatch.setattr("bosquet.server.host.checking.revisions", lambda: ["0003", "0002"])
    for version, which in (("9999", "a newer"), ("0002", "an older")):
        change(database, f"UPDATE alembic_version SET version_num = '{version}'")
        with pytest.raises(BosquetError, match=f"was written by {which} bosquet"):
            list(check_database(database))
