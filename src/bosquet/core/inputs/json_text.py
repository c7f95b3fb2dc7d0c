"""JSON as people edit it: decoded strictly, with the place of what is wrong (`RecordError.at`)."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import msgspec

from bosquet.core.errors import RecordError, quoted

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s"{}\[\],:]+')
"""Matches what valid JSON consists of, without its commas and colons."""
WORD = re.compile(r"\w+")
EXACT = 2**53
"""Below it a page has every whole number."""
QUOTES = "“”„‟«»‘’‚‛'`"
"""What is typed, or made of it by a text processor, where JSON has `"`."""
ENCODINGS = {
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"{\0": "utf-16-le",
    b"\0{": "utf-16-be",
}
"""The encoding of JSON by its first two bytes, where it is not UTF-8."""


def decode(text: bytes, what: str = "a record") -> Any:
    """Return the value of JSON in UTF-8 or UTF-16, with or without a mark of its encoding.

    JSON has one kind of number: 1.0 is 1, as it is in a page. Raises RecordError, with the place, also for a key that
    is there twice in an object.
    """
    try:
        shown = text_of(text)
    except UnicodeDecodeError as error:
        name = error.encoding.upper()[:6].rstrip("-")
        before = len(text[: error.start].decode(error.encoding, "ignore"))
        raise RecordError(f"not {name} at byte {error.start + 1}; {what} is JSON in UTF-8", at=before) from None
    twice: list[str] = []
    try:
        msgspec.json.decode(shown)
        value = json.loads(shown, parse_float=_number, object_pairs_hook=lambda pairs: _checked(pairs, twice))
    except RecursionError:
        raise RecordError(f"not {what}: nested too deeply") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise _fault(shown, error, what) from None
    if twice:
        raise _repeated(shown)
    return value


def decode_file(text: bytes, what: str) -> Any:
    """Return the value of JSON like `decode`. Raises RecordError with line and column in its message."""
    try:
        return decode(text, what)
    except RecordError as error:
        if error.at is None:
            raise
        line, column = line_and_column(text_of(text, "replace"), error.at)
        raise RecordError(f"line {line}, column {column}: {error}") from None


def text_of(text: bytes, errors: str = "strict") -> str:
    """Return a text in UTF-8 or UTF-16 without the mark of its encoding. Raises UnicodeDecodeError."""
    return text.decode(ENCODINGS.get(text[:2], "utf-8-sig"), errors)


def _number(written: str) -> int | float:
    """Return a number that is written with a point or an exponent."""
    number = float(written)
    return int(number) if number.is_integer() and abs(number) < EXACT else number


def _checked(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    """Return an object; add its keys to `twice` if one of them is there more than once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice += [key for key, _ in pairs]
    return found


def _repeated(text: str) -> RecordError:
    """Return the error that names the first key that is there twice in its object."""
    seen: set[str] = set()
    for path, at in parts(text):
        if path in seen:
            return RecordError(f"has the key {quoted(path)} twice; it may be there once", at=at)
        seen.add(path)
    raise AssertionError("a key is there twice")


def _fault(text: str, error: Exception, what: str) -> RecordError:
    """Return the error that says where a text ceases to be JSON, and why if that can be seen."""
    try:
        json.loads(text)
    except json.JSONDecodeError as found:
        at = found.pos
        if text[at : at + 1] in ("}", "]") and (before := text[:at].rstrip()).endswith(","):
            at = len(before) - 1  # Python 3.13 and later point at the comma, too
        return RecordError(f"not JSON: {_explained(text, at, found.msg, what)}", at=at)
    except (ValueError, RecursionError):  # a number that is too long
        pass
    said = str(error).removeprefix("JSON is malformed: ").split(" - at ")[0].split(" (byte")[0]
    wrong = next((token for token in TOKEN.finditer(text) if not _is_scalar(token[0])), None)
    shown = f" in {quoted(wrong[0], 20)}" if wrong else ""
    return RecordError(f"not JSON: {said[0].lower()}{said[1:]}{shown}", at=wrong.start() if wrong else None)


def _is_scalar(token: str) -> bool:
    """Return whether a part of JSON is a bracket, or a text, number or name that is valid."""
    try:
        return token in "{}[]" or msgspec.json.decode(token) is not ...
    except (msgspec.DecodeError, ValueError):
        return False


def _explained(text: str, at: int, message: str, what: str) -> str:
    """Return what is wrong at a place of a text."""
    rest = text[at:]
    if not rest.strip():
        return f"the text ends before {what} does; something is cut off or not closed"
    if rest[0] == "," and rest[1:].lstrip()[:1] in ("}", "]"):
        return f"a comma before {rest[1:].lstrip()[0]}; take it away"
    if rest.startswith(("//", "/*", "#")):
        return "a comment, which JSON does not have; take it away"
    if message.startswith("Extra data"):
        if rest[0] == "{":
            return "another object begins here; a file of several records has one record a line"
        return f"{quoted(rest.split(None, 1)[0], 20)} follows {what}, which has ended"
    if rest[0] in QUOTES:
        return f'{quoted(rest[0])} is no quotation mark of JSON; text and keys stand between "'
    if message.startswith("Invalid control"):
        return "a line break or another sign in a text that may not be there"
    if rest[0] == '"' and message.startswith("Unterminated"):
        return "a text begins here and is not closed"
    if message.startswith("Invalid"):
        return f"{message[0].lower()}{message[1:]}"
    word = WORD.match(rest)
    return f"{message[0].lower()}{message[1:]}, not {quoted(word[0] if word else rest[0], 20)}"


def parts(text: str) -> Iterator[tuple[str, int]]:
    """Yield the path of each part of valid JSON, such as `deal.hands[0]`, and where it begins.

    A member of an object begins with its key.
    """
    path, entry, key, at = "", 0, "", -1
    outer: list[tuple[str, int]] = []
    for token in TOKEN.finditer(text):
        first = token[0][0]
        if first in "}]":
            path, entry = outer.pop()
        elif outer and entry < 0 and at < 0:
            key, at = json.loads(token[0]), token.start()
        else:
            named = f"{path}.{key}" if path else key
            here = "" if not outer else named if entry < 0 else f"{path}[{entry}]"
            if outer:
                yield here, token.start() if entry >= 0 else at
            entry, at = entry + (entry >= 0), -1
            if first in "{[":
                outer.append((path, entry))
                path, entry = here, -1 if first == "{" else 0


def place_of(text: str, path: str) -> int | None:
    """Return where the part of a path begins in valid JSON, or None. The path may lack its beginning."""
    return next((at for found, at in parts(text) if f".{found}".endswith(f".{path}")), None)


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Return the line and the column of a character, both counted from 1."""
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


class Lines(Protocol):
    """A file that is read line by line."""

    def readline(self, size: int, /) -> bytes:
        """Return the next line, or at most `size` bytes of it; nothing at the end."""


@contextmanager
def as_utf8(file: io.BufferedReader) -> Iterator[Lines]:
    """Yield a binary file as it is, or as UTF-8 if it begins as JSON in UTF-16 does."""
    encoding = ENCODINGS.get(file.peek(2)[:2])
    if encoding is None:
        yield file
        return
    text = io.TextIOWrapper(file, encoding, newline="\n")
    try:
        yield _Recoded(text)
    finally:
        text.detach()


class _Recoded:
    """The lines of a text, as UTF-8."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text

    def readline(self, size: int) -> bytes:
        """Return the next line, or its first `size` characters. Raises UnicodeDecodeError."""
        return self._text.readline(size).encode()
