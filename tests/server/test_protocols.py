"""Bounds on connections, over real sockets: a client that exceeds one is disconnected, and nobody else notices."""

from __future__ import annotations

import asyncio
import base64
import multiprocessing
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from uvicorn.protocols.utils import ClientDisconnected
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from bosquet.server.base.rate_limits import Rate
from bosquet.server.host.run import run
from bosquet.server.http.connections.websocket_protocol import BoundedWebSocket
from bosquet.server.http.limits import Limits
from tests.server.helpers.people import LOOSE, make_app

LIMITS = replace(LOOSE, sockets_of_address=40, head_seconds=1.0, body_seconds=1.5, frames=Rate(120, 40))


def serve(folder: str, listening: socket.socket, limits: Limits, ready: Any, proxies: tuple[str, ...]) -> None:
    """Serve in a process of its own; what it logs goes to a file."""
    log = os.open(Path(folder) / "log", os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 2)
    run(make_app(Path(folder), limits), listening, ready.set, proxies)


class Served:
    """A server in a process of its own."""

    def __init__(self, folder: Path, limits: Limits, proxies: tuple[str, ...] = ()) -> None:
        self.folder = folder
        spawn = multiprocessing.get_context("spawn")
        listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = listening.getsockname()[1]
        ready = spawn.Event()
        self.process = spawn.Process(target=serve, args=(str(folder), listening, limits, ready, proxies))
        self.process.start()
        listening.close()
        assert ready.wait(30)

    def end(self) -> None:
        self.process.terminate()
        self.process.join(20)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def get(self, path: str = "/api/games", **more: Any) -> httpx2.Response:
        return httpx2.get(f"http://127.0.0.1:{self.port}{path}", timeout=10, **more)

    def table(self) -> str:
        """Open a table and return its id."""
        seats = [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": "random"}]
        body = {"game": "topiary", "options": {"players": 2}, "seats": seats, "pace": "instant"}
        answer = httpx2.post(f"http://127.0.0.1:{self.port}/api/tables", json=body)
        table: str = answer.json()["table"]
        return table

    def websocket(self, table: str) -> socket.socket:
        """Watch a table over a bare socket."""
        watching = self.handshake(table)
        assert watching.recv(100).startswith(b"HTTP/1.1 101")
        return watching

    def handshake(self, table: str) -> socket.socket:
        """Ask for a WebSocket to a table."""
        asking = self.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        asking.sendall(
            f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        return asking


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("served"), LIMITS)
    yield served
    served.end()


def frame(opcode: int, content: bytes = b"", final: bool = True) -> bytes:
    """A masked frame of a client; the mask is zero."""
    return struct.pack("!BBL", opcode | 0x80 * final, 0x80 | len(content), 0) + content


def is_ended(connection: socket.socket, seconds: float = 8.0) -> bytes | None:
    """What the server still said before it hung up; None if it did not."""
    heard, end = b"", time.monotonic() + seconds
    connection.settimeout(0.2)
    while time.monotonic() < end:
        try:
            said = connection.recv(65536)
        except TimeoutError:
            continue
        except OSError:
            return heard
        if not said:
            return heard
        heard += said
    return None


def flood(connection: socket.socket, content: bytes, seconds: float = 8.0) -> bool:
    """Send something without end; return whether the server hung up."""
    connection.settimeout(0.5)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            connection.sendall(content)
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


@pytest.mark.parametrize(
    "frames",
    [frame(0x9) * 2000, frame(0xA) * 2000, frame(0x1, b"", False) + frame(0x0, b"", False) * 2000],
    ids=["pings", "pongs", "empty continuations"],
)
def test_endless_frames_end_the_connection(served: Served, frames: bytes) -> None:
    with closing(served.websocket(served.table())) as attacker:
        begin = time.monotonic()
        assert flood(attacker, frames)
        assert time.monotonic() - begin < 5
    assert served.get().status_code == 200


@pytest.mark.slow
def test_a_message_of_many_slow_fragments_ends_the_connection(served: Served) -> None:
    with closing(served.websocket(served.table())) as attacker:
        attacker.sendall(frame(0x1, b"", False))
        with suppress(OSError):
            for _ in range(70):
                attacker.sendall(frame(0x0, b"", False))
                time.sleep(0.005)
        assert is_ended(attacker) is not None


@pytest.mark.slow
def test_bytes_that_never_end_end_the_connection(served: Served) -> None:
    with closing(served.websocket(served.table())) as attacker:
        assert flood(attacker, frame(0x2, b"x" * 100) * 600)


def test_text_that_is_no_utf8_leaves_no_traceback(served: Served) -> None:
    with closing(served.websocket(served.table())) as attacker:
        attacker.sendall(frame(0x1, b"\xff\xfe"))
        heard = is_ended(attacker)
    assert heard is not None
    assert b"\x03\xefnot UTF-8" in heard
    assert "Traceback" not in served.log


def test_a_websocket_that_is_refused_leaves_no_error_in_the_log(served: Served) -> None:
    before = len(served.log)
    with closing(served.handshake("absent")) as asking:
        assert (is_ended(asking) or b"").startswith(b"HTTP/1.1 404")
    served.get()
    assert "handshake" not in served.log[before:]


def test_an_empty_message_is_answered_by_an_empty_one(served: Served) -> None:
    with closing(served.websocket(served.table())) as page:
        page.sendall(frame(0x1) + frame(0x1, b"", False) + frame(0x0))
        page.settimeout(5)
        heard = b""
        while heard.count(b"\x81\x00") < 2:
            heard += page.recv(65536)
    assert b"malformed" not in heard


def test_an_empty_message_just_before_the_end_leaves_no_error_in_the_log(served: Served) -> None:
    before = len(served.log)
    with closing(served.websocket(served.table())) as page:
        page.sendall(frame(0x1) + frame(0x8))  # as it arrives from one who was held up
        assert is_ended(page, 5) is not None
    served.get()
    assert "Traceback" not in served.log[before:]


@pytest.mark.slow
def test_a_connection_that_answers_no_ping_is_ended(served: Served) -> None:
    with closing(served.websocket(served.table())) as silent:
        begin = time.monotonic()
        assert is_ended(silent, 20) is not None
        assert time.monotonic() - begin < 15


def test_a_head_without_end_is_refused(served: Served) -> None:
    with closing(served.connect()) as attacker:
        attacker.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
        assert flood(attacker, b"a" * 65536)
    assert served.get(headers={"x-long": "a" * 20_000}).status_code == 431
    assert served.get(headers={f"x-{i}": "a" * 300 for i in range(60)}).status_code == 431
    assert served.get(headers={"cookie": "a" * 8000}).status_code == 200


def test_half_a_request_is_not_waited_for(served: Served) -> None:
    with closing(served.connect()) as silent, closing(served.connect()) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: x")
        assert (is_ended(silent) or b"").startswith(b"HTTP/1.1 408")
        assert (is_ended(slow) or b"").startswith(b"HTTP/1.1 408")


@pytest.mark.slow
def test_a_second_half_request_is_not_waited_for(served: Served) -> None:
    with closing(served.connect()) as slow:
        slow.sendall(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /api/games HTT")
        heard = is_ended(slow)
    assert heard is not None
    assert heard.startswith(b"HTTP/1.1 200")
    assert b"HTTP/1.1 408" not in heard


@pytest.mark.slow
def test_a_body_is_waited_for_no_longer_than_its_time(served: Served) -> None:
    with closing(served.connect()) as slow:
        slow.sendall(
            b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b'Content-Length: 100\r\n\r\n{"game'
        )
        assert is_ended(slow) is not None
    with closing(served.connect()) as gone:
        gone.sendall(
            b"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b'Content-Length: 100\r\n\r\n{"record'
        )
        time.sleep(0.2)
    assert served.get().status_code == 200
    assert "Traceback" not in served.log


@pytest.mark.slow
def test_pipelined_requests_are_bounded(served: Served) -> None:
    with closing(served.connect()) as attacker:
        assert flood(attacker, b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2000)
    assert served.get().status_code == 200


@pytest.mark.slow
def test_sockets_of_an_address_are_bounded_and_given_back(served: Served) -> None:
    silent = [served.connect() for _ in range(LIMITS.sockets_of_address + 5)]
    time.sleep(0.1)
    ended = sum(is_ended(one, 0.3) is not None for one in silent)
    for one in silent:
        one.close()
    assert ended >= 5
    deadline = time.monotonic() + 8
    while time.monotonic() < deadline:
        with suppress(httpx2.HTTPError):
            assert served.get().status_code == 200
            return
    raise AssertionError("the places were not given back")


@pytest.mark.slow
def test_a_request_after_a_pause_is_answered(served: Served) -> None:
    with httpx2.Client(base_url=f"http://127.0.0.1:{served.port}") as client:
        for pause in (1.2, 1.2, 0):  # longer than the head of a request may take
            assert client.get("/api/games").status_code == 200
            time.sleep(pause)


@pytest.mark.slow
def test_only_a_named_proxy_says_where_a_client_is(tmp_path: Path) -> None:
    limits = replace(LIMITS, requests_of_address=Rate(3, 0.001), requests=Rate(1000, 1000))
    for proxies, refused in (((), 4), (("127.0.0.1",), 0)):
        folder = tmp_path / str(len(proxies))
        folder.mkdir()
        served = Served(folder, limits, proxies)
        try:
            codes = [
                served.get("/api/lobby", headers={"x-forwarded-for": f"192.0.2.{i}"}).status_code for i in range(7)
            ]
            assert codes.count(429) == refused
        finally:
            served.end()


UPGRADE = (
    "{} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{}\r\n"
)
LIVE = "/api/tables/nowhere/live"


@pytest.mark.parametrize(
    "request_",
    [
        UPGRADE.format(f"GET {LIVE}", "Content-Length: 5\r\n"),
        UPGRADE.format(f"GET {LIVE}", "Transfer-Encoding: chunked\r\n"),
        UPGRADE.format(f"GET {LIVE}", "".join(f"X-{i}: a\r\n" for i in range(130))),
        UPGRADE.format(f"GET {LIVE}", f"X-A: {'a' * 9000}\r\n"),
        UPGRADE.format(f"POST {LIVE}", ""),
        UPGRADE.format(f"HEAD {LIVE}", ""),
        UPGRADE.format(f"GET {LIVE}", "Sec-WebSocket-Protocol: \xff\r\n"),
        UPGRADE.format(f"GET {LIVE}", "").replace("dGhl", "\xdf"),
        UPGRADE.format(f"GET {LIVE}", "") + "\x83\x00",
    ],
    ids=["body", "chunks", "headers", "long header", "POST", "HEAD", "not ASCII", "key", "no frame"],
)
def test_an_upgrade_that_cannot_be_is_refused_at_once(served: Served, request_: str) -> None:
    with closing(served.connect()) as asking:
        asking.sendall(request_.encode("latin-1"))
        answer = is_ended(asking, 4)
    assert answer is not None
    assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 404"))
    assert "Traceback" not in served.log


def test_no_connection_keeps_the_server_from_ending(tmp_path: Path) -> None:
    served = Served(tmp_path, LIMITS)
    with closing(served.connect()) as asking, closing(served.websocket(served.table())) as watching:
        asking.sendall(UPGRADE.format(f"GET {LIVE}", "Content-Length: 5\r\n").encode())
        time.sleep(0.2)
        served.end()
        heard = is_ended(watching)
    assert heard is not None
    assert struct.pack("!H", 1012) in heard
    assert "Traceback" not in served.log


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that waits long for a body, so that it is its length which ends the connection."""
    served = Served(tmp_path_factory.mktemp("patient"), replace(LIMITS, body_seconds=60.0))
    yield served
    served.end()


BODY = "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("begin", "content"),
    [
        ("GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n", b"a" * 8192),
        (f"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\n{BODY}2\r\n{{}}\r\n0\r\n", b"A: b\r\n" * 1024),
        (f"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\n{BODY}2\r\n{{}}\r\n0\r\nA: ", b"a" * 8192),
    ],
    ids=["an address after a late body", "trailers", "one trailer"],
)
def test_what_follows_a_body_is_bounded(patient: Served, begin: str, content: bytes) -> None:
    with closing(patient.connect()) as attacker:
        attacker.sendall(begin.encode())
        time.sleep(0.3)
        if begin.startswith("GET"):
            assert attacker.recv(65536).startswith(b"HTTP/1.1 200")
            attacker.sendall(b"xGET /")
        assert flood(attacker, content)
    assert patient.get().status_code == 200
    assert "Traceback" not in patient.log


def test_no_request_becomes_a_websocket_before_the_one_before_it_is_answered(served: Served) -> None:
    table = served.table()
    with closing(served.connect()) as asking:
        first = "GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        asking.sendall((first + UPGRADE.format(f"GET /api/tables/{table}/live", "")).encode())
        heard = is_ended(asking, 4)
    assert heard is not None
    assert b"101 Switching" not in heard
    assert "Traceback" not in served.log


class ClosedTransport:
    """A transport whose other end is gone, before the protocol has been told."""

    def is_closing(self) -> bool:
        return True

    def write(self, data: bytes) -> None:
        raise RuntimeError("the handler is closed")  # as uvloop does


def test_the_server_ends_while_a_page_takes_leave() -> None:
    """The page has sent its close frame and does not read the answer."""
    closed = []
    protocol = object.__new__(BoundedWebSocket)
    protocol.handshake_complete, protocol.close_sent = True, False
    protocol.ping_timer = protocol.pong_timer = None
    protocol.conn = ServerProtocol(state=State.CLOSING)
    protocol.transport = SimpleNamespace(close=lambda: closed.append(True))  # type: ignore[assignment]
    protocol.shutdown()
    assert closed == [True]


def test_what_is_sent_at_once_is_one_frame_of_any_size() -> None:
    client = ClientProtocol(parse_uri("ws://localhost/"), state=State.OPEN, max_size=None)
    protocol = object.__new__(BoundedWebSocket)
    protocol.writable = asyncio.Event()
    protocol.writable.set()
    protocol.handshake_complete = True
    protocol.conn = ServerProtocol(state=State.OPEN)
    protocol.transport = SimpleNamespace(is_closing=lambda: False, write=client.receive_data)  # type: ignore[assignment]
    messages = [b"a" * size for size in (0, 125, 126, 65535, 65536, 200_000)]
    assert all(map(protocol.send_now, messages))
    received = client.events_received()
    assert [(frame.opcode, frame.fin, frame.data) for frame in received if isinstance(frame, Frame)] == [
        (Opcode.TEXT, True, message) for message in messages
    ]


def test_reading_stops_once_where_five_messages_wait_and_goes_on_when_they_are_taken() -> None:
    async def story() -> None:
        told: list[str] = []
        protocol = object.__new__(BoundedWebSocket)
        protocol.queue = asyncio.Queue()
        protocol.read_paused = protocol.close_sent = False
        protocol.curr_msg_data_type = "text"
        protocol.transport = SimpleNamespace(  # type: ignore[assignment]
            pause_reading=lambda: told.append("pause"), resume_reading=lambda: told.append("resume")
        )

        def arrives(messages: int) -> None:
            for _ in range(messages):
                protocol.frames = [b"a message"]
                protocol.send_receive_event_to_app()

        arrives(4)
        assert told == []
        arrives(3)
        assert told == ["pause"]
        for _ in range(7):
            assert await protocol.receive() == {"type": "websocket.receive", "text": "a message"}
        assert told == ["pause", "resume"]
        arrives(5)
        assert told == ["pause", "resume", "pause"]

    asyncio.run(story())


def test_nothing_is_sent_at_once_over_a_transport_that_is_closed() -> None:
    protocol = object.__new__(BoundedWebSocket)
    protocol.writable = asyncio.Event()
    protocol.writable.set()
    protocol.handshake_complete = True
    protocol.conn = ServerProtocol(state=State.OPEN)
    protocol.transport = ClosedTransport()  # type: ignore[assignment]
    assert not protocol.send_now(b"a position")


def test_nothing_is_said_over_a_connection_that_is_being_closed() -> None:
    """The client left before its handshake was answered, or did what it must not do."""
    protocol = object.__new__(BoundedWebSocket)
    protocol.writable = asyncio.Event()
    protocol.writable.set()
    protocol.transport = ClosedTransport()  # type: ignore[assignment]
    for kind in ("websocket.accept", "websocket.send", "websocket.close"):
        with pytest.raises(ClientDisconnected):
            asyncio.run(protocol.send({"type": kind}))
