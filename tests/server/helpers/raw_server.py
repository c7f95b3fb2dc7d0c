"""An application that answers at length, slowly or never, served as `bosquet serve` does; and how clients ask it.

python -m tests.server.helpers.raw_server PARSER LOOP PORT LIMIT=SECONDS …
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

CHUNK = bytes(64 * 1024)
running = 0
"""Handlers that have not ended."""


@contextlib.contextmanager
def counted() -> Any:
    """Count a handler as long as it runs."""
    global running
    running += 1
    try:
        yield
    finally:
        running -= 1


def serve(parser: str, loop: str, port: int, limits: dict[str, float]) -> None:
    """Serve until a signal; the first line of the output is the port."""
    blocked: dict[str, Any] = sys.modules
    if parser == "h11":
        blocked["httptools"] = None
    if loop == "asyncio":
        blocked["uvloop"] = None
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

    from bosquet.server.base import logs
    from bosquet.server.base.metrics import Metrics
    from bosquet.server.host.run import run
    from bosquet.server.http.limits import Limits

    metrics = Metrics()

    async def state(request: Request) -> Response:
        found = re.search(rb"^bosquet_sockets (\S+)", metrics.exposition(), re.MULTILINE)
        return JSONResponse({"sockets": float(found[1]) if found else None, "running": running})

    async def long(request: Request) -> Response:
        size = int(request.query_params["size"])

        async def chunks() -> AsyncIterator[bytes]:
            with counted():
                for start in range(0, size, len(CHUNK)):
                    yield CHUNK[: size - start]
                    await asyncio.sleep(0)

        return StreamingResponse(chunks(), headers={"content-length": str(size)})

    async def whole(request: Request) -> Response:
        return Response(bytes(int(request.query_params["size"])))

    async def wait(request: Request) -> Response:
        with counted():
            while (await request.receive())["type"] != "http.disconnect":
                pass
        return Response()

    async def deaf(request: Request) -> Response:
        with counted():
            await asyncio.sleep(float(request.query_params["seconds"]))
        return Response(b"heard")

    async def burst(scope: Any, receive: Any, send: Any) -> None:
        with counted():
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await asyncio.sleep(0.5)
            for _ in range(100):
                await send({"type": "http.response.body", "body": b"x" * 100, "more_body": True})
            await send({"type": "http.response.body", "body": b""})

    async def live(page: WebSocket) -> None:
        with counted(), contextlib.suppress(WebSocketDisconnect):
            await page.accept()
            for _ in range(int(page.query_params.get("messages", "0"))):
                await page.send_bytes(CHUNK)
            if "close" in page.query_params:
                await page.close()
            while (await page.receive())["type"] != "websocket.disconnect":
                pass

    routes: list[Any] = [
        Route("/state", state),
        Route("/long", long, methods=["GET", "POST"]),
        Route("/whole", whole, methods=["GET", "POST"]),
        Route("/wait", wait, methods=["GET", "POST"]),
        Route("/deaf", deaf, methods=["GET", "POST"]),
        WebSocketRoute("/live", live),
        WebSocketRoute("/api/tables/t/live", live),
        WebSocketRoute("/api/reviews/r/live", live),
    ]
    app = Starlette(routes=routes)
    app.mount("/burst", burst)

    async def nothing(*given: Any) -> None:
        pass

    app.state.server = SimpleNamespace(
        limits=Limits(**limits),  # type: ignore[arg-type]
        services=SimpleNamespace(
            store=SimpleNamespace(prepare=nothing), nodes=SimpleNamespace(bus=SimpleNamespace(check=nothing))
        ),
        connections=SimpleNamespace(drain=nothing),
        network=None,
    )
    app.state.monitor = SimpleNamespace(metrics=metrics)
    logs.configure()
    listening = socket.create_server(("127.0.0.1", port), backlog=512)
    run(app, listening, lambda: print(listening.getsockname()[1], flush=True))


class RawServer:
    """That server in a process of its own."""

    def __init__(
        self, folder: Path, parser: str = "httptools", loop: str = "uvloop", port: int = 0, **limits: float
    ) -> None:
        self._log = folder / f"{parser}-{loop}.log"
        given = [f"{name}={value}" for name, value in limits.items()]
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.helpers.raw_server", parser, loop, str(port), *given],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    @property
    def log(self) -> str:
        return self._log.read_text()

    def connect(self, receive: int = 4096, source: str = "127.0.0.1") -> socket.socket:
        """Connect a client for which the system holds few bytes that it has not read."""
        client = socket.socket()
        client.bind((source, 0))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        client.settimeout(10)
        client.connect(("127.0.0.1", self.port))
        return client

    def ask(self, path: str, *headers: str, method: str = "GET", receive: int = 4096) -> socket.socket:
        """Send the head of a request."""
        client = self.connect(receive)
        client.sendall(head(path, *headers, method=method))
        return client

    def live(self, query: str = "") -> socket.socket:
        """Become a WebSocket."""
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"
        client = self.ask(f"/live?{query}", *upgrade)
        assert client.recv(12) == b"HTTP/1.1 101"
        return client

    def state(self) -> dict[str, float]:
        """Return how many other connections are open, and how many handlers run."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as asking:
            asking.sendall(head("/state", "Connection: close"))
            said = b""
            while more := asking.recv(65536):
                said += more
        state: dict[str, float] = json.loads(said.partition(b"\r\n\r\n")[2])
        return state | {"sockets": state["sockets"] - 1}

    def comes_to(self, wanted: Callable[[dict[str, float]], bool], seconds: float) -> bool:
        """Return whether the server comes to a state within a time."""
        end = time.monotonic() + seconds
        while not wanted(self.state()):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def is_rid_of_all(self, seconds: float) -> bool:
        """Return whether nothing is left of any client within a time."""
        return self.comes_to(lambda state: state == {"sockets": 0, "running": 0}, seconds)

    def end(self) -> float:
        """End the server by a signal; return how long that took."""
        begin = time.monotonic()
        self.process.terminate()
        try:
            self.process.communicate(timeout=20)
        finally:
            self.process.kill()
        return time.monotonic() - begin


def head(path: str, *headers: str, method: str = "GET") -> bytes:
    """Return the head of a request."""
    lines = f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def reset(client: socket.socket) -> None:
    """Leave without taking leave of TCP either."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


if __name__ == "__main__":
    limits = {name: float(value) for name, value in (one.split("=") for one in sys.argv[4:])}
    serve(sys.argv[1], sys.argv[2], int(sys.argv[3]), limits)
