"""Puzzles as files: a header, then a puzzle on each line. The stock of a game is such a file in its package."""

from __future__ import annotations

import functools
from importlib.resources import files
from pathlib import Path

import msgspec

from bosquet.core.errors import BosquetError, RecordError
from bosquet.core.installed import spec
from bosquet.lab.puzzles.puzzle import Puzzle

VERSION = "bosquet-puzzles/1"
STOCK = "puzzles.jsonl"
"""The file in a game's package."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a file of puzzles: how they were made."""

    format: str
    games: list[str]
    seed: int


PUZZLE = msgspec.json.Decoder(Puzzle)
HEADER = msgspec.json.Decoder(Header)


def stock_file(game: str) -> Path | None:
    """Return the file of the puzzles that come with a game, None where it has none."""
    file = Path(str(files(spec(game).package) / STOCK))
    return file if file.is_file() else None


@functools.cache
def stock(game: str) -> list[Puzzle]:
    """Return the puzzles that come with a game; none where it has no file of them. Raises BosquetError."""
    file = stock_file(game)
    return [] if file is None else read(file)


def read(path: Path) -> list[Puzzle]:
    """Return the puzzles of a file. Raises BosquetError."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BosquetError(f"{path}: can't be read: {error.strerror or error}") from None
    return read_lines(path, lines)[1]


def read_lines(path: Path, lines: list[bytes]) -> tuple[Header, list[Puzzle]]:
    """Return the header and the puzzles of the lines of a file. Raises BosquetError."""
    if not lines:
        raise BosquetError(f"{path}: empty; `bosquet puzzles` makes such a file")
    try:
        header = HEADER.decode(lines[0])
    except (msgspec.MsgspecError, ValueError) as error:
        raise BosquetError(f"{path}: no file of puzzles: {error}") from None
    if header.format != VERSION:
        raise BosquetError(f"{path}: format is {header.format[:40]!r}; this reads {VERSION!r}")
    puzzles = []
    for number, line in enumerate(lines[1:], 2):
        try:
            puzzles.append(PUZZLE.decode(line))
        except (msgspec.MsgspecError, ValueError) as error:
            raise RecordError(f"{path}, line {number}: no puzzle: {error}") from None
    return header, puzzles
