"""Writes files of puzzles: makes them, goes on with a file that was begun, and grades those of a file again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from bosquet.core.errors import BosquetError
from bosquet.core.system.files import check_free
from bosquet.lab.lock import lock
from bosquet.lab.puzzles.files import VERSION, Header, read_lines
from bosquet.lab.puzzles.grades import graded
from bosquet.lab.puzzles.making import Found, make
from bosquet.lab.puzzles.puzzle import GRADES, Grade, Puzzle


def write(
    path: Path,
    games: list[str],
    count: int,
    seed: int,
    stopping: Callable[[], bool] = lambda: False,
    *,
    force: bool = False,
) -> Iterator[tuple[str, Found]]:
    """Write `count` puzzles of each grade and game as JSON Lines, and yield what was looked at.

    A file that was begun is completed; with `force`, one that holds anything else is replaced.

    Raises BosquetError if the file can't be written, holds anything else, or another run writes it.
    """
    header = Header(format=VERSION, games=games, seed=seed)
    there: list[Puzzle] = []
    if not path.is_file():
        check_free(path, force=force)
    try:
        with open(path, "a+b") as file:
            lock(file, path, "file")
            file.seek(0)
            if before := file.read():
                whole = before.split(b"\n")[:-1]  # what a killed run left of a line is made again
                try:
                    there = _begun(path, whole, header)
                except BosquetError:
                    if not force:
                        raise
                    whole = []
                file.truncate(sum(len(line) + 1 for line in whole))
            if not there:
                file.truncate(0)
                file.write(msgspec.json.encode(header) + b"\n")
            file.flush()
            for game in games:
                mine = [one for one in there if one.game == game]
                kept = Counter(one.grade for one in mine)

                def wanted(kept: Counter[Grade] = kept) -> list[Grade]:
                    return [grade for grade in GRADES if kept[grade] < count]

                if not wanted():
                    continue
                for looked in make(game, seed, max((one.source[1] for one in mine), default=-1) + 1, wanted):
                    if looked.puzzle is not None:
                        kept[looked.puzzle.grade] += 1
                        file.write(msgspec.json.encode(looked.puzzle) + b"\n")
                        file.flush()
                    yield game, looked
                    if not wanted():
                        break
                    if stopping():
                        return
    except OSError as error:
        raise BosquetError(f"{path}: can't be written: {error.strerror or error}") from None


def _begun(path: Path, lines: list[bytes], header: Header) -> list[Puzzle]:
    """Return the puzzles of a file that a run with this header has begun. Raises BosquetError for any other file."""
    try:
        found, there = read_lines(path, lines)
    except BosquetError as error:
        raise BosquetError(f"{error}; name another file, or add --force") from None
    if found != header:
        raise BosquetError(
            f"{path}: made with other games or another seed; give the same ones, name another file, or add --force"
        )
    return there


def regrade(path: Path) -> Iterator[Puzzle | None]:
    """Grade the puzzles of a file again, for use after the levels have changed, and leave out trivial ones.

    Yields each puzzle, or None if it is left out. The file is written when all are graded. Raises BosquetError.
    """
    try:
        lines = path.read_bytes().splitlines()
        _, found = read_lines(path, lines)
        kept = []
        for puzzle in found:
            again = graded(puzzle)
            if again is not None:
                kept.append(msgspec.json.encode(again))
            yield again
        path.write_bytes(b"".join(line + b"\n" for line in [lines[0], *kept]))
    except OSError as error:
        raise BosquetError(f"{path}: can't be written: {error.strerror or error}") from None
