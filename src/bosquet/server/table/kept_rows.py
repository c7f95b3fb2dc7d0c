"""Reads what the rows of a table and its seats say beside the journal, checked."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

import msgspec

from bosquet import bots
from bosquet.core.installed import spec
from bosquet.core.spec import check_options
from bosquet.server.table.duels import Duel
from bosquet.server.table.messages import Assistance, Clock, First, Pace, Phase, Proposal, Slow


def read_duel(row: dict[str, Any]) -> Duel | None:
    """Return which game of a duel a table is. Raises what `as_unreadable` turns into Unreadable."""
    found = msgspec.convert(row["duel"], Duel | None)
    if found is not None and found.games != row["options"]["players"]:
        raise ValueError("a duel has as many games as seats")
    return found


def read_slow(row: dict[str, Any]) -> Slow | None:
    """Return how slowly a table is played, as the store keeps it. Raises what `as_unreadable` turns into Unreadable."""
    if row["turn_days"] is None:
        return None
    if row["late_bot"] not in bots.NAMES:
        raise LookupError("there is no such bot")
    kept = {"days": row["turn_days"], "bot": row["late_bot"], "until_back": row["late_until_back"]}
    return msgspec.convert(kept, Slow)


def read_clock(row: dict[str, Any]) -> Clock | None:
    """Return the clocks of a table, as the store keeps them. Raises what `as_unreadable` turns into Unreadable."""
    clock = msgspec.convert(row["clock"], Clock | None)
    if clock is not None and clock.bot not in (None, *bots.NAMES):
        raise LookupError("there is no such bot")
    times = msgspec.convert(row["times"], list[int] | None)
    if times is not None and len(times) != row["options"]["players"]:
        raise ValueError("there is a clock for each seat")
    return clock


def check_rows(row: dict[str, Any], seats: list[dict[str, Any]]) -> None:
    """Check that a row and its seats are a table. Raises what `as_unreadable` turns into Unreadable."""
    options = msgspec.convert(row["options"], dict[str, Any])
    checked = check_options(spec(row["game"]), options)
    said = (row["phase"], row["first"], row["pace"], row["assistance"])
    msgspec.convert(said, tuple[Phase, First, Pace, Assistance])
    if [seat["seat"] for seat in seats] != list(range(checked["players"])):
        raise LookupError("a seat is missing, or there is one too many")
    read_duel(row)
    read_slow(row)
    read_clock(row)
    if row["daily"] is not None:
        date.fromisoformat(row["daily"])
    given = [(seat["agrees"], seat["left"]) for seat in seats]
    msgspec.convert(given, list[tuple[Proposal | None, Literal["left", "resigned"] | None]])
    if not {seat["bot"] for seat in seats} <= {None, *bots.NAMES}:
        raise LookupError("there is no such bot")
