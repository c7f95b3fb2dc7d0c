"""Refusals: errors with a code and a reason, which become answers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from bosquet.core.errors import Reason
from bosquet.server.base.messages import Code, Why


class Refusal(Exception):  # noqa: N818  (the word of the page)
    """What was asked can't be done; nothing has changed."""

    def __init__(self, code: Code, message: str, reason: str | None = None, wait: float | None = None) -> None:
        """Say it with a code; `reason` is why a move is illegal, `wait` after how many seconds to ask again."""
        super().__init__(message)
        self.code: Code = code
        self.why: Why | None = Why(reason.key, reason.about) if isinstance(reason, Reason) else None
        self.wait = wait


class Unreadable(Refusal):
    """The stored table cannot be replayed. `error` names the kind of error; its text may tell somebody's hand."""

    def __init__(self, error: str) -> None:
        super().__init__("unreadable", "what is kept of this table can't be read; open another one")
        self.error = error


@contextlib.contextmanager
def as_unreadable() -> Iterator[None]:
    """Turn errors of what is read from the database into Unreadable."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Unreadable(type(error).__name__) from None
