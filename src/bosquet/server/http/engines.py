"""The engines of games, at addresses that have a hash of their content: a page may keep what it fetched for ever.

A package of somebody else's brings its engine as ours do (`bosquet.engine`).
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from typing import NamedTuple

from bosquet.core import installed
from bosquet.engine.build import engine_file

FOLDER = "/engines"
MEDIA_TYPE = "application/wasm"
"""Without it browsers do not compile a module while it comes in."""


class Engine(NamedTuple):
    """The engine of a game as it is sent."""

    address: str
    content: bytes
    compressed: bytes
    """By gzip."""


@functools.cache
def engine_of(game: str) -> Engine | None:
    """Return the engine of a game, None if it has none. It is read once."""
    file = engine_file(installed.spec(game))
    if not file.is_file():
        return None
    content = file.read_bytes()
    address = f"{FOLDER}/{game}-{hashlib.sha256(content).hexdigest()[:16]}.wasm"
    return Engine(address, content, gzip.compress(content, 9, mtime=0))


def engine_at(address: str) -> Engine | None:
    """Return the engine at an address, None where there is none."""
    game = address.removeprefix(f"{FOLDER}/").rpartition("-")[0]
    found = engine_of(game) if game in installed.names() else None
    return found if found is not None and found.address == address else None
