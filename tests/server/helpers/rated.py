"""Games between guests who want a rating, as they are kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from bosquet.server.store.schema import finished, rating_changes, rating_wishes, results
from bosquet.server.store.schema import ratings as kept_ratings
from bosquet.server.store.store import Store


async def keep(store: Store, number: int, seats: Sequence[dict[str, Any]], **more: Any) -> None:
    """Keep the result of a game that is over."""
    table = more.get("id", f"t{number:04}")
    at = f"2026-03-{1 + number // 1000:02}T{10 + number // 60 % 10}:{number % 60:02}:00.000Z"
    row = {"id": table, "game": "topas", "options": {}, "assistance": "plain", "hinted": False, "own_box": False}
    row |= {"started": at, "ended": at, "moves": 60} | more
    shared = {"program": False, "again": False, "stood_in": False, "whole": True, "outcome": "lost", "place": 2}
    shared |= {"table_id": table, "game": row["game"], "players": len(seats), "ended": row["ended"]}
    await store.write(
        sa.insert(finished).values(row),
        *(
            sa.insert(results).values(shared | {"seat": seat, "name": one.get("guest")} | one)
            for seat, one in enumerate(seats)
        ),
    )


async def want(store: Store, *guests: str) -> None:
    for guest in guests:
        await store.write(
            sa.insert(rating_wishes).values(guest=guest, since="2026-01-01T00:00:00.000Z", version=0),
            sa.text(f"INSERT INTO devices VALUES ('{guest}', 0, NULL, NULL, '2026-01-01', '9999-01-01', NULL)"),
        )


async def some_games(store: Store, count: int = 80) -> None:
    """Keep games of three guests, with each other and with levels."""
    rng = random.Random(3)
    await want(store, "ann", "bea", "cid")
    for number in range(count):
        guests: list[dict[str, Any]] = [{"guest": one} for one in rng.sample(["ann", "bea", "cid"], 2)]
        if number % 2:
            guests[1] = {"bot": f"level{rng.randrange(1, 7)}"}
        winner = rng.randrange(2)
        await keep(store, number, [one | {"place": 1 + (seat != winner)} for seat, one in enumerate(guests)])


async def all_kept(store: Store) -> list[Any]:
    return [
        [tuple(row) for row in await store.select(sa.select(table).order_by(*table.primary_key))]
        for table in (kept_ratings, rating_changes, finished)
    ]
