"""Which modules of the package import which, read from their source without running it.

An import inside a function or under TYPE_CHECKING counts as any other.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Mapping
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "bosquet"
Graph = Mapping[str, set[str]]
"""Names to the names that they import."""


def modules() -> dict[str, Path]:
    """Return the file of each module of `bosquet`, by dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(["bosquet", *path.relative_to(SOURCE).with_suffix("").parts])
        found[name.removesuffix(".__init__")] = path
    return found


def imported(name: str, code: str, *, package: bool, known: Collection[str]) -> set[str]:
    """Return the modules among `known` that the code of a module imports."""
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


@functools.cache
def import_graph() -> Graph:
    """Return what each module of `bosquet` imports of it."""
    files = modules()
    return {
        name: imported(name, path.read_text(encoding="utf-8"), package=path.name == "__init__.py", known=files)
        for name, path in files.items()
    }


def between_folders(graph: Graph, folder: str) -> Graph:
    """Return which packages directly in a package import which others of them, given the graph of modules."""
    depth = folder.count(".") + 1
    packages = {path.parent.name for path in SOURCE.parent.joinpath(*folder.split(".")).glob("*/__init__.py")}
    found: dict[str, set[str]] = {package: set() for package in sorted(packages)}
    for module, others in graph.items():
        for other in others:
            if module.startswith(f"{folder}.") and other.startswith(f"{folder}."):
                low, high = module.split(".")[depth], other.split(".")[depth]
                if low != high and {low, high} <= packages:
                    found[low].add(high)
    return found


def floors(graph: Graph) -> dict[str, int]:
    """Return the floor of each name: 0 if it imports no other, else one above the highest that it imports.

    The graph must have no circle.
    """
    found: dict[str, int] = {}

    def floor(name: str) -> int:
        if name not in found:
            found[name] = max((floor(other) + 1 for other in graph[name]), default=0)
        return found[name]

    for name in graph:
        floor(name)
    return found


def direct(graph: Graph) -> Graph:
    """Return the imports that do not follow from others: the transitive reduction of a graph without circles."""

    def below(name: str) -> set[str]:
        return graph[name].union(*map(below, graph[name]))

    return {name: others - set().union(*map(below, others)) for name, others in graph.items()}
