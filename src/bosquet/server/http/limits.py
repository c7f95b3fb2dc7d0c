"""The limits of requests and connections, and those of all wings together."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.bodies import BodyLimits
from bosquet.server.base.rate_limits import Rate
from bosquet.server.compute.limits import ComputeLimits
from bosquet.server.guests.limits import GuestLimits
from bosquet.server.history.limits import HistoryLimits
from bosquet.server.lobby.limits import LobbyLimits
from bosquet.server.notices.limits import NoticeLimits
from bosquet.server.reviews.limits import ReviewLimits
from bosquet.server.table.limits import TableLimits
from bosquet.server.today.limits import TodayLimits


@dataclass(frozen=True)
class HttpLimits:
    """How many requests and connections there may be, and how long they may take."""

    requests: Rate = Rate(60, 10)
    """HTTP requests to `/api` of one guest."""
    requests_of_address: Rate = Rate(600, 100)
    """Forty people who all load a page at once, and go on clicking."""
    files_of_address: Rate = Rate(1600, 200)
    """Files of the page and the documentation: forty people who load the page at once."""
    downloads_of_guest: int = 1
    """Files of all that is kept of a guest, at a time: one with 20,000 games has 15 MB."""
    downloads_of_address: int = 8
    sockets: int = 8064
    """Connections of all kinds: what the descriptors of the process allow."""
    sockets_of_address: int = 768
    """More than an address has at tables, for the requests besides."""
    head_seconds: float = 10.0
    """Seconds within which the head of a request must arrive, and the first one after connecting."""
    head_bytes: int = 16 * 1024
    """The head of a request: its line and all its headers."""
    body_seconds: float = 60.0
    """Seconds within which its body must arrive."""
    taking_seconds: float = 30.0
    """Seconds between two checks of what connections have read: one that has read nothing in between is closed."""
    waiting_bytes_of_address: int = 16 * 1024 * 1024
    """Bytes that may then wait to be read by one address."""
    frames: Rate = Rate(120, 40)
    """Frames of one WebSocket, those without content among them."""
    frame_bytes: Rate = Rate(128 * 1024, 64 * 1024)
    """Bytes of one WebSocket."""


@dataclass(frozen=True)
class Limits(
    HttpLimits,
    ReviewLimits,
    NoticeLimits,
    TodayLimits,
    LobbyLimits,
    HistoryLimits,
    TableLimits,
    GuestLimits,
    ComputeLimits,
    BodyLimits,
):
    """All limits of one server."""
