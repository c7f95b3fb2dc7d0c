"""Rates games as they end, for those guests who want a rating.

The transaction that ends a game stores it unrated (`finished.rated` is null). Any node rates such games, in the order
in which they ended. It writes ratings, changes and the column `rated` in one transaction. That conflicts if another
node was quicker, or if a guest has turned its rating off or was erased meanwhile. So each game counts once, and none is
lost when a node is killed. A rating is never computed again, so what was shown stays true when opponents are erased and
old games deleted. A game that is found late changes the ratings as they are then; later
ones are not computed again.

`rated_games.py` decides which games count and by how much, and `skill.py` has the model.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Mapping, Sequence, Set
from datetime import date
from typing import Any

import sqlalchemy as sa
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.bots import strengths
from bosquet.server.base.background import failures_logged, in_background
from bosquet.server.base.clock import days_before, today
from bosquet.server.history.rated_games import PAIR_DAYS, Book, Change, Finished, Seat, Standing
from bosquet.server.history.skill import Skill, days_certain, shown
from bosquet.server.store.clock_leaps import is_steady
from bosquet.server.store.schema import (
    finished,
    rating_changes,
    rating_wishes,
    ratings,
    results,
    seats,
    tables,
)
from bosquet.server.store.store import AT_ONCE, Conflict, Statement, Store
from bosquet.server.table.listeners import GameEnded, TableNews

BATCH = 50
"""Games that are rated by one transaction, so that moves are written in between."""
LOOK_SECONDS = 20.0
"""Between two looks for games that no node has told of, because it was killed."""
GATHER_SECONDS = 1.0
"""How long ended games are gathered, to be rated together. A request for ratings does not wait for it."""
GIVEN_UP_DAYS = 14
"""Days of inactivity after which the player to move forfeits; slow tables have deadlines instead."""
GIVEN_UP_FIRST_SECONDS = 24 * 3600.0
"""From the start to the first look for such players: while no server ran, nobody could play."""
GIVEN_UP_SECONDS = 3600.0
"""Between two looks for them."""
PAUSE_SECONDS = 0.02
"""Between two batches."""
TRIES = 20
"""How many times in a row other nodes may have been quicker before it gives up for now."""
SOON = 5
"""Batches that a request waits for."""

log: FilteringBoundLogger = structlog.get_logger()
Row = sa.Row[*tuple[Any, ...]]

# Made once: to make a statement takes longer than to execute it.
_VERDICT = sa.update(finished).where(finished.c.id == sa.bindparam("table"), finished.c.rated.is_(None))
_VERDICT = _VERDICT.values(rated=sa.bindparam("verdict"))
_RATED = sa.update(rating_wishes).where(rating_wishes.c.guest == sa.bindparam("whose"))
_RATED = _RATED.where(rating_wishes.c.version == sa.bindparam("before")).values(version=sa.bindparam("after"))
_CHANGED = ("mu", "sigma", "games", "ended", "levels_mu", "levels_sigma", "listed", "listed_until")
_RATING = sa.update(ratings).where(ratings.c.guest == sa.bindparam("new_guest"))
_RATING = _RATING.where(ratings.c.game == sa.bindparam("new_game")).values(
    {column: sa.bindparam(f"new_{column}") for column in (*_CHANGED, "name")}
)
_FIRST_RATING = sa.insert(ratings)
_CHANGES = sa.insert(rating_changes)


class Rater:
    """Rates games as they end."""

    def __init__(self, store: Store, pause: float = PAUSE_SECONDS) -> None:
        self._store = store
        self._pause = pause
        self._lock = asyncio.Lock()
        self._ended = asyncio.Event()

    def hear(self, news: TableNews) -> None:
        """Look soon, for a game has ended."""
        if isinstance(news, GameEnded):
            self._ended.set()

    @contextlib.asynccontextmanager
    async def keeping_up(self) -> AsyncIterator[None]:
        """Rate games in the background meanwhile."""
        async with in_background(self._run()):
            yield

    async def _run(self) -> None:
        looks = time.monotonic() + GIVEN_UP_FIRST_SECONDS
        while True:
            with failures_logged("games could not be rated; the next try is in some seconds"):
                await self.rate()
                if time.monotonic() >= looks:
                    looks = time.monotonic() + GIVEN_UP_SECONDS
                    if await is_steady(self._store, date.fromisoformat(today())):
                        await self.forfeit_absent(today())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._ended.wait()
                    await asyncio.sleep(GATHER_SECONDS)
            self._ended.clear()

    async def rate(self, batches: int | None = None) -> int:
        """Rate the games that have ended, all or some batches; return how many this node has rated. Raises Refusal."""
        rated, quicker = 0, 0
        while batches is None or batches > 0:
            batches = None if batches is None else batches - 1
            async with self._lock:
                due = await self._due()
                if not due:
                    break
                try:
                    await self._rate(due)
                    rated, quicker = rated + len(due), 0
                except Conflict:  # another node was quicker, or somebody has turned the rating off
                    quicker += 1
                    if quicker > TRIES:
                        log.warning("games could not be rated; the next try is in some seconds")
                        break
            if len(due) < BATCH and not quicker:
                break
            await asyncio.sleep(self._pause)
        return rated

    async def _due(self) -> Sequence[Row]:
        """Return the games to be rated next, those first that ended first."""
        query = sa.select(finished).where(finished.c.rated.is_(None))
        return await self._store.select(query.order_by(finished.c.ended, finished.c.id).limit(BATCH))

    async def _rate(self, due: Sequence[Row]) -> None:
        """Rate some games. Raises Conflict if something has changed that matters, Refusal."""
        ids = [row.id for row in due]
        query = sa.select(results).where(results.c.table_id.in_(ids)).order_by(results.c.table_id, results.c.seat)
        seated: dict[str, list[Row]] = {}
        for row in await self._store.select(query):
            seated.setdefault(row.table_id, []).append(row)
        guests = sorted({row.guest for rows in seated.values() for row in rows if row.guest is not None})
        book, versions = await self._book(guests, due[0].ended, ids)
        rated_before = set(book.standings)
        verdicts, changes = await asyncio.to_thread(_rated, book, [(row, seated.get(row.id, [])) for row in due])
        names = {(row.table_id, row.seat): row.name for rows in seated.values() for row in rows}
        await self._store.write(
            *((_VERDICT, {"table": row.id, "verdict": verdict}) for row, verdict in zip(due, verdicts, strict=True)),
            *_written(changes, names, versions, rated_before),
        )

    async def _book(self, guests: Sequence[str], first: str, ids: Sequence[str] = ()) -> tuple[Book, Mapping[str, int]]:
        """Return the standings of some guests before games of which the first ended at `first`, and their versions.

        `ids` are tables whose games some guests may have lost before their end.
        """
        wishes = await self._of(rating_wishes, guests)
        wanting = [row.guest for row in wishes]
        standings = {
            (row.guest, row.game): Standing(Skill(row.mu, row.sigma), row.games, row.ended, _levels(row))
            for row in await self._of(ratings, wanting)
        }
        since = {row.guest: row.since for row in wishes}
        book = Book(since, standings, await self._met(wanting, first), await self._lost(ids) if ids else set())
        return book, {row.guest: row.version for row in wishes}

    async def forfeit_absent(self, day: str) -> int:
        """Let players lose who have long stayed away from their turn; return how many. Raises Refusal."""
        since = days_before(day, GIVEN_UP_DAYS)
        told = sa.exists().where(rating_changes.c.guest == seats.c.guest, rating_changes.c.table_id == tables.c.id)
        query = (
            sa.select(tables, seats.c.guest.label("whose"))
            .join(seats, sa.and_(seats.c.table_id == tables.c.id, seats.c.seat == tables.c.turn))
            .join(rating_wishes, rating_wishes.c.guest == seats.c.guest)
            .where(tables.c.phase == "playing", tables.c.touched < since, tables.c.turn_days.is_(None))
            .where(tables.c.started >= rating_wishes.c.since, seats.c.bot.is_(None), ~told)
        )
        given_up, last = 0, ""
        while True:
            found = await self._store.select(query.where(tables.c.id > last).order_by(tables.c.id).limit(BATCH))
            for row in found:
                with contextlib.suppress(Conflict):  # somebody has come meanwhile
                    given_up += await self._give_up(row, f"{day}T00:00:00.000Z")
                await asyncio.sleep(self._pause)
            if len(found) < BATCH:
                return given_up
            last = found[-1].id

    async def _give_up(self, table: Row, at: str) -> bool:
        """Let the one whose turn it is at a table lose; return whether that changes a rating. Raises Conflict."""
        seated = await self._store.select(sa.select(seats).where(seats.c.table_id == table.id).order_by(seats.c.seat))
        guests = sorted({seat.guest for seat in seated if seat.guest is not None})
        book, versions = await self._book(guests, at)
        played = Finished(
            table=table.id,
            game=table.game,
            assistance=table.assistance,
            how=None,
            hinted=table.hinted,
            started=table.started,
            ended=at,
            moves=None,
            own_box=table.box is not None,
            seats=[Seat(one.guest, one.bot, bool(one.program), False, "lost", 1) for one in seated],
        )
        change = book.forfeit_absent(played, table.whose)
        if change is None:
            return False
        there = (tables.c.id == table.id) & (tables.c.phase == "playing") & (tables.c.touched == table.touched)
        names = {(one.table_id, one.seat): one.name for one in seated}
        await self._store.write(
            sa.update(tables).where(there).values(phase="playing"),  # changes nothing
            *_written([(played, change)], names, versions, set(book.standings)),
        )
        return True

    async def _lost(self, ids: Sequence[str]) -> set[tuple[str, str]]:
        """Return who has lost a game at one of these tables before its end."""
        query = sa.select(rating_changes.c.guest, rating_changes.c.table_id)
        return {
            (row.guest, row.table_id)
            for row in await self._store.select(query.where(rating_changes.c.table_id.in_(ids)))
        }

    async def _of(self, table: sa.Table, guests: Sequence[str]) -> list[Row]:
        """Return the rows of some guests."""
        found: list[Row] = []
        for some in (guests[i : i + AT_ONCE] for i in range(0, len(guests), AT_ONCE)):
            found += await self._store.select(sa.select(table).where(table.c.guest.in_(some)))
        return found

    async def _met(self, guests: Sequence[str], first: str) -> dict[tuple[str, str, str], list[str]]:
        """Return when counted games between two of some guests ended, by game and guests, as far back as it matters."""
        if len(guests) < 2:
            return {}
        one, other = results.alias("one"), results.alias("other")
        since = days_before(first, PAIR_DAYS)
        query = (
            sa.select(one.c.game, one.c.guest, other.c.guest, one.c.ended)
            .join_from(one, other, sa.and_(other.c.table_id == one.c.table_id, other.c.guest > one.c.guest))
            .join(finished, sa.and_(finished.c.id == one.c.table_id, finished.c.rated == "counted"))
            .where(
                one.c.guest.in_(guests), other.c.guest.in_(guests), one.c.ended >= since, ~one.c.again, ~other.c.again
            )
        )
        met: dict[tuple[str, str, str], list[str]] = {}
        for game, first_guest, second, ended in await self._store.select(query):
            met.setdefault((game, first_guest, second), []).append(ended)
        return met


def _rated(book: Book, due: Sequence[tuple[Row, Sequence[Row]]]) -> tuple[list[str], list[tuple[Finished, Change]]]:
    """Return the verdict of each game and all changes, in order."""
    verdicts, changes = list[str](), list[tuple[Finished, Change]]()
    for row, seated in due:
        played = _finished(row, seated)
        try:
            verdict, changed = book.rate(played)
        except (ArithmeticError, ValueError, LookupError, TypeError):  # a row that was damaged hinders no other one
            log.error("a game could not be rated", table=row.id[:6])
            verdict, changed = "broken", []
        verdicts.append(verdict)
        changes += [(played, one) for one in changed]
    return verdicts, changes


def _finished(row: Row, seated: Sequence[Row]) -> Finished:
    return Finished(
        table=row.id,
        game=row.game,
        assistance=row.assistance,
        how=row.how,
        hinted=row.hinted,
        started=row.started,
        ended=row.ended,
        moves=row.moves,
        own_box=row.own_box,
        seats=[
            Seat(one.guest, one.bot, bool(one.program), bool(one.stood_in), one.outcome, one.place) for one in seated
        ],
    )


def _levels(row: Row) -> Skill | None:
    """Return what games against levels alone say of a guest, as it is kept."""
    return None if row.levels_mu is None else Skill(row.levels_mu, row.levels_sigma)


def _days_listed(game: str, change: Change) -> int | None:
    """Return for how many days without a game a guest stays on the leaderboard; None if it is not there.

    In a game with levels, the guest's strength against these must be known, too.
    """
    by_all, by_levels = days_certain(change.skill), change.levels and days_certain(change.levels)
    if by_all is None or not strengths.levels(game):
        return by_all
    return None if by_levels is None else min(by_all, by_levels)


def _written(
    changes: Sequence[tuple[Finished, Change]],
    names: Mapping[tuple[str, int], str | None],
    versions: Mapping[str, int],
    before: Set[tuple[str, str]],
) -> list[Statement]:
    """Return what writes ratings and changes, and conflicts if one of the guests has changed meanwhile.

    `before` are the guests and games that have a rating already.
    """
    if not changes:
        return []
    last = {(one.guest, played.game): (played, one) for played, one in changes}
    written: list[Statement] = [
        (_RATED, {"whose": guest, "before": versions[guest], "after": versions[guest] + 1})
        for guest in sorted({guest for guest, _ in last})
    ]
    for (guest, game), (played, one) in last.items():
        days = _days_listed(game, one)
        until = None if days is None else days_before(played.ended, -days)
        row = {"guest": guest, "game": game, "mu": one.skill.mu, "sigma": one.skill.sigma, "games": one.number}
        row |= {"ended": played.ended, "listed_until": until, "listed": shown(one.skill, one.levels)}
        row |= dict(zip(("levels_mu", "levels_sigma"), one.levels or (None, None), strict=True))
        row["name"] = names[played.table, one.seat]
        if (guest, game) in before:
            written.append((_RATING, {f"new_{column}": value for column, value in row.items()}))
        else:
            written.append((_FIRST_RATING, row))
    rows = [
        {
            "guest": one.guest,
            "table_id": played.table,
            "game": played.game,
            "number": one.number,
            "ended": played.ended,
            "mu": one.skill.mu,
            "sigma": one.skill.sigma,
            "change": one.change,
            "weight": one.weight,
        }
        for played, one in changes
    ]
    return [*written, (_CHANGES, rows)]
