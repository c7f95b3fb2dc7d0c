"""The cache of compiled kernels: whole files only, one process makes them, old ones go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock
import pytest

from bosquet.kernels import cache as kernel_cache
from bosquet.kernels.jit import available

DAY = kernel_cache.DAY


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for this process and those that it starts."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return kernel_cache.folder()


def started(program: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python process that runs a program."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )


def test_what_is_saved_is_loaded(folder: Path) -> None:
    assert kernel_cache.load("a") is None
    kernel_cache.save("a", b"code")
    assert kernel_cache.load("a") == b"code"
    assert [file.name for file in folder.iterdir()] == ["a"]


def test_a_broken_file_is_none(folder: Path) -> None:
    kernel_cache.save("a", b"code")
    whole = (folder / "a").read_bytes()
    for broken in (whole[:-1], b"", whole[:-1] + b"?"):
        (folder / "a").write_bytes(broken)
        assert kernel_cache.load("a") is None


def test_a_folder_that_can_not_be_made_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    with kernel_cache.claimed("a"):
        kernel_cache.save("a", b"code")
    assert kernel_cache.load("a") is None


def test_a_file_under_another_s_name_is_none(folder: Path) -> None:
    kernel_cache.save("a", b"code")
    (folder / "a").rename(folder / "b")
    assert kernel_cache.load("b") is None


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Give up the rights of root for a while, since root may write to every folder."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)  # nobody
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has other rights than those of POSIX")
def test_a_folder_that_is_only_read_is_loaded_from(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not tmp_path: an ordinary user may not look into the folder that pytest made for root.
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        monkeypatch.setenv("NUMBA_CACHE_DIR", name)
        kernel_cache.save("a", b"code")
        folder = kernel_cache.folder()
        folder.chmod(0o555)
        with ordinary_user(), kernel_cache.claimed("b"):
            kernel_cache.save("b", b"code")
            assert (kernel_cache.load("a"), kernel_cache.load("b")) == (b"code", None)
        folder.chmod(0o700)


has_modes = pytest.mark.skipif(sys.platform == "win32", reason="there are no modes on Windows")


@has_modes
@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_a_folder_that_others_can_write_to_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, variable: str
) -> None:
    if variable == "XDG_CACHE_HOME" and sys.platform == "darwin":
        pytest.skip("macOS has another folder for caches")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    kernel_cache.save("a", b"code")
    assert kernel_cache.load("a") == b"code"
    assert tmp_path in kernel_cache.folder().parents
    tmp_path.chmod(0o770)
    with kernel_cache.claimed("b"):
        kernel_cache.save("b", b"code")
        assert (kernel_cache.load("a"), kernel_cache.load("b")) == (None, None)
    assert [record.getMessage() for record in caplog.records] == [
        f"kernels are compiled instead of loaded: other users can write to {tmp_path}; run `chmod go-w {tmp_path}`; "
        "NUMBA_CACHE_DIR can name another folder"
    ]
    tmp_path.chmod(0o700)
    assert (kernel_cache.load("a"), kernel_cache.load("b")) == (b"code", None)


@has_modes
def test_a_file_that_others_can_write_to_is_replaced(folder: Path) -> None:
    kernel_cache.save("a", b"code")
    (folder / "a").chmod(0o666)
    assert kernel_cache.load("a") is None
    kernel_cache.save("a", b"code")
    assert kernel_cache.load("a") == b"code"


@pytest.mark.parametrize("error", [NotImplementedError, PermissionError, filelock.Timeout("a"), UserWarning("soft")])
def test_a_folder_that_can_not_be_locked_is_used_without_locks(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(self: filelock.FileLock) -> None:
        raise error

    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    with kernel_cache.claimed("a"):
        kernel_cache.save("a", b"code")
    assert kernel_cache.load("a") == b"code"


def test_an_error_while_a_file_is_made_is_raised_and_frees_it(folder: Path) -> None:
    with pytest.raises(OSError, match="mine"), kernel_cache.claimed("a"):
        raise OSError("mine")
    with kernel_cache.claimed("a"):
        pass
    assert not list(folder.iterdir())


def test_unused_files_are_removed(folder: Path) -> None:
    for days, name in enumerate(("today", "yesterday")):
        kernel_cache.save(name, b"code")
        os.utime(folder / name, (0, time.time() - 20 * DAY * (days + 1)))
    kernel_cache.prune(folder)
    assert [file.name for file in folder.iterdir()] == ["today"]


def test_files_used_least_recently_are_removed_when_there_are_too_many(folder: Path) -> None:
    for days in range(5):
        kernel_cache.save(str(days), bytes(100))
        os.utime(folder / str(days), (0, time.time() - days * DAY))
    kernel_cache.prune(folder, size_limit=300)
    assert sorted(file.name for file in folder.iterdir()) == ["0", "1"]


def test_loading_counts_as_use(folder: Path) -> None:
    kernel_cache.save("a", b"code")
    os.utime(folder / "a", (0, time.time() - 29 * DAY))
    kernel_cache.load("a")
    assert time.time() - (folder / "a").stat().st_mtime < DAY


MAKE = """
import sys, time
from pathlib import Path
from bosquet.kernels import cache as kernel_cache
with kernel_cache.claimed("a"):
    if kernel_cache.load("a") is None:
        with Path(sys.argv[1]).open("a") as log:
            log.write("made\\n")
        time.sleep(0.3)
        kernel_cache.save("a", b"code")
print(kernel_cache.load("a"))
"""


def test_one_process_makes_a_file_and_the_others_wait(folder: Path, tmp_path: Path) -> None:
    processes = [started(MAKE, tmp_path / "log") for _ in range(3)]
    assert [process.communicate(timeout=60)[0] for process in processes] == ["b'code'\n"] * 3
    assert (tmp_path / "log").read_text() == "made\n"


HOLD = """
import time
from bosquet.kernels import cache as kernel_cache
with kernel_cache.claimed("a"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_process_frees_what_it_held(folder: Path) -> None:
    with started(HOLD) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        begin = time.perf_counter()
        holder.send_signal(signal.SIGKILL)
        with kernel_cache.claimed("a"):
            assert time.perf_counter() - begin < 30


COMPILE = """
import numpy as np
from bosquet.kernels.jit import bind, kernel

@kernel
def entry_of(numbers, place):
    return numbers[place]

@kernel
def total(numbers, n):
    found = 0
    for place in range(n):
        found += entry_of(numbers, place)
    return found

print(bind(total)(np.arange(4), 4))
try:
    bind(total)(np.arange(4), 5)
except IndexError as error:
    print(error)
"""


@pytest.mark.skipif(not available(), reason="compiling is turned off (BOSQUET_JIT=0) or numba is absent")
def test_what_one_process_compiled_another_loads(folder: Path) -> None:
    said = started(COMPILE).communicate(timeout=120)[0]
    assert said.startswith("6\nindex is out of bounds")
    files = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert sorted(file.name.partition("-")[0] for file in files) == ["__main__.entry_of", "__main__.total"]
    assert started(COMPILE).communicate(timeout=120)[0] == said
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == files
    assert started(COMPILE.replace("found = 0", "found = 1")).communicate(timeout=120)[0].startswith("7\n")
    assert sorted(file.suffix for file in folder.iterdir()) == [".entry", ".entry", ".inner"]


PLANTED = """
import os, pickle, sys
from pathlib import Path
from bosquet.kernels import cache

class Planted:
    def __reduce__(self):
        return os.mkdir, (sys.argv[1],)

for file in cache.folder().iterdir():
    cache.save(file.name, pickle.dumps(Planted()))
"""


@has_modes
@pytest.mark.skipif(not available(), reason="compiling is turned off (BOSQUET_JIT=0) or numba is absent")
def test_what_another_user_has_planted_does_not_run(folder: Path, tmp_path: Path) -> None:
    said = started(COMPILE).communicate(timeout=120)[0]
    ran = tmp_path / "ran"
    started(PLANTED, ran).communicate(timeout=120)
    folder.chmod(0o775)
    assert started(COMPILE).communicate(timeout=120)[0] == said
    assert not ran.exists()
    folder.chmod(0o755)  # from here on they are the user's own
    assert started(COMPILE).communicate(timeout=120)[0] == said
    assert ran.exists()
    assert folder.stat().st_mode & 0o777 == 0o755
