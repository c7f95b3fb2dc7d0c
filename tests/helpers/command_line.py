"""The command line as users run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def cli(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    command = [sys.executable, "-m", "bosquet", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, stdin=subprocess.DEVNULL, check=False)
