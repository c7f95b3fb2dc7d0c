"""The key of a data folder, which signs the cookies of guests."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

from bosquet.core.errors import BosquetError
from bosquet.server.base.durable import replacing, unwritable

KEY_FILE = "key"
KEY_BYTES = 32


def read_key(file: Path, *, may_make: bool = True) -> bytes:
    """Return the key that is in a file, made when first asked for where that may be.

    Raises BosquetError if it can't be read, or if somebody else may read it.
    """
    try:
        if not may_make and not file.exists():
            raise BosquetError(f"{file}: there is no such file; copy the file `{KEY_FILE}` of a data folder there")
        if not file.exists():
            write_key(file, secrets.token_bytes(KEY_BYTES))
        mode, key = file.stat().st_mode, file.read_bytes()
    except OSError as error:
        raise unwritable(file, error) from None
    if len(key) != KEY_BYTES:
        raise BosquetError(
            f"{file}: is no key: it has {len(key)} bytes instead of {KEY_BYTES}; restore a backup, "
            "or delete it, and all guests lose their seats"
        )
    if sys.platform != "win32" and mode & 0o077:
        raise BosquetError(
            f"{file}: other users can read it, and could take any seat; run `chmod 600 {file}`, "
            "or delete it if somebody may have read it, and all guests lose their seats"
        )
    return key


def write_key(file: Path, key: bytes) -> None:
    """Write a key; its file is complete or not there. Raises OSError."""
    with replacing(file) as written:
        written.write_bytes(key)
