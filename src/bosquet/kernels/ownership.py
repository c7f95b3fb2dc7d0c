"""Files that no other user can have written, for the cache of compiled kernels: what is read from them is run.

A folder counts as one's own if it and each folder and link on the way to it belongs to this user or to root, and if no
other user may write to it. Folders on the way may be open to others if only owners may rename what is in them, as in
`/tmp`. The way is followed from the root, so what has been checked cannot be replaced by others while it goes on.
Windows has no such modes; there every folder counts.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

MOST_LINKS = 40
"""Links that are followed on the way to a folder, as by Linux."""


class NotOwnError(OSError):
    """A file or folder that another user may have written. Its text names it, says why, and what to do."""


def own_folder(path: Path, *, make: bool = False) -> Path:
    """Return the folder without links on the way, made if `make`. Raises OSError: NotOwnError if it is refused."""
    if sys.platform == "win32":
        if make:
            path.mkdir(parents=True, exist_ok=True)
        return path
    first, *rest = path.absolute().parts
    at, ahead, links = Path(first), rest[::-1], 0
    _check(at, at.lstat())
    while ahead:
        here = at / ahead.pop()
        if here.name == "..":
            at = at.parent
            continue
        status = _status(here, make=make)
        _check(here, status)
        if not stat.S_ISLNK(status.st_mode):
            at = here
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        target = here.readlink()
        at = Path(target.anchor) if target.is_absolute() else at
        ahead += [part for part in target.parts if part != target.anchor][::-1]
    _check(at, at.lstat(), sticky=False)
    return at


def read_own(file: Path) -> bytes:
    """Return the content of a file in such a folder. Raises OSError: NotOwnError if it is refused."""
    with open(file, "rb", opener=_opener(getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))) as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise NotOwnError(f"{file} is not a file; remove it")
        if sys.platform != "win32":
            _check(file, status)
        return opened.read()


def write_own(file: Path, content: bytes) -> None:
    """Write a new file that others may read at most. Raises OSError."""
    with open(file, "xb", opener=_opener(getattr(os, "O_NOFOLLOW", 0))) as opened:
        opened.write(content)


def _opener(flags: int) -> Callable[[str, int], int]:
    return lambda path, given: os.open(path, given | flags, 0o644)


def _status(path: Path, *, make: bool) -> os.stat_result:
    """Return the status of a folder or link, made if it is missing and `make`."""
    try:
        return path.lstat()
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):  # made by another process meanwhile; `_check` finds out whose it is
        path.mkdir(0o755)
    return path.lstat()


if sys.platform != "win32":

    def _check(path: Path, status: os.stat_result, *, sticky: bool = True) -> None:
        """Raise NotOwnError if another user owns a file, a folder or a link, or may write to it; see the module."""
        if status.st_uid not in (0, os.geteuid()):
            raise NotOwnError(f"{path} belongs to another user")
        if stat.S_ISLNK(status.st_mode) or not status.st_mode & 0o022:
            return
        if not (sticky and stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX):
            raise NotOwnError(f"other users can write to {path}; run `chmod go-w {path}`")
