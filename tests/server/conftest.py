"""A running application for each module of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.server.helpers.people import Person, make_app


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(make_app(tmp_path_factory.mktemp("data")), base_url="http://testserver") as client:
        yield client


@pytest.fixture
def ann(client: TestClient) -> Person:
    client.cookies.clear()
    return Person(client)


@pytest.fixture
def bea(client: TestClient) -> Person:
    client.cookies.clear()
    return Person(client)


@pytest.fixture
def cyd(client: TestClient) -> Person:
    client.cookies.clear()
    return Person(client)
