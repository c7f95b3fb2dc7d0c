"""`bosquet serve` as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bosquet.server.http.static_files import PAGE

built = pytest.mark.skipif(not (PAGE / "index.html").exists(), reason="the page is not built")


def start(*arguments: str, browser: Path | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bosquet", "serve", *([] if browser else ["--no-browser"]), *arguments]
    env = os.environ | {"BROWSER": f"{browser} %s"}
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)


def said_by(server: subprocess.Popen[str]) -> str:
    assert server.stderr is not None
    return server.stderr.readline()
