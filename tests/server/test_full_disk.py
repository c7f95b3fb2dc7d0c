"""A full disk: what can't be kept is refused, the log says it in one line, and all goes on when there is room."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from bosquet.server.http.static_files import PAGE
from tests.server.helpers.memory import held_table
from tests.server.helpers.people import FRIEND, ME, RANDOM, Person, make_app


class Disk:
    """What the database may grow to, as a disk would have it."""

    def __init__(self, engine: sa.Engine) -> None:
        self._pages = 0
        self._only_read = False
        sa.event.listen(engine, "begin", self._limit)

    def _limit(self, connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={self._pages or 1 << 30}")
        connection.exec_driver_sql(f"PRAGMA query_only={int(self._only_read)}")

    def fill(self) -> None:
        """Leave no room: SQLite takes what the database has already for the least that it may have."""
        self._pages = 1

    def make_room(self) -> None:
        """Leave room again."""
        self._pages = 0
        self._only_read = False

    def forbid(self) -> None:
        """Let nothing be written, not even what would need no room."""
        self._only_read = True


@pytest.fixture
def disk(client: TestClient) -> Iterator[Disk]:
    store: Any = client.app.state.server.services.store  # type: ignore[attr-defined]
    yield Disk(store._writer._engine)
    store._complained.clear()


def open_until_full(person: Person) -> Any:
    """Open tables until one is refused: there is some room in the last page."""
    for _ in range(200):
        body = {"game": "topas", "options": {"players": 2}, "seats": [ME, FRIEND]}
        answer = person.post("/api/tables", body)
        if answer.status_code != 201:
            return answer
    raise AssertionError("the disk is not full")


def test_requests_are_refused_and_done_again_as_soon_as_there_is_room(
    ann: Person, disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    disk.fill()
    answer = open_until_full(ann)
    assert answer.status_code == 503
    assert answer.json() == {"code": "unavailable", "message": "could not save; try again in a moment"}
    for _ in range(3):
        assert open_until_full(ann).status_code == 503
    assert ann.get("/api/lobby").status_code == 200
    told = capsys.readouterr().out
    assert told.count("the database can't be written") == 1
    assert "database or disk is full" in told
    assert "Traceback" not in told
    disk.make_room()
    assert ann.open("topas", {"players": 2}, [ME, FRIEND])


def test_a_table_tells_that_nothing_was_kept_and_goes_on(ann: Person, disk: Disk) -> None:
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        disk.forbid()  # the last pages may have room for a whole game
        for _ in range(2):
            page.play(page.position["view"]["moves"][0]["say"])
            refused = page.hear("refused")
            assert (refused["code"], refused["message"]) == ("unavailable", "could not save; try again in a moment")
        disk.make_room()
        page.play(page.position["view"]["moves"][0]["say"])
        page.hear("position")
        assert page.position["number"] == 1


def test_who_comes_back_to_a_table_that_can_not_note_it_is_told_to_come_later(ann: Person, disk: Disk) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    session = held_table(ann.client, table).session
    for chair in session.chairs:
        chair.bot = "greedy"  # it stands in until its owner is back
    disk.forbid()
    with pytest.raises(WebSocketDisconnect) as closed, ann.at(table) as page:
        page.hear()
    assert (closed.value.code, closed.value.reason) == (1013, "could not save; try again in a moment")
    disk.make_room()
    with ann.at(table) as page:
        assert page.hear("table")["seats"]


@contextlib.contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """A file system in memory of some size."""
    place.mkdir()
    mounted = (
        sys.platform == "linux"
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place], check=False, capture_output=True
        ).returncode
    )
    if not mounted:
        pytest.skip("nothing can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@pytest.mark.slow
def test_a_server_on_a_real_full_disk_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with (
        small_disk(tmp_path / "disk", "1m") as disk,
        TestClient(make_app(disk), base_url="http://testserver") as client,
    ):
        ann = Person(client)
        table = ann.open("topas", {"players": 1}, [ME])
        with ann.at(table) as page:
            page.ready()
            page.hear("position")
            with contextlib.suppress(OSError), open(disk / "ballast", "wb", buffering=0) as ballast:
                while ballast.write(bytes(4096)):
                    pass
            assert open_until_full(ann).status_code == 503
            assert ann.get("/api/lobby").status_code == 200
            (disk / "ballast").unlink()
            page.play(page.position["view"]["moves"][0]["say"])
            page.hear("position")
            assert page.position["number"] == 1
        assert ann.open("topas", {"players": 2}, [ME, FRIEND])


@pytest.mark.slow
@pytest.mark.skipif(not (PAGE / "index.html").exists(), reason="the page is not built")
@pytest.mark.parametrize("room", [0, 4096, 3 * 4096, 8 * 4096])
def test_a_first_start_on_a_full_disk_says_what_to_do(tmp_path: Path, room: int) -> None:
    command = [sys.executable, "-m", "bosquet", "serve", "--no-browser", "--port", "0", "--data"]
    with small_disk(tmp_path / "disk", "64k") as disk:
        (disk / "ballast").write_bytes(bytes(65536 - 4096 - room) if room else b"")
        if not room:
            with contextlib.suppress(OSError), open(disk / "ballast", "wb", buffering=0) as file:
                while file.write(bytes(4096)):
                    pass
        started = subprocess.run([*command, disk / "data"], capture_output=True, text=True, timeout=60, check=False)
        assert started.returncode == 1
        assert re.fullmatch(
            rf"bosquet: {disk}/data/[\w.]+: can't be written.*; make room there, or name another --data\n",
            started.stderr,
        ), started.stderr
        os.remove(disk / "ballast")
