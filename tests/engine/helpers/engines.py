"""The games with an engine, as parameters of tests; the quick run leaves out those that are slow in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import bosquet
from tests.engine.helpers.node import has_engine
from tests.helpers.cases import CASES, IDS, case_of_each_size

GAMES = [name for name in bosquet.GAMES if has_engine(name)]
SLOW = ("schlossgarten",)
"""Games with which a search in plain Python takes long."""
every_engine = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in GAMES]
)
FIRST = [name for name, _ in CASES].index


def every_case_of(games: Callable[[str], Any]) -> pytest.MarkDecorator:
    """Return the parameters `name` and `options` of each size of some games; the first of a game is quick."""
    return pytest.mark.parametrize(
        ("name", "options"),
        [
            pytest.param(
                *CASES[i],
                id=IDS[i],
                marks=[] if i == FIRST(CASES[i][0]) and CASES[i][0] not in SLOW else pytest.mark.slow,
            )
            for i in case_of_each_size()
            if games(CASES[i][0])
        ],
    )
