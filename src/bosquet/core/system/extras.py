"""What to do where an optional library is missing: it depends on how bosquet was installed."""

from __future__ import annotations

import functools
import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


@functools.cache
def runs_in_checkout() -> bool:
    """Return whether `uv` installed the program from a checkout, as `uv run` does."""
    try:
        found = distribution("bosquet")
    except PackageNotFoundError:
        return False
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    return bool(origin.get("dir_info", {}).get("editable")) and (found.read_text("INSTALLER") or "").strip() == "uv"


def uv() -> str:
    """Return how `uv` is called here: it tells what it runs where it lies, which need not be on PATH."""
    given = os.environ.get("UV")
    if not given:
        return "uv"
    here = Path.cwd()
    return str(Path(given).relative_to(here)) if Path(given).is_relative_to(here) else given


def program() -> str:
    """Return how the program is called here, as the beginning of a command to type."""
    if os.environ.get("UV") and runs_in_checkout():
        return f"{shlex.quote(uv())} run bosquet"
    return "bosquet" if shutil.which("bosquet") else shlex.join([sys.executable, "-m", "bosquet"])


def remedy(extra: str) -> str:
    """Return the command that installs an extra of this package, or runs with it, as a phrase of an error."""
    if runs_in_checkout():
        return f"run it with `{uv()} run --extra {extra} …`"
    return f"`pip install 'bosquet[{extra}]'` installs it"


def group_remedy(group: str, packages: str) -> str:
    """Return the same for a group of the checkout; elsewhere it names the packages."""
    return f"run it with `{uv()} run --group {group} …`" if runs_in_checkout() else f"pip install {packages}"


def page_remedy() -> str:
    """Return what builds the page where it is missing."""
    if runs_in_checkout():
        return f"`{uv()} sync --reinstall-package bosquet` builds it"
    return "install bosquet again, without BOSQUET_PAGE=skip"


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Run imports in this context. Raises ImportError, which says what to do, if a library of an extra is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(f"{error.name} is not installed; {remedy(name)}", name=error.name) from error
