"""What comes from outside is distrusted: every input gets a clear answer and leaves the table as it was."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import itertools
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from itsdangerous import Signer
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

import bosquet
from bosquet.core.rng import Rng
from bosquet.server.base.host_names import names_of
from bosquet.server.base.rate_limits import Buckets, Gate, Rate, client_address_key
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.http.limits import Limits
from tests.helpers.rows import each_row
from tests.server.helpers.people import FRIEND, GENEROUS, LOOSE, ME, RANDOM, Person, make_app


def request(cookie: str, scheme: str = "http", key: str = "") -> HTTPConnection:
    """A request with a Cookie header, and with the value of a cookie in another one."""
    headers = [(b"cookie", cookie.encode("latin-1")), (b"host", b"testserver"), (b"x-bosquet-guest", key.encode())]
    return HTTPConnection({"type": "http", "scheme": scheme, "path": "/", "headers": headers})


def test_the_cookie_is_signed_and_kept_from_scripts_and_other_sites(client: TestClient) -> None:
    client.cookies.clear()
    header = client.get("/api/lobby").headers["set-cookie"]
    cookie = SimpleCookie(header)["bosquet"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["secure"]
    guests = GuestCookies(b"a key for tests")
    guest = guests.of(request(f"bosquet={cookie.value}"))
    assert guest is not None
    assert len(guest) == 32
    assert guests.of(request(f"bosquet=x{cookie.value}")) is None
    assert guests.of(request(f"bosquet={guest}")) is None
    assert GuestCookies(b"another key").of(request(f"bosquet={cookie.value}")) is None
    for odd in ("", "bosquet", "=", "bosquet=;", "bosquet=\xff.\xff", 'bosquet="', "a" * 5000):
        assert guests.of(request(odd)) is None


def test_behind_https_only_a_cookie_of_this_host_counts() -> None:
    guests = GuestCookies(b"a key for tests")
    secure = guests.cookie("somebody", secure=True)
    assert secure.startswith("__Host-bosquet=")
    assert "; Secure" in secure
    assert "Path=/;" in secure
    plain = guests.cookie("somebody", secure=False)
    for header, scheme, guest in [
        (secure, "https", "somebody"),
        (plain, "http", "somebody"),
        (plain, "https", None),
        (secure, "http", None),
    ]:
        assert guests.of(request(header.partition(";")[0], scheme)) == guest


def test_in_a_folder_of_the_host_the_cookie_is_sent_there_only() -> None:
    guests = GuestCookies(b"a key for tests", "/games/")
    for secure, name, scheme in [(True, "__Secure-bosquet", "https"), (False, "bosquet", "http")]:
        cookie = guests.cookie("somebody", secure=secure)
        assert cookie.startswith(f"{name}=")
        assert "; Path=/games/;" in cookie
        assert guests.of(request(cookie.partition(";")[0], scheme)) == "somebody"
    assert (
        guests.of(request(GuestCookies(b"a key for tests").cookie("x", secure=True).partition(";")[0], "https")) is None
    )


def test_a_cookie_is_renewed_while_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    guests = GuestCookies(b"a key for tests")
    header = guests.cookie("somebody", secure=False).partition(";")[0]
    now = time.time()
    for days, due in [(0, False), (29, False), (32, True), (400, True)]:
        monkeypatch.setattr("time.time", lambda days=days: now + days * 24 * 3600)
        assert guests.is_due(request(header)) == due
        assert guests.of(request(header)) == "somebody"
    name, _, value = header.partition("=")
    signer = Signer(b"a key for tests", salt="bosquet.guest")
    others = [signer.sign(signed).decode() for signed in ("somebody", "somebody.", "somebody.1_0", "somebody.01")]
    others += [value + "=", value + "!", value[:-1] + chr(ord(value[-1]) + 1)]
    for other in others:
        assert guests.of(request(f"{name}={other}")) is None, "a cookie has one form"


def test_a_browser_that_keeps_no_cookie_is_told_its_value_and_sends_that(client: TestClient) -> None:
    def post(path: str, body: Any, key: str = "") -> Any:
        client.cookies.clear()
        return client.post(path, json=body, headers={"x-bosquet-guest": key} if key else {})

    body: dict[str, Any] = {"game": "topas", "options": {"players": 2}, "pace": "instant"}
    body["seats"] = [{"kind": "me", "name": "Ann"}, {"kind": "friend"}]
    opened = post("/api/tables", body)
    key = opened.headers["x-bosquet-guest"]
    assert key == SimpleCookie(opened.headers["set-cookie"])["bosquet"].value
    live = f"/api/tables/{opened.json()['table']}/live"
    client.cookies.clear()
    with client.websocket_connect(live, subprotocols=["bosquet", key]) as socket:
        assert socket.accepted_subprotocol == "bosquet"
        assert socket.receive_json()["mine"] in ([0], [1])  # who begins is drawn
    for wrong in ([], ["bosquet", f"x{key}"], [key.partition(".")[0]]):
        client.cookies.clear()
        with client.websocket_connect(live, subprotocols=wrong) as socket:
            assert socket.receive_json()["mine"] == []
    again = post("/api/me/name", {"name": "Ann"}, key)
    assert "x-bosquet-guest" not in again.headers, "it has its value already"
    erased = post("/api/me/erase", {}, key)
    assert erased.headers["x-bosquet-guest"] not in ("", key)


def test_a_browser_that_sends_its_cookie_is_told_no_value(client: TestClient, ann: Person, bea: Person) -> None:
    assert "x-bosquet-guest" not in ann.post("/api/me/erase", {}).headers
    client.cookies.clear()
    headers = {"cookie": f"bosquet={ann.cookie}", "x-bosquet-guest": bea.cookie}
    assert (
        GuestCookies(b"a key for tests").of(request(headers["cookie"], key=bea.cookie)) == ann.cookie.partition(".")[0]
    )


def test_behind_https_browsers_are_told_to_stay_there(client: TestClient) -> None:
    assert "strict-transport-security" not in client.get("/").headers
    assert "max-age=31536000" in client.get("https://testserver/").headers["strict-transport-security"]


OTHERS = [
    'prefs={"a":1,"b":[2]}',
    "n=J\xfcrgen",
    "sess[id]=3",
    "flag",
    "path=/",
    "a b=1",
    'q="',
    "=",
    "bosquet=x.y",
    "",
]


@each_row("other", OTHERS)
def test_cookies_of_other_servers_at_this_host_do_not_hide_ours(other: str) -> None:
    guests = GuestCookies(b"a key for tests")
    ours = guests.cookie("somebody", secure=False).partition(";")[0]
    assert guests.of(request(f"{other}; {ours}")) == "somebody"
    assert guests.of(request(f"{ours}; {other}")) == "somebody"
    assert guests.of(request(other)) is None


def test_the_page_brings_the_cookie_so_that_its_first_requests_are_of_one_guest(client: TestClient) -> None:
    client.cookies.clear()
    first = client.get("/")
    assert "HttpOnly" in first.headers["set-cookie"]
    for path in ("/", "/table/x", "/api/lobby"):
        assert "set-cookie" not in client.get(path).headers
    client.cookies.clear()


def test_every_answer_has_the_headers_of_security(client: TestClient) -> None:
    for path in ("/", "/table/anything", "/api/lobby", "/api/nothing", "/icon.svg"):
        headers = client.get(path).headers
        assert "script-src 'self' 'wasm-unsafe-eval';" in headers["content-security-policy"]
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


@each_row("origin", ["http://[", "http://[::1", "//testserver", "testserver", "ftp://testserver", ""])
def test_an_origin_that_is_none_is_a_wrong_one(ann: Person, origin: str) -> None:
    answer = ann.client.post("/api/tables", json={}, headers={"origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong origin")
    table = ann.open("topas", {"players": 1}, [ME])
    with (
        pytest.raises(WebSocketDenialResponse) as denied,
        ann.client.websocket_connect(f"/api/tables/{table}/live", headers={"origin": origin}),
    ):
        pass
    assert denied.value.status_code == 403


def test_other_sites_can_not_take_the_cookie_away(client: TestClient) -> None:
    client.cookies.clear()
    form = {"content-type": "application/x-www-form-urlencoded"}
    for elsewhere in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        answer = client.post("/api/tables", content="a=b", headers=form | elsewhere)
        assert answer.json()["code"] == "wrong origin"
        assert "set-cookie" not in answer.headers
        for path in ("/", "/api/lobby"):
            assert "set-cookie" not in client.get(path, headers=elsewhere | {"sec-fetch-mode": "no-cors"}).headers


def test_who_follows_a_link_of_another_site_becomes_a_guest(client: TestClient) -> None:
    client.cookies.clear()
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert "set-cookie" in client.get("/table/x", headers=link).headers
    client.cookies.clear()
    own = {"sec-fetch-site": "same-origin", "origin": "http://testserver"}
    assert "set-cookie" in client.post("/api/tables", json={}, headers=own).headers
    client.cookies.clear()


def test_a_server_that_knows_its_names_answers_to_no_others(tmp_path: Path) -> None:
    app = make_app(tmp_path, names=names_of("127.0.0.1", ["Tables.example.org"]))
    with TestClient(app, base_url="http://localhost:8642") as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 1}, [ME])
        for host in ("127.0.0.1:8642", "[::1]:8642", "LOCALHOST", "tables.example.org", "tables.example.org.:443"):
            assert client.get("/api/lobby", headers={"host": host}).status_code == 200, host
        for host in (
            "evil.example:8642",
            "localhost.evil.example",
            "[::1",
            "a:b:c",
            "[evil.example]",
            "127.0.0.1.evil",
        ):
            for path in ("/", "/api/lobby"):
                assert client.get(path, headers={"host": host}).status_code == 421, host
            own = {"host": host, "origin": f"http://{host}"}
            with (
                pytest.raises(WebSocketDenialResponse) as denied,
                client.websocket_connect(f"/api/tables/{table}/live", headers=own),
            ):
                pass
            assert denied.value.status_code == 421
        both = [("host", "localhost"), ("host", "evil.example")]
        assert client.get("/api/lobby", headers=both).status_code == 400
    assert names_of("localhost", []) == names_of("::1", []) == frozenset({"localhost"})
    assert names_of("0.0.0.0", []) is names_of("::", []) is None
    assert names_of("0.0.0.0", ["tables"]) == frozenset({"localhost", "tables"})


BODIES: list[tuple[str, Any, str]] = [
    ("tables", {"game": "chess", "options": {}, "seats": [ME]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 9}, "seats": [ME]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 2}, "seats": [ME]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 2, "draft": True}, "seats": [ME, RANDOM]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 2}, "seats": [ME, ME]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "me"}]}, "name"),
    (
        "tables",
        {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "me", "name": "\n\u200b "}]},
        "name",
    ),
    ("tables", {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "me", "name": "x" * 25}]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 1}, "seats": [{"kind": "bot", "bot": "deep"}]}, "malformed"),
    ("tables", {"game": "topas", "options": {"players": 1}, "seats": [ME], "secret": "mine"}, "malformed"),
    ("tables", [], "malformed"),
    ("tables", None, "malformed"),
    ("tables/nowhere/join", {"name": "Bea"}, "no table"),
    ("replay", {"record": {}}, "malformed"),
    ("replay", {"record": {"a": "x" * (1 << 20)}}, "too large"),
    ("replay", {"record": bosquet.new("topas", players=2, seed=1).record()}, "malformed"),
]


@each_row(("path", "body", "code"), BODIES)
def test_a_wrong_request_says_what_is_wrong(ann: Person, path: str, body: Any, code: str) -> None:
    answer = ann.post(f"/api/{path}", body)
    assert answer.json()["code"] == code
    assert 400 <= answer.status_code < 500
    assert len(answer.json()["message"]) > 10


def test_bodies_that_are_no_json(ann: Person) -> None:
    headers = {"content-type": "application/json", "cookie": f"bosquet={ann.cookie}"}
    nested = [b'{"record":{"a":' + b"[" * deep + b"]" * deep + b"}}" for deep in (400, 700, 950, 5000)]
    for body in (b"", b"\xff\xfe", b"[" * 100_000, b'{"record":', b"NaN", *nested):
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
                ["play", "undo", "look", "ready", "react", "pace", "sheet", "hinted", "rematch", "give", "close"]
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


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(asks=st.lists(ASKS, max_size=5))
def test_any_message_is_answered_and_leaves_the_table_as_it_was(client: TestClient, asks: list[str | bytes]) -> None:
    client.cookies.clear()
    ann = Person(client)
    table = ann.open("topas", {"players": 2, "expert": False}, [ME, {"kind": "here", "name": "Bea"}])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        client.cookies.clear()
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


def test_who_goes_on_asking_too_much_is_disconnected(tmp_path: Path) -> None:
    limits = dataclasses.replace(LOOSE, asks=Rate(5, 0.001), warnings=Rate(10, 0.001))
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        table = ann.open("topiary", {"players": 2}, [ME, RANDOM])
        with ann.at(table) as page:
            codes = [page.refusal("look", seat=3) for _ in range(15)]
            assert codes.count("busy") == 10
            page.ask("look", seat=3)
            with pytest.raises(WebSocketDisconnect) as closed:
                page.hear("refused")
            assert closed.value.code == 1008
        with ann.at(table) as page:
            assert page.hear("table")


def test_more_connections_do_not_let_a_guest_ask_more(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, Limits(asks=Rate(5, 0.001)))) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 1}, [ME])
        with ann.at(table) as one, ann.at(table) as other:
            codes = [page.refusal("look", seat=3) for page in (one, other) for _ in range(4)]
        assert codes == ["not yours"] * 5 + ["busy"] * 3


def test_a_seat_takes_back_only_so_many_moves(tmp_path: Path) -> None:
    limits = dataclasses.replace(LOOSE, undos=3)
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        table = ann.open("schlossgarten", {"players": 2}, [ME, {"kind": "here", "name": "Bea"}])
        with ann.at(table) as page:
            page.ready()
            page.hear("position")
            for seat in (0, 1):
                page.ask("look", seat=page.position["view"]["seat"])
                page.hear("position")
                for left in (3, 2, 1, 0):
                    page.play(page.position["view"]["moves"][0]["say"])
                    assert page.hear("position")["undo"] is (left > 0)
                    if left:
                        page.ask("undo", seat=seat, number=page.position["number"])
                        page.hear("position")
                assert page.refusal("undo", seat=seat, number=page.position["number"]) == "not now"
                while page.position["view"]["seat"] == seat:
                    moves = [move["say"] for move in page.position["view"]["moves"]]
                    page.play("stop" if "stop" in moves else moves[0])
                    page.hear("position")


def test_guests_without_number_ask_no_more_than_their_address_may(tmp_path: Path) -> None:
    limits = Limits(opened_of_address=Rate(5, 0.001), computing_of_address=Rate(3, 0.001))
    with TestClient(make_app(tmp_path, limits)) as client:
        opening = {"game": "topas", "options": {"players": 1}, "seats": [ME]}
        for path, body, most in (("/api/tables", opening, 5), ("/api/replay", {"record": {}}, 3)):
            answers = []
            for _ in range(8):
                client.cookies.clear()
                answers.append(Person(client).post(path, body).status_code)
            assert answers[most:] == [429] * (8 - most)
            assert 429 not in answers[:most]
    limits = Limits(requests_of_address=Rate(6, 0.001))
    with TestClient(make_app(tmp_path, limits)) as client:
        for _ in range(6):
            client.cookies.clear()
            assert client.get("/").status_code == 200
            assert client.get("/api/lobby").status_code == 200
        assert client.get("/api/lobby").status_code == 429


def test_large_bodies_are_read_by_a_worker_and_few_of_them_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TestClient(make_app(tmp_path, dataclasses.replace(LOOSE, waiting_work=2))) as client:
        ann = Person(client)
        app: Any = client.app
        workers = app.state.server.services.compute.requests
        run = workers.run
        given: list[Any] = []
        refused = threading.Event()

        async def run_late(work: Any, *what: Any) -> Any:
            given.extend(what)
            await asyncio.to_thread(refused.wait, 20)
            return await run(work, *what)

        monkeypatch.setattr(workers, "run", run_late)
        replay: dict[str, Any] = {"record": {}}
        with ThreadPoolExecutor(6) as at_once:
            asked = [at_once.submit(ann.post, "/api/replay", replay) for _ in range(6)]
            first = [one.result().status_code for one in itertools.islice(as_completed(asked, 20), 4)]
            refused.set()
            answers = [one.result().status_code for one in asked]
        assert first == [429, 429, 429, 429]
        assert sorted(answers) == [400, 400, *first]
        assert [json.loads(body) for body in given] == [replay] * 2
        assert ann.post("/api/replay", replay).json()["code"] == "malformed"
        assert ann.post("/api/replay", {"record": {"a": "x" * (1 << 17)}}).json()["code"] == "too large"


def test_a_club_of_forty_behind_one_address_can_play(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, Limits())) as client, contextlib.ExitStack() as stack:
        people = []
        for _ in range(40):
            client.cookies.clear()
            client.get("/")
            people.append(Person(client))
        games = []
        for ann, bea in zip(people[::2], people[1::2], strict=True):
            table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
            assert bea.post(f"/api/tables/{table}/join", {"name": "Bea"}).status_code == 204
            games.append([stack.enter_context(person.at(table)) for person in (ann, bea)])
        for pages in games:
            for page in pages:
                page.ready()
            for page in pages:
                page.hear("position")
        for _ in range(3):
            for pages in games:
                next(page for page in pages if page.position["view"]["moves"]).play_on(Rng(1), 1)
                for page in pages:
                    while page.position["number"] != max(one.position["number"] for one in pages):
                        page.hear("position")
        assert all(page.position["number"] == 3 for pages in games for page in pages)


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


def test_connections_at_once_are_bounded_while_the_table_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(connections_of_guest=2, opened=GENEROUS, requests=GENEROUS)
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 1}, [ME])
        app: Any = client.app
        registry = app.state.server.registry
        find = registry.find

        refused = threading.Event()

        async def find_late(table: str) -> Any:
            await asyncio.to_thread(refused.wait, 20)
            return await find(table)

        monkeypatch.setattr(registry, "find", find_late)

        def come() -> bool:
            try:
                with ann.at(table) as page:
                    page.hear("table")
            except WebSocketDisconnect:
                return False
            return True

        with ThreadPoolExecutor(8) as at_once:
            coming = [at_once.submit(come) for _ in range(8)]
            first = [one.result() for one in itertools.islice(as_completed(coming, 20), 6)]
            refused.set()
            assert first == [False] * 6
            assert sum(one.result() for one in coming) == 2
        assert come()


def test_who_brings_no_cookie_counts_as_its_address(tmp_path: Path) -> None:
    limits = Limits(connections_of_guest=2, connections_of_address=4, opened=GENEROUS, requests=GENEROUS)
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 1}, [ME])
        client.cookies.clear()
        with contextlib.ExitStack() as stack:

            def come(cookie: str | None) -> None:
                headers = {"cookie": f"bosquet={cookie}"} if cookie else {}
                socket = client.websocket_connect(f"/api/tables/{table}/live", headers=headers)
                stack.enter_context(socket).receive_json()

            come(None)
            come(None)
            with pytest.raises(WebSocketDisconnect):
                come(None)
            come(ann.cookie)
            come(ann.cookie)
            client.get("/")
            with pytest.raises(WebSocketDisconnect):
                come(client.cookies["bosquet"])


def test_connecting_again_and_again_is_bounded(tmp_path: Path) -> None:
    limits = Limits(connecting=Rate(3, 0.001), opened=GENEROUS, requests=GENEROUS)
    with TestClient(make_app(tmp_path, limits)) as client:
        ann = Person(client)
        table = ann.open("topas", {"players": 1}, [ME])
        for _ in range(3):
            with ann.at(table) as page:
                page.hear("table")
        with pytest.raises(WebSocketDisconnect), ann.at(table) as page:
            page.hear()


def test_an_address_is_a_client_address_key() -> None:
    assert (
        client_address_key("2001:db8:1:2:3:4:5:6")
        == client_address_key("2001:db8:1:2::9")
        != client_address_key("2001:db8:1:3::9")
    )
    assert client_address_key("192.0.2.1") != client_address_key("192.0.2.2")
    assert client_address_key("::ffff:192.0.2.1") != client_address_key("::ffff:192.0.2.2")
    assert client_address_key("a socket") == "a socket"


def test_buckets_fill_again_and_are_forgotten_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many come, nobody gets a full bucket again before the time."""
    moment = time.monotonic() + 9
    monkeypatch.setattr(time, "monotonic", lambda: moment)
    buckets = Buckets(Rate(2, 0.1))
    buckets.BOUND, buckets.CROWDED = 10, 3
    for _ in range(2):
        assert all(buckets.take(str(i)) for i in range(10))
    others = [buckets.take(str(i)) for i in range(10, 50)]
    assert sum(others) == 2 * 3
    assert not any(buckets.take(str(i)) for i in range(50))
    assert len(buckets._buckets) == 13
    moment += 19
    assert [buckets.take("0"), buckets.take("0")] == [True, False]
    moment += 19
    assert buckets.take("new")
    assert len(buckets._buckets) == 1, "those that are full again are forgotten"


def test_a_quota_stays_used_up_however_many_guests_come() -> None:
    quota = Gate(Rate(1, 0), Rate(30_000, 0))
    assert quota.take("ann", "home")
    others = [quota.take(f"guest {i}", f"address {i % 3}") for i in range(3 * Buckets.BOUND)]
    assert sum(others) == Buckets.BOUND - 1 + Buckets.CROWDED, "those who come late share what there is"
    assert not any(quota.take(who, address) for who in ("ann", "late") for address in ("home", "anywhere"))
    assert quota.take(None, "elsewhere") is False


def test_an_address_that_may_ask_no_more_gets_no_buckets_for_guests() -> None:
    gate = Gate(Rate(5, 0), Rate(3, 0))
    assert sum(gate.take(f"guest {i}", "here") for i in range(50)) == 3
    assert len(gate.guests._buckets) == 3
