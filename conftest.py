"""What the tests need is installed when they are first run, or the tests that need it are left out.

`uv run` installs what playing needs, and pytest. Under `uv run pytest` this starts pytest again with the group `test`;
elsewhere, and where a package has no wheel for this Python, it says which tests are left out.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib.util
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent
GROUP = "test"
STARTED_AGAIN = "BOSQUET_TESTS_STARTED_AGAIN"
"""Set in a pytest that was started with the group, so that it starts no third one."""
IMPLIED = {"starlette.testclient": "httpx2"}
"""Modules that import another one which is installed apart from them."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Install the group, before options of its plugins are looked at."""
    missing = sorted(_missing(GROUP))
    if missing and "UV" in os.environ and STARTED_AGAIN not in os.environ:
        pluginmanager.getplugin("capturemanager").suspend_global_capture(in_=True)
        print(f"the tests need {len(missing)} packages more ({', '.join(missing)}); uv installs them", flush=True)
        _start_again()
    if importlib.util.find_spec("xdist") is None:
        raise pytest.UsageError(f"the tests need the dependency group `{GROUP}`: `pip install --group {GROUP}`")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a test module that imports what is not installed, and a folder whose `conftest.py` does."""
    file = collection_path / "conftest.py" if collection_path.is_dir() else collection_path
    return True if file.is_file() and file.suffix == ".py" and _absent(file) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests were left out.

    Garbage of the tests waits: Python 3.11 cannot parse while a finalizer warns and parses, too, to show its line.
    """
    gc.disable()
    folders = {file.parent: file for file in (ROOT / "tests").rglob("conftest.py") if _absent(file)}
    modules = {file: file for file in (ROOT / "tests").rglob("test_*.py") if file.parent not in folders}
    for place, file in sorted((folders | modules).items()):
        if absent := _absent(file):
            terminalreporter.write_line(f"LEFT OUT {place.relative_to(ROOT)}: needs {', '.join(sorted(absent))}")
    gc.enable()


def _start_again() -> None:
    """Run this pytest in the same environment with the group in it. Does not return."""
    command = [os.environ["UV"], "run", "--python", sys.executable, "--group", GROUP, "pytest", *sys.argv[1:]]
    environment = os.environ | {STARTED_AGAIN: "1"}
    if os.name == "nt":  # where a process can't be replaced
        os._exit(subprocess.call(command, env=environment))
    os.execvpe(command[0], command, environment)


def _missing(group: str) -> Iterator[str]:
    """The packages of a dependency group that belong on this Python and are not installed."""
    for entry in tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"][group]:
        if isinstance(entry, dict):
            yield from _missing(entry["include-group"])
            continue
        requirement = Requirement(entry)
        if requirement.marker is None or requirement.marker.evaluate():
            try:
                distribution(requirement.name)
            except PackageNotFoundError:
                yield requirement.name


@functools.cache
def _absent(file: Path) -> frozenset[str]:
    """The packages that a test module imports, itself or by another one of the tests, and that are not installed."""
    absent: set[str] = set()
    for node in _statements(ast.parse(file.read_bytes())):
        for name in _imported(node):
            top = IMPLIED.get(name, name).split(".")[0]
            if top == "tests":
                for helper in (ROOT / f"{name.replace('.', '/')}.py", ROOT / name.replace(".", "/") / "__init__.py"):
                    absent |= _absent(helper) if helper.is_file() and helper != file else frozenset()
            elif importlib.util.find_spec(top) is None:
                absent.add(top)
    return frozenset() if "playwright" in absent and _is_browser_required() else frozenset(absent)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements of a module, those inside of others too. `ast.walk` would take most of its time in expressions."""
    for part in ("body", "orelse", "handlers", "finalbody", "cases"):
        for inner in getattr(node, part, ()):
            yield inner
            yield from _statements(inner)


def _is_browser_required() -> bool:
    """Whether the tests in a browser must run: then an import error is better than leaving them out."""
    return os.environ.get("BOSQUET_BROWSER_TESTS") == "required"


def _imported(node: ast.AST) -> list[str]:
    """The modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level and node.module:
        return [node.module, *(f"{node.module}.{name.name}" for name in node.names if node.module.startswith("tests"))]
    return []
