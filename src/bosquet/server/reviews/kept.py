"""The reviews that are kept: the record of each, and which guest opened it."""

from __future__ import annotations

import secrets
import zlib
from datetime import date

import msgspec
import sqlalchemy as sa

from bosquet.server.base.clock import today
from bosquet.server.base.refusals import Refusal, as_unreadable
from bosquet.server.reviews.messages import KeptReview, Review
from bosquet.server.store.schema import reviews
from bosquet.server.store.store import Store

ID_BYTES = 15


async def keep(store: Store, guest: str, record: bytes) -> str:
    """Keep the compressed record of a review that a guest opens; return its id. Raises Refusal."""
    review = secrets.token_urlsafe(ID_BYTES)
    await store.write(sa.insert(reviews).values(id=review, guest=guest, opened=today(), record=record))
    return review


async def find(store: Store, review: str) -> Review:
    """Return a review. Raises Refusal."""
    found = await store.select(sa.select(reviews.c.record).where(reviews.c.id == review))
    if not found:
        raise Refusal("not found", "there is no such review; they end after some days")
    with as_unreadable():
        return Review(msgspec.json.decode(zlib.decompress(found[0].record)))


async def is_kept(store: Store, review: str) -> bool:
    """Return whether there is such a review. Raises Refusal."""
    return bool(await store.select(sa.select(reviews.c.id).where(reviews.c.id == review)))


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
