"""Measures the processor time of each step of a move at a table: `python -m benchmarks.move_profile`.

Random games of two people run in one process, step by step as in the server, with a separate database. The steps do not
include sockets and tasks: `benchmarks.tables` measures the whole server.
"""

from __future__ import annotations

import gc
import json
import logging
import random
import secrets
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import msgspec
import structlog
import typer
import uvloop
from rich.console import Console
from rich.table import Table as Shown
from websockets.frames import Frame, Opcode
from websockets.protocol import SERVER, Protocol, State

from bosquet.kernels import jit
from bosquet.server.base.clock import now
from bosquet.server.base.metrics import Metrics
from bosquet.server.compute.compute import build_compute
from bosquet.server.compute.warm_views import load
from bosquet.server.http.limits import Limits
from bosquet.server.nodes.bus import LocalBus
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.services import Services
from bosquet.server.store.store import Store
from bosquet.server.table import journal, messages
from bosquet.server.table.action import Context
from bosquet.server.table.actions import ASKS, decide
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.actions.join import Join
from bosquet.server.table.actions.move import Play
from bosquet.server.table.broadcast import Broadcast, Subscriber
from bosquet.server.table.table import Table
from bosquet.server.tables.registry import TableRegistry

STEPS = {
    "ask": "WebSocket frame in, and what it asks",
    "rules": "what happens then: legal moves, the move, what each seat may know of it",
    "journal": "journal: entry and row of the table, written to disk",
    "apply": "the move is made",
    "view": "the position for both seats as JSON",
    "frames": "WebSocket frames out",
    "open": "the table: opened, joined and dealt; a part of it for each move",
}


class Page(Subscriber):
    """A page that keeps the messages it gets."""

    def __init__(self, guest: str, viewpoint: int | None) -> None:
        self.watching = False
        self.guest = guest
        self.viewpoint = viewpoint
        self.number = 0
        self.got: list[bytes] = []

    def send(self, message: bytes) -> None:
        """Keep a message."""
        self.got.append(message)


class Clock:
    """Processor time of this process by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def measure(self, step: str) -> Iterator[None]:
        """Add the time of the block to a step."""
        start = time.process_time()
        yield
        self.seconds[step] += time.process_time() - start


async def opened(registry: TableRegistry, game: str) -> Table:
    """Return a table of two people, opened and dealt."""
    seats = [messages.SeatWish(kind="me", name="Ann"), messages.SeatWish(kind="friend")]
    new = messages.NewTable(game=game, options={"players": 2}, seats=seats, listed=True)
    table = await registry.open("ann", new)
    await table.do("bea", Join("Bea", table.session.invitation))
    for guest in ("ann", "bea"):
        await table.do(guest, Ready(secrets.token_hex(16)))
    return table


async def play(store: Store, registry: TableRegistry, game: str, moves: int, clock: Clock) -> int:
    """Play games until at least `moves` moves are made; return their number."""
    made = 0
    asks = Protocol(SERVER, state=State.OPEN, max_size=1 << 20)
    answers = Protocol(SERVER, state=State.OPEN, max_size=1 << 20)
    chance = random.Random(1)
    while made < moves:
        with clock.measure("open"):
            table = await opened(registry, game)
            session = table.session
        pages = [Page(chair.guest or "", seat) for seat, chair in enumerate(session.chairs)]
        told = Broadcast(session)
        told.subscribers.update(pages)
        for page in pages:
            told.send_position(page, again=True)
        while session.phase == "playing":
            turn = session.dealt().seat
            assert turn is not None
            mover = pages[turn]
            move = chance.choice(msgspec.json.decode(mover.got[-1])["view"]["moves"])["say"]
            ask = json.dumps({"type": "play", "seat": turn, "number": session.number, "move": move}).encode()
            sent = Frame(Opcode.TEXT, ask).serialize(mask=True)
            with clock.measure("ask"):
                asks.receive_data(sent)
                (frame,) = asks.events_received()
                asked = ASKS.decode(frame.data.decode())  # type: ignore[union-attr]
            assert isinstance(asked, Play)
            context = Context(mover.guest, now(), table)
            with clock.measure("rules"):
                happened = decide(session, asked, context)
            with clock.measure("journal"):
                await journal.write(store, table.id, session.number, happened)
            with clock.measure("apply"):
                for event in happened:
                    session.apply(event)
                told.forget_position()
            for page in pages:
                page.got.clear()
            with clock.measure("view"):
                told.send_positions()
            with clock.measure("frames"):
                for page in pages:
                    for message in page.got:
                        answers.send_text(message)
                        answers.data_to_send()
            made += 1
    return made


async def measured(game: str, moves: int, warm: bool) -> dict[str, Any]:
    """Return the microseconds of processor time of a move, by step."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/tables.db")
        await store.open()
        nodes, limits, metrics = Nodes(LocalBus(), b"key"), Limits(), Metrics()
        compute = build_compute(None, None, nodes, limits, metrics, warm=False)
        registry = TableRegistry(Services(store, nodes, compute, limits, metrics), limits)
        if warm:
            load(game)
        gc.freeze()  # as the server does
        gc.set_threshold(50_000, 20, 50)
        await play(store, registry, game, moves // 10, Clock())
        clock = Clock()
        made = await play(store, registry, game, moves, clock)
        await store.close()
    return {"game": game, "moves": made, "us": {step: 1e6 * clock.seconds[step] / made for step in STEPS}}


def run(
    games: Annotated[str, typer.Option(help="Games, with commas.")] = "topas,topiary",
    moves: Annotated[int, typer.Option(help="Moves of each game that are measured.")] = 2000,
    warm: Annotated[bool, typer.Option(help="With compiled kernels, where they can be compiled.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure where the processor time of a move goes."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    found = [uvloop.run(measured(game, moves, warm and jit.available())) for game in games.split(",")]
    if as_json:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    shown = Shown(title="Processor time of a move, in µs", title_justify="left")
    shown.add_column("step")
    for one in found:
        shown.add_column(one["game"], justify="right")
    for step, words in STEPS.items():
        shown.add_row(words, *(f"{one['us'][step]:.0f}" for one in found))
    shown.add_row("all", *(f"{sum(one['us'].values()):.0f}" for one in found), style="bold")
    Console().print(shown)


if __name__ == "__main__":
    typer.run(run)
