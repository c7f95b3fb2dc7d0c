"""Refusals: errors with a code and a reason, which become answers."""

from __future__ import annotations

from types import TracebackType

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


class as_unreadable:  # noqa: N801  (a class, since a generator takes five times as long, and each move has one)
    """Turns errors of what is read from the database into Unreadable."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, (ValueError, LookupError, TypeError, AttributeError)):
            raise Unreadable(type(error).__name__) from None
