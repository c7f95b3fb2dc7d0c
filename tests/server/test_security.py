"""What comes from outside is distrusted: every input gets a clear answer and leaves the table as it was."""

from __future__ import annotations

import contextlib
import json
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from bosquet.server.guests import Guests, read_key
from bosquet.server.limits import Bucket, Buckets, Limits, Rate
from tests.server.people import FRIEND, GENEROUS, ME, RANDOM, Person, make_app


def test_the_cookie_is_signed_and_kept_from_scripts_and_other_sites(client: TestClient) -> None:
    client.cookies.clear()
    header = client.get("/api/lobby").headers["set-cookie"]
    cookie = SimpleCookie(header)["bosquet"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["secure"]
    guests = Guests(b"a key for tests")
    guest = guests.read(f"bosquet={cookie.value}")
    assert guest is not None
    assert len(guest) == 32
    assert "; Secure" in guests.cookie(guest, secure=True)
    assert guests.read(f"bosquet=x{cookie.value}") is None
    assert guests.read(f"bosquet={guest}") is None
    assert Guests(b"another key").read(f"bosquet={cookie.value}") is None
    for odd in (None, "", "bosquet", "=", "bosquet=;", "bosquet=\xff.\xff", 'bosquet="', "a" * 5000):
        assert guests.read(odd) is None


def test_the_page_brings_the_cookie_so_that_its_first_requests_are_of_one_guest(client: TestClient) -> None:
    client.cookies.clear()
    first = client.get("/")
    assert "HttpOnly" in first.headers["set-cookie"]
    for path in ("/", "/table/x", "/api/lobby"):
        assert "set-cookie" not in client.get(path).headers
    client.cookies.clear()


def test_the_key_is_kept_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    key = read_key(tmp_path / "key")
    assert len(key) == 32
    assert read_key(tmp_path / "key") == key
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_every_answer_has_the_headers_of_security(client: TestClient) -> None:
    for path in ("/", "/table/anything", "/api/lobby", "/api/nothing", "/icon.svg"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe-inline" not in headers["content-security-policy"].replace("style-src-attr 'unsafe-inline'", "")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get("/api/lobby").headers["cache-control"] == "no-store"


def test_other_sites_can_neither_open_nor_sit_down(ann: Person) -> None:
    evil = {"origin": "http://evil.example"}
    answer = ann.client.post("/api/tables", json={}, headers=evil)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong origin")
    table = ann.open("topas", {"players": 1}, [ME])
    with (
        pytest.raises(WebSocketDenialResponse) as denied,
        ann.client.websocket_connect(f"/api/tables/{table}/live", headers=evil),
    ):
        pass
    assert denied.value.status_code == 403
    own = {"origin": "http://testserver", "cookie": f"bosquet={ann.cookie}"}
    with ann.client.websocket_connect(f"/api/tables/{table}/live", headers=own) as socket:
        assert socket.receive_json()["type"] == "table"


BODIES: list[tuple[str, Any, str]] = [
    ("tables", {"game": "chess", "options": {}, "seats": [ME]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 9}, "seats": [ME]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 2}, "seats": [ME]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 2, "draft": True}, "seats": [ME, RANDOM]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 2}, "seats": [ME, ME]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "me"}]}, "malformed"),
    (
        "tables",
        {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "me", "name": "\n\u200b "}]},
        "malformed",
    ),
    ("tables", {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "me", "name": "x" * 25}]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "bot", "bot": "deep"}]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 1}, "seats": [ME], "secret": "mine"}, "malformed"),
    ("tables", [], "malformed"),
    ("tables", None, "malformed"),
    ("tables/nowhere/join", {"name": "Bea"}, "no table"),
    ("replay", {"record": {}}, "malformed"),
    ("replay", {"record": {"a": "x" * (1 << 20)}}, "too large"),
    ("score", {"game": "topiary", "players": 2, "garden": {"z9": "T1"}, "visitors": [], "hands": []}, "malformed"),
]


@pytest.mark.parametrize(("path", "body", "code"), BODIES)
def test_a_wrong_request_says_what_is_wrong(ann: Person, path: str, body: Any, code: str) -> None:
    answer = ann.post(f"/api/{path}", body)
    assert answer.json()["code"] == code
    assert 400 <= answer.status_code < 500
    assert len(answer.json()["message"]) > 10


def test_bodies_that_are_no_json(ann: Person) -> None:
    headers = {"content-type": "application/json", "cookie": f"bosquet={ann.cookie}"}
    for body in (b"", b"\xff\xfe", b"[" * 100_000, b'{"record":', b"NaN"):
        answer = ann.client.post("/api/replay", content=body, headers=headers)
        assert answer.json()["code"] == "malformed", body[:20]
    answer = ann.client.post("/api/replay", content=b"{}", headers={"content-type": "text/plain"})
    assert answer.json()["code"] == "malformed"


def test_nobody_sees_a_table_or_a_record_without_its_link(ann: Person, bea: Person) -> None:
    assert bea.get("/api/tables/nowhere/record").status_code == 404
    with pytest.raises(WebSocketDenialResponse) as denied, bea.at("nowhere"):
        pass
    assert denied.value.status_code == 404
    table = ann.open("topas", {"players": 2}, [ME, FRIEND])
    assert table not in bea.get("/api/lobby").text
    assert ann.get(f"/api/tables/{table}/record").json()["code"] == "not now"


ASKS = st.one_of(
    st.text(max_size=50),
    st.binary(max_size=50),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    ).map(json.dumps),
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(
                ["play", "undo", "look", "ready", "react", "pace", "sheet", "reach", "rematch", "give", "close"]
            )
        },
        optional={
            "seat": st.integers(-2, 5) | st.none() | st.text(max_size=3),
            "number": st.integers(-1, 3),
            "move": st.text(max_size=20),
            "nonce": st.text(max_size=33),
            "sign": st.text(max_size=5),
            "pace": st.just("human"),
            "card": st.integers(0, 40),
            "bot": st.sampled_from(["greedy", "deep"]),
            "name": st.text(max_size=3),
        },
    ).map(json.dumps),
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(asks=st.lists(ASKS, max_size=5))
def test_any_message_is_answered_and_leaves_the_table_as_it_was(client: TestClient, asks: list[str | bytes]) -> None:
    client.cookies.clear()
    ann = Person(client)
    table = ann.open("topas", {"players": 2, "expert": False}, [ME, {"kind": "here", "name": "Bea"}])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        with Person(client).at(table) as stranger:
            stranger.hear("position")
            before = stranger.position["view"]
            for ask in asks:
                if isinstance(ask, bytes):
                    stranger.socket.send_bytes(ask)
                else:
                    stranger.socket.send_text(ask)
            stranger.ask("look", seat=None)
            assert stranger.hear("position")["view"] == before
            assert stranger.position["number"] == 0


def test_a_message_that_is_too_large_or_nested_is_refused(ann: Person) -> None:
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        for text in ("x" * 5000, "[" * 4000, '{"type":"play","move":"' + "a" * 300 + '"}'):
            page.socket.send_text(text)
            assert page.hear("refused")["code"] in ("too large", "malformed")
        page.ask("sheet")
        assert page.hear("sheet")


def test_rates_are_bounded(tmp_path: Path) -> None:
    limits = Limits(asks=Rate(5, 0.001), opened=Rate(2, 0.001), requests=Rate(9, 0.001), computing=GENEROUS)
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        opened = [ann.open("topas", {"players": 1}, [ME]) for _ in range(2)]
        body = {"game": "topas", "options": {"players": 1}, "seats": [ME]}
        assert ann.post("/api/tables", body).json()["code"] == "busy"
        with ann.at(opened[0]) as page:
            page.ready()
            page.hear("position")
            codes = [page.refusal("look", seat=3) for _ in range(8)]
            assert codes == ["not yours"] * 4 + ["busy"] * 4
        answers = [ann.get("/api/lobby").status_code for _ in range(8)]
        assert answers[-1] == 429


def test_connections_are_bounded(tmp_path: Path) -> None:
    limits = Limits(connections_of_guest=2, opened=GENEROUS, requests=GENEROUS)
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 1}, [ME])
        with contextlib.ExitStack() as stack:
            for _ in range(2):
                stack.enter_context(ann.at(table)).hear("table")
            with pytest.raises(WebSocketDisconnect), ann.at(table) as page:
                page.hear()
        with ann.at(table) as page:
            assert page.hear("table")


def test_buckets_fill_again_and_are_forgotten() -> None:
    bucket = Bucket(Rate(2, 1000))
    assert [bucket.take(), bucket.take()] == [True, True]
    bucket.filled -= 1
    assert bucket.take()
    buckets = Buckets(Rate(1, 0.001))
    buckets.BOUND = 10
    assert all(buckets.take(str(i)) for i in range(50))
    assert len(buckets._buckets) <= 10
    assert not buckets.take("49")
