"""Writes files so that they are complete or not there: beside their place, flushed to disk, then renamed."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bosquet.core.errors import BosquetError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give an empty temporary file that takes the place of `path` at the end, unless an error is raised.

    Only this user may read it. Raises OSError.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(descriptor)
    written = Path(name)
    try:
        yield written
        flush(written)
        os.replace(written, path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    flush(path.parent)


def flush(path: Path) -> None:
    """Flush a file, or the names in a folder, to disk. Raises OSError."""
    if path.is_dir() and sys.platform == "win32":
        return  # folders can't be opened there
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unwritable(path: Path, error: OSError) -> BosquetError:
    """Return the error that says why a file or folder of the data can't be read or written, and what to do."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    remedy = "make room there, or name another --data" if full else "name another --data"
    return BosquetError(f"{error.filename or path}: can't be written: {error.strerror}; {remedy}")
