"""The reviews that are kept: the record of each, which guest opened it, and what was shown last."""

from __future__ import annotations

import re
import secrets
import zlib
from collections.abc import Sequence
from datetime import date
from typing import Any

import msgspec
import sqlalchemy as sa

from bosquet.server.base.clock import today
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal, as_unreadable
from bosquet.server.reviews.messages import KeptReview, Review
from bosquet.server.store.schema import reviews
from bosquet.server.store.store import Store

ID_BYTES = 15
ID = re.compile(r"[\w-]{20}", re.ASCII)
NO_REVIEW = "there is no such review; they end after some days"


async def keep(store: Store, guest: str, record: bytes) -> str:
    """Keep the compressed record of a review that a guest opens; return its id. Raises Refusal."""
    review = secrets.token_urlsafe(ID_BYTES)
    await store.write(sa.insert(reviews).values(id=review, guest=guest, opened=today(), record=record))
    return review


async def find(store: Store, review: str) -> Review:
    """Return a review. Raises Refusal."""
    found = await _select(store, review, reviews.c.record)
    if not found:
        raise Refusal("not found", NO_REVIEW)
    with as_unreadable():
        return Review(msgspec.json.decode(zlib.decompress(found[0].record)))


async def find_place(store: Store, review: str) -> dict[str, Any] | None:
    """Return what was shown last in a review; None before anything was. Raises Refusal."""
    found = await _select(store, review, reviews.c.place)
    if not found:
        raise Refusal("not found", NO_REVIEW)
    with as_unreadable():
        return None if found[0].place is None else msgspec.json.decode(zlib.decompress(found[0].place))


async def keep_place(store: Store, review: str, place: dict[str, Any]) -> None:
    """Keep what is shown in a review. Raises Conflict if it is there no more; Refusal."""
    packed = zlib.compress(ENCODER.encode(place))
    await store.write(sa.update(reviews).where(reviews.c.id == review).values(place=packed))


async def _select(store: Store, review: str, column: sa.Column[Any]) -> Sequence[sa.Row[Any]]:
    """Return what is kept of a review. Raises Refusal."""
    # PostgreSQL knows no text with the character 0, and would say that it can't be read.
    if not ID.fullmatch(review):
        return []
    return await store.select(sa.select(column).where(reviews.c.id == review))


async def of_guest(store: Store, guest: str) -> list[KeptReview]:
    """Return the reviews that a guest has opened, the last ones first. Raises Refusal."""
    query = sa.select(reviews.c.id, reviews.c.opened).where(reviews.c.guest == guest)
    found = await store.select(query.order_by(reviews.c.opened.desc(), reviews.c.id))
    return [KeptReview(review=row.id, opened=row.opened) for row in found]


async def erase(store: Store, guest: str) -> None:
    """Delete the reviews that a guest has opened. Raises Refusal."""
    await store.write(sa.delete(reviews).where(reviews.c.guest == guest))


async def delete_before(store: Store, first: date) -> None:
    """Delete reviews that were opened before a day. Raises Refusal."""
    await store.write(sa.delete(reviews).where(reviews.c.opened < first.isoformat()))
