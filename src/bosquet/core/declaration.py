"""Check that a game has everything that the protocols in `core.spec` ask for, before anything uses it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bosquet.core.errors import OptionError, quoted
from bosquet.core.inputs.integers import whole_number
from bosquet.core.rules import KERNELS, Notation, Rules, Views
from bosquet.core.spec import GameSpec
from bosquet.core.state import MAX_SEATS, StateRecord

NAME = re.compile(r"[a-z][a-z0-9_]*")
PAGE = "docs/game-reference.md has a table of what a game must have"
SETTINGS = ("players", "seat")
"""The fields that every state has."""


def required(protocol: type) -> list[str]:
    """Return the names that a module must have, in the order in which the protocol has them."""
    declared = [*protocol.__annotations__, *vars(protocol)]
    return [name for name in declared if not name.startswith("_")]


def check(spec: GameSpec) -> None:
    """Check a game that was installed. Raises OptionError, which names the first fault and the remedy."""
    if fault := next(_faults(spec), None):
        raise OptionError(f"the game in the package {spec.package} can't be played: {fault}")


def _faults(spec: GameSpec) -> Iterator[str]:
    for part, protocol in (("rules", Rules), ("notation", Notation), ("view", Views)):
        for name in required(protocol):
            if not hasattr(getattr(spec, part), name):
                yield f"its {part} {'have' if part == 'rules' else 'has'} no {name}; {PAGE}"
    for name in KERNELS:
        if not hasattr(getattr(spec.rules, name), "__kernel__"):
            yield f"rules.{name} is not marked with @kernel (bosquet.kernels.jit)"
    if not NAME.fullmatch(spec.name):
        yield f"its NAME is {quoted(spec.name)}; a name has small letters, digits and _, and begins with a letter"
    yield from _faults_of_options(spec)
    yield from _faults_of_state(spec.rules.State)
    for name in ("ACTIONS", "MAX_MOVES"):
        if type(getattr(spec.rules, name)) is not int or getattr(spec.rules, name) < 1:
            yield f"rules.{name} is {quoted(getattr(spec.rules, name))}; it must be a whole number from 1"
    if len(spec.levels) != len(GameSpec.levels):
        yield f"it has {len(spec.levels)} levels; there are {len(GameSpec.levels)}"
    if spec.min_points is not None and spec.max_points is not None and spec.min_points > spec.max_points:
        yield f"min_points is {spec.min_points}, more than max_points, {spec.max_points}"


def _faults_of_options(spec: GameSpec) -> Iterator[str]:
    players = spec.options.get("players", ())
    if not players:
        yield 'its OPTIONS have no "players" with the numbers of seats, the default first'
    for number in players:
        if type(number) is not int or not 1 <= number <= MAX_SEATS:
            yield f"its option players takes {quoted(number)}; there are 1 to {MAX_SEATS} seats at a table"
    for name, values in spec.options.items():
        for value in values:
            if not isinstance(value, bool | str) and whole_number(value) is None:
                yield f"its option {name} takes {quoted(value)}; values are whole numbers, texts, True and False"


def _faults_of_state(state: Any) -> Iterator[str]:
    if not (isinstance(state, type) and issubclass(state, StateRecord)):
        yield "rules.State must be a class made from StateRecord (bosquet.core.state)"
        return
    for name in SETTINGS:
        if name not in state.fields or state.fields[name].length is not None:
            yield f"rules.State has no field {name} with one number"
