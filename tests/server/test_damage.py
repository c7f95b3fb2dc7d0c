"""A damaged database: found at the start, and otherwise only what can't be read is refused."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from bosquet.core.errors import BosquetError
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.http.server import Server
from bosquet.server.store.sqlite_file import DATABASE
from bosquet.server.store.store import Store
from tests.helpers.rows import each_row
from tests.server.helpers.kept import change, damage_pages, keep_game, server_of, with_store
from tests.server.helpers.people import Person, make_app


def rows(database: Path, query: str) -> list[Any]:
    """The first column of what a query finds."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute(query)]


TABLES = ["good", "bad", "other"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three tables at which ann sits."""
    folder = tmp_path_factory.mktemp("kept")

    async def fill(store: Store) -> None:
        for table in TABLES:
            await keep_game(store, table, plies=6)

    with_store(folder, fill)
    return folder / DATABASE


def with_tables(folder: Path, work: Callable[[Server], Awaitable[None]]) -> None:
    """Do something with a server over a data folder."""

    async def with_store_open(store: Store) -> None:
        await work(server_of(store))

    with_store(folder, with_store_open)


async def code_of(work: Awaitable[object]) -> str:
    """The code with which something is refused; empty if it is not."""
    try:
        await work
    except Refusal as refusal:
        return refusal.code
    return ""


BAD_ROWS = [
    "UPDATE tables SET options = '{' WHERE id = 'bad'",
    "UPDATE tables SET options = '[]' WHERE id = 'bad'",
    """UPDATE tables SET options = '{"players": 2, "odd": 1}' WHERE id = 'bad'""",
    "UPDATE tables SET game = 'chess' WHERE id = 'bad'",
    "UPDATE tables SET phase = 'lost' WHERE id = 'bad'",
    "UPDATE tables SET box = '{}' WHERE id = 'bad'",
    "UPDATE tables SET game = CAST(x'ff' AS TEXT) WHERE id = 'bad'",
    "UPDATE tables SET options = CAST(x'ff' AS TEXT) WHERE id = 'bad'",
    "DELETE FROM seats WHERE table_id = 'bad' AND guest = 'bea'",
    "UPDATE seats SET bot = 'nobody' WHERE table_id = 'bad' AND guest = 'bea'",
    "UPDATE journal SET text = CAST(x'ff' AS TEXT) WHERE table_id = 'bad' AND number = 3",
    "UPDATE journal SET kind = 'odd' WHERE table_id = 'bad' AND number = 3",
]
NOT_LISTED = ("box", "journal")
"""What the lobby does not look at."""


@each_row("statement", BAD_ROWS)
def test_a_bad_row_makes_one_table_unreadable_and_the_log_names_it_once(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], statement: str
) -> None:
    shutil.copy(kept, tmp_path / DATABASE)
    change(tmp_path / DATABASE, statement)

    async def look(server: Server) -> None:
        listed = {table.table for table in (await server.open_tables.shown("ann")).mine}
        assert listed - {"bad"} == {"good", "other"}
        assert ("bad" in listed) == any(word in statement for word in NOT_LISTED)
        for _ in range(2):
            assert await code_of(server.registry.find("bad")) == "unreadable"
            assert await code_of(server.registry.outline("bad", "ann")) == "unreadable"
        await server.registry.find("good")
        await server.open_tables.shown("ann")

    with_tables(tmp_path, look)
    told = capsys.readouterr().out
    assert told.count("can't be read") == 1
    assert "table=bad" in told
    assert "Traceback" not in told


def test_a_database_error_is_a_refusal_and_a_line_of_the_log(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(kept, tmp_path / DATABASE)
    (page,) = rows(kept, "SELECT rootpage FROM sqlite_master WHERE name = 'journal'")

    async def look(server: Server) -> None:
        damage_pages(tmp_path / DATABASE, (page - 1) * 4096)  # while the server runs
        for _ in range(3):
            assert await code_of(server.registry.find("good")) == "unavailable"
        assert len((await server.open_tables.shown("ann")).mine) == 3

    with_tables(tmp_path, look)
    told = capsys.readouterr().out
    assert told.count("the database can't be read") == 1
    assert "malformed" in told
    assert "Traceback" not in told


def test_a_start_with_a_damaged_database_names_the_remedy(kept: Path, tmp_path: Path) -> None:
    database = tmp_path / DATABASE
    shutil.copy(kept, database)
    (page,) = rows(kept, "SELECT rootpage FROM sqlite_master WHERE name = 'journal'")
    damage_pages(database, (page - 1) * 4096, 300)
    before = database.read_bytes()
    with pytest.raises(
        BosquetError, match=rf"^{re.escape(str(database))}: is damaged \(.*\); .*`bosquet restore FILE`"
    ):
        asyncio.run(Store(f"sqlite:///{database}").prepare())
    assert database.read_bytes() == before


@contextmanager
def ann_at(folder: Path) -> Iterator[Person]:
    """Ann at a server over a data folder."""
    with TestClient(make_app(folder), base_url="http://testserver") as client:
        ann = Person(client)
        ann.cookie = GuestCookies(b"a key for tests").cookie("ann", secure=False).split(";")[0].split("=", 1)[1]
        yield ann


def status_at(ann: Person, table: str) -> int:
    """How a table receives somebody: 101, or the status with which it refuses."""
    try:
        with ann.at(table) as page:
            page.hear("table")
    except WebSocketDenialResponse as denied:
        return denied.status_code
    return 101


@pytest.mark.slow
def test_flipped_bytes_are_found_or_refused_and_never_a_traceback(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = kept.read_bytes()
    for seed in range(20):
        draw = random.Random(seed)
        flipped = bytearray(whole)
        for _ in range(draw.choice([1, 3, 30, 300])):
            flipped[draw.randrange(100, len(flipped))] ^= 1 << draw.randrange(8)
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / DATABASE).write_bytes(flipped)
        try:
            with ann_at(folder) as ann:
                found = [
                    ann.get(f"/api/{path}").status_code for path in ("lobby", *(f"tables/{table}" for table in TABLES))
                ]
                found += [status_at(ann, table) for table in TABLES]
                assert {*found} <= {200, 101, 404, 410, 503}, (seed, found)
        except BosquetError as error:
            told = str(error)
            assert "damaged" in told or "no database of bosquet" in told, told
        assert "Traceback" not in capsys.readouterr().out, seed
