"""Who is told of a turn at a slow table: guests who are not there, once, and until they come."""

from __future__ import annotations

import asyncio
from collections.abc import Set
from datetime import UTC, datetime
from typing import Any

from bosquet.server.base.refusals import Refusal
from bosquet.server.notices.notices import Notices
from bosquet.server.notices.turn_notices import TurnNotices
from bosquet.server.table.listeners import DeadlineNear, StoodIn, TurnBegan, TurnEnded

BEGAN = TurnBegan("ann", "t1", 0, "topiary", ["Ann", "Bea"], "2026-11-23T10:00:00Z")
ENDED = TurnEnded("ann", "t1", 0)
NEAR = DeadlineNear("ann", "t1", "topiary", "2026-11-23T10:00:00Z")
PLAYED = StoodIn("ann", "t1", "topiary")


class Told(Notices):
    """Writes down what it is told."""

    def __init__(self, fails: int = 0) -> None:
        self.told: list[Any] = []
        self.fails = fails

    async def your_turn(self, guest: str, table: str, game: str, deadline: datetime | None = None) -> None:
        if self.fails:
            self.fails -= 1
            raise Refusal("unavailable", "the disk is full")
        self.told.append((guest, table, game, deadline))

    async def remind(self, guest: str, table: str, game: str, deadline: datetime) -> None:
        self.told.append(("soon", guest, table, game, deadline))

    async def stood_in(self, guest: str, table: str, game: str) -> None:
        self.told.append(("played", guest, table, game))

    async def settled(self, guest: str, table: str) -> None:
        self.told.append((guest, table))


async def passed_on(notices: Told, news: list[Any], here: Set[str] = frozenset()) -> list[Any]:
    turns = TurnNotices(notices, lambda table, guest: guest in here)
    async with turns.passing_on():
        for one in news:
            turns.hear(one)
        for _ in range(20):
            await asyncio.sleep(0)
    return notices.told


def test_who_is_not_there_is_told_with_the_deadline_and_then_no_more() -> None:
    told = asyncio.run(passed_on(Told(), [BEGAN, ENDED]))
    assert told == [("ann", "t1", "topiary", datetime(2026, 11, 23, 10, tzinfo=UTC)), ("ann", "t1")]


def test_who_is_not_there_is_reminded_and_told_that_a_bot_has_played() -> None:
    told = asyncio.run(passed_on(Told(), [NEAR, ENDED, PLAYED]))
    soon = ("soon", "ann", "t1", "topiary", datetime(2026, 11, 23, 10, tzinfo=UTC))
    assert told == [soon, ("ann", "t1"), ("played", "ann", "t1", "topiary")]


def test_who_looks_at_the_table_is_told_nothing() -> None:
    assert asyncio.run(passed_on(Told(), [BEGAN, NEAR, PLAYED], {"ann"})) == []


def test_a_store_that_fails_once_costs_one_notice() -> None:
    assert len(asyncio.run(passed_on(Told(fails=1), [BEGAN, BEGAN]))) == 1
