"""People at tables, for tests: an application over a fresh database, guests with their own cookies, and clients."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession

from bosquet.core.rng import Rng
from bosquet.server.base.rate_limits import Rate
from bosquet.server.http.app import create_app
from bosquet.server.http.limits import Limits

GENEROUS = Rate(100_000, 100_000)
LOOSE = Limits(
    asks=GENEROUS,
    asks_of_address=GENEROUS,
    opened=GENEROUS,
    opened_of_address=GENEROUS,
    opened_a_day=GENEROUS,
    opened_a_day_of_address=GENEROUS,
    requests=GENEROUS,
    requests_of_address=GENEROUS,
    computing=GENEROUS,
    computing_of_address=GENEROUS,
    connecting=GENEROUS,
    identity=GENEROUS,
    identity_of_address=GENEROUS,
)
"""Tests ask more in a second than people do."""


def make_app(folder: Path, limits: Limits = LOOSE, names: frozenset[str] | None = None, base: str = "/") -> Starlette:
    """An application over a database in a folder, in the folder `base` of its host."""
    database = f"sqlite:///{folder / 'tables.db'}"
    return create_app(database, b"a key for tests", limits=limits, processes=1, names=names, base=base, warm=False)


class Person:
    """One browser."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        client.get("/api/lobby")
        self.cookie = client.cookies["bosquet"]

    def get(self, path: str) -> httpx2.Response:
        """Ask for something, as this person."""
        return self.client.get(path, headers={"cookie": f"bosquet={self.cookie}"})

    def post(self, path: str, body: Any) -> httpx2.Response:
        """Send something, as this person."""
        return self.client.post(path, json=body, headers={"cookie": f"bosquet={self.cookie}"})

    def open(self, game: str, options: dict[str, Any], seats: list[dict[str, Any]], **more: Any) -> str:
        """Open a table and give its id."""
        body = {"game": game, "options": options, "seats": seats, "pace": "instant", **more}
        answer = self.post("/api/tables", body)
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]
        return table

    @contextmanager
    def at(self, table: str, since: int = 0, engines: str = "") -> Iterator[Page]:
        """Sit at a table, with engines of these hashes."""
        headers = {"cookie": f"bosquet={self.cookie}"}
        address = f"/api/tables/{table}/live?since={since}&engines={engines}"
        with self.client.websocket_connect(address, headers=headers) as socket:
            yield Page(socket)


class Page:
    """What one browser is sent at a table."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.news: dict[str, Any] = {}
        self.position: dict[str, Any] = {}
        self.entries: list[dict[str, Any]] = []

    def ask(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        self.socket.send_json({"type": kind, **fields})

    def hear(self, kind: str | None = None) -> dict[str, Any]:
        """The next message, or the next of a kind."""
        while True:
            message: dict[str, Any] = self.socket.receive_json()
            if message["type"] == "table":
                self.news = message
            elif message["type"] == "position":
                self.position = message
                self.entries += message["entries"]
            if kind in (None, message["type"]):
                return message

    def ready(self) -> None:
        """Add to the shuffle, once the table says how it stands."""
        self.hear("table")
        self.ask("ready", nonce=secrets.token_hex(16))

    def play(self, move: str) -> None:
        """Make a move of the seat whose viewpoint this is."""
        position = self.position
        self.ask("play", seat=position["viewpoint"], number=position["number"], move=move)

    def refusal(self, kind: str, **fields: Any) -> str:
        """Ask for something that can't be; gives the code of the refusal."""
        self.ask(kind, **fields)
        code: str = self.hear("refused")["code"]
        return code

    def play_on(self, rng: Rng, plies: int = 10**6) -> None:
        """Play at random until the game is over, or for this number of own moves."""
        while plies and not (self.position and self.position["view"]["over"]):
            moves = self.position.get("view", {}).get("moves", [])
            if moves:
                plies -= 1
                self.play(rng.choice(moves)["say"])
            self.hear("position")


ME = {"kind": "me", "name": "Ann"}
FRIEND = {"kind": "friend"}
RANDOM = {"kind": "bot", "bot": "random"}
GREEDY = {"kind": "bot", "bot": "greedy"}


def two_people(ann: Person, bea: Person, seats: list[dict[str, Any]] | None = None) -> str:
    seats = seats or [ME, FRIEND]
    table = ann.open("topiary", {"players": len(seats)}, seats, listed=True)
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    return table


def begin(*pages: Page) -> None:
    for page in pages:
        page.ready()
    for page in pages:
        page.hear("position")


def my_turn(page: Page) -> int:
    """Wait until a seat of this page is to move."""
    while not page.position or not page.position["view"]["moves"]:
        page.hear("position")
    seat: int = page.position["viewpoint"]
    return seat
