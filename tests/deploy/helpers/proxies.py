"""nginx and Caddy with a configuration, and other programs that end with a test."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.helpers.services import wait_for_port

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
        wait_for_port(port)
        yield


@contextmanager
def running_caddy(folder: Path, site: str, port: int) -> Iterator[None]:
    """Run Caddy with the configuration of a site, which listens at a port."""
    config = folder / "Caddyfile"
    config.write_text(site)
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(config)]
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "caddy.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, text=True, env=environment)
    with ended(process):
        wait_for_port(port)
        yield
