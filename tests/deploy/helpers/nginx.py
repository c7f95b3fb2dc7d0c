"""nginx with a configuration, and other programs that end with a test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[3] / "deploy"


def program(name: str) -> str:
    """Where a program is. Skips the test where it is not, unless it is required."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        if os.environ.get("BOSQUET_DEPLOY_TESTS") == "required":
            raise AssertionError(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    with process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def running_nginx(folder: Path, site: str, port: int) -> Iterator[None]:
    """Run nginx with the configuration of a site, which listens at a port."""
    nginx, config = program("nginx"), folder / "nginx.conf"
    folders = "".join(
        f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "site.conf").write_text(site)
    config.write_text(
        f"daemon off; pid {folder / 'pid'}; error_log {folder / 'error.log'}; worker_processes 1;"
        f"events {{}} http {{ {folders} access_log off; include {folder / 'site.conf'}; }}"
    )
    done = subprocess.run([nginx, "-t", "-c", config], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with ended(subprocess.Popen([nginx, "-c", config], text=True)):
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield
