"""One address keeps nobody else from anything: whatever the server does for an address has a bound of this address.

`BOUNDS` names the bound of every address of the server; an address without one fails the test. Each bound is given
another capacity, so a flood shows which one refuses it. That what takes long has fair turns beyond that is shown by
`test_thinking` (processes and other turns) and `test_store` (reads); here, that it asks for such a turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from bosquet.core.errors import BosquetError
from bosquet.server.base.fair_queue import ASKING, ASKING_GUEST, MOST, Asker, FairQueue
from bosquet.server.base.rate_limits import Rate
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests import transfers
from bosquet.server.guests.transfers import fresh_phrase
from bosquet.server.history.kept_records import records
from bosquet.server.http.limits import Limits
from bosquet.server.http.static_files import StaticFiles
from bosquet.server.store.reader import Reader
from bosquet.server.store.schema import seats
from bosquet.server.store.store import Store, change
from bosquet.server.table.table import Table
from bosquet.server.tables.registry import REPLAYED_AT_ONCE, TableRegistry
from tests.server.helpers.chat import seated, told, write
from tests.server.helpers.kept import keep_game, registry_of, with_store
from tests.server.helpers.people import ME, Person, make_app

CAPACITIES: dict[str, Any] = {
    field: Rate(burst, 0)
    for burst, field in enumerate(
        (
            "reviews_of_address",
            "mail_of_address",
            "identity_of_address",
            "opened_of_address",
            "computing_of_address",
            "history_of_address",
            "ratings_of_address",
            "brought_of_address",
            "people_of_address",
            "daily_of_address",
            "answers_of_address",
            "files_of_address",
            "connecting",
            "requests_of_address",
        ),
        start=1,
    )
}
"""None is filled again, so nothing depends on time."""
TODAY = datetime.now(UTC).date().isoformat()
NAMES = {
    "table": "none",
    "game": "topas",
    "day": TODAY,
    "grade": "easy",
    "token": "none",
    "rest": "none",
    "name": "",
    "review": "none",
}
"""What stands in the variable parts of addresses."""


@dataclass(frozen=True)
class Bound:
    """What bounds the requests of one client address at an address of the server."""

    limit: str | None
    """The field of `Limits`; None for what is the same bytes for everybody."""
    body: Any = field(default_factory=dict)
    takes_turns: bool = False
    """Whether it takes long, so that addresses take turns."""
    form: bytes = b""


REQUESTS = Bound("requests_of_address")
TABLE = Bound("requests_of_address", takes_turns=True)
"""What reads a table, if it is not in memory."""
HISTORY = Bound("history_of_address")
RATINGS = Bound("ratings_of_address")
PEOPLE = Bound("people_of_address")
DAILY = Bound("daily_of_address")
FILES = Bound("files_of_address")
PERSON = "A" * 16
SUBSCRIPTION = {"endpoint": "https://push.example.org/1", "p256dh": "A", "auth": "A", "language": "en", "zone": "UTC"}


def identity(**body: Any) -> Bound:
    """Bound the changes of who somebody is."""
    return Bound("identity_of_address", body)


BOUNDS: dict[str, Bound] = {
    "GET /api/me": Bound("requests_of_address", takes_turns=True),  # and slots for downloads
    "POST /api/me/erase": identity(),
    "GET /api/me/identity": identity(),
    "POST /api/me/name": identity(name="Ann"),
    "POST /api/me/transfer": identity(),
    "POST /api/me/transfer/look": identity(code="A" * 22),
    "POST /api/me/transfer/claim": identity(code="A" * 22),
    "POST /api/me/phrase": Bound("identity_of_address", takes_turns=True),
    "POST /api/me/recover": Bound("identity_of_address", {"phrase": fresh_phrase()}, takes_turns=True),
    "POST /api/me/revoke": identity(device=7),
    "GET /api/me/vacation": REQUESTS,
    "POST /api/me/vacation": identity(days=1),
    "POST /api/me/vacation/end": identity(),
    "GET /api/me/notices": REQUESTS,
    "POST /api/me/notices/subscribe": identity(**SUBSCRIPTION),
    "POST /api/me/notices/unsubscribe": Bound("requests_of_address", {"all": False}),  # never refused for being often
    "POST /api/me/notices/quiet": identity(start=None, end=None, zone="UTC"),
    "POST /api/me/notices/mail": Bound("mail_of_address", {"address": "a@b.org", "language": "en", "zone": "UTC"}),
    "POST /api/me/notices/mail/remove": REQUESTS,  # the same
    "POST /api/mail/confirm": identity(code="A"),
    "POST /mail/stop/{token}": Bound("requests_of_address", form=b"List-Unsubscribe=One-Click"),
    "GET /api/turns": REQUESTS,
    "POST /api/tables": Bound("opened_of_address", {"game": "topas", "options": {"players": 1}, "seats": [ME]}),
    "GET /api/tables/{table}": TABLE,
    "POST /api/tables/{table}/invitation": Bound("requests_of_address", {"invitation": "A"}, takes_turns=True),
    "POST /api/tables/{table}/join": Bound("requests_of_address", {"name": "Ann"}, takes_turns=True),
    "POST /api/tables/{table}/archive": Bound("requests_of_address", {"archived": True}),
    "GET /api/tables/{table}/record": TABLE,
    "GET /api/tables/{table}/duel": TABLE,
    "POST /api/tables/{table}/network": REQUESTS,
    "GET /api/network": REQUESTS,
    "POST /api/network/close": REQUESTS,
    "GET /api/history": HISTORY,
    "GET /api/history/summary": HISTORY,
    "GET /api/history/plot": HISTORY,
    "GET /api/history/records": Bound("history_of_address", takes_turns=True),  # and slots for downloads
    "POST /api/history/cost": Bound("history_of_address", {"table": "none", "lost": [], "decisions": []}),
    "POST /api/history/brought": Bound("brought_of_address", takes_turns=True),
    "POST /api/history/brought/which": Bound("history_of_address", {"games": []}),
    "GET /api/ratings": RATINGS,
    "POST /api/ratings/wish": identity(wanted=True),
    "GET /api/ratings/plot/{game}": RATINGS,
    "GET /api/ratings/table/{table}": RATINGS,
    "POST /api/replay": Bound("computing_of_address", takes_turns=True),
    "GET /api/lobby": REQUESTS,
    "POST /api/lobby/find": Bound("opened_of_address", {"game": "topas", "name": "Ann"}),
    "POST /api/lobby/bots": REQUESTS,  # one table for all
    "GET /api/people": PEOPLE,
    "POST /api/people/block": Bound("people_of_address", {"person": PERSON, "blocked": True}),
    "POST /api/people/show": Bound("people_of_address", {"shown": True}),
    "POST /api/people/invite": Bound("people_of_address", {"person": PERSON, "table": "none"}, takes_turns=True),
    "POST /api/people/answer": Bound("people_of_address", {"table": "none", "answer": "decline"}),
    "POST /api/reviews": Bound("reviews_of_address", takes_turns=True),
    "GET /api/reviews/{review}": REQUESTS,
    "GET /api/today": DAILY,
    "GET /api/today/days": DAILY,
    "GET /api/today/{day}": DAILY,
    "POST /api/today/{day}/{game}": Bound("opened_of_address", {"name": "Ann"}),
    "GET /api/today/{day}/{game}/ranking": DAILY,
    "GET /api/puzzles": REQUESTS,
    "POST /api/puzzles/{game}/{day}/{grade}": Bound("answers_of_address", {"solved": True}),
    "GET /api/games": Bound(None),
    "GET /api/{rest:path}": REQUESTS,
    "WebSocket /api/tables/{table}/live": Bound("connecting", takes_turns=True),  # and slots for connections
    "WebSocket /api/reviews/{review}/live": Bound("connecting"),  # the same
}
"""Of files, whose addresses depend on how the page was built, the bound is always `files_of_address`."""


def routes_of(routes: list[BaseRoute], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what is asked with the addresses of an application, and what answers it."""
    for route in routes:
        match route:
            case Mount():
                yield from routes_of(list(route.routes), before + route.path)
            case WebSocketRoute():
                yield f"WebSocket {before}{route.path}", route.endpoint
            case Route():
                for method in (route.methods or set()) - {"HEAD"}:
                    yield f"{method} {before}{route.path}", route.endpoint


class Flooded:
    """A server, and browsers at any addresses."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.server: Any = app.state.server
        self.first = TestClient(app)

    def at(self, address: str) -> TestClient:
        """Return a browser at an address."""
        client = TestClient(self.app, client=(address, 50000))
        client.portal = self.first.portal
        return client

    def is_refused(self, asked: str, bound: Bound, client: TestClient) -> bool:
        """Ask once, as a guest that was never here before; return whether that was too often."""
        method, path = asked.split(" ")
        path = path.replace(":path", "").format_map(NAMES)
        guests = self.server.guests
        headers = {"cookie": guests.cookie(guests.fresh(), secure=False).partition(";")[0], "accept": "text/html"}
        if method == "WebSocket":
            try:
                with client.websocket_connect(path, headers=headers):
                    raise AssertionError("there is no such table")
            except WebSocketDenialResponse:
                return False
            except WebSocketDisconnect:
                return True
        sent: dict[str, Any] = {} if method == "GET" else {"json": bound.body}
        if bound.form:
            headers["content-type"] = "application/x-www-form-urlencoded"
            sent = {"content": bound.form}
        answer = client.request(method, path, headers=headers, **sent)
        assert answer.status_code < 500, answer.text
        assert "the body is not" not in answer.text, answer.text
        return answer.status_code == 429


@contextmanager
def flooded(folder: Path, limits: Limits) -> Iterator[Flooded]:
    """Run a server with some limits, that works nothing out."""
    flooded = Flooded(make_app(folder, limits))

    async def run(work: Any, *given: Any) -> bytes:
        if work is records:
            return b""
        raise BosquetError("nothing is worked out here")

    flooded.server.services.compute.requests.run = run
    with flooded.first:
        yield flooded


def test_a_flood_of_one_address_is_refused_and_another_address_is_served(
    tmp_path: Path, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, reads = set[str](), set[str]()
    begin, read = FairQueue.begin, Reader.read

    async def noted_turn(self: FairQueue, asker: Asker) -> None:
        turns.add(asker.address)
        await begin(self, asker)

    async def noted_read(self: Reader, what: Any) -> Any:
        reads.add(ASKING.get())
        return await read(self, what)

    async def never_read(*_: Any) -> None:
        raise Refusal("no table", "there is none")  # so that it is in no memory when the next one asks

    monkeypatch.setattr(Table, "replay", never_read)
    monkeypatch.setattr(transfers, "_scrypt", lambda symbols: b"")
    monkeypatch.setattr(FairQueue, "begin", noted_turn)
    monkeypatch.setattr(Reader, "read", noted_read)
    with flooded(tmp_path, replace(Limits(), **CAPACITIES)) as server:
        assert server.first.portal is not None
        server.first.portal.call(keep_game, server.server.services.store, NAMES["table"], "topas", 0)
        found = dict(routes_of(list(server.app.routes)))
        of_files = {asked for asked, answer in found.items() if isinstance(getattr(answer, "__self__", 0), StaticFiles)}
        assert found.keys() - of_files == BOUNDS.keys(), "each address of the server needs a bound of a client address"
        for number, asked in enumerate(sorted(found)):
            with subtests.test(asked):
                bound, address, other = BOUNDS.get(asked, FILES), f"192.0.2.{number}", f"198.51.100.{number}"
                reads.clear()
                burst = int(CAPACITIES[bound.limit or "requests_of_address"].burst)
                client = server.at(address)
                refused = [server.is_refused(asked, bound, client) for _ in range(burst + 1)]
                assert refused == [False] * burst + [bound.limit is not None]
                assert not server.is_refused(asked, bound, server.at(other))
                assert (address in turns) == bound.takes_turns
                assert reads <= {"", address, other}


def test_a_flood_of_one_address_at_a_table_leaves_the_others_their_messages_lines_and_reports(tmp_path: Path) -> None:
    limits = Limits(asks_of_address=Rate(12, 0), chat_of_address=Rate(3, 0), reports_of_address=Rate(2, 0))
    with flooded(tmp_path, limits) as server:
        ann, eve = (Person(server.at(address)) for address in ("192.0.2.1", "198.51.100.1"))
        with seated(ann, eve) as (_, hers, floods):
            seat = floods.position["viewpoint"]
            for text in ("0", "1", "2"):
                write(floods, text)
                assert told(hers) == [text]
            assert floods.refusal("write", seat=seat, text="3") == "busy"
            write(hers, "mine")
            assert told(hers) == ["mine"]
            for number in range(2):
                hers.ask("report", number=number)
                assert hers.hear("reported")["number"] == number
            assert hers.refusal("report", number=2) == "busy"
            floods.ask("report", number=3)
            assert floods.hear("reported")["number"] == 3
            codes = [floods.refusal("look", seat=3) for _ in range(8)]
            assert (codes[0], codes[-1]) == ("not yours", "busy")
            assert hers.refusal("look", seat=3) == "not yours"


def test_a_flood_of_tables_that_are_read_delays_another_address_by_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read a table is to play its game through, in the loop of the server."""
    begun, going_on = list[str](), asyncio.Event()

    async def replay(table: Table, entries: Any) -> None:
        begun.append(table.id)
        await going_on.wait()

    async def find(registry: TableRegistry, table: str) -> None:
        ASKING.set(table[0])
        assert (await registry.find(table)).id == table

    async def story(store: Store) -> None:
        registry, ids = registry_of(store), [f"a{number}" for number in range(3 * REPLAYED_AT_ONCE)]
        for table in [*ids, "b0"]:
            await keep_game(store, table, plies=0)
        async with asyncio.TaskGroup() as group:
            finding = [group.create_task(find(registry, table)) for table in ids]
            while len(begun) < REPLAYED_AT_ONCE - 1:
                await asyncio.sleep(0)
            group.create_task(find(registry, "b0"))
            while "b0" not in begun:
                await asyncio.sleep(0)
            assert len(begun) == REPLAYED_AT_ONCE
            assert not any(one.done() for one in finding)
            going_on.set()

    monkeypatch.setattr(Table, "replay", replay)
    with_store(tmp_path, story)


def test_a_guest_who_reads_many_tables_delays_others_of_the_same_address_by_one_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, going_on = list[str](), asyncio.Event()

    async def replay(table: Table, entries: Any) -> None:
        begun.append(table.id)
        await going_on.wait()

    async def find(registry: TableRegistry, guest: str, table: str) -> None:
        ASKING.set("shared")
        ASKING_GUEST.set(guest)
        await registry.find(table)

    async def story(store: Store) -> None:
        registry, ids = registry_of(store), [str(number) for number in range(3 * REPLAYED_AT_ONCE)]
        for table in [*ids, "hers"]:
            await keep_game(store, table, plies=0)
        turns = registry._replaying
        async with asyncio.TaskGroup() as group:
            for table in ids:
                group.create_task(find(registry, "eve", table))
            await asyncio.wait_for(_until(lambda: len(begun) + len(turns._waiting) == len(ids)), 10)
            group.create_task(find(registry, "ann", "hers"))
            await asyncio.wait_for(_until(lambda: len(begun) + len(turns._waiting) == len(ids) + 1), 10)
            going_on.set()
        assert begun[REPLAYED_AT_ONCE - 1] == "hers"

    monkeypatch.setattr(Table, "replay", replay)
    with_store(tmp_path, story)


def test_all_tables_are_refused_together_where_the_database_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seconds after which it is given up are not those of one table after another."""
    asked, silence = list[str](), asyncio.Event()

    async def say_nothing(table: str, since: int = 0) -> Any:
        asked.append(table)
        await silence.wait()
        raise Refusal("unavailable", "the tables can't be read just now")

    async def story(store: Store) -> None:
        registry, ids = registry_of(store), [str(number) for number in range(3 * REPLAYED_AT_ONCE)]
        for table in ids:
            await keep_game(store, table, plies=0)
        monkeypatch.setattr(store, "read_journal", say_nothing)
        finding = [asyncio.create_task(registry.find(table)) for table in ids]
        await asyncio.wait_for(_until(lambda: len(asked) == len(ids)), 10)
        silence.set()
        refused = await asyncio.gather(*finding, return_exceptions=True)
        assert {getattr(one, "code", None) for one in refused} == {"unavailable"}

    with_store(tmp_path, story)


def test_a_table_that_has_waited_for_its_turn_is_as_it_is_kept_by_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, going_on = list[str](), asyncio.Event()
    replay, read_journal = Table.replay, Store.read_journal

    async def replay_late(table: Table, entries: Any) -> None:
        await going_on.wait()
        await replay(table, entries)

    async def noted(store: Store, table: str, since: int = 0) -> Any:
        found = await read_journal(store, table, since)
        read.append(table)
        return found

    async def story(store: Store) -> None:
        registry = registry_of(store)
        await keep_game(store, "table", plies=3)
        finding = [asyncio.create_task(registry.find("table")) for _ in range(2)]
        await asyncio.wait_for(_until(lambda: len(read) == 2), 10)
        await store.write(change(seats, "table", {"guest": "ann"}, {"guest": None, "name": "erased"}))
        await registry.read_again("table")
        going_on.set()
        first, second = await asyncio.gather(*finding)
        assert first is second
        assert first.session.chairs[0].name == "erased"
        assert first.session.number == 3

    monkeypatch.setattr(Table, "replay", replay_late)
    monkeypatch.setattr(Store, "read_journal", noted)
    with_store(tmp_path, story)


def test_a_table_that_somebody_else_has_read_sooner_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay, read = Table.replay, list[asyncio.Event]()

    async def replay_in_turn(table: Table, entries: Any) -> None:
        read.append(going_on := asyncio.Event())
        await going_on.wait()
        await replay(table, entries)

    async def story(store: Store) -> None:
        registry = registry_of(store)
        monkeypatch.setattr(registry.services.nodes, "follows", lambda table: False)
        await keep_game(store, "table", plies=3)
        sooner = asyncio.create_task(registry.find("table"))
        await asyncio.wait_for(_until(lambda: len(read) == 1), 10)
        await store.write(change(seats, "table", {"guest": "ann"}, {"name": "by another node"}))
        later = asyncio.create_task(registry.current("table"))
        await asyncio.wait_for(_until(lambda: len(read) == 2), 10)
        read[0].set()
        table = await sooner
        assert table.session.chairs[0].name == "ann"
        read[1].set()
        assert await later is table
        assert table.session.chairs[0].name == "by another node"

    monkeypatch.setattr(Table, "replay", replay_in_turn)
    with_store(tmp_path, story)


def test_where_too_many_wait_the_address_of_which_most_do_is_refused() -> None:
    """Of whatever takes turns, with the bound that all have of which none is said."""
    going_on = asyncio.Event()

    async def take(turns: FairQueue, address: str) -> None:
        async with turns.one(None, address):
            await going_on.wait()

    async def story() -> None:
        turns = FairQueue(lambda: 1)
        flood = [asyncio.create_task(take(turns, "a")) for _ in range(MOST)]
        await asyncio.sleep(0)
        other = asyncio.create_task(take(turns, "b"))
        await asyncio.wait_for(_until(lambda: any(one.done() for one in flood)), 10)
        going_on.set()
        await other
        refused = [one for one in await asyncio.gather(*flood, return_exceptions=True) if one is not None]
        assert [getattr(one, "code", None) for one in refused] == ["busy"]

    asyncio.run(story())


async def _until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    while not is_so():
        await asyncio.sleep(0.001)
