"""Who is here now: shown to fellow players alone, and of those alone who want it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bosquet.server.guests import here_now
from bosquet.server.guests.here_now import HereNow
from bosquet.server.nodes.bus import LocalBus
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.schema import shown
from bosquet.server.store.store import Store
from tests.server.helpers.acquaintances import block, of, play
from tests.server.helpers.kept import TODAY, sweep, with_store
from tests.server.helpers.people import ME, RANDOM, Person


def here(person: Person) -> dict[str, bool]:
    """Whom somebody sees in their list, and whether as here."""
    return {one["name"]: one["here"] for one in of(person)["people"]}


def show(person: Person, wanted: bool = True) -> None:
    assert person.post("/api/people/show", {"shown": wanted}).status_code == 204


def forget(client: TestClient) -> None:
    """As if nobody had been there for long."""
    client.app.state.server.here_now._seen.clear()  # type: ignore[attr-defined]


def test_fellow_players_see_who_wants_to_be_seen(client: TestClient, ann: Person, bea: Person, cyd: Person) -> None:
    play(ann, bea)
    bea.get("/api/lobby")
    assert here(ann) == {"Bea": False}, "nobody is seen unless they want it"
    assert bea.get("/api/people").json()["shown"] is False
    show(bea)
    show(bea)
    assert bea.get("/api/people").json()["shown"] is True
    assert here(ann) == {"Bea": True}
    assert here(cyd) == {}
    assert here(bea) == {"Ann": False}
    show(bea, False)
    assert here(ann) == {"Bea": False}, "at once, though she is there"


def test_who_is_at_a_table_is_here_and_who_asks_for_something_else_is_not(
    client: TestClient, ann: Person, bea: Person
) -> None:
    play(ann, bea)
    show(bea)
    forget(client)
    assert here(ann) == {"Bea": False}
    bea.get("/api/turns")
    assert here(ann) == {"Bea": False}, "a tab in the background asks for that"
    table = bea.open("topas", {"players": 2}, [ME | {"name": "Bea"}, RANDOM])
    with bea.at(table) as page:
        page.hear("table")
        assert here(ann) == {"Bea": True}
        assert table not in str(of(ann)), "where she is is not told"
    listed = ann.get(f"/api/people?table={ann.open('topas', {'players': 2}, [ME, {'kind': 'friend'}])}").json()
    assert listed["people"][0]["here"] is True, "in invitations, too"


def test_one_who_is_blocked_sees_nothing(ann: Person, bea: Person) -> None:
    play(ann, bea)
    show(bea)
    bea.get("/api/lobby")
    assert here(ann) == {"Bea": True}
    block(bea, "Ann")
    assert here(ann) == {}


def test_the_wish_is_kept(ann: Person) -> None:
    show(ann)
    assert ann.get("/api/me").json()["shown"] is True
    for body in ({}, {"shown": 1}, {"shown": True, "more": 1}):
        assert ann.post("/api/people/show", body).json()["code"] == "malformed"


def test_it_lasts_a_minute_and_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(here_now, "MOST", 3)

    async def work(store: Store) -> None:
        time = [0.0]
        now = HereNow(store, Nodes(LocalBus(), b"key"), lambda: [], lambda: time[0])
        guests = [str(number) for number in range(5)]
        for guest in guests:
            await here_now.show(store, guest, True)
            now.saw(guest)
        assert await now.among(guests) == {"2", "3", "4"}
        time[0] = here_now.HERE_SECONDS - 1
        now.saw("3")
        time[0] += 1
        assert await now.among(guests) == {"3"}

    with_store(tmp_path, work)


def test_the_wish_of_somebody_who_is_gone_is_deleted(tmp_path: Path) -> None:
    async def work(store: Store) -> Any:
        await here_now.show(store, "ann", True)
        await sweep(store, TODAY)
        return await store.select(sa.select(shown.c.guest))

    assert with_store(tmp_path, work) == []
