"""How often one guest, and one address, may ask for something at tables."""

from __future__ import annotations

import functools

from starlette.requests import Request

from bosquet.server.base.rate_limits import Gate, address_of
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.table.limits import TableLimits


class Gates:
    """The token buckets of all tables."""

    def __init__(self, limits: TableLimits, nodes: Nodes) -> None:
        gate = functools.partial(Gate.shared, nodes=nodes)
        self.asks: Gate = gate("asks", of_guest=limits.asks, of_address=limits.asks_of_address)
        """Messages to tables."""
        self.chats: Gate = gate("chat", of_guest=limits.chat, of_address=limits.chat_of_address)
        """Lines of chats."""
        self.reports: Gate = gate("reports", of_guest=limits.reports, of_address=limits.reports_of_address)
        """Lines of chats that are reported."""
        self._opened = gate("opened", of_guest=limits.opened, of_address=limits.opened_of_address)
        self._quota = gate("quota", of_guest=limits.opened_a_day, of_address=limits.opened_a_day_of_address)

    def take_opening(self, request: Request, guest: str) -> None:
        """Count one more table that a guest opens. Raises Refusal."""
        address = address_of(request)
        self._opened.check(guest, address, "you opened many tables just now; wait a minute")
        self.take_quota(request.state.known, address)

    def take_quota(self, guest: str | None, address: str) -> None:
        """Count one more table of this day. Raises Refusal."""
        self._quota.check(guest, address, "you opened very many tables today; open the next one tomorrow")
