"""Who sits at a table and how things stand is told once, to those for whom it is new, however many look on."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from bosquet.core.game import Game
from bosquet.server.base.refusals import Refusal
from bosquet.server.http.limits import Limits
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.actions.move import Play
from bosquet.server.table.actions.pace import SetPace
from bosquet.server.table.table import Table
from bosquet.server.table.viewers import broadcast, presence
from bosquet.server.table.viewers.viewpoints import check_viewpoints
from bosquet.server.tables.connection import Connection
from tests.contract.helpers.positions import every_ply
from tests.server.helpers.clocks import without_waiting
from tests.server.helpers.listeners import Ear, table_of


def a_game() -> Game:
    return next(every_ply("topas", {"players": 2, "expert": False}, 1))


def news_of(ear: Ear) -> list[dict[str, Any]]:
    told = [json.loads(message) for message in ear.heard]
    return [message for message in told if message["type"] == "table"]


async def crowd_at(table: Table, size: int) -> list[Ear]:
    ears = [Ear(f"watcher {i}") for i in range(size)]
    for ear in ears:
        await table.attach(ear)
    return ears


def test_a_crowd_is_told_once_of_many_who_come_and_go() -> None:
    async def story() -> None:
        table = table_of(a_game())
        player = Ear("0")
        await table.attach(player)
        ears = await crowd_at(table, 300)
        assert all(news_of(ear) for ear in ears), "who comes need not wait"
        await asyncio.sleep(2 * broadcast.CROWD_PAUSE)
        assert news_of(player)[-1]["watchers"] == 300
        assert len(news_of(player)) <= broadcast.CROWD + 3
        assert len(news_of(ears[-1])) <= 2
        before = len(news_of(player))
        for ear in ears[:200]:
            table.detach(ear)
        await asyncio.sleep(2 * broadcast.CROWD_PAUSE)
        assert [news["watchers"] for news in news_of(player)[before:]] == [100]

    without_waiting(story())


def test_all_who_watch_get_the_same_bytes() -> None:
    async def story() -> None:
        table = table_of(a_game())
        ears = await crowd_at(table, 100)
        await asyncio.sleep(2 * broadcast.CROWD_PAUSE)
        await table.do("0", SetPace("human"))
        await asyncio.sleep(2 * broadcast.CROWD_PAUSE)
        assert news_of(ears[0])[-1]["pace"] == "human"
        assert len({id(ear.heard[-1]) for ear in ears}) == 1

    without_waiting(story())


def test_nothing_is_told_when_nothing_has_changed() -> None:
    async def story() -> None:
        table = table_of(a_game())
        ears = [Ear("0"), Ear("1"), Ear("somebody")]
        for ear in ears:
            await table.attach(ear)
        heard = [len(ear.heard) for ear in ears]
        await table.do("0", SetPace("instant"))
        await table.do("1", Ready("1" * 32))
        await table.do("somebody", Ready("1" * 32))
        another_page = Ear("0")
        await table.attach(another_page)
        table.detach(another_page)
        assert [len(ear.heard) for ear in ears] == heard
        assert len(news_of(another_page)) == 1
        await table.do("0", SetPace("human"))
        assert [len(ear.heard) for ear in ears] == [number + 1 for number in heard]

    asyncio.run(story())


def test_a_reaction_reaches_everybody_though_one_does_not_keep_up() -> None:
    class Behind(Ear):
        def send(self, message: bytes) -> None:
            """Is cut off."""
            table.broadcast.discard(self)

    async def story() -> None:
        ears = [Ear("0"), Ear("1"), Ear("somebody")]
        table.broadcast.subscribers.update([*ears, Behind("slow"), Behind("slower")])
        table.send_reaction(0, "hello")
        assert [len(ear.heard) for ear in ears] == [1, 1, 1]
        assert table.broadcast.subscribers == set(ears)

    table = table_of(a_game())
    asyncio.run(story())


def test_a_seat_is_given_up_though_a_page_of_it_does_not_keep_up() -> None:
    class Behind(Ear):
        def send(self, message: bytes) -> None:
            """Is cut off."""
            table.drop(self)

    async def story() -> None:
        other = Ear("1")
        await table.attach(other)
        pages = [Behind("0") for _ in range(3)]
        for page in pages:
            page.viewpoint = 0
            table.broadcast.subscribers.add(page)
        table.session.chairs[0].guest = None
        before = len(other.heard)
        check_viewpoints(table.session, table.broadcast)
        table.send_positions()
        assert table.broadcast.subscribers == {other}
        assert len(other.heard) >= before

    table = table_of(a_game())
    asyncio.run(story())


def test_who_is_sent_away_while_connecting_is_not_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        table = table_of(a_game())

        async def sent_away_meanwhile(guest: str) -> None:
            table.session.barred = table.session.mark(guest)

        monkeypatch.setattr(table.attendance, "look_up_blocked", sent_away_meanwhile)
        watcher = Ear("somebody")
        with pytest.raises(Refusal, match="sent you away"):
            await table.attach(watcher)
        assert watcher not in table.broadcast.subscribers
        assert watcher.heard == []

    asyncio.run(story())


def test_who_is_gone_is_told_once_though_a_crowd_looks_on() -> None:
    async def story() -> None:
        table = table_of(a_game())
        leaver = Ear("1")
        await table.attach(Ear("0"))
        await table.attach(leaver)
        watcher = (await crowd_at(table, 100))[0]
        table.detach(leaver)
        await asyncio.sleep(presence.GONE_SECONDS / 2)
        told = [news["seats"][1] for news in news_of(watcher)]
        assert (told[-1]["here"], told[-1]["gone"]) == (False, False)
        await asyncio.sleep(presence.GONE_SECONDS + 1)
        later = [news["seats"][1] for news in news_of(watcher)[len(told) :]]
        assert [(seat["here"], seat["gone"]) for seat in later] == [(False, True)]

    without_waiting(story())


def test_who_was_cut_off_a_moment_ago_is_not_gone() -> None:
    async def story() -> None:
        table = table_of(a_game())
        limits = Limits(waiting_messages=4)
        socket = SimpleNamespace(scope={})  # nothing is sent at once
        services = SimpleNamespace(compute=None, metrics=SimpleNamespace(refusals=None))
        slow = Connection(socket, "1", 0, "", table, None, None, services, None, limits, 0)  # type: ignore[arg-type]
        other = Ear("0")
        await table.attach(other)
        await table.attach(slow)
        await asyncio.sleep(presence.GONE_SECONDS + 1)
        while slow in table.broadcast.subscribers:
            slow.send(b"one more")
        table.send_state()
        told = news_of(other)[-1]["seats"][1]
        assert (told["here"], told["gone"]) == (False, False)
        await asyncio.sleep(presence.GONE_SECONDS + 1)
        assert news_of(other)[-1]["seats"][1]["gone"]

    without_waiting(story())


def test_positions_that_are_kept_are_bounded_whatever_pages_say_they_have() -> None:
    async def story() -> None:
        table = table_of(a_game())
        while table.session.game is not None and table.session.game.seat is not None:
            seat = table.session.game.seat
            await table.do(str(seat), Play(seat=seat, number=table.session.number, move=table.session.game.legal()[0]))
        for guest in ("0", "1", "somebody"):
            for since in range(table.session.number):
                ear = Ear(guest)
                ear.number = since
                await table.attach(ear)
                position = next(json.loads(told) for told in ear.heard if b'"position"' in told)
                assert len(position["entries"]) == table.session.number - since
        assert len(table.broadcast._positions) <= 16

    asyncio.run(story())


def test_a_table_that_nobody_holds_is_forgotten_at_once() -> None:
    """Tables are many, and the server looks for cycles seldom."""

    async def story() -> weakref.ref[Table]:
        table = table_of(a_game())
        ear = Ear("0")
        await table.attach(ear)
        seat = table.session.dealt().seat
        assert seat is not None
        move = table.session.dealt().legal()[0]
        await table.do(str(seat), Play(seat=seat, number=0, move=move))
        table.detach(ear)
        if table.state_teller._reminder is not None:
            table.state_teller._reminder.cancel()
        await asyncio.sleep(0)
        return weakref.ref(table)

    gc.collect()
    gc.disable()
    try:
        assert asyncio.run(story())() is None
    finally:
        gc.enable()
