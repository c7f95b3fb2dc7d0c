"""The kept counts from the middle of games hold: in plain Python as far as is quick, compiled to the end."""

from __future__ import annotations

import numpy as np
import pytest

import bosquet
from bosquet.kernels.jit import bind, kernel
from tests.helpers.cases import CASES
from tests.perft import count, shown
from tests.perft.deep import compiled_count, read_positions, read_table


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_counts_in_plain_python(name: str) -> None:
    games = [bosquet.load(record) for record in read_positions()]
    counted = 0
    for row in read_table(name):
        game = games[row.position - 1]
        if row.found == "oracle":
            assert (game.name, shown(game.name, game.options)) == (row.name, row.options)
            assert count(game.spec, game.state, row.depth) == row.sequences, row
            counted += 1
    assert counted >= 2 * sum(case[0] == name for case in CASES)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name", ["topas", *(pytest.param(name, marks=pytest.mark.slow) for name in bosquet.GAMES if name != "topas")]
)
def test_counts_compiled(name: str) -> None:
    games = [bosquet.load(record) for record in read_positions()]
    counter = compiled_count(bosquet.spec(name))
    deepest = 0
    for row in read_table(name):
        assert counter(games[row.position - 1].state, row.depth) == row.sequences, row
        deepest = max(deepest, row.sequences)
    assert deepest > 100_000


@kernel
def _at(numbers: np.ndarray[tuple[int], np.dtype[np.int64]], place: int) -> int:
    return int(numbers[place])


@pytest.mark.compiled
def test_compiled_indices_are_checked_here() -> None:
    """Otherwise the tests of compiled rules would prove less than they seem to."""
    assert bind(_at)(np.arange(3), 2) == 2
    with pytest.raises(IndexError):
        bind(_at)(np.arange(3), 25)
