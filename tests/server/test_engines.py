"""The engines of games are served at addresses with their hash, and listed."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bosquet.core import installed
from bosquet.engine.build import engine_file
from bosquet.server.http.engines import FOLDER, engine_of
from tests.server.helpers.people import make_app


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(make_app(tmp_path))


@pytest.mark.parametrize("game", installed.OURS)
def test_the_catalogue_says_where_an_engine_is(client: TestClient, game: str) -> None:
    listed = {one["name"]: one["engine"] for one in client.get("/api/games").json()}
    answer = client.get(listed[game], headers={"accept-encoding": "identity"})
    assert answer.content == engine_file(installed.spec(game)).read_bytes()
    assert answer.headers["content-type"] == "application/wasm"
    assert "immutable" in answer.headers["cache-control"]


def test_an_engine_is_compressed_for_those_who_read_that(client: TestClient) -> None:
    engine = engine_of("topiary")
    assert engine is not None
    answer = client.get(engine.address, headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.content == gzip.decompress(engine.compressed) == engine.content


@pytest.mark.parametrize("name", ["topiary-0000000000000000.wasm", "topiary", "../topiary", "nothing-00.wasm", ""])
def test_at_other_addresses_there_is_none(client: TestClient, name: str) -> None:
    assert client.get(f"{FOLDER}/{name}", headers={"accept": "application/wasm"}).status_code == 404


def test_a_game_without_an_engine_has_no_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bosquet.server.http.engines.engine_file", lambda spec: tmp_path / "engine.wasm")
    engine_of.cache_clear()
    assert engine_of("topiary") is None
    engine_of.cache_clear()
