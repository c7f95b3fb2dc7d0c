"""All WebSockets of pages at tables: accepts new ones, and ends those of devices that are signed out.

`connection.py` serves one of them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bosquet.server.base.fair_queue import ASKING, ASKING_GUEST
from bosquet.server.base.origins import is_same_origin
from bosquet.server.base.problems import deny
from bosquet.server.base.rate_limits import Buckets, Slots, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.guests.devices import Devices
from bosquet.server.services import Services
from bosquet.server.table.limits import TableLimits
from bosquet.server.tables.connection import CROWDED, Connection
from bosquet.server.tables.gates import Gates
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.registry import TableRegistry
from bosquet.server.tables.visibility import Visibility


class Connections:
    """The connections of all pages at tables of this node."""

    def __init__(
        self,
        services: Services,
        limits: TableLimits,
        guests: GuestCookies,
        devices: Devices,
        opener: TableOpener,
        registry: TableRegistry,
        gates: Gates,
        visibility: Visibility,
    ) -> None:
        self._services = services
        self._nodes = services.nodes
        self._limits = limits
        self._guests = guests
        self._devices = devices
        self._opener = opener
        self._registry = registry
        self._gates = gates
        self._visibility = visibility
        self._connected: set[Connection] = set()
        self.connecting: Buckets = Buckets(limits.connecting)
        """The connections that each address opens, those of higher wings among them."""
        self._nodes.share("connecting", self.connecting)
        self._slots = Slots(limits.connections, limits.connections_of_guest, limits.connections_of_address)
        services.metrics.watch("connections", "Pages at tables", lambda: self._slots.taken)
        self._nodes.hear_revoked = self._end_marked

    def routes(self) -> list[WebSocketRoute]:
        """Return the addresses of tables for WebSockets."""
        return [WebSocketRoute("/tables/{table}/live", self.live)]

    def guests(self) -> Iterable[str]:
        """Yield the guests who are connected."""
        return (one.guest for one in self._connected)

    async def live(self, socket: WebSocket) -> None:
        """Sit down at a table, or watch."""
        with contextlib.suppress(WebSocketDisconnect):  # it left before it was answered
            await self._live(socket)

    async def _live(self, socket: WebSocket) -> None:
        if not is_same_origin(socket):
            await deny(socket, "wrong origin", "this page is not of this server")
            return
        known, address = self._guests.of(socket), address_of(socket)
        ASKING.set(address)
        ASKING_GUEST.set(known)
        here: list[Connection] = []

        def give_way() -> bool:
            for connection in here:
                connection.end_crowded()
            return bool(here)

        with self._slots.one(known, address, give_way) as free:
            if self._nodes.draining and not self._nodes.is_needed:
                await deny(socket, "unavailable", "this node is about to end; another one goes on")
                return
            if not free or not self.connecting.take(address):
                await socket.close(*CROWDED)
                return
            try:
                connection = await self._connection(socket, known or self._guests.fresh(), address)
            except Refusal as refusal:
                await deny(socket, refusal.code, str(refusal))
                return
            here.append(connection)
            self._connected.add(connection)  # before the check, so that it hears of a device that is signed out now
            try:
                if known is None or await self._may_act(socket, connection):
                    await connection.run()
            finally:
                self._connected.discard(connection)

    async def _connection(self, socket: WebSocket, guest: str, address: str) -> Connection:
        """Return the connection of a page to a table that its guest may see. Raises Refusal."""
        table = await self._registry.find(socket.path_params["table"])
        since = socket.query_params.get("since", "0")
        await self._visibility.check(table, guest)
        return Connection(
            socket,
            guest,
            self._guests.device_of(socket),
            address,
            table,
            self._opener,
            self._registry,
            self._services,
            self._gates,
            self._limits,
            int(since) if since.isascii() and since.isdigit() and len(since) < 9 else 0,
            watching="watch" in socket.query_params,
            engines=[one for one in socket.query_params.get("engines", "").split(",") if one],
        )

    async def _may_act(self, socket: WebSocket, connection: Connection) -> bool:
        """Return whether a device may act for its guest; where it was signed out, its page is told."""
        try:
            await self._devices.check(connection.guest, connection.device)
        except Refusal as refusal:
            await deny(socket, refusal.code, str(refusal))
            return False
        return True

    async def drain(self, seconds: float) -> None:
        """Get ready for the end: in the first half of the time pages are sent to other nodes, if there are any."""
        self._nodes.draining = True
        if not self._nodes.is_needed:
            await asyncio.sleep(seconds / 4)  # the proxy hears first that this node is not ready any more
            connected = list(self._connected)
            for connection in connected:
                connection.send_away()
                await asyncio.sleep(seconds / 4 / len(connected))

    def sign_out(self, guest: str, device: int | None) -> None:
        """End the connections of a device of a guest, or of all its devices, here and at other nodes."""
        self._end_marked(self._nodes.publish_revoked(guest, device), device)

    def _end_marked(self, mark: str, device: int | None) -> None:
        """End the connections of a device of the guest with a mark."""
        for connection in list(self._connected):
            if device in (None, connection.device) and self._nodes.mark(connection.guest) == mark:
                connection.sign_out()

    async def end_revoked(self) -> None:
        """End the connections of devices that were signed out at other nodes. Raises Refusal."""
        revoked = await self._devices.revoked((one.guest, one.device) for one in self._connected)
        for connection in list(self._connected):
            if (connection.guest, connection.device) in revoked:
                connection.sign_out()
