"""The clocks of tables: when they run, what a turn costs, and what happens when the time is up. The time is given."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
import sqlalchemy as sa

import bosquet
from bosquet.server.base.clock import later, now, seconds_between
from bosquet.server.base.refusals import Refusal
from bosquet.server.history.games import page
from bosquet.server.history.messages import HistoryRequest
from bosquet.server.store.schema import awake, tables
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table.actions.agree import EndedEarly
from bosquet.server.table.actions.clock import CallTime, ClocksSet, TimeCalled
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.actions.give_up import Resign
from bosquet.server.table.actions.join import Join
from bosquet.server.table.actions.move import Play, PlayForBot
from bosquet.server.table.actions.stand_in import GiveSeat, ReturnToSeat
from bosquet.server.table.actions.undo import Undo
from bosquet.server.table.messages import Clock, NewTable, SeatWish, Slow
from bosquet.server.table.session import Session
from bosquet.server.table.table import Table
from bosquet.server.table.timing.clocks import DEAL_SECONDS, UNCOUNTED_SECONDS, flag, running_seat
from bosquet.server.tables.deadlines import Deadlines
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.outages import Outages
from bosquet.server.tables.registry import TableRegistry
from bosquet.server.tables.tables_of_guest import erase
from tests.server.helpers.kept import services_of, with_store
from tests.server.helpers.people import LOOSE
from tests.server.helpers.sessions import AT, ask, playing
from tests.server.helpers.tables import Ear, HereAtOnce

FIVE = Clock(minutes=5, increment=10)


def move_after(session: Session, seconds: float) -> tuple[int, float]:
    """Have the person to move do so some seconds after its clock began to run; return the seat and what it has left."""
    seat = running_seat(session)
    assert seat is not None
    assert session.since is not None
    assert session.times is not None
    guest = session.chairs[seat].guest or ""
    move = session.dealt().legal()[0]
    ask(session, guest, Play(seat, session.number, move), later(session.since, seconds=seconds))
    return seat, session.times[seat] / 1000


def play_turn(session: Session, seconds: float) -> tuple[int, float]:
    """Have the person to move make the whole turn at one moment; return the seat and what it has left."""
    assert session.since is not None
    seat, at = running_seat(session), later(session.since, seconds=seconds)
    assert seat is not None
    while running_seat(session) == seat:
        move = session.dealt().legal()[0]
        ask(session, session.chairs[seat].guest or "", Play(seat, session.number, move), at)
    assert session.times is not None
    return seat, session.times[seat] / 1000


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_turn_costs_the_time_that_it_took_and_brings_the_increment(name: str) -> None:
    session = playing("ann", "bea", name=name, clock=FIVE)
    assert session.times == [300_000, 300_000]
    assert session.since == later(AT, seconds=DEAL_SECONDS)
    first, left = play_turn(session, 40)
    assert left == 300 - 40 + 10
    assert running_seat(session) == 1 - first
    assert session.since == later(AT, seconds=DEAL_SECONDS + 40 + UNCOUNTED_SECONDS)
    assert play_turn(session, -UNCOUNTED_SECONDS) == (1 - first, 310), "a move at once costs nothing"
    assert play_turn(session, 265) == (first, 15)


def test_a_turn_of_several_decisions_is_counted_as_one_and_undo_gives_nothing_back() -> None:
    session = playing("ann", "bea", name="topiary", clock=FIVE)
    seat, since = running_seat(session), session.since
    assert seat is not None
    assert move_after(session, 100) == (seat, 300), "it is counted when the turn is passed on"
    assert session.since == since
    ask(session, session.chairs[seat].guest or "", Undo(seat, session.number), later(since or "", seconds=120))
    assert (session.since, session.times) == (since, [300_000, 300_000])
    assert play_turn(session, 130) == (seat, 300 - 130 + 10)


def test_no_clock_runs_while_a_bot_moves() -> None:
    session = playing("ann", None, clock=FIVE)
    for _ in range(2):
        if running_seat(session) is None:
            seat = session.dealt().seat or 0
            assert session.since is None
            command = PlayForBot("greedy", seat, session.number, session.dealt().legal()[0])
            ask(session, "", command, "2026-01-01T01:00:00.000Z")
        else:
            assert play_turn(session, 1)[1] == 309
    assert session.times is not None
    assert session.times[1] == 300_000


def test_a_bot_that_stands_in_stops_the_clock_and_the_guest_finds_it_as_it_was() -> None:
    session = playing("ann", "bea", clock=FIVE)
    seat = running_seat(session)
    assert seat is not None
    guest, other = session.chairs[seat].guest or "", session.chairs[1 - seat].guest or ""
    ask(session, other, GiveSeat(seat, "greedy", "Ivy"), later(session.since or "", seconds=60), gone=True)
    assert session.times is not None
    assert (session.since, session.times[seat]) == (None, 240_000)
    ask(session, guest, ReturnToSeat(), "2026-01-01T01:00:00.000Z")
    assert (session.since, session.times[seat]) == ("2026-01-01T01:00:01.000Z", 240_000)


@pytest.mark.parametrize(
    ("bot", "guests", "ends"),
    [(None, ["ann", "bea"], True), (None, ["ann", "bea", "cyd"], False), ("greedy", ["ann", "bea"], False)],
)
def test_when_the_time_is_up_the_seat_has_resigned_or_a_bot_has_it(
    bot: str | None, guests: list[str], ends: bool
) -> None:
    session = playing(*guests, clock=Clock(minutes=1, bot=bot))
    seat, up = running_seat(session), flag(session)
    assert seat is not None
    assert up is not None
    assert up == later(AT, seconds=DEAL_SECONDS + 60)
    assert ask(session, "", CallTime(), later(up, seconds=-0.001)) == [
        ClocksSet([60_000] * len(guests), session.since, up, session.since)
    ]
    first, called, *_ = ask(session, "", CallTime(), up)
    assert first == TimeCalled(seat)
    assert session.times is not None
    assert (session.times[seat], session.since) == (0, None)
    if ends:
        assert session.dealt().winners == [1 - seat]
        assert session.record()["ending"]["how"] == "resigned"
        assert isinstance(called, EndedEarly)
        assert called.listed == "time"
    else:
        chair = session.chairs[seat]
        assert (chair.guest, chair.left) == (None, "resigned" if bot is None else "left")
        assert bot in (None, chair.bot)
    again = ask(session, "", CallTime(), later(up, days=1))
    assert again == [ClocksSet(session.times, None, None, None)], "it is due no more"


def test_a_game_ended_on_time_if_all_who_resigned_were_out_of_time() -> None:
    for by_hand in (False, True):
        session = playing("ann", "bea", "cyd", clock=Clock(minutes=1))
        for late in (True, not by_hand):
            seat, up = running_seat(session), flag(session)
            assert seat is not None
            command = CallTime() if late else Resign(seat)
            ended = ask(session, "" if late else session.chairs[seat].guest or "", command, up or "")
            while session.phase == "playing" and running_seat(session) is None:
                bot = session.dealt().seat
                assert bot is not None
                plays = session.chairs[bot].bot or ""
                ask(session, "", PlayForBot(plays, bot, session.number, session.dealt().legal()[0]), up or "")
        (early,) = [event for event in ended if isinstance(event, EndedEarly)]
        assert early.listed == ("resigned" if by_hand else "time")


def test_where_nobody_else_plays_the_game_ends_when_the_time_is_up() -> None:
    session = playing("ann", None, clock=Clock(minutes=1, bot="greedy"))
    if running_seat(session) is None:
        ask(session, "", PlayForBot("greedy", 1, session.number, session.dealt().legal()[0]))
    ask(session, "", CallTime(), "2026-01-02T00:00:00.000Z")
    assert session.phase == "over"


def test_a_move_counts_that_arrives_before_the_time_was_called() -> None:
    session = playing("ann", "bea", clock=Clock(minutes=1))
    assert play_turn(session, 61)[1] == 0.001


def test_clocks_stop_at_the_end_of_a_game() -> None:
    session = playing("ann", "bea", clock=FIVE)
    ask(session, "ann", Resign(0), later(session.since or "", seconds=7))
    assert session.since is None
    assert session.times is not None
    assert sorted(session.times) == [293_000, 300_000]


# --- tables ---


async def opened(registry: TableRegistry, clock: Clock) -> Table:
    """A table of Ann's and Bea's with clocks whose game has begun."""
    seats = [SeatWish(kind="me", name="a"), SeatWish(kind="friend")]
    new = NewTable(game="topas", options={"players": 2}, seats=seats, pace="instant", clock=clock)
    table = await TableOpener(registry).open("a", new)
    await table.do("b", Join("b", table.session.invitation))
    for guest in "ab":
        await table.do(guest, Ready(secrets.token_hex(16)))
    return table


def node(store: Store) -> TableRegistry:
    work: Any = HereAtOnce()
    return TableRegistry(services_of(store, LOOSE, work), LOOSE)


def run(folder: Path, story: Callable[[Store], Awaitable[None]]) -> None:
    with_store(folder, story)


def test_a_table_with_clocks_that_can_not_be_is_refused(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        me, bot = SeatWish(kind="me", name="a"), SeatWish(kind="bot", bot="greedy")
        friend, slow = SeatWish(kind="friend"), Slow(days=1, bot="greedy")
        for seats, clock, agreed in (
            ([me, friend], FIVE, slow),
            ([me], FIVE, None),
            ([bot, bot], FIVE, None),
            ([me, friend], Clock(minutes=5, bot="nobody"), None),
        ):
            new = NewTable(game="topas", options={"players": len(seats)}, seats=seats, clock=clock, slow=agreed)
            with pytest.raises(Refusal) as refusal:
                await TableOpener(registry).open("a", new)
            assert refusal.value.code == "malformed"

    run(tmp_path, story)


def test_pages_are_told_what_the_clocks_say_and_what_time_it_is(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        table = await opened(registry, FIVE)
        ann = Ear("a")
        await table.attach(ann)
        times = ann.state["times"]
        assert ann.state["clock"] == {"minutes": 5, "increment": 10, "bot": None}
        assert (times["left"], times["since"]) == ([300_000, 300_000], table.session.since)
        assert abs(seconds_between(times["now"], now())) < 60
        outline = await registry.outline(table.id, "a")
        assert outline.clock == FIVE
        await table.do("a", Resign(table.session.seats_of("a")[0]))
        await TableOpener(registry).rematch("a", table)
        assert table.session.rematch is not None
        assert (await registry.find(table.session.rematch)).session.clock == FIVE

    run(tmp_path, story)


def test_the_node_where_a_table_is_calls_time(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        table = await opened(registry, Clock(minutes=1))
        seat = running_seat(table.session)
        past = later(now(), seconds=-70)
        await store.write(sa.update(tables).where(tables.c.id == table.id).values(since=past, due=past))
        await table.read_again()  # the timer is set by what is kept
        async with asyncio.timeout(20):
            while table.session.phase != "over":
                await asyncio.sleep(0.01)
        assert table.session.times is not None
        assert table.session.times[seat or 0] == 0

    run(tmp_path, story)


def test_where_that_node_is_gone_another_one_calls_time(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        table = await opened(node(store), Clock(minutes=1))
        up = flag(table.session) or ""
        other = node(store)
        assert await Deadlines(store, other, lambda: later(up, seconds=-1)).look() == 0
        assert await Deadlines(store, other, lambda: up).look() == 1
        assert (await other.find(table.id)).session.phase == "over"
        assert (await other.outline(table.id, "a")).ending == "time"
        (played,) = (await page(store, "a", HistoryRequest())).games
        assert played.ending == "time"
        with pytest.raises(Refusal):
            await table.do("a", Resign(table.session.seats_of("a")[0]))
        assert table.session.phase == "over", "the first node has read it"

    run(tmp_path, story)


def test_a_table_that_is_looked_after_too_early_is_due_again_when_the_time_is_up(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        table = await opened(registry, Clock(minutes=1))
        up, early = flag(table.session) or "", later(now(), seconds=1)
        await store.write(sa.update(tables).where(tables.c.id == table.id).values(due=now()))
        assert await Deadlines(store, registry, lambda: early).look() == 1
        assert await Deadlines(store, registry, lambda: later(up, seconds=-1)).look() == 0
        assert await Deadlines(store, registry, lambda: up).look() == 1
        assert table.session.phase == "over"

    run(tmp_path, story)


def test_a_clock_that_runs_holds_no_table_in_memory_that_everybody_left(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        table = await opened(registry, FIVE)
        ann = Ear("a")
        await table.attach(ann)
        table.detach(ann)
        asked = table.id
        del table, ann
        registry.let_go(asked)
        gc.collect()
        assert registry.let_go(asked)

    run(tmp_path, story)


def test_time_in_which_no_server_was_there_is_given_back(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        first = Outages(store, registry, lambda: AT)
        assert await first.look() == 0
        assert await store.select(sa.select(awake)) == [], "nothing is noted while no clock runs"
        table = await opened(registry, FIVE)
        since = table.session.since or ""
        begun = later(since, seconds=30)
        assert await Outages(store, registry, lambda: begun).look() == 0
        assert await Outages(store, registry, lambda: later(begun, seconds=11)).look() == 0
        last = later(begun, seconds=11)
        # The server is off for an hour; the clock had run for 41 seconds.
        assert await Outages(store, registry, lambda: later(last, hours=1)).look() == 1
        assert table.session.since == later(since, hours=1)
        assert flag(table.session) == later(since, hours=1, seconds=300)
        ((due,),) = await store.select(sa.select(tables.c.due).where(tables.c.id == table.id))
        assert due == flag(table.session)
        assert await Outages(store, registry, lambda: later(last, hours=1, seconds=5)).look() == 0

    run(tmp_path, story)


def test_a_move_after_the_computer_slept_costs_nothing_of_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        table = await opened(registry, FIVE)
        begun = table.session.since or ""
        at = later(begun, seconds=30)
        monkeypatch.setattr("bosquet.server.table.table.now", lambda: at)
        outages = Outages(store, registry, lambda: at)
        registry.listeners.before_clocks = outages.look_if_late
        await outages.look()
        at = later(at, seconds=11)
        assert await outages.look_if_late() == 0
        at = later(at, hours=1)
        seat = running_seat(table.session)
        assert seat is not None
        await table.do(table.session.chairs[seat].guest or "", Resign(seat))
        assert table.session.times is not None
        assert table.session.times[seat] == 270_000

    run(tmp_path, story)


def test_time_in_which_the_database_did_not_answer_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        table = await opened(registry, FIVE)
        since = table.session.since or ""
        at = later(since, seconds=30)
        outages = Outages(store, registry, lambda: at)
        assert await outages.look() == 0
        for method in ("select", "write"):
            begun = table.session.since or ""
            with monkeypatch.context() as down:
                down.setattr(store, method, AsyncMock(side_effect=Refusal("unavailable", "down")))
                for _ in range(60):
                    at = later(at, seconds=5)
                    with pytest.raises(Refusal):
                        await outages.look()
            at = later(at, seconds=5)
            assert await outages.look() == 1
            assert table.session.since == later(begun, seconds=305)

    run(tmp_path, story)


def test_a_look_with_which_something_always_interferes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        await opened(registry, FIVE)
        monkeypatch.setattr(store, "write", AsyncMock(side_effect=Conflict("another node")))
        with pytest.raises(Refusal, match="try again"):
            await Outages(store, registry).look()

    run(tmp_path, story)


def test_a_failure_while_clocks_are_moved_loses_the_time_of_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        first, second = await opened(registry, FIVE), await opened(registry, FIVE)
        begun = [table.session.since or "" for table in (first, second)]
        at = later(max(begun), seconds=1)
        outages = Outages(store, registry, lambda: at)
        assert await outages.look() == 0
        last, at = at, later(at, hours=1)
        written: list[Any] = []
        write = store.write

        async def fail(*statements: Any) -> None:
            written.append(statements)
            if len(written) > 1:
                raise Refusal("unavailable", "down")
            await write(*statements)

        with monkeypatch.context() as down:
            down.setattr(store, "write", fail)
            down.setattr(store, "read_tables", AsyncMock(side_effect=Refusal("unavailable", "down")))
            with contextlib.suppress(Refusal):
                await outages.look()
        kept = dict(await store.select(sa.select(tables.c.id, tables.c.since)))
        for table, since in zip((first, second), begun, strict=True):
            assert kept[table.id] == later(since, seconds=seconds_between(last, at))
            await table.do("", CallTime())
            assert table.session.since == kept[table.id], "it was read before anything else"

    run(tmp_path, story)


def test_the_clock_of_a_guest_who_is_erased_stands(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry = node(store)
        table = await opened(registry, Clock(minutes=1))
        seat = running_seat(table.session)
        assert seat is not None
        await erase(store, registry, table.session.chairs[seat].guest or "")
        await Deadlines(store, registry, lambda: later(now(), seconds=1)).look()  # if no bot has moved before
        assert running_seat(table.session) in (None, 1 - seat)
        assert table.session.phase == "playing"

    run(tmp_path, story)
