"""The outline of a table, as lists show it, from its rows in the database."""

from __future__ import annotations

from typing import Any

import msgspec

from bosquet.server.base.refusals import as_unreadable
from bosquet.server.table.kept_rows import read_rows
from bosquet.server.table.messages import Waiting
from bosquet.server.table.session import mark_at


def outline_of(row: dict[str, Any], seats: list[dict[str, Any]], guest: str | None) -> Waiting:
    """What everybody may know of a table. Raises Unreadable."""
    with as_unreadable():
        kept = read_rows(row, seats)
        mine = [seat["guest"] == guest and guest is not None for seat in seats]
        result = row["result"] or {}
        playing, turn = row["phase"] == "playing", row["turn"]
        later = playing and row["watched"] and not any(mine)  # those who watch see the game some seconds later
        outline = {
            "table": row["id"],
            "game": row["game"],
            "options": row["options"],
            "names": [seat["name"] for seat in seats],
            "bots": [seat["bot"] if seat["guest"] is None else None for seat in seats],
            "phase": row["phase"],
            "mine": any(mine),
            "turn": turn if playing and not later else None,
            "your_turn": playing and turn is not None and mine[turn] and seats[turn]["bot"] is None,
            "assistance": row["assistance"],
            "opened": row["opened"],
            "ended": row["ended"],
            "scores": result.get("scores"),
            "winners": result.get("winners", []),
            "duel": None if kept.duel is None else kept.duel.game,
            "ending": result.get("how"),
            "slow": msgspec.to_builtins(kept.slow),
            "deadline": None if later else row["deadline"],
            "daily": row["daily"],
            "clock": msgspec.to_builtins(kept.clock),
        }
        return msgspec.convert(outline, Waiting)


def invites(row: dict[str, Any], seats: list[dict[str, Any]], guest: str) -> bool:
    """Whether there is a free seat for somebody who does not sit there yet, and was not sent away."""
    free = any(seat["guest"] is None and seat["bot"] is None for seat in seats)
    known = is_barred(row, guest) or any(seat["guest"] == guest for seat in seats)
    return row["phase"] == "waiting" and row["listed"] and free and not known


def is_barred(row: dict[str, Any], guest: str) -> bool:
    """Whether the host has sent a guest away."""
    return bool(row["barred"]) and mark_at(row["secret"], guest) in row["barred"].split()
