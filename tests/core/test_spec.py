"""What the description of a game does for all games: its options, and its box."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bosquet.core.errors import OptionError
from bosquet.core.spec import GameSpec, check_options


def spec_with(**options: Any) -> GameSpec:
    """Return a game that has these options and nothing else."""
    rules: Any = SimpleNamespace(NAME="toy", TITLE="Toy", OPTIONS={"players": (2,), **options})
    nothing: Any = None
    return GameSpec(package="toy", rules=rules, notation=nothing, view=nothing, rules_in_short="")


def test_values_of_several_types_are_listed() -> None:
    with pytest.raises(OptionError) as refused:
        check_options(spec_with(limit=("none", 10, 9, True)), {"limit": 7})
    assert str(refused.value) == 'limit is 7; Toy takes true, 9, 10, "none"'
