"""`bosquet serve`: where it listens, what it keeps, how it ends, what it says when it can't."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from bosquet.server.host.serve import _shown
from bosquet.server.store.store import Store
from tests.helpers.rows import each_row
from tests.server.helpers.processes import built, said_by, start


@built
def test_it_says_where_it_listens_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    server = start("--port", "0", "--data", str(tmp_path / "new" / "folder"))
    said = said_by(server)
    found = re.search(r"http://127\.0\.0\.1:\d+/", said)
    assert found, said
    with urllib.request.urlopen(found[0]) as page:
        assert b"<title>bosquet</title>" in page.read()
    assert (tmp_path / "new" / "folder" / "tables.db").exists()
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=30)
    assert "Traceback" not in errors
    assert server.returncode in (0, 130)


@built
@pytest.mark.skipif(os.name == "nt", reason="there are no modes on Windows")
def test_nobody_else_may_read_what_is_kept(tmp_path: Path) -> None:
    data = tmp_path / "new" / "folder"
    server = start("--port", "0", "--data", str(data))
    said_by(server)
    modes = {file.name: file.stat().st_mode & 0o777 for file in [data, *data.iterdir()]}
    server.kill()
    server.communicate()
    assert {"folder", "key", "lock", "tables.db", "tables.db-wal"} <= set(modes)
    assert all(mode & 0o077 == 0 for mode in modes.values()), modes


@built
@pytest.mark.skipif(os.name == "nt", reason="there are no such limits on Windows")
def test_it_asks_for_enough_descriptors(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bosquet", "serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    few = ["sh", "-c", 'ulimit -S -n 64 && exec "$@"', "sh", *command]
    server = subprocess.Popen(few, stderr=subprocess.PIPE, text=True)
    try:
        found = re.search(r"http://(127\.0\.0\.1):(\d+)/", said_by(server))
        assert found
        with contextlib.ExitStack() as idle:
            for _ in range(150):
                idle.enter_context(socket.create_connection((found[1], int(found[2]))))
            with urllib.request.urlopen(found[0], timeout=20) as page:
                assert page.status == 200
    finally:
        server.kill()
        server.communicate()


@pytest.mark.slow
@built
def test_a_folder_has_one_server_and_a_second_says_where_it_is(tmp_path: Path) -> None:
    data, opened = tmp_path / "data", tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)
    first = start("--port", "0", "--data", str(data))
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+/", said_by(first))
        assert found
        for shown_in in (None, browser):
            assert not opened.exists()
            second = start("--data", str(data), browser=shown_in)
            _, errors = second.communicate(timeout=30)
            assert second.returncode == 1
            assert errors == (
                f"bosquet: plays already at {found[0]} with the tables in {data}; "
                "for another one beside it name another --data\n"
            )
        assert opened.read_text() == found[0]
    finally:
        first.kill()
        first.communicate()
    again = start("--port", "0", "--data", str(data))
    assert "http://" in said_by(again)
    again.kill()
    again.communicate()


@built
def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = start("--port", str(port), "--data", str(tmp_path))
        _, errors = server.communicate(timeout=30)
    assert server.returncode == 1
    assert re.fullmatch(
        rf"bosquet: 127\.0\.0\.1:{port}: can't listen there: .*; name another --host or --port\n", errors
    )


@each_row(
    ("host", "place"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("0.0.0.0", "localhost"),
        ("::", "localhost"),
        ("0::0", "localhost"),
        ("::1", "[::1]"),
        ("fd00::1", "[fd00::1]"),
        ("tables.example.org", "tables.example.org"),
    ],
)
def test_the_address_that_is_told_opens_the_page(host: str, place: str) -> None:
    assert _shown(host) == place


def spoil(database: Path, how: str) -> None:
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        match how:
            case "newer":
                connection.execute("update alembic_version set version_num = '9999'")
            case "foreign":
                connection.execute("delete from alembic_version")
            case "damaged":
                database.write_bytes(b"garbage" * 1000)


@built
@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("newer", "was written by a newer bosquet than this one; install the newer one, or"),
        (
            "foreign",
            r"is no database of bosquet that can be read \(table \w+ already exists\);"
            r" `bosquet restore FILE`, or",
        ),
        (
            "damaged",
            r"is no database of bosquet that can be read \(file is not a database\); `bosquet restore FILE`, or",
        ),
    ],
)
def test_a_database_that_can_not_be_opened(tmp_path: Path, how: str, why: str) -> None:
    database = tmp_path / "tables.db"

    async def make() -> None:
        store = Store(f"sqlite:///{database}")
        await store.open()
        await store.close()

    asyncio.run(make())
    spoil(database, how)
    server = start("--port", "0", "--data", str(tmp_path))
    _, errors = server.communicate(timeout=30)
    assert server.returncode == 1
    assert re.fullmatch(rf"bosquet: {database}: {why} name another --data\n", errors)


@built
def test_a_folder_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    server = start("--port", "0", "--data", str(tmp_path / "file" / "folder"))
    _, errors = server.communicate(timeout=30)
    assert server.returncode == 1
    assert "name another --data" in errors
    assert "Traceback" not in errors


def test_nothing_heavy_is_imported_to_serve() -> None:
    heavy = {"numba", "llvmlite", "alembic", "numpy.ma", "scipy", "matplotlib", "streaq", "psycopg"}
    say = f"import sys, bosquet.server.host.serve; print(sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", say], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
