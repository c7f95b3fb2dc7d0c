"""A host lets others in the local network in, and nobody else can. 127.0.0.2 stands for the address in the network."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bosquet.core.errors import BosquetError
from bosquet.server.host.serve import Serving, _network
from bosquet.server.http import local_network
from tests.helpers.rows import each_row
from tests.server.helpers.processes import built, said_by, start

NETWORK = "127.0.0.2"
TABLE = {"game": "topas", "options": {"players": 2}, "seats": [{"kind": "me", "name": "Ann"}, {"kind": "friend"}]}


class Browser:
    """One that sends what it likes."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.port, self.host, self.cookie = port, host, ""

    def ask(self, method: str, path: str, body: Any = None, **headers: str | None) -> tuple[int, Any]:
        """Send a request as a page of ours does, but for these headers; None leaves one out."""
        own = f"{self.host}:{self.port}"
        given: dict[str, str | None] = {"host": own, "content-type": "application/json", "cookie": self.cookie}
        if method == "POST":
            given["origin"] = f"http://{own}"
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        asked = http.client.HTTPConnection(self.host, self.port, timeout=20)
        content = None if body is None else json.dumps(body)
        asked.request(method, path, content, {name: value for name, value in given.items() if value is not None})
        answer = asked.getresponse()
        self.cookie = (answer.headers.get("set-cookie") or self.cookie).split(";")[0]
        said = answer.read()
        asked.close()
        return answer.status, json.loads(said) if said.startswith(b"{") else said

    def open_table(self) -> str:
        status, opened = self.ask("POST", "/api/tables", TABLE)
        assert status == 201, opened
        return str(opened["table"])


@contextlib.contextmanager
def served(folder: Path, *arguments: str) -> Iterator[int]:
    server = start("--port", "0", "--data", str(folder), *arguments)
    try:
        found = re.search(r"http://[\w.]+:(\d+)/", said_by(server))
        assert found
        yield int(found[1])
    finally:
        server.terminate()
        _, errors = server.communicate(timeout=30)
        assert "Traceback" not in errors


def is_open(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((NETWORK, port), timeout=5):
        return True
    return False


@built
def test_only_the_host_at_this_machine_lets_others_in(tmp_path: Path) -> None:
    with served(tmp_path, "--network", NETWORK) as port:
        host, spectator = Browser(port), Browser(port)
        table = host.open_table()
        way, close = f"/api/tables/{table}/network", "/api/network/close"
        assert host.ask("GET", "/api/network") == (200, {"offered": True, "address": None})
        assert not is_open(port)

        spectator.ask("GET", "/api/lobby")
        attacks: list[tuple[Browser, dict[str, str | None]]] = [
            (spectator, {}),
            (Browser(port), {}),  # without a cookie
            (host, {"origin": None}),
            (host, {"origin": "null"}),
            (host, {"origin": "http://evil.example"}),
            (host, {"origin": f"http://127.0.0.1:{port + 1}"}),
            (host, {"origin": f"https://127.0.0.1:{port}"}),
            (host, {"sec_fetch_site": "same-site"}),
            (host, {"sec_fetch_site": "cross-site"}),
            (host, {"host": f"192.168.1.2:{port}", "origin": f"http://192.168.1.2:{port}"}),
            (host, {"host": f"evil.example:{port}", "origin": f"http://evil.example:{port}"}),  # DNS rebinding
            (host, {"x_forwarded_for": "127.0.0.1"}),
            (host, {"x_real_ip": "127.0.0.1"}),
            (host, {"forwarded": "for=127.0.0.1"}),
            (host, {"via": "1.1 somewhere"}),
        ]
        for browser, headers in attacks:
            status, said = browser.ask("POST", way, **headers)
            assert status in (400, 403, 421), (headers, status, said)
            assert not is_open(port), headers
        assert host.ask("GET", "/api/network", x_forwarded_for="10.0.0.1")[1] == {"offered": False, "address": None}

        address = f"http://{NETWORK}:{port}"
        for _ in range(2):  # once more changes nothing
            assert host.ask("POST", way) == (200, {"offered": True, "address": address})
        friend = Browser(port, NETWORK)
        assert friend.ask("GET", f"/table/{table}")[0] == 200
        assert friend.ask("GET", "/api/network") == (200, {"offered": False, "address": None})
        assert friend.ask("GET", "/", host=f"evil.example:{port}")[0] == 421
        own = f"127.0.0.1:{port}"
        theirs = friend.open_table()  # a host, but not at this machine
        for address_of_it in (way, close, f"/api/tables/{theirs}/network"):
            assert friend.ask("POST", address_of_it)[0] == 403
            disguised = friend.ask(
                "POST", address_of_it, host=own, origin=f"http://{own}", cookie=host.cookie
            )  # with all that a page at this machine sends
            assert disguised[0] == 403
        for browser, headers in attacks[2:]:  # the others may close it
            assert browser.ask("POST", close, **headers)[0] in (403, 421), headers
        assert is_open(port)

        waiting = socket.create_connection((NETWORK, port), timeout=10)
        waiting.sendall(b"GET /api/lobby HTTP/1.1\r\nhost: 127.0.0.2\r\n\r\n")
        assert b"200 OK" in waiting.recv(4096)
        assert spectator.ask("POST", close) == (200, {"offered": True, "address": None})
        while waiting.recv(4096):  # until it is ended
            pass
        waiting.close()
        assert not is_open(port)
        assert host.ask("POST", way)[1]["address"] == address
    assert not is_open(port)


DEPLOYED: list[dict[str, Any]] = [
    {"network": "none"},
    {"host": "0.0.0.0"},
    {"host": "192.168.1.2"},
    {"host": "tables.example.org"},
    {"names": ["tables.example.org"]},
    {"proxies": ["127.0.0.1"]},
    {"database": "postgresql://localhost/tables"},
    {"bus": "redis://localhost"},
]


@each_row("settings", DEPLOYED)
def test_a_deployed_server_offers_nothing(settings: dict[str, Any]) -> None:
    assert _network(Serving(**settings)) is None


def test_a_server_of_this_machine_offers_it_at_an_address_that_makes_sense() -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        assert _network(Serving(host=host)) is not None
    with pytest.raises(BosquetError, match='--network "here"'):
        _network(Serving(network="here"))


@each_row(
    ("own", "found"),
    [
        ("192.168.7.9", "192.168.7.9"),
        ("10.1.2.3", "10.1.2.3"),
        ("8.8.4.4", None),
        ("127.0.0.1", None),
        ("0.0.0.0", None),
    ],
)
def test_only_an_address_of_a_private_network_is_taken(
    monkeypatch: pytest.MonkeyPatch, own: str, found: str | None
) -> None:
    class Probe(socket.socket):
        def connect(self, place: Any) -> None:
            pass

        def getsockname(self) -> tuple[str, int]:
            return own, 9

    monkeypatch.setattr("socket.socket", Probe)
    assert local_network._private_address() == found
