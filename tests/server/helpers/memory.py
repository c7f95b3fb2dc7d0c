"""The tables that a running application holds in memory."""

import gc
import time
from typing import Any

from starlette.testclient import TestClient


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


def _portal(client: TestClient) -> Any:
    assert client.portal is not None
    return client.portal
