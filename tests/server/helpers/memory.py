"""The tables that a running application holds in memory."""

import gc
import time
from typing import Any

import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.server.store.schema import chat, journal, packed, seats, tables


def held_table(client: TestClient, table: str) -> Any:
    """Return the `Table` of a running application, read from the store if need be."""
    app: Any = client.app
    return _portal(client).call(app.state.server.registry.find, table)


def forget_table(client: TestClient, table: str) -> None:
    """Drop a table from memory as soon as nothing goes on there; fail after ten seconds."""
    app: Any = client.app
    deadline = time.monotonic() + 10
    while not _portal(client).call(app.state.server.registry.let_go, table):
        assert time.monotonic() < deadline, "the table is still in use"
        gc.collect()
        time.sleep(0.01)


def delete_table(client: TestClient, table: str) -> None:
    """Delete a table whose game is over, as the clean-up does one day."""
    forget_table(client, table)
    app: Any = client.app
    gone = [sa.delete(one).where(one.c.table_id == table) for one in (packed, journal, chat, seats)]
    _portal(client).call(app.state.server.services.store.write, *gone, sa.delete(tables).where(tables.c.id == table))


def _portal(client: TestClient) -> Any:
    assert client.portal is not None
    return client.portal
