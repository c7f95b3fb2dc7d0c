"""A lock of a run's files: two runs that write to the same place at once are kept apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from bosquet.core.errors import BosquetError


def lock(file: IO[Any], place: Path, kind: str) -> None:
    """Lock a file until it is closed or the process ends, so that no other run writes to `place`.

    `kind` says what the place is, `folder` or `file`. Raises BosquetError if another run has locked it; the file is
    closed then.
    """
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise BosquetError(f"{place}: another run uses this {kind}; wait for it, or name another {kind}") from None


@contextmanager
def locked_folder(folder: Path, place: Path, kind: str) -> Iterator[None]:
    """Hold the lock of a folder, made if it is missing; `place` and `kind` as in `lock`. Raises BosquetError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(folder / "lock", "ab")  # noqa: SIM115  (closed below)
    except OSError as error:
        raise BosquetError(f"{folder}: can't be written: {error.strerror}") from None
    with file:
        lock(file, place, kind)
        yield
