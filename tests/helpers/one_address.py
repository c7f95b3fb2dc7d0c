"""The program `bosquet`, whose server lets one address open any number of tables.

All pages of the tests come from one address, and open more tables than the people of a club.
"""

from __future__ import annotations

from dataclasses import dataclass
from unittest import mock

from bosquet.__main__ import main
from bosquet.server.base.rate_limits import Rate
from bosquet.server.host import serve
from bosquet.server.http.limits import Limits

ANY = Rate(100_000, 100_000)


@dataclass(frozen=True)
class OneAddress(Limits):
    """The limits of a server to which all come from one address."""

    opened_of_address: Rate = ANY
    opened_a_day: Rate = ANY
    """One who opens a first table, and is no guest yet, counts as its address."""
    opened_a_day_of_address: Rate = ANY


if __name__ == "__main__":
    with mock.patch.object(serve, "Limits", OneAddress):
        main()
