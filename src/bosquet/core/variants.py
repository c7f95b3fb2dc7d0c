"""Variants: games with other constants, small enough to visit every state.

A variant is the package of its game, imported again under another name, with other constants in its module `rules`. So
that its modules find each other, the modules of such a package import each other relatively. A game lists its variants
in its module `variants`. Environments and `bosquet.new` offer variants, and the bots `random`, `greedy` and those that
search play them; tables and readers of records do not know them.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, cast

from bosquet.core.spec import GameSpec


def make_variant(spec: GameSpec, name: str, constants: Mapping[str, Any]) -> GameSpec:
    """Return the `SPEC` of a game whose module `rules` has other constants. Its `NAME` is the name of the variant.

    Raises ValueError for a constant that the module does not assign.
    """
    original = importlib.util.find_spec(spec.package)
    assert original
    assert original.origin
    found = importlib.util.spec_from_file_location(
        f"{spec.package}_as_{name}", original.origin, submodule_search_locations=original.submodule_search_locations
    )
    assert found
    package = _begun(found)
    rules = importlib.util.find_spec(f"{package.__name__}.rules")
    assert rules
    _execute(rules, vars(_begun(rules)), {**constants, "NAME": name})
    _execute(found, vars(package), {})
    return cast(GameSpec, package.SPEC)


def _begun(found: ModuleSpec) -> ModuleType:
    """Return a new module that can be imported but was not yet executed."""
    module = sys.modules[found.name] = importlib.util.module_from_spec(found)
    return module


def _execute(found: ModuleSpec, namespace: dict[str, Any], constants: Mapping[str, Any]) -> None:
    code = cast(InspectLoader, found.loader).get_code(found.name)
    assert code
    exec(code, namespace, _Overlay(namespace, constants))
    if missing := constants.keys() - namespace.keys():
        raise ValueError(f"{found.name} has no {', '.join(sorted(missing))}")


class _Overlay(MutableMapping[str, Any]):
    """Namespace in which a module is executed. Assignments to a name in `constants` store the constant instead."""

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
