"""Reads what the rows of a table and its seats say beside the journal, checked."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from bosquet import bots
from bosquet.core.installed import spec
from bosquet.core.spec import check_options
from bosquet.server.table.duels import Duel
from bosquet.server.table.messages import Assistance, Clock, First, Pace, Phase, Proposal, Slow

Kept = TypeVar("Kept", bound=Struct)


class KeptTable(Struct):
    """Columns of the row of a table that are more than a text."""

    options: dict[str, Any]
    phase: Phase
    first: First
    pace: Pace
    assistance: Assistance
    duel: Duel | None
    """Which game of a duel it is."""
    clock: Clock | None
    times: list[int] | None
    daily: date | None
    slow: Slow | None
    """How slowly it is played, of several columns."""


class _KeptSeat(Struct):
    """Columns of the row of a seat that are more than a text, and where it is."""

    seat: int
    bot: str | None
    agrees: Proposal | None
    left: Literal["left", "resigned"] | None


def read_rows(row: dict[str, Any], seats: list[dict[str, Any]]) -> KeptTable:
    """Return what a row says; it and its seats are a table. Raises what `as_unreadable` turns into Unreadable."""
    slow = {"days": row["turn_days"], "bot": row["late_bot"], "until_back": row["late_until_back"]}
    kept = _read(KeptTable, row | {"slow": None if row["turn_days"] is None else slow})
    seated = [_read(_KeptSeat, seat) for seat in seats]
    players = check_options(spec(row["game"]), kept.options)["players"]
    if [one.seat for one in seated] != list(range(players)):
        raise LookupError("a seat is missing, or there is one too many")
    if kept.duel is not None and kept.duel.games != players:
        raise ValueError("a duel has as many games as seats")
    if kept.times is not None and len(kept.times) != players:
        raise ValueError("there is a clock for each seat")
    named = [one.bot for one in (*seated, kept.slow, kept.clock) if one is not None]
    if not {*named} <= {None, *bots.NAMES}:
        raise LookupError("there is no such bot")
    return kept


def _read(kind: type[Kept], row: dict[str, Any]) -> Kept:
    """Return columns of a row, whose names need not be plain texts, as the fields of a class."""
    return msgspec.convert({name: row[name] for name in kind.__struct_fields__}, kind)
