"""A game that lacks something is refused with a sentence that says what."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest

import bosquet
from bosquet.core.declaration import check
from bosquet.core.errors import OptionError
from bosquet.core.spec import GameSpec
from bosquet.core.state import Int8, StateRecord

GOOD = bosquet.spec(bosquet.GAMES[0])


def with_rules(**changes: Any) -> GameSpec:
    """A game whose rules have other values, None for a name that they lack."""
    names = {**vars(GOOD.rules), **changes}
    rules: Any = SimpleNamespace(**{name: value for name, value in names.items() if value is not None})
    return dataclasses.replace(GOOD, rules=rules)


class Seatless(StateRecord):
    players: Int8


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_the_games_of_this_package_lack_nothing(name: str) -> None:
    check(bosquet.spec(name))


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (with_rules(winners=None), "its rules have no winners"),
        (with_rules(ACTIONS=None), "its rules have no ACTIONS"),
        (with_rules(legal=lambda state, moves: 0), "rules.legal is not marked with @kernel"),
        (with_rules(NAME="My game"), 'its NAME is "My game"'),
        (with_rules(OPTIONS={"players": (2, 5)}), "its option players takes 5; there are 1 to 4 seats"),
        (with_rules(OPTIONS={"expert": (False, True)}), 'its OPTIONS have no "players"'),
        (with_rules(OPTIONS={"players": (2,), "size": (1.5,)}), "its option size takes 1.5"),
        (with_rules(State=Seatless), "rules.State has no field seat"),
        (with_rules(State=int), "rules.State must be a class made from StateRecord"),
        (with_rules(MAX_MOVES=0), "rules.MAX_MOVES is 0"),
        (dataclasses.replace(GOOD, view=SimpleNamespace()), "its view has no view"),
        (dataclasses.replace(GOOD, levels=((1, 0.0),)), "it has 1 levels; there are 6"),
        (dataclasses.replace(GOOD, min_points=3, max_points=2), "min_points is 3, more than max_points, 2"),
    ],
)
def test_what_is_missing_or_wrong_is_named(game: GameSpec, said: str) -> None:
    with pytest.raises(OptionError) as raised:
        check(game)
    assert said in str(raised.value)
    assert game.package in str(raised.value)
