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


def test_text_that_spells_a_value_is_answered_with_the_value_as_python_has_it() -> None:
    toy = spec_with(limit=("none", 10), draft=(False, True))
    for given, meant in (
        ({"players": "2"}, "2"),
        ({"limit": "10"}, "10"),
        ({"limit": "nome"}, '"none"'),
        ({"draft": "true"}, "True"),
    ):
        with pytest.raises(OptionError) as refused:
            check_options(toy, given)
        assert str(refused.value).endswith(f"; did you mean {meant}?")
