"""The servers that nodes share: one PostgreSQL and one Redis for all tests; each test makes a database of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.services import postgresql, redis
from tests.nodes.helpers.cluster import Services


@pytest.fixture(scope="session")
def services() -> Iterator[Services]:
    with postgresql() as database, redis() as bus:
        yield Services(database, bus)
