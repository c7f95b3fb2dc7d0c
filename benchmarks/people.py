"""Simulated people who play whole games at the tables of a local server.

Their connections are compiled (picows), so they take little processor time.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2
import msgspec
import uvloop
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from bosquet.core.installed import spec
from bosquet.core.positions.position import read
from bosquet.core.view_texts import StateTexts, load

OPENING = 20
"""Tables that one process opens at a time, before anybody plays."""
OPENING_SECONDS = 60.0


class Move(msgspec.Struct):
    """What a player needs of a move."""

    say: str


class View(msgspec.Struct):
    """What a player needs of a view."""

    over: bool = False
    moves: list[Move] = []


class Told(msgspec.Struct):
    """What a player needs of a message."""

    type: str
    phase: str = ""
    number: int = 0
    viewpoint: int | None = None
    view: View = msgspec.field(default_factory=View)
    position: str = ""


def choices(told: Told) -> tuple[bool, list[str]]:
    """Return whether a game is over, and the moves of the one who is told: of a view, or worked out of a position."""
    if told.type == "position":
        return told.view.over, [move.say for move in told.view.moves]
    if f"/seat={told.viewpoint}/" not in told.position:  # to read a position takes longer than all else here
        return "/seat=-/" in told.position, []
    position = read(told.position)
    state = position.state
    notation, actions = position.spec.notation, StateTexts(position.spec, state).actions
    return False, [notation.to_notation(state, action) for action in actions]


TOLD = msgspec.json.Decoder(Told)


@dataclass
class Tally:
    """What the people of one process counted."""

    moves: int = 0
    games: int = 0
    waits: list[float] = field(default_factory=list)


@dataclass
class Place:
    """Where people play, which game, how slowly, and until when."""

    port: int
    game: str
    pause: float
    engine: str = ""
    """Hash of the engine with which they work out moves; without one they are sent views."""
    until: float = 0.0

    @property
    def base(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"


class Player(WSListener):
    """One seat of one table. Subclasses override `see` to react to positions in another way."""

    def __init__(self, tally: Tally, pause: float, until: float) -> None:
        """Set the mean thinking time `pause` in seconds, and the time `until` which to play."""
        self.tally = tally
        self.pause = pause
        self.until = until
        self.asked = 0.0

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Report ready if the table waits for it, and react to positions."""
        payload = frame.get_payload_as_memoryview()
        if frame.msg_type != WSMsgType.TEXT or not payload:  # an empty message only shows that the server is there
            return
        told = TOLD.decode(payload)
        if told.type == "table" and told.phase == "waiting":
            say(transport, {"type": "ready", "nonce": secrets.token_hex(16)})
        elif told.type in ("position", "known"):
            self.see(transport, told)

    def see(self, transport: WSTransport, told: Told) -> None:
        """Make a random move, until the game or the time is over."""
        if self.asked:
            self.tally.waits.append(time.perf_counter() - self.asked)
            self.tally.moves += 1
            self.asked = 0.0
        over, moves = choices(told)
        if over or time.perf_counter() > self.until:
            self.tally.games += over and told.viewpoint == 0
            leave(transport)
        elif moves:
            move = random.choice(moves)
            ask = {"type": "play", "seat": told.viewpoint, "number": told.number, "move": move}
            if self.pause:
                asyncio.get_running_loop().call_later(random.uniform(0, 2 * self.pause), self._ask, transport, ask)
            else:
                self._ask(transport, ask)

    def _ask(self, transport: WSTransport, ask: dict[str, Any]) -> None:
        self.asked = time.perf_counter()
        say(transport, ask)


def say(transport: WSTransport, message: dict[str, Any]) -> None:
    """Send a message."""
    transport.send(WSMsgType.TEXT, msgspec.json.encode(message))


def leave(transport: WSTransport) -> None:
    """Close a connection as a page does."""
    transport.send_close(WSCloseCode.OK)
    transport.disconnect()


async def guests(http: httpx2.AsyncClient, base: str) -> list[str]:
    """Return the cookies of two people."""
    cookies = []
    for _ in range(2):
        answer = await http.get(f"{base}/api/lobby", headers={"cookie": ""})
        cookies.append(answer.headers["set-cookie"].split(";")[0])
        http.cookies.clear()
    return cookies


async def open_table(http: httpx2.AsyncClient, base: str, game: str, cookies: list[str]) -> str:
    """Open a table at which two people sit down; return its id."""
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "friend"}]
    body = {"game": game, "options": {"players": 2}, "seats": seats, "listed": True}
    answer = await http.post(f"{base}/api/tables", json=body, headers={"cookie": cookies[0]})
    table: str = answer.json()["table"]
    await http.post(f"{base}/api/tables/{table}/join", json={"name": "Bea"}, headers={"cookie": cookies[1]})
    return table


async def sit(port: int, table: str, cookie: str, player: Player, engine: str = "") -> None:
    """Let a person sit at a table until the game is over, or 5 seconds after the time is over."""
    url = f"ws://127.0.0.1:{port}/api/tables/{table}/live?engines={engine}"
    transport, _ = await ws_connect(
        lambda: player,
        url,
        extra_headers={"cookie": cookie},
        max_frame_size=1 << 22,
        websocket_handshake_timeout=OPENING_SECONDS,
    )
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(transport.wait_disconnected(), player.until - time.perf_counter() + 5)
    finally:
        leave(transport)


class Visitor(Player):
    """A person who leaves after the deal."""

    def see(self, transport: WSTransport, told: Told) -> None:
        """Leave."""
        leave(transport)


async def keep_playing(http: httpx2.AsyncClient, place: Place, first: tuple[str, list[str]], tally: Tally) -> None:
    """Play at one table after the other, until the time is over."""
    table, cookies = first
    while True:
        await asyncio.gather(
            *(
                sit(place.port, table, cookie, Player(tally, place.pause, place.until), place.engine)
                for cookie in cookies
            )
        )
        if time.perf_counter() > place.until:
            return
        table = await open_table(http, place.base, place.game, cookies)


def people(place: Place, tables: int, seconds: float, start: Any, out: Any) -> None:
    """Open tables, wait for the other processes at `start`, play, and put the tally into `out`."""
    if place.engine:
        load(spec(place.game))

    async def run() -> Tally:
        tally = Tally()
        limit = asyncio.Semaphore(OPENING)

        async def opened() -> tuple[str, list[str]]:
            async with limit:
                cookies = await guests(http, place.base)
                return await open_table(http, place.base, place.game, cookies), cookies

        limits = httpx2.Limits(max_connections=OPENING)
        async with httpx2.AsyncClient(timeout=120, limits=limits) as http:
            laid = await asyncio.gather(*(opened() for _ in range(tables)))
            await asyncio.to_thread(start.wait)
            place.until = time.perf_counter() + seconds
            await asyncio.gather(*(keep_playing(http, place, one, tally) for one in laid))
        return tally

    out.put(uvloop.run(run()))


async def lay_tables(port: int, game: str, tables: int) -> None:
    """Deal games at many tables and leave them."""
    limit = asyncio.Semaphore(50)
    base = f"http://127.0.0.1:{port}"

    async def one() -> None:
        async with limit:
            cookies = await guests(http, base)
            table = await open_table(http, base, game, cookies)
            until = time.perf_counter() + OPENING_SECONDS
            await asyncio.gather(*(sit(port, table, cookie, Visitor(Tally(), 0.0, until)) for cookie in cookies))

    async with httpx2.AsyncClient(timeout=120) as http:
        await asyncio.gather(*(one() for _ in range(tables)))


def percentiles(waits: list[float]) -> dict[str, float]:
    """Return the median and the 99th percentile, in milliseconds, of sorted times in seconds."""
    if not waits:
        return {"p50_ms": 0.0, "p99_ms": 0.0}
    return {f"p{p}_ms": 1000 * waits[min(len(waits) - 1, len(waits) * p // 100)] for p in (50, 99)}
