"""What those who run a server see of it: health, metrics and logs, none of which tells anything hidden."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from bosquet.core.rng import Rng
from bosquet.server.base import logs
from bosquet.server.host.watchdog import watched
from bosquet.server.http.static_files import PAGE
from tests.server.helpers.people import GREEDY, ME, Person, make_app
from tests.server.helpers.processes import said_by, start


@pytest.fixture
def plain_logs() -> Iterator[None]:
    yield
    logs.configure()
    structlog.reset_defaults()
    logging.getLogger().handlers.clear()


def monitor_of(client: TestClient) -> TestClient:
    """The other application, which says how the first one is."""
    return TestClient(cast(Any, client.app).state.monitor.application())


def values(client: TestClient) -> dict[str, float]:
    """Every metric by its name and labels."""
    text = monitor_of(client).get("/metrics").text
    return {
        f"{sample.name}{sample.labels or ''}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_count_what_happens(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        ann = Person(client)
        before = values(client)
        table = ann.open("topiary", {"players": 2}, [ME, GREEDY])
        with ann.at(table) as page:
            page.ready()
            page.play_on(Rng(3))
            assert page.refusal("play", seat=0, number=0, move="?") in ("stale", "not now", "not yours")
            during = values(client)
        assert ann.get("/api/tables/nothing").status_code == 404
        after = values(client)
    moves = "bosquet_moves_total{'game': 'topiary'}"
    assert moves not in before
    assert after[moves] == page.position["number"]
    assert after["bosquet_commit_seconds_count"] > 10
    assert 0 < after["bosquet_thinking_seconds_count"] <= after[moves]
    assert after["bosquet_thinking_queue_seconds_count"] == after["bosquet_thinking_seconds_count"]
    assert after["bosquet_refusals_total{'code': 'no table'}"] == 1
    assert (during["bosquet_connections"], during["bosquet_tables"]) == (1, 1)
    assert after["bosquet_connections"] == 0
    assert after["bosquet_store_bytes"] > 10_000


def test_readiness_follows_the_store_and_draining(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(make_app(tmp_path)) as client:
        monitor, server = cast(Any, client.app).state.monitor, cast(Any, client.app).state.server
        asked = monitor_of(client)
        assert asked.get("/healthz").status_code == 200
        assert (asked.get("/readyz").status_code, asked.get("/readyz").json()["store"]) == (200, True)
        server.services.nodes.draining = True
        assert asked.get("/readyz").status_code == 503
        server.services.nodes.draining = False

        async def fail() -> None:
            raise OSError("the disk is gone")

        monkeypatch.setattr(monitor._store, "ping", fail)
        assert (asked.get("/readyz").status_code, asked.get("/readyz").json()["store"]) == (503, False)
        assert asked.get("/healthz").status_code == 200


def test_the_page_address_has_none_of_it(client: TestClient) -> None:
    for path in ("/metrics", "/healthz", "/readyz", "/api/metrics"):
        assert client.get(path).status_code == 404


def test_answers_have_the_id_of_their_request(client: TestClient) -> None:
    first, second = (client.get("/api/games").headers["x-request-id"] for _ in range(2))
    assert first != second
    assert client.get("/", headers={"x-request-id": "proxy-7.a"}).headers["x-request-id"] == "proxy-7.a"
    for odd in ("a b", "x" * 65, "\x01", '{"a":1}'):
        answer = client.get("/", headers={b"x-request-id": odd.encode()})
        assert answer.headers["x-request-id"] != odd


def test_logs_for_programs(ann: Person, capsys: pytest.CaptureFixture[str], plain_logs: None) -> None:
    logs.configure("json")
    opened = ann.client.post(
        "/api/tables",
        json={"game": "topiary", "options": {"players": 2}, "seats": [ME, GREEDY], "pace": "instant"},
        headers={"cookie": f"bosquet={ann.cookie}", "x-request-id": "r-1"},
    )
    assert opened.status_code == 201
    try:
        raise ValueError("wrong")
    except ValueError:
        logging.getLogger("some.library").exception("it failed")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    mine = next(line for line in lines if line["event"] == "opened")
    assert (mine["request"], mine["level"], mine["game"]) == ("r-1", "info", "topiary")
    theirs = next(line for line in lines if line["event"] == "it failed")
    assert "ValueError: wrong" in theirs["exception"]


def test_neither_logs_nor_metrics_tell_anything_hidden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], plain_logs: None
) -> None:
    """Names, cookies, links, invitations, secrets, moves: none of them leaves the server this way."""
    logs.configure("json")
    with TestClient(make_app(tmp_path)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 2}, [ME | {"name": "Zerbinetta"}, GREEDY])
        with ann.at(table) as page:
            page.ready()
            page.play_on(Rng(4))
            proof = page.hear("proof")
        said = capsys.readouterr().err + monitor_of(client).get("/metrics").text
    hidden = [table, ann.cookie, proof["secret"], "Zerbinetta", *[nonce for nonce in proof["nonces"] if nonce]]
    moves = [entry["say"] for entry in page.entries]
    assert len(moves) > 10
    for word in [*hidden, *moves]:
        assert word not in said


@pytest.mark.slow
@pytest.mark.skipif(not (PAGE / "index.html").exists(), reason="the page is not built")
def test_it_drains_before_it_ends(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with start("--data", str(tmp_path), "--monitor", str(port), "--drain", "60", "--log", "json") as server:
        try:
            address = said_by(server).split(" · ")[0].rsplit(" ", 1)[1]
            monitor = f"http://127.0.0.1:{port}"
            assert httpx2.get(f"{monitor}/readyz").status_code == 200
            assert "bosquet_moves" in httpx2.get(f"{monitor}/metrics").text
            server.send_signal(signal.SIGTERM)
            while (ready := httpx2.get(f"{monitor}/readyz")).status_code == 200:
                time.sleep(0.1)
            expected = {"store": True, "bus": True, "key": True, "draining": True}
            assert (ready.status_code, ready.json()) == (503, expected)
            assert httpx2.get(f"{address}api/games").status_code == 200
            assert server.poll() is None
            server.send_signal(signal.SIGTERM)  # a second one ends it at once
            server.wait(30)
        finally:
            server.kill()


@pytest.mark.parametrize(
    "place",
    ["x", *(pytest.param(f"127.0.0.1:{port}", marks=pytest.mark.slow) for port in ("", "99999", "-1", "١"))],
)
@pytest.mark.skipif(not (PAGE / "index.html").exists(), reason="the page is not built")
def test_a_monitor_at_no_place(tmp_path: Path, place: str) -> None:
    with start("--data", str(tmp_path), "--monitor", place) as server:
        _, error = server.communicate(timeout=30)
    assert server.returncode == 1
    assert "--monitor" in error
    assert "Traceback" not in error


@pytest.mark.skipif(sys.platform != "linux", reason="systemd is for Linux")
def test_systemd_is_told_of_the_start_and_that_the_loop_goes_on(tmp_path: Path) -> None:
    place = str(tmp_path / "notify")

    async def serve() -> list[bytes]:
        async with watched({"NOTIFY_SOCKET": place, "WATCHDOG_USEC": "30000"}):
            return [await asyncio.to_thread(heard.recv, 100) for _ in range(3)]

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(place)
        heard.settimeout(5)
        assert asyncio.run(serve()) == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
