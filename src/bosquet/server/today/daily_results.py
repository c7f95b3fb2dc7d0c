"""Attempts at the deals of days and their results: kept in the database, ranked by SQL.

There is one attempt of a guest at a deal: its row is written together with the table, and its key refuses a second one.
A result is written in the transaction of the event that closes the game. Both go with the guest that is erased.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Executable

from bosquet.server.base.refusals import Refusal
from bosquet.server.store.schema import daily_attempts, daily_bots, daily_results, seats
from bosquet.server.store.store import Conflict, Statement, Store
from bosquet.server.table.outcomes import Closed
from bosquet.server.table.session import Session
from bosquet.server.today.daily import DealOfDay
from bosquet.server.today.days import closes
from bosquet.server.today.messages import DailyBot, DailyRanking, DailyResult, DailyRow, DailyScores, KeptDaily

PAGE = 50
"""Results on a page of the ranking."""

_tried, _done, _earlier = daily_attempts, daily_results, daily_results.alias("earlier")
_APART = "~"

_ATTEMPT = sa.insert(_tried)


class Attempt(NamedTuple):
    """An attempt of a guest."""

    day: str
    game: str
    table: str
    name: str | None
    result: DailyResult | None


def attempt(deal: DealOfDay, guest: str, table: str) -> Statement:
    """Return what writes that a guest tries a deal at a table."""
    return _ATTEMPT, {"day": deal.day, "game": deal.game, "guest": guest, "table_id": table}


def closing(table: str, session: Session, closed: Closed) -> list[Statement]:
    """Return what writes the result of an attempt with the end of its game; nothing at the table of another game."""
    if session.daily is None:
        return []
    return [(statement(table, session.daily, closed.scores if closed.how is None else None, closed.at), None)]


def statement(table: str, day: str, scores: Sequence[int] | None, at: str) -> Executable:
    """Return what writes the result of an attempt; `scores` are None of one that was given up.

    It writes nothing where the guest was erased, or does not sit there any more.
    """
    in_time = scores is not None and at < closes(day)
    earlier = (_earlier.c.guest == _tried.c.guest) & (_earlier.c.ended < day) & _earlier.c.value.is_not(None)
    points: Any = sa.literal(None, sa.Integer)
    against: Any = sa.literal(None, sa.Integer)
    if scores is not None:
        own = [sa.literal(score, sa.Integer) for score in scores]
        points = sa.case(*((seats.c.seat == seat, score) for seat, score in enumerate(own)))
        if len(own) > 1:
            against = sa.case((seats.c.seat == 0, own[1]), else_=own[0])
    values = {
        "day": _tried.c.day,
        "game": _tried.c.game,
        "guest": _tried.c.guest,
        "table_id": _tried.c.table_id,
        "name": seats.c.name,
        "value": points if scores is None or len(scores) == 1 else points - against,
        "points": points,
        "against": against,
        "whole": sa.literal(scores is not None, sa.Boolean),
        "ranked": sa.literal(in_time, sa.Boolean),
        "first": ~sa.exists().where(earlier),
        "ended": sa.literal(at, sa.String),
    }
    there = (seats.c.table_id == _tried.c.table_id) & (seats.c.guest == _tried.c.guest)
    chosen = sa.select(*values.values()).select_from(_tried.join(seats, there)).where(_tried.c.table_id == table)
    return sa.insert(_done).from_select(list(values), chosen)


async def attempts(store: Store, guest: str, since: str = "", until: str = "9999") -> list[Attempt]:
    """Return a guest's attempts at the deals of some days, the latest day first. Raises Refusal."""
    same = (_done.c.day == _tried.c.day) & (_done.c.game == _tried.c.game) & (_done.c.guest == _tried.c.guest)
    query = (
        sa.select(_tried, _done.c.name, _done.c.value, _done.c.points, _done.c.against, _done.c.ranked, _done.c.ended)
        .select_from(_tried.outerjoin(_done, same))
        .where(_tried.c.guest == guest, _tried.c.day >= since, _tried.c.day <= until)
        .order_by(_tried.c.day.desc(), _tried.c.game)
    )
    return [
        Attempt(
            row.day,
            row.game,
            row.table_id,
            row.name,
            None if row.ended is None else DailyResult(row.value, row.points, row.against, row.ranked),
        )
        for row in await store.select(query)
    ]


async def has_finished(store: Store, guest: str, day: str, game: str) -> bool:
    """Return whether a guest's attempt at a deal is over. Raises Refusal."""
    theirs = (_done.c.day == day) & (_done.c.game == game) & (_done.c.guest == guest)
    return bool(await store.select(sa.select(_done.c.day).where(theirs)))


async def finished_days(store: Store, guest: str) -> list[str]:
    """Return the days of which a guest has finished a deal in time. Raises Refusal."""
    query = sa.select(_done.c.day).where(_done.c.guest == guest, _done.c.ranked)
    return [row.day for row in await store.select(query.distinct())]


async def scores(store: Store, day: str, game: str) -> list[DailyScores]:
    """Return how many came to each value, the lowest first. Raises Refusal."""
    query = sa.select(_done.c.value, sa.func.count()).where(*_ranked(day, game))
    rows = await store.select(query.group_by(_done.c.value).order_by(_done.c.value))
    return [DailyScores(value, players) for value, players in rows]


async def players(store: Store, day: str) -> dict[str, int]:
    """Return how many ranked results each game of a day has. Raises Refusal."""
    query = sa.select(_done.c.game, sa.func.count()).where(_done.c.day == day, _done.c.ranked)
    return {row[0]: row[1] for row in await store.select(query.group_by(_done.c.game))}


async def ranking(store: Store, day: str, game: str, guest: str, after: str | None) -> DailyRanking:
    """Return a page of the ranked results of a deal, after the cursor of the page before. Raises Refusal."""
    query = sa.select(_done).where(*_ranked(day, game))
    if after is not None:
        value, ended, table = _read_cursor(after)
        query = query.where(
            sa.or_(
                _done.c.value < value,
                sa.and_(
                    _done.c.value == value,
                    sa.or_(_done.c.ended > ended, sa.and_(_done.c.ended == ended, _done.c.table_id > table)),
                ),
            )
        )
    query = query.order_by(_done.c.value.desc(), _done.c.ended, _done.c.table_id).limit(PAGE + 1)
    rows = await store.select(query)
    found: list[DailyRow] = []
    rank, number = 0, 0
    if rows:
        rank = await rank_of(store, day, game, rows[0].value)
        # What the page before has of the same value stands before this one, too.
        number = rank + await _as_good_before(store, day, game, after, rows[0].value)
    for row in rows[:PAGE]:
        if found and row.value != found[-1].value:
            rank = number
        mine = row.guest == guest
        found.append(
            DailyRow(rank, row.name, row.value, row.points, row.against, first=row.first, mine=mine, table=row.table_id)
        )
        number += 1
    last = rows[PAGE - 1] if len(rows) > PAGE else None
    return DailyRanking(found, None if last is None else f"{last.value}{_APART}{last.ended}{_APART}{last.table_id}")


async def rank_of(store: Store, day: str, game: str, value: int) -> int:
    """Return the place of a value among the ranked results of a deal: 1 is the best. Raises Refusal."""
    better = sa.select(sa.func.count()).where(*_ranked(day, game), _done.c.value > value)
    ((number,),) = await store.select(better)
    return 1 + int(number)


async def _as_good_before(store: Store, day: str, game: str, after: str | None, value: int) -> int:
    """Return how many results of a value were on pages before."""
    if after is None:
        return 0
    last, ended, table = _read_cursor(after)
    if last != value:
        return 0
    shown = sa.or_(_done.c.ended < ended, sa.and_(_done.c.ended == ended, _done.c.table_id <= table))
    query = sa.select(sa.func.count()).where(*_ranked(day, game), _done.c.value == value, shown)
    ((number,),) = await store.select(query)
    return int(number)


def _ranked(day: str, game: str) -> tuple[sa.ColumnElement[bool], ...]:
    return _done.c.day == day, _done.c.game == game, _done.c.ranked


def _read_cursor(after: str) -> tuple[int, str, str]:
    """Return where a page begins. Raises Refusal."""
    value, *more = after.split(_APART)
    digits = value.removeprefix("-")
    if len(more) != 2 or not (digits.isascii() and digits.isdigit() and len(digits) < 9) or "\0" in after:
        raise Refusal("malformed", "after: must be the `next` of the page before")
    return int(value), more[0], more[1]


async def bots(store: Store, day: str, game: str) -> list[DailyBot]:
    """Return where bots came out on a deal, those that are worked out. Raises Refusal."""
    there = (daily_bots.c.day == day) & (daily_bots.c.game == game) & daily_bots.c.value.is_not(None)
    rows = await store.select(sa.select(daily_bots).where(there).order_by(daily_bots.c.bot))
    return [DailyBot(row.bot, row.value, row.points, row.against) for row in rows]


async def kept(store: Store, guest: str) -> list[KeptDaily]:
    """Return all that is kept of a guest's attempts. Raises Refusal."""
    return [KeptDaily(*one) for one in await attempts(store, guest)]


async def erase(store: Store, guest: str) -> None:
    """Delete a guest's attempts and results. Raises Refusal."""
    await store.write(sa.delete(_done).where(_done.c.guest == guest), sa.delete(_tried).where(_tried.c.guest == guest))


async def delete_before(store: Store, day: str) -> None:
    """Delete all that is kept of the days before one. Raises Refusal."""
    with contextlib.suppress(Conflict):
        await store.write(*(sa.delete(table).where(table.c.day < day) for table in (_done, _tried, daily_bots)))
