"""Deals of the day at two nodes with PostgreSQL: the same deal without a word between them, and one attempt."""

from __future__ import annotations

import asyncio

import pytest

from bosquet.server.base.clock import now
from bosquet.server.http.server import Server
from bosquet.server.table.actions.move import Play
from bosquet.server.today import daily_results
from bosquet.server.today.daily_deals import DailyDeals
from tests.helpers.services import LEAVES_CONNECTIONS
from tests.nodes.helpers.cluster import Services, with_two_nodes

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]
KEY = b"the key of both nodes"


def test_two_nodes_open_one_attempt(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        nodes = [DailyDeals(server.services.store, server.opener, KEY) for server in (first, second)]
        day = now()[:10]
        assert nodes[0].deal("topas", day) == nodes[1].deal("topas", day)
        opened = await asyncio.gather(*(nodes[i % 2].open("ann", "Ann", "topas", day) for i in range(8)))
        assert len(set(opened)) == 1
        here, there = [(await server.registry.current(opened[0])).session for server in (first, second)]
        assert here.dealt().deal == there.dealt().deal
        assert here.secret == nodes[1].deal("topas", day).secret

        table = await second.registry.current(opened[0])
        while not table.session.dealt().over:
            move = table.session.dealt().legal()[0]
            await table.do("ann", Play(seat=0, number=table.session.number, move=move))
        (tried,) = await daily_results.attempts(first.services.store, "ann")
        assert tried.result is not None
        assert tried.result.points == table.session.dealt().scores[0]
        ranked = await daily_results.ranking(first.services.store, day, "topas", "ann", None)
        assert [(row.rank, row.mine, row.first) for row in ranked.rows] == [(1, True, True)]
        assert (await nodes[0].today("ann")).streak == 1
        await daily_results.erase(second.services.store, "ann")
        assert await daily_results.attempts(first.services.store, "ann") == []

    with_two_nodes(services, story)
