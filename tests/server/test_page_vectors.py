"""The texts of positions that the page is held against are those of this program."""

from __future__ import annotations

import pytest

from bosquet.core import installed
from tests import position_vectors


@pytest.mark.parametrize("name", installed.names())
def test_the_texts_of_positions_that_the_page_must_read_are_up_to_date(name: str) -> None:
    assert position_vectors.target(name).read_text() == position_vectors.vectors(name), (
        "write them anew: python -m tests.position_vectors"
    )
