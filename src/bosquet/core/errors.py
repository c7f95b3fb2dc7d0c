"""Exceptions, and helpers to write their messages. A message says where the error is and what would be valid."""

from __future__ import annotations

TYPE_CHECKING = False  # `import bosquet` is done before Ctrl-C is quiet, and takes as little time as it can
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


INTERRUPTED = 130
"""The exit code after Ctrl-C."""


class BosquetError(ValueError):
    """Base class: invalid input. The message says what is wrong, where, and what would be valid."""


class OptionError(BosquetError):
    """Unknown game, option or bot, or an invalid value."""


class NoSuchName(OptionError, KeyError):  # noqa: N818  (it is a KeyError)
    """A name that there is not, where names are the keys of a dict. The message says which there are."""

    def __str__(self) -> str:
        """Return the message; that of KeyError is quoted."""
        return Exception.__str__(self)


class Reason(str):
    """Why a move is illegal: a sentence in English, and what a page needs to say the same in another language."""

    key: str
    """Which sentence it is, in a word of the game."""
    about: dict[str, str]
    """What the sentence names: cells, pawns, cards."""

    def __new__(cls, key: str, sentence: str, **about: str) -> Reason:
        """Make the sentence of a pattern with names in braces."""
        made = super().__new__(cls, sentence.format(**about))
        made.key, made.about = key, about
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it with what it was made of: an error may come from another process."""
        return _remade, (str(self), self.key, self.about)


def _remade(sentence: str, key: str, about: dict[str, str]) -> Reason:
    made = str.__new__(Reason, sentence)
    made.key, made.about = key, about
    return made


class IllegalMove(BosquetError):  # noqa: N818  (the field's word, as in python-chess)
    """Text that is not a move, or a move that is not legal now. The message also lists the legal moves.

    `reason` says only why; it is a `Reason` where the game says it in one.
    """

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason: str = message if reason is None else reason


class RecordError(BosquetError):
    """An invalid record. `ply` is the index into `moves`, or None if the error is not in a move.

    `at` is the character where a text ceases to be JSON, counted from 0, or None if it is JSON.
    """

    def __init__(self, message: str, ply: int | None = None, at: int | None = None) -> None:
        super().__init__(message if ply is None else f"ply {ply}: {message}")
        self.ply = ply
        self.at = at


class PositionError(BosquetError):
    """A text or bytes that are no position, or one that cannot be. The message says where that is."""


def quoted(value: object, limit: int = 60) -> str:
    """Return untrusted input for use in a message: one printable line of limited length."""
    if isinstance(value, str):
        head = value[: limit + 1]
    elif isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    elif isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    elif isinstance(value, int):
        # Python refuses to convert very large integers to text.
        return str(value) if abs(value) < 10**18 else f"a number of {value.bit_length()} bits"
    else:
        return repr(value)[:limit]
    cut = head if len(head) <= limit else head[: limit - 1] + "…"
    return '"' + "".join(c if c.isprintable() else repr(c)[1:-1] for c in cut) + '"'


def did_you_mean(value: object, names: Iterable[str | int], near: float = 0.6) -> str:
    """Return a question for the end of a message about an unknown name, `; did you mean "greedy"?`, or nothing.

    A number or a truth value is shown as Python writes it. `near` is how alike a name must be, from 0 to 1.
    """
    import difflib

    known = {str(name).casefold(): name for name in names}
    found = (
        difflib.get_close_matches(value.casefold(), known, 1, near)
        if isinstance(value, str) and len(value) < 60
        else []
    )
    if not found:
        return ""
    name = known[found[0]]
    return f"; did you mean {quoted(name) if isinstance(name, str) else name}?"


def listed(items: list[str], limit: int = 12) -> str:
    """Return the first items for use in a message: `a1E, a2E, a3E … (37 more)`."""
    shown = ", ".join(items[:limit])
    rest = len(items) - limit
    return f"{shown} … ({rest} more)" if rest > 0 else shown
