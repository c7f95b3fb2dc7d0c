"""Tables of rows that are one test each."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def each_row(names: str | Sequence[str], table: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test for each row of a table, as `pytest.mark.parametrize` does, but as one test.

    All rows are tried, and every one that is wrong is reported. They share the test's fixtures.
    """
    alone = isinstance(names, str)
    keys: list[str] = [str(names)] if alone else list(names)
    filled: list[dict[str, Any]] = [dict(zip(keys, [row] if alone else row, strict=True)) for row in table]
    assert filled, "a table without rows tests nothing"

    def as_one(test: Test) -> Test:
        @functools.wraps(test)
        def run(subtests: pytest.Subtests, **fixtures: Any) -> None:
            for row in filled:
                with subtests.test(**row):
                    test(**fixtures, **row)

        signature = inspect.signature(test)
        kept = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        added = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = signature.replace(parameters=[*kept, added])  # type: ignore[attr-defined]
        return run

    return as_one
