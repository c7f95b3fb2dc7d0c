"""Slow tables: deadlines that pass, bots that stand in, who is told of a turn, and what nobody may do to others."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bosquet.server.base.clock import later, now
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal
from bosquet.server.lobby.open_tables import OpenTables
from bosquet.server.store.store import Store
from bosquet.server.table.actions.agree import Agree
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.actions.give_up import Resign
from bosquet.server.table.actions.join import Join
from bosquet.server.table.actions.move import PlayForBot
from bosquet.server.table.actions.stand_in import GiveSeat, ReturnToSeat
from bosquet.server.table.listeners import DeadlineNear, StoodIn, TableNews, TurnBegan, TurnEnded
from bosquet.server.table.messages import NewTable, SeatWish, Slow
from bosquet.server.tables import deadlines
from bosquet.server.tables.clean_up import TableCleanUp, TableRetention
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.slow_tables import turns_waiting
from bosquet.server.tables.tables_of_guest import erase
from tests.helpers.rows import each_row
from tests.server.helpers.people import FRIEND, LOOSE, ME, Person
from tests.server.helpers.slow import (
    ONE_TURN,
    UNTIL_BACK,
    at_rest,
    hours_until,
    looking,
    node,
    opened,
    play,
    run,
    stop_bots,
    to_move,
)
from tests.server.helpers.tables import Ear

# --- a turn and its deadline ---


def test_a_turn_has_one_deadline_and_is_told_once(tmp_path: Path) -> None:
    """Also where a turn is several decisions, one of which is taken back."""

    async def story(store: Store) -> None:
        registry, told = node(store)
        seats = [SeatWish(kind="me", name="a"), SeatWish(kind="friend")]
        options: dict[str, int | bool | str] = {"players": 2}
        table = await TableOpener(registry).open(
            "a", NewTable(game="topiary", options=options, seats=seats, slow=ONE_TURN)
        )
        await table.do("b", Join("b", table.session.invitation))
        assert (told, table.session.deadline) == ([], None)
        for guest in "ab":
            await table.do(guest, Ready(secrets.token_hex(16)))
        seat, guest = to_move(table)
        first = table.session.deadline
        assert 23.9 < hours_until(first) <= 24
        names = [chair.name or "" for chair in table.session.chairs]
        began = TurnBegan(guest, table.id, seat, "topiary", names, first or "")
        assert told == [began]
        decisions = 0
        while to_move(table) == (seat, guest):
            assert (table.session.deadline, told) == (first, [began])
            await play(table)
            decisions += 1
        assert decisions > 1
        assert told[1:] == [
            TurnEnded(guest, table.id, seat),
            TurnBegan(to_move(table)[1], table.id, 1 - seat, "topiary", names, table.session.deadline or ""),
        ]
        assert (table.session.deadline or "") > (first or "")
        assert await turns_waiting(store, to_move(table)[1]) == (1, 1)
        assert await turns_waiting(store, guest) == (0, 1)

    run(tmp_path, story)


def test_a_table_at_one_sitting_has_no_deadline(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry, None)
        await play(table)
        assert (told, table.session.deadline) == ([], None)
        assert await deadlines.due_tables(store, "9999", 9) == []
        assert await turns_waiting(store, "a") == (0, 0)

    run(tmp_path, story)


def test_the_player_who_is_waited_for_is_reminded_once_a_turn(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry, Slow(days=7, bot="random"))
        for _ in range(2):
            guest, deadline = to_move(table)[1], table.session.deadline or ""
            at = later(deadline, hours=-12)
            told.clear()
            assert await looking(registry, later(at, seconds=-1)).look() == 0
            assert await looking(registry, later(at, seconds=90)).look() == 1, "also where a node comes late"
            assert told == [DeadlineNear(guest, table.id, table.session.name, deadline)]
            await store.update_table(table.id, due=at)  # as where somebody at the table was erased
            await table.look_after(later(at, seconds=91), later(at, seconds=90))
            assert await looking(registry, later(deadline, seconds=-1)).look() == 0
            assert len(told) == 1
            assert table.session.deadline == deadline
            await play(table)
            while to_move(table)[1] == guest:
                await play(table)

    run(tmp_path, story)


def test_a_bot_makes_the_turn_of_one_who_is_late_and_no_more(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry)
        seat, guest = to_move(table)
        deadline, number = table.session.deadline or "", table.session.number
        told.clear()
        assert await looking(registry, later(deadline, hours=-12)).look() == 1, "to remind them"
        assert await looking(registry, later(deadline, seconds=-1)).look() == 0
        assert (table.session.number, [type(one) for one in told]) == (number, [DeadlineNear])
        told.clear()
        assert await looking(registry, deadline).look() == 1
        await at_rest(table)
        other = to_move(table)[1]
        assert other != guest
        assert table.session.number > number
        assert [chair.bot for chair in table.session.chairs] == [None, None]
        assert [(type(one), one.guest) for one in told] == [
            (TurnEnded, guest),
            (StoodIn, guest),
            (TurnBegan, other),
        ]
        assert 23.9 < hours_until(table.session.deadline) <= 24
        await play(table)
        assert to_move(table) == (seat, guest)
        await play(table)

    run(tmp_path, story)


def test_a_bot_plays_on_until_the_one_who_was_late_comes_back(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry, UNTIL_BACK)
        seat, guest = to_move(table)
        assert 71.9 < hours_until(table.session.deadline) <= 72
        await looking(registry, table.session.deadline or "").look()
        for _ in range(3):
            await at_rest(table)
            assert table.session.chairs[seat].bot == "random"
            assert to_move(table)[1] != guest
            await play(table)
        await at_rest(table)
        assert not any(isinstance(one, TurnBegan) and one.guest == guest for one in told[1:])
        # Nobody plays on their own any more: the game rests, and no node looks at it again and again.
        await looking(registry, table.session.deadline or "").look()
        await at_rest(table)
        assert await deadlines.due_tables(store, "9999", 9) == []
        rested = table.session.number
        ear = Ear(guest)
        await table.attach(ear)  # comes back
        await at_rest(table)
        assert table.session.chairs[seat].bot is None
        assert (to_move(table)[1], table.session.number >= rested) == (guest, True)
        assert 71.9 < hours_until(table.session.deadline) <= 72
        assert ear.state["deadline"] == table.session.deadline
        assert isinstance(told[-1], TurnBegan)
        assert told[-1].guest == guest

    run(tmp_path, story)


def test_a_player_at_the_table_takes_the_seat_back_when_a_bot_stands_in(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, _ = node(store)
        table = await opened(registry, UNTIL_BACK)
        seat, guest = to_move(table)
        ear = Ear(guest)
        await table.attach(ear)
        await looking(registry, table.session.deadline or "").look()
        await at_rest(table)
        assert ear.state["seats"][seat]["stands_in"] is True
        await table.do("eve", ReturnToSeat())
        assert table.session.chairs[seat].bot == "random"
        await table.do(guest, ReturnToSeat())
        assert ear.state["seats"][seat]["stands_in"] is False
        await play(table)
        assert to_move(table) == (seat, guest)
        # There is no need to wait for a bot that thinks: a player who moves has the seat again.
        stop_bots(registry)
        await looking(registry, table.session.deadline or "").look()
        assert ear.state["seats"][seat]["stands_in"] is True
        await play(table)
        assert ear.state["seats"][seat]["stands_in"] is False
        assert to_move(table)[1] != guest
        assert table.bots.task is not None
        table.bots.task.cancel()

    run(tmp_path, story)


@pytest.mark.parametrize("agreed", [ONE_TURN, UNTIL_BACK])
def test_a_late_player_gets_no_new_time_by_coming_back(tmp_path: Path, agreed: Slow) -> None:
    """A turn that a bot has begun is made, while somebody else waits: else one could be late for ever."""

    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry, agreed)
        seat, guest = to_move(table)
        ear = Ear(guest)
        await table.attach(ear)
        stop_bots(registry)
        await looking(registry, table.session.deadline or "").look()
        told.clear()
        await table.do(guest, ReturnToSeat())
        await table.attach(other := Ear(guest))
        came = [TurnEnded(guest, table.id, seat)]
        assert (table.session.chairs[seat].bot, table.session.deadline, told) == ("random", None, came), "no turn began"
        told.clear()
        table.detach(other)
        assert table.bots.task is not None
        table.bots.task.cancel()
        await asyncio.wait([table.bots.task])
        number, move = table.session.number, table.session.dealt().legal()[0]
        await table.do("", PlayForBot("random", seat, number, move))
        # With that turn the bot leaves the seat, for the guest is there.
        assert to_move(table)[1] != guest
        assert [chair.bot for chair in table.session.chairs] == [None, None]
        assert [(type(one), one.guest) for one in told] == [(TurnBegan, to_move(table)[1])]

    run(tmp_path, story)


def test_a_decision_in_the_turn_of_a_bot_leaves_an_hour_for_the_others(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, _ = node(store)
        seats = [SeatWish(kind="me", name="a"), SeatWish(kind="friend")]
        new = NewTable(game="schlossgarten", options={"players": 2}, seats=seats, slow=UNTIL_BACK)
        table = await TableOpener(registry).open("a", new)
        await table.do("b", Join("b", table.session.invitation))
        for guest in "ab":
            await table.do(guest, Ready(secrets.token_hex(16)))
        stop_bots(registry)
        seat, guest = to_move(table)
        await looking(registry, table.session.deadline or "").look()
        await play(table)
        assert (to_move(table), table.session.chairs[seat].bot) == ((seat, guest), None)
        assert 0.9 < hours_until(table.session.deadline) <= 1
        assert table.bots.task is not None
        table.bots.task.cancel()

    run(tmp_path, story)


def test_a_bot_that_sits_at_a_slow_table_moves_at_once(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)
        seats = [SeatWish(kind="me", name="a"), SeatWish(kind="friend"), SeatWish(kind="bot", bot="random")]
        new = NewTable(game="topas", options={"players": 3}, seats=seats, pace="instant", slow=ONE_TURN)
        table = await TableOpener(registry).open("a", new)
        await table.do("b", Join("b", table.session.invitation))
        for guest in "ab":
            await table.do(guest, Ready(secrets.token_hex(16)))
        for _ in range(4):
            await at_rest(table)
            assert to_move(table)[1] in "ab"
            assert table.session.deadline is not None
            await play(table)
        began = [one.guest for one in told if isinstance(one, TurnBegan)]
        assert sum(isinstance(one, TurnEnded) for one in told) == 4
        assert all(one != other for one, other in itertools.pairwise(began))

    run(tmp_path, story)


def test_the_last_turn_ends_with_the_game(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry)
        seat, guest = to_move(table)
        await table.do(guest, Resign(seat))
        assert told[-1] == TurnEnded(guest, table.id, seat)
        assert (table.session.phase, table.session.deadline) == ("over", None)
        assert await deadlines.due_tables(store, "9999", 9) == []
        assert await turns_waiting(store, guest) == (0, 0)
        ended, guest = await opened(registry, guests="xy"), "x"
        await ended.do("x", Agree("void"))
        await ended.do("y", Agree("void"))
        assert (ended.session.phase, isinstance(told[-1], TurnEnded)) == ("over", True)

    run(tmp_path, story)


def test_a_rematch_is_as_slow(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, _ = node(store)
        table = await opened(registry, UNTIL_BACK)
        await table.do("a", Resign(table.session.seats_of("a")[0]))
        again = await registry.find(await TableOpener(registry).rematch("b", table))
        assert again.session.slow == UNTIL_BACK
        assert again.session.deadline is None

    run(tmp_path, story)


def test_whose_connection_was_lost_is_told_of_the_turn_after_all(tmp_path: Path) -> None:
    """A phone that fell asleep seemed to be there when its turn began, so it was told nothing."""

    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry)
        guest = "b" if to_move(table)[1] == "a" else "a"
        await table.attach(here := Ear(guest))
        await table.attach(lost := Ear(guest))
        await play(table)
        began = told[-1]
        assert (type(began), began.guest, table.attendance.is_here(guest)) == (TurnBegan, guest, True)
        told.clear()
        table.detach(lost)
        table.tell_lost(guest)
        assert told == []  # another page of theirs is there
        table.detach(here)
        table.tell_lost(guest)
        assert told == [began]
        table.tell_lost("eve")
        await play(table)
        table.tell_lost(guest)
        assert sum(isinstance(one, TurnBegan) and one.guest == guest for one in told) == 1

    run(tmp_path, story)


# --- who may do what ---


def test_nobody_lets_a_bot_stand_in_before_the_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bosquet.server.table.viewers.presence.GONE_SECONDS", 0.0)

    async def story(store: Store) -> None:
        registry, _ = node(store)
        table = await opened(registry, guests="abc")
        ear = Ear("a")
        await table.attach(ear)
        assert [seat["gone"] for seat in ear.state["seats"]] == [False] * 3
        for seat, chair in enumerate(table.session.chairs):
            for guest in "abe":
                with pytest.raises(Refusal):
                    await table.do(guest, GiveSeat(seat, GiveSeat(seat=seat, bot="greedy", name="x").bot, "x"))
            assert chair.bot is None

    run(tmp_path, story)


def test_a_free_seat_of_a_listed_slow_table_needs_nobody_there(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, _ = node(store)
        seats = [SeatWish(kind="me", name="a"), SeatWish(kind="friend")]
        new = NewTable(game="topas", options={"players": 2}, seats=seats, slow=ONE_TURN, listed=True)
        ids = [(await TableOpener(registry).open("a", new)).id for _ in range(4)]
        hidden = await TableOpener(registry).open(
            "h", NewTable(game="topas", options={"players": 2}, seats=seats, slow=ONE_TURN)
        )
        del registry
        registry, _ = node(store)  # nobody was there
        tables = OpenTables(registry.services, registry, LOOSE)
        listed = [one.table for one in (await tables.shown("b")).waiting]
        assert len(listed) == 2, "a few of each host"
        assert set(listed) < set(ids)
        assert hidden.id not in listed
        table = await registry.find(listed[0])
        await table.do("b", Join("b", None))
        assert table.session.seats_of("b")
        with pytest.raises(Refusal, match="invitation"):
            await (await registry.find(hidden.id)).do("b", Join("b"))

    run(tmp_path, story)


def test_tables_are_kept_as_long_as_somebody_has_time(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, _ = node(store)
        table = await opened(registry, Slow(days=7, bot="random"))
        kept, today = table.id, datetime.now(UTC).date()
        del table
        few = TableRetention(pause=0, waiting=1, bots=1, abandoned=2, unpacked=1, finished=1)
        for days, deleted in ((3, 0), (7, 0), (8, 1)):
            swept = await TableCleanUp(store, registry, few).sweep(today + timedelta(days=days))
            assert swept.deleted == deleted, days
        assert await store.read_table(kept) is None

    run(tmp_path, story)


def test_of_an_erased_guest_a_bot_plays_on(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        first, _ = node(store)
        guest = to_move(await opened(first))[1]
        registry, told = node(store)
        await erase(store, registry, guest)
        ((table_id, _),) = await deadlines.due_tables(store, now(), 9)
        table = await registry.find(table_id)
        assert await looking(registry, later(now(), seconds=1)).look() == 1
        await at_rest(table)
        other = to_move(table)[1]
        assert other not in (guest, "None")
        assert 23.9 < hours_until(table.session.deadline) <= 24
        assert isinstance(told[-1], TurnBegan)
        assert told[-1].guest == other
        assert await turns_waiting(store, guest) == (0, 0)

    run(tmp_path, story)


def test_a_listener_that_fails_hinders_nobody(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)

        def broken(news: TableNews) -> None:
            raise RuntimeError

        registry.listeners.subscribe(broken)
        after: list[Any] = []
        registry.listeners.subscribe(after.append)
        table = await opened(registry)
        await play(table)
        assert len(told) == len(after) == 3

    run(tmp_path, story)


def test_what_is_told_of_a_turn_is_known_to_everybody_at_the_table(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry)
        watcher = Ear("eve")
        await table.attach(watcher)
        for _ in range(6):
            await play(table)
        shown = watcher.state
        for news in told:
            said = json.loads(ENCODER.encode(news))
            assert said.pop("guest") in ("a", "b")
            assert said.pop("table") == shown["table"]
            assert said.pop("seat") in (0, 1)
            if isinstance(news, TurnBegan):
                assert said.pop("game") == shown["game"]
                assert said.pop("players") == [seat["name"] for seat in shown["seats"]]
                assert hours_until(said.pop("deadline")) > 0
            assert said == {}
        assert (shown["deadline"], shown["slow"]) == (
            table.session.deadline,
            {"days": 1, "bot": "random", "until_back": False},
        )

    run(tmp_path, story)


# --- over HTTP ---


@each_row(
    "wrong",
    [
        {"days": 0},
        {"days": -1},
        {"days": 2},
        {"days": 1e9},
        {"days": "1"},
        {"days": True},
        {"days": None},
        {"bot": "deep"},
        {"bot": ""},
        {"bot": "x" * 25},
        {"bot": None},
        {"until_back": "yes"},
        {"deadline": "2030-01-01"},
    ],
)
def test_what_no_slow_table_can_be(ann: Person, wrong: dict[str, Any]) -> None:
    body = {"game": "topas", "options": {"players": 2}, "seats": [ME, FRIEND]}
    answer = ann.post("/api/tables", body | {"slow": {"days": 1, "bot": "greedy", **wrong}})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_slow_table_needs_a_friend(ann: Person) -> None:
    agreed = {"days": 1, "bot": "greedy"}
    for other in ({"kind": "bot", "bot": "greedy"}, {"kind": "here", "name": "Bea"}):
        body = {"game": "topas", "options": {"players": 2}, "seats": [ME, other], "slow": agreed}
        answer = ann.post("/api/tables", body)
        assert (answer.status_code, "friend" in answer.json()["message"]) == (400, True)


def test_how_a_slow_table_is_listed_and_nobody_changes_it(ann: Person, bea: Person) -> None:
    agreed = {"days": 7, "bot": "greedy", "until_back": True}
    later = ann.open("topas", {"players": 2}, [ME, FRIEND], slow=agreed)
    live = ann.open("topas", {"players": 2}, [ME, {"kind": "bot", "bot": "random"}])
    assert ann.get("/api/turns").json() == {"waiting": 0, "slow": 1}
    with ann.at(later) as hers:
        hers.ready()
        bea.post(f"/api/tables/{later}/join", {"name": "Bea", "invitation": hers.news["invitation"]})
        with bea.at(later) as theirs:
            theirs.ready()
            hers.hear("position")
            theirs.hear("position")
            for kind, more in (
                ("pace", {"pace": "instant", "days": 1}),
                ("pace", {"pace": "days"}),
                ("slow", agreed),
                ("back", {"seat": 0}),
            ):
                assert theirs.refusal(kind, **more) == "malformed"
            theirs.ask("back")
            ann_moves = hers.position["view"]["seat"] == hers.position["viewpoint"]
    turns = {who: who.get("/api/turns").json() for who in (ann, bea)}
    assert [turns[who]["waiting"] for who in (ann, bea)] == [int(ann_moves), int(not ann_moves)]
    assert [turns[who]["slow"] for who in (ann, bea)] == [1, 1]
    mine = ann.get("/api/lobby").json()["mine"]
    first = mine[0]["table"]
    assert first == (later if ann_moves else live)
    row = next(one for one in mine if one["table"] == later)
    assert (row["slow"], row["your_turn"]) == (agreed, ann_moves)
    assert 167 < hours_until(row["deadline"]) <= 168
    assert next(one for one in mine if one["table"] == live)["slow"] is None
    stranger = bea.client.get(f"/api/tables/{later}", headers={"cookie": ""}).json()
    assert (stranger["deadline"], stranger["your_turn"]) == (row["deadline"], False)
