"""Events made durable: the moves as entries of the journal, all else as rows of the table and its seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bosquet.server.store.entries import JournalEntry
from bosquet.server.store.store import Statement, Store
from bosquet.server.table import events
from bosquet.server.table.events import Event

_OF_SEATS = (events.SeatGiven, events.SeatsTakenBack, events.SeatLeft)
"""Events that change who makes a turn. Of those that come without a move or a deal, there is one at a time."""


async def write(
    store: Store,
    table: str,
    number: int,
    happened: Sequence[Event],
    more: Mapping[str, Any] | None = None,
    then: Sequence[Statement] = (),
    barred: str = "",
) -> None:
    """Write events, the first entry under a number, and more values of the table; durable when this returns.

    Together with the entries, `then` is carried out. Seats are taken, and the shuffle goes on, as long as those are
    `barred` who were before. Raises Conflict if somebody else was first.
    """
    entries = [entry for event in happened if (entry := _entry(event)) is not None]
    nonces = {event.seat: event.nonce for event in happened if isinstance(event, events.NonceAdded)}
    timed = [
        store.timed(table, event.since, event.deadline, event.due)
        for event in happened
        if isinstance(event, events.TurnTimed)
    ]
    alone = not entries and not nonces and not any(isinstance(event, events.Dealt) for event in happened)
    of_seats = any(isinstance(event, _OF_SEATS) for event in happened)
    with_seat = timed if alone and of_seats else []  # in one commit with what it follows from
    row: dict[str, Any] = dict(more or {})
    for event in happened:
        row |= _row(event)
    for event in happened:
        match event:
            case events.SeatTaken():
                await store.take_seat(table, event.seat, event.guest, event.name, event.program, barred, event.chat)
            case events.Barred():
                await store.bar(table, event.barred, event.since, event.seat, event.guest, event.invitation)
            case events.SeatGiven():
                await store.give_seat(table, event.seat, event.guest, event.bot, event.name, with_seat)
            case events.SeatsTakenBack():
                await store.take_back(table, event.guest, with_seat)
            case events.HintsAllowed():
                await store.allow_hints(table, event.guest, event.allow)
            case events.ChatAllowed():
                await store.allow_chat(table, event.guest, event.allow)
            case events.SeatLeft():
                await store.leave_seat(table, event.seat, event.guest, event.bot, event.how, with_seat)
            case events.Agreed():
                await store.agree(table, event.guest, event.offer)
            case events.OffersDropped():
                await store.drop_offers(table)
            case events.Closed():
                await store.close_table(table)
            case events.WentOn():
                await store.go_on(table, event.table)
    if entries:
        await store.append(table, number, entries, timed, then, **row)
    elif not alone:
        await store.add_nonces(table, nonces, timed, barred, **row)
    elif row or (timed and not of_seats):
        await store.update_table(table, () if of_seats else timed, **row)


def _entry(event: Event) -> JournalEntry | None:
    """Return the entry of an event in the journal, for those that are in it."""
    match event:
        case events.Moved():
            return JournalEntry("move", event.move)
        case events.ChanceMade():
            return JournalEntry("chance", event.move)
        case events.Undone():
            return JournalEntry("undo", "")
        case events.EndedEarly():
            return event.entry
    return None


def _row(event: Event) -> dict[str, Any]:
    """Return what an event changes in the row of the table."""
    match event:
        case events.Dealt():
            return {"phase": "playing", "started": event.at, "turn": event.turn}
        case events.TurnPassed():
            return {"turn": event.seat}
        case events.Ended():
            result: dict[str, Any] = {"scores": event.scores, "winners": event.winners}
            return {"phase": "over", "ended": event.at, "result": result}
        case events.EndedEarly():
            result = {"scores": event.scores, "winners": event.winners, "how": event.how}
            return {"phase": "over", "ended": event.at, "result": result, "turn": None}
        case events.PaceSet():
            return {"pace": event.pace}
    return {}
