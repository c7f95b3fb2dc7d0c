"""Vacations: deadlines of slow tables stand still meanwhile, others are told, and no table is stalled for ever."""

from __future__ import annotations

import secrets
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from starlette.testclient import TestClient

from bosquet.server.base.clock import later, now, seconds_between
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests import vacations
from bosquet.server.store.store import Store
from bosquet.server.table.actions.deadline import LookAfter
from bosquet.server.table.actions.deal import Begin, Ready
from bosquet.server.table.actions.join import Join
from bosquet.server.table.actions.move import Play
from bosquet.server.table.actions.vacation import SetAway
from bosquet.server.table.messages import NewTable, SeatWish, Slow
from bosquet.server.table.session import Chair, Session
from bosquet.server.table.table import Table
from bosquet.server.table.viewers.table_state import table_state
from bosquet.server.tables.deadlines import Deadlines
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.registry import TableRegistry
from bosquet.server.tables.vacation_requests import VacationRequests
from tests.server.helpers.kept import services_of, sweep, with_store
from tests.server.helpers.people import FRIEND, LOOSE, ME, Person
from tests.server.helpers.sessions import AT, ask, waiting_session
from tests.server.helpers.tables import HereAtOnce

THREE = Slow(days=3, bot="random")


def day(number: float) -> str:
    return later(AT, days=number)


def slow_game() -> tuple[Session, str, str]:
    """A slow game, the guest to move, and the other one."""
    chairs = [Chair(name=guest, guest=guest, nonce="0" * 32) for guest in ("ann", "bea")]
    session = waiting_session("topas", {"players": 2, "expert": False}, chairs, listed=False, slow=THREE)
    ask(session, "", Begin())
    seat = session.dealt().seat or 0
    return session, session.chairs[seat].guest or "", session.chairs[1 - seat].guest or ""


def test_a_deadline_stands_still_on_vacation_and_goes_on_when_it_is_ended() -> None:
    session, mover, other = slow_game()
    assert session.deadline == day(3)
    ask(session, "", SetAway(other, day(8)), day(1))
    assert session.deadline == day(3), "it is not that guest's turn"
    ask(session, "", SetAway(mover, day(8)), day(1))
    assert session.deadline == day(10)
    assert ask(session, "", SetAway(mover, day(8)), day(2)) == [], "it may be said again"
    ask(session, "", LookAfter(), day(9))
    assert session.chairs[session.dealt().seat or 0].bot is None
    ask(session, "", SetAway(mover, None), day(5))
    assert session.deadline == day(7), "of three days one was over before the vacation"


def test_a_turn_that_begins_on_vacation_has_its_days_after_that() -> None:
    session, mover, other = slow_game()
    ask(session, "", SetAway(other, day(8)), day(0))
    move = session.dealt().legal()[0]
    ask(session, mover, Play(session.dealt().seat or 0, session.number, move), day(2))
    assert session.deadline == day(11)
    ask(session, "", SetAway(other, None), day(4))
    assert session.deadline == day(7)
    ask(session, "", LookAfter(), day(7))
    assert session.chairs[session.dealt().seat or 0].bot == "random"


def test_nobody_has_a_vacation_cut_short_that_the_node_which_began_the_turn_did_not_know() -> None:
    session, mover, _ = slow_game()
    seat = session.dealt().seat or 0
    session.chairs[seat].away = day(8)
    ask(session, "", SetAway(mover, day(8)), day(3))
    assert session.deadline == day(3), "this is what the two nodes have written"
    ask(session, "", LookAfter(), day(3))
    assert (session.chairs[seat].bot, session.deadline) == (None, day(11))
    ask(session, "", LookAfter(), day(11))
    assert session.chairs[seat].bot == "random"


def test_a_guest_has_some_days_a_year_and_each_vacation_takes_one_at_least(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        def left(at: str) -> Any:
            return vacations.shown(store, "ann", at)

        assert (await left(AT)).left == vacations.DAYS_A_YEAR
        await vacations.take(store, "ann", 14, AT)
        assert (await left(day(1))).until == day(14)
        with pytest.raises(Refusal, match="end that one first"):
            await vacations.take(store, "ann", 1, day(1))
        await vacations.end(store, "ann", day(2.5))
        assert ((await left(day(3))).until, (await left(day(3))).left) == (None, 18)
        for number in range(18):
            await vacations.take(store, "ann", 1, day(3 + number / 100))
            await vacations.end(store, "ann", day(3 + number / 100 + 0.005))
        with pytest.raises(Refusal, match="0 days"):
            await vacations.take(store, "ann", 1, day(4))
        with pytest.raises(Refusal):
            await vacations.end(store, "ann", day(4))
        assert (await left(day(367.6))).left == 3, "a year later those count no more that are over"
        assert (await left(day(370))).left == 21
        assert len(await vacations.kept(store, "ann")) == 19
        await sweep(store, date(2027, 1, 10))
        assert await vacations.kept(store, "ann") == []

    with_store(tmp_path, story)


def test_tables_are_told_and_new_ones_too(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        work: Any = HereAtOnce()
        registry = TableRegistry(services_of(store, LOOSE, work), LOOSE)
        await vacations.take(store, "b", 5, now())
        seats = [SeatWish(kind="me", name="a"), SeatWish(kind="friend")]
        table = await TableOpener(registry).open(
            "a", NewTable(game="topas", options={"players": 2}, seats=seats, slow=THREE)
        )
        await table.do("b", Join("b", table.session.invitation))
        await table.note_vacation("b")
        away = {chair.guest: chair.away for chair in table.session.chairs}
        assert away["a"] is None
        assert seconds_between(now(), away["b"] or "") > 4 * 86_400
        again = await TableOpener(registry).open(
            "b", NewTable(game="topas", options={"players": 2}, seats=seats, slow=THREE)
        )
        assert away["b"] in [seat.away for seat in table_state("t", again.session, again.attendance).seats]
        again.session.phase = "over"
        assert not any(seat.away for seat in table_state("t", again.session, again.attendance).seats)

    with_store(tmp_path, story)


def test_a_table_that_can_not_be_told_finds_out_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(store: Store) -> None:
        work: Any = HereAtOnce()
        services = services_of(store, LOOSE, work)
        registry = TableRegistry(services, LOOSE)
        await vacations.take(store, "a", 5, now())
        await vacations.take(store, "b", 5, now())
        down = AsyncMock(side_effect=Refusal("unavailable", "down"))
        seats = [SeatWish(kind="me", name="a"), SeatWish(kind="friend")]
        with monkeypatch.context() as context:
            context.setattr(Table, "note_vacation", down)
            table = await TableOpener(registry).open(
                "a", NewTable(game="topas", options={"players": 2}, seats=seats, slow=THREE)
            )
        assert down.called, "the table is there nevertheless"
        await table.do("b", Join("b", table.session.invitation))
        for guest in "ab":
            await table.do(guest, Ready(secrets.token_hex(16)))
            await table.note_vacation(guest)
        requests = VacationRequests(services, Mock(), registry)
        with monkeypatch.context() as context:
            context.setattr(Table, "note_vacation", down)
            for guest in "ab":
                await requests.end(Mock(), guest)
        assert all(chair.away for chair in table.session.chairs)
        assert await Deadlines(store, registry, lambda: later(now(), seconds=1)).look() == 1
        assert not any(chair.away for chair in table.session.chairs)
        assert abs(seconds_between(later(now(), days=3), table.session.deadline or "")) < 60

    with_store(tmp_path, story)


def test_a_vacation_is_taken_and_ended_by_hand(client: TestClient, ann: Person, bea: Person) -> None:
    slow = {"days": 1, "bot": "greedy"}
    opening = {"game": "topas", "options": {"players": 2}, "seats": [ME, FRIEND], "slow": slow}
    table = ann.post("/api/tables", opening).json()["table"]
    with ann.at(table) as one:
        state = one.hear("table")
        join = {"name": "Bea", "invitation": state["invitation"]}
        assert bea.post(f"/api/tables/{table}/join", join).status_code == 204
        with bea.at(table) as other:
            for page in (one, other):
                page.ask("ready", nonce=secrets.token_hex(16))
            one.hear("position")
    before = ann.get(f"/api/tables/{table}").json()["deadline"]
    for who in (ann, bea):
        assert who.get("/api/me/vacation").json() == {"until": None, "left": 21, "of": 21}
        assert who.post("/api/me/vacation", {"days": 22}).status_code == 400
        taken = who.post("/api/me/vacation", {"days": 5}).json()
        assert taken["left"] == 16
        assert who.post("/api/me/vacation", {"days": 5}).json()["code"] == "not now"
    after = ann.get(f"/api/tables/{table}").json()["deadline"]
    assert abs(seconds_between(before, after) - 5 * 86_400) < 30
    with ann.at(table) as one:
        assert all(seat["away"] for seat in one.hear("table")["seats"])
    for who in (ann, bea):
        ended = who.post("/api/me/vacation/end", {}).json()
        assert ended == {"until": None, "left": 20, "of": 21}
    ended = ann.get(f"/api/tables/{table}").json()["deadline"]
    assert abs(seconds_between(before, ended)) < 60
    (kept,) = ann.get("/api/me").json()["vacations"]
    assert kept.keys() == {"start", "until"}
