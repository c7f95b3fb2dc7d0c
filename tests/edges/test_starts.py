"""What the program needs to start: nothing that the command does not use, nothing that only makes it faster."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import bosquet
from bosquet.server.http.static_files import PAGE

WITHOUT = "import sys; sys.modules.update(dict.fromkeys({names!r})); from bosquet.cli import main; main()"
"""Runs the command line where these modules can't be imported."""


def run_without(names: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT.format(names=names), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


HEAVY = ["numba", "sqlalchemy", "starlette", "uvicorn", "rich.progress"]


@pytest.mark.parametrize("arguments", ["--version", "--help", "serve --help"])
def test_help_needs_no_game(arguments: str) -> None:
    done = run_without(["numpy", "msgspec", *HEAVY], *arguments.split())
    assert (done.returncode, done.stderr) == (0, "")


def test_help_on_the_options_of_games_needs_nothing_but_the_games() -> None:
    done = run_without(HEAVY, "simulate", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--overbuild" in done.stdout


def test_names_that_are_imported_when_used_are_listed() -> None:
    assert set(bosquet.__all__) <= set(dir(bosquet))


def test_games_are_played_without_the_compiler() -> None:
    done = run_without(["numba"], "simulate", "topas", "--games", "2", "--seed", "1", "--workers", "1", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert '"games":2' in done.stdout


@pytest.mark.skipif(not (PAGE / "index.html").exists(), reason="the page is not built; `uv run` builds it")
def test_the_server_starts_without_its_faster_loop_and_parser(tmp_path: Path) -> None:
    code = WITHOUT.format(names=["numba", "uvloop", "httptools"])
    command = [sys.executable, "-c", code, "serve", "--port", "0", "--no-browser", "--data", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        found = re.search(r"http://[\d.:]+", said)
        assert found, said
        with urllib.request.urlopen(f"{found[0]}/api/lobby") as answer:
            assert answer.status == 200
        server.terminate()
