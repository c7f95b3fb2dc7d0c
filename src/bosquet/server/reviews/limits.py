"""The limits of reviews."""

from __future__ import annotations

from dataclasses import dataclass

from bosquet.server.base.rate_limits import DAY, Rate


@dataclass(frozen=True)
class ReviewLimits:
    """How many reviews may be opened, and how much may be said in them."""

    reviews: Rate = Rate(20, 100 / DAY)
    """Reviews that one guest may open: each keeps a record of 1 to 3 KB, and what was shown last, 16 KiB at most."""
    reviews_of_address: Rate = Rate(200, 1000 / DAY)
    signals: Rate = Rate(60, 10)
    """Messages of one guest in reviews: a page that leads and plays a game through sends one for each step."""
    signals_of_address: Rate = Rate(800, 150)
    places: Rate = Rate(60, 10)
    """Those of them with what is shown: each may have 16 KiB, and all pages of the review are sent it."""
    places_of_address: Rate = Rate(100, 20)
    signal_warnings: Rate = Rate(20, 0.5)
    """Times that a page is told that these are too many; then its connection is ended."""
    signal_bytes: int = 16 * 1024
    """A message: a position as a seat knows it, and the moves that are tried from there."""
    waiting_signals: int = 32
    """Messages that a slow page may be behind before it is cut; it comes back by itself."""
    people_of_review: int = 64
    """Pages that one node connects with each other."""
    reviewers: int = 1024
    reviewers_of_guest: int = 16
    reviewers_of_address: int = 128
