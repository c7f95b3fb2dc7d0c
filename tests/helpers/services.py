"""Servers that tests start for themselves: ours, PostgreSQL, Redis, and a connection to one that can be cut."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from glob import glob
from pathlib import Path

import psycopg
import pytest

LEAVES_CONNECTIONS = [
    pytest.mark.usefixtures("collected"),
    pytest.mark.filterwarnings("ignore:.*was deleted while still open:ResourceWarning"),
]
"""Marks of tests in which a loop ends while a connection to PostgreSQL is in use."""
POSTGRESQL = sorted(glob("/usr/lib/postgresql/*/bin"))
REDIS = shutil.which("redis-server") or shutil.which("valkey-server")
WITH_PAGE = """
import sys
from pathlib import Path
from bosquet.cli import main
from bosquet.server.http import static_files
static_files.PAGE = Path(sys.argv.pop())
main()
"""
"""A server whose last argument is the folder of its page."""


def need(found: object, name: str) -> None:
    """Skip a test that needs a program which is not installed, except where it has to run."""
    if not found:
        if os.environ.get("BOSQUET_SERVICE_TESTS") == "required":
            raise AssertionError(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")


def free_port() -> int:
    """Return a port of loopback at which nobody listens.

    It lies below those that systems hand out by themselves, so that no connection takes it before the server does.
    """
    while True:
        port = random.SystemRandom().randrange(12_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Postgresql:
    """A PostgreSQL server of its own, on a port of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.port = free_port()
        self._options = options
        self._databases = 0
        self._run("initdb", "-D", folder / "data", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C")
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = [f"-p {self.port}", "-c listen_addresses=127.0.0.1", f"-c unix_socket_directories={self.folder}"]
        options += [f"-c {option}" for option in self._options]
        self._run(
            "pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", " ".join(options), "start"
        )

    def stop(self, mode: str = "immediate") -> None:
        """End it, by default as a crash would."""
        self._run("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop")

    def database(self) -> str:
        """Make a database and return its URL."""
        self._databases += 1
        name = f"tables{self._databases}"
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{self.port}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return f"postgresql://postgres:secret@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: object) -> None:
        command = [f"{POSTGRESQL[-1]}/{program}", *map(str, arguments)]
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, cwd="/")


@contextlib.contextmanager
def postgresql(*options: str) -> Iterator[Postgresql]:
    """Run a PostgreSQL server meanwhile."""
    need(POSTGRESQL and (os.geteuid() != 0 or shutil.which("runuser")), "PostgreSQL")
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        server = Postgresql(Path(folder), *options)
        try:
            yield server
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):  # a test has stopped it
                server.stop()


class Redis:
    """A Redis server of its own, which keeps nothing on disk."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def pid(self) -> int:
        """The id of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        assert REDIS is not None
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen([REDIS, *options], stdout=subprocess.DEVNULL, cwd=tempfile.gettempdir())
        wait_for_port(self.port)

    def stop(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextlib.contextmanager
def redis() -> Iterator[Redis]:
    """Run a Redis server meanwhile."""
    need(REDIS, "Redis")
    server = Redis()
    try:
        yield server
    finally:
        server.stop()


class Line:
    """A port of loopback that leads to another one, until it is cut: then nothing comes through, and nobody is told."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._whole = threading.Event()
        self._whole.set()
        self._accepting = threading.Event()
        self._accepting.set()
        self._sockets: list[socket.socket] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Let nothing through from now on; new connections are made, but lead nowhere."""
        self._whole.clear()

    def drop_packets(self) -> None:
        """Let nothing through from now on; what would make a new connection vanishes, too (on Linux).

        The system drops it where the connections that wait to be accepted are as many as may wait.
        """
        self.cut()
        self._accepting.clear()
        self._server.listen(0)
        with contextlib.suppress(TimeoutError):
            while True:
                self._sockets.append(socket.create_connection(("127.0.0.1", self.port), 0.2))

    def mend(self) -> None:
        """Let new connections through; those of before stay dead."""
        for broken in self._sockets:
            with contextlib.suppress(OSError):  # it has ended already
                broken.shutdown(socket.SHUT_RDWR)
            broken.close()
        self._sockets.clear()
        self._server.listen()
        self._accepting.set()
        self._whole.set()

    def close(self) -> None:
        """End it."""
        self.mend()
        self._server.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._accepting.wait()
                incoming, _ = self._server.accept()
                self._sockets.append(incoming)
                if self._whole.is_set():
                    self._lead(incoming)

    def _lead(self, incoming: socket.socket) -> None:
        try:
            outgoing = socket.create_connection(("127.0.0.1", self._to))
        except OSError:  # nobody is there
            incoming.close()
            return
        self._sockets.append(outgoing)
        for pair in ((incoming, outgoing), (outgoing, incoming)):
            threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not self._whole.is_set():
                    return
                target.sendall(data)
        if self._whole.is_set():  # one end is closed, or reset
            with contextlib.suppress(OSError):
                target.shutdown(socket.SHUT_RDWR)


def wait_for_port(port: int, seconds: float = 20.0) -> None:
    """Wait until somebody listens at a port of loopback."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise AssertionError(f"nobody listens at port {port}")


@contextlib.contextmanager
def serving(
    folder: Path, environment: Mapping[str, str] | None = None, *arguments: str, program: str = "bosquet"
) -> Iterator[str]:
    """Run a server that keeps its tables in a folder; yield where it listens."""
    command = [sys.executable, "-m", program, "serve", "--port", "0", "--no-browser", "--data", str(folder)]
    command += arguments
    with open(folder / "log", "w+") as log:
        server = subprocess.Popen(command, stderr=log, env=os.environ | (environment or {}))
        try:
            found = None
            while found is None:
                assert server.poll() is None, (folder / "log").read_text()
                time.sleep(0.02)
                found = re.search(r"http://[\d.:]+", (folder / "log").read_text())
            yield found[0]
        finally:
            server.terminate()
            server.wait(20)


@contextlib.contextmanager
def serving_page(page: Path, folder: Path, port: int) -> Iterator[None]:
    """Run a server with a given build of the page, which keeps its tables in a folder, always at the same port."""
    folder.mkdir(exist_ok=True)
    command = ["serve", "--port", str(port), "--no-browser", "--data", str(folder), str(page)]
    with open(folder / "log", "a") as log:
        server = subprocess.Popen([sys.executable, "-c", WITH_PAGE, *command], stderr=log, stdout=log)
        try:
            wait_for_port(port, 60)
            yield
        finally:
            server.terminate()
            server.wait(20)
