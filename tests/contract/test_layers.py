"""Imports run downwards: between the packages of `bosquet`, between the wings of its server, and in no circle.

`FLOORS` and `WINGS` are the table: what stands on one line may import what stands on it and on the lines before. An
import inside a function or under TYPE_CHECKING counts as any other.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "bosquet"
FLOORS = (
    {"kernels"},
    {"core"},
    {"learning", "drawing"},
    {"games"},
    {"search"},
    {"bots"},
    {"lab"},
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
    {"http"},
    {"host"},
)
UPWARD: frozenset[tuple[str, str]] = frozenset()
"""Known imports upwards, module and module. This may only become shorter."""
CIRCLES: tuple[frozenset[str], ...] = ()
"""Known circles of modules. These may only become fewer and smaller."""


def module_name(path: Path) -> str:
    """Return the name of the module in a file."""
    name = ".".join(["bosquet", *path.relative_to(SOURCE).with_suffix("").parts])
    return name.removesuffix(".__init__")


def source_files() -> Iterator[Path]:
    """Yield the files of modules; the page and the documentation in the server's folder have none."""
    for path in sorted(SOURCE.rglob("*.py")):
        if not {"page", "docs"} & set(path.relative_to(SOURCE).parts[1:2]):
            yield path


MODULES: Mapping[str, Path] = {module_name(path): path for path in source_files()}


def imported(name: str, code: str, *, package: bool, known: Collection[str]) -> set[str]:
    """Return the modules among `known` that the code of a module imports, wherever it does."""
    found: set[str] = set()
    own = name.split(".") if package else name.split(".")[:-1]
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*own[: len(own) + 1 - node.level], *([node.module] if node.module else [])])
            whole = base if node.level else str(node.module)
            # `from package import name` imports a module of that name, or else the package itself.
            found |= {f"{whole}.{alias.name}" if f"{whole}.{alias.name}" in known else whole for alias in node.names}
    return (found & set(known)) - {name}


IMPORTS: Mapping[str, set[str]] = {
    name: imported(name, path.read_text(encoding="utf-8"), package=path.name == "__init__.py", known=MODULES)
    for name, path in MODULES.items()
}


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
    assert sorted(upward(IMPORTS, table, within) - UPWARD) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert [sorted(one) for one in circles(IMPORTS) if not any(one <= known for known in CIRCLES)] == []


def test_what_is_known_is_still_there() -> None:
    """What was mended leaves the lists of what is known."""
    there = upward(IMPORTS, FLOORS, "bosquet") | upward(IMPORTS, WINGS, "bosquet.server")
    assert sorted(UPWARD - there) == []
    found = circles(IMPORTS)
    assert [sorted(known) for known in CIRCLES if known not in found] == []


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
