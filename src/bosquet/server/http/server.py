"""The parts of a server, built from the lowest wing to the highest one, and what all wings hand over."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager

from starlette.routing import BaseRoute

from bosquet.server.base.base_path import ROOT
from bosquet.server.base.rate_limits import Gate, Slots
from bosquet.server.base.wing import Wing
from bosquet.server.guests.changes import Changes
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.guests.devices import Devices
from bosquet.server.guests.here_now import HereNow
from bosquet.server.guests.me import Me
from bosquet.server.guests.transfers import Transfers
from bosquet.server.guests.wing import guest_wing
from bosquet.server.history.bringing import Bringing
from bosquet.server.history.my_games import MyGames
from bosquet.server.history.my_ratings import MyRatings
from bosquet.server.history.rater import Rater
from bosquet.server.history.record_requests import RecordRequests
from bosquet.server.history.wing import history_wing
from bosquet.server.http import catalogue
from bosquet.server.http.endpoints import Endpoints
from bosquet.server.http.limits import Limits
from bosquet.server.http.local_network import LocalNetwork
from bosquet.server.http.network_requests import NetworkRequests
from bosquet.server.http.personal_data import PersonalData
from bosquet.server.http.previews import previews_of
from bosquet.server.http.retention import CleanUp, Retention, sweeping
from bosquet.server.http.static_files import StaticFiles
from bosquet.server.lobby.house_table import HouseTable
from bosquet.server.lobby.lobby_requests import LobbyRequests
from bosquet.server.lobby.my_people import MyPeople
from bosquet.server.lobby.open_tables import OpenTables
from bosquet.server.lobby.pairing import Pairing
from bosquet.server.lobby.wing import lobby_wing
from bosquet.server.nodes.nodes import Follower
from bosquet.server.notices.mail_addresses import MailAddresses
from bosquet.server.notices.mail_requests import MailRequests
from bosquet.server.notices.notice_requests import NoticeRequests
from bosquet.server.notices.notices import Notices
from bosquet.server.notices.push_delivery import Delivery
from bosquet.server.notices.smtp import Mailer
from bosquet.server.notices.turn_notices import TurnNotices
from bosquet.server.notices.web_push import Vapid
from bosquet.server.notices.wing import notice_wing
from bosquet.server.reviews.review_requests import ReviewRequests
from bosquet.server.reviews.wing import review_wing
from bosquet.server.services import Services
from bosquet.server.store.clock_leaps import is_steady
from bosquet.server.tables.connections import Connections
from bosquet.server.tables.gates import Gates
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.registry import TableRegistry
from bosquet.server.tables.table_requests import TableRequests
from bosquet.server.tables.vacation_requests import VacationRequests
from bosquet.server.tables.visibility import Visibility
from bosquet.server.tables.wing import table_wing
from bosquet.server.today import daily_results
from bosquet.server.today.daily_bots import DailyBots
from bosquet.server.today.daily_deals import DailyDeals
from bosquet.server.today.daily_requests import DailyRequests
from bosquet.server.today.puzzles import Puzzles
from bosquet.server.today.wing import today_wing


class Server:
    """All wings of one server. What several wings share are its attributes."""

    def __init__(
        self,
        services: Services,
        key: bytes,
        limits: Limits,
        retention: Retention,
        *,
        base: str = ROOT,
        network: LocalNetwork | None = None,
        contact: str | None = None,
        delivery: Delivery | None = None,
        mailer: Mailer | None = None,
    ) -> None:
        """Build the wings. Takes what `create_app` takes, and how long things are kept."""
        self.services = services
        self.limits = limits
        self.retention = retention
        self.network = network
        self._base = base
        store, nodes = services.store, services.nodes

        self.guests: GuestCookies = GuestCookies(key, base)
        self.devices: Devices = Devices(store, limits)
        identity = Gate.shared("identity", nodes, limits.identity, limits.identity_of_address)
        self.changes: Changes = Changes(self.guests, self.devices, identity)

        self.registry: TableRegistry = TableRegistry(services, limits)
        self.opener: TableOpener = TableOpener(self.registry)
        self.gates: Gates = Gates(limits, nodes)
        self.visibility: Visibility = Visibility()
        self.connections: Connections = Connections(
            services, limits, self.guests, self.devices, self.opener, self.registry, self.gates, self.visibility
        )
        self.here_now: HereNow = HereNow(store, nodes, self.connections.guests)

        self.rater: Rater = Rater(store)
        self.registry.listeners.subscribe(self.rater.hear)

        self.open_tables: OpenTables = OpenTables(services, self.registry, limits)

        self.daily: DailyDeals = DailyDeals(store, self.opener, key)
        self.daily_bots: DailyBots = DailyBots(self.daily, services.compute.days)
        self.puzzles: Puzzles = Puzzles(services, limits)
        self.visibility.checks.append(self.daily.check_seen)
        self.registry.listeners.writers.append(daily_results.closing)

        self.notices: Notices = Notices(store, Vapid(key, contact), MailAddresses(store, key, limits, mailer), delivery)
        self.turn_notices: TurnNotices = TurnNotices(self.notices, self.registry.is_here)
        self.registry.listeners.subscribe(self.turn_notices.hear)

        self.endpoints: Endpoints = Endpoints(services, self.guests, self.devices, limits)
        self.wings: Sequence[Wing] = (
            self._guest_wing(),
            self._table_wing(),
            self._history_wing(),
            self._lobby_wing(),
            self._today_wing(),
            self._notice_wing(),
            self._review_wing(),
            self._http_wing(),
        )
        """The wings, the lowest one first."""

    def _guest_wing(self) -> Wing:
        store, transfers = self.services.store, Transfers(self.services.store, self.devices)
        me = Me(self.guests, self.devices, transfers, self.changes, self.connections.sign_out)
        return guest_wing(store, me, transfers, self.here_now, self.retention)

    def _table_wing(self) -> Wing:
        requests = TableRequests(self.services, self.opener, self.registry, self.gates, self.visibility)
        away = VacationRequests(self.services, self.changes, self.registry)
        return table_wing(self.services.store, self.registry, requests, self.connections, away, self.retention)

    def _history_wing(self) -> Wing:
        services, limits = self.services, self.limits
        return history_wing(
            services.store,
            MyGames(services, limits, limits.connections),
            Bringing(services, self.guests, self.devices, limits),
            MyRatings(services, self.guests, self.devices, self.rater, limits, limits),
            RecordRequests(services),
            self.rater,
            self.retention,
        )

    def _lobby_wing(self) -> Wing:
        services, pairing = self.services, Pairing(self.opener, self.registry, self.open_tables)
        house = HouseTable(self.opener, self.registry, self.guests.fresh)
        return lobby_wing(
            services.store,
            LobbyRequests(self.open_tables, pairing, self.gates, self.here_now, house),
            MyPeople(services, self.registry, self.notices, self.here_now, self.limits),
            self.retention,
        )

    def _today_wing(self) -> Wing:
        services = self.services
        return today_wing(
            services.store,
            DailyRequests(services, self.daily, self.gates, self.limits),
            self.daily_bots,
            self.puzzles,
            self.retention,
        )

    def _notice_wing(self) -> Wing:
        services = self.services
        return notice_wing(
            services.store,
            self.notices,
            self.turn_notices,
            NoticeRequests(services, self.guests, self.changes, self.notices, self.limits),
            MailRequests(services, self.notices.mail, self.limits),
            self.retention,
        )

    def _review_wing(self) -> Wing:
        requests = ReviewRequests(self.services, self.guests, self.limits, self.connections.connecting)
        return review_wing(self.services.store, requests, self.retention)

    def _http_wing(self) -> Wing:
        limits = self.limits
        slots = Slots(limits.connections, limits.downloads_of_guest, limits.downloads_of_address)
        self.personal_data: PersonalData = PersonalData(
            lambda: self.wings, self.guests, self.changes, self.connections.sign_out, slots
        )
        network = NetworkRequests(self.registry, self.network)
        return Wing([catalogue.ROUTE, *self.personal_data.routes(), *network.routes()])

    # --- what is collected ---

    def _as_node(self) -> AbstractAsyncContextManager[None]:
        return self.services.nodes.open(self.open_tables.inviting, self.open_tables.watched, self._read_changed)

    def routes(self) -> list[BaseRoute]:
        """Return every address of the server."""
        files = StaticFiles(self.limits, self.endpoints.keep_guest, previews_of(self.registry), self._base)
        return [*self.endpoints.routes(one for wing in self.wings for one in wing.routes), *files.routes()]

    @property
    def clean_ups(self) -> list[CleanUp]:
        """Return the clean-ups of all wings, those of the lowest wing first."""
        return [wing.clean_up for wing in self.wings if wing.clean_up is not None]

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve meanwhile: the database is open, worker processes run, and so does what goes on in the background."""
        services = self.services
        await services.store.open()
        services.compute.open()
        lag = asyncio.create_task(services.metrics.measure_lag())
        try:
            async with contextlib.AsyncExitStack() as stack:
                await stack.enter_async_context(self._as_node())
                await stack.enter_async_context(sweeping(self.clean_ups, functools.partial(is_steady, services.store)))
                for wing in self.wings:
                    for background in wing.background:
                        await stack.enter_async_context(background())
                yield
        finally:
            await self.registry.settle()
            lag.cancel()
            services.compute.close()
            await services.store.close()

    async def _read_changed(self, tables: Iterable[Follower]) -> None:
        """Read tables that other nodes have changed, and end connections of devices that they have signed out."""
        await self.connections.end_revoked()
        await self.registry.read_changed(tables)
