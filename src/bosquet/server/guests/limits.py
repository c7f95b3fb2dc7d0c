"""The limits of guests."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.rate_limits import Rate


@dataclass(frozen=True)
class GuestLimits:
    """How often guests may change who they are, and on how many devices."""

    identity: Rate = Rate(15, 0.1)
    """Codes and phrases that one guest may make, look at and enter, and devices that it may have kept and sign out."""
    identity_of_address: Rate = Rate(60, 0.2)
    """Forty people who fetch their phones at once. Each phrase takes 16 MB and some 50 ms to hash."""
    devices: int = 12
    """Devices that one guest has at a time."""
    devices_a_year: int = 60
    """Devices in a year, those that were signed out among them."""
