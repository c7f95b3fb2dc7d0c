"""The clean-up of reviews: those that were opened long ago."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from bosquet.server.reviews import kept
from bosquet.server.store.store import Store


@dataclass(frozen=True)
class ReviewRetention:
    """How many days reviews are kept."""

    reviews: int = 14


async def clean_up(store: Store, retention: ReviewRetention, today: date) -> None:
    """Delete old reviews. Raises Refusal."""
    await kept.delete_before(store, today - timedelta(days=retention.reviews))
