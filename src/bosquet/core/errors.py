"""Errors that name the place and the remedy."""

from __future__ import annotations


class BosquetError(ValueError):
    """Something given to bosquet is wrong; the message says what, where and what would be right."""


class OptionError(BosquetError):
    """No such game, option or value."""


class IllegalMove(BosquetError):  # noqa: N818  (the field's word, as in python-chess)
    """The move is not written as a move, or may not be made now."""


class RecordError(BosquetError):
    """A record, or a file of them, is not right. `ply` is the index into `moves` where that is meant."""

    def __init__(self, message: str, ply: int | None = None) -> None:
        super().__init__(message if ply is None else f"ply {ply}: {message}")
        self.ply = ply


def quoted(value: object, limit: int = 60) -> str:
    """Foreign material for a message: on one line, printable, never long."""
    if isinstance(value, str):
        head = value[: limit + 1]
    elif isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    elif isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    elif isinstance(value, int):
        # A number of a thousand digits may not even be turned into text.
        return str(value) if abs(value) < 10**18 else f"a number of {value.bit_length()} bits"
    else:
        return repr(value)[:limit]
    cut = head if len(head) <= limit else head[: limit - 1] + "…"
    return '"' + "".join(c if c.isprintable() else repr(c)[1:-1] for c in cut) + '"'


def listed(items: list[str], limit: int = 12) -> str:
    """Some items for a message: `a1E, a2E, a3E … (37 more)`."""
    shown = ", ".join(items[:limit])
    rest = len(items) - limit
    return f"{shown} … ({rest} more)" if rest > 0 else shown
