"""Compiled kernels of several processes: they fit together, whatever was lost, and heal what does not."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from bosquet.kernels import cache
from bosquet.kernels.jit import available
from tests.core import compiled_sample

pytestmark = pytest.mark.skipif(not available(), reason="compiling is turned off (BOSQUET_JIT=0) or numba is absent")

ONCE, TWICE = "30156\n", "30624\n"
"""What the sample prints."""

CALL_OF_NOTHING = """
import pickle, sys
import llvmlite.binding as llvm
from bosquet.kernels import cache

*rest, bitcode = pickle.loads(cache.load(sys.argv[1]))
module = llvm.parse_bitcode(bitcode)
(callee,) = (function for function in module.functions if "weight" in function.name)
callee.name = callee.name.replace("weight", "height")
cache.save(sys.argv[1], pickle.dumps((*rest, module.as_bitcode())))
"""
"""A program of its own: what a process has compiled before shows in what it writes."""

WITHOUT_LOCKS = """
import filelock, runpy, sys

def refuse(self, *arguments, **options):
    raise NotImplementedError("this file system has no locks")

filelock.FileLock.acquire = refuse
sys.argv[0:1] = []
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that a process has filled."""
    path = tmp_path_factory.mktemp("full")
    assert said(started("once", "twice", NUMBA_CACHE_DIR=str(path))) == ONCE + TWICE
    assert len(list((path / "kernels").iterdir())) == 9  # two entries, five inner kernels, one of them for three types
    return path / "kernels"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for this process and those that it starts."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return cache.folder()


@pytest.fixture
def copy(full: Path, folder: Path) -> Path:
    """Another process's cache."""
    return Path(shutil.copytree(full, folder))


def started(*arguments: str, before: Iterable[str] = (), **environment: str) -> subprocess.Popen[str]:
    """A process that runs the sample, with warnings as errors."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", *before, compiled_sample.__file__, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | environment,
    )


def said(process: subprocess.Popen[str]) -> str:
    """What a process has printed, or how it ended if not well."""
    text = process.communicate(timeout=300)[0]
    return text if process.returncode == 0 else f"exit {process.returncode}: {text}"


def contents(folder: Path) -> dict[str, str]:
    """The files of a cache, with digests of what is in them."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def lose(folder: Path, *parts: str) -> None:
    """Let the files whose names contain one of the parts grow old, and remove what is old."""
    for part in parts:
        files = list(folder.glob(f"*{part}*"))
        assert files
        for file in files:
            os.utime(file, (0, 0))
    cache.prune(folder)
    assert not [file for part in parts for file in folder.glob(f"*{part}*")]


def test_processes_write_the_same_whatever_they_did_before(full: Path, folder: Path) -> None:
    assert said(started("types", "twice", "once", PYTHONHASHSEED="1")) == TWICE + ONCE
    assert contents(folder) == contents(full)


def test_processes_write_the_same_texts(folder: Path) -> None:
    written = '{"game":"topiary","cells":["a1",""],"points":-120}\n'
    assert said(started("texts", PYTHONHASHSEED="1")) == written
    first = contents(folder)
    assert said(started("types", "texts", PYTHONHASHSEED="2")) == written
    assert contents(folder) == first
    lose(folder, ".entry", "compiled_text.put-")
    assert said(started("types", "texts")) == written
    assert contents(folder) == first


@pytest.mark.parametrize(
    "lost", [("weight",), ("weight", "half"), ("nothing", "total", "double")], ids=["callee", "some", "leaves"]
)
def test_what_is_lost_is_compiled_again(full: Path, copy: Path, lost: Iterable[str]) -> None:
    lose(copy, ".entry", *lost)
    assert said(started("types", "once")) == ONCE
    assert said(started("twice")) == TWICE
    assert contents(copy) == contents(full)


def test_what_fails_its_checksum_is_compiled_again(full: Path, copy: Path) -> None:
    lose(copy, ".entry")
    for part in "weight", "half":
        (file,) = copy.glob(f"*.{part}-*")
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert said(started("types", "twice")) == TWICE
    assert said(started("once")) == ONCE
    assert contents(copy) == contents(full)


def test_a_call_that_nothing_defines_is_compiled_again(full: Path, copy: Path) -> None:
    """No program writes such a file. The process that loaded it would end at the call."""
    lose(copy, ".entry")
    (file,) = copy.glob("*.half-*")
    before = file.read_bytes()
    subprocess.run([sys.executable, "-c", CALL_OF_NOTHING, file.name], check=True)
    assert file.read_bytes() != before
    assert said(started("once", "twice")) == ONCE + TWICE
    assert contents(copy) == contents(full)


def test_cold_starts_at_once_without_locks(full: Path, folder: Path) -> None:
    work = (("once", "twice"), ("types", "twice"), ("types", "types", "once", "twice"))
    starts = [started(*wanted, before=("-c", WITHOUT_LOCKS)) for wanted in work]
    assert [said(process) for process in starts] == [ONCE + TWICE, TWICE, ONCE + TWICE]
    assert contents(folder) == contents(full)


def test_cold_starts_at_once(full: Path, folder: Path) -> None:
    starts = [started(*work.split()) for work in ("once", "types twice")]
    assert [said(process) for process in starts] == [ONCE, TWICE]
    assert contents(folder) == contents(full)


def test_code_can_be_compiled_for_a_debugger(folder: Path) -> None:
    for _ in "compiled", "loaded":
        assert said(started("once", "twice", NUMBA_DEBUGINFO="1", NUMBA_OPT="0")) == ONCE + TWICE
    whole = contents(folder)
    assert said(started("once")) == ONCE
    assert set(contents(folder)) > set(whole)  # what was compiled in another way is not used


def test_rules_are_plain_where_numba_is_switched_off(folder: Path) -> None:
    program = "from bosquet.env.compiled_game import compiled_game; print(compiled_game('topiary').jit)"
    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}
    )
    assert (process.stdout, process.stderr) == ("False\n", "")
    assert not folder.exists()
