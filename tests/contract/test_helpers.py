"""What several modules of tests need lies in modules of helpers, which pytest does not collect."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests", "benchmarks", "docs", "src")


def names_imported(code: str) -> Iterator[str]:
    """The full names of the modules, or of their members, that code imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def of_test_modules(code: str) -> list[str]:
    """The names of test modules, and of what comes from them."""
    found = []
    for name in names_imported(code):
        first, *parts = name.split(".")
        if first in ("", "tests") and any(part.startswith("test_") for part in parts):
            found.append(name)
    return found


def test_nothing_is_imported_from_a_module_of_tests() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in of_test_modules(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "code",
    [
        "from tests.server.test_rights import begin",
        "from tests.rulings import test_topiary as topiary",
        "import tests.rulings.test_topiary",
        "from .test_rights import begin",
        "def late() -> None:\n    from tests.server.test_rights import begin",
    ],
)
def test_such_an_import_would_be_found(code: str) -> None:
    assert of_test_modules(code)
