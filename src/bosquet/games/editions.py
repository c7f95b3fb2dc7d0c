"""Editions of the games with other parts than those in the box: so small that all their positions can be visited.

An edition has the rules of its game word for word: the same module, executed once more with other constants. Editions
are for environments; tables, bots and records know the games only.
"""

from __future__ import annotations

import builtins
import functools
import importlib.util
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from importlib.abc import InspectLoader
from types import ModuleType
from typing import Any, cast

from bosquet import games
from bosquet.core.encoding import Encoder
from bosquet.core.grid import Grid
from bosquet.core.rules import Rules

EDITIONS: dict[str, tuple[str, dict[str, Any]]] = {
    # A garden of 3 × 3 with twelve tiles, a tile in hand and a visitor each, on the south or on the west side.
    "topiary_tiny": (
        "topiary",
        {
            "TITLE": "Topiary, tiny edition",
            "TYPES": "TWS",
            "SIZES": 4,
            "GRID": Grid(3),
            "VISITORS": (0, 0, 1),
            "HAND": 1,
            "ALL_TYPES": 2,
            "HEADINGS": {"N": (0, 1), "E": (1, 0)},
            "OPTIONS": {"players": (2,), "draft": (False,)},
        },
    ),
    # Six cards of three colours, one in hand; everybody lays one.
    "topas_tiny": (
        "topas",
        {
            "TITLE": "Topas, tiny edition",
            "CARDS": ((0, 1, 1, 3), (0, 2, 1, 1), (0, 3, 2, 1), (0, 2, 2, 3), (1, 2, 2, 3), (1, 3, 2, 2)),
            "HAND": 1,
            "TURNS": 1,
            "OPTIONS": {"players": (2,), "expert": (False,)},
        },
    ),
}
"""By name: the game, and the constants of its module that are others."""


def rules(name: str) -> Rules:
    """The rules of a game or of an edition. Raises OptionError for a name that is none."""
    return _rules(name) if name in EDITIONS else games.rules(name)


def encoder(name: str) -> Encoder:
    """The encoder of a game or of an edition."""
    return _encoder(name) if name in EDITIONS else games.encoder(name)


@functools.cache
def _rules(edition: str) -> Rules:
    game, constants = EDITIONS[edition]
    return cast(Rules, _executed(f"bosquet.games.{game}", edition, {**constants, "NAME": edition}, {}))


@functools.cache
def _encoder(edition: str) -> Encoder:
    """The encoder of the game, with the rules of the edition for those of the game."""
    game, _ = EDITIONS[edition]
    imports = {f"bosquet.games.{game}": cast(ModuleType, rules(edition))}
    return cast(Encoder, _executed(f"bosquet.games.encoders.{game}", edition, {}, imports))


class _Overlay(MutableMapping[str, Any]):
    """The names of a module while it is executed: what it gives to a name in `constants` has no effect."""

    def __init__(self, namespace: dict[str, Any], constants: Mapping[str, Any]) -> None:
        self.namespace, self.constants = namespace, constants

    def __getitem__(self, name: str) -> Any:
        return self.namespace[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self.namespace[name] = self.constants.get(name, value)

    def __delitem__(self, name: str) -> None:
        del self.namespace[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.namespace)

    def __len__(self) -> int:
        return len(self.namespace)


def _executed(source: str, edition: str, constants: Mapping[str, Any], imports: Mapping[str, ModuleType]) -> ModuleType:
    """A module executed once more, with other constants, and with other modules for some that it imports."""
    spec = importlib.util.find_spec(source)
    assert spec
    code = cast(InspectLoader, spec.loader).get_code(source)
    assert code
    made = ModuleType(f"{source}_as_{edition}", edition)
    made.__file__ = spec.origin
    sys.modules[made.__name__] = made
    namespace = vars(made)

    def importing(name: str, *details: Any) -> Any:
        return imports.get(name) or __import__(name, *details)

    namespace["__builtins__"] = vars(builtins) | {"__import__": importing}
    exec(code, namespace, _Overlay(namespace, constants))
    return made
