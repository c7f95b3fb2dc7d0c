"""Nodes behind nginx, as `deploy/` configures it, that hang, die and come back: everybody is answered soon."""

from __future__ import annotations

import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from tests.deploy.helpers.nginx import DEPLOY, ended, running_nginx
from tests.helpers.services import free_port
from tests.server.helpers.raw_server import RawServer, head

pytestmark = pytest.mark.slow

SOON = 5.5
"""Seconds after which everybody has an answer: five, and what this machine needs."""
LIVE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: aaaaaaaaaaaaaaaaaaaaaA==",
)


def configured(nodes: list[int], port: int) -> str:
    """The configuration of `deploy/` for some nodes, without TLS."""
    text, named = (DEPLOY / "nginx.conf").read_text(), "server 127.0.0.1:8642 max_fails=0;"
    for old, new in [
        (f"    # {named.replace('127.0.0.1', 'node2.example.org')}", ""),
        (named, "".join(named.replace("8642", str(node)) for node in nodes)),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port};"),
        ("listen 80;", "listen unix:plain;"),
    ]:
        assert old in text
        text = text.replace(old, new)
    left_out = ("listen [::]", "ssl_certificate")
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith(left_out))


def asked(port: int, said: bytes) -> bytes:
    """The status of an answer; empty where there is none soon."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), SOON) as client:
        client.sendall(said)
        return client.recv(12)[9:]
    return b""


def test_nodes_that_hang_die_or_came_back_keep_nobody_waiting(tmp_path: Path) -> None:
    port, get, live = free_port(), head("/whole?size=3", "Connection: close"), head("/api/tables/t/live", *LIVE)
    nodes = [RawServer(tmp_path), RawServer(tmp_path)]
    config = configured([node.port for node in nodes], port).replace("unix:plain", f"unix:{tmp_path / 'plain'}")
    with ExitStack() as stack:
        everybody = stack.enter_context(ThreadPoolExecutor(20))
        for node in nodes:
            stack.enter_context(ended(node.process))
        stack.enter_context(running_nginx(tmp_path, config, port))

        pages = [stack.enter_context(closing(socket.create_connection(("127.0.0.1", port), 2))) for _ in range(2)]
        for page in pages:  # one at each node
            page.sendall(live)
            assert page.recv(12)[9:] == b"101"
        nodes[0].process.send_signal(signal.SIGSTOP)
        try:
            waiting = [everybody.submit(asked, port, said) for said in [get] * 8 + [live] * 8]
            lost = everybody.submit(_ends, pages)
            assert [one.result() for one in waiting] == [b"200"] * 8 + [b"101"] * 8
            assert lost.result() == 1, "the page at the node that hangs comes back elsewhere"
        finally:
            nodes[0].process.send_signal(signal.SIGCONT)

        nodes[0].process.kill()
        nodes[0].process.wait()
        assert {asked(port, get) for _ in range(4)} == {b"200"}
        nodes.append(RawServer(tmp_path, port=nodes[0].port))
        stack.enter_context(ended(nodes[2].process))
        nodes[1].process.kill()
        nodes[1].process.wait()
        assert [asked(port, said) for said in (get, live) * 4] == [b"200", b"101"] * 4, "there is no blind time"


def _ends(pages: list[socket.socket]) -> int:
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
