"""Two nodes in one loop: what one does is seen at the other, and the database decides who was first."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

import pytest

from bosquet.core.errors import BosquetError
from bosquet.server.base.rate_limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests import here_now
from bosquet.server.guests.here_now import HereNow
from bosquet.server.history import games as history
from bosquet.server.history.messages import HistoryRequest
from bosquet.server.http.limits import Limits
from bosquet.server.http.server import Server
from bosquet.server.nodes import nodes
from bosquet.server.nodes.redis_bus import RedisBus, connect
from bosquet.server.table.actions.agree import Agree, Decline
from bosquet.server.table.actions.chat import AllowChat, WriteChat
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.actions.give_up import Leave, Resign
from bosquet.server.table.actions.hint import AllowHints
from bosquet.server.table.actions.join import Join
from bosquet.server.table.actions.move import Play
from bosquet.server.table.actions.send_away import Bar, Remove
from bosquet.server.table.messages import NewTable, SeatWish
from bosquet.server.table.table import Table
from tests.helpers.rows import each_row
from tests.helpers.services import LEAVES_CONNECTIONS
from tests.nodes.helpers.cluster import FOR_TWO, Ear, Services, node, play, seated, until, with_two_nodes

pytestmark = [pytest.mark.slow, *LEAVES_CONNECTIONS]


async def with_a_page_at_each(first: Server, second: Server, other: SeatWish) -> tuple[Table, Table, Ear, Ear]:
    """Ann at both nodes, at a table with one other seat that needs nobody else."""
    seats = [SeatWish(kind="me", name="Ann"), other]
    here = await first.opener.open("ann", NewTable(game="topas", options={"players": 2}, seats=seats, pace="instant"))
    ann, again = Ear("ann"), Ear("ann")
    await here.attach(ann)
    there = await second.registry.find(here.id)
    await there.attach(again)
    await here.do("ann", Ready(secrets.token_hex(16)))
    return here, there, ann, again


async def play_one(here: Table, there: Table, ann: Ear, bea: Ear) -> None:
    """Let the seat to move make a move, and wait until both have seen it."""
    table, ear = (here, ann) if ann.position["view"]["moves"] else (there, bea)
    number = ear.position["number"]
    await play(table, ear)
    await until(lambda: ann.position["number"] == bea.position["number"] > number)


def test_two_people_of_one_table_play_at_different_nodes(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        while not ann.position["view"]["over"]:
            await play_one(here, there, ann, bea)
        await until(lambda: here.session.phase == there.session.phase == "over")
        assert here.session.log == there.session.log
        assert here.session.dealt().view(None) == there.session.dealt().view(None)

    with_two_nodes(services, story)


def test_who_is_here_is_known_at_both_nodes(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        await until(lambda: all(seat["here"] for seat in ann.state["seats"] + bea.state["seats"]))
        there.detach(bea)
        await until(lambda: [seat["here"] for seat in ann.state["seats"]].count(False) == 1)
        again = Ear("bea")
        await there.attach(again)
        await until(lambda: all(seat["here"] for seat in ann.state["seats"] + again.state["seats"]))
        seat = here.session.seats_of("ann")[0]
        here.send_reaction(seat, "hello")
        await until(lambda: ann.reactions == again.reactions == ["hello"])
        crowd = [Ear(f"guest{i}") for i in range(3)]
        for one in crowd:
            await there.attach(one)
        await until(lambda: ann.state["watchers"] == again.state["watchers"] == 3)

    with_two_nodes(services, story)


def test_a_page_that_cannot_be_told_keeps_no_node_from_hearing(services: Services) -> None:
    class Broken(Ear):
        breaks = False

        def send(self, message: bytes) -> None:
            if self.breaks:
                raise RuntimeError("the connection is closed")
            super().send(message)

    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        broken = Broken("cid")
        await there.attach(broken)
        Broken.breaks = True
        await here.attach(Ear("dan"))  # one more who watches, as the other node hears
        for _ in range(50):
            assert second.services.nodes.bus.connected
            await asyncio.sleep(0.01)
        there.drop(broken)
        await play_one(here, there, ann, bea)

    with_two_nodes(services, story)


def test_of_two_moves_at_one_number_one_is_made(services: Services) -> None:
    """A seat has a page at each node, and both move at once."""

    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        again = Ear("ann")
        await there.attach(again)
        other = Ear("bea")
        await here.attach(other)
        made = 0
        await until(lambda: again.position and other.position)
        while not ann.position["view"]["over"]:
            mine = [(here, ann), (there, again)] if ann.position["view"]["moves"] else [(here, other), (there, bea)]
            outcomes = await asyncio.gather(*(play(*one) for one in mine), return_exceptions=True)
            refused = [outcome for outcome in outcomes if outcome is not None]
            assert len(refused) == 1
            assert isinstance(refused[0], Refusal)
            assert refused[0].code in ("stale", "not now")  # the latter where the move that was made is known
            made += 1
            await until(
                lambda: all(ear.position["number"] == made for ear in (ann, again, bea, other))  # noqa: B023
            )
        assert len(await first.services.store.read_journal(here.id)) == made

    with_two_nodes(services, story)


def test_the_lobby_lists_the_tables_of_all_nodes(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here = await first.opener.open("ann", FOR_TWO)
        ann = Ear("ann")
        await here.attach(ann)
        await until(lambda: second.services.nodes.inviting_elsewhere() == [here.id])
        assert [table.table for table in (await second.open_tables.shown("bea")).waiting] == [here.id]
        assert (await second.open_tables.shown("ann")).waiting == []
        there = await second.registry.current(here.id)
        await there.do("bea", Join("Bea", None))  # as the lobby offers it: the host is at the other node
        await until(lambda: ann.state["seats"][1]["name"] == "Bea" or ann.state["seats"][0]["name"] == "Bea")
        assert (await second.open_tables.shown("cid")).waiting == []

    with_two_nodes(services, story)


def test_proposals_and_ends_hold_at_all_nodes(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        await here.do("ann", Agree("void"))
        await until(lambda: any(seat["agrees"] == "void" for seat in bea.state["seats"]))
        await there.do("bea", Decline())
        await until(lambda: not any(seat["agrees"] for seat in ann.state["seats"]))
        # Of two who agree at once neither may know that it is the last.
        await asyncio.gather(here.do("ann", Agree("end")), there.do("bea", Agree("end")), return_exceptions=True)
        await until(lambda: ann.state["ending"] == bea.state["ending"] == {"how": "agreed", "resigned": []})
        await until(lambda: ann.position["view"]["over"] and bea.position["view"]["over"])
        assert here.session.record() == there.session.record()
        for guest in ("ann", "bea"):  # two nodes closed the game, and one of them wrote the results
            (game,) = (await history.page(second.services.store, guest, HistoryRequest())).games
            assert (game.ending, len(game.seats)) == ("agreed", 2)

    with_two_nodes(services, story)


def test_an_end_that_comes_while_a_table_is_read_is_read_whole(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, _ann, bea = await seated(first, second)
        await here.do("ann", Agree("end"))
        await until(lambda: any(seat["agrees"] == "end" for seat in bea.state["seats"]))
        read_table = second.services.store.read_table

        async def read_before_the_end(table: str) -> Any:
            found = await read_table(table)
            if not here.session.dealt().over:
                await here.do("bea", Agree("end"))
            return found

        monkeypatch.setattr(second.services.store, "read_table", read_before_the_end)
        await there.read_again()
        assert there.session.record() == here.session.record()
        assert there.session.phase == "over"

    with_two_nodes(services, story)


def test_of_an_end_and_a_move_at_two_nodes_one_comes_first(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, *_ = await seated(first, second)
        sides = [("ann", here), ("bea", there)]
        (mover, table), (other, elsewhere) = sides if 0 in here.session.seats_of("ann") else sides[::-1]
        seat = here.session.dealt().seat
        assert seat is not None
        play = Play(seat=seat, number=0, move=here.session.dealt().legal()[0])
        resigning = elsewhere.do(other, Resign(1 - seat))
        outcomes = await asyncio.gather(table.do(mover, play), resigning, return_exceptions=True)
        assert any(isinstance(outcome, list) for outcome in outcomes)
        assert all(
            isinstance(outcome, list) or getattr(outcome, "code", "") in ("stale", "not now") for outcome in outcomes
        )
        await until(lambda: here.session.number == there.session.number and here.session.phase == there.session.phase)
        assert [entry.ending for entry in here.session.log] == [entry.ending for entry in there.session.log]

    with_two_nodes(services, story)


def test_of_three_two_resign_at_once_at_two_nodes_and_the_third_wins(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        seats = [SeatWish(kind="me", name="Ann"), SeatWish(kind="friend"), SeatWish(kind="friend")]
        new = NewTable(game="topas", options={"players": 3}, seats=seats, pace="instant")
        here = await first.opener.open("ann", new)
        there = await second.registry.find(here.id)
        for guest in ("bea", "cid"):
            await there.do(guest, Join(guest, here.session.invitation))
        for guest in ("ann", "bea", "cid"):
            await there.do(guest, Ready(secrets.token_hex(16)))
        await here.read_again()
        (ann,), (bea,), (cid,) = (there.session.seats_of(guest) for guest in ("ann", "bea", "cid"))
        await asyncio.gather(here.do("ann", Resign(ann)), there.do("bea", Resign(bea)))
        for table in (here, there):
            await table.read_again()
            assert (table.session.phase, table.session.dealt().winners) == ("over", [cid])
        (game,) = (await history.page(first.services.store, "cid", HistoryRequest())).games
        assert [seat.place for seat in game.seats if seat.mine] == [1]

    with_two_nodes(services, story)


def test_who_left_at_one_node_sees_no_hand_at_another(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, _, bea = await seated(first, second)
        again = Ear("bea")
        await here.attach(again)
        assert again.position["view"]["hand"]
        await there.do("bea", Leave(there.session.seats_of("bea")[0], "random"))
        await until(lambda: again.position["viewpoint"] is None and again.position["view"]["hand"] is None)
        assert bea.position["viewpoint"] is None
        assert again.state["mine"] == []

    with_two_nodes(services, story)


def test_consent_to_hints_holds_at_all_nodes(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        await here.do("ann", AllowHints(True))
        await until(lambda: any(seat["hints"] for seat in bea.state["seats"]))
        assert not bea.state["hints"]
        await there.do("bea", AllowHints(True))
        await until(lambda: ann.state["hints"] and bea.state["hints"])

    with_two_nodes(services, story)


async def over_at_both(first: Server, second: Server) -> tuple[Table, Table]:
    """A table whose game is over, at both nodes."""
    here, there, _, again = await with_a_page_at_each(first, second, SeatWish(kind="here", name="Bea"))
    await until(lambda: here.session.game and there.session.game)
    game = here.session.dealt()
    while here.session.phase != "over":
        assert game.seat is not None
        await here.do("ann", Play(seat=game.seat, number=here.session.number, move=game.legal()[0]))
    await until(lambda: there.session.phase == "over" and again.state["phase"] == "over")
    return here, there


def test_who_is_here_at_one_node_is_shown_at_the_other(services: Services) -> None:
    async def story() -> None:
        database, url = services.postgresql.database(), services.redis.url
        async with node(database, url) as first, node(database, url) as second:
            await until(lambda: first.services.nodes.others and second.services.nodes.others)
            here = HereNow(first.services.store, first.services.nodes, lambda: ["ann"])
            there = HereNow(second.services.store, second.services.nodes, lambda: [])
            both = ("ann", "bea")
            here.saw("bea")
            await here_now.show(first.services.store, "ann", True)
            await here.tell()
            await until(lambda: there._elsewhere)
            assert await here.among(both) == await there.among(both) == {"ann"}
            assert len(there._elsewhere) == 1, "of who does not want it nothing is told"
            await here_now.show(second.services.store, "ann", False)
            assert await here.among(both) == await there.among(both) == set()

    asyncio.run(story())


def test_what_is_written_at_one_node_is_read_at_the_other(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        watching = Ear("cyd")
        await there.attach(watching)
        seats = {guest: here.session.seats_of(guest)[0] for guest in ("ann", "bea")}
        for guest, table in (("ann", here), ("bea", there)):
            await table.do(guest, AllowChat(True))
        await until(lambda: all(chair.chat for chair in here.session.chairs + there.session.chairs))
        await here.do("ann", WriteChat(seat=seats["ann"], text="Hello"))
        await until(lambda: ann.lines == bea.lines == ["Hello"])
        written = [str(number) for number in range(4)]
        both = [
            table.do(guest, WriteChat(seat=seats[guest], text=text))
            for text in written
            for guest, table in (("ann", here), ("bea", there))
        ]
        await asyncio.gather(*both)
        await until(lambda: len(ann.lines) == len(bea.lines) == 9)
        assert sorted(ann.lines) == sorted(bea.lines) == sorted(["Hello", *written, *written])
        assert watching.lines == []
        assert here.session.chat == there.session.chat == 9

    with_two_nodes(services, story)


def test_who_is_sent_away_at_one_node_is_so_at_the_other(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here = await first.opener.open("ann", FOR_TWO)
        ann, bea, cyd = Ear("ann"), Ear("bea"), Ear("cyd")
        await here.attach(ann)
        there = await second.registry.find(here.id)
        link = there.session.invitation
        await there.do("bea", Join("Bea", link))
        await there.attach(bea)
        await there.attach(cyd)
        await until(lambda: all(seat["name"] for seat in ann.state["seats"]) and ann.state["watchers"] == 1)
        (watcher,) = here.attendance.watching()
        await here.do("ann", Bar(watcher))
        await until(lambda: cyd.sent_off)
        await here.do("ann", Remove(here.session.seats_of("bea")[0]))
        await until(lambda: bea.sent_off)
        assert there.session.invitation == here.session.invitation != link
        for guest in ("bea", "cyd"):
            with pytest.raises(Refusal, match="sent you away"):
                await there.do(guest, Join(guest, here.session.invitation))
            with pytest.raises(Refusal, match="sent you away"):
                await there.attach(Ear(guest))
            assert await second.open_tables.offered_to(guest) == []
        await there.do("dan", Join("Dan", here.session.invitation))

    with_two_nodes(services, story)


def test_who_is_sent_away_while_they_make_ready_leaves_nothing(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        outcomes = set()
        for _ in range(8):
            here = await first.opener.open("ann", FOR_TWO)
            there = await second.registry.find(here.id)
            await there.do("bea", Join("Bea", here.session.invitation))
            await here.read_again()
            await here.do("ann", Ready(secrets.token_hex(16)))
            await there.read_again()
            seat = here.session.seats_of("bea")[0]
            ready, removed = there.do("bea", Ready(secrets.token_hex(16))), here.do("ann", Remove(seat))
            asked = await asyncio.gather(ready, removed, return_exceptions=True)
            assert sum(isinstance(one, Refusal) for one in asked) <= 1
            found = await first.services.store.read_table(here.id)
            assert found is not None
            row, seats = found
            removed_first = seats[seat]["guest"] is None
            assert (row["phase"] == "waiting") == removed_first
            assert (seats[seat]["nonce"] is None) == removed_first
            outcomes.add(removed_first)
        assert outcomes

    with_two_nodes(services, story)


@pytest.mark.parametrize("heard", [False, True], ids=["at_once", "heard_of_while_opening"])
def test_of_two_rematches_one_is_opened(services: Services, monkeypatch: pytest.MonkeyPatch, heard: bool) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there = await over_at_both(first, second)
        open_seated = second.opener.open_seated

        async def open_late(*asked: Any, **more: Any) -> Table:
            await until(lambda: not heard or there.session.rematch)
            return await open_seated(*asked, **more)

        monkeypatch.setattr(second.opener, "open_seated", open_late)
        opened = await asyncio.gather(first.opener.rematch("ann", here), second.opener.rematch("ann", there))
        assert len(set(opened)) == 1
        mine = (await first.open_tables.shown("ann")).mine
        assert {table.table for table in mine} == {here.id, opened[0]}  # the other one was closed

    with_two_nodes(services, story)


def test_one_node_moves_the_bots_and_another_one_goes_on(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "DEAD", 2.0)

    async def story(first: Server, second: Server) -> None:
        here, there, ann, again = await with_a_page_at_each(first, second, SeatWish(kind="bot", bot="random"))
        await until(lambda: here.attendance.nodes and there.attendance.nodes)
        assert here.goes_on != there.goes_on
        leading, following = (here, there) if here.goes_on else (there, here)
        page = again if following is there else ann
        await until(lambda: page.position and page.position["view"]["moves"])
        # The leading node is killed: it says nothing any more.
        killed = first if leading is here else second
        killed.services.nodes.bus._running.cancel()  # type: ignore[attr-defined]
        leading.bots.wake = lambda table: None  # type: ignore[method-assign]
        number = page.position["number"]
        await play(following, page)
        await until(lambda: page.position["number"] > number + 1 and page.position["view"]["moves"])

    with_two_nodes(services, story)


@each_row("table", ["none", "a\0"])
def test_a_table_that_is_not_there_is_no_fault_of_the_database(services: Services, table: str) -> None:
    async def story(first: Server, _second: Server) -> None:
        for asked in (first.registry.find(table), first.registry.archive(table, "ann", archived=True)):
            with pytest.raises(Refusal) as refused:
                await asked
            assert refused.value.code == "no table"

    with_two_nodes(services, story)


def test_limits_count_what_was_asked_at_other_nodes(services: Services) -> None:
    limits = Limits(computing=Rate(10, 0.001), computing_of_address=Rate(1000, 1000))

    async def story(first: Server, second: Server) -> None:
        assert sum(first.services.compute._asked.take("ann", "here") for _ in range(20)) == 10
        await until(lambda: second.services.compute._asked.guests._charged)
        # What was taken of the first half is not told: who asks little is nobody's business.
        assert sum(second.services.compute._asked.take("ann", "here") for _ in range(20)) == 5
        assert sum(second.services.compute._asked.take("bea", "here") for _ in range(20)) == 10

    with_two_nodes(services, story, limits)


def test_the_bus_carries_nothing_that_is_hidden_or_opens_a_seat(services: Services) -> None:
    heard: list[bytes] = []

    async def listen() -> None:
        client = connect(services.redis.url)
        pubsub = client.pubsub()
        await pubsub.psubscribe("*")
        try:
            while True:
                message = await pubsub.get_message(timeout=None)
                if message is not None and message["type"] == "pmessage":
                    heard.append(message["data"])
        finally:
            await pubsub.aclose()
            await client.aclose()

    async def story(first: Server, second: Server) -> None:
        listening = asyncio.create_task(listen())
        here, there, ann, bea = await seated(first, second)
        while not ann.position["view"]["over"]:
            await play_one(here, there, ann, bea)
        await until(lambda: any(b'"Beat"' in message for message in heard))
        listening.cancel()
        row, seats = (await first.services.store.read_tables([here.id]))[0]
        secrets_ = [
            row["secret"],
            row["invitation"],
            *(seat[key] for seat in seats for key in ("guest", "name", "nonce")),
        ]
        moves = [entry.text for entry in await first.services.store.read_journal(here.id)]
        everything = b"\n".join(heard).decode()
        assert {json.loads(message)["type"] for message in heard} == {"Beat", "Changed", "Present", "WhoIsThere"}
        assert [secret for secret in [*secrets_, *moves] if f'"{secret}"' in everything] == []

    with_two_nodes(services, story)


def test_what_is_no_message_of_a_node_is_ignored(services: Services) -> None:
    def noise(table: str) -> list[tuple[str, bytes]]:
        texts = [b"", b"nonsense", b'{"type":"Beat"}', b'{"type":"Beat","node":"\xff\xfe"}', b"[" * 100_000]
        texts += [b'{"type":"Reacted","node":"x","table":"t","seat":-9,"sign":"hello"}', b'{"type":"Later","node":"x"}']
        return [(channel, text) for text in texts for channel in ("nodes", f"table:{table}")]

    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        client = connect(services.redis.url)
        for channel, text in noise(here.id):
            await client.publish(f"bosquet:0:{channel}", text)
        await client.aclose()
        await play_one(here, there, ann, bea)
        assert first.services.nodes.bus.connected
        assert second.services.nodes.bus.connected

    with_two_nodes(services, story)


def test_who_left_another_node_unheard_is_not_there(services: Services) -> None:
    """A page leaves a node after the other node has stopped to follow the table: nobody tells that one."""

    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        await until(lambda: here.attendance.nodes and there.attendance.nodes)
        here.detach(ann)
        there.detach(bea)
        again = Ear("ann")
        await here.attach(again)
        assert not here.attendance.nodes
        assert [seat["here"] for seat in again.state["seats"]].count(True) == 1

    with_two_nodes(services, story)


@each_row(
    ("url", "said"),
    [
        ("user:hunter2@127.0.0.1:6379", "must be redis://"),
        ("http://user:hunter2@127.0.0.1", 'bus "http"'),
        ("redis://127.0.0.1:1?password=hunter2", "not understood"),
        ("redis://:hunter2@127.0.0.1:port", "not a URL"),
    ],
)
def test_urls_of_a_bus_are_checked_and_not_shown(url: str, said: str) -> None:
    with pytest.raises(BosquetError, match=said) as refused:
        RedisBus(url)
    assert "hunter2" not in str(refused.value)


def test_a_bus_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(BosquetError, match=r"redis://127.0.0.1:1 can't be used") as refused:
        asyncio.run(RedisBus("redis://:hunter2@127.0.0.1:1").check())
    assert "hunter2" not in str(refused.value)


def test_a_node_with_another_key_is_not_ready(services: Services) -> None:
    async def run() -> None:
        database = services.postgresql.database()
        async with node(database, services.redis.url) as first:
            async with node(database, services.redis.url, b"another key") as second:
                await until(lambda: not second.services.nodes.key_is_accepted)
                await asyncio.sleep(0.1)
            assert not first.services.nodes.others

    asyncio.run(run())


def test_a_bus_that_is_lost_delays_and_loses_nothing(services: Services) -> None:
    async def story(first: Server, second: Server) -> None:
        here, there, ann, bea = await seated(first, second)
        services.redis.stop()
        await until(lambda: not first.services.nodes.bus.connected and not second.services.nodes.bus.connected)
        for _ in range(3):
            await play_one(here, there, ann, bea)
        services.redis.start()  # and it is empty
        await until(lambda: first.services.nodes.bus.connected and second.services.nodes.bus.connected)
        for _ in range(4):
            await play_one(here, there, ann, bea)
        await until(lambda: all(seat["here"] for seat in ann.state["seats"] + bea.state["seats"]))

    with_two_nodes(services, story)
