"""What several modules of tests need lies in modules of helpers, which pytest does not collect."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests", "benchmarks", "docs")
IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(.*))", re.MULTILINE)
"""An import: where from and which names, or which modules. To parse all modules of tests takes seconds."""


def of_test_modules(code: str) -> list[str]:
    """The names of test modules that are imported or from which something is."""
    found: list[str] = []
    for match in IMPORT.finditer(code):
        source, names, modules = match.groups()
        imported = re.findall(r"[\w.]+", modules or "")
        if source and source.startswith(("tests", ".")):
            imported.append(source)
            imported += [f"{source}.{name}" for name in re.findall(r"\w+", names)] if "test_" not in source else []
        found += [name for name in imported if re.match(r"(?:tests)?\.(?:.*\.)?test_", name)]
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
        "from tests.rulings import (\n    test_topas,\n    test_topiary,\n)",
        "def late() -> None:\n    from tests.server.test_rights import begin",
    ],
)
def test_such_an_import_would_be_found(code: str) -> None:
    assert of_test_modules(code)
