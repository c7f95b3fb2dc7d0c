"""Entries of the journal of a table."""

from __future__ import annotations

from typing import Literal, NamedTuple


class JournalEntry(NamedTuple):
    """One entry of a table's journal."""

    kind: Literal["move", "chance", "undo", "end"]
    text: str
