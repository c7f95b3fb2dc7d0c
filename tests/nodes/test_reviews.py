"""A review whose pages are at different nodes with PostgreSQL and Redis, of which one is killed, or Redis is away."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.helpers.records import RECORDS
from tests.helpers.services import LEAVES_CONNECTIONS
from tests.nodes.helpers.cluster import Services
from tests.nodes.helpers.pages import Page, Served, page, with_served_nodes
from tests.nodes.helpers.players import ServedNode

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]
GAME = {key: RECORDS["topas"][key] for key in ("format", "game", "options", "deal", "moves", "result")}


def place(plies: int, *path: str) -> dict[str, Any]:
    """Return what a page shows: a step of the record, and moves that are tried from there."""
    return {"seed": "1", "path": list(path), "plies": plies, "position": None}


def opened(node: ServedNode) -> str:
    """Open a review at a node, and return its id."""
    review: str = node.ask("/api/reviews", {"record": GAME}, node.ask("/api/lobby")[1])[0]["review"]
    return review


@contextlib.asynccontextmanager
async def within(node: ServedNode, review: str) -> AsyncIterator[Page]:
    """Take part in a review as a guest of its own."""
    async with page(node, f"/api/reviews/{review}/live", node.ask("/api/lobby")[1]) as one:
        await one.until(lambda message: message["type"] == "review")
        yield one


async def shown(one: Page, people: int, leader: str | None, plies: int | None, path: list[str] | None = None) -> bool:
    """Wait until a page is told how many are there, who leads and what is shown; return whether it leads itself."""

    def is_so(message: dict[str, Any]) -> bool:
        if message["type"] != "review" or (message["people"], message["leader"]) != (people, leader):
            return False
        at = message["place"]
        return at is None if plies is None else bool(at and (at["plies"], at["path"]) == (plies, path or []))

    return bool((await one.until(is_so))["mine"])


async def pointed(one: Page, name: str, cell: str | None) -> None:
    """Wait until a page is told that somebody points at a cell."""
    await one.until(lambda message: message == {"type": "pointed", "name": name, "cell": cell})


def test_those_at_another_node_follow_point_try_and_take_over(services: Services) -> None:
    async def story(served: Served, first: ServedNode, second: ServedNode) -> None:
        review = opened(first)
        assert second.ask(f"/api/reviews/{review}")[0] == first.ask(f"/api/reviews/{review}")[0] == {"record": GAME}
        async with within(first, review) as ann, within(second, review) as bea, within(second, review) as cyd:
            await ann.ask("lead", name="Ann", place=place(3))
            assert [await shown(one, 3, "Ann", 3) for one in (ann, bea, cyd)] == [True, False, False]
            for plies in range(4, 24):  # step by step, as somebody plays it through
                await ann.ask("show", place=place(plies))
            for one in (bea, cyd):
                assert not await shown(one, 3, "Ann", 23)
            await ann.ask("show", place=place(20, "what", "if"))
            for one in (bea, cyd):
                assert not await shown(one, 3, "Ann", 20, ["what", "if"])
            await bea.ask("point", name="Bea", cell="c3")
            await pointed(ann, "Bea", "c3")
            await pointed(cyd, "Bea", "c3")
            await bea.ask("point", name="Bea", cell=None)
            await pointed(ann, "Bea", None)
            await cyd.ask("lead", name="Cyd", place=place(20, "what", "if", "not"))
            line = ["what", "if", "not"]
            assert [await shown(one, 3, "Cyd", 20, line) for one in (ann, bea, cyd)] == [False, False, True]
            await ann.ask("show", place=place(1))  # she leads no more
            await ann.ask("point", name="Ann", cell="a1")
            await pointed(cyd, "Ann", "a1")
            assert await shown(cyd, 3, "Cyd", 20, line)
            async with within(first, review) as dan:
                assert not await shown(dan, 4, "Cyd", 20, line), "who comes later is told how things stand"
            await shown(bea, 3, "Cyd", 20, line)

    with_served_nodes(services, story)


def test_when_the_node_is_killed_of_who_leads_another_one_can_lead(services: Services) -> None:
    async def story(served: Served, first: ServedNode, second: ServedNode) -> None:
        review = opened(first)
        async with within(second, review) as bea:
            async with within(first, review) as ann, within(first, review) as cyd:
                await ann.ask("lead", name="Ann", place=place(5, "a move"))
                for one in (bea, cyd):
                    await shown(one, 3, "Ann", 5, ["a move"])
                first.kill()
                assert not await shown(bea, 1, None, 5, ["a move"]), "what was shown stays, and nobody leads"
            async with within(second, review) as ann:  # her page connects again, to the other node
                await bea.ask("lead", name="Bea", place=place(6))
                assert [await shown(one, 2, "Bea", 6) for one in (ann, bea)] == [False, True]
                third = await asyncio.to_thread(served.start)
                async with within(third, review) as cyd:
                    assert not await shown(cyd, 3, "Bea", 6)
                    await cyd.ask("lead", name="Cyd", place=place(7))
                    assert [await shown(one, 3, "Cyd", 7) for one in (ann, bea, cyd)] == [False, False, True]

    with_served_nodes(services, story)


def test_who_comes_to_another_node_when_all_have_left_sees_what_was_shown_last(services: Services) -> None:
    async def last(node: ServedNode, review: str) -> tuple[str | None, dict[str, Any] | None]:
        """Come alone, and return who leads and what is shown."""
        async with page(node, f"/api/reviews/{review}/live", node.ask("/api/lobby")[1]) as one:
            told = await one.until(lambda message: message["type"] == "review")
            return told["leader"], told["place"]

    async def story(served: Served, first: ServedNode, second: ServedNode) -> None:
        review = opened(first)
        async with within(first, review) as ann, within(second, review) as bea:
            await ann.ask("lead", name="Ann", place=place(3))
            await ann.ask("show", place=place(7, "what", "if"))
            await shown(bea, 2, "Ann", 7, ["what", "if"])
        async with asyncio.timeout(10):
            while await last(second, review) != (None, place(7, "what", "if")):
                await asyncio.sleep(0.1)
        first.kill()
        second.kill()
        third = await asyncio.to_thread(served.start)
        assert await last(third, review) == (None, place(7, "what", "if"))

    with_served_nodes(services, story)


@pytest.mark.parametrize("takes_over", [False, True], ids=["who_led_goes_on", "another_one_takes_over"])
def test_all_agree_again_when_redis_was_away(services: Services, takes_over: bool) -> None:
    async def story(served: Served, first: ServedNode, second: ServedNode) -> None:
        review = opened(first)
        async with within(first, review) as ann, within(second, review) as bea, within(second, review) as cyd:
            await ann.ask("lead", name="Ann", place=place(3))
            for one in (ann, bea, cyd):
                await shown(one, 3, "Ann", 3)
            services.redis.stop()
            await ann.ask("show", place=place(4))
            await cyd.ask("point", name="Cyd", cell="b2")
            await pointed(bea, "Cyd", "b2")  # within a node it goes on
            if takes_over:
                await bea.ask("lead", name="Bea", place=place(8))
                await bea.ask("show", place=place(9))
                await shown(cyd, 3, "Bea", 9)
            async with within(second, review) as dan:
                assert not await shown(dan, 4, *(("Bea", 9) if takes_over else ("Ann", 3)))
                services.redis.start()
                leader, plies = ("Bea", 9) if takes_over else ("Ann", 4)
                mine = [await shown(one, 4, leader, plies) for one in (ann, bea, cyd, dan)]
                assert mine == [not takes_over, takes_over, False, False]
                await (bea if takes_over else ann).ask("show", place=place(10))
                for one in (cyd, dan, ann if takes_over else bea):
                    await shown(one, 4, leader, 10)
                await ann.ask("point", name="Ann", cell="c1")
                await pointed(dan, "Ann", "c1")

    try:
        with_served_nodes(services, story)
    finally:
        services.redis.stop()
        services.redis.start()
