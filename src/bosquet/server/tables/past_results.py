"""Results of games that ended before results were kept, or at a node of an older version, filled in afterwards."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import sqlalchemy as sa
import structlog

from bosquet.server.base.refusals import Refusal, as_unreadable
from bosquet.server.store.schema import finished, seats, tables
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table.outcomes import Closed, seated_on
from bosquet.server.table.results import statements
from bosquet.server.table.session import check_rows, read_duel
from bosquet.server.tables.registry import TableRegistry

AT_ONCE = 100
"""Tables that are looked up at a time."""

log = structlog.get_logger()


async def fill(store: Store, registry: TableRegistry, pause: float) -> int:
    """Write the results that are missing, with pauses between tables; return of how many games. Raises Refusal."""
    filled, last = 0, ""
    somebody = sa.exists().where(
        seats.c.table_id == tables.c.id, sa.or_(seats.c.guest.is_not(None), seats.c.left_by.is_not(None))
    )
    missing = ~sa.exists().where(finished.c.id == tables.c.id)
    while True:
        query = sa.select(tables.c.id).where(tables.c.phase == "over", tables.c.id > last, somebody, missing)
        found = [row.id for row in await store.select(query.order_by(tables.c.id).limit(AT_ONCE))]
        for row, seated in await store.read_tables(found):
            with contextlib.suppress(Conflict, Refusal):  # another node was quicker, or it can't be read
                await _fill_table(store, registry, row, seated)
                filled += 1
            await asyncio.sleep(pause)
        if len(found) < AT_ONCE:
            if filled:
                log.info("filled in results of finished games", games=filled)
            return filled
        last = found[-1]


async def _fill_table(store: Store, registry: TableRegistry, row: dict[str, Any], seated: list[dict[str, Any]]) -> None:
    """Write the results of a table. Raises Conflict, Refusal."""
    with as_unreadable():
        check_rows(row, seated)
        duel = read_duel(row)
        result = row["result"] or await _replayed(registry, row["id"])
        closed = Closed(row["ended"] or row["opened"], result["scores"], result["winners"], result.get("how"))
        theirs = statements(
            row["id"], row["game"], closed, [seated_on(seat) for seat in seated], None if duel is None else duel.game
        )
    await store.write(*theirs)


async def _replayed(registry: TableRegistry, table: str) -> dict[str, Any]:
    """Return the result of a table that ended before results were kept in its row. Raises Refusal."""
    game = (await registry.find(table)).session.dealt()
    return {"scores": game.scores, "winners": game.winners}
