"""Imports run downwards: between the packages of `bosquet`, between the wings of its server, and in no circle.

`FLOORS` and `WINGS` are the table: what stands on one line may import what stands on it and on the lines before.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from studies.imports import SOURCE, import_graph, imported
from studies.pictures import architecture

FLOORS = (
    {"kernels"},
    {"core"},
    {"learning", "drawing"},
    {"games"},
    {"search"},
    {"bots"},
    {"lab"},
    {"engine"},
    {"terminal"},
    {"env"},
    {"server"},
    {"cli"},
)
WINGS = (
    {"base"},
    {"store"},
    {"nodes"},
    {"compute"},
    {"services"},
    {"guests"},
    {"table"},
    {"tables"},
    {"history"},
    {"lobby"},
    {"today"},
    {"notices"},
    {"reviews"},
    {"http"},
    {"host"},
)


def floors(table: tuple[set[str], ...]) -> dict[str, int]:
    return {package: floor for floor, packages in enumerate(table) for package in packages}


def upward(imports: Mapping[str, set[str]], table: tuple[set[str], ...], within: str) -> set[tuple[str, str]]:
    """Return the imports upwards between the packages of another one, by the table of their floors."""
    floor, depth = floors(table), within.count(".") + 1
    wrong = set()
    for module, others in imports.items():
        for other in others:
            if module.startswith(f"{within}.") and other.startswith(f"{within}."):
                low, high = module.split(".")[depth], other.split(".")[depth]
                if low in floor and high in floor and floor[high] > floor[low]:
                    wrong.add((module, other))
    return wrong


def circles(imports: Mapping[str, set[str]]) -> list[frozenset[str]]:
    """Return the strongly connected components of more than one module (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in imports[module]:
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            place = stack.index(module)
            component, stack[place:] = frozenset(stack[place:]), []
            if len(component) > 1:
                found.append(component)

    for module in imports:
        if module not in index:
            visit(module)
    return found


def packages_of(folder: Path) -> set[str]:
    """Return the packages and modules in a folder that the table must place, without its own files."""
    inner = {path.parent.name for path in folder.glob("*/__init__.py")}
    return inner | {path.stem for path in folder.glob("*.py")} - {"__init__"}


def test_every_package_and_wing_has_a_floor() -> None:
    at_the_top = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert set(floors(FLOORS)) >= at_the_top
    assert set(floors(WINGS)) == packages_of(SOURCE / "server")


@pytest.mark.parametrize(("table", "within"), [(FLOORS, "bosquet"), (WINGS, "bosquet.server")])
def test_no_import_runs_upwards(table: tuple[set[str], ...], within: str) -> None:
    assert sorted(upward(import_graph(), table, within)) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert [sorted(one) for one in circles(import_graph())] == []


def test_the_picture_of_the_architecture_is_made_from_these_imports() -> None:
    assert architecture.FILE.read_text(encoding="utf-8") == architecture.picture(), (
        "run python -m studies.pictures.architecture"
    )


def test_an_import_upwards_and_a_circle_would_be_found() -> None:
    code = {
        "bosquet.core.a": "def late():\n    from bosquet.games import b",
        "bosquet.games.b": "from bosquet.core.a import name",
        "bosquet.server.base.c": "from bosquet.server.host.d import name",
        "bosquet.server.host": "",
        "bosquet.server.host.d": "from ..base import c",
    }
    imports = {name: imported(name, text, package=name.endswith("host"), known=code) for name, text in code.items()}
    assert upward(imports, FLOORS, "bosquet") == {("bosquet.core.a", "bosquet.games.b")}
    assert upward(imports, WINGS, "bosquet.server") == {("bosquet.server.base.c", "bosquet.server.host.d")}
    assert {frozenset(one) for one in circles(imports)} == {
        frozenset({"bosquet.core.a", "bosquet.games.b"}),
        frozenset({"bosquet.server.base.c", "bosquet.server.host.d"}),
    }
