"""Stores computed lines in a file, so that the same call continues after a stop."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

from bosquet.lab.pools import in_order, pool

PIECE = 4
"""Lines that a process makes before they are written."""


def kept(path: Path, make: Callable[[int], bytes], count: int, workers: int) -> Iterator[bytes]:
    """Yield lines 0, 1, … of a file; make and store those that are missing.

    `make` returns the line with a number and runs in other processes. If `count` is 0, yield the stored lines only.
    """
    there = _whole_lines(path)
    yield from there[: count or None]
    if len(there) >= count:
        return
    pieces = [range(start, min(start + PIECE, count)) for start in range(len(there), count, PIECE)]
    with path.open("ab") as file, pool(workers) as given:
        for lines in in_order(given, functools.partial(_made, make), pieces):
            for line in lines:
                file.write(line + b"\n")
                yield line
            file.flush()


def _made(make: Callable[[int], bytes], numbers: range) -> list[bytes]:
    return [make(number) for number in numbers]


def _whole_lines(path: Path) -> list[bytes]:
    """Return the complete lines of a file; remove an incomplete last one."""
    if not path.exists():
        return []
    whole, _, rest = path.read_bytes().rpartition(b"\n")
    if rest:
        path.write_bytes(whole + b"\n" if whole else b"")
    return whole.splitlines()
