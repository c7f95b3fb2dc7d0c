"""The games that guests have played on their devices without a server, and have brought here.

Each is a finished game of its guest alone. It has results as other games have, by which it is found and counted, and a
record instead of a table. Nobody else ever sees it, and it counts for no rating.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from bosquet.server.base.clock import now, today, written
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.devices import acting
from bosquet.server.history.brought_reading import ReadGame
from bosquet.server.store.schema import brought, finished, results
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table.outcomes import Closed, Seated, outcomes

ON_DEVICE = "device"
"""What `finished.rated` says of them, so that nobody rates them."""
ID_DIGITS = 24
EARLIEST = "2000"


def id_of(guest: str, commitment: str) -> str:
    """Return the id of the game that a guest has brought from a deal. There is one at most, and nobody can guess it."""
    return hashlib.sha256(f"{guest}/{commitment}".encode()).hexdigest()[:ID_DIGITS]


async def had(store: Store, guest: str, commitments: Sequence[str]) -> list[str]:
    """Return those of some games, given as commitments of deals, that a guest has brought. Raises Refusal."""
    ids = {id_of(guest, commitment): commitment for commitment in commitments}
    query = sa.select(results.c.table_id).where(results.c.table_id.in_(ids), results.c.guest == guest, ~results.c.again)
    return [ids[row.table_id] for row in await store.select(query)]


async def keep(store: Store, guest: str, device: int, read: ReadGame, most: int) -> tuple[str, bool]:
    """Keep a game that a device has brought; return its id, and whether it is new. Raises Refusal.

    Nothing is kept of a guest who is erased meanwhile.
    """
    table_id = id_of(guest, read.commitment)
    if await had(store, guest, [read.commitment]):
        return table_id, False
    theirs = sa.select(sa.func.count()).join_from(brought, results, results.c.table_id == brought.c.table_id)
    ((count,),) = await store.select(theirs.where(results.c.guest == guest, ~results.c.again))
    if count >= most:
        raise Refusal("not now", f"this server keeps {most} games of one player that were played on devices, no more")
    closed = Closed(_time(read.ended), read.scores, read.winners, read.how)
    seated = [
        Seated(None if bot else guest, bot is None, "resigned" if seat in read.resigned else None)
        for seat, bot in enumerate(read.bots)
    ]
    try:
        await store.write(acting(guest, device), *_statements(table_id, read, closed, seated))
    except Conflict:
        if await had(store, guest, [read.commitment]):
            return table_id, False  # it was brought twice at once
        raise Refusal("revoked", "this device was signed out") from None
    return table_id, True


def _statements(table_id: str, read: ReadGame, closed: Closed, seated: Sequence[Seated]) -> list[sa.Insert]:
    """Return what writes a game."""
    whole = sa.insert(finished).values(
        id=table_id,
        game=read.game,
        options=read.options,
        assistance=read.assistance,
        duel=read.duel,
        how=closed.how,
        ended=closed.at,
        moves=read.moves,
        rated=ON_DEVICE,
    )
    persons = [seat for seat, one in enumerate(seated) if one.guest is not None]
    of_seats = [
        {
            "table_id": table_id,
            "seat": seat,
            "guest": seated[seat].guest,
            "name": read.names[seat],
            "bot": read.bots[seat],
            "program": False,
            "again": seat in persons[1:],
            "stood_in": False,
            "game": read.game,
            "players": len(seated),
            "ended": closed.at,
            "whole": closed.how is None,
            "outcome": outcome,
            "score": None if closed.scores is None else closed.scores[seat],
            "place": rank,
        }
        for seat, (outcome, rank) in enumerate(outcomes(closed, seated))
    ]
    record = sa.insert(brought).values(table_id=table_id, day=today(), record=read.record)
    return [whole, sa.insert(results).values(of_seats), record]


def _time(given: str) -> str:
    """Return when a game ended, in the form of other games. If the device gives an impossible time, that is now."""
    with contextlib.suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(given)
        at = written(moment.replace(tzinfo=moment.tzinfo or UTC))
        if EARLIEST < at < now():
            return at
    return now()


async def erase(store: Store, guest: str) -> None:
    """Delete all that a guest has brought. Raises Refusal."""
    theirs = sa.select(results.c.table_id).where(results.c.guest == guest)
    query = sa.select(brought.c.table_id).where(brought.c.table_id.in_(theirs))
    found = [row.table_id for row in await store.select(query)]
    for some in (found[i : i + 100] for i in range(0, len(found), 100)):
        await store.write(
            sa.delete(brought).where(brought.c.table_id.in_(some)),
            sa.delete(results).where(results.c.table_id.in_(some)),
            sa.delete(finished).where(finished.c.id.in_(some)),
        )
