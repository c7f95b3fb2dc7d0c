"""The records of games without a table, which a guest has played on a device and brought here."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from bosquet.server.store.schema import brought, results
from bosquet.server.store.store import Store


class BroughtRecord(NamedTuple):
    """The record of such a game."""

    game: str
    record: bytes
    """JSON on one line."""


async def records_of(store: Store, guest: str, ids: Sequence[str]) -> list[BroughtRecord]:
    """Return the records of those among some games that a guest has brought, in order. Raises Refusal."""
    query = sa.select(brought.c.table_id, results.c.game, brought.c.record)
    query = query.join_from(brought, results, results.c.table_id == brought.c.table_id)
    rows = await store.select(query.where(brought.c.table_id.in_(ids), results.c.guest == guest, ~results.c.again))
    found = {row.table_id: BroughtRecord(row.game, zlib.decompress(row.record)) for row in rows}
    return [found[one] for one in ids if one in found]
