"""The web application: pages, requests and the WebSockets of the tables."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from bosquet.core.errors import BosquetError
from bosquet.server.base.background import in_background
from bosquet.server.base.bodies import file_answer, json_answer, read_bytes, read_json, while_connected
from bosquet.server.base.host_names import Names
from bosquet.server.base.limits import Buckets, Gate, Limits, Places, address_of
from bosquet.server.base.logs import RequestIds
from bosquet.server.base.messages import ENCODER, Code, Problem
from bosquet.server.base.metrics import Metrics
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute.analyses import Analyses, Steps, coached, played_again
from bosquet.server.compute.request_work import counted, replayed
from bosquet.server.compute.thinking import Thinking
from bosquet.server.compute.warm_views import warming
from bosquet.server.compute.work_queue import RemoteWorkers
from bosquet.server.compute.workers import ANALYSIS_NICE, Pool, Turns, Workers
from bosquet.server.guests.cookie import Guests, is_secure
from bosquet.server.guests.devices import Devices
from bosquet.server.guests.here_now import HereNow
from bosquet.server.guests.me import Me
from bosquet.server.history.my_games import MyGames
from bosquet.server.history.my_ratings import MyRatings
from bosquet.server.history.ratings import KeptUp
from bosquet.server.http import messages
from bosquet.server.http.catalogue import catalogue
from bosquet.server.http.local_network import LocalNetwork
from bosquet.server.http.monitor import Monitor
from bosquet.server.http.retention import sweeping
from bosquet.server.http.static_files import StaticFiles
from bosquet.server.lobby.messages import FindTable
from bosquet.server.lobby.my_people import MyPeople
from bosquet.server.lobby.pairing import Pairing
from bosquet.server.nodes.bus import LocalBus
from bosquet.server.nodes.nodes import Follower, Nodes
from bosquet.server.nodes.redis_bus import RedisBus
from bosquet.server.notices.mail_addresses import MailAddresses
from bosquet.server.notices.mail_requests import MailRequests
from bosquet.server.notices.notices import Notices
from bosquet.server.notices.push_delivery import Delivery
from bosquet.server.notices.smtp import Mailer
from bosquet.server.notices.turn_notices import TurnNotices
from bosquet.server.notices.web_push import Vapid
from bosquet.server.store.store import Store
from bosquet.server.table.actions.join import Join
from bosquet.server.table.deadlines import looking_after
from bosquet.server.table.live import TRY_LATER, Connection
from bosquet.server.table.messages import Archive, NewTable, Opened, TurnsWaiting
from bosquet.server.table.registry import TableRegistry
from bosquet.server.table.slow_tables import turns_waiting
from bosquet.server.table.table import Table
from bosquet.server.today.daily_bots import DailyBots
from bosquet.server.today.daily_deals import DailyDeals
from bosquet.server.today.puzzles import Puzzles
from bosquet.server.today.today import TodayRequests

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HTTPS_ONLY = {"strict-transport-security": "max-age=31536000"}
"""Sent behind https: browsers then never ask without it."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
STATUS: dict[Code, int] = {
    "malformed": 400,
    "name": 400,
    "illegal": 400,
    "not yours": 403,
    "wrong origin": 403,
    "no table": 404,
    "stale": 409,
    "not now": 409,
    "no seat": 409,
    "host away": 409,
    "unreadable": 410,
    "too large": 413,
    "busy": 429,
    "unavailable": 503,
    "bots away": 503,
    "revoked": 403,
    "no code": 410,
    "no person": 404,
    "other tables": 409,
    "devices": 409,
    "hidden": 409,
    "barred": 403,
}

CATALOGUE_CACHED = "public, max-age=300"

NEW_TABLE = msgspec.json.Decoder(NewTable)
ARCHIVE = msgspec.json.Decoder(Archive)
FIND_TABLE = msgspec.json.Decoder(FindTable)
JOIN = msgspec.json.Decoder(Join)

Endpoint = Callable[[Request, str], Awaitable[Response]]
Keep = Callable[[bytes, bytes], Awaitable[None]]


class Server:
    """The endpoints, and what they share."""

    def __init__(
        self,
        registry: TableRegistry,
        guests: Guests,
        analyses: Analyses,
        notices: Notices,
        kept_up: KeptUp,
        daily: DailyDeals,
        network: LocalNetwork | None = None,
    ) -> None:
        self.registry = registry
        self._daily = daily
        self.network = network
        self.analyses = analyses
        self.guests = guests
        limits = registry.limits
        self._limit = limits.body_bytes
        self._devices = Devices(registry.store, limits)
        self._me = Me(registry, guests, self._devices, notices, self._sign_out)
        self._mail = MailRequests(notices.mail, limits, registry.nodes)
        self._my_games = MyGames(registry, guests)
        self._my_ratings = MyRatings(registry, guests, self._devices, kept_up)
        self._today = TodayRequests(registry, guests, daily, self._take_opening)
        self._puzzles = Puzzles(registry, guests)
        self._pairing = Pairing(registry)
        self.here_now = HereNow(registry.store, registry.nodes, lambda: (one.guest for one in self._connected))
        self._my_people = MyPeople(registry, guests, notices, self.here_now)
        registry.nodes.hear_revoked = self._end_marked
        self._connected: set[Connection] = set()
        self._requests = Gate(limits.requests, limits.requests_of_address)
        self._opened = Gate(limits.opened, limits.opened_of_address)
        self._connecting = Buckets(limits.connecting)
        self._requests.share("requests", registry.nodes)
        self._opened.share("opened", registry.nodes)
        registry.nodes.share("connecting", self._connecting)
        self._files = StaticFiles(limits, self._keep_guest)
        self._places = Places(limits.connections, limits.connections_of_guest, limits.connections_of_address)
        registry.metrics.watch("connections", "Pages at tables", lambda: self._places.taken)

    def routes(self) -> list[Route | Mount | WebSocketRoute]:
        """Every address of the server."""
        me, my_games, my_ratings, today = self._me, self._my_games, self._my_ratings, self._today
        my_people = self._my_people
        api = [
            Route("/games", _games),
            Route("/lobby", self._endpoint(self.lobby)),
            Route("/lobby/find", self._endpoint(self.find_table), methods=["POST"]),
            Route("/turns", self._endpoint(self.turns)),
            Route("/network", self._endpoint(self.local_network)),
            Route("/network/close", self._endpoint(self.close_network), methods=["POST"]),
            Route("/me", self._endpoint(me.kept)),
            Route("/me/erase", self._endpoint(me.erase), methods=["POST"]),
            Route("/me/identity", self._endpoint(me.identity)),
            Route("/me/name", self._endpoint(me.rename), methods=["POST"]),
            Route("/me/transfer", self._endpoint(me.make_code), methods=["POST"]),
            Route("/me/transfer/look", self._endpoint(me.look), methods=["POST"]),
            Route("/me/transfer/claim", self._endpoint(me.claim), methods=["POST"]),
            Route("/me/phrase", self._endpoint(me.make_phrase), methods=["POST"]),
            Route("/me/recover", self._endpoint(me.recover), methods=["POST"]),
            Route("/me/revoke", self._endpoint(me.revoke), methods=["POST"]),
            Route("/me/notices", self._endpoint(me.notices)),
            Route("/me/notices/subscribe", self._endpoint(me.subscribe), methods=["POST"]),
            Route("/me/notices/unsubscribe", self._endpoint(me.unsubscribe), methods=["POST"]),
            Route("/me/notices/quiet", self._endpoint(me.set_quiet), methods=["POST"]),
            Route("/me/notices/mail", self._endpoint(me.give_address), methods=["POST"]),
            Route("/me/notices/mail/remove", self._endpoint(me.remove_address), methods=["POST"]),
            Route("/mail/confirm", self._endpoint(self._mail.confirm, anonymous=True), methods=["POST"]),
            Route("/history", self._endpoint(my_games.page)),
            Route("/history/summary", self._endpoint(my_games.summary)),
            Route("/history/plot", self._endpoint(my_games.plotted)),
            Route("/history/records", self._endpoint(my_games.records)),
            Route("/ratings", self._endpoint(my_ratings.shown)),
            Route("/ratings/wish", self._endpoint(my_ratings.wish), methods=["POST"]),
            Route("/ratings/plot/{game}", self._endpoint(my_ratings.plotted)),
            Route("/ratings/table/{table}", self._endpoint(my_ratings.of_game)),
            Route("/people", self._endpoint(my_people.listed)),
            Route("/people/block", self._endpoint(my_people.block), methods=["POST"]),
            Route("/people/show", self._endpoint(my_people.show), methods=["POST"]),
            Route("/people/invite", self._endpoint(my_people.invite), methods=["POST"]),
            Route("/people/answer", self._endpoint(my_people.answer), methods=["POST"]),
            Route("/today", self._endpoint(today.today)),
            Route("/today/days", self._endpoint(today.archive)),
            Route("/today/{day}", self._endpoint(today.day)),
            Route("/today/{day}/{game}", self._endpoint(today.play), methods=["POST"]),
            Route("/today/{day}/{game}/ranking", self._endpoint(today.ranking)),
            Route("/puzzles", self._endpoint(self._puzzles.days)),
            Route("/puzzles/{game}/{day}", self._endpoint(self._puzzles.position)),
            Route("/puzzles/{game}/{day}", self._endpoint(self._puzzles.attempt), methods=["POST"]),
            Route("/tables", self._endpoint(self.open_table), methods=["POST"]),
            Route("/tables/{table}", self._endpoint(self.table)),
            Route("/tables/{table}/join", self._endpoint(self.join), methods=["POST"]),
            Route("/tables/{table}/archive", self._endpoint(self.archive), methods=["POST"]),
            Route("/tables/{table}/network", self._endpoint(self.open_network), methods=["POST"]),
            Route("/tables/{table}/record", self._endpoint(self.record)),
            Route("/tables/{table}/duel", self._endpoint(self.duel)),
            WebSocketRoute("/tables/{table}/live", self.live),
            Route("/replay", self._endpoint(self.replay, anonymous=True), methods=["POST"]),
            Route("/coach", self._endpoint(self.coach, anonymous=True), methods=["POST"]),
            Route("/luck", self._endpoint(self.luck, anonymous=True), methods=["POST"]),
            Route("/score", self._endpoint(self.score, anonymous=True), methods=["POST"]),
            Route("/{rest:path}", self._endpoint(_nothing, anonymous=True)),
        ]
        stop = self._endpoint(self._mail.stop, anonymous=True, any_site=True)
        return [
            Mount("/api", routes=api),
            Route("/mail/stop/{token}", stop, methods=["POST"]),
            *self._files.routes(),
        ]

    # --- requests ---

    async def lobby(self, request: Request, guest: str) -> Response:
        """The waiting tables, and one's own."""
        self.here_now.saw(guest)
        return json_answer(await self.registry.lobby(guest))

    async def turns(self, request: Request, guest: str) -> Response:
        """How many slow tables wait for a guest."""
        waiting, slow = await turns_waiting(self.registry.store, guest)
        return json_answer(TurnsWaiting(waiting=waiting, slow=slow))

    async def open_table(self, request: Request, guest: str) -> Response:
        """Open a table."""
        new = await read_json(request, NEW_TABLE, self._limit)
        self._take_opening(request, guest)
        table = await self.registry.open(guest, new)
        return json_answer(Opened(table=table.id), 201)

    async def find_table(self, request: Request, guest: str) -> Response:
        """Take a seat at a table that waits for anybody, or open one."""
        wish = await read_json(request, FIND_TABLE, self._limit)
        self._take_opening(request, guest)
        table = await self._pairing.find(guest, wish)
        return json_answer(Opened(table=table.id))

    def _take_opening(self, request: Request, guest: str) -> None:
        """Count one more table that somebody opens. Raises Refusal."""
        self._opened.check(guest, address_of(request), "you opened many tables just now; wait a minute")
        self.registry.take_quota(self.guests.of(request), address_of(request))

    async def table(self, request: Request, guest: str) -> Response:
        """What everybody may know of a table; for pages that ask whether it is there."""
        outline = await self.registry.outline(request.path_params["table"], guest)
        if not outline.mine:
            await self._daily.check_seen(guest, outline.game, outline.daily)
        return json_answer(outline)

    async def join(self, request: Request, guest: str) -> Response:
        """Take a free seat."""
        ask = await read_json(request, JOIN, self._limit)
        table = await self.registry.current(request.path_params["table"])
        if ask.program:
            await self.registry.check_program(guest)
        await table.do(guest, ask)
        return Response(status_code=204)

    async def local_network(self, request: Request, guest: str) -> Response:
        """Whether others in the local network can come."""
        if self.network is None or not self.network.is_offered_to(request):
            return json_answer(messages.Network(offered=False, address=None))
        return json_answer(messages.Network(offered=True, address=self.network.address))

    async def open_network(self, request: Request, guest: str) -> Response:
        """Let others in the local network in: for the host of a table, at this machine."""
        network = self._network_for(request)
        table = await self.registry.current(request.path_params["table"])
        if not table.session.is_host(guest):
            raise Refusal("not yours", "only the host of this table can do that")
        try:
            await network.open()
        except BosquetError as error:
            raise Refusal("unavailable", str(error)) from None
        return await self.local_network(request, guest)

    async def close_network(self, request: Request, guest: str) -> Response:
        """Let others in the local network in no more: for anybody at this machine."""
        self._network_for(request).close()
        return await self.local_network(request, guest)

    def _network_for(self, request: Request) -> LocalNetwork:
        """The local network, for requests that may change who can come. Raises Refusal."""
        if self.network is None or "origin" not in request.headers or not self.network.is_offered_to(request):
            raise Refusal("not yours", "only a browser on the machine of the server can do that")
        return self.network

    async def archive(self, request: Request, guest: str) -> Response:
        """Leave a table out of one's own list, or bring it back."""
        ask = await read_json(request, ARCHIVE, self._limit)
        await self.registry.archive(request.path_params["table"], guest, ask.archived)
        return Response(status_code=204)

    async def record(self, request: Request, guest: str) -> Response:
        """The record of a finished table."""
        table = await self.registry.current(request.path_params["table"])
        await self._check_seen(table, guest)
        record = msgspec.json.format(ENCODER.encode(table.session.record()))
        return file_answer(record, "application/json", f"{table.session.name}-{table.id[:6]}.json")

    async def duel(self, request: Request, guest: str) -> Response:
        """The records of a duel up to this table's game, one on each line; one that does not count is left out."""
        table = await self.registry.current(request.path_params["table"])
        await self._check_seen(table, guest)
        before = table.session.duel.tables if table.session.duel else []
        played = [(await self.registry.current(one)).session for one in before]
        records = [
            ENCODER.encode(session.record()) + b"\n" for session in [*played, table.session] if not session.is_void
        ]
        return file_answer(b"".join(records), "application/jsonl", f"{table.session.name}-{table.id[:6]}.jsonl")

    async def _check_seen(self, table: Table, guest: str) -> None:
        """Check that a guest may see a table: not if the host has sent them away. Raises Refusal.

        The deal of a day may be seen only once it can't be played any more.

        Who plays it sees it, of course.
        """
        table.check_admitted(guest)
        if not table.session.seats_of(guest):
            await self._daily.check_seen(guest, table.session.name, table.session.daily)

    async def replay(self, request: Request, guest: str) -> Response:
        """A record, position by position."""
        return await self._worked_out(request, replayed)

    async def score(self, request: Request, guest: str) -> Response:
        """A real game, counted."""
        return await self._worked_out(request, counted)

    async def coach(self, request: Request, guest: str) -> Response:
        """A finished game, decision by decision: a line of JSON for each as soon as it is weighed."""
        return await self._analysed(request, coached, self._my_games.keep_cost)

    async def luck(self, request: Request, guest: str) -> Response:
        """The deal of a finished game, played again by bots: a line of JSON for each step."""
        return await self._analysed(request, played_again)

    async def _analysed(self, request: Request, steps: Steps, keep: Keep | None = None) -> Response:
        """An analysis, line by line; what `keep` is given at its end is the body of the request, and the last line."""
        known, address = self.guests.of(request), address_of(request)
        body = await read_bytes(request, self._limit)
        self.registry.take_computing(known, address)
        lines = self.analyses.lines(steps, known, address, body)
        first = await while_connected(request, _next(lines))

        async def all_lines() -> AsyncIterator[bytes]:
            async with contextlib.aclosing(lines):
                yield first
                line = first
                async for line in lines:
                    yield line
            if keep is not None:
                await keep(body, line)

        return StreamingResponse(all_lines(), media_type="application/x-ndjson", headers={"x-accel-buffering": "no"})

    async def _worked_out(self, request: Request, work: Callable[[bytes], bytes]) -> Response:
        known = self.guests.of(request)
        body = await read_bytes(request, self._limit)
        try:
            working = self.registry.work_out(known, address_of(request), work, body)
            answer = await while_connected(request, working)
        except BosquetError as error:
            raise Refusal("malformed", str(error)) from None
        return Response(answer, media_type="application/json")

    # --- WebSockets ---

    async def live(self, socket: WebSocket) -> None:
        """Sit down at a table, or watch."""
        with contextlib.suppress(WebSocketDisconnect):  # it left before it was answered
            await self._live(socket)

    async def _live(self, socket: WebSocket) -> None:
        if not _same_origin(socket):
            await _deny(socket, "wrong origin", "this page is not of this server")
            return
        known, address = self.guests.of(socket), address_of(socket)
        with self._places.one(known, address) as free:
            if self.registry.nodes.draining and not self.registry.nodes.is_needed:
                await _deny(socket, "unavailable", "this node is about to end; another one goes on")
                return
            if not free or not self._connecting.take(address):
                await socket.close(TRY_LATER, "too many connections")
                return
            try:
                table = await self.registry.find(socket.path_params["table"])
            except Refusal as refusal:
                await _deny(socket, refusal.code, str(refusal))
                return
            since = socket.query_params.get("since", "0")
            number = int(since) if since.isascii() and since.isdigit() and len(since) < 9 else 0
            guest = known or self.guests.fresh()
            try:
                await self._check_seen(table, guest)
            except Refusal as refusal:
                await _deny(socket, refusal.code, str(refusal))
                return
            watching = "watch" in socket.query_params
            device = self.guests.device_of(socket)
            connection = Connection(socket, guest, device, address, table, self.registry, number, watching=watching)
            self._connected.add(connection)  # before the check, so that it hears of a device that is signed out now
            try:
                if known is not None:
                    try:
                        await self._devices.check(guest, device)
                    except Refusal as refusal:
                        await _deny(socket, refusal.code, str(refusal))
                        return
                await connection.run()
            finally:
                self._connected.discard(connection)

    async def drain(self, seconds: float) -> None:
        """Get ready for the end: in the first half of the time pages are sent to other nodes, if there are any."""
        self.registry.nodes.draining = True
        if not self.registry.nodes.is_needed:
            await asyncio.sleep(seconds / 4)  # the proxy hears first that this node is not ready any more
            connected = list(self._connected)
            for connection in connected:
                connection.send_away()
                await asyncio.sleep(seconds / 4 / len(connected))

    # --- devices ---

    def _sign_out(self, guest: str, device: int | None) -> None:
        """End the connections of a device of a guest, or of all its devices, here and at other nodes."""
        self._end_marked(self.registry.nodes.publish_revoked(guest, device), device)

    def _end_marked(self, mark: str, device: int | None) -> None:
        """End the connections of a device of the guest with a mark."""
        for connection in list(self._connected):
            if device in (None, connection.device) and self.registry.nodes.mark(connection.guest) == mark:
                connection.sign_out()

    async def end_revoked(self) -> None:
        """End the connections of devices that were signed out at other nodes. Raises Refusal."""
        revoked = await self._devices.revoked((one.guest, one.device) for one in self._connected)
        for connection in list(self._connected):
            if (connection.guest, connection.device) in revoked:
                connection.sign_out()

    # --- what requests share ---

    def _endpoint(
        self, endpoint: Endpoint, *, anonymous: bool = False, any_site: bool = False
    ) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint for a guest, who gets a cookie; a refusal becomes an answer.

        Whether the guest's device was signed out does not matter where what is `anonymous` is asked for. What the
        address of a request gives the right to, and no cookie, may come from `any_site`.
        """

        async def answer(request: Request) -> Response:
            known = self.guests.of(request)
            guest = known or self.guests.fresh()
            try:
                # By devices: one that was signed out must not use up what the others may ask.
                who = known and f"{known}.{self.guests.device_of(request)}"
                self._requests.check(who, address_of(request), "too many requests at once; wait a moment")
                if request.method != "GET" and not any_site and _of_another_site(request):
                    raise Refusal("wrong origin", "this page is not of this server")
                if known is not None and not anonymous:
                    await self._devices.check(guest, self.guests.device_of(request))
                made = await endpoint(request, guest)
            except Refusal as refusal:
                self.registry.metrics.refusals.labels(refusal.code).inc()
                made = _problem(refusal.code, str(refusal))
                if refusal.code == "revoked":
                    made.headers["set-cookie"] = self.guests.cookie(self.guests.fresh(), is_secure(request))
            except ClientDisconnect:
                made = Response(status_code=400)  # nobody hears it
            self._keep_guest(request, made, guest)
            made.headers["cache-control"] = "no-store"
            return made

        return answer

    def _keep_guest(self, request: Request, answer: Response, guest: str | None = None) -> None:
        """Let the browser keep its guest where it has no cookie, or an old one; by default a new guest.

        When another site's page asks, it may well have a cookie that it does not send: that one must not be lost.
        """
        if "set-cookie" not in answer.headers and self.guests.is_due(request) and not _of_another_site(request):
            kept = guest or self.guests.of(request) or self.guests.fresh()
            device = self.guests.device_of(request)
            answer.headers["set-cookie"] = self.guests.cookie(kept, is_secure(request), device)


async def _next(lines: AsyncIterator[bytes]) -> bytes:
    return await anext(lines)


def _same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    origin, host = connection.headers.get("origin"), connection.headers.get("host")
    return origin in (None, f"http://{host}", f"https://{host}")


def _of_another_site(request: Request) -> bool:
    """Whether another site's page makes this request: not by a link to us, which browsers send our cookie with."""
    link = request.method == "GET" and request.headers.get("sec-fetch-mode") == "navigate"
    return not _same_origin(request) or (request.headers.get("sec-fetch-site") == "cross-site" and not link)


async def _deny(socket: WebSocket, code: Code, message: str) -> None:
    await socket.send_denial_response(_problem(code, message))


async def _nothing(request: Request, guest: str) -> Response:
    raise Refusal("no table", "there is nothing at this address")


def _problem(code: Code, message: str) -> Response:
    return json_answer(Problem(code=code, message=message), STATUS[code])


async def _games(request: Request) -> Response:
    """The games that can be played here; the same for everybody, so that anybody may keep it for a while."""
    body, etag = catalogue()
    headers = {"cache-control": CATALOGUE_CACHED, "etag": etag}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


class Headers:
    """Sends the headers of security with every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                due = HEADERS | (HTTPS_ONLY if scope["scheme"] == "https" else {})
                headers = [(name.encode(), value.encode()) for name, value in due.items()]
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await self._app(scope, receive, with_headers)


def create_app(
    database: str,
    key: bytes,
    *,
    limits: Limits | None = None,
    bus: RedisBus | None = None,
    processes: int | None = None,
    names: frozenset[str] | None = None,
    network: LocalNetwork | None = None,
    contact: str | None = None,
    delivery: Delivery | None = None,
    mailer: Mailer | None = None,
    warm: bool = True,
) -> Starlette:
    """The application over a database (an SQLAlchemy URL), its cookies signed with `key`.

    With a bus it is one of several nodes. It answers to these `names`, or to any. Into a `network` hosts may open it.
    Push services are told a `contact`, the URL of those who run it; `delivery` is how they are reached.
    Without a `mailer` no e-mail is sent.
    Bots think in so many `processes`, by default one fewer than there are cores but at least two; with 0 they and
    analyses are left to workers that the bus reaches. Unless they are left cold, processes start and compile what they
    need before anybody plays. Raises BosquetError.
    """
    metrics = Metrics()
    store = Store(database, metrics, alone=bus is None)
    metrics.watch("store_bytes", "Size of an SQLite store", store.size)
    turns = Turns() if warm else None
    nodes = Nodes(bus or LocalBus(), key)
    bot_workers: Pool
    analysis_workers: Pool
    if processes == 0:
        if bus is None:
            raise BosquetError("--workers 0: workers elsewhere are reached by a bus; name one with --bus")
        bot_workers, analysis_workers = RemoteWorkers(bus.url, "bots", nodes), RemoteWorkers(bus.url, "analysis", nodes)
    else:
        bot_workers = Workers(processes, turns=turns, lazy=not warm)
        analysis_workers = Workers(1, turns=turns, nice=ANALYSIS_NICE, lazy=True)
    request_workers = Workers(1, lazy=not warm)
    bounds = limits or Limits()
    registry = TableRegistry(store, nodes, Thinking(bot_workers, metrics), request_workers, bounds, metrics)
    notices = Notices(store, Vapid(key, contact), MailAddresses(store, key, bounds, mailer), delivery)
    turn_notices = TurnNotices(notices, registry.is_here)
    registry.turns.subscribe(turn_notices.hear)
    analyses = Analyses(analysis_workers, bounds)
    if warm:
        registry.turns.subscribe(analyses.hear)
    kept_up = KeptUp(store)
    registry.turns.subscribe(kept_up.hear)
    daily = DailyDeals(registry, key)
    daily_bots = DailyBots(daily, analysis_workers)
    server = Server(registry, Guests(key), analyses, notices, kept_up, daily, network)

    async def read_changed(tables: Iterable[Follower]) -> None:
        await server.end_revoked()
        await registry.read_changed(tables)

    pools = (bot_workers, request_workers, analysis_workers)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await store.open()
        for pool in pools:
            pool.open()
        lag = asyncio.create_task(metrics.measure_lag())
        warm_up = warming() if warm else contextlib.nullcontext()
        try:
            async with (
                nodes.open(registry.inviting, read_changed),
                sweeping(registry),
                looking_after(registry),
                in_background(daily_bots.run()),
                notices.sending(),
                turn_notices.passing_on(),
                kept_up.keeping_up(),
                server.here_now.telling(),
                warm_up,
            ):
                yield
        finally:
            await registry.settle()
            lag.cancel()
            for pool in reversed(pools):
                pool.close()
            if turns is not None:
                turns.close()
            await store.close()

    app = Starlette(
        routes=server.routes(),
        lifespan=lifespan,
        middleware=[Middleware(RequestIds), Middleware(Headers), Middleware(Names, names=names)],
    )
    app.state.registry = registry
    app.state.analyses = server.analyses
    app.state.server = server
    app.state.notices = notices
    app.state.kept_up = kept_up
    app.state.daily = daily
    app.state.daily_bots = daily_bots
    app.state.monitor = Monitor(store, nodes, metrics)
    return app
