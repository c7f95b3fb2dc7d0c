"""The wing of reviews, as the application collects it."""

from __future__ import annotations

import functools
from typing import Any

from bosquet.server.base.wing import Wing
from bosquet.server.reviews import kept
from bosquet.server.reviews.clean_up import ReviewRetention, clean_up
from bosquet.server.reviews.review_requests import ReviewRequests
from bosquet.server.store.store import Store


def review_wing(store: Store, requests: ReviewRequests, retention: ReviewRetention) -> Wing:
    """Return what the wing hands over."""

    async def kept_of(guest: str, device: int) -> dict[str, Any]:
        return {"reviews": await kept.of_guest(store, guest)}

    return Wing(
        requests.routes(),
        kept_of,
        functools.partial(kept.erase, store),
        functools.partial(clean_up, store, retention),
        (requests.writing,),
    )
