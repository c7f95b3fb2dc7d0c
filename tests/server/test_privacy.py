"""What is kept of a guest can be seen and erased; what belongs to the others stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from bosquet.core.rng import Rng
from bosquet.server.http.messages import Kept
from bosquet.server.store.schema import metadata
from bosquet.server.tables.tables_of_guest import ERASED_NAME
from tests.helpers.records import RECORDS
from tests.server.helpers.guests import erase
from tests.server.helpers.memory import forget_table
from tests.server.helpers.people import FRIEND, GREEDY, ME, Person
from tests.server.helpers.push_service import Browser

NOTHING: dict[str, Any] = {
    "tables": [],
    "games": [],
    "identity": None,
    "notices": None,
    "ratings": None,
    "daily": [],
    "puzzles": [],
    "people": [],
    "invitations": [],
    "vacations": [],
    "shown": False,
    "chat": [],
    "reviews": [],
}


def test_a_guest_sees_what_is_kept_and_only_that(ann: Person, bea: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME | {"name": "Zoe"}, GREEDY])
    answer = ann.get("/api/me")
    assert "attachment" in answer.headers["content-disposition"]
    (kept,) = answer.json()["tables"]
    assert (kept["table"], kept["game"], kept["host"], kept["names"]) == (table, "topas", True, ["Zoe"])
    assert bea.get("/api/me").json() == NOTHING


def test_one_who_has_played_much_is_written_down_once_at_a_time(client: TestClient, ann: Person, bea: Person) -> None:
    server: Any = client.app.state.server  # type: ignore[attr-defined]
    guest = ann.cookie.partition(".")[0]
    with server.personal_data._slots.one(guest, "192.0.2.1") as free:
        assert free
        answer = ann.get("/api/me")
        assert (answer.status_code, answer.json()["code"]) == (429, "busy")
        assert bea.get("/api/me").status_code == 200
    assert ann.get("/api/me").status_code == 200


def test_who_is_written_down_slowly_keeps_no_other_address_waiting(client: TestClient, ann: Person) -> None:
    turns = client.app.state.server.personal_data._turns  # type: ignore[attr-defined]
    assert client.portal is not None
    with client.portal.wrap_async_context_manager(turns.one(None, "192.0.2.1")):
        assert ann.get("/api/me").status_code == 200


def test_a_finished_game_keeps_its_moves_and_forgets_who_played(ann: Person) -> None:
    table = ann.open("topiary", {"players": 2}, [ME | {"name": "Zerbinetta"}, GREEDY])
    with ann.at(table) as page:
        page.ready()
        page.play_on(Rng(3))
    before = ann.get(f"/api/tables/{table}/record").json()
    erase(ann)
    after = ann.get(f"/api/tables/{table}/record").json()
    assert sorted(after.pop("players")) == sorted(
        {"Zerbinetta": ERASED_NAME}.get(name, name) for name in before.pop("players")
    )
    assert after == before
    assert ann.get("/api/me").json() == NOTHING
    assert "Zerbinetta" not in json.dumps(ann.get("/api/lobby").json())


def test_a_bot_plays_on(ann: Person, bea: Person) -> None:
    table = ann.open("topiary", {"players": 2}, [ME, FRIEND])
    with ann.at(table) as page:
        invitation = page.hear("table")["invitation"]
        assert bea.post(f"/api/tables/{table}/join", {"name": "Bea", "invitation": invitation}).status_code == 204
        with bea.at(table) as other:
            page.ready()
            other.ready()
            other.hear("position")
            erase(ann)
            other.play_on(Rng(5))
            seats = [(seat["name"], seat["kind"]) for seat in other.news["seats"]]
        assert sorted(seats) == [("Bea", "human"), (ERASED_NAME, "bot")]
        with pytest.raises(WebSocketDisconnect):  # what is open of the guest who is no more is closed
            page.refusal("undo", seat=0, number=0)


@pytest.mark.parametrize("in_memory", [True, False], ids=["in memory", "in the database alone"])
def test_a_table_that_waits(ann: Person, bea: Person, client: TestClient, in_memory: bool) -> None:
    table = ann.open("topas", {"players": 3}, [ME, FRIEND, FRIEND])
    with ann.at(table) as page:
        invitation = page.hear("table")["invitation"]
    bea.post(f"/api/tables/{table}/join", {"name": "Bea", "invitation": invitation})
    bea.post(f"/api/tables/{table}/archive", {"archived": True})
    if not in_memory:
        forget_table(client, table)
    erase(bea)
    assert sorted(map(str, ann.get(f"/api/tables/{table}").json()["names"])) == ["Ann", "None", "None"]
    bea.post(f"/api/tables/{table}/join", {"name": "Dot", "invitation": invitation})
    assert [one["table"] for one in bea.get("/api/lobby").json()["mine"]] == [table]
    erase(ann)
    assert ann.get(f"/api/tables/{table}").json()["phase"] == "closed"


def test_other_sites_can_erase_nobody(ann: Person) -> None:
    table = ann.open("topas", {"players": 2}, [ME, GREEDY])
    headers = {"cookie": f"bosquet={ann.cookie}", "origin": "https://evil.example"}
    assert ann.client.post("/api/me/erase", json={}, headers=headers).status_code == 403
    assert ann.get("/api/me").json()["tables"][0]["table"] == table


def test_every_field_of_what_is_kept_comes_from_one_wing(client: TestClient) -> None:
    server: Any = client.app.state.server  # type: ignore[attr-defined]
    assert client.portal is not None
    found = [client.portal.call(wing.kept, "nobody", 0) for wing in server.wings if wing.kept is not None]
    assert sorted(field for one in found for field in one) == sorted(Kept.__struct_fields__)


def test_of_a_guest_who_is_erased_no_table_of_the_database_has_anything(
    client: TestClient, ann: Person, bea: Person
) -> None:
    table = ann.open("topas", {"players": 2}, [ME, FRIEND])
    with ann.at(table) as one, bea.at(table) as other:
        state = one.hear("table")
        join = {"name": "Bea", "invitation": state["invitation"]}
        assert bea.post(f"/api/tables/{table}/join", join).status_code == 204
        one.ask("write", seat=state["mine"][0], text="Hello")
        for page in (one, other):
            page.ready()
        one.hear("position")
    waiting = ann.open("topas", {"players": 2}, [ME, FRIEND])
    day = ann.get("/api/today").json()["today"]["day"]
    asked: dict[str, Any] = {
        "people/show": {"shown": True},
        "me/vacation": {"days": 3},
        "ratings/wish": {"wanted": True},
        "me/name": {"name": "Ann"},
        "me/transfer": {},
        "me/notices/subscribe": Browser().subscription("https://push.example.org/ann"),
        "me/phrase": {},
        f"today/{day}/topas": {"name": "Ann"},
        "reviews": {"record": RECORDS["topas"]},
    }
    for path, body in asked.items():
        assert ann.post(f"/api/{path}", body).is_success, path
    server: Any = client.app.state.server  # type: ignore[attr-defined]
    guest, every = ann.cookie.partition(".")[0], metadata.tables.values()

    def naming() -> set[str]:
        """The tables of the database with a row that names the guest."""
        assert client.portal is not None
        rows = {one.name: client.portal.call(server.services.store.select, one.select()) for one in every}
        return {name for name, found in rows.items() if guest in str(found)}

    assert naming() >= {
        "tables",
        "seats",
        "devices",
        "identities",
        "phrases",
        "shown",
        "subscriptions",
        "vacations",
        "rating_wishes",
        "chat",
        "reviews",
    }
    erase(ann)
    assert naming() == set()
    assert bea.get(f"/api/tables/{waiting}").json()["phase"] == "closed"
