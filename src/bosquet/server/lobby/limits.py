"""The limits of the lobby."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.rate_limits import Rate


@dataclass(frozen=True)
class LobbyLimits:
    """How much the start page lists, and how often people may be asked for."""

    listed: int = 24
    """Tables that the start page lists."""
    listed_of_host: int = 3
    """Those of one host among them."""
    watched: int = 6
    """Tables that it lists for anybody to watch."""
    people: Rate = Rate(30, 2)
    """Requests of one guest about the people with whom it has played."""
    people_of_address: Rate = Rate(160, 16)
    """Less than forty times as much: a list of some thousand games takes 10 to 40 ms of one processor."""
