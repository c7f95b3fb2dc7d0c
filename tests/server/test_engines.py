"""The engines of games are served at addresses with their hash, and listed."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bosquet.core import installed
from bosquet.engine.build import engine_file
from bosquet.engine.weights import LOOKAHEAD, key_of, lookahead_weights, search_weights
from bosquet.server.base.engines import FOLDER, engine_of
from tests.server.helpers.people import make_app

LEARNED = {
    "topas": [{"players": 2}, {"players": 2, "expert": True}, {"players": 1}],
    "topiary": [{"players": players} for players in (2, 3, 4)],
}
"""The options of the games that have weights, by game, those of the search first."""


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


@pytest.mark.parametrize("game", installed.OURS)
def test_the_catalogue_says_where_the_weights_of_learned_values_are(client: TestClient, game: str) -> None:
    spec = installed.spec(game)
    (listed,) = (one["weights"] for one in client.get("/api/games").json() if one["name"] == game)
    assert len(listed) == len(LEARNED.get(game, ()))
    for one, options in zip(listed, LEARNED.get(game, ()), strict=True):
        answer = client.get(one["address"], headers={"accept-encoding": "gzip"})
        alone = one["use"] == LOOKAHEAD
        assert answer.content == (lookahead_weights(spec) if alone else search_weights(spec, options))
        assert one["key"] == key_of(spec, options)
        assert (str(one["bytes"]), answer.headers["content-encoding"]) == (answer.headers["content-length"], "gzip")
        assert one["sha256"] == hashlib.sha256(answer.content).hexdigest()
        assert one["sha256"][:16] in one["address"]
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "name",
    ["topiary-0000000000000000.wasm", "topiary", "topas.learned.512-00.weights", "../topiary", "nothing-00.wasm", ""],
)
def test_at_other_addresses_there_is_none(client: TestClient, name: str) -> None:
    assert client.get(f"{FOLDER}/{name}", headers={"accept": "application/wasm"}).status_code == 404


def test_a_game_without_an_engine_has_no_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bosquet.server.base.engines.engine_file", lambda spec: tmp_path / "engine.wasm")
    engine_of.cache_clear()
    assert engine_of("topiary") is None
    engine_of.cache_clear()
