"""Compiled kernels on disk: one file each, named by a digest of everything it was made from.

A file never changes, so it can be read without a lock. A process takes a lock only to write a file; other processes
that need the same file wait for it. The operating system releases the lock of a process that is killed. Nothing here
raises OSError: if the folder cannot be written or locked, code is compiled without the cache.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

DAY = 24 * 3600.0
UNUSED_AFTER = 30 * DAY
"""Seconds after which a file is removed if nothing has loaded it."""
SIZE_LIMIT = 256 << 20
"""Maximum size of all files in bytes; beyond it the least recently used files are removed."""
WAIT_LIMIT = 600.0
"""Seconds to wait for another process before compiling the same code."""
CHECKSUM = 32


def folder() -> Path:
    """Return the folder of the cache: in `NUMBA_CACHE_DIR` if that is set, otherwise in the user's cache folder."""
    import platformdirs

    given = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(given) if given else platformdirs.user_cache_path("bosquet")) / "kernels"


def load(name: str) -> bytes | None:
    """Return the content of a file and mark it as used, or return None if there is no complete file."""
    path = folder() / name
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(content[CHECKSUM:]).digest() != content[:CHECKSUM]:
        return None
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)
    return content[CHECKSUM:]


def save(name: str, content: bytes) -> None:
    """Write a file atomically. The first call in a process removes old files."""
    path = folder() / name
    part = path.with_name(f"{name}.{uuid.uuid4().hex}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(hashlib.sha256(content).digest() + content)
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        return
    _prune_once(path.parent)


@contextmanager
def claimed(name: str) -> Iterator[None]:
    """Hold the lock of a file while it is written. Callers must first check whether the file exists by now."""
    import filelock

    lock = filelock.FileLock(folder() / f"{name}.lock", timeout=WAIT_LIMIT)
    try:
        folder().mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except (OSError, NotImplementedError):  # a timeout is an OSError, too
        yield
        return
    try:
        yield
    finally:
        lock.release()
        with suppress(OSError):  # a process that waits for the removed file finds the result, or writes it, too
            os.unlink(lock.lock_file)


@functools.cache
def _prune_once(path: Path) -> None:
    prune(path)
    if not os.environ.get("NUMBA_CACHE_DIR"):
        for old in path.parent.glob("jit-*"):  # caches of earlier versions, 20 MB each
            shutil.rmtree(old, ignore_errors=True)


def prune(path: Path, *, unused_after: float = UNUSED_AFTER, size_limit: int = SIZE_LIMIT) -> None:
    """Remove files not used for `unused_after` seconds, then the least recently used ones down to `size_limit` bytes.

    Removing is always safe: a process that has loaded a file no longer needs it, and one that finds none compiles.
    """
    now, room = time.time(), size_limit
    with suppress(OSError):
        found = [(entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(path)]
        for used, size, file in sorted(found, reverse=True):
            room -= size
            if room < 0 or now - used > unused_after:
                with suppress(OSError):
                    os.unlink(file)
