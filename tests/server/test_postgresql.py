"""Tables in PostgreSQL: the same as in SQLite, with a real server that is restarted, cut off and shared."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import Any

import psycopg
import pytest
from starlette.testclient import TestClient

from bosquet.core.errors import BosquetError
from bosquet.core.rng import Rng
from bosquet.server.app import create_app
from bosquet.server.databases import Postgresql, database_of
from bosquet.server.store import Conflict, Entry, Store
from tests.rows import each_row
from tests.server.people import FRIEND, GREEDY, LOOSE, ME, Person

pytestmark = pytest.mark.slow
PROGRAMS = sorted(glob("/usr/lib/postgresql/*/bin"))


class Cluster:
    """A PostgreSQL server of its own, on a port of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._run("initdb", "-D", folder / "data", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop")

    def database(self, name: str) -> str:
        """Make a database and return its URL."""
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{self.port}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return f"postgresql://postgres:secret@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: object) -> None:
        command = [f"{PROGRAMS[-1]}/{program}", *map(str, arguments)]
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, cwd="/")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    if not PROGRAMS or (os.geteuid() == 0 and not shutil.which("runuser")):
        if os.environ.get("BOSQUET_SERVICE_TESTS") == "required":
            raise AssertionError("PostgreSQL is not installed")
        pytest.skip("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = Cluster(Path(folder))
        yield cluster
        cluster.stop()


NAMES = iter(f"tables{i}" for i in range(100))


@pytest.fixture
def url(cluster: Cluster) -> str:
    return cluster.database(next(NAMES))


def app_over(url: str) -> Any:
    return create_app(url, b"a key for tests", limits=LOOSE, processes=1, warm=False)


def test_a_game_is_kept_and_goes_on_after_a_restart(url: str) -> None:
    with TestClient(app_over(url)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 2}, [ME, GREEDY])
        with ann.at(table) as page:
            page.ready()
            page.play_on(Rng(3), 4)
            seen = page.position["number"]
    with TestClient(app_over(url)) as client:
        again = Person(client)
        again.cookie = ann.cookie
        with again.at(table) as page:
            page.hear("position")
            assert page.position["number"] >= seen
            page.play_on(Rng(4))
        record = again.get(f"/api/tables/{table}/record").json()
        assert len(record["moves"]) == page.position["number"]
        assert again.get("/api/lobby").json()["mine"][0]["phase"] == "over"
        assert again.post("/api/me/erase", {}).status_code == 204


def test_friends_join_by_link(url: str) -> None:
    with TestClient(app_over(url)) as client:
        ann = Person(client)
        client.cookies.clear()
        bea = Person(client)
        table = ann.open("topiary", {"players": 2}, [ME, FRIEND])
        with ann.at(table) as page:
            invitation = page.hear("table")["invitation"]
            join = {"name": "Bea", "invitation": invitation}
            assert bea.post(f"/api/tables/{table}/join", join).status_code == 204
            with bea.at(table) as other:
                page.ready()
                other.ready()
                assert other.hear("position")["view"]["game"] == "topiary"


def test_of_two_that_write_one_number_one_wins(url: str) -> None:
    async def run() -> None:
        store = Store(url)
        await store.open()
        row: dict[str, Any] = {"id": "t", "game": "topas", "options": {"players": 2}, "phase": "playing"}
        row |= {"box": None, "pace": "instant", "listed": False, "invitation": "i", "secret": "s", "host": "h"}
        seats = [{"seat": i, "bot": None, "name": None, "guest": None, "nonce": None} for i in range(2)]
        await store.add_table(row, seats)
        outcomes = await asyncio.gather(
            *(store.append("t", 0, [Entry("move", move)], turn=1) for move in ("a", "b", "c")), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes if outcome is not None] == [Conflict, Conflict]
        assert len(await store.read_journal("t")) == 1
        await store.close()

    asyncio.run(run())


def test_a_second_server_does_not_start(url: str) -> None:
    async def run() -> None:
        first, second = Store(url), Store(url)
        await first.open()
        with pytest.raises(BosquetError, match="another server uses it"):
            await second.open()
        await first.close()
        third = Store(url)
        await third.open()
        await third.close()

    asyncio.run(run())


def test_a_restart_of_postgresql_loses_no_acknowledged_move(cluster: Cluster, url: str) -> None:
    with TestClient(app_over(url)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 2}, [ME, ME | {"kind": "here", "name": "Bea"}])
        with ann.at(table) as page:
            page.ready()
            page.hear("position")
            seen = 0
            for stop in (True, False):
                for _ in range(2):
                    look(page)
                    page.play(page.position["view"]["moves"][0]["say"])
                    seen = page.hear("position")["number"]
                if stop:
                    look(page)
                    cluster.stop()
                    assert page.refusal("play", **asked(page)) == "unavailable"
                    assert ann.get("/api/lobby").status_code == 503
                    cluster.start()
                    assert_recovers(page)
                    seen += 1
        assert page.position["number"] == seen
    with TestClient(app_over(url)) as client:
        again = Person(client)
        again.cookie = ann.cookie
        with again.at(table) as page:
            assert page.hear("position")["number"] == seen


def look(page: Any) -> None:
    """Look from the seat that is to move."""
    seat = page.position["view"]["seat"]
    if page.position["viewpoint"] != seat:
        page.ask("look", seat=seat)
        page.hear("position")


def asked(page: Any) -> dict[str, Any]:
    position = page.position
    move = position["view"]["moves"][0]["say"]
    return {"seat": position["viewpoint"], "number": position["number"], "move": move}


def assert_recovers(page: Any) -> None:
    """A move is possible again within ten seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        page.ask("play", **asked(page))
        message = page.hear()
        if message["type"] == "position":
            return
        time.sleep(0.1)
    raise AssertionError("the table is stuck")


@each_row(
    ("url", "said"),
    [
        ("nonsense", "not a URL"),
        ("mysql://u:hunter2@h/d", "no such database"),
        ("postgresql://u:hunter2@127.0.0.1:1/d", "can't be used"),
    ],
)
def test_a_database_that_can_not_be_used(url: str, said: str) -> None:
    with pytest.raises(BosquetError, match=said) as refused:
        asyncio.run(Store(url).open())
    assert "hunter2" not in str(refused.value)


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(database_of("postgresql://127.0.0.1/d"), Postgresql)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BosquetError, match=r"pip install 'bosquet\[nodes\]'"):
        database_of("postgresql://127.0.0.1/d")
