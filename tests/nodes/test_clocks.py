"""Clocks of a table whose people are at different nodes: both say the same, and time is called once."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from bosquet.server.base.clock import later, now, seconds_between
from bosquet.server.base.refusals import Refusal
from bosquet.server.history import games as history
from bosquet.server.history.messages import HistoryRequest
from bosquet.server.http.server import Server
from bosquet.server.store.schema import awake, tables
from bosquet.server.table.listeners import GameEnded
from bosquet.server.table.messages import Clock
from bosquet.server.table.table import Table
from bosquet.server.table.timing.clocks import DEAL_SECONDS, flag, running_seat
from bosquet.server.tables import deadlines, outages
from bosquet.server.tables.deadlines import Deadlines
from bosquet.server.tables.outages import Outages
from tests.helpers.services import LEAVES_CONNECTIONS
from tests.nodes.helpers.cluster import FOR_TWO, SOON, Ear, Services, play, seated, until, with_two_nodes
from tests.nodes.helpers.pages import Page, Served, page, with_served_nodes
from tests.nodes.helpers.players import ServedNode

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]
FIVE = Clock(minutes=5, increment=10)
LEFT = 0.6
"""Seconds after which time is up that tests wait for."""


async def with_clock(first: Server, second: Server, clock: Clock) -> tuple[Table, Table, Ear, Ear]:
    """Ann at the first node, who is to move, and Bea at the second; the clock of Ann runs."""
    new = msgspec.structs.replace(FOR_TWO, clock=clock, first=0, listed=False)
    here, there, ann, bea = await seated(first, second, new)
    await until(lambda: said(ann) == said(bea))
    assert here.session.chairs[running_seat(here.session) or 0].guest == "ann"
    return here, there, ann, bea


def said(ear: Ear) -> Any:
    """Return what a page was told of the clocks, without what time it was then."""
    times = ear.state["times"]
    return times and {"left": times["left"], "since": times["since"]}


async def run_out_soon(pair: Sequence[Table], seconds: float = LEFT) -> None:
    """Have the time of the seat to move be up soon: its clock began to run so long ago; both nodes read that."""
    table = pair[0]
    up = flag(table.session)
    assert up is not None
    back = seconds_between(now(), up) - seconds
    since, due = later(table.session.since or "", seconds=-back), later(up, seconds=-back)
    await table.store.write(sa.update(tables).where(tables.c.id == table.id).values(since=since, due=due))
    for one in pair:
        await one.read_again()


def called(logs: Sequence[Any]) -> list[int]:
    """Return the seats whose time was called."""
    return [line["seat"] for line in logs if line["event"] == "time is up"]


def test_both_nodes_say_the_same_of_the_clocks(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        before = now()
        here, there, ann, bea = await with_clock(first, second, FIVE)
        left, begun = said(ann)["left"], said(ann)["since"]
        assert left == [300_000, 300_000]
        assert DEAL_SECONDS <= seconds_between(before, begun) <= DEAL_SECONDS + seconds_between(before, now())

        async def move(table: Table, ear: Ear, seat: int) -> None:
            before = said(ear)
            await play(table, ear)
            await until(lambda: said(ann) == said(bea) != before)
            assert flag(here.session) == flag(there.session)
            used = before["left"][seat] + 10_000 - said(ear)["left"][seat]
            assert 0 <= used <= max(1000 * seconds_between(before["since"], now()), 0)
            assert said(ear)["left"][1 - seat] == before["left"][1 - seat]

        for _ in range(3):
            await move(here, ann, 0)
            await move(there, bea, 1)
        ((kept,),) = await first.services.store.select(sa.select(tables.c.times).where(tables.c.id == here.id))
        assert kept == said(ann)["left"]

    with_two_nodes(services, story)


def test_a_loss_on_time_happens_once_though_both_nodes_have_a_timer(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        ended: list[Any] = []
        for server in (first, second):
            server.registry.listeners.subscribe(lambda one: ended.append(one) if isinstance(one, GameEnded) else None)

        async def lost() -> None:
            here, there, ann, bea = await with_clock(first, second, Clock(minutes=1))
            with capture_logs() as logs:
                await run_out_soon((here, there))
                await until(lambda: ann.state["phase"] == bea.state["phase"] == "over")
                await asyncio.sleep(0.1)  # the other timer
            assert called(logs) == [0]
            assert said(ann) == said(bea)
            assert (said(ann)["left"][0], said(ann)["since"]) == (0, None)
            assert ann.state["ending"] == bea.state["ending"] == {"how": "resigned", "resigned": [0]}
            await until(lambda: ann.position["view"]["over"] and bea.position["view"]["over"])
            assert here.session.dealt().winners == there.session.dealt().winners == [1]
            assert [one.table for one in ended] == [here.id]
            for guest, place in (("ann", 2), ("bea", 1)):
                game = (await history.page(second.services.store, guest, HistoryRequest())).games[0]
                assert (game.table, game.ending) == (here.id, "time")
                assert [seat.place for seat in game.seats if seat.mine] == [place]

        for _ in range(3):
            ended.clear()
            await lost()

    with_two_nodes(services, story)


def test_a_bot_has_the_seat_once_whose_time_is_up(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await with_clock(first, second, Clock(minutes=1, increment=5, bot="greedy"))
        with capture_logs() as logs:
            await run_out_soon((here, there))
            await until(lambda: all(ear.position["number"] > 0 and said(ear)["since"] for ear in (ann, bea)))
        assert called(logs) == [0]
        for ear in (ann, bea):
            seat = ear.state["seats"][0]
            assert (seat["bot"], seat["left"], seat["stands_in"]) == ("greedy", "left", False)
        assert (ann.state["mine"], ann.position["view"]["hand"]) == ([], None)
        await until(lambda: said(ann) == said(bea))
        assert said(ann)["left"] == [0, 60_000]
        assert running_seat(here.session) == running_seat(there.session) == 1
        number = bea.position["number"]
        await play(there, bea)  # and it goes on: the bot moves once for each move of hers
        await until(lambda: ann.position["number"] == bea.position["number"] == number + 2)
        assert said(bea)["left"][1] > 60_000

    with_two_nodes(services, story)


@pytest.mark.parametrize("bot", [None, "greedy"])
def test_of_a_move_and_the_call_of_time_at_two_nodes_one_comes_first(services: Services, bot: str | None) -> None:
    async def story(first: Server, second: Server) -> None:
        async def raced(order: int) -> None:
            here, there, ann, bea = await with_clock(first, second, Clock(minutes=1, bot=bot))
            up = flag(here.session) or ""
            asked = [play(here, ann), there.look_after(up)][::order]
            with capture_logs() as logs:
                told = await asyncio.gather(*asked, return_exceptions=True)
                assert all(one is None or isinstance(one, Refusal) for one in told)
                assert told != [None, None] or not called(logs), "who looks when the move is known finds time left"
                late = bool(called(logs))
                await until(lambda: said(ann) == said(bea) and here.session.number == there.session.number)
            assert called(logs) == [0] * late
            assert [here.session.times, here.session.phase] == [there.session.times, there.session.phase]
            if not late:
                assert running_seat(here.session) == running_seat(there.session) == 1
            elif bot is None:
                assert here.session.dealt().winners == [1]

        for order in (1, -1) * 3:
            await raced(order)

    with_two_nodes(services, story)


def test_time_without_any_node_is_given_back_once(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    for looking in (outages, deadlines):
        monkeypatch.setattr(looking, "EVERY_SECONDS", 1000.0)  # only those that are given the time here look

    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await with_clock(first, second, FIVE)
        since = said(ann)["since"]
        last = later(since, seconds=40)
        at = last
        assert await Outages(first.services.store, first.registry, lambda: at).look() == 0
        assert await first.services.store.select(sa.select(awake.c.at)) == [(last,)]
        at = later(last, hours=1)  # all nodes were off for an hour
        again = [Outages(server.services.store, server.registry, lambda: at) for server in (first, second)]
        assert sorted(await asyncio.gather(*(one.look() for one in again))) == [0, 1]
        await until(lambda: said(ann) == said(bea) and said(ann)["since"] == later(since, hours=1))
        up = flag(here.session)
        assert up == flag(there.session) == later(since, hours=1, seconds=300)
        for server in (first, second):
            assert await Deadlines(server.services.store, server.registry, lambda: at).look() == 0
        assert here.session.phase == there.session.phase == "playing"

    with_two_nodes(services, story)


# --- nodes that are killed ---


async def begun(served: Served, first: ServedNode, second: ServedNode, seconds: float) -> tuple[str, str, str]:
    """Deal at a table of Ann's, whose clock has `seconds` left, and Bea's; return it and their cookies."""
    ann, bea = (node.ask("/api/lobby")[1] for node in (first, second))
    clock = {"minutes": 1}
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "friend"}]
    new = {"game": "topas", "options": {"players": 2}, "seats": seats, "first": 0, "clock": clock}
    table: str = first.ask("/api/tables", new, ann)[0]["table"]
    async with live(first, table, ann) as here:
        invited = await here.until(lambda message: message.get("invitation"))
        second.ask(f"/api/tables/{table}/join", {"name": "Bea", "invitation": invited["invitation"]}, bea)
        async with live(second, table, bea) as there:
            for one in (here, there):
                await one.ask("ready", nonce=secrets.token_hex(16))
            for one in (here, there):
                await one.until(lambda message: message.get("phase") == "playing")
    began, up = served.select("SELECT since, due FROM tables WHERE id = %s", table)
    back = seconds_between(now(), up) - seconds
    since, due = (later(at, seconds=-back) for at in (began, up))
    served.write("UPDATE tables SET since = %s, due = %s WHERE id = %s", since, due, table)
    return table, ann, bea


def live(node: ServedNode, table: str, cookie: str) -> AbstractAsyncContextManager[Page]:
    return page(node, f"/api/tables/{table}/live", cookie)


def test_time_is_called_though_the_node_of_the_seat_is_killed(services: Services) -> None:
    """At a table where the other one stays, and at one where nobody does."""

    async def story(served: Served, first: ServedNode, second: ServedNode) -> None:
        (stays, ann, bea), (left, cid, dot) = [await begun(served, first, second, seconds) for seconds in (20, 15)]
        async with live(first, stays, ann) as here, live(second, stays, bea) as there:
            async with live(first, left, cid) as hers, live(second, left, dot) as theirs:
                for one, table in ((here, stays), (there, stays), (hers, left), (theirs, left)):
                    told = await one.until(lambda message: message.get("times"))
                    assert told["times"]["since"] == served.select("SELECT since FROM tables WHERE id = %s", table)[0]
                first.kill()
                assert served.select("SELECT count(*) FROM tables WHERE phase = 'playing'") == (2,), "not up yet"
            told = await there.until(lambda message: message.get("phase") == "over")
            assert told["times"]["left"] == [0, 60_000]
        async with asyncio.timeout(SOON):
            while served.select("SELECT count(*) FROM tables WHERE phase = 'over'") != (2,):
                await asyncio.sleep(0.1)
        assert second.log.read_text().count("time is up") == 2
        assert served.select("SELECT count(*) FROM finished WHERE how = 'time'") == (2,)
        for cookie in (bea, dot):
            (game,) = second.ask("/api/history", cookie=cookie)[0]["games"]
            assert (game["ending"], [seat["place"] for seat in game["seats"]]) == ("time", [2, 1])

    with_served_nodes(services, story)


def test_a_restart_of_all_nodes_gives_the_time_back_once(services: Services) -> None:
    async def story(served: Served, first: ServedNode, second: ServedNode) -> None:
        table, ann, bea = await begun(served, first, second, 40)
        async with asyncio.timeout(SOON):
            while (served.select("SELECT max(at) FROM awake")[0] or "") < served.select("SELECT since FROM tables")[0]:
                await asyncio.sleep(0.1)
        for node in (first, second):
            node.kill()
        (last,), (since, due) = served.select("SELECT at FROM awake"), served.select("SELECT since, due FROM tables")
        last, since, due = (later(at, seconds=-outages.OUTAGE_SECONDS) for at in (last, since, due))  # as if long ago
        served.write("UPDATE awake SET at = %s", last)
        served.write("UPDATE tables SET since = %s, due = %s", since, due)
        started = now()
        nodes = await asyncio.gather(*(asyncio.to_thread(served.start) for _ in range(2)))
        async with live(nodes[0], table, ann) as here, live(nodes[1], table, bea) as there:
            told = [
                await one.until(lambda message: message.get("times", {}).get("since", since) != since)
                for one in (here, there)
            ]
        back, moved = now(), served.select("SELECT since, due FROM tables")
        assert {one["times"]["since"] for one in told} == {moved[0]}
        lost = seconds_between(since, moved[0])
        assert seconds_between(last, started) <= lost <= seconds_between(last, back)
        assert seconds_between(due, moved[1]) == pytest.approx(lost)
        assert sum(node.log.read_text().count("no server was there for a while") for node in nodes) == 1

    with_served_nodes(services, story)
