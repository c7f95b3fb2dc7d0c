"""Files that somebody named to be written: what is there is replaced only where that is asked for."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from bosquet.core.errors import BosquetError

OWNER_ONLY = 0o600
USUAL = 0o666
"""What the umask of the user leaves of it."""


def check_free(path: Path, *, force: bool = False) -> None:
    """Raise BosquetError if a file can't be written because one is there, unless `force`, or because it is a folder.

    A device, a pipe and this process's own output may always be written to.
    """
    if os.path.isdir(path):
        raise BosquetError(f"{path}: is a folder; name a file")
    if not force and not _is_stream(path) and os.path.lexists(path):
        raise BosquetError(f"{path}: exists already; name another file, or add --force")


@contextlib.contextmanager
def whole_file(path: Path, *, force: bool = False, mode: int = USUAL) -> Iterator[BinaryIO]:
    """Give a file to write to, which is at `path` once it is complete, with this mode.

    With `force` it takes the place of a file there, or of a link, but not of what the link leads to. Raises
    BosquetError, and leaves what was there, if it can't be written.
    """
    check_free(path, force=force)
    with _told(path):
        if _is_stream(path):
            with _stream(path) as stream:
                yield stream
            return
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            with _created(draft, mode) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _put(draft, path, force)
        finally:
            draft.unlink(missing_ok=True)


@contextlib.contextmanager
def growing_file(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """Give a file to write to that keeps what was written, however that ends; `force` as in `whole_file`.

    Raises BosquetError if it can't be written.
    """
    check_free(path, force=force)
    with _told(path):
        if force and not _is_stream(path):
            path.unlink(missing_ok=True)
        with _stream(path) if _is_stream(path) else _created(path, USUAL) as file:
            yield file


def _is_stream(path: Path) -> bool:
    """Return whether what is written there replaces nothing: a device, a pipe, or our output, wherever that goes."""
    return _own(path) is not None or (os.path.exists(path) and not os.path.isfile(path))


def _own(path: Path) -> int | None:
    """Return the descriptor of this process's output that has this path, such as /dev/stdout."""
    for descriptor in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(path), os.fstat(descriptor)):
                return descriptor
    return None


def _stream(path: Path) -> BinaryIO:
    """Open a stream. Raises OSError."""
    descriptor = _own(path)
    if descriptor is None:
        return open(path, "wb")
    sys.stdout.flush()
    return os.fdopen(os.dup(descriptor), "wb")


def _created(path: Path, mode: int) -> BinaryIO:
    """Open a new file that has this mode from the beginning. Raises OSError."""
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))


def _put(draft: Path, path: Path, force: bool) -> None:
    """Give a complete file its name. Raises OSError, and BosquetError if one has come there since."""
    if not force:
        with contextlib.suppress(OSError):  # a file system without links, or a name that is taken
            os.link(draft, path)
            return
        check_free(path)
    os.replace(draft, path)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say of an error which file can't be written. Raises BosquetError."""
    try:
        yield
    except FileExistsError:
        check_free(path)
        raise BosquetError(f"{path}: another program writes it") from None
    except OSError as error:
        raise BosquetError(f"{path}: can't be written: {error.strerror or error}") from None
