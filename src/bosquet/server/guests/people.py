"""The people with whom a guest has played: who they are, and which of them the guest has blocked.

A guest's list follows from the results of finished games. Each person in it has an id that is drawn for these two
alone, so no guest learns the key of another one, and two guests who compare their lists learn nothing from the ids. A
guest who blocks somebody vanishes from that person's list, as if erased. What that person sends them is accepted as
ever but does not arrive, so nobody is told that they are blocked.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa

from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.here_now import HereNow, is_shown
from bosquet.server.guests.messages import KeptPerson, People, Person
from bosquet.server.store.schema import fellows, identities, results
from bosquet.server.store.store import Conflict, Store

LISTED = 100
"""People in a list, those of the latest games."""
GAMES = 5000
"""Games in which they are looked for, the latest ones."""
MOST_BLOCKED = 500
"""People whom one guest may have blocked."""
ID_BYTES = 12
_APART = "~"
"""Stands between a time and what follows it; neither times, ids of tables nor names of games have it."""
NOBODY = "there is nobody with this id among those you have played with; look at the list again"

Row = sa.Row[*tuple[Any, ...]]

_OWNER, _OTHER, _ID = (sa.bindparam(name, type_=fellows.c[name].type) for name in ("owner", "other", "id"))
_HAS_PLAYED = [sa.exists().where(results.c.guest == guest) for guest in (_OWNER, _OTHER)]
# Not for a guest who was erased meanwhile.
_NEW = sa.insert(fellows).from_select(
    ["owner", "other", "id", "blocked"], sa.select(_OWNER, _OTHER, _ID, sa.false()).where(*_HAS_PLAYED)
)
_other_way = fellows.alias("other_way")
_BLOCKED = sa.select(fellows.c.id).where(
    fellows.c.owner == sa.bindparam("host"), fellows.c.other == sa.bindparam("guest"), fellows.c.blocked
)
"""Asked whenever somebody comes to a table that waits: to make a query takes longer than to carry it out."""


# --- what a guest is shown ---


async def listed(store: Store, guest: str, invited: Collection[str] = (), here_now: HereNow | None = None) -> People:
    """Return the people with whom a guest has played; `invited` are those it has invited to a table. Raises Refusal.

    `here_now` says which of them are here.
    """
    met = await _met(store, guest)
    new = [row.guest for row in met if row.id is None]
    if new:
        rows = [{"owner": guest, "other": other, "id": secrets.token_urlsafe(ID_BYTES)} for other in new]
        with contextlib.suppress(Conflict):  # they are listed twice at once
            await store.write((_NEW, rows))
        met = await _met(store, guest)
    here = set() if here_now is None else await here_now.among([row.guest for row in met])
    return People(
        people=[_person(row, row.guest in invited, row.guest in here) for row in met if row.id is not None],
        blocked=[_person(row) for row in await _named(store, guest) if row.blocked],
        shown=await is_shown(store, guest),
    )


async def _met(store: Store, guest: str) -> list[Row]:
    """Return those who are in a guest's list."""
    latest = sa.select(results.c.table_id).where(results.c.guest == guest, ~results.c.again)
    latest = latest.order_by(results.c.ended.desc(), results.c.table_id.desc()).limit(GAMES)
    blocked = sa.func.coalesce(fellows.c.blocked, sa.false())
    query = _fellow_players(guest, latest).where(~blocked, ~_is_blocked_by_other(guest))
    return await store.select(query.order_by(sa.desc("last"), results.c.guest).limit(LISTED))


async def _named(store: Store, guest: str) -> list[Row]:
    """Return all people whom a guest was told of, those who are blocked among them, not those who block the guest."""
    every = sa.select(results.c.table_id).where(results.c.guest == guest, ~results.c.again)
    seen = sa.or_(fellows.c.blocked, ~_is_blocked_by_other(guest))
    query = _fellow_players(guest, every).where(fellows.c.id.is_not(None), seen)
    return await store.select(query.order_by(sa.desc("last"), results.c.guest))


def _is_blocked_by_other(guest: str) -> sa.ColumnElement[bool]:
    return sa.exists().where(_other_way.c.owner == results.c.guest, _other_way.c.other == guest, _other_way.c.blocked)


def _fellow_players(guest: str, games: sa.Select[Any]) -> sa.Select[Any]:
    """Return a query for the other people in some games of a guest, with what is kept of them for this guest.

    Programs are nobody's friends. `last` and `called` end with what comes last in time.
    """
    mine = games.subquery("mine")
    last = results.c.ended + _APART + results.c.table_id + _APART + results.c.game
    query = sa.select(
        results.c.guest,
        fellows.c.id,
        fellows.c.blocked,
        identities.c.name,
        sa.func.count().label("games"),
        sa.func.max(last).label("last"),
        sa.func.max(results.c.ended + _APART + results.c.name).label("called"),
    ).join_from(mine, results, results.c.table_id == mine.c.table_id)
    kept = (fellows.c.owner == guest) & (fellows.c.other == results.c.guest)
    query = query.join(fellows, kept, isouter=True)
    query = query.join(identities, identities.c.guest == results.c.guest, isouter=True)
    people = results.c.bot.is_(None) & ~results.c.program & ~results.c.again & (results.c.guest != guest)
    return query.where(people).group_by(results.c.guest, fellows.c.id, fellows.c.blocked, identities.c.name)


async def names(store: Store, guest: str) -> dict[str, str]:
    """Return what the people in a guest's list are called. Raises Refusal."""
    return {row.guest: _name(row) for row in await _met(store, guest)}


async def name_of(store: Store, guest: str, other: str) -> str:
    """Return the name of a person with whom a guest has played. Raises Refusal."""
    every = sa.select(results.c.table_id).where(results.c.guest == guest, ~results.c.again)
    found = await store.select(_fellow_players(guest, every).where(results.c.guest == other))
    return _name(found[0]) if found else ""


def _person(row: Row, invited: bool = False, here: bool = False) -> Person:
    ended, table, game = row.last.split(_APART)
    return Person(row.id, _name(row), row.games, game, table, ended, invited, here)


def _name(row: Row) -> str:
    """Return the present name of a person: the one on all its devices, or the one in the last game of the two."""
    return str(row.name or (row.called or _APART).partition(_APART)[2])


# --- whom a guest blocks ---


async def block(store: Store, guest: str, person: str, blocked: bool) -> None:
    """Block somebody, or do so no longer. Raises Refusal."""
    if blocked:
        theirs = sa.select(sa.func.count()).select_from(fellows).where(fellows.c.owner == guest, fellows.c.blocked)
        ((count,),) = await store.select(theirs)
        if count >= MOST_BLOCKED:
            raise Refusal("not now", f"you have blocked {MOST_BLOCKED} people; take one of them back first")
    one = (fellows.c.owner == guest) & (fellows.c.id == person)
    try:
        await store.write(sa.update(fellows).where(one).values(blocked=blocked))
    except Conflict:
        raise Refusal("no person", NOBODY) from None


async def block_guest(store: Store, guest: str, other: str) -> None:
    """Block somebody whose id nobody has asked for yet. Raises Refusal."""
    one = (fellows.c.owner == guest) & (fellows.c.other == other)
    if not await store.select(sa.select(fellows.c.id).where(one)):
        with contextlib.suppress(Conflict):  # they are listed at this moment
            await store.write((_NEW, [{"owner": guest, "other": other, "id": secrets.token_urlsafe(ID_BYTES)}]))
    for row in await store.select(sa.select(fellows.c.id).where(one)):
        await block(store, guest, row.id, True)


async def guest_with(store: Store, owner: str, person: str) -> str:
    """Return the guest whom an owner knows by an id, and has not blocked. Raises Refusal."""
    one = (fellows.c.owner == owner) & (fellows.c.id == person) & ~fellows.c.blocked
    found = await store.select(sa.select(fellows.c.other).where(one))
    if not found:
        raise Refusal("no person", NOBODY)
    return str(found[0].other)


async def has_blocked(store: Store, host: str, guest: str) -> bool:
    """Return whether a host has blocked a guest. Raises Refusal."""
    return bool(await store.look_up(_BLOCKED, {"host": host, "guest": guest}))


async def apart(store: Store, guest: str, others: Collection[str]) -> set[str]:
    """Return those of some others whom a guest has blocked, or who have blocked the guest. Raises Refusal."""
    if not others:
        return set()
    by_guest = sa.select(fellows.c.other).where(
        fellows.c.owner == guest, fellows.c.other.in_(others), fellows.c.blocked
    )
    of_guest = sa.select(fellows.c.owner).where(
        fellows.c.other == guest, fellows.c.owner.in_(others), fellows.c.blocked
    )
    found: Sequence[Row] = [*await store.select(by_guest), *await store.select(of_guest)]
    return {row[0] for row in found}


# --- what is kept ---


async def kept(store: Store, guest: str) -> list[KeptPerson]:
    """Return the people of whom something is kept for a guest. Raises Refusal."""
    return [KeptPerson(row.id, _name(row), row.blocked) for row in await _named(store, guest)]


async def erase(store: Store, guest: str) -> None:
    """Forget a guest's list, and the guest in those of others. Raises Refusal."""
    await store.write(sa.delete(fellows).where(sa.or_(fellows.c.owner == guest, fellows.c.other == guest)))


async def sweep(store: Store) -> None:
    """Forget people whose results are forgotten, and lists of such people. Raises Refusal."""
    known = [sa.exists().where(results.c.guest == column) for column in (fellows.c.owner, fellows.c.other)]
    await store.write(sa.delete(fellows).where(~sa.and_(*known)))
