"""How often one guest, and one address, may ask for something at tables."""

from __future__ import annotations

from bosquet.server.base.limits import Gate
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.table.limits import TableLimits


class Gates:
    """The token buckets of all tables."""

    def __init__(self, limits: TableLimits, nodes: Nodes) -> None:
        self.asks: Gate = Gate(limits.asks, limits.asks_of_address)
        """Messages to tables."""
        self.chats: Gate = Gate(limits.chat, limits.chat_of_address)
        """Lines of chats."""
        self.reports: Gate = Gate(limits.reports, limits.reports_of_address)
        """Lines of chats that are reported."""
        self._opened = Gate(limits.opened, limits.opened_of_address)
        self._quota = Gate(limits.opened_a_day, limits.opened_a_day_of_address)
        shared = {
            "asks": self.asks,
            "chat": self.chats,
            "reports": self.reports,
            "opened": self._opened,
            "quota": self._quota,
        }
        for name, gate in shared.items():
            gate.share(name, nodes)

    def take_opening(self, guest: str, known: str | None, address: str) -> None:
        """Count one more table that a guest opens, who is `known` if it has a cookie already. Raises Refusal."""
        self._opened.check(guest, address, "you opened many tables just now; wait a minute")
        self.take_quota(known, address)

    def take_quota(self, guest: str | None, address: str) -> None:
        """Count one more table of this day. Raises Refusal."""
        self._quota.check(guest, address, "you opened very many tables today; open the next one tomorrow")
