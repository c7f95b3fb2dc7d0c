"""Invitations to tables: who may make them, who finds them, when they lapse, and that nobody learns of a block."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.server.lobby import invitations
from bosquet.server.store.schema import invitations as kept_invitations
from bosquet.server.store.store import Store
from tests.server.helpers.acquaintances import answer, block, id_of, invite, invited, play
from tests.server.helpers.guests import key
from tests.server.helpers.kept import TODAY, sweep, with_store
from tests.server.helpers.people import FRIEND, GREEDY, ME, Person


def waiting(person: Person, people: int = 2, **more: Any) -> str:
    """A table that waits."""
    return person.open("topas", {"players": people}, [ME, *[FRIEND] * (people - 1)], **more)


def codes(*answers: Any) -> list[str]:
    return [one.json()["code"] for one in answers]


def written(client: TestClient, *statements: Any) -> None:
    assert client.portal is not None
    client.portal.call(client.app.state.server.services.store.write, *statements)  # type: ignore[attr-defined]


# --- from the host to the one who is invited ---


def test_who_is_invited_takes_a_free_seat(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    table = waiting(ann, 3)
    assert invite(ann, "Bea", table).status_code == 204
    assert (invited(bea), invited(cyd), invited(ann)) == ([("Ann", table)], [], [])
    shown = bea.get("/api/lobby").json()
    assert shown["mine"] == [one for one in shown["mine"] if one["table"] != table]
    assert shown["invitations"][0]["table"] == cyd.get(f"/api/tables/{table}").json(), "what anybody may know"
    assert not any(key(one) in bea.get("/api/lobby").text for one in (ann, bea, cyd))
    listed = ann.get(f"/api/people?table={table}").json()["people"]
    assert {one["name"]: one["invited"] for one in listed} == {"Bea": True, "Cyd": False}
    assert answer(bea, table).status_code == 204
    assert invited(bea) == []
    assert bea.get(f"/api/tables/{table}").json()["mine"]
    assert answer(bea, table).status_code == 204, "who sits there sits there"


def test_a_slow_table_is_told_of_the_vacation_of_one_who_accepts(ann: Person, bea: Person) -> None:
    play(ann, bea)
    table = waiting(ann, slow={"days": 1, "bot": "greedy"})
    assert invite(ann, "Bea", table).status_code == 204
    assert bea.post("/api/me/vacation", {"days": 5}).status_code == 200
    assert answer(bea, table).status_code == 204
    with ann.at(table) as page:
        assert {seat["name"]: bool(seat["away"]) for seat in page.hear("table")["seats"]} == {"Ann": False, "Bea": True}


def test_a_host_without_a_seat_invites_under_the_name_that_is_known(ann: Person, bea: Person) -> None:
    play(ann, bea)
    table = ann.open("topas", {"players": 2}, [FRIEND, GREEDY])
    assert invite(ann, "Bea", table).status_code == 204
    assert invited(bea) == [("Ann", table)]


def test_an_invitation_is_declined_for_good_and_its_host_is_not_told(ann: Person, bea: Person) -> None:
    play(ann, bea)
    table = waiting(ann)
    invite(ann, "Bea", table)
    before = ann.get(f"/api/people?table={table}").json()
    assert answer(bea, table, "decline", None).status_code == 204
    assert invited(bea) == []
    assert ann.get(f"/api/people?table={table}").json() == before
    assert invite(ann, "Bea", table).status_code == 204, "as if nobody had answered"
    assert invited(bea) == []
    assert codes(answer(bea, table)) == ["no seat"]


def test_a_table_whose_invitation_was_declined_is_not_in_the_lobby_either(ann: Person, bea: Person) -> None:
    play(ann, bea)
    table = waiting(ann, listed=True)

    def listed() -> bool:
        return any(one["table"] == table for one in bea.get("/api/lobby").json()["waiting"])

    with ann.at(table) as page:
        page.hear("table")
        assert invite(ann, "Bea", table).status_code == 204
        assert listed()
        assert answer(bea, table, "decline", None).status_code == 204
        assert not listed()
        found = bea.post("/api/lobby/find", {"name": "Bea", "game": "topas", "players": 2})
        assert found.json()["table"] != table, "nor is she seated there"


def test_an_invitation_lapses(client: TestClient, ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    closed, begun, full, old = (waiting(ann) for _ in range(4))
    for table in (closed, begun, full):
        assert invite(ann, "Bea", table).status_code == 204
    assert invite(ann, "Cyd", old).status_code == 204
    with ann.at(closed) as page:
        page.hear("table")
        page.ask("close")
        while page.news["phase"] != "closed":
            page.hear()
    with ann.at(begun) as page:
        page.hear("table")
        page.ask("give", seat=_free(page.news), bot="greedy", name="Greedy")
        page.ready()
        page.hear("position")
    with ann.at(full) as page:
        link = page.hear("table")["invitation"]
    assert cyd.post(f"/api/tables/{full}/join", {"name": "Cyd", "invitation": link}).status_code == 204
    assert invited(bea) == []
    assert codes(*(answer(bea, table) for table in (closed, begun, full))) == ["no seat"] * 3

    assert invited(cyd) == [("Ann", old)]
    ago = kept_invitations.c.made - invitations.DAY
    written(client, sa.update(kept_invitations).where(kept_invitations.c.table_id == old).values(made=ago))
    assert invited(cyd) == []
    assert codes(answer(cyd, old, name="Cyd")) == ["no seat"]
    assert invite(ann, "Cyd", old).status_code == 204, "a day later somebody may be asked again"
    assert invited(cyd) == [("Ann", old)]


def _free(news: dict[str, Any]) -> int:
    return next(seat for seat, one in enumerate(news["seats"]) if one["name"] is None)


def test_who_is_invited_is_told_once_and_no_more_after_the_answer(
    client: TestClient, ann: Person, bea: Person, cyd: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, ...]] = []
    notices = client.app.state.server.notices  # type: ignore[attr-defined]

    async def tell(*about: str) -> None:
        told.append(about)

    monkeypatch.setattr(notices, "invited", tell)
    monkeypatch.setattr(notices, "settled", tell)
    play(ann, bea, cyd)
    told.clear()
    table = waiting(ann, 3)
    for name in ("Bea", "Bea", "Cyd"):
        assert invite(ann, name, table).status_code == 204
    assert told == [(key(bea), table, "topas"), (key(cyd), table, "topas")]
    answer(bea, table)
    answer(cyd, table, "decline", None)
    assert told[2:] == [(key(bea), table), (key(cyd), table)]


# --- who may not ---


def test_only_the_host_invites_to_a_table_that_waits_and_only_people_of_the_list(
    ann: Person, bea: Person, cyd: Person
) -> None:
    play(ann, bea)
    play(bea, cyd, names=("Bea", "Cyd"))
    table = waiting(ann, 3, listed=True)
    of_cyd, of_bea = id_of(bea, "Cyd"), id_of(ann, "Bea")
    with ann.at(table) as page:
        page.hear("table")
        assert bea.post(f"/api/tables/{table}/join", {"name": "Bea"}).status_code == 204
    foreign = ann.post("/api/people/invite", {"person": of_cyd, "table": table})
    not_host = bea.post("/api/people/invite", {"person": of_cyd, "table": table})
    nowhere = ann.post("/api/people/invite", {"person": of_bea, "table": "none"})
    long = ann.post("/api/people/invite", {"person": of_bea, "table": "\0"})
    over = ann.post("/api/people/invite", {"person": of_bea, "table": play(ann, bea)})
    assert codes(foreign, not_host, nowhere, long, over) == [
        "no person",
        "not yours",
        "no table",
        "no table",
        "not now",
    ]
    assert invite(ann, "Bea", table).status_code == 204, "who sits there already is not invited, nor is that an error"
    assert (invited(bea), invited(cyd)) == ([], [])
    assert codes(answer(cyd, table), answer(cyd, table, "decline"), answer(cyd, table, "block")) == ["no seat"] * 3
    assert codes(answer(bea, table, name=None), bea.get("/api/people?table=%00")) == ["malformed", "no table"]


def test_nobody_learns_that_an_invitation_did_not_arrive(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    ids = {name: id_of(bea, name) for name in ("Ann", "Cyd")}
    block(ann, "Bea")
    tables = [waiting(bea, 3) for _ in range(invitations.MOST_TO_ONE + 1)]
    told = {
        name: [bea.post("/api/people/invite", {"person": person, "table": table}) for table in tables]
        for name, person in ids.items()
    }
    assert [(one.status_code, one.text) for one in told["Ann"]] == [(one.status_code, one.text) for one in told["Cyd"]]
    assert invited(ann) == []
    assert len(invited(cyd)) == invitations.MOST_TO_ONE
    assert codes(answer(ann, tables[0], name="Ann")) == ["no seat"]
    block(ann, "Bea", blocked=False)
    assert len(invited(ann)) == invitations.MOST_TO_ONE


def test_an_invitation_of_one_who_blocks_does_not_count_either(ann: Person, bea: Person) -> None:
    play(ann, bea)
    table = waiting(ann)
    assert invite(ann, "Bea", table).status_code == 204
    block(ann, "Bea")
    assert codes(invite(ann, "Bea", table)) == ["no person"], "first take the block back"
    assert invited(bea) == []
    assert codes(answer(bea, table)) == ["no seat"]


def test_who_is_invited_may_block(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    first, second = waiting(ann), waiting(ann)
    for table in (first, second):
        invite(ann, "Bea", table)
    assert len(invited(bea)) == 2
    assert answer(bea, first, "block", None).status_code == 204, "though nobody has asked for the list yet"
    assert invited(bea) == []
    assert [one["name"] for one in bea.get("/api/people").json()["blocked"]] == ["Ann"]
    block(bea, "Ann", blocked=False)
    assert invited(bea) == [("Ann", second)], "the one that was declined stays so"


def test_invitations_are_bounded(ann: Person, bea: Person, cyd: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    play(ann, bea, cyd)
    tables = [waiting(ann, 3) for _ in range(4)]
    assert [invite(ann, "Bea", table).status_code for table in tables] == [204, 204, 204, 429]
    assert invite(ann, "Bea", tables[0]).status_code == 204, "the same one again counts once"
    assert invite(ann, "Cyd", tables[3]).status_code == 204
    answer(bea, tables[0], "decline", None)
    assert invite(ann, "Bea", tables[3]).status_code == 429, "whatever became of them"
    monkeypatch.setattr(invitations, "MOST_TO_TABLE", 1)
    assert invite(ann, "Cyd", tables[0]).status_code == 429
    monkeypatch.setattr(invitations, "MOST_TO_TABLE", 8)
    monkeypatch.setattr(invitations, "MOST_A_DAY", 4)
    assert invite(ann, "Cyd", tables[0]).status_code == 429
    monkeypatch.setattr(invitations, "MOST_A_DAY", 5)
    assert invite(ann, "Cyd", tables[0]).status_code == 204
    monkeypatch.setattr(invitations, "SHOWN", 1)
    assert len(invited(cyd)) == 1


# --- what is kept ---


def test_invitations_are_in_the_download_of_both_and_go_with_either(ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea, cyd)
    table = waiting(ann, 3)
    invite(ann, "Bea", table)
    invite(ann, "Cyd", table)
    sent, got = ann.get("/api/me").json()["invitations"], bea.get("/api/me").json()["invitations"]
    assert [(one["table"], one["sent"]) for one in sent] == [(table, True)] * 2
    assert [(one["table"], one["sent"]) for one in got] == [(table, False)]
    bea.post("/api/me/erase", {})
    assert len(ann.get("/api/me").json()["invitations"]) == 1
    ann.post("/api/me/erase", {})
    assert (cyd.get("/api/me").json()["invitations"], invited(cyd)) == ([], [])


def test_old_invitations_are_deleted(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        now = int(time.time())
        rows = [
            {"guest": "ann", "table_id": str(days), "host": "bea", "made": now - days * 86400, "declined": False}
            for days in (0, 3)
        ]
        await store.write((sa.insert(kept_invitations), rows))
        await sweep(store, TODAY)
        assert [row.table_id for row in await store.select(sa.select(kept_invitations.c.table_id))] == ["0"]

    with_store(tmp_path, work)
