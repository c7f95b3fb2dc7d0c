"""Measures how long it takes to rate a backlog of finished games, and to show ratings.

    uv run python -m benchmarks.ratings [--games 10000] [--guests 200] [--database postgresql://…]

Half of the games are between guests who want ratings, the others against levels. There is no baseline: a server must
keep up, and the slowest transaction shows how long moves wait meanwhile.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
import typer
from rich.console import Console
from rich.table import Table

from bosquet.bots.levels import COUNT
from bosquet.server.history import ratings
from bosquet.server.history.rater import BATCH, Rater
from bosquet.server.store.schema import finished, rating_wishes, results
from bosquet.server.store.store import AT_ONCE, Store

START = datetime(2026, 1, 1, tzinfo=UTC)
GAMES = ("topiary", "topas", "schlossgarten")
PLAYERS = 2
ROUNDS = 20


async def fill(store: Store, games: int, guests: int) -> None:
    """Write the results of games, as their ends write them."""
    rng = random.Random(1)
    names = [f"guest{number:08}" for number in range(guests)]
    since = (START - timedelta(days=1)).isoformat()
    await store.write(sa.insert(rating_wishes).values([{"guest": n, "since": since, "version": 0} for n in names]))
    for first in range(0, games, AT_ONCE):
        over, seated = list[dict[str, Any]](), list[dict[str, Any]]()
        for number in range(first, min(games, first + AT_ONCE)):
            at = (START + timedelta(minutes=5 * number)).isoformat(timespec="milliseconds")
            table, game = f"t{number:09}", rng.choice(GAMES)
            row = {"id": table, "game": game, "options": {}, "assistance": "plain", "hinted": False, "own_box": False}
            over.append(row | {"started": at, "ended": at, "moves": 60})
            level = f"level{rng.randint(1, COUNT)}"
            players = [(one, None) for one in rng.sample(names, PLAYERS)] if number % 2 else [(rng.choice(names), None)]
            shared = {"table_id": table, "game": game, "players": PLAYERS, "ended": at, "whole": True}
            shared |= {"program": False, "again": False, "stood_in": False}
            won = rng.randrange(PLAYERS)
            for seat, (guest, bot) in enumerate([*players, (None, level)][:PLAYERS]):
                outcome = {"outcome": "won" if seat == won else "lost", "place": 1 if seat == won else 2}
                seated.append(shared | outcome | {"seat": seat, "guest": guest, "name": guest, "bot": bot})
        await store.write(sa.insert(finished).values(over))
        for some in range(0, len(seated), AT_ONCE):
            await store.write(sa.insert(results).values(seated[some : some + AT_ONCE]))


async def measure(store: Store) -> list[tuple[str, float]]:
    """Return what was measured, in milliseconds."""
    rater, batches = Rater(store, pause=0), list[float]()
    begun, cpu, rated = time.perf_counter(), time.process_time(), 0
    while more := await rater.rate(batches=1):
        batches.append(time.perf_counter() - begun - sum(batches))
        rated += more
    took, used = time.perf_counter() - begun, time.process_time() - cpu
    found = [
        (f"{rated} games", 1000 * took),
        ("processor time of that", 1000 * used),
        (f"{BATCH} games, median", 1000 * statistics.median(batches)),
        (f"{BATCH} games, most", 1000 * max(batches)),
    ]
    for name, ask in (
        ("ratings and leaderboards of three games", lambda: ratings.shown(store, "guest00000000")),
        ("a curve", lambda: ratings.plotted(store, "guest00000000", "topas")),
        ("what one game changed", lambda: ratings.of_game(store, "guest00000000", "t000000001")),
    ):
        times = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            await ask()
            times.append(1000 * (time.perf_counter() - begun))
        found.append((name, statistics.median(times)))
    return found


async def run(database: str, games: int, guests: int) -> list[tuple[str, float]]:
    """Fill a database and measure."""
    store = Store(database)
    await store.open()
    try:
        await fill(store, games, guests)
        return await measure(store)
    finally:
        await store.close()


def main(
    games: Annotated[int, typer.Option(help="Finished games that are to be rated.")] = 10_000,
    guests: Annotated[int, typer.Option(help="Guests who want ratings.")] = 200,
    database: Annotated[str, typer.Option(help="URL of an empty database; an SQLite file by default.")] = "",
) -> None:
    """Print how long it takes."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(run(database or f"sqlite:///{Path(folder) / 'tables.db'}", games, guests))
    table = Table("what", "ms", title=f"{games} games of {guests} guests")
    for name, took in found:
        table.add_row(name, f"{took:.1f}")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
