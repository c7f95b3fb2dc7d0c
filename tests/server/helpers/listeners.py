"""Tables without a server, and who listens at them."""

from __future__ import annotations

from typing import Any

from bosquet.core.game import Game
from bosquet.server.base.metrics import Metrics
from bosquet.server.nodes.bus import LocalBus
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.rows import Rows
from bosquet.server.table.listeners import Listeners
from bosquet.server.table.messages import Assistance
from bosquet.server.table.session import Chair, Session
from bosquet.server.table.table import Table


class NoStore:
    """Keeps nothing; what is kept is tested elsewhere."""

    async def keep(self, number: int, rows: Rows, then: Any = ()) -> None:
        pass

    async def update_table(self, table: str, *also: Any, **values: Any) -> None:
        pass


class Ear:
    """A subscriber that keeps everything it is sent."""

    def __init__(self, guest: str, *, engine: bool = False) -> None:
        self.guest = guest
        self.address = "192.0.2.1"
        self.watching = False
        self.viewpoint: int | None = None
        self.number = 0
        self.engine = engine
        self.heard: list[bytes] = []

    def send_off(self) -> None:
        """Nobody is sent away here."""
        raise AssertionError

    def send(self, message: bytes) -> None:
        """Keep a message."""
        self.heard.append(message)


def table_of(game: Game, assistance: Assistance = "full") -> Table:
    """A table in the middle of a game; every seat is held by the guest of its number."""
    session = Session(
        name=game.name,
        options=game.options,
        phase="playing",
        pace="instant",
        listed=False,
        invitation="invitation",
        secret="0" * 64,
        host="0",
        assistance=assistance,
        chairs=[Chair(name=f"Guest {seat}", guest=str(seat), nonce="0" * 32) for seat in range(game.players)],
        game=game.copy(),
    )
    assert session.game is not None
    session.game.rng = None
    table = Table("table", session, NoStore(), Nodes(LocalBus(), b"key"), None, Metrics(), Listeners())  # type: ignore[arg-type]
    return table
