"""A slow table at two nodes with PostgreSQL: one of them acts when a deadline passes, and both tell their pages."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import pytest

from bosquet.server.base.clock import later
from bosquet.server.http.server import Server
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.actions.join import Join
from bosquet.server.table.listeners import DeadlineNear, StoodIn, TurnBegan, TurnEnded
from bosquet.server.table.messages import NewTable, SeatWish, Slow
from bosquet.server.tables.deadlines import Deadlines, due_tables
from bosquet.server.tables.slow_tables import slow_inviting, turns_waiting
from tests.helpers.services import LEAVES_CONNECTIONS
from tests.nodes.helpers.cluster import Ear, Services, play, until, with_two_nodes

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]
SEATS = [SeatWish(kind="me", name="Ann"), SeatWish(kind="friend")]


async def looked_after(server: Server, at: str) -> int:
    """Look after the tables that are due, at one node; return how many it has claimed."""
    return await Deadlines(server.services.store, server.registry, lambda: at).look()


def test_a_deadline_passes_once_at_two_nodes(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        told: list[Any] = []
        for server in (first, second):
            server.registry.listeners.subscribe(told.append)
        agreed = Slow(days=1, bot="greedy")
        new = NewTable(game="topas", options={"players": 2}, seats=SEATS, pace="instant", listed=True, slow=agreed)
        here = await first.opener.open("ann", new)
        assert await slow_inviting(second.services.store, 9) == [here.id]
        there = await second.registry.find(here.id)
        await there.do("bea", Join("Bea", None))  # Ann is not there
        ann, bea = Ear("ann"), Ear("bea")
        await here.attach(ann)
        await there.attach(bea)
        await here.do("ann", Ready(secrets.token_hex(16)))
        await there.do("bea", Ready(secrets.token_hex(16)))
        await until(lambda: ann.position and bea.position and ann.state["deadline"] == bea.state["deadline"])
        deadline = str(ann.state["deadline"])
        seat = ann.position["view"]["seat"]
        late, other = ("ann", "bea") if here.session.chairs[seat].guest == "ann" else ("bea", "ann")
        assert [type(one) for one in told] == [TurnBegan]
        remind = later(deadline, hours=-12)
        assert await due_tables(first.services.store, deadline, 9) == [(here.id, remind)]
        assert await turns_waiting(second.services.store, late) == (1, 1)

        looked = [looked_after(server, remind) for server in (first, second)]
        assert sorted(await asyncio.gather(*looked)) == [0, 1]
        assert [(type(one), one.guest) for one in told[1:]] == [(DeadlineNear, late)], "by one node"
        told.pop()
        assert await due_tables(first.services.store, deadline, 9) == [(here.id, deadline)]

        looked = [looked_after(server, deadline) for server in (first, second)]
        assert sorted(await asyncio.gather(*looked)) == [0, 1]
        await until(lambda: all(ear.state["deadline"] not in (None, deadline) for ear in (ann, bea)))
        await until(lambda: ann.position["number"] == bea.position["number"] > 0)
        assert [(type(one), one.guest) for one in told[1:]] == [
            (TurnEnded, late),
            (StoodIn, late),
            (TurnBegan, other),
        ]
        assert not any(seat["stands_in"] for ear in (ann, bea) for seat in ear.state["seats"])

        # A move at the other node moves the deadline for both.
        before = str(ann.state["deadline"])
        await play(*((here, ann) if other == "ann" else (there, bea)))
        await until(lambda: all(ear.state["deadline"] not in (None, before) for ear in (ann, bea)))
        assert ann.state["deadline"] == bea.state["deadline"] > later(before, seconds=-60)
        assert [one.guest for one in told[4:]] == [other, late]

    with_two_nodes(services, story)
