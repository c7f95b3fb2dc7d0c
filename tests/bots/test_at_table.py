"""Bots of other people at tables: by `bosquet bot --server`, and by a program that knows the protocol."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bosquet.bots.at_table import Guest, Link, play
from bosquet.bots.outside import DEFAULT_LIMITS
from bosquet.core.errors import BosquetError, OptionError
from tests.helpers.command_line import cli
from tests.helpers.rows import each_row
from tests.helpers.services import serving

FRIEND = {"kind": "friend"}
RANDOM = {"kind": "bot", "bot": "random", "name": "Random"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("tables"), {"BOSQUET_JIT": "0"}) as address:
        yield address


class Host:
    """Somebody who opens tables and invites bots."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.guest = Guest(server)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        return json.loads(self.guest.ask(method, path, body))

    def open(self, seats: list[dict[str, Any]], **more: Any) -> str:
        body = {"game": "topas", "options": {"players": len(seats)}, "seats": seats, "pace": "instant", **more}
        table: str = self.ask("POST", "/api/tables", body)["table"]
        return table

    def link(self, table: str) -> str:
        """The link with the invitation, which only those who sit at the table and its host are told."""
        from websockets.sync.client import connect

        live = f"ws{self.server.removeprefix('http')}/api/tables/{table}/live"
        with connect(live, additional_headers={"cookie": self.guest.cookie}) as socket:
            return f"{self.server}/table/{table}#{json.loads(socket.recv())['invitation']}"


def test_a_bot_plays_a_game_and_is_marked(server: str) -> None:
    host = Host(server)
    table = host.open([FRIEND, RANDOM])
    said: list[str] = []
    play("greedy", Link.read(host.link(table)), "Rita", limits=DEFAULT_LIMITS, file=None, say=said.append)
    record = host.ask("GET", f"/api/tables/{table}/record")
    seat = record["players"].index("Rita")
    assert record["bots"][seat] == "program"
    assert said[-1] == f"the game is over: {', '.join(map(str, record['result']['scores']))}"
    assert record["result"]["winners"] == [seat]


def test_a_bot_plays_where_no_moves_are_sent(server: str) -> None:
    host = Host(server)
    table = host.open([FRIEND, RANDOM], assistance="none")
    play("greedy", Link.read(host.link(table)), "Rita", limits=DEFAULT_LIMITS, file=None, say=lambda _: None)
    assert host.ask("GET", f"/api/tables/{table}/record")["result"]


def test_by_the_command_two_bots_play_a_duel_and_go_on(server: str, tmp_path: Path) -> None:
    host = Host(server)
    table = host.open([FRIEND, FRIEND], duel=True)
    link = host.link(table)
    command = [sys.executable, "-m", "bosquet", "bot", "random", "--server", link, "--stay", "--name"]
    bots = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True) for name in ("Ada", "Bob")]
    try:
        over = [_line(bot, "the game is over") for bot in bots]
        assert over[0] == over[1]
        host.guest.ask("GET", f"/api/tables/{table}/record")
        _ask_rematch(host, table)
        assert all(_line(bot, "the game is over") for bot in bots)
    finally:
        for bot in bots:
            bot.terminate()
            bot.communicate(timeout=20)


def _line(bot: subprocess.Popen[str], begins: str) -> str:
    """Wait for a line of a bot."""
    assert bot.stderr is not None
    timer = threading.Timer(60, bot.kill)
    timer.start()
    try:
        return next(line for line in bot.stderr if line.startswith(begins))
    finally:
        timer.cancel()


def _ask_rematch(host: Host, table: str) -> None:
    from websockets.sync.client import connect

    live = f"ws{host.server.removeprefix('http')}/api/tables/{table}/live"
    with connect(live, additional_headers={"cookie": host.guest.cookie}) as socket:
        socket.send(json.dumps({"type": "rematch"}))
        while not json.loads(socket.recv()).get("rematch"):
            pass


def test_a_program_with_nothing_but_the_protocol_plays_a_whole_game(server: str) -> None:
    host = Host(server)
    table = host.open([FRIEND, RANDOM])
    done = subprocess.run(
        [sys.executable, "examples/table_bot.py", host.link(table)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    record = host.ask("GET", f"/api/tables/{table}/record")
    assert done.stdout.split()[1:] == [str(points) for points in record["result"]["scores"]]
    assert "Most points" in record["players"]


def test_a_bot_is_the_same_guest_the_next_time(server: str, tmp_path: Path) -> None:
    host, file = Host(server), tmp_path / "guest"
    first = Guest(server, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert Guest(server, file).cookie == first.cookie != host.guest.cookie


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("nowhere", "must be the link to a table"),
        ("ftp://127.0.0.1/table/x", "must be the link to a table"),
        ("http://127.0.0.1:1/table/abc#def", "can't be reached"),
        ("http://[::1/table/abc#def", "must be the link to a table"),
        ("http://127.0.0.1/table/\u00e4#def", "must be the link to a table"),
    ],
)
def test_a_bad_link_is_said_in_a_line(link: str, said: str) -> None:
    done = cli("bot", "greedy", "--server", link)
    assert done.returncode == 1
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_without_an_invitation_or_with_a_wrong_one_no_program_sits_down(server: str) -> None:
    host = Host(server)
    table = host.open([FRIEND, RANDOM], listed=True)
    for link in (f"{server}/table/{table}", f"{server}/table/{table}#wrong"):
        with pytest.raises(BosquetError, match="needs an invitation"):
            play("greedy", Link.read(link), "Rita", limits=DEFAULT_LIMITS, file=None, say=print)
    with pytest.raises(BosquetError, match="no such table"):
        play("greedy", Link.read(f"{server}/table/nowhere#x"), "R", limits=DEFAULT_LIMITS, file=None, say=print)


@each_row(
    "text",
    [
        "https://a.b:1/table/x-1#y_2",
        "https://a.b:1/table/x-1%23y_2",
        "https%3A%2F%2Fa.b%3A1%2Ftable%2Fx-1%2523y_2",
        "HTTPS://a.b:1//Table/x-1/?utm_source=mail#y_2).",
        "Come and play: <https://a.b:1/screen/x-1\u200b#y_2\u200b>, now",
    ],
)
def test_links_are_read_as_they_come_back(text: str) -> None:
    assert Link.read(text) == Link("https://a.b:1", "x-1", "y_2")


def test_a_link_without_an_invitation_and_what_is_no_link() -> None:
    assert Link.read("http://a.b/table/x.") == Link("http://a.b", "x", None)
    assert Link.read("http://a.b/my/games/table/x") == Link("http://a.b/my/games", "x", None)
    for text in ("https://a.b:1/replay/x#y", "ftp://a.b/table/x", "https://[a.b/table/x", "https://ä.b/table/x", "x"):
        with pytest.raises(OptionError):
            Link.read(text)


class Odd(BaseHTTPRequestHandler):
    """Answers a request as the path of its own server says, and notes the cookies that it gets."""

    answer: ClassVar[tuple[int, dict[str, str], bytes]]
    cookies: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self._send(200, {"set-cookie": "bosquet=abc"}, b"{}")

    def do_POST(self) -> None:
        self.cookies.append(self.headers.get("cookie", ""))
        self._send(*self.answer)

    def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def odd(status: int, headers: dict[str, str], body: bytes) -> Iterator[tuple[str, type[Odd]]]:
    """Run a server that gives this answer to all who want to join."""
    handler = type("Handler", (Odd,), {"answer": (status, headers, body), "cookies": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}", handler
        finally:
            http.shutdown()
            thread.join()


def test_another_server_does_not_get_the_cookie() -> None:
    with odd(200, {}, b"{}") as (thief, stolen), odd(302, {"location": f"{thief}/x"}, b"") as (server, _):
        with pytest.raises(BosquetError, match="answers like no server"):
            Guest(server).ask("POST", "/api/tables/x/join", {})
        assert stolen.cookies == []


@pytest.mark.parametrize("body", [b'{"message":"\xff"}', b"[]", b"", b"x" * 10**6])
def test_rubbish_of_a_server_is_said_in_a_line(body: bytes) -> None:
    with odd(400, {}, body) as (server, _), pytest.raises(BosquetError, match="answers like no server"):
        Guest(server).ask("POST", "/api/tables/x/join", {})
