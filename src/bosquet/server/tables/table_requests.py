"""The requests of guests about tables: opening them, taking a seat, their records.

`opening.py` checks what is asked of a new table, with `table/timing` and `table/display_names.py`.
"""

from __future__ import annotations

import secrets

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import file_answer, json_answer, read_json
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.services import Services
from bosquet.server.table.actions.join import WRONG_INVITATION, Join
from bosquet.server.table.messages import Archive, Invitation, NewTable, Opened, TurnsWaiting
from bosquet.server.tables import brought
from bosquet.server.tables.gates import Gates
from bosquet.server.tables.opening import TableOpener
from bosquet.server.tables.registry import GONE_CODES, TableRegistry
from bosquet.server.tables.slow_tables import turns_waiting
from bosquet.server.tables.visibility import Visibility


class TableRequests:
    """The endpoints below `/api/tables`, and `/api/turns`."""

    def __init__(
        self,
        services: Services,
        opener: TableOpener,
        registry: TableRegistry,
        gates: Gates,
        visibility: Visibility,
    ) -> None:
        self._store = services.store
        self._opener = opener
        self._registry = registry
        self._gates = gates
        self._visibility = visibility

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/turns", self.turns),
            Endpoint("/tables", self.open, "POST"),
            Endpoint("/tables/{table}", self.outline),
            Endpoint("/tables/{table}/invitation", self.invitation, "POST"),
            Endpoint("/tables/{table}/join", self.join, "POST"),
            Endpoint("/tables/{table}/archive", self.archive, "POST"),
            Endpoint("/tables/{table}/record", self.record),
            Endpoint("/tables/{table}/duel", self.duel),
        ]

    async def turns(self, request: Request, guest: str) -> Response:
        """Send how many slow tables wait for the guest."""
        waiting, slow = await turns_waiting(self._store, guest)
        return json_answer(TurnsWaiting(waiting=waiting, slow=slow))

    async def open(self, request: Request, guest: str) -> Response:
        """Open a table."""
        new = await read_json(request, NewTable)
        self._gates.take_opening(request, guest)
        table = await self._opener.open(guest, new)
        return json_answer(Opened(table=table.id), 201)

    async def outline(self, request: Request, guest: str) -> Response:
        """Send what everybody may know of a table; for pages that ask whether it is there."""
        outline = await self._registry.outline(request.path_params["table"], guest)
        await self._visibility.check_outline(outline, guest)
        return json_answer(outline)

    async def invitation(self, request: Request, guest: str) -> Response:
        """Answer whether an invitation is the right one, before its guest is promised a seat. Raises Refusal."""
        ask = await read_json(request, Invitation)
        table = await self._registry.current(request.path_params["table"])
        await self._visibility.check(table, guest)
        if not secrets.compare_digest(ask.invitation.encode(), table.session.invitation.encode()):
            raise Refusal("no seat", WRONG_INVITATION)
        return Response(status_code=204)

    async def join(self, request: Request, guest: str) -> Response:
        """Take a free seat."""
        ask = await read_json(request, Join)
        table = await self._registry.current(request.path_params["table"])
        if ask.program:
            await self._registry.check_program(guest)
        await table.do(guest, ask)
        await table.hear_of_vacation(guest)
        return Response(status_code=204)

    async def archive(self, request: Request, guest: str) -> Response:
        """Hide a finished table from the guest's list, or show it again."""
        ask = await read_json(request, Archive)
        await self._registry.archive(request.path_params["table"], guest, ask.archived)
        return Response(status_code=204)

    async def record(self, request: Request, guest: str) -> Response:
        """Send the record of a finished table, or of a game that the guest has brought."""
        asked = request.path_params["table"]
        for game, record in await brought.records_of(self._store, guest, [asked]):
            return file_answer(msgspec.json.format(record), "application/json", f"{game}-{asked[:6]}.json")
        table = await self._registry.current(asked)
        await self._visibility.check(table, guest)
        record = msgspec.json.format(ENCODER.encode(table.session.record()))
        return file_answer(record, "application/json", f"{table.session.name}-{table.id[:6]}.json")

    async def duel(self, request: Request, guest: str) -> Response:
        """Send the records of a duel up to this table's game, one on each line.

        Games that do not count are left out, and so are those of tables that were deleted or can't be read.
        """
        table = await self._registry.current(request.path_params["table"])
        await self._visibility.check(table, guest)
        before = table.session.duel.tables if table.session.duel else []
        played = []
        for one in before:
            try:
                played.append((await self._registry.current(one)).session)
            except Refusal as refusal:
                if refusal.code not in GONE_CODES:
                    raise
        played.append(table.session)
        records = [ENCODER.encode(session.record()) + b"\n" for session in played if not session.is_void]
        return file_answer(b"".join(records), "application/jsonl", f"{table.session.name}-{table.id[:6]}.jsonl")
