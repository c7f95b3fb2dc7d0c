"""Tables from opening to the end: everything a page can ask, over the real application."""

from __future__ import annotations

import dataclasses
import functools
import json
import threading
import traceback
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import structlog
from starlette.testclient import TestClient, WebSocketDenialResponse

import bosquet
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.server.base import logs
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.store import JournalEntry
from bosquet.server.table.actions.close import Closed
from bosquet.server.table.actions.deal import Dealt, NonceAdded
from bosquet.server.table.actions.join import SeatTaken
from bosquet.server.table.actions.stand_in import SeatGiven
from bosquet.server.tables.clean_up import TableCleanUp, TableRetention
from tests.helpers.cases import every_size
from tests.server.helpers.kept import happen
from tests.server.helpers.memory import forget_table, held_table
from tests.server.helpers.people import FRIEND, GREEDY, LOOSE, ME, RANDOM, Page, Person, begin, make_app


@every_size
def test_a_game_against_bots_is_played_to_its_end(ann: Person, name: str, options: dict[str, Any]) -> None:
    bot = GREEDY if name == "schlossgarten" else RANDOM
    table = ann.open(name, options, [ME, *[bot] * (options["players"] - 1)])
    with ann.at(table) as page:
        page.ready()
        page.play_on(Rng(1, name))
        sheet = page.hear("sheet")["sheet"]
        proof = page.hear("proof")
        commitment = page.news["commitment"]
    assert fair.commitment(proof["secret"]) == commitment
    record = ann.get(f"/api/tables/{table}/record").json()
    game = bosquet.load(record)
    fair.verify(game)
    assert game.scores == sheet["scores"] == page.position["view"]["scores"]
    assert [line["number"] for line in page.entries] == list(range(page.position["number"]))
    assert len(page.entries) == len(record["moves"])
    assert sorted(record["players"]) == sorted(["Ann", *[bot["bot"].capitalize()] * (options["players"] - 1)])
    assert record["started"] < record["ended"]


def test_two_people_at_one_table(ann: Person, bea: Person) -> None:
    table = ann.open("topiary", {"players": 2}, [ME, FRIEND])
    with ann.at(table) as hers:
        invitation = hers.hear("table")["invitation"]
        assert hers.news["mine"]
        assert hers.news["phase"] == "waiting"
        with bea.at(table) as watching:
            assert watching.hear("table")["invitation"] is None
        refused = bea.post(f"/api/tables/{table}/join", {"name": "Bea", "invitation": "guess"})
        assert (refused.status_code, refused.json()["code"]) == (409, "no seat")
        assert bea.post(f"/api/tables/{table}/join", {"name": "Bea", "invitation": invitation}).status_code == 204
        with bea.at(table) as other:
            hers.ask("ready", nonce="0" * 32)
            other.ready()
            hers.hear("position")
            other.hear("position")
            assert {hers.position["viewpoint"], other.position["viewpoint"]} == {0, 1}
            assert hers.position["view"]["hand"] != other.position["view"]["hand"]
            mover, watcher = (hers, other) if hers.position["view"]["moves"] else (other, hers)
            mover.play("a1E")
            entry = {"number": 0, "seat": 0, "say": "a1E", "undo": False, "ending": None}
            [told] = watcher.hear("position")["entries"]
            assert told == entry | {"move": told["move"]}
            assert mover.hear("position")["undo"] is True
            assert watcher.position["undo"] is False
            mover.ask("undo", seat=0, number=1)
            assert watcher.hear("position")["entries"] == [
                {"number": 1, "seat": 0, "say": "", "move": None, "undo": True, "ending": None}
            ]
            assert mover.hear("position")["view"]["phase"] == "line"
            mover.play("a1E")
            mover.hear("position")
            mover.play("take b1")
            taken = mover.hear("position")
            assert taken["undo"] is False
            assert mover.refusal("undo", seat=0, number=taken["number"]) == "not now"
            assert len(taken["view"]["hand"]) == 4
            assert watcher.hear("position")
            watcher.hear("position")
            assert watcher.position["view"]["hand_sizes"] == [4, 3]
            assert watcher.refusal("play", seat=1, number=watcher.position["number"], move="a2E") == "not now"
            assert watcher.refusal("play", seat=0, number=watcher.position["number"], move="a2E") == "not yours"
            assert mover.refusal("play", seat=0, number=0, move="put T1") == "stale"
            assert mover.refusal("play", seat=0, number=taken["number"], move="put XX") == "illegal"
            assert mover.refusal("look", seat=1) == "not yours"


def test_a_connection_that_was_cut_gets_exactly_the_gap(ann: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    rng = Rng(3)
    with ann.at(table) as page:
        page.ready()
        page.play_on(rng, 2)
        have = page.position["number"]
    with ann.at(table, since=have) as page:
        position = page.hear("position")
        assert [line["number"] for line in position["entries"]] == list(range(have, position["number"]))
        page.play_on(rng, 2)
    with ann.at(table, since=10**6) as page:
        position = page.hear("position")
        assert [line["number"] for line in position["entries"]] == list(range(position["number"]))


def test_several_people_at_one_screen_see_one_hand_at_a_time(ann: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, {"kind": "here", "name": "Bea"}])
    with ann.at(table) as page:
        page.ready()
        assert page.hear("position")["viewpoint"] is None
        assert page.position["view"]["hand"] is None
        assert page.news["mine"] == [0, 1]
        rng = Rng(5)
        while not page.position["view"]["over"]:
            seat = page.position["view"]["seat"]
            page.ask("look", seat=seat)
            page.hear("position")
            assert page.position["viewpoint"] == seat
            page.play(rng.choice(page.position["view"]["moves"])["say"])
            page.hear("position")
            page.ask("look", seat=None)
            assert page.hear("position")["view"]["hand"] is None


def test_a_table_shows_who_is_here_and_who_watches(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    with ann.at(table) as hers:
        while hers.hear("table")["seats"]:
            here = {seat["name"]: seat["here"] for seat in hers.news["seats"]}
            if here == {"Ann": True, "Bea": False}:
                break
        with bea.at(table) as other:
            other.hear("table")
            assert all(seat["here"] for seat in hers.hear("table")["seats"])
        assert not all(seat["here"] for seat in hers.hear("table")["seats"])
        ann.client.cookies.clear()
        with Person(ann.client).at(table) as watching:
            assert watching.hear("table")["mine"] == []
            assert hers.hear("table")["watchers"] == 1
        assert hers.hear("table")["watchers"] == 0


def test_the_lobby_and_a_rematch(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    waiting = bea.get("/api/lobby").json()
    assert [one["table"] for one in waiting["waiting"]] == [table]
    assert waiting["mine"] == []
    assert next(one["table"] for one in ann.get("/api/lobby").json()["mine"]) == table
    assert bea.post(f"/api/tables/{table}/join", {"name": " Bea\u202e \n", "invitation": None}).status_code == 204
    assert bea.get("/api/lobby").json()["waiting"] == []
    with ann.at(table) as hers, bea.at(table) as other:
        hers.ready()
        other.ready()
        rng = Rng(8)
        hers.hear("position")
        other.hear("position")
        assert hers.refusal("rematch") == "not now"
        for _ in range(14):
            mover = hers if hers.position["view"]["moves"] else other
            mover.play(rng.choice(mover.position["view"]["moves"])["say"])
            hers.hear("position")
            other.hear("position")
        names = [seat["name"] for seat in hers.news["seats"]]
        assert sorted(names) == ["Ann", "Bea"]
        other.ask("rematch")
        while not hers.news["rematch"]:
            hers.hear("table")
        while not other.news["rematch"]:
            other.hear("table")
        again = hers.news["rematch"]
        assert other.news["rematch"] == again
    with ann.at(again) as page:
        page.hear("table")
        assert [seat["name"] for seat in page.news["seats"]] == names[::-1]


def test_when_the_next_table_is_closed_the_last_one_offers_another(ann: Person, bea: Person, client: Any) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    with ann.at(table) as hers, bea.at(table) as other:
        begin(hers, other)
        rng = Rng(8)
        while not hers.position["view"]["over"]:
            mover = hers if hers.position["view"]["moves"] else other
            mover.play(rng.choice(mover.position["view"]["moves"])["say"])
            hers.hear("position")
            other.hear("position")

        def opened() -> str:
            hers.ask("rematch")
            while not (hers.news["rematch"] and other.news["rematch"]):
                hers.hear("table")
                other.hear("table")
            again: str = other.news["rematch"]
            return again

        def offered() -> bool:
            """Whether both are told, soon, that there is no next table."""
            for page in (hers, other):
                while page.news["rematch"]:
                    page.hear("table")
            return True

        by_its_host = opened()
        with ann.at(by_its_host) as page:
            assert page.hear("table")["previous"] == table
            page.ask("close")
            assert page.hear("table")["phase"] == "closed"
            assert offered()

        by_the_clean_up = opened()
        assert by_the_clean_up != by_its_host
        server = client.app.state.server
        _set(client, by_the_clean_up, touched="2020-01-01")
        client.portal.call(TableCleanUp(server.services.store, server.registry, TableRetention()).sweep, date.today())
        assert offered()

        before_a_crash = opened()
        _set(client, before_a_crash, phase="closed")
        assert other.news["rematch"]
        assert bea.get(f"/api/tables/{before_a_crash}").json()["phase"] == "closed"
        assert offered()

        erased = opened()
        with bea.at(erased) as page:
            assert page.hear("table")["phase"] == "waiting"
            ann.post("/api/me/erase", {})
            while page.news["phase"] != "closed":
                page.hear("table")
        while other.news["rematch"]:
            other.hear("table")


def test_tables_that_nobody_can_join_do_not_crowd_others_out_of_the_lobby(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path)) as client:
        ann = Person(client)
        client.cookies.clear()
        bea = Person(client)
        table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
        for _ in range(25):
            ann.open("topas", {"players": 2}, [ME, {"kind": "here", "name": "Cid"}], listed=True)
            bea.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
        assert [one["table"] for one in bea.get("/api/lobby").json()["waiting"]] == [table]


def test_signs_pace_and_running_sheet(ann: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        seat = page.position["viewpoint"]
        page.ask("react", seat=seat, sign="hello")
        assert page.hear("reacted") == {"type": "reacted", "seat": seat, "sign": "hello"}
        assert page.refusal("react", seat=1 - seat, sign="hello") == "not yours"
        page.ask("pace", pace="human")
        assert page.hear("table")["pace"] == "human"
        page.ask("sheet")
        assert page.hear("sheet")["sheet"]["scores"] == page.position["view"]["scores"]
    closed = ann.open("topiary", {"players": 2}, [ME, RANDOM])
    with ann.at(closed) as page:
        page.ready()
        page.hear("position")
        assert page.refusal("sheet") == "not now"


def test_my_tables_say_whose_turn_it_is_and_how_they_ended(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=True)
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})

    def told(person: Person) -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in person.get("/api/lobby").json()["mine"] if one["table"] == table)
        return found

    assert not told(ann)["your_turn"]
    assert not told(bea)["your_turn"]
    assert told(ann)["opened"].endswith("Z")
    with ann.at(table) as hers, bea.at(table) as other:
        hers.ready()
        other.ready()
        hers.hear("position")
        other.hear("position")
        for _ in range(14):
            mover, person, rest = (hers, ann, bea) if hers.position["view"]["moves"] else (other, bea, ann)
            assert told(person)["your_turn"]
            assert not told(rest)["your_turn"]
            mover.play(mover.position["view"]["moves"][0]["say"])
            hers.hear("position")
            other.hear("position")
        sheet = hers.hear("sheet")["sheet"]
    newer = ann.open("topas", {"players": 1}, [ME])
    mine = ann.get("/api/lobby").json()["mine"]
    assert [one["table"] for one in mine if one["table"] in (table, newer)] == [newer, table]
    over = told(ann)
    assert not over["your_turn"]
    assert over["ended"] > over["opened"]
    assert (over["scores"], over["winners"]) == (sheet["scores"], sheet["winners"])


def test_a_table_is_taken_out_of_ones_own_list_only(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, {"kind": "here", "name": "Cleo"}])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
    for archived in (True, False):
        assert bea.post(f"/api/tables/{table}/archive", {"archived": archived}).json()["code"] == "not yours"
        assert ann.post(f"/api/tables/{table}/archive", {"archived": archived}).status_code == 204
        assert (table in ann.get("/api/lobby").text) is not archived
    assert ann.post("/api/tables/nowhere/archive", {"archived": True}).json()["code"] == "no table"
    assert ann.post(f"/api/tables/{table}/archive", {"archived": "yes"}).json()["code"] == "malformed"


def test_what_everybody_may_know_of_a_table(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 3}, [ME, FRIEND, GREEDY])
    outline = bea.get(f"/api/tables/{table}").json()
    assert (outline["game"], outline["mine"], outline["phase"]) == ("topas", False, "waiting")
    named = dict(zip(outline["names"], outline["bots"], strict=True))
    assert named == {"Ann": None, None: None, "Greedy": "greedy"}
    assert bea.get("/api/tables/nowhere").status_code == 404


def test_a_table_that_was_forgotten_is_read_again(ann: Person, client: Any) -> None:
    table = ann.open("schlossgarten", {"players": 2}, [ME, GREEDY])
    rng = Rng(2)
    with ann.at(table) as page:
        page.ready()
        page.play_on(rng, 30)
        before = page.position
    forget_table(client, table)
    with ann.at(table) as page:
        after = page.hear("position")
        assert json.dumps(after["view"]) == json.dumps(before["view"])
        assert after["number"] == before["number"]
        page.play_on(rng)


def test_what_another_process_wrote_first_is_taken_over(ann: Person, bea: Person, client: Any) -> None:
    table = ann.open("topas", {"players": 3}, [ME, FRIEND, FRIEND], listed=True)
    store = client.app.state.server.services.store
    with ann.at(table) as page:
        page.hear("table")
        free = [seat for seat in range(3) if seat not in page.news["mine"]]
        client.portal.call(happen, store, table, SeatTaken(free[0], "somebody", "Cid"))
        assert bea.post(f"/api/tables/{table}/join", {"name": "Bea"}).json()["code"] == "stale"
        names = [seat["name"] for seat in page.hear("table")["seats"]]
        assert (names[free[0]], names[free[1]]) == ("Cid", None)
        assert bea.post(f"/api/tables/{table}/join", {"name": "Bea"}).status_code == 204
        added = [NonceAdded(seat, "0" * 32) for seat in range(3)]
        client.portal.call(happen, store, table, *added, Dealt("2026-01-01T00:00:00Z", 0))
        assert page.refusal("ready", nonce="1" * 32) == "stale"
        assert page.news["phase"] == "playing"
        assert page.position["number"] == 0
    assert held_table(client, table).session.nonces == ["0" * 32] * 3


def test_what_another_process_gave_away_or_closed_is_taken_over(ann: Person, bea: Person, client: Any) -> None:
    table = ann.open("topas", {"players": 3}, [ME, FRIEND, FRIEND])
    store = client.app.state.server.services.store
    with ann.at(table) as page:
        invitation = page.hear("table")["invitation"]
        page.ask("ready", nonce="0" * 32)
        free = [seat for seat in range(3) if seat not in page.news["mine"]]
        client.portal.call(happen, store, table, SeatGiven(free[0], None, "greedy", "Ivy"))
        assert page.refusal("give", seat=free[0], bot="random", name="Rex") == "stale"
        assert (page.news["seats"][free[0]]["name"], page.news["seats"][free[0]]["bot"]) == ("Ivy", "greedy")
        client.portal.call(happen, store, table, Closed())
        assert (
            bea.post(f"/api/tables/{table}/join", {"name": "Bea", "invitation": invitation}).json()["code"] == "stale"
        )
        assert page.hear("table")["phase"] == "closed"
    another = ann.open("topas", {"players": 2}, [ME, FRIEND])
    with ann.at(another) as page:
        page.hear("table")
        client.portal.call(happen, store, another, Dealt("2026", 0))
        assert page.refusal("close") == "stale"
        assert page.news["phase"] == "playing"


def test_a_game_that_another_process_ended_is_over(ann: Person, client: Any) -> None:
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
        rng = Rng(9)
        live = held_table(client, table).session
        elsewhere, entries = live.game.copy(), []
        while not elsewhere.over:
            entries.append(JournalEntry("move", rng.choice(elsewhere.legal())))
            elsewhere.play(entries[-1].text)
        ended = {"phase": "over", "ended": "2026-01-01T00:00:00Z"}
        client.portal.call(functools.partial(client.app.state.server.services.store.append, table, 0, entries, **ended))
        client.portal.call(
            functools.partial(client.app.state.server.services.store.update_table, table, rematch="another")
        )
        page.play(rng.choice(page.position["view"]["moves"])["say"])
        assert page.hear("proof")["secret"] == live.secret
        assert page.hear("refused")["code"] == "stale"
        assert page.position["view"]["over"]
        assert (page.news["phase"], page.news["rematch"]) == ("over", "another")


def test_a_crash_between_the_last_nonce_and_the_deal(ann: Person, client: Any) -> None:
    table = ann.open("topas", {"players": 1}, [ME])
    with ann.at(table) as page:
        page.ready()
        page.hear("position")
    _set(client, table, phase="waiting", started=None)
    with ann.at(table) as page:
        assert page.hear("position")["number"] == 0
        assert page.news["phase"] == "playing"


def test_a_table_that_can_not_be_read_says_so_and_the_log_tells_no_hand(
    ann: Person, client: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    with ann.at(table) as page:
        page.ready()
        page.play_on(Rng(6), 2)
        hand = page.position["view"]["hand"]
    forget_table(client, table)
    client.portal.call(client.app.state.server.services.store.append, table, 1000, [JournalEntry("move", "B1G2@9,9E")])
    capsys.readouterr()
    with pytest.raises(WebSocketDenialResponse) as denied, ann.at(table):
        pass
    for answer in (denied.value, ann.get(f"/api/tables/{table}"), ann.get(f"/api/tables/{table}/record")):
        assert (answer.status_code, answer.json()["code"]) == (410, "unreadable")
        assert "hand" not in answer.text
    assert ann.post(f"/api/tables/{table}/archive", {"archived": True}).status_code == 204
    told = capsys.readouterr().out
    assert "can't be read" in told
    assert not any(secret in told for secret in ["Traceback", "legal:", table, *hand])


def test_a_bot_that_fails_tries_again(ann: Person, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def fail_once(*work: Any) -> Any:
        asked.append(work)
        if len(asked) == 1:
            raise OSError("the disk is full")
        return [(b"", work[2].moves[0].say)]

    monkeypatch.setattr("bosquet.server.table.bot_runner.RETRY_SECONDS", 0.01)
    monkeypatch.setattr(client.app.state.server.services.compute.thinking.workers, "run", fail_once)
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    with ann.at(table) as page:
        page.ready()
        page.play_on(Rng(4), 3)
    assert len(asked) >= 3


def test_the_log_tells_no_secret(
    ann: Person, client: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, again = [], threading.Event()

    async def fail(*work: Any) -> Any:
        asked.append(work[0].__name__)
        if asked.count("choose") > 1:
            again.set()
        raise OSError("the disk is full")

    structlog.reset_defaults()
    logs.configure()
    try:
        monkeypatch.setattr("bosquet.server.table.bot_runner.RETRY_SECONDS", 0.05)
        monkeypatch.setattr(client.app.state.server.services.compute.thinking.workers, "run", fail)
        table = ann.open("topiary", {"players": 2}, [ME, RANDOM])
        with ann.at(table) as page:
            page.ready()
            page.hear("position")
            while page.position["view"]["moves"]:
                page.play(page.position["view"]["moves"][0]["say"])
                page.hear("position")
            assert again.wait(30)  # the first failure has been told by now
        live = held_table(client, table)
        told = capsys.readouterr().err
        assert "the disk is full" in told
        assert "opened" in told
        session = live.session
        chair = next(chair for chair in session.chairs if chair.guest)
        for secret in (session.secret, session.invitation, chair.guest, chair.nonce, live.id):
            assert secret not in told
            assert secret not in repr(live) + repr(session) + repr(chair)
        hands = [tile for seat in range(2) for tile in session.game.view(seat).hand]
        assert not any(f"'{tile}'" in told for tile in hands)
    finally:
        structlog.reset_defaults()


def test_an_error_of_the_database_tells_no_secret(client: Any, capsys: pytest.CaptureFixture[str]) -> None:
    statement = sa.text("insert into nowhere values (:secret)").bindparams(secret="SECRET")
    with pytest.raises(Refusal) as caught:
        client.portal.call(client.app.state.server.services.store.write, statement)
    told = capsys.readouterr().out
    shown = told + "".join(traceback.format_exception(caught.value))
    assert "nowhere" in told
    assert "SECRET" not in shown


def test_tables_in_memory_are_bounded(ann: Person, client: Any) -> None:
    registry = _registry(client)
    bound = client.app.state.server.limits.live_tables
    object.__setattr__(client.app.state.server.limits, "live_tables", 3)
    try:
        opened = [ann.open("topas", {"players": 1}, [ME]) for _ in range(6)]
        assert len(list(registry.held())) <= 3
        with ann.at(opened[0]) as page:
            page.ready()
            assert page.hear("position")["number"] == 0
    finally:
        object.__setattr__(client.app.state.server.limits, "live_tables", bound)


def _set(client: Any, table: str, **values: Any) -> None:
    """Leave a table in the database as a crash might have."""
    forget_table(client, table)
    client.portal.call(functools.partial(client.app.state.server.services.store.update_table, table, **values))


def _registry(client: Any) -> Any:
    """The tables of the running application."""
    return client.app.state.server.registry


def test_a_screen_for_all_is_sent_nobodys_hand(ann: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, RANDOM])
    with ann.at(table) as page:
        page.ready()
        hand = page.hear("position")["view"]["hand"]
        assert hand
        headers = {"cookie": f"bosquet={ann.cookie}"}
        with ann.client.websocket_connect(f"/api/tables/{table}/live?since=0&watch=", headers=headers) as socket:
            screen = Page(socket)
            position = screen.hear("position")
            assert (position["viewpoint"], position["view"]["hand"], position["view"]["moves"]) == (None, None, [])
            seat = page.position["viewpoint"]
            for kind in ("look", "resign"):
                assert screen.refusal(kind, seat=seat) == "not yours"
        assert page.news["watchers"] == 0


def test_a_program_plays_at_a_bounded_number_of_tables(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, dataclasses.replace(LOOSE, tables_of_program=2))) as client:
        ann = Person(client)
        client.cookies.clear()
        rita = Person(client)
        answers = []
        for _ in range(3):
            table = ann.open("topas", {"players": 2}, [FRIEND, FRIEND])
            with ann.at(table) as page:
                invitation = page.hear("table")["invitation"]
            body = {"name": "Rita", "invitation": invitation, "program": True}
            answers.append(rita.post(f"/api/tables/{table}/join", body).status_code)
            rita.post(f"/api/tables/{table}/archive", {"archived": True})
        assert answers == [204, 204, 429], "an archived table counts, too"


def test_everybody_is_told_that_a_program_plays(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND])
    with ann.at(table) as page:
        invitation = page.hear("table")["invitation"]
        body = {"name": "Rita", "invitation": invitation, "program": True}
        assert bea.post(f"/api/tables/{table}/join", body | {"invitation": None}).json()["code"] == "no seat"
        assert bea.post(f"/api/tables/{table}/join", body).status_code == 204
        seat = next(seat for seat in page.hear("table")["seats"] if seat["name"] == "Rita")
        assert (seat["kind"], seat["bot"]) == ("bot", None)
        page.ask("hints", allow=True)
        while not page.news["hints"]:  # a program need not agree to them
            page.hear("table")


def test_a_screen_does_not_count_as_its_guest_at_the_table(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND])
    with ann.at(table) as page:
        body = {"name": "Bea", "invitation": page.hear("table")["invitation"]}
    assert bea.post(f"/api/tables/{table}/join", body).status_code == 204
    headers = {"cookie": f"bosquet={ann.cookie}"}
    with ann.client.websocket_connect(f"/api/tables/{table}/live?since=0&watch=", headers=headers) as socket:
        Page(socket).hear("table")
        with bea.at(table) as other:
            here = {seat["name"]: seat["here"] for seat in other.hear("table")["seats"]}
            assert here == {"Ann": False, "Bea": True}


def test_people_void_a_game_with_a_program_without_asking_it(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND])
    with ann.at(table) as page:
        body = {"name": "Rita", "invitation": page.hear("table")["invitation"], "program": True}
        assert bea.post(f"/api/tables/{table}/join", body).status_code == 204
        with bea.at(table) as program:
            page.ask("ready", nonce="0" * 32)
            program.ready()
            page.hear("position")
            page.ask("agree", proposal="void")
            while page.news["phase"] != "over":
                page.hear("table")
            assert page.news["ending"]["how"] == "void"
