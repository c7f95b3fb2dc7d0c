"""Compiled kernels on disk: one file each, named by a digest of everything it was made from.

A file never changes, so it can be read without a lock, and every process that makes it makes the same. A lock only
keeps processes from compiling the same code at once: one makes a file, and the others wait for it; the operating system
releases the lock of a process that is killed. Where the folder cannot be locked, each of them compiles and saves.

What is in a file is run, so files are read only from a folder that no other user can write to (`kernels.ownership`). In
any other, and where the folder cannot be written, code is compiled without the cache; the first refusal of a process
is logged. Nothing here raises OSError.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bosquet.kernels.ownership import NotOwnError, own_folder, read_own, write_own

if TYPE_CHECKING:
    from filelock import BaseFileLock

DAY = 24 * 3600.0
UNUSED_AFTER = 30 * DAY
"""Seconds after which a file is removed if nothing has loaded it."""
SIZE_LIMIT = 256 << 20
"""Maximum size of all files in bytes; beyond it the least recently used files are removed."""
WAIT_LIMIT = 600.0
"""Seconds to wait for another process before compiling the same code."""
CHECKSUM = 32

log: logging.Logger = logging.getLogger(__name__)


def folder() -> Path:
    """Return the folder of the cache: in `NUMBA_CACHE_DIR` if that is set, otherwise in the user's cache folder."""
    import platformdirs

    given = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(given) if given else platformdirs.user_cache_path("bosquet")) / "kernels"


def load(name: str) -> bytes | None:
    """Return the content of a file and mark it as used, or return None if there is no complete file of one's own."""
    with _no_cache_instead():
        file = own_folder(folder()) / name
        whole = read_own(file)
        checksum, content = whole[:CHECKSUM], whole[CHECKSUM:]
        if _checksum(name, content) == checksum:
            if time.time() - file.stat().st_mtime > DAY:
                with suppress(OSError):
                    os.utime(file)
            return content
    return None


def save(name: str, content: bytes) -> None:
    """Write a file atomically. The first call in a process removes old files."""
    with _no_cache_instead():
        path = own_folder(folder(), make=True)
        part = path / f"{name}.{uuid.uuid4().hex}.part"
        try:
            write_own(part, _checksum(name, content) + content)
            os.replace(part, path / name)
        finally:
            part.unlink(missing_ok=True)
        _prune_once(path)


@contextmanager
def claimed(name: str) -> Iterator[None]:
    """Hold the lock of a file while it is written. Callers must first check whether the file exists by now."""
    import filelock

    with ExitStack() as held:
        with _no_cache_instead():
            lock = filelock.FileLock(own_folder(folder(), make=True) / f"{name}.lock", timeout=WAIT_LIMIT)
            lock.acquire()
            held.callback(_free, lock)
        yield


def _free(lock: BaseFileLock) -> None:
    """Release a lock and remove its file: a process that waits for it finds the result, or writes it, too."""
    with _no_cache_instead():
        lock.release()
        os.unlink(lock.lock_file)


def _checksum(name: str, content: bytes) -> bytes:
    """Return the hash of a content under a name: one that got another file's name is refused, too."""
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


@contextmanager
def _no_cache_instead() -> Iterator[None]:
    """Go on where a file or folder cannot be read, written or locked; log why if it is refused, once a process."""
    try:
        yield
    except NotOwnError as refusal:
        if folder() not in _refused:
            _refused.add(folder())
            log.warning("kernels are compiled instead of loaded: %s; NUMBA_CACHE_DIR can name another folder", refusal)
    except (OSError, NotImplementedError, Warning):  # filelock raises NotImplementedError, or warns of other locks
        pass


_refused: set[Path] = set()
"""The folders whose refusal has been logged."""


def prune(path: Path, *, unused_after: float = UNUSED_AFTER, size_limit: int = SIZE_LIMIT) -> None:
    """Remove files not used for `unused_after` seconds, then the least recently used ones down to `size_limit` bytes.

    Removing is always safe: a process that has loaded a file no longer needs it, and one that finds none compiles.
    """
    now, room = time.time(), size_limit
    with suppress(OSError):
        with os.scandir(path) as entries:
            found = [(entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in entries]
        for used, size, file in sorted(found, reverse=True):
            room -= size
            if room < 0 or now - used > unused_after:
                with suppress(OSError):
                    os.unlink(file)


_prune_once = functools.cache(prune)
