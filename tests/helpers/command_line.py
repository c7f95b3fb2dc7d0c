"""The command line as users run it, in this process or in one of its own."""

from __future__ import annotations

import contextlib
import functools
import io
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import typer.main

from bosquet.bots.program import LOG
from bosquet.cli import main, output

BUILT = functools.cache(typer.main.get_command)
"""The commands, which take a fifteenth of a second to build, once for all tests of a process."""


def cli(
    *arguments: str | Path,
    cwd: Path | None = None,
    answers: str = "",
    environment: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
) -> subprocess.CompletedProcess[str]:
    """Run a command in this process: a process of its own takes half a second to start. `answers` are typed."""
    shown, complained = (io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2))
    command = ["bosquet", *map(str, arguments)]
    code: object = 0
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(shown),
        contextlib.redirect_stderr(complained),
    ):
        patch.setattr(typer.main, "get_command", BUILT)
        patch.setattr(sys, "argv", command)
        patch.setattr(sys, "stdin", io.StringIO(answers))
        for name, value in {"COLUMNS": "80", **(environment or {})}.items():
            patch.setenv(name, value)
        patch.delenv(LOG, raising=False)
        for console in (output.out, output.err):
            patch.setattr(console, "_width", None)  # it may have been made with another COLUMNS
        if cwd is not None:
            patch.chdir(cwd)
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    assert isinstance(code, int)
    texts = [text.buffer.getvalue().decode(encoding) for text in (shown, complained)]
    return subprocess.CompletedProcess(command, code, *texts)


def cli_process(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, as `python -m bosquet`."""
    command = [sys.executable, "-m", "bosquet", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, stdin=subprocess.DEVNULL, check=False)
