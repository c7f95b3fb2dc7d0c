"""The finished games of guests: searched, counted, plotted.

All of it is asked of the rows in `results`, by SQL. A list goes on where its last page ended (by the time of the end),
so that a page takes equally long wherever it is.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa

from bosquet.core.errors import quoted
from bosquet.server.base.refusals import Refusal
from bosquet.server.history.brought_games import ON_DEVICE
from bosquet.server.history.messages import (
    GameTotals,
    History,
    HistoryRequest,
    HistorySummary,
    KeepCost,
    LevelTotals,
    OpponentTotals,
    PlayedGame,
    PlayedSeat,
    PlottedGame,
    SeatTotals,
    Tally,
)
from bosquet.server.store.schema import brought, finished, results, tables
from bosquet.server.store.store import AT_ONCE, Store
from bosquet.server.table.outcomes import DECIDED

PAGE = 30
"""Games on a page of the list."""
OPPONENTS = 12
PLOTTED = 400
"""Games in a plot, the latest ones."""

mine = results.alias("mine")
other = results.alias("other")
_third = results.alias("third")
_APART = "~"
"""Stands between a time and what follows it; neither times nor ids of tables have it."""
_DECIDED = mine.c.outcome.in_(DECIDED)
_BY_RULES = mine.c.whole & mine.c.score.is_not(None) & mine.c.outcome.in_((*DECIDED, "alone"))


def conditions(guest: str, asked: HistoryRequest) -> list[sa.ColumnElement[bool]]:
    """Return what holds of the results that a guest asks for. Raises Refusal."""
    found = [mine.c.guest == guest, ~mine.c.again]
    for column, value in ((mine.c.game, asked.game), (mine.c.players, asked.players), (mine.c.outcome, asked.outcome)):
        if value is not None:
            found.append(column == value)
    there = sa.exists().where(_third.c.table_id == mine.c.table_id, _third.c.seat != mine.c.seat)
    if asked.opponent:
        named = sa.or_(
            _third.c.name.contains(asked.opponent, autoescape=True),
            sa.func.lower(_third.c.name).contains(asked.opponent.lower(), autoescape=True),
        )
        found.append(there.where(_third.c.bot.is_(None), named))
    if asked.bot is not None:
        found.append(there.where(_third.c.bot == asked.bot))
    if asked.since is not None:
        found.append(mine.c.ended >= _day(asked.since).isoformat())
    if asked.until is not None:
        found.append(mine.c.ended < (_day(asked.until) + timedelta(days=1)).isoformat())
    return found


def _day(given: str) -> date:
    """Return a day of a search. Raises Refusal."""
    try:
        day = date.fromisoformat(given)
        day + timedelta(days=1)
    except (ValueError, OverflowError):
        raise Refusal("malformed", f"{quoted(given)} is no day; write it as 2026-11-22") from None
    return day


async def page(store: Store, guest: str, asked: HistoryRequest, limit: int = PAGE) -> History:
    """Return a page of a guest's games, the latest first. Raises Refusal."""
    where = conditions(guest, asked)
    if asked.before is not None:
        ended, _, table = asked.before.partition(_APART)
        where.append(sa.tuple_(mine.c.ended, mine.c.table_id) < sa.tuple_(sa.literal(ended), sa.literal(table)))
    kept = sa.or_(tables.c.id.is_not(None), brought.c.table_id.is_not(None)).label("kept")
    query = sa.select(mine, finished, kept).join_from(mine, finished, finished.c.id == mine.c.table_id)
    query = query.join(tables, tables.c.id == finished.c.id, isouter=True)
    query = query.join(brought, brought.c.table_id == finished.c.id, isouter=True).where(*where)
    query = query.order_by(mine.c.ended.desc(), mine.c.table_id.desc()).limit(limit + 1)
    rows = await store.select(query)
    found = rows[:limit]
    seated = await _seats(store, [row.table_id for row in found])
    following = f"{found[-1].ended}{_APART}{found[-1].table_id}" if len(rows) > limit else None
    return History([_played(row, seated.get(row.table_id, []), guest) for row in found], following)


async def _seats(store: Store, ids: Sequence[str]) -> dict[str, list[sa.Row[Any]]]:
    """Return the results of all seats of some games, by their tables."""
    found: dict[str, list[sa.Row[Any]]] = {}
    for some in (ids[i : i + AT_ONCE] for i in range(0, len(ids), AT_ONCE)):
        query = sa.select(results).where(results.c.table_id.in_(some)).order_by(results.c.table_id, results.c.seat)
        for row in await store.select(query):
            found.setdefault(row.table_id, []).append(row)
    return found


def _played(row: sa.Row[Any], seated: Iterable[sa.Row[Any]], guest: str) -> PlayedGame:
    return PlayedGame(
        table=row.table_id,
        game=row.game,
        options=row.options if isinstance(row.options, dict) else {},
        seats=[PlayedSeat(one.name, one.bot, one.program, one.guest == guest, one.score, one.place) for one in seated],
        seat=row.seat,
        outcome=row.outcome,
        assistance=row.assistance,
        duel=row.duel,
        ending=row.how,
        started=row.started,
        ended=row.ended,
        cost=row.cost,
        decisions=row.decisions,
        kept=row.kept,
        device=row.rated == ON_DEVICE,
    )


async def all_games(store: Store, guest: str) -> list[PlayedGame]:
    """Return all finished games of a guest, the latest first. Retention bounds their number."""
    games: list[PlayedGame] = []
    following: str | None = None
    while True:
        found = await page(store, guest, HistoryRequest(before=following), AT_ONCE)
        games += found.games
        if (following := found.next) is None:
            return games


async def summary(store: Store, guest: str, asked: HistoryRequest) -> HistorySummary:
    """Return what the games of a guest come to. Raises Refusal."""
    where = conditions(guest, asked)
    own = await _own_groups(store, where)
    levels = await _level_groups(store, where)
    outcomes: Counter[str] = Counter()
    for row in own:
        outcomes[row.outcome] += row.games
    return HistorySummary(
        games=outcomes.total(),
        outcomes=dict(outcomes),
        totals=[
            _totals(game, players, rows) for (game, players), rows in _by(own, lambda row: (row.game, row.players))
        ],
        levels=[
            LevelTotals(game, bot, _tally(rows)) for (game, bot), rows in _by(levels, lambda row: (row.game, row.bot))
        ],
        seats=[
            SeatTotals(game, players, seat, tally)
            for (game, players, seat), rows in _by(own, lambda row: (row.game, row.players, row.seat))
            if (tally := _tally(rows)).games
        ],
        opponents=await _opponents(store, guest, where),
    )


async def _own_groups(store: Store, where: Sequence[sa.ColumnElement[bool]]) -> list[sa.Row[Any]]:
    """Return sums of the games with one kind, seat and outcome."""
    kind = (mine.c.game, mine.c.players, mine.c.seat, mine.c.outcome)
    points = sa.case((_BY_RULES, mine.c.score))
    cost = sa.case((mine.c.outcome != "together", mine.c.cost))
    query = sa.select(
        *kind,
        sa.func.count().label("games"),
        sa.func.count(points).label("scored"),
        sa.func.max(points).label("best"),
        sa.func.sum(points).label("points"),
        sa.func.count(cost).label("weighed"),
        sa.func.sum(cost).label("cost"),
    )
    return await store.select(query.where(*where).group_by(*kind).order_by(*kind))


async def _level_groups(store: Store, where: Sequence[sa.ColumnElement[bool]]) -> list[sa.Row[Any]]:
    """Return how many games a guest has played with each bot, by outcome. A bot on several seats counts once."""
    kind = (mine.c.game, other.c.bot, mine.c.outcome)
    query = sa.select(*kind, sa.func.count(mine.c.table_id.distinct()).label("games"))
    query = query.join_from(mine, other, other.c.table_id == mine.c.table_id)
    return await store.select(query.where(*where, _DECIDED, other.c.bot.is_not(None)).group_by(*kind).order_by(*kind))


async def _opponents(store: Store, guest: str, where: Sequence[sa.ColumnElement[bool]]) -> list[OpponentTotals]:
    """Return the people with whom a guest has played most, by the name that they had last.

    The database finds them: there may be thousands.
    """
    won, shared = (sa.func.sum(sa.case((mine.c.outcome == outcome, 1), else_=0)) for outcome in ("won", "shared"))
    games, called = sa.func.count(), sa.func.max(other.c.ended + _APART + other.c.name)
    query = sa.select(games, won, shared, called).join_from(mine, other, other.c.table_id == mine.c.table_id)
    people = other.c.bot.is_(None), other.c.guest != guest, ~other.c.again
    query = query.where(*where, _DECIDED, *people).group_by(other.c.guest)
    rows = await store.select(query.order_by(games.desc(), called.desc()).limit(OPPONENTS))
    return [OpponentTotals(last.partition(_APART)[2], Tally(*tally)) for *tally, last in rows]


def _by(rows: Iterable[sa.Row[Any]], kind: Callable[[sa.Row[Any]], Any]) -> list[tuple[Any, list[sa.Row[Any]]]]:
    """Return rows by their kind, in order."""
    return [(key, list(group)) for key, group in itertools.groupby(sorted(rows, key=kind), kind)]


def _tally(rows: Iterable[sa.Row[Any]]) -> Tally:
    """Return how the games went that are decided."""
    counted: Counter[str] = Counter()
    for row in rows:
        counted[row.outcome] += row.games
    return Tally(sum(counted[outcome] for outcome in DECIDED), counted["won"], counted["shared"])


def _totals(game: str, players: int, rows: list[sa.Row[Any]]) -> GameTotals:
    scored, weighed = sum(row.scored for row in rows), sum(row.weighed for row in rows)
    points, cost = sum(row.points or 0 for row in rows), sum(row.cost or 0 for row in rows)
    return GameTotals(
        game=game,
        players=players,
        games=sum(row.games for row in rows),
        tally=_tally(rows),
        scored=scored,
        best=max((row.best for row in rows if row.best is not None), default=None),
        mean=round(points / scored, 2) if scored else None,
        weighed=weighed,
        cost=round(cost / weighed, 4) if weighed else None,
    )


async def plotted(store: Store, guest: str, asked: HistoryRequest) -> list[PlottedGame]:
    """Return the last games of a guest that ended by their rules, the oldest first. Raises Refusal."""
    query = sa.select(mine.c.table_id, mine.c.ended, mine.c.score, mine.c.cost)
    query = query.where(*conditions(guest, asked), _BY_RULES).order_by(mine.c.ended.desc(), mine.c.table_id.desc())
    rows = await store.select(query.limit(PLOTTED))
    return [PlottedGame(row.table_id, row.ended, row.score, row.cost) for row in reversed(rows)]


async def keep_cost(store: Store, guest: str, cost: KeepCost) -> None:
    """Keep what the coach says of the decisions of a guest's own seats. Raises Refusal, Conflict."""
    own = results.c.table_id == cost.table, results.c.guest == guest
    rows = await store.select(sa.select(results.c.seat).where(*own))
    seats = [row.seat for row in rows if row.seat < min(len(cost.lost), len(cost.decisions))]
    if seats:
        await store.write(
            *(
                sa.update(results)
                .where(*own, results.c.seat == seat)
                .values(cost=cost.lost[seat], decisions=cost.decisions[seat])
                for seat in seats
            )
        )
