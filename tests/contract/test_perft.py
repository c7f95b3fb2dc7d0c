"""The kept counts of legal sequences still hold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases import CASES, IDS
from tests.perft import count, product_position, read_table, shown


@pytest.mark.parametrize(("name", "options"), CASES, ids=IDS)
def test_counts_of_legal_sequences(name: str, options: dict[str, Any]) -> None:
    rows = [row for row in read_table() if (row.name, row.options) == (name, shown(options))]
    assert len(rows) >= 4
    for row in rows:
        game, _ = product_position(name, options, row.seed, row.made)
        assert count(game.rules, game._state, row.depth) == row.sequences, row
