"""Events made durable: the moves as entries of the journal, everything else as rows of the table and its seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bosquet.server.store.rows import Rows, Statement
from bosquet.server.store.store import Store
from bosquet.server.table.action import Event


async def write(
    store: Store,
    table: str,
    number: int,
    happened: Iterable[Event],
    more: Mapping[str, Any] | None = None,
    then: Sequence[Statement] = (),
    barred: str = "",
    left: Sequence[str | None] = (),
) -> None:
    """Write events, the first entry under a number, and more values of the table; durable when this returns.

    It is one transaction, and `then` is carried out at its end. `barred` are those who were sent away before,
    and `left` says how each seat was given up before. Raises Conflict, and nothing is written, if somebody else was
    first.
    """
    rows = Rows(table, barred, left)
    for event in happened:
        event.write(rows)
    if more:
        rows.set(**more)
    await store.keep(number, rows, then)
