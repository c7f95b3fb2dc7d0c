"""Reviews: a finished game is opened, and what who leads shows is passed on to all who are there."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from bosquet.server.base.rate_limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.nodes.bus import LocalBus, Message
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.reviews import kept, last_shown
from bosquet.server.reviews.last_shown import LastShown
from bosquet.server.reviews.messages import ReviewedPlace
from bosquet.server.reviews.room import Rooms
from tests.helpers.records import RECORDS
from tests.server.helpers.guests import erase
from tests.server.helpers.people import LOOSE, Page, Person, make_app

TOPAS = {key: RECORDS["topas"][key] for key in ("format", "game", "options", "deal", "moves", "result")}
PLACE: dict[str, Any] = {"seed": "1", "path": ["a move"], "plies": 4, "position": None}


def opened(person: Person, **more: Any) -> str:
    answer = person.post("/api/reviews", {"record": TOPAS | more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["review"])


@contextmanager
def within(person: Person, review: str) -> Iterator[Page]:
    """Take part in a review."""
    headers = {"cookie": f"bosquet={person.cookie}"}
    with person.client.websocket_connect(f"/api/reviews/{review}/live", headers=headers) as socket:
        yield Page(socket)


def test_a_review_has_the_game_and_who_played_and_nothing_else(ann: Person, bea: Person) -> None:
    more = {"players": ["A\u202eda", 7], "bots": [None, "level2"], "fair": {"secret": "5e"}, "note": "x"}
    found = bea.get(f"/api/reviews/{opened(ann, **more)}").json()
    assert found == {"record": TOPAS | {"players": ["A da", None], "bots": [None, "level2"]}}
    assert "players" not in bea.get(f"/api/reviews/{opened(ann)}").json()["record"]
    for other in ("none", "%00", "x" * 20, "é" * 20):
        assert bea.get(f"/api/reviews/{other}").json()["code"] == "not found"


def test_what_is_no_finished_game_is_refused(ann: Person) -> None:
    part = TOPAS | {"moves": TOPAS["moves"][:3], "result": None}
    for wrong, said in (
        (part, "when it is over"),
        (TOPAS | {"result": None}, "the game is over; result must be"),
        (TOPAS | {"moves": [*TOPAS["moves"][:3], "nothing"]}, "ply 3"),
        (TOPAS | {"game": "chess"}, "chess"),
        ({}, "format"),
        ([], "Expected `object`"),
    ):
        answer = ann.post("/api/reviews", {"record": wrong})
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
        assert said in answer.json()["message"]
    assert ann.post("/api/reviews", {"record": TOPAS, "more": 1}).status_code == 400
    nested: Any = []
    for _ in range(500):
        nested = [nested]
    assert ann.post("/api/reviews", {"record": TOPAS | {"deal": {"x": nested}}}).json()["code"] == "malformed"
    assert ann.post("/api/reviews", {"record": TOPAS | {"note": "x" * 200_000}}).json()["code"] == "too large"


def test_all_hear_what_the_one_who_leads_shows(ann: Person, bea: Person, cyd: Person) -> None:
    review = opened(ann)
    with within(ann, review) as first, within(bea, review) as second:
        assert first.hear() == {"type": "review", "people": 1, "leader": None, "mine": False, "place": None}
        assert (first.hear()["people"], second.hear()["people"]) == (2, 2)
        second.ask("show", place=PLACE)  # nobody who does not lead is heard
        first.ask("lead", name="A\u202enn", place=PLACE)
        assert first.hear() == {"type": "review", "people": 2, "leader": "A nn", "mine": True, "place": PLACE}
        assert second.hear() == {"type": "review", "people": 2, "leader": "A nn", "mine": False, "place": PLACE}
        first.ask("show", place=PLACE | {"plies": 5})
        assert second.hear()["place"]["plies"] == 5
        second.ask("point", name="Bea", cell="c3")
        assert first.hear() == {"type": "pointed", "name": "Bea", "cell": "c3"}
        with within(cyd, review) as third:
            assert third.hear() == {
                "type": "review",
                "people": 3,
                "leader": "A nn",
                "mine": False,
                "place": PLACE | {"plies": 5},
            }
            third.ask("lead", name="Cyd", place=PLACE)
            assert [page.hear("review")["people"] for page in (first, second)] == [3, 3]
            assert [page.hear("review")["leader"] for page in (first, second)] == ["Cyd", "Cyd"]
            first.ask("show", place=PLACE | {"plies": 1})  # nobody hears it
        gone = first.hear("review")
        assert (gone["people"], gone["leader"], gone["place"]) == (2, None, PLACE)


NOBODY = {"type": "review", "people": 1, "leader": None, "mine": False}


def test_who_comes_after_all_have_left_sees_what_was_shown_last(tmp_path: Path) -> None:
    shown = PLACE | {"plies": 7, "path": ["what", "if"]}
    with TestClient(make_app(tmp_path), base_url="http://testserver") as client:
        ann = Person(client)
        review, other = opened(ann), opened(ann)
        with within(ann, review) as page:
            page.ask("lead", name="Ann", place=PLACE)
            page.ask("show", place=shown)
            assert page.refusal("show") == "malformed"  # by then the one before is done
        with within(ann, review) as page:
            assert page.hear() == NOBODY | {"place": shown}
            page.ask("lead", name="Ann", place=shown | {"plies": 8})
            page.hear("review")
        with within(ann, other) as page:
            assert page.hear() == NOBODY | {"place": None}
    with TestClient(make_app(tmp_path), base_url="http://testserver") as client:  # the server was started again
        bea = Person(client)
        with within(bea, review) as page:
            assert page.hear() == NOBODY | {"place": shown | {"plies": 8}}


def test_what_is_shown_is_written_after_some_seconds_and_when_all_have_left(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    server: Any = ann.client.app.state.server  # type: ignore[attr-defined]

    def written(review: str, plies: int) -> bool:
        """Wait until what is in the database is so."""
        assert ann.client.portal is not None
        until = time.monotonic() + 10
        while (ann.client.portal.call(kept.find_place, server.services.store, review) or {}).get("plies") != plies:
            assert time.monotonic() < until
            time.sleep(0.02)
        return True

    review = opened(ann)
    with within(ann, review) as page:
        page.ask("lead", name="Ann", place=PLACE | {"plies": 1})
        assert written(review, 1)
        monkeypatch.setattr(last_shown, "WRITE_SECONDS", 60)
        page.ask("show", place=PLACE | {"plies": 2})
        assert page.refusal("show") == "malformed"  # by then the one before is done
    assert written(review, 2)


def test_of_a_review_that_is_erased_meanwhile_nothing_is_written(ann: Person, bea: Person) -> None:
    mine, theirs = opened(ann), opened(bea)
    with within(bea, mine) as first, within(bea, theirs) as second:
        erase(ann)
        for page in (first, second):
            page.ask("lead", name="Bea", place=PLACE)
            while not page.hear("review")["mine"]:
                pass
    with pytest.raises(WebSocketDisconnect), within(bea, mine):
        pass
    with within(bea, theirs) as page:
        assert page.hear()["place"] == PLACE


def test_what_cannot_be_written_is_bounded_and_written_later(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, int]] = []
    refused = [Refusal("unavailable", "could not save")]

    async def keep_place(store: object, review: str, place: dict[str, Any]) -> None:
        if refused:
            raise refused.pop()
        written.append((review, place["plies"]))

    async def story() -> None:
        last = LastShown(cast("Any", None))
        for i in range(last_shown.MOST + 1):
            last.keep(f"review {i}", PLACE | {"plies": i})
        await last._write()
        assert written == []
        await last._write()
        assert written == [(f"review {i}", i) for i in range(1, last_shown.MOST + 1)]
        await last._write()
        assert len(written) == last_shown.MOST

    monkeypatch.setattr(kept, "keep_place", keep_place)
    asyncio.run(story())


def test_what_is_no_message_is_refused(ann: Person) -> None:
    review = opened(ann)
    with within(ann, review) as page:
        for code, kind, fields in (
            ("malformed", "lead", {"name": "Ann"}),
            ("malformed", "lead", {"name": "x" * 25, "place": PLACE}),
            ("malformed", "lead", {"name": "Ann", "place": PLACE | {"plies": -1}}),
            ("malformed", "lead", {"name": "Ann", "place": PLACE | {"path": ["x" * 201]}}),
            ("malformed", "lead", {"name": "Ann", "place": PLACE | {"hand": []}}),
            ("malformed", "show", {}),
            ("malformed", "point", {"name": "Ann", "cell": "x" * 25}),
            ("malformed", "point", {"name": "Ann", "cell": "c3\n"}),
            ("malformed", "point", {"name": "Ann", "cell": "<b>"}),
            ("malformed", "write", {"text": "hello"}),
            ("name", "lead", {"name": "\u3164", "place": PLACE}),
            ("too large", "show", {"place": PLACE | {"position": "x" * 20_000}}),
        ):
            assert page.refusal(kind, **fields) == code
        page.socket.send_text("[" * 10_000)
        assert page.hear("refused")["code"] == "malformed"


def test_a_review_that_is_not_there_has_no_connection(ann: Person) -> None:
    for other in ("none", "%00"):
        with pytest.raises(WebSocketDisconnect), within(ann, other):
            pass
    with pytest.raises(Refusal, match="no such review"):
        asyncio.run(kept.find_place(cast("Any", None), "x" * 19 + "\0"))  # no database is asked
    headers = {"origin": "https://other.example"}
    review = opened(ann)
    with (
        pytest.raises(WebSocketDisconnect),
        ann.client.websocket_connect(f"/api/reviews/{review}/live", headers=headers),
    ):
        pass


def test_few_may_come_and_say_much(tmp_path: Path) -> None:
    limits = replace(
        LOOSE, people_of_review=2, signals=Rate(3, 0), signal_warnings=Rate(1, 0), reviews_of_address=Rate(2, 0)
    )
    with TestClient(make_app(tmp_path, limits), base_url="http://testserver") as client:
        ann = Person(client)
        review = opened(ann)
        client.cookies.clear()
        bea = Person(client)
        with within(ann, review) as first, within(bea, review) as second:
            with within(ann, review) as third, pytest.raises(WebSocketDisconnect) as full:
                third.hear("review")
            assert (full.value.code, full.value.reason) == (1013, "this review is full")
            for _ in range(3):
                first.ask("point", name="Ann", cell="a1")
            assert first.refusal("point", name="Ann") == "busy"
            first.ask("point", name="Ann")
            with pytest.raises(WebSocketDisconnect):
                first.hear("refused")
            second.ask("lead", name="Bea", place=PLACE)
            assert second.hear("pointed")["name"] == "Ann"
            while not second.hear("review")["mine"]:
                pass
        opened(bea)
        assert bea.post("/api/reviews", {"record": TOPAS}).json()["code"] == "busy"


def test_little_may_be_shown_of_an_address_and_more_pointed_at(tmp_path: Path) -> None:
    limits = replace(LOOSE, places_of_address=Rate(2, 0))
    with TestClient(make_app(tmp_path, limits), base_url="http://testserver") as client:
        ann = Person(client)
        with within(ann, opened(ann)) as page:
            page.ask("lead", name="Ann", place=PLACE)
            page.ask("show", place=PLACE)
            page.ask("point", name="Ann", cell="-1,2")
            assert page.refusal("show", place=PLACE) == "busy"


def test_reviews_are_shown_to_who_opened_them_erased_and_end_after_some_days(ann: Person, bea: Person) -> None:
    mine, old, other = opened(ann), opened(ann), opened(bea)
    server: Any = ann.client.app.state.server  # type: ignore[attr-defined]
    assert ann.client.portal is not None
    assert {one["review"] for one in ann.get("/api/me").json()["reviews"]} == {mine, old}
    erase(ann)
    assert [ann.get(f"/api/reviews/{one}").status_code for one in (mine, other)] == [404, 200]
    days = server.retention.reviews
    for passed, status in ((days, 200), (days + 1, 404)):
        ann.client.portal.call(server.clean_ups[-1], date.today() + timedelta(days=passed))
        assert bea.get(f"/api/reviews/{other}").status_code == status


# --- several nodes ---


class Line(LocalBus):
    """A bus between nodes of this process, which delivers at once."""

    alone = False

    def __init__(self, nodes: list[Nodes]) -> None:
        self.nodes = nodes
        self.held: list[Message] | None = None
        """What waits to be delivered; None where all is delivered at once."""

    def publish(self, message: Message) -> None:
        if self.held is not None:
            self.held.append(message)
            return
        sent = msgspec.json.encode(message)
        for node in self.nodes:
            if node.bus is not self:
                node._hear(msgspec.json.decode(sent, type=Message))

    async def follow(self, table: str) -> None:
        pass


class Ear:
    """A page in a review."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.told: list[dict[str, Any]] = []

    def send(self, message: bytes) -> None:
        self.told.append(json.loads(message))

    def state(self) -> tuple[int, str | None, bool, int | None]:
        last = [one for one in self.told if one["type"] == "review"][-1]
        return last["people"], last["leader"], last["mine"], last["place"] and last["place"]["plies"]


def rooms_of(node: Nodes) -> Rooms:
    """The reviews of a node that has no database."""
    return Rooms(node, LastShown(cast("Any", None)))


def ann_and_others() -> tuple[list[Nodes], list[Rooms], list[Ear]]:
    """Two nodes that hear each other, their reviews, and three pages: Ann's at the first node, two at the second."""
    nodes: list[Nodes] = []
    nodes += [Nodes(Line(nodes), b"key") for _ in range(2)]
    ears = [Ear(f"{nodes[at].id}/{name}") for at, name in ((0, "a"), (1, "b"), (1, "c"))]
    return nodes, [rooms_of(node) for node in nodes], ears


def test_pages_at_two_nodes_hear_of_each_other() -> None:
    nodes, rooms, (ann, bea, cyd) = ann_and_others()

    async def story() -> None:
        here = await rooms[0].enter("x", ann)
        here.lead(ann, "Ann", ReviewedPlace("1", [], 3))
        there = await rooms[1].enter("x", bea)
        assert bea.state() == (2, "Ann", False, 3), "what was shown before is told to a node that comes"
        assert ann.state() == (2, "Ann", True, 3)
        here.show(ann, ReviewedPlace("1", [], 4))
        assert bea.state() == (2, "Ann", False, 4)
        there.point(bea, "Bea", "c3")
        assert ann.told[-1] == {"type": "pointed", "name": "Bea", "cell": "c3"}
        there.lead(bea, "Bea", ReviewedPlace("1", [], 5))
        assert (ann.state(), bea.state()) == ((2, "Bea", False, 5), (2, "Bea", True, 5))
        here.show(ann, ReviewedPlace("1", [], 9))
        assert bea.state() == (2, "Bea", True, 5)
        await rooms[1].enter("x", cyd)
        assert ann.state() == (3, "Bea", False, 5)
        nodes[0]._lose(nodes[1].id)
        assert ann.state() == (1, None, False, 5), "a node is gone, and who led with it"
        rooms[1].leave(there, bea)
        rooms[1].leave(there, cyd)
        assert rooms[1].count("x") == 0
        assert nodes[1]._followers == {}
        rooms[0].leave(here, ann)

    asyncio.run(story())


def test_a_node_whose_pages_leave_takes_the_lead_from_nobody_elsewhere() -> None:
    nodes, rooms, (ann, bea, cyd) = ann_and_others()

    async def story() -> None:
        here = await rooms[0].enter("x", ann)
        here.lead(ann, "Ann", ReviewedPlace("1", [], 3))
        there = await rooms[1].enter("x", bea)
        rooms[1].leave(there, bea)
        assert ann.state() == (1, "Ann", True, 3)
        again = await rooms[1].enter("x", cyd)
        nodes[1]._lose(nodes[0].id)  # not heard for a while
        assert cyd.state() == (1, None, False, 3)
        assert ann.state() == (2, "Ann", True, 3)
        again.greet()
        assert (ann.state(), cyd.state()) == ((2, "Ann", True, 3), (2, "Ann", False, 3)), "it is heard again"

    asyncio.run(story())


def test_a_page_that_is_cut_while_it_enters_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes, rooms, (ann, bea, _) = ann_and_others()

    async def never(review: str) -> None:
        await asyncio.Event().wait()  # the bus does not confirm

    async def story() -> None:
        monkeypatch.setattr(nodes[1].bus, "follow", never)
        here = await rooms[0].enter("x", ann)
        entering = asyncio.create_task(rooms[1].enter("x", bea))
        await asyncio.sleep(0)
        assert (rooms[1].count("x"), ann.state()[0]) == (1, 2)
        entering.cancel()
        await asyncio.gather(entering, return_exceptions=True)
        assert (rooms[1].count("x"), rooms[1]._rooms, nodes[1]._followers) == (0, {}, {})
        assert ann.state()[0] == 1
        rooms[0].leave(here, ann)

    asyncio.run(story())


def test_of_two_who_lead_at_once_at_two_nodes_both_nodes_take_the_same() -> None:
    nodes: list[Nodes] = []
    lines = [Line(nodes) for _ in range(2)]
    nodes += [Nodes(line, b"key") for line in lines]
    ears = [Ear(f"{node.id}/{name}") for node, name in zip(nodes, "ab", strict=True)]

    async def story() -> None:
        rooms = [await rooms_of(node).enter("x", ear) for node, ear in zip(nodes, ears, strict=True)]
        for line in lines:
            line.held = []
        for room, ear in zip(rooms, ears, strict=True):
            room.lead(ear, ear.key[-1], ReviewedPlace("1", []))
        for line, other in zip(lines, reversed(nodes), strict=True):
            for message in line.held or ():
                other._hear(message)
        assert {ear.state()[1] for ear in ears} == {"a" if nodes[0].id > nodes[1].id else "b"}
        assert sorted(ear.state()[2] for ear in ears) == [False, True]

    asyncio.run(story())
