"""Raw connections, over real sockets: none is held for a client that takes nothing, or has left."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from bosquet.server.base.rate_limits import Slots
from bosquet.server.http.connections.sockets import Sockets
from bosquet.server.http.limits import Limits
from tests.server.helpers.raw_server import RawServer, head, reset

PAUSE = 2.0
"""Seconds between two looks at what connections have taken."""


SERVERS = [
    pytest.param(("httptools", "uvloop"), id="fast"),
    pytest.param(("h11", "asyncio"), id="plain", marks=pytest.mark.slow),
]


@pytest.fixture(scope="module", params=SERVERS)
def raw(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawServer]:
    """A server with the parser and the event loop of usual systems, and one with those of all others."""
    parser, loop = request.param
    raw = RawServer(
        tmp_path_factory.mktemp("raw"), parser, loop, taking_seconds=PAUSE, head_seconds=1.0, body_seconds=1.5
    )
    yield raw
    raw.end()
    assert "Traceback" not in raw.log
    assert "socket.send() raised exception" not in raw.log


def test_a_connection_that_has_ended_may_be_given_up() -> None:
    async def end() -> None:
        sockets = Sockets(Limits())
        ours, theirs = socket.socketpair()
        with closing(theirs):
            made, _ = await asyncio.get_running_loop().connect_accepted_socket(asyncio.Protocol, ours)
            transport = sockets.enter(made)
            assert transport is not None
            assert sockets.count == 1
            transport.close()
            await asyncio.sleep(0.05)
            sockets.leave(transport)
            assert sockets.count == 0
            transport.abort()
            transport.write(b"nobody is there")

    asyncio.run(end())


def test_what_may_wait_for_an_address_is_bounded() -> None:
    """The connections for which most is waiting are given up, and no more of them than needed."""

    async def run() -> None:
        sockets = Sockets(Limits(taking_seconds=0.2, waiting_bytes_of_address=3_000_000))
        with ExitStack() as stack:
            open_ones = []
            for size in (1_000_000, 4_000_000, 2_000_000):
                ours, theirs = socket.socketpair()
                stack.enter_context(closing(theirs))
                made, _ = await asyncio.get_running_loop().connect_accepted_socket(asyncio.Protocol, ours)
                transport = sockets.enter(made)
                assert transport is not None
                transport.write(bytes(size))
                open_ones.append(transport)
            async with asyncio.timeout(20):
                while not any(transport.is_closing() for transport in open_ones):
                    await asyncio.sleep(0.01)
            assert [transport.is_closing() for transport in open_ones] == [False, True, False]
            for transport in open_ones:
                transport.abort()
                sockets.leave(transport)

    asyncio.run(run())


def test_silent_connections_of_a_dozen_addresses_keep_nobody_out(tmp_path: Path) -> None:
    """They take all slots; what is being answered stays, and their silent ones give way to others."""
    raw = RawServer(tmp_path, sockets=48, head_seconds=30.0, body_seconds=30.0)
    begun = head("/whole?size=1", "Content-Length: 9", method="POST") + b"ab"
    with ExitStack() as stack:
        answered = []
        for number in range(12):
            for said in (head("/deaf?seconds=1.5"), b"GET / HTTP/1.1\r\n", b"", begun):
                client = stack.enter_context(closing(raw.connect(source=f"127.0.1.{1 + number}")))
                client.sendall(said)
                answered += [client] if b"deaf" in said else []
        for _ in range(3):
            with ExitStack() as visit:
                others = [visit.enter_context(closing(raw.connect(source="127.0.0.9"))) for _ in range(3)]
                for other in others:
                    other.sendall(head("/whole?size=3"))
                assert all(other.recv(100).startswith(b"HTTP/1.1 200") for other in others)
        assert all(client.recv(12) == b"HTTP/1.1 200" for client in answered)
    raw.end()
    assert raw.log == ""


def test_a_place_is_given_up_by_the_address_that_has_most() -> None:
    slots, ended = Slots(6, 5, 5), list[str]()
    with ExitStack() as stack:

        def come(name: str, address: str, gives_way: bool = True) -> bool:
            def give_way() -> bool:
                ended.extend([name] if gives_way else [])
                return gives_way

            return stack.enter_context(slots.one(name, address, give_way))

        assert come("busy", "a", gives_way=False)
        assert all(come(name, "a") for name in ("first", "second"))
        assert all(come(name, "b") for name in ("third", "fourth"))
        assert come("fifth", "c")
        assert [come("sixth", "a"), come("seventh", "b")] == [False, False]
        assert come("eighth", "d")
        assert not come("ninth", "d")
        assert (ended, slots.taken) == (["first"], 6)
    assert slots.taken == 0


UNREAD = 4_000_000


@pytest.mark.parametrize(
    "path",
    [
        f"/long?size={UNREAD}",
        pytest.param(f"/whole?size={UNREAD}", marks=pytest.mark.slow),
        pytest.param("/live?messages=60", marks=pytest.mark.slow),
        pytest.param("/live?messages=60&close", marks=pytest.mark.slow),
    ],
    ids=["a long answer", "one sent at once", "a WebSocket", "a closed WebSocket"],
)
def test_a_connection_that_takes_nothing_is_given_up(raw: RawServer, path: str) -> None:
    asking = raw.live(path.partition("?")[2]) if path.startswith("/live") else raw.ask(path)
    with closing(asking):
        assert raw.comes_to(lambda state: state["sockets"] == 1, 1)
        assert raw.is_rid_of_all(2 * PAUSE + 1)


@pytest.mark.slow
def test_one_that_was_told_to_close_is_given_up_too(raw: RawServer) -> None:
    with closing(raw.ask(f"/whole?size={UNREAD}", "Connection: close")) as asking:
        asking.recv(100)
        assert raw.is_rid_of_all(2 * PAUSE + 1)


def taken(client: socket.socket, size: int, pause: float) -> int:
    """Take an answer slowly; return the bytes of its content."""
    said = b""
    while b"\r\n\r\n" not in said:
        said += client.recv(1000)
    count = len(said.partition(b"\r\n\r\n")[2])
    while count < size:
        time.sleep(pause)
        more = client.recv(160_000)
        if not more:
            break
        count += len(more)
    return count


@pytest.mark.slow
def test_slow_clients_get_all_of_long_answers(raw: RawServer) -> None:
    """They take longer than anything else may: twelve seconds."""
    size = 8_000_000  # more than a system keeps of what was sent
    asked = {
        "its body never comes": head(f"/long?size={size}", "Content-Length: 5"),
        "half a request follows": head(f"/long?size={size}") + b"GET / HT",
        "an answer that is sent at once": head(f"/whole?size={size}", "Content-Length: 5") + b"{",
        "a pause after the request": head(f"/whole?size={size}"),
    }

    def ask(said: bytes) -> int:
        with closing(raw.connect(200_000)) as slow:
            slow.sendall(said)
            return taken(slow, size, 0.25)

    with ThreadPoolExecutor() as clients:
        got = dict(zip(asked, clients.map(ask, asked.values()), strict=True))
    assert got == dict.fromkeys(asked, size)
    assert raw.is_rid_of_all(3)


@pytest.mark.parametrize("leave", [socket.socket.close, reset], ids=["closed", "reset"])
@pytest.mark.parametrize("behind", [0, 1, 8])
def test_a_handler_hears_that_its_client_has_left(raw: RawServer, behind: int, leave: object) -> None:
    client = raw.connect()
    client.sendall(head("/wait") * (1 + behind))
    assert raw.comes_to(lambda state: state["running"] == 1, 1)
    assert callable(leave)
    leave(client)
    assert raw.is_rid_of_all(1)


def test_a_handler_that_sends_hears_of_it_behind_requests_that_wait(raw: RawServer) -> None:
    client = raw.connect()
    client.sendall(head(f"/long?size={UNREAD * 100}") + head("/wait") * 4)
    assert raw.comes_to(lambda state: state["running"] == 1, 1)
    reset(client)
    assert raw.is_rid_of_all(1)


def test_pipelined_requests_are_answered_in_order(raw: RawServer) -> None:
    with closing(raw.connect()) as client:
        client.sendall(
            head("/deaf?seconds=0.2") + head("/whole?size=7") * 9 + head("/whole?size=3", "Connection: close")
        )
        said = b""
        while more := client.recv(65536):
            said += more
    assert said.count(b"HTTP/1.1 200") == 11
    assert said.index(b"heard") < said.index(b"content-length: 7")
    assert said.endswith(b"\r\n\r\n" + bytes(3))


def test_a_websocket_that_ends_without_leave_is_told_at_once(raw: RawServer) -> None:
    with closing(raw.live("messages=60")) as page:
        assert raw.comes_to(lambda state: state["running"] == 1, 1)
        page.shutdown(socket.SHUT_WR)
        assert raw.is_rid_of_all(1)


def test_what_is_written_after_the_client_has_left_is_not_logged(raw: RawServer) -> None:
    client = raw.ask("/burst/")
    client.recv(100)
    reset(client)
    time.sleep(1)
    assert raw.is_rid_of_all(1)
    assert "socket.send()" not in raw.log


def stay(client: socket.socket) -> None:
    """Leave it to the server to end a connection."""


def half_close(client: socket.socket) -> None:
    """Say that nothing more will be sent."""
    client.shutdown(socket.SHUT_WR)


UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: aaaaaaaaaaaaaaaaaaaaaA==",
)
GET = head("/deaf?seconds=0.3")
POST = head("/wait", "Transfer-Encoding: chunked", method="POST")


FAULTS = [
    b"\0\r\n\r\n",
    GET + b"\0\r\n\r\n",
    GET + GET + b"\0\r\n\r\n",
    head("/whole?size=5", "Content-Length: 3") + b"abcdef\r\n\r\n",
    head("/whole?size=5", "Connection: close", "Content-Length: 3") + b"abcdef",
    POST + b"zz\r\n",
    POST.replace(b"/wait", b"/deaf?seconds=0.3") + b"2\r\nab\r\n0\r\nA: b\r\n\r\n" + b"\0",
    head("/long?size=900000", "Content-Length: 9") + b"abc",
    head("/long?size=900000") + b"\0\r\n\r\n",
    GET.replace(b"HTTP/1.1", b"HTTP/1.0") + GET,
    head("/whole?size=5", "Upgrade: h2c", "Connection: Upgrade") + b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    head("*", method="OPTIONS") + head("a:80", method="CONNECT"),
    b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    head("/whole?size=5", "Expect: 100-continue", "Content-Length: 3"),
    head("/live?messages=9", *UPGRADE) + b"\x83\0",
    POST.replace(b"/wait", b"/long?size=900000") + b"|zz\r\n",
    POST.replace(b"/wait", b"/whole?size=5") + b"|zz\r\n",
    POST.replace(b"/wait", b"/whole?size=5") + b"|2\r\nab\r\n0\r\n\r\n|" + GET + b"\0",
    head("/whole?size=5", "Content-Length: 3") + b"|abcd|\0",
    head("/whole?size=5").replace(b"HTTP/1.1", b"HTTP/1.0") + b"|" + GET,
]
"""What clients send, with a short pause at each bar."""


@pytest.mark.slow
def test_no_fault_of_a_client_leaves_a_traceback(raw: RawServer) -> None:
    with ExitStack() as clients:
        for said in FAULTS:
            for leave in (socket.socket.close, reset, stay):
                client = clients.enter_context(closing(raw.connect()))
                for part in said.split(b"|"):
                    with suppress(OSError):
                        client.sendall(part)
                    time.sleep(0.03)
                leave(client)
        assert raw.is_rid_of_all(2 * PAUSE + 6)
    assert "Traceback" not in raw.log


SAID = [
    *(said.replace(b"|", b"") for said in FAULTS),
    head("/long?size=3000000"),
    head("/whole?size=700000"),
    head("/whole?size=3"),
    head("/burst/"),
    head("/live?messages=9", *UPGRADE),
    head("/live?messages=40&close", *UPGRADE),
    head("/live", *UPGRADE) + b"\x81\x82\0\0\0\0ab\x89\x80\0\0\0\0\x01\x80\0\0\0\0\x80\x80\0\0\0\0",
    head("/live", *UPGRADE) + b"\x88\x80\0\0\0\0",
    POST.replace(b"/wait", b"/whole?size=9") + b"3\r\nabc\r\n" * 40 + b"0\r\n" + b"A: b\r\n" * 20 + b"\r\n",
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_left_of_forty_random_clients(raw: RawServer, seed: int) -> None:
    """They send requests one behind the other, in pieces or by halves, read some, and leave in one way or another."""
    end = time.monotonic() + 4

    def attack(rng: random.Random) -> None:
        while time.monotonic() < end:
            said = b"".join(rng.choices(SAID, k=rng.choice([1, 1, 2, 5, 15])))
            said = said[: rng.choice([len(said), len(said), rng.randrange(len(said))])]
            with closing(raw.connect(rng.choice([2048, 65536]))) as client, suppress(OSError):
                client.settimeout(0.3)
                while said:
                    size = rng.choice([1, 7, 100, 1000, 100_000]) if len(said) < 2000 else rng.choice([900, 100_000])
                    client.sendall(said[:size])
                    said = said[size:]
                for _ in range(rng.choice([0, 0, 3, 30])):
                    client.recv(rng.choice([1, 100, 65536]))
                rng.choice([socket.socket.close, reset, stay, half_close])(client)
                time.sleep(rng.choice([0, 0.1, 0.5]))

    with ThreadPoolExecutor(40) as clients:
        attacks = [clients.submit(attack, random.Random(f"{seed} {i}")) for i in range(40)]
        while time.monotonic() < end:
            raw.state()  # others are served
    for one in attacks:
        one.result()
    assert raw.is_rid_of_all(2 * PAUSE)
    assert "Traceback" not in raw.log


@pytest.mark.parametrize("kind", SERVERS)
def test_a_server_that_ends_waits_a_moment_for_answers(tmp_path: Path, kind: tuple[str, str]) -> None:
    raw = RawServer(tmp_path, *kind)
    with (
        closing(raw.ask("/deaf?seconds=0.6")) as soon,
        closing(raw.ask("/deaf?seconds=60")),
        closing(raw.ask("/wait")),
        closing(raw.ask(f"/long?size={UNREAD}")),
        closing(raw.ask(f"/whole?size={UNREAD}")),
        closing(raw.live("messages=60")),
        closing(raw.live()) as page,
    ):
        time.sleep(0.3)
        lasted = raw.end()
        assert soon.recv(1000).startswith(b"HTTP/1.1 200")
        assert struct.pack("!H", 1012) in page.recv(1000)
    assert lasted < 2.0
    assert raw.log == ""
