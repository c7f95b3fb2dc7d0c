"""The messages between nodes that share tables, and the interface of a bus. `nodes.py` sends and receives them.

A message may be lost: it holds only public facts that are in the database or will be repeated. A move is not in it; a
node that hears of one reads it from the database (`table/catching_up.py`). A table's messages reach the nodes that
follow it, those where somebody is connected to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from bosquet.server.base.messages import Shown


class Changed(Struct, tag=True, frozen=True):
    """Something of a table was committed."""

    node: str
    table: str
    number: int
    """The number of its position now."""
    more: bool
    """Whether more than its journal has changed: who sits there, or its phase."""


class Present(Struct, tag=True, frozen=True):
    """Who is connected to a table at a node."""

    node: str
    table: str
    guests: list[str]
    """Marks of the people who sit there."""
    watchers: int
    marks: list[str] = []
    """Marks of some watchers, which are different at each table."""


class WhoIsThere(Struct, tag=True, frozen=True):
    """A node follows a table from now on, and asks the others who is connected to it."""

    node: str
    table: str


class Reacted(Struct, tag=True, frozen=True):
    """Somebody at a table has shown a reaction."""

    node: str
    table: str
    seat: int
    sign: Shown


class Led(Struct, tag=True, frozen=True):
    """Who leads a review, and what is shown there; of two that are told the one with the higher number holds."""

    node: str
    table: str
    """The review: it is followed as a table is."""
    number: int
    by: str
    """The node that has set it, by which two of one number are told apart."""
    leader: str | None
    """The page of the node that leads; None if nobody does."""
    name: str
    place: dict[str, Any] | None


class PointedAt(Struct, tag=True, frozen=True):
    """Somebody in a review points at a cell."""

    node: str
    table: str
    name: str
    cell: str | None


class Beat(Struct, tag=True, frozen=True):
    """A node is there. Nothing heard of it for some seconds means that it is not."""

    node: str
    key: str
    """A mark of the key that signs the cookies of its guests: all nodes need the same."""
    inviting: list[str] = []
    """Tables with free seats for anybody, whose host is connected there."""
    spent: dict[str, dict[str, float]] = {}
    """What heavy users have taken of each limit since the last beat, by their marks."""
    draining: bool = False
    """Whether it is about to end, and takes nobody over from others."""
    leaving: bool = False
    """Whether this is its last one."""
    watched: dict[str, int] = {}
    """Running tables for anybody to watch, at which somebody plays there, and how many watch."""


class Revoked(Struct, tag=True, frozen=True):
    """A device of a guest was signed out."""

    node: str
    guest: str
    """Its mark."""
    device: int | None
    """None for all devices of the guest."""


class Here(Struct, tag=True, frozen=True):
    """Guests are here who let their fellow players see it."""

    node: str
    guests: list[str]
    """Their marks."""


class Working(Struct, tag=True, frozen=True):
    """A worker is there; `slots` are the jobs of each kind that it does at a time."""

    node: str
    slots: dict[str, int]


TableMessage = Changed | Present | WhoIsThere | Reacted | Led | PointedAt
Message = TableMessage | Beat | Working | Revoked | Here


class Bus(Protocol):
    """Carries messages between nodes."""

    alone: bool
    """Whether there can be no other node."""

    @property
    def connected(self) -> bool:
        """Whether messages arrive, as far as is known."""

    async def check(self) -> None:
        """Ask it for nothing. Raises BosquetError where it can't be reached."""

    async def open(self, hear: Callable[[Message], None], missed: Callable[[], None]) -> None:
        """Begin to call `hear` for every message, and `missed` where some may have been lost."""

    async def close(self) -> None:
        """Send what is waiting, and end."""

    def publish(self, message: Message) -> None:
        """Send a message soon; never waits. It is lost where the bus can't be reached."""

    async def follow(self, table: str) -> None:
        """Hear the messages of a table, from when this returns if the bus can be reached."""

    def unfollow(self, table: str) -> None:
        """Hear the messages of a table no longer."""


class LocalBus:
    """The bus of a single node, which has nobody to tell anything."""

    alone = True
    connected = True

    async def check(self) -> None:
        """Do nothing."""

    async def open(self, hear: Callable[[Message], None], missed: Callable[[], None]) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""

    def publish(self, message: Message) -> None:
        """Do nothing."""

    async def follow(self, table: str) -> None:
        """Do nothing."""

    def unfollow(self, table: str) -> None:
        """Do nothing."""
