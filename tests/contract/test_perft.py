"""The kept counts of legal sequences still hold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.cases import CASES, every_game
from tests.perft import PINNED, count, pinned, product_position, read_table, shown


@every_game
def test_counts_of_legal_sequences(name: str, options: dict[str, Any]) -> None:
    rows = [row for row in read_table() if (row.name, row.options) == (name, shown(name, options))]
    assert len(rows) >= 4
    for row in rows:
        game, _ = product_position(name, options, row.seed, row.made)
        assert count(game.spec, game.state, row.depth) == row.sequences, row


@pytest.mark.slow
def test_the_same_seed_is_the_same_game_on_every_machine() -> None:
    lines = [line for line in PINNED.read_text().splitlines() if not line.startswith("#")]
    assert lines == [" | ".join(map(str, row)) for row in pinned()]
    assert len(lines) == 2 * len(CASES)
