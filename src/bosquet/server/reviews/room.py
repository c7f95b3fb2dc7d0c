"""Who is in a review at this node, what they are told, and what other nodes say of it.

Each node with pages in a review knows what was set last. If two nodes set something at once, both have the same number,
and the one with the higher id counts.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from bosquet.server.base.messages import ENCODER
from bosquet.server.nodes.bus import Led, PointedAt, Present, TableMessage, WhoIsThere
from bosquet.server.nodes.connected import Connected
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.reviews.last_shown import LastShown
from bosquet.server.reviews.messages import Cell, ReviewedPlace, ReviewPointed, ReviewState, TellReview


class Listener(Protocol):
    """A page in a review."""

    key: str
    """What tells it from all other pages, also of other nodes."""

    def send(self, message: bytes) -> None:
        """Send a message soon."""


class Room:
    """A review as this node knows it."""

    def __init__(self, review: str, nodes: Nodes, last: LastShown, place: dict[str, Any] | None = None) -> None:
        """Take what was shown last, when nobody was here."""
        self.id = review
        self._nodes = nodes
        self._last = last
        self._pages: dict[str, Listener] = {}
        self._elsewhere: dict[str, int] = {}
        """How many pages are at other nodes."""
        self._led = Led(nodes.id, review, 0, nodes.id, None, "", place)

    @property
    def count(self) -> int:
        """How many pages are here."""
        return len(self._pages)

    # --- pages of this node ---

    def enter(self, page: Listener) -> None:
        """Let a page hear from now on."""
        self._pages[page.key] = page
        self._say_who_is_here()
        self._tell_all()

    def leave(self, page: Listener) -> None:
        """Let a page hear no longer; if it led, nobody does."""
        if self._pages.pop(page.key, None) is None:
            return
        self._say_who_is_here()
        if self._led.leader == page.key:
            self._set(None, "", self._led.place)
        self._tell_all()

    def lead(self, page: Listener, name: str, place: ReviewedPlace) -> None:
        """Have a page lead."""
        self._set_place(page.key, name, place)
        self._tell_all()

    def show(self, page: Listener, place: ReviewedPlace) -> None:
        """Show what a page shows, if that one leads."""
        if self._led.leader == page.key:
            self._set_place(page.key, self._led.name, place)
            self._tell_all(but=page.key)

    def point(self, page: Listener, name: str, cell: Cell | None) -> None:
        """Tell all others that somebody points at a cell, or at nothing any more."""
        self._tell(ReviewPointed(name, cell), but=page.key)
        self._nodes.bus.publish(PointedAt(self._nodes.id, self.id, name, cell))

    # --- other nodes ---

    def hear(self, message: TableMessage) -> None:
        """Take over what another node says of this review."""
        match message:
            case Led() if self._is_news(message):
                self._led = message
                self._tell_all()
            case PointedAt():
                self._tell(ReviewPointed(message.name, message.cell))
            case Present():
                self._count(message.node, message.watchers)
            case WhoIsThere():
                self._say_who_is_here()
                self._publish()

    def greet(self) -> None:
        """Tell the other nodes who is here and what is shown, and ask them."""
        self._say_who_is_here()
        self._publish()
        self._nodes.ask_presence(self.id)

    def repeat_change(self) -> None:
        """Do nothing: what is shown is told together with who is here."""

    def lose(self, node: str) -> None:
        """Another node is gone; if who led was there, nobody leads as far as this node knows."""
        if self._led.leader is not None and self._led.leader.startswith(f"{node}/"):
            self._led = msgspec.structs.replace(self._led, leader=None, name="")
            self._tell_all()
        self._count(node, 0)

    def lose_all(self) -> None:
        """Nothing is heard of other nodes any more."""
        for node in list(self._elsewhere):
            self.lose(node)

    def _is_news(self, led: Led) -> bool:
        """Return whether another node knows better what is shown: the one that set it, if it was gone for this node."""
        known, said = (self._led.number, self._led.by), (led.number, led.by)
        return said > known or (said == known and led.node == led.by and led.leader != self._led.leader)

    def _count(self, node: str, pages: int) -> None:
        if pages != self._elsewhere.get(node, 0):
            self._elsewhere[node] = pages
            self._tell_all()

    def _say_who_is_here(self) -> None:
        self._nodes.publish_presence(self.id, Connected(frozenset(), len(self._pages)))

    def _set_place(self, leader: str, name: str, place: ReviewedPlace) -> None:
        shown = msgspec.to_builtins(place)
        self._set(leader, name, shown)
        self._last.keep(self.id, shown)

    def _set(self, leader: str | None, name: str, place: dict[str, Any] | None) -> None:
        self._led = Led(self._nodes.id, self.id, self._led.number + 1, self._nodes.id, leader, name, place)
        self._publish()

    def _publish(self) -> None:
        if self._led.number:
            self._nodes.bus.publish(msgspec.structs.replace(self._led, node=self._nodes.id))

    # --- what pages are told ---

    def _tell_all(self, but: str | None = None) -> None:
        led = self._led
        place = None if led.place is None else msgspec.convert(led.place, ReviewedPlace)
        people = len(self._pages) + sum(self._elsewhere.values())
        theirs, own = (
            ENCODER.encode(ReviewState(people, led.name if led.leader else None, mine, place)) for mine in (False, True)
        )
        for key, page in list(self._pages.items()):
            if key != but:
                page.send(own if key == led.leader else theirs)

    def _tell(self, message: TellReview, but: str | None = None) -> None:
        encoded = ENCODER.encode(message)
        for key, page in list(self._pages.items()):
            if key != but:
                page.send(encoded)


class Rooms:
    """The reviews in which somebody is at this node."""

    def __init__(self, nodes: Nodes, last: LastShown) -> None:
        self._nodes = nodes
        self._last = last
        self._rooms: dict[str, Room] = {}

    async def enter(self, review: str, page: Listener, place: dict[str, Any] | None = None) -> Room:
        """Let a page into a review, in which a place was shown last, and hear of it at other nodes."""
        room = self._rooms.setdefault(review, Room(review, self._nodes, self._last, place))
        room.enter(page)
        try:
            await self._nodes.follow(room)
        except BaseException:  # the server ends meanwhile
            self.leave(room, page)
            raise
        return room

    def leave(self, room: Room, page: Listener) -> None:
        """Let a page leave."""
        room.leave(page)
        self._nodes.unfollow(room)
        if not room.count:
            self._rooms.pop(room.id, None)
            self._last.hurry()

    def count(self, review: str) -> int:
        """Return how many pages of this node are in a review."""
        room = self._rooms.get(review)
        return room.count if room else 0
