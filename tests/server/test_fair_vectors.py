"""The deals that the page is held against are those of this program."""

from __future__ import annotations

import pytest

from bosquet import games
from tests.fair_vectors import target, vectors


@pytest.mark.parametrize("name", games.names())
def test_the_vectors_of_the_page_are_up_to_date(name: str) -> None:
    assert target(name).read_text() == vectors(name), "write them anew: python -m tests.fair_vectors"
