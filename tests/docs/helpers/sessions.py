"""Commands that a page shows, with what they print."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from bosquet.kernels.jit import available


def assert_prints(folder: Path, command: str, shown: str) -> None:
    """Run a command in a folder; fail unless it prints the lines that are shown, in this order, among others."""
    program, *arguments = shlex.split(command)
    done = subprocess.run(
        [sys.executable, *([] if program == "python" else ["-m", program]), *arguments],
        cwd=folder,
        env=os.environ | {"COLUMNS": "120"} | ({} if available() else {"BOSQUET_JIT": "0"}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    printed = iter([line.rstrip() for line in (done.stderr + done.stdout).splitlines()])
    for line in filter(None, shown.splitlines()):
        assert line in printed, f"{line}\nis not in\n{done.stdout}"  # `in` goes on from the line before
