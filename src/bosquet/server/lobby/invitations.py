"""Invitations to tables: from their hosts, to people with whom they have played.

An invitation gives what the link of its table would give: accepting it takes a free seat. It is valid as long as the
table waits, and for a day at most; the one who is invited finds it on the start page. Hosts are not told of answers, so
a guest who has blocked them looks like one who does not answer: blocks are looked up when invitations are read.
Invitations of the last day stay in the database in any case, so that the limits hold.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from bosquet.server.base.clock import written
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.people import block_guest, guest_with
from bosquet.server.lobby.messages import KeptInvitation
from bosquet.server.store.schema import fellows, invitations, seats, tables
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table.session import Session

DAY = 24 * 3600
"""Seconds for which an invitation is valid, and counts in the bounds."""
MOST_A_DAY = 30
"""Invitations that one guest makes within a day."""
MOST_TO_ONE = 3
"""Those of them to the same person."""
MOST_TO_TABLE = 8
"""Those of them to the same table."""
SHOWN = 6
"""Invitations that the start page shows, the latest ones."""
NO_INVITATION = "this invitation counts no longer: the table has begun or is closed, or it is older than a day"


# --- what hosts ask ---


def check_inviting(session: Session, guest: str) -> None:
    """Check that a guest may invite to a table. Raises Refusal."""
    if not session.is_host(guest):
        raise Refusal("not yours", "its host invites to a table; anybody who sits there can pass on the link")
    if not session.has_free_seat:
        raise Refusal("not now", "this table has no free seat any more; open another one")


async def invite(store: Store, host: str, person: str, table: str, session: Session) -> str | None:
    """Invite somebody to a table; return who is invited, None if they were already or sit there. Raises Refusal."""
    check_inviting(session, host)
    guest = await guest_with(store, host, person)
    if session.seats_of(guest):
        return None
    if session.is_barred(guest):
        raise Refusal("not now", "you have sent them away from this table; open another one")
    made = int(time.time())
    sent = sa.select(sa.func.count()).select_from(invitations)
    sent = sent.where(invitations.c.host == host, invitations.c.made > made - DAY)
    of_guest, of_table = sent.where(invitations.c.guest == guest), sent.where(invitations.c.table_id == table)
    known = sa.exists().where(fellows.c.owner == host, fellows.c.other == guest)  # not one who was erased meanwhile
    row = {"guest": guest, "table_id": table, "host": host, "made": made, "declined": False}
    values = [sa.literal(value, invitations.c[column].type) for column, value in row.items()]
    allowed = sa.select(*values).where(
        known,
        sent.scalar_subquery() < MOST_A_DAY,
        of_guest.scalar_subquery() < MOST_TO_ONE,
        of_table.scalar_subquery() < MOST_TO_TABLE,
    )
    one = (invitations.c.guest == guest) & (invitations.c.table_id == table)
    try:
        await store.write(
            sa.delete(invitations).where(one, invitations.c.made <= made - DAY),
            sa.insert(invitations).from_select(list(row), allowed),
        )
    except Conflict:  # they are invited already
        return None
    if not await store.select(sa.select(invitations.c.made).where(one)):
        raise Refusal("busy", "you have invited many people within a day; pass on the link of the table instead")
    return guest


async def invited(store: Store, host: str, table: str) -> set[str]:
    """Return the guests whom a host has invited to a table within a day. Raises Refusal."""
    theirs = (invitations.c.host == host) & (invitations.c.table_id == table)
    query = sa.select(invitations.c.guest).where(theirs, invitations.c.made > int(time.time()) - DAY)
    return {row.guest for row in await store.select(query)}


# --- what those ask who are invited ---


async def open_ones(store: Store, guest: str) -> dict[str, str]:
    """Return the tables to which a guest is invited, the latest invitations first, and who invites. Raises Refusal."""
    query = _open_ones(guest).order_by(invitations.c.made.desc(), invitations.c.table_id).limit(SHOWN)
    return {row.table_id: row.host for row in await store.select(query)}


async def to_be_told(store: Store, guest: str, among: Sequence[str]) -> dict[str, bool]:
    """Return those of some tables to which a guest was invited, and whether that is still to be told. Raises Refusal.

    A table at which the guest plays meanwhile is not one of them.
    """
    sits = sa.exists().where(seats.c.table_id == invitations.c.table_id, seats.c.guest == guest)
    free = sa.exists().where(seats.c.table_id == invitations.c.table_id, seats.c.guest.is_(None), seats.c.bot.is_(None))
    query = sa.select(invitations.c.table_id).join_from(invitations, tables, tables.c.id == invitations.c.table_id)
    query = query.where(invitations.c.guest == guest, ~sa.and_(sits, tables.c.phase != "waiting"))
    every = await store.select(query.where(invitations.c.table_id.in_(among)))
    counts = await store.select(_open_ones(guest).where(invitations.c.table_id.in_(among), free, ~sits))
    told = {row.table_id for row in counts}
    return {row.table_id: row.table_id in told for row in every}


async def check_invited(store: Store, guest: str, table: str) -> None:
    """Check that a guest is invited to a table. Raises Refusal."""
    if not await store.select(_open_ones(guest).where(invitations.c.table_id == table)):
        raise Refusal("no seat", NO_INVITATION)


async def decline(store: Store, guest: str, table: str, *, block: bool) -> None:
    """Show an invitation no more, and block its host if that is asked. Raises Refusal."""
    one = (invitations.c.guest == guest) & (invitations.c.table_id == table)
    found = await store.select(sa.select(invitations.c.host).where(one))
    if not found:
        raise Refusal("no seat", NO_INVITATION)
    if block:
        await block_guest(store, guest, found[0].host)
    with contextlib.suppress(Conflict):  # the host was erased meanwhile
        await store.write(sa.update(invitations).where(one).values(declined=True))


async def declined(store: Store, guest: str, among: Sequence[str]) -> set[str]:
    """Return those of some tables to which a guest was invited and has declined. Raises Refusal."""
    if not among:
        return set()
    one = (invitations.c.guest == guest) & invitations.c.table_id.in_(among) & invitations.c.declined
    return {row.table_id for row in await store.select(sa.select(invitations.c.table_id).where(one))}


def _open_ones(guest: str) -> sa.Select[tuple[str, str]]:
    """Return a query for the invitations of a guest that count, with table and host."""
    between = sa.or_(
        (fellows.c.owner == guest) & (fellows.c.other == invitations.c.host),
        (fellows.c.owner == invitations.c.host) & (fellows.c.other == guest),
    )
    query = sa.select(invitations.c.table_id, invitations.c.host)
    query = query.join_from(invitations, tables, tables.c.id == invitations.c.table_id)
    return query.where(
        invitations.c.guest == guest,
        ~invitations.c.declined,
        invitations.c.made > int(time.time()) - DAY,
        tables.c.phase == "waiting",
        ~sa.exists().where(between, fellows.c.blocked),
    )


# --- what is kept ---


async def kept(store: Store, guest: str) -> list[KeptInvitation]:
    """Return the invitations that are kept of a guest. Raises Refusal."""
    theirs = sa.or_(invitations.c.guest == guest, invitations.c.host == guest)
    query = sa.select(invitations).where(theirs).order_by(invitations.c.made, invitations.c.table_id)
    return [
        KeptInvitation(row.table_id, row.host == guest, written(datetime.fromtimestamp(row.made, UTC)))
        for row in await store.select(query)
    ]


async def erase(store: Store, guest: str) -> None:
    """Forget the invitations of a guest and those to it. Raises Refusal."""
    theirs = sa.or_(invitations.c.guest == guest, invitations.c.host == guest)
    await store.write(sa.delete(invitations).where(theirs))
