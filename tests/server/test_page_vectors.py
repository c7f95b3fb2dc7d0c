"""The deals and positions that the page is held against are those of this program."""

from __future__ import annotations

import pytest

from bosquet.core import installed
from tests import attempt_vectors, fair_vectors, position_vectors


@pytest.mark.parametrize("name", installed.names())
def test_the_vectors_of_the_page_are_up_to_date(name: str) -> None:
    assert fair_vectors.target(name).read_text() == fair_vectors.vectors(name), (
        "write them anew: python -m tests.fair_vectors"
    )


@pytest.mark.parametrize("name", installed.names())
def test_the_positions_in_which_the_page_must_let_moves_be_tried_are_up_to_date(name: str) -> None:
    assert attempt_vectors.target(name).read_text() == attempt_vectors.vectors(name), (
        "write them anew: python -m tests.attempt_vectors"
    )


@pytest.mark.parametrize("name", installed.names())
def test_the_texts_of_positions_that_the_page_must_read_are_up_to_date(name: str) -> None:
    assert position_vectors.target(name).read_text() == position_vectors.vectors(name), (
        "write them anew: python -m tests.position_vectors"
    )
