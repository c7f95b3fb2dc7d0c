"""Records: the public file format of games (docs/records.md). Files are validated and read as a stream."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bosquet.core import ending
from bosquet.core.errors import BosquetError, IllegalMove, OptionError, RecordError, quoted
from bosquet.core.game import FORMAT, Game
from bosquet.core.inputs.json_text import Lines, as_utf8, decode, line_and_column, place_of, text_of
from bosquet.core.inputs.reading import expect_key, expect_object, expect_only
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.core.system.files import OWNER_ONLY, whole_file

KEYS = ("format", "game", "options", "deal", "moves", "result")
MAX_BYTES = 16 * 1024 * 1024
"""Maximum length of a record. A longer line is rejected without being held in memory."""
MAX_SKIPPED = 1024 * 1024 * 1024
"""Of a line that is too long, this much is skipped to find the next one."""
CHUNK = 64 * 1024
LINE_BYTES = 100
"""Memory that a line takes beyond its text."""
NAMED = re.compile(r"(?:options\.|result\.|deal\.)?[a-z_]*(?:[.]\w+|\[\d+\])*")
"""Matches the part of a record that an error begins with."""


def load(record: object, rules_of: Callable[[object], GameSpec]) -> Game:
    """Validate and replay a record. Raises RecordError, with the ply if the error is in a move."""
    game, moves = begin(record, rules_of)
    for ply, move in enumerate(moves):
        make(game, ply, move)
    finish(game, record)
    return game


def begin(record: object, rules_of: Callable[[object], GameSpec]) -> tuple[Game, list[Any]]:
    """Return the game of a record as it was dealt, and the moves to make. Raises RecordError."""
    data = expect_object(record, "the record")
    for key in KEYS:
        expect_key(data, key, "the record")
    if data["format"] != FORMAT:
        raise RecordError(f"format is {quoted(data['format'])}; this reads {quoted(FORMAT)}")
    game = _dealt(data, rules_of)
    moves = data["moves"]
    if not isinstance(moves, list):
        raise RecordError(f"moves is {quoted(moves)}; it must be a list of text")
    return game, moves


def make(game: Game, ply: int, move: Any) -> None:
    """Make one move of a record. Raises RecordError with its ply."""
    try:
        game.play(move)
    except IllegalMove as error:
        raise RecordError(str(error), ply) from None


def finish(game: Game, record: Any) -> None:
    """Check the result of a record after its moves, and end its game if it ended other than by its rules.

    Later chance events are drawn at random. Raises RecordError.
    """
    _check_result(game, record["result"])
    if (given := record.get(ending.KEY)) is not None:
        try:
            game.end(*ending.read_ending(given))
        except RecordError:
            raise
        except BosquetError as error:
            raise RecordError(f"{ending.KEY}: {error}") from None
        ending.check_written(given, game.record()[ending.KEY])
    game.rng = Rng()


def _dealt(data: Any, rules_of: Callable[[object], GameSpec]) -> Game:
    """Return the game of a record as it was dealt."""
    given = expect_object(data["options"], "options")
    deal = expect_object(data["deal"], "deal")
    try:
        spec = rules_of(data["game"])
    except OptionError as error:
        raise RecordError(str(error)) from None
    expect_key(given, "players", "options")
    expect_only(given, list(spec.options), "options")
    try:
        options = check_options(spec, given)
    except OptionError as error:
        raise RecordError(f"options.{error}") from None
    state = spec.new_state(options)
    spec.notation.read_deal(state, deal)
    extra = {key: value for key, value in data.items() if key not in (*KEYS, ending.KEY)}
    return Game(spec, options, state, deal=deal, extra=extra)


def _check_result(game: Game, given: Any) -> None:
    """Check that the result is correct, and null exactly while the game runs. Raises RecordError."""
    found = game.result
    if found is None:
        if given is not None:
            raise RecordError("the game is not over after the last move; result must be null")
        return
    right = msgspec.json.encode(found).decode()
    if given is None:
        raise RecordError(f"the game is over; result must be {right}")
    if not isinstance(given, dict):
        raise RecordError(f"result is {quoted(given)}; it must be {right}")
    for key, value in found.items():
        if key not in given:
            raise RecordError(f"result has no {quoted(key)}; it must be {value}")
        if not _same(given[key], value):
            shown = given[key] if _is_short(given[key]) else quoted(given[key])
            raise RecordError(f"result.{key} is {shown}; it must be {value}")


def _same(given: object, right: list[int]) -> bool:
    """Return whether a value is this list of integers; 1.0 and true do not count as integers."""
    return isinstance(given, list) and given == right and all(type(number) is int for number in given)


def _is_short(given: object) -> bool:
    """Return whether a list is short enough to be shown in a message."""
    return isinstance(given, list) and len(given) <= 8 and all(type(n) is int and abs(n) < 10**6 for n in given)


class Line(NamedTuple):
    """One record of a file: the number of its first line, and its text or the error in it."""

    number: int
    text: bytes | RecordError

    def decode(self) -> Any:
        """Return the JSON value. Raises RecordError."""
        if isinstance(self.text, RecordError):
            raise self.text
        value = decode(self.text)
        if isinstance(value, list):
            raise RecordError("a list; a file of several records has one record a line, without brackets and commas")
        return value

    def place(self, error: BosquetError) -> str:
        """Return the line of an error in this record, with the column if it is not JSON: `12` or `12:7`."""
        if isinstance(self.text, RecordError):
            return str(self.number)
        text = text_of(self.text, "replace")
        at, ply = (error.at, error.ply) if isinstance(error, RecordError) else (None, None)
        if at is not None:
            line, column = line_and_column(text, at)
            return f"{self.number + line - 1}:{column}"
        path = f"moves[{ply}]" if ply is not None else NAMED.match(str(error))[0]  # type: ignore[index]
        at = place_of(text, path) if path and "\n" in text else None
        return str(self.number if at is None else self.number + line_and_column(text, at)[0] - 1)


def read_lines(path: str | Path) -> Iterator[Line]:
    """Yield the records of a file of any size, or of a pipe. Raises BosquetError if it cannot be read.

    A file is either JSON Lines (blank lines are skipped) or a single record on one or more lines.
    """
    try:
        with open(path, "rb") as file, as_utf8(file) as text:
            lines = (Line(*line) for line in _lines(text))
            written = (line for line in lines if isinstance(line.text, RecordError) or line.text.strip())
            yield from _one_record(written)
            yield from written
    except OSError as error:
        raise BosquetError(f"{path}: can't be read: {error.strerror or error}") from None


def _one_record(lines: Iterator[Line]) -> Iterator[Line]:
    """Read the first lines if they may be those of a single record; yield that record, or else the lines.

    They are if the first line is no whole object and none of the others is a record. About `MAX_BYTES` and a line are
    in memory at most.
    """
    held: list[Line] = []
    size, in_list = 0, False
    for line in lines:
        held.append(line)
        if isinstance(line.text, RecordError) or (len(held) == 1 and _is_whole(line.text)):
            break
        if len(held) > 1 and not in_list and _is_record(line.text):
            break
        in_list = in_list or (len(held) == 1 and line.text.lstrip().startswith(b"["))
        size += len(line.text) + LINE_BYTES
        if size > MAX_BYTES:
            break
    else:
        if len(held) > 1:
            held = [_joined(held)]
    yield from held


def _joined(lines: list[Line]) -> Line:
    """Return one record that has been written on several lines. Lines that were blank are put back."""
    text, number = bytearray(), lines[0].number
    for line in lines:
        assert isinstance(line.text, bytes)
        text += b"\n" * (line.number - number) + line.text
        number = line.number
    return Line(lines[0].number, bytes(text))


def _is_whole(line: bytes) -> bool:
    """Return whether a line looks as if it were a JSON value of its own, or is one."""
    text = line.strip()
    return (text.startswith(b"{") and text.endswith(b"}")) or _decoded(text) is not None


def _is_record(line: bytes) -> bool:
    """Return whether a line is an object with a format."""
    value = _decoded(line) if line.lstrip().startswith(b"{") else None
    return isinstance(value, dict) and "format" in value


def _decoded(line: bytes) -> Any:
    """Return the value of JSON, or None."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def _lines(file: Lines) -> Iterator[tuple[int, bytes | RecordError]]:
    """Yield the numbered lines of a file, with an error in place of a line that is too long or not in its encoding.

    Only one line at a time is in memory.
    """
    number, first = 1, True
    while True:
        try:
            line = file.readline(MAX_BYTES + 1)
        except UnicodeDecodeError as error:
            yield number, RecordError(f"not UTF-16: {error.reason}; nothing after it is read")
            return
        if not line:
            return
        if first and line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
        first = False
        if len(line) > MAX_BYTES and not line.endswith(b"\n"):
            ended = _end_of_line(file)
            rest = "" if ended else "; it does not end, and nothing after it is read"
            yield number, RecordError(f"the line is longer than {MAX_BYTES // 2**20} MiB; a record is one line{rest}")
            if not ended:
                return
        else:
            yield number, line.rstrip(b"\r\n")
        number += 1


def _end_of_line(file: Lines) -> bool:
    """Read to the end of a line. Return whether it ends within `MAX_SKIPPED` bytes; `/dev/zero` never does."""
    for _ in range(MAX_SKIPPED // CHUNK):
        more = file.readline(CHUNK)
        if not more or more.endswith(b"\n"):
            return True
    return False


def dump(game: Game) -> bytes:
    """Return the record of a game as a line of JSON Lines, including the line end."""
    return msgspec.json.encode(game.record()) + b"\n"


def write_file(path: str | Path, games: Iterable[Game], *, force: bool = False) -> None:
    """Write the records of games as JSON Lines, for this user alone, since a game that runs has secrets.

    Raises BosquetError if the file cannot be written, or is there already and `force` is not given.
    """
    with whole_file(Path(path), force=force, mode=OWNER_ONLY) as file:
        for game in games:
            file.write(dump(game))
