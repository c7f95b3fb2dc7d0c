"""The engines of games, the weights of their learned values and their puzzles, at addresses with a hash of the content.

A page may keep for ever what it fetched. A package of somebody else's brings them as ours do (`bosquet.engine`).
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from typing import NamedTuple

from bosquet.core import installed
from bosquet.engine import weights
from bosquet.engine.build import engine_file
from bosquet.lab.puzzles.files import stock_file

FOLDER = "/engines"
ENGINE, WEIGHTS, PUZZLES = "wasm", "weights", "jsonl"
HASH_DIGITS = 16
MEDIA_TYPES = {ENGINE: "application/wasm", WEIGHTS: "application/octet-stream", PUZZLES: "application/jsonl"}
"""By the ending of the address. Browsers compile a module while it comes in only if it has its own type."""


class Sent(NamedTuple):
    """A file as it is sent."""

    address: str
    media_type: str
    content: bytes
    compressed: bytes
    """By gzip."""
    sha256: str
    """Of the content, in hexadecimal digits."""

    @property
    def hash(self) -> str:
        """The part of it that the address has."""
        return self.sha256[:HASH_DIGITS]


class Weights(NamedTuple):
    """Weights of learned values (`engine.weights`)."""

    use: weights.Use
    key: int
    sent: Sent


@functools.cache
def engine_of(game: str) -> Sent | None:
    """Return the engine of a game, None if it has none. It is read once."""
    file = engine_file(installed.spec(game))
    return _sent(game, ENGINE, file.read_bytes()) if file.is_file() else None


@functools.cache
def weights_of(game: str) -> tuple[Weights, ...]:
    """Return the weights that the engine of a game takes. They are read once."""
    if engine_of(game) is None:
        return ()
    found = weights.stored(installed.spec(game))
    return tuple(Weights(use, key, _sent(f"{game}.{use}.{key}", WEIGHTS, content)) for use, key, content in found)


@functools.cache
def puzzles_of(game: str) -> Sent | None:
    """Return the puzzles of a game that has an engine to play them, None if there are none. They are read once."""
    file = stock_file(game)
    return None if file is None or engine_of(game) is None else _sent(f"{game}.puzzles", PUZZLES, file.read_bytes())


def sent_at(address: str) -> Sent | None:
    """Return what is at an address, None where there is nothing."""
    game = address.removeprefix(f"{FOLDER}/").rpartition("-")[0].partition(".")[0]
    if game not in installed.names():
        return None
    return next((file for file in files_of(game) if file.address == address), None)


def files_of(game: str) -> list[Sent]:
    """Return all that the page fetches for a game: its engine, what that takes, and puzzles."""
    found = [engine_of(game), *(weights.sent for weights in weights_of(game)), puzzles_of(game)]
    return [sent for sent in found if sent is not None]


def _sent(name: str, ending: str, content: bytes) -> Sent:
    digest = hashlib.sha256(content).hexdigest()
    address = f"{FOLDER}/{name}-{digest[:HASH_DIGITS]}.{ending}"
    return Sent(address, MEDIA_TYPES[ending], content, gzip.compress(content, 9, mtime=0), digest)
