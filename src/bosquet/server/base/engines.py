"""The engines of games, the weights of their learned values and their puzzles, at addresses with a hash of the content.

A page may keep for ever what it fetched. A game of another package brings them in the same way (`bosquet.engine`).
"""

from __future__ import annotations

import functools
import gzip
import hashlib
from typing import NamedTuple

from bosquet.core import installed
from bosquet.engine import weights
from bosquet.engine.build import engine_file
from bosquet.lab.puzzles.files import read_lines, stock_file
from bosquet.lab.puzzles.puzzle import GRADES, Grade

FOLDER = "/engines"
ENGINE, WEIGHTS, PUZZLES = "wasm", "weights", "jsonl"
HASH_DIGITS = 16
PART = 31
"""So many puzzles of a grade, of as many days, are in a file."""
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
        """The part of it that the address has of an engine and of weights."""
        return self.sha256[:HASH_DIGITS]


class Weights(NamedTuple):
    """Weights of learned values (`engine.weights`)."""

    use: weights.Use
    key: int
    sent: Sent


class Puzzles(NamedTuple):
    """The puzzles of a game, in parts of a month, so that a page fetches those of the days that it shows."""

    address: str
    """The beginning of the addresses of all parts. The grade, and the number of the part in that grade, follow."""
    counts: dict[Grade, int]
    """How many there are of each grade."""
    parts: list[Sent]


@functools.cache
def engine_of(game: str) -> Sent | None:
    """Return the engine of a game, None if it has none. It is read once."""
    file = engine_file(installed.spec(game))
    if not file.is_file():
        return None
    content = file.read_bytes()
    return _sent(_with_hash(game, content), ENGINE, content)


@functools.cache
def weights_of(game: str) -> tuple[Weights, ...]:
    """Return the weights that the engine of a game takes. They are read once."""
    if engine_of(game) is None:
        return ()
    found = weights.stored(installed.spec(game))
    return tuple(
        Weights(use, key, _sent(_with_hash(f"{game}.{use}.{key}", content), WEIGHTS, content))
        for use, key, content in found
    )


@functools.cache
def puzzles_of(game: str) -> Puzzles | None:
    """Return the puzzles of a game that has an engine to play them, None if there are none. They are read once."""
    file = stock_file(game)
    if file is None or engine_of(game) is None:
        return None
    header, *lines = file.read_bytes().splitlines(keepends=True)
    grades = [puzzle.grade for puzzle in read_lines(file, [header, *lines])[1]]
    dealt = {grade: [line for line, other in zip(lines, grades, strict=True) if other == grade] for grade in GRADES}
    parts = {
        f"{grade}.{first // PART}": b"".join([header, *some[first : first + PART]])
        for grade, some in dealt.items()
        for first in range(0, len(some), PART)
    }
    name = _with_hash(f"{game}.puzzles", b"".join(parts.values()))
    counts = {grade: len(some) for grade, some in dealt.items()}
    return Puzzles(f"{FOLDER}/{name}", counts, [_sent(f"{name}.{part}", PUZZLES, parts[part]) for part in parts])


def sent_at(address: str) -> Sent | None:
    """Return what is at an address, None where there is nothing."""
    game = address.removeprefix(f"{FOLDER}/").rpartition("-")[0].partition(".")[0]
    if game not in installed.names():
        return None
    return next((file for file in files_of(game) if file.address == address), None)


def files_of(game: str) -> list[Sent]:
    """Return all that the page fetches for a game: its engine, what that takes, and puzzles."""
    engine, puzzles = engine_of(game), puzzles_of(game)
    found = [engine] if engine else []
    return [*found, *(weights.sent for weights in weights_of(game)), *(puzzles.parts if puzzles else [])]


def _with_hash(name: str, content: bytes) -> str:
    return f"{name}-{hashlib.sha256(content).hexdigest()[:HASH_DIGITS]}"


def _sent(name: str, ending: str, content: bytes) -> Sent:
    compressed, sha256 = gzip.compress(content, 9, mtime=0), hashlib.sha256(content).hexdigest()
    return Sent(f"{FOLDER}/{name}.{ending}", MEDIA_TYPES[ending], content, compressed, sha256)
