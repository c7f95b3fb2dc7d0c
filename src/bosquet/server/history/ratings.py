"""The ratings of guests: what they want, what is shown, what is kept and erased. `rater` makes them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Executable

from bosquet.bots import champion, strengths
from bosquet.core import installed
from bosquet.server.base.clock import days_between, now, today
from bosquet.server.guests.devices import acting, acting_alone
from bosquet.server.history.messages import GameRating, KeptRatings, Leaderboard, RatedGame, Rating, RatingRow, Ratings
from bosquet.server.history.skill import Skill, aged
from bosquet.server.store.schema import (
    finished,
    identities,
    rating_changes,
    rating_wishes,
    ratings,
    results,
)
from bosquet.server.store.store import Store

LISTED = 50
"""Guests on a leaderboard."""
PLOTTED = 400
"""Games in a plot, the latest ones."""

Row = sa.Row[*tuple[Any, ...]]


# --- what guests want ---


async def wish(store: Store, guest: str, device: int, wanted: bool) -> None:
    """Turn the ratings of a guest on, for games that begin from now on, or off, which erases them. Raises Refusal."""
    there = await store.select(sa.select(rating_wishes.c.since).where(rating_wishes.c.guest == guest))
    if bool(there) == wanted:
        return
    changed = [sa.insert(rating_wishes).values(guest=guest, since=now(), version=0)] if wanted else _erased(guest)
    with acting_alone():
        await store.write(acting(guest, device), *changed)


async def erase(store: Store, guest: str) -> None:
    """Erase the ratings of a guest, and that it wanted any. Raises Refusal."""
    await store.write(*_erased(guest))


def _erased(guest: str) -> list[Executable]:
    return [sa.delete(table).where(table.c.guest == guest) for table in (rating_wishes, ratings, rating_changes)]


async def kept(store: Store, guest: str) -> KeptRatings | None:
    """Return all that is kept of a guest here; None if the guest wants no ratings. Raises Refusal."""
    since = await _since(store, guest)
    if since is None:
        return None
    query = sa.select(rating_changes).where(rating_changes.c.guest == guest)
    rows = await store.select(query.order_by(rating_changes.c.game, rating_changes.c.number))
    return KeptRatings(since, await _own(store, guest), [_changed(row) for row in rows])


async def _since(store: Store, guest: str) -> str | None:
    found = await store.select(sa.select(rating_wishes.c.since).where(rating_wishes.c.guest == guest))
    return found[0].since if found else None


# --- what is shown ---


async def shown(store: Store, guest: str) -> Ratings:
    """Return the ratings of a guest and the leaderboards of all games. Raises Refusal."""
    boards = [await leaderboard(store, game, guest) for game in installed.names()]
    return Ratings(await _since(store, guest), await _own(store, guest), boards)


async def leaderboard(store: Store, game: str, guest: str) -> Leaderboard:
    """Return the leaderboard of a game: the best guests whose ratings are established, and the bots among them."""
    theirs = (ratings.c.game == game) & (ratings.c.listed_until >= today())
    rating = sa.func.coalesce(ratings.c.listed, ratings.c.mu)
    called = sa.func.coalesce(identities.c.name, ratings.c.name).label("called")
    query = sa.select(ratings, called, rating.label("rating"))
    query = query.join(identities, identities.c.guest == ratings.c.guest, isouter=True).where(theirs)
    rows = await store.select(query.order_by(rating.desc(), ratings.c.guest).limit(LISTED))
    counted = await store.select(sa.select(sa.func.count()).select_from(ratings).where(theirs))
    found = [
        RatingRow(row.called, None, round(row.rating), _spread(row), row.games, row.guest == guest) for row in rows
    ]
    found += [RatingRow(None, level, round(elo), None, None, False) for level, elo in strengths.levels(game).items()]
    if strongest := strengths.champion(game):
        elo, spread = strongest
        found.append(RatingRow(None, champion.NAME, round(elo), round(spread), None, False))
    found.sort(key=lambda row: row.rating, reverse=True)
    return Leaderboard(game, found, counted[0][0])


async def _own(store: Store, guest: str) -> list[Rating]:
    rows = await store.select(sa.select(ratings).where(ratings.c.guest == guest).order_by(ratings.c.game))
    return [
        Rating(
            row.game,
            round(row.mu),
            _spread(row),
            _today(row).is_provisional,
            row.games,
            None if row.levels_mu is None else round(row.levels_mu),
        )
        for row in rows
    ]


def _today(row: Row) -> Skill:
    """Return a rating as it is today."""
    return aged(Skill(row.mu, row.sigma), days_between(row.ended, today()))


def _spread(row: Row) -> int:
    return round(_today(row).spread)


async def plotted(store: Store, guest: str, game: str) -> list[RatedGame]:
    """Return what the last rated games of a guest changed, the oldest first. Raises Refusal."""
    query = sa.select(rating_changes).where(rating_changes.c.guest == guest, rating_changes.c.game == game)
    rows = await store.select(query.order_by(rating_changes.c.number.desc()).limit(PLOTTED))
    return [_changed(row) for row in reversed(rows)]


async def of_game(store: Store, guest: str, table: str) -> GameRating:
    """Return what a game changed of the rating of a guest, or why it did not. Raises Refusal."""
    if await _since(store, guest) is None:
        return GameRating("unwanted")
    theirs = (rating_changes.c.guest == guest) & (rating_changes.c.table_id == table)
    found = await store.select(sa.select(rating_changes).where(theirs))
    if found:
        return GameRating("counted", _changed(found[0]), Skill(found[0].mu, found[0].sigma).is_provisional)
    there = sa.exists().where(results.c.table_id == finished.c.id, results.c.guest == guest)
    looked = await store.select(sa.select(finished.c.rated).where(finished.c.id == table, there))
    if not looked:
        return GameRating("unwanted")
    verdict = looked[0].rated
    return GameRating("soon" if verdict is None else "nobody" if verdict in ("counted", "broken") else verdict)


def _changed(row: Row) -> RatedGame:
    skill = Skill(row.mu, row.sigma)
    # The difference of what is shown, so that the sum is right to the reader.
    change = round(row.mu) - round(row.mu - row.change)
    return RatedGame(row.table_id, row.game, row.ended, round(row.mu), round(skill.spread), change)
