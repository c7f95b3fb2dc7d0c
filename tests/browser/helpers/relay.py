"""A network between a browser and the server that can go silent, as that of a phone in a tunnel does."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar


class Relay:
    """Passes on what arrives, in both directions. While it is silent it keeps everything, and closes nothing."""

    def __init__(self, server: str) -> None:
        """Relay to a server at an address `http://HOST:PORT`."""
        host, _, port = server.removeprefix("http://").partition(":")
        self._server = (host, int(port))
        self._flowing = threading.Event()
        self._flowing.set()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """Let nothing through from now on."""
        self._flowing.clear()

    def restore(self) -> None:
        """Let everything through again, also what was sent meanwhile."""
        self._flowing.set()

    def close(self) -> None:
        """Accept no more connections."""
        self._flowing.set()
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(browser,), daemon=True).start()

    def _connect(self, browser: socket.socket) -> None:
        with browser, socket.create_connection(self._server) as server:
            back = threading.Thread(target=self._pass_on, args=(server, browser, self.passed), daemon=True)
            back.start()
            self._pass_on(browser, server)
            back.join()

    def passed(self, content: bytes) -> bytes:
        """What arrives of what the server sends."""
        return content

    def _pass_on(
        self, source: socket.socket, target: socket.socket, passed: Callable[[bytes], bytes] = lambda content: content
    ) -> None:
        with contextlib.suppress(OSError):
            while True:
                content = source.recv(65536)
                self._flowing.wait()
                if not content:
                    break
                target.sendall(passed(content))
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


Kind = TypeVar("Kind", bound=Relay)


@contextlib.contextmanager
def relaying(server: str, kind: type[Kind]) -> Iterator[Kind]:
    """Relay to a server for a while, as one kind of relay does."""
    relay = kind(server)
    try:
        yield relay
    finally:
        relay.close()
