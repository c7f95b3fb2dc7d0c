"""Measures how fast the server answers a guest with thousands of finished games.

`python -m benchmarks.history` measures, on SQLite or an empty `--database` of PostgreSQL: the first page of the list
and one far back, searches, the sums of all games, a plot, and the list of fellow players.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
import typer
from rich.console import Console
from rich.table import Table

from bosquet.server.guests import people
from bosquet.server.history import games as history
from bosquet.server.history.messages import HistoryRequest
from bosquet.server.store.schema import finished, results
from bosquet.server.store.store import Store

GUEST = "me"
GAMES = ("schlossgarten", "topas", "topiary")
BOTS = ("level1", "level3", "level6")
ROUNDS = 15
BATCH = 500


def rows(rng: random.Random, count: int, guest: str, people: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return finished games of a guest, a third of them with one of some other people, and their results."""
    games, seats = [], []
    start = datetime(2020, 1, 1, tzinfo=UTC)
    for number in range(count):
        players, game, table = rng.choice((2, 2, 3, 4)), rng.choice(GAMES), f"{guest}{number:06}"
        ended = (start + timedelta(minutes=20 * number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        games.append({"id": table, "game": game, "options": {}, "assistance": "plain", "ended": ended})
        winner, own = rng.randrange(players), rng.randrange(players)
        for seat in range(players):
            friend = seat != own and rng.random() < 0.3
            name = f"Friend {rng.randrange(people)}"
            seats.append(
                {
                    "table_id": table,
                    "seat": seat,
                    "guest": guest if seat == own else name if friend else None,
                    "name": "Ann" if seat == own else name if friend else "Level",
                    "bot": None if seat == own or friend else rng.choice(BOTS),
                    "program": False,
                    "again": False,
                    "stood_in": False,
                    "game": game,
                    "players": players,
                    "ended": ended,
                    "whole": True,
                    "outcome": "won" if seat == winner else "lost",
                    "score": rng.randrange(20, 90),
                    "place": 1 if seat == winner else 2,
                    "cost": rng.random() if rng.random() < 0.2 else None,
                    "decisions": 30,
                }
            )
    return games, seats


async def fill(store: Store, count: int, others: int) -> None:
    """Store the games of the guest, and as many for each of some others."""
    rng = random.Random(1)
    for guest in (GUEST, *(f"other{number}-" for number in range(others))):
        games, seats = rows(rng, count, guest, 40)
        for table, found in ((finished, games), (results, seats)):
            for some in (found[i : i + BATCH] for i in range(0, len(found), BATCH)):
                await store.write(sa.insert(table).values(some))


async def measure(store: Store) -> dict[str, list[float]]:
    """Return the milliseconds of each question, measured several times."""
    middle = (await history.page(store, GUEST, HistoryRequest(until="2020-02-05"), 1)).next
    questions: dict[str, Callable[[], Awaitable[Any]]] = {
        "first page": lambda: history.page(store, GUEST, HistoryRequest()),
        "page in the middle": lambda: history.page(store, GUEST, HistoryRequest(before=middle)),
        "by game and outcome": lambda: history.page(store, GUEST, HistoryRequest(game="topas", outcome="lost")),
        "by opponent": lambda: history.page(store, GUEST, HistoryRequest(opponent="friend 17")),
        "by opponent, none found": lambda: history.page(store, GUEST, HistoryRequest(opponent="nobody")),
        "by days": lambda: history.page(store, GUEST, HistoryRequest(since="2020-02-01", until="2020-02-02")),
        "sums of all games": lambda: history.summary(store, GUEST, HistoryRequest()),
        "plot": lambda: history.plotted(store, GUEST, HistoryRequest(game="topas", players=2)),
        "fellow players": lambda: people.listed(store, GUEST),
    }
    took: dict[str, list[float]] = {name: [] for name in questions}
    for _ in range(ROUNDS):
        for name, ask in questions.items():
            begun = time.perf_counter()
            await ask()
            took[name].append(1000 * (time.perf_counter() - begun))
    return took


async def run(database: str, count: int, others: int) -> dict[str, list[float]]:
    """Fill a database and measure."""
    store = Store(database)
    await store.open()
    try:
        await fill(store, count, others)
        return await measure(store)
    finally:
        await store.close()


def main(
    games: Annotated[int, typer.Option(help="Finished games of the guest who asks.")] = 5000,
    others: Annotated[int, typer.Option(help="Other guests with as many games.")] = 3,
    database: Annotated[str, typer.Option(help="URL of an empty database; an SQLite file by default.")] = "",
) -> None:
    """Print milliseconds of each question."""
    with tempfile.TemporaryDirectory() as folder:
        took = asyncio.run(run(database or f"sqlite:///{Path(folder) / 'tables.db'}", games, others))
    table = Table("question", "median ms", "slowest ms", title=f"{games} games of one guest")
    for name, times in took.items():
        table.add_row(name, f"{statistics.median(times):.1f}", f"{max(times):.1f}")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
