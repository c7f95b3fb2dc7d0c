"""The requests of guests about their vacation. Their slow tables are told of it."""

from __future__ import annotations

import contextlib

import sqlalchemy as sa
import structlog
from starlette.requests import Request
from starlette.responses import Response
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.clock import now
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests import vacations
from bosquet.server.guests.changes import Changes
from bosquet.server.guests.messages import TakeVacation
from bosquet.server.services import Services
from bosquet.server.store.schema import tables
from bosquet.server.store.store import Conflict
from bosquet.server.tables.registry import TableRegistry
from bosquet.server.tables.slow_tables import slow_of

log: FilteringBoundLogger = structlog.get_logger()


class VacationRequests:
    """The endpoints below `/api/me/vacation`."""

    def __init__(self, services: Services, changes: Changes, registry: TableRegistry) -> None:
        self._store = services.store
        self._changes = changes
        self._registry = registry

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/me/vacation", self.shown),
            Endpoint("/me/vacation", self.take, "POST"),
            Endpoint("/me/vacation/end", self.end, "POST"),
        ]

    async def shown(self, request: Request, guest: str) -> Response:
        """Send whether the guest is on vacation, and how many days it has left."""
        return json_answer(await vacations.shown(self._store, guest, now()))

    async def take(self, request: Request, guest: str) -> Response:
        """Send the guest on vacation."""
        ask = await read_json(request, TakeVacation)
        await self._changes.device(request, guest)
        await vacations.take(self._store, guest, ask.days, now())
        return await self._told(request, guest)

    async def end(self, request: Request, guest: str) -> Response:
        """End the vacation of the guest."""
        self._changes.take(request)
        await vacations.end(self._store, guest, now())
        return await self._told(request, guest)

    async def _told(self, request: Request, guest: str) -> Response:
        """Tell all slow tables of the guest. Those that can't be told are made due at once, and find out then."""
        untold = []
        for table in await slow_of(self._store, guest):
            try:
                await (await self._registry.current(table)).note_vacation(guest)
            except Refusal as refusal:
                log.warning("a table was not told of a vacation", table=table[:6], why=refusal.code)
                untold.append(table)
        if untold:
            theirs = tables.c.id.in_(untold) & tables.c.due.is_not(None)
            with contextlib.suppress(Refusal, Conflict):
                await self._store.write(sa.update(tables).where(theirs).values(due=now()))
        return await self.shown(request, guest)
