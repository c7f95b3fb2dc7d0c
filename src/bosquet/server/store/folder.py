"""The data folder: one server at a time holds it, and writes into it where its page is."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from bosquet.core.errors import BosquetError
from bosquet.server.base.durable import unwritable

LOCKED = 1 << 20
"""Windows locks bytes, and those can't be read then: this one, far beyond the address."""


class Held(BosquetError):  # noqa: N818  (nothing is wrong: the tables are served)
    """Another server holds the folder; its page is at `address`, empty as long as it has not said so."""

    def __init__(self, data: Path, address: str) -> None:
        self.address = address
        self.at: str = f" at {address}" if address else ""
        where = f"plays already at {address}" if address else "is just being started elsewhere"
        super().__init__(f"{where} with the tables in {data}; for another one beside it name another --data")


@contextlib.contextmanager
def hold(data: Path) -> Iterator[Callable[[str], None]]:
    """Hold a data folder, made if it is missing; gives the function that leaves word of the server's address.

    However the process ends, the folder is free after it. Raises Held, or BosquetError where it can't be written.
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
        file = open(data / "lock", "a+b", buffering=0)  # noqa: SIM115  (closed below)
    except OSError as error:
        raise unwritable(data, error) from None
    with file:
        if not _lock(file):
            file.seek(0)
            raise Held(data, file.read(200).decode(errors="replace").strip())
        file.truncate(0)

        def leave_word(address: str) -> None:
            try:
                file.write(address.encode())
            except OSError as error:
                raise unwritable(data / "lock", error) from None

        yield leave_word


def _lock(file: IO[bytes]) -> bool:
    """Whether the file is now locked by this process, and was by none before."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(LOCKED)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
