"""The wing of tables, as the application collects it."""

from __future__ import annotations

import functools
from typing import Any

from bosquet.server.base.wing import Wing
from bosquet.server.store.store import Store
from bosquet.server.table import chat, results
from bosquet.server.tables import tables_of_guest
from bosquet.server.tables.clean_up import TableCleanUp, TableRetention
from bosquet.server.tables.connections import Connections
from bosquet.server.tables.deadlines import looking_after
from bosquet.server.tables.registry import TableRegistry
from bosquet.server.tables.table_requests import TableRequests
from bosquet.server.tables.vacation_requests import VacationRequests


def table_wing(
    store: Store,
    registry: TableRegistry,
    requests: TableRequests,
    connections: Connections,
    away: VacationRequests,
    retention: TableRetention,
) -> Wing:
    """Return what the wing hands over."""

    async def kept(guest: str, device: int) -> dict[str, Any]:
        return {"tables": await tables_of_guest.kept(store, guest), "chat": await chat.kept(store, guest)}

    async def erase(guest: str) -> None:
        await tables_of_guest.erase(store, registry, guest)
        await results.erase(store, guest)  # after the tables: a game may have ended meanwhile
        await chat.erase(store, guest)

    return Wing(
        [*requests.routes(), *connections.routes(), *away.routes()],
        kept,
        erase,
        TableCleanUp(store, registry, retention),
        (functools.partial(looking_after, store, registry),),
    )
