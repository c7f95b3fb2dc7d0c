"""The limits of notices."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.rate_limits import Rate


@dataclass(frozen=True)
class NoticeLimits:
    """How many mails are sent to confirm addresses."""

    mail: Rate = Rate(10, 1 / 60)
    """Mails to confirm an address that one guest may ask for, also while the mail server is away."""
    mail_of_address: Rate = Rate(40, 1 / 900)
    """Forty people behind one address in the network."""
    mails_of_guest: int = 5
    """Mails to confirm an address that are sent for one guest on a day; these numbers are kept in the database."""
    mails_to_address: int = 3
    """Mails that are sent to one mailbox on a day."""
    mails_to_address_a_month: int = 6
    mails: int = 300
    """Mails that are sent on a day in all: a bound for strangers who own all addresses of a domain."""
