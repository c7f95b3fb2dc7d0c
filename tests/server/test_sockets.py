"""Raw connections, over real sockets: none is held for a client that takes nothing, or has left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.server.raw_server import RawServer

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
