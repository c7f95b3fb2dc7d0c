"""Nodes behind nginx and Caddy, as `deploy/` configures them, that hang, vanish, die and come back.

Everybody is answered soon.
"""

from __future__ import annotations

import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.deploy.helpers.proxies import DEPLOY, ended, running_caddy, running_nginx
from tests.helpers.services import Line, free_port
from tests.server.helpers.raw_server import RawServer, head

pytestmark = pytest.mark.slow

SOON = 5.5
"""Seconds after which everybody has an answer: five, and what this machine needs."""
UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: aaaaaaaaaaaaaaaaaaaaaA==",
)
LIVE = head("/api/tables/t/live", *UPGRADE)
REVIEW = head("/api/reviews/r/live", *UPGRADE)
GET = head("/whole?size=3", "Connection: close")
POST = head("/whole?size=3", "Connection: close", "Content-Length: 0", method="POST")
ANSWERED = [b"200"] * 8 + [b"101"] * 8


def nginx(folder: Path, nodes: list[int], port: int) -> AbstractContextManager[None]:
    """Run nginx as `deploy/` configures it, for some nodes, without TLS."""
    text, named = (DEPLOY / "nginx.conf").read_text(), "server 127.0.0.1:8642 max_fails=0;"
    for old, new in [
        (f"    # {named.replace('127.0.0.1', 'node2.example.org')}", ""),
        (named, "".join(named.replace("8642", str(node)) for node in nodes)),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port};"),
        ("listen 80;", f"listen unix:{folder / 'plain'};"),
    ]:
        assert old in text
        text = text.replace(old, new)
    left_out = ("listen [::]", "ssl_certificate")
    config = "\n".join(line for line in text.splitlines() if not line.strip().startswith(left_out))
    return running_nginx(folder, config, port)


def caddy(folder: Path, nodes: list[int], port: int) -> AbstractContextManager[None]:
    """Run Caddy as `deploy/` configures it, for some nodes, without TLS."""
    text = (DEPLOY / "Caddyfile").read_text()
    for old, new in [
        ("\ntables.example.org {", f"\nhttp://127.0.0.1:{port} {{\n\tbind 127.0.0.1"),
        ("127.0.0.1:8642 {", " ".join(f"127.0.0.1:{node}" for node in nodes) + " {"),
        ("{\n\tservers {", "{\n\tadmin off\n\tservers {"),
    ]:
        assert old in text
        text = text.replace(old, new)
    return running_caddy(folder, text, port)


Proxy = Callable[[Path, list[int], int], AbstractContextManager[None]]


class House:
    """Two nodes behind a proxy, each at the end of a line, and people who ask."""

    def __init__(self, folder: Path, proxy: Proxy, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.port = free_port()
        self.nodes = [self._started(), self._started()]
        self.lines = [stack.enter_context(closing(Line(node.port))) for node in self.nodes]
        stack.enter_context(proxy(folder, [line.port for line in self.lines], self.port))
        self._everybody = stack.enter_context(ThreadPoolExecutor(20))

    def _started(self, port: int = 0) -> RawServer:
        node = RawServer(self._folder, port=port)
        self._stack.enter_context(ended(node.process))
        return node

    def kill(self, node: int) -> None:
        """End a node at once."""
        self.nodes[node].process.kill()
        self.nodes[node].process.wait()

    def restart(self, node: int) -> None:
        """Start a node again, where it was."""
        self.nodes[node] = self._started(self.nodes[node].port)

    @contextmanager
    def hanging(self, node: int) -> Iterator[None]:
        """Have a node hang meanwhile: its system takes what comes, and it does nothing."""
        process = self.nodes[node].process
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    @contextmanager
    def vanished(self, node: int) -> Iterator[None]:
        """Have everything vanish meanwhile that is sent to a node, or by it."""
        self.lines[node].drop_packets()
        try:
            yield
        finally:
            self.lines[node].mend()

    def asked(self, said: bytes) -> bytes:
        """The status of an answer; empty where there is none soon."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), SOON) as client:
            client.sendall(said)
            return client.recv(12)[9:]
        return b""

    def asking(self, *said: bytes) -> list[Future[bytes]]:
        """Ask several things at once."""
        return [self._everybody.submit(self.asked, one) for one in said]

    def pages(self, live: bytes = LIVE) -> list[socket.socket]:
        """Two pages at tables, or elsewhere, one at each node."""
        pages = [socket.create_connection(("127.0.0.1", self.port), SOON) for _ in self.nodes]
        for page in pages:
            self._stack.enter_context(closing(page))
            page.sendall(live)
            assert page.recv(12)[9:] == b"101"
        return pages

    def lost(self, pages: list[socket.socket]) -> Future[int]:
        """How many of some pages are disconnected soon."""
        return self._everybody.submit(_lost, pages)


@pytest.fixture(params=[nginx, caddy])
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(tmp_path, request.param, stack)


def check_gone(house: House, gone: AbstractContextManager[None]) -> None:
    """Check that everybody is answered soon, and disconnected who is at the node that is gone."""
    pages = house.pages()
    with gone:
        lost, waiting = house.lost(pages), house.asking(*[GET] * 8, *[LIVE] * 8)
        posts = house.asking(*[POST] * 4)
        assert [one.result() for one in waiting] == ANSWERED
        assert lost.result() == 1, "the page at the node that is gone comes back elsewhere"
        assert {one.result() for one in posts} <= {b"200", b"502", b"504"}, "everybody learns what became of it"
    time.sleep(1)  # so long Caddy leaves a node alone that did not answer
    assert [house.asked(said) for said in (GET, LIVE) * 4] == [b"200", b"101"] * 4


def test_pages_stay_connected_where_nothing_happens(house: House) -> None:
    assert house.lost(house.pages() + house.pages(REVIEW)).result() == 0


def test_a_node_that_hangs_keeps_nobody_waiting(house: House) -> None:
    check_gone(house, house.hanging(0))


@pytest.mark.skipif(sys.platform != "linux", reason="only there a full queue of connections drops packets")
def test_a_node_whose_packets_vanish_keeps_nobody_waiting(house: House) -> None:
    check_gone(house, house.vanished(0))


def test_a_node_that_came_back_serves_while_the_other_one_dies(house: House) -> None:
    house.kill(0)
    assert {house.asked(GET) for _ in range(4)} == {b"200"}
    house.restart(0)
    house.kill(1)
    assert [house.asked(said) for said in (GET, LIVE) * 4] == [b"200", b"101"] * 4, "there is no blind time"


def test_after_a_restart_of_all_nodes_everybody_is_served_soon(house: House) -> None:
    for node in range(2):
        house.kill(node)
    meanwhile = house.asking(GET, LIVE)
    assert {one.result() for one in meanwhile} == {b"502"}
    for node in range(2):
        house.restart(node)
    assert [one.result() for one in house.asking(*[GET] * 8, *[LIVE] * 8)] == ANSWERED


def _lost(pages: list[socket.socket]) -> int:
    """How many pages are disconnected soon."""
    end, gone = time.monotonic() + SOON, 0
    for page in pages:
        with suppress(TimeoutError):
            while True:
                page.settimeout(max(0.01, end - time.monotonic()))
                if not page.recv(4096):
                    gone += 1
                    break
    return gone
