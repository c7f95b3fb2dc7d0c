"""Queries about all slow tables together."""

from __future__ import annotations

import sqlalchemy as sa

from bosquet.server.store.schema import seats, tables
from bosquet.server.store.store import Store

OF_ONE_HOST = 2
"""Slow tables of one host that are listed for everybody."""


async def turns_waiting(store: Store, guest: str) -> tuple[int, int]:
    """Return at how many slow tables it is a guest's turn, and at how many it sits that are not over. Raises Refusal.

    Those that the guest has taken out of its list do not count.
    """
    theirs = (seats.c.guest == guest) & ~seats.c.shelved & tables.c.turn_days.is_not(None)
    waits = (tables.c.phase == "playing") & (tables.c.turn == seats.c.seat) & seats.c.bot.is_(None)
    count = sa.func.count(sa.distinct(sa.case((waits, tables.c.id))))
    query = sa.select(count, sa.func.count(sa.distinct(tables.c.id)))
    query = query.select_from(seats.join(tables, seats.c.table_id == tables.c.id))
    ((waiting, slow),) = await store.select(query.where(theirs, tables.c.phase.in_(("waiting", "playing"))))
    return waiting, slow


async def slow_of(store: Store, guest: str) -> list[str]:
    """Return the slow tables of a guest that are not over. Raises Refusal."""
    theirs = sa.select(seats.c.table_id).where(seats.c.guest == guest)
    going_on = tables.c.turn_days.is_not(None) & tables.c.phase.in_(("waiting", "playing"))
    return [table for (table,) in await store.select(sa.select(tables.c.id).where(tables.c.id.in_(theirs), going_on))]


async def slow_inviting(store: Store, limit: int) -> list[str]:
    """Return the last slow tables with a free seat for anybody, a few of each host. Raises Refusal.

    Such a table is listed though nobody is there, so a host with many could fill the list for long.
    """
    rank = sa.func.row_number().over(partition_by=tables.c.host, order_by=tables.c.opened.desc())
    free = sa.exists().where(seats.c.table_id == tables.c.id, seats.c.guest.is_(None), seats.c.bot.is_(None))
    query = sa.select(tables.c.id, tables.c.opened, rank.label("rank"))
    query = query.where(tables.c.phase == "waiting", tables.c.listed, tables.c.turn_days.is_not(None), free)
    found = query.subquery()
    few = sa.select(found.c.id).where(found.c.rank <= OF_ONE_HOST).order_by(found.c.opened.desc()).limit(limit)
    return [table for (table,) in await store.select(few)]
