"""Who is at one table, at this node and at the others: what decisions depend on besides the session."""

from __future__ import annotations

import secrets
import time

from bosquet.server.guests import people
from bosquet.server.nodes.bus import Present
from bosquet.server.nodes.connected import NOBODY, Connected
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.store import Store
from bosquet.server.table.session import Session
from bosquet.server.table.viewers.broadcast import Subscriber
from bosquet.server.table.viewers.presence import WATCHERS, Presence

INVITATION_BYTES = 12


def fresh_invitation() -> str:
    """Return a text that opens a seat, and that nobody guesses."""
    return secrets.token_urlsafe(INVITATION_BYTES)


class Attendance:
    """The guests who are or were connected to one table, and which of them the host has blocked."""

    def __init__(self, table: str, session: Session, store: Store, nodes: Nodes) -> None:
        self._table = table
        self._session = session
        self._store = store
        self._nodes = nodes
        self._presence = Presence(time.monotonic())
        self._screens: set[Subscriber] = set()
        """Screens for a whole room, opened by guests who sit here. They do not count as the guest being here."""
        self._blocked: set[str] = set()
        """The blocked guests among those who are here or wanted to sit down."""
        self._published = NOBODY
        """Who is here, as the other nodes were told."""

    # --- what decisions depend on ---

    def is_gone(self, seat: int) -> bool:
        """Return whether a bot may stand in for the person on a seat; at a slow table nobody can ask for that."""
        session = self._session
        if session.slow is not None or session.phase not in ("waiting", "playing") or seat >= len(session.chairs):
            return False
        chair = session.chairs[seat]
        return chair.bot is None and self._presence.is_gone(chair.guest, time.monotonic())

    def host_is_near(self) -> bool:
        """Return whether the host is here, or was a moment ago, or is at another node."""
        return self.host_was_seen or self._table in self._nodes.inviting_elsewhere()

    def has_blocked(self, guest: str) -> bool:
        """Return whether the host has blocked a guest, to whom the table is then not listed."""
        return guest in self._blocked

    def new_invitation(self) -> str:
        """Return a text that nobody guesses."""
        return fresh_invitation()

    async def look_up_blocked(self, guest: str) -> None:
        """Note whether the host has blocked a guest, before the deal. Raises Refusal."""
        session = self._session
        if session.phase != "waiting" or not session.listed or session.host is None or session.host == guest:
            return
        if await people.has_blocked(self._store, session.host, guest):
            self._blocked.add(guest)
        else:
            self._blocked.discard(guest)

    # --- who is here ---

    @property
    def nodes(self) -> set[str]:
        """The other nodes at which somebody is connected."""
        return set(self._presence.nodes)

    def arrive(self, subscriber: Subscriber) -> None:
        """Count one more page. A screen for all does not tell that its guest is here."""
        is_screen = subscriber.watching and bool(self._session.seats_of(subscriber.guest))
        if is_screen:
            self._screens.add(subscriber)
        self._presence.arrive("" if is_screen else subscriber.guest)

    def leave(self, subscriber: Subscriber) -> None:
        """Count one page less."""
        self._presence.leave("" if subscriber in self._screens else subscriber.guest)

    def forget(self, subscriber: Subscriber) -> None:
        """Remember that the guest of a page that is gone was here now."""
        if subscriber not in self._screens:
            self.saw(subscriber.guest)
        self._screens.discard(subscriber)

    def saw(self, guest: str) -> None:
        """Remember that somebody was here now."""
        if self._session.is_host(guest) or self._session.seats_of(guest):
            self._presence.see(guest, time.monotonic())

    def is_here(self, guest: str | None) -> bool:
        """Return whether a guest is connected, at this node or another one."""
        return self._presence.is_here(guest)

    @property
    def host_was_seen(self) -> bool:
        """Whether the host is here, or was a moment ago."""
        host = self._session.host
        return host is not None and self._presence.was_seen(host, time.monotonic())

    @property
    def watchers(self) -> int:
        """How many pages of people who do not sit here are connected, at all nodes."""
        return self._presence.watchers([chair.guest for chair in self._session.chairs])

    def watching(self) -> frozenset[str]:
        """Return the marks of those who watch, at all nodes."""
        return self._watching_here() | self._presence.watching_elsewhere()

    def _watching_here(self) -> frozenset[str]:
        seated = {chair.guest for chair in self._session.chairs} | {self._session.host}
        return frozenset(map(self._session.mark, self._presence.watching(seated, WATCHERS)))

    def next_gone(self) -> float | None:
        """Return in how many seconds a bot may stand in for the next absent person; None if nobody is absent."""
        waited_for = [chair.guest for chair in self._session.chairs if chair.bot is None]
        return None if self._session.slow is not None else self._presence.next_gone(waited_for, time.monotonic())

    # --- other nodes ---

    def publish(self) -> None:
        """Tell the other nodes who is here, if that has changed."""
        if self._nodes.alone:
            return
        seated = {chair.guest for chair in self._session.chairs}
        near = self._presence.connected(seated | {self._session.host})
        connected = Connected(near, self._presence.watchers_here(seated), self._watching_here())
        if connected != self._published:
            self._published = connected
            self.answer()

    def answer(self) -> None:
        """Tell the other nodes who is here: they have asked."""
        self._nodes.publish_presence(self._table, self._published)

    def hear(self, message: Present) -> None:
        """Take over who is connected at another node."""
        connected = Connected(frozenset(message.guests), message.watchers, frozenset(message.marks))
        self._presence.hear(message.node, connected, time.monotonic())

    def greet(self) -> None:
        """Tell the other nodes who is here, and ask them. Guests of nodes that do not answer count as gone."""
        self._presence.doubt()
        self.answer()
        self._nodes.ask_presence(self._table)

    def drop_unconfirmed(self) -> bool:
        """Count guests of nodes that have not answered as away; return whether there were any."""
        return self._presence.drop_unconfirmed(time.monotonic())

    def lose(self, node: str) -> None:
        """Count those as away who were connected at a node that is gone."""
        self._presence.hear(node, NOBODY, time.monotonic())

    def lose_all(self) -> None:
        """Count guests of all other nodes as away: nothing is heard of these nodes any more."""
        self._presence.doubt()
        self._presence.drop_unconfirmed(time.monotonic())
