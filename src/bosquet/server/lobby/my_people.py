"""The requests of guests about the people with whom they have played, and about invitations."""

from __future__ import annotations

import contextlib
from typing import Protocol

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.rate_limits import Gate
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests import here_now, people
from bosquet.server.guests.here_now import HereNow
from bosquet.server.guests.messages import BlockPerson, ShowMe
from bosquet.server.lobby import invitations, messages
from bosquet.server.lobby.limits import LobbyLimits
from bosquet.server.services import Services
from bosquet.server.table.actions.join import Join
from bosquet.server.tables.registry import TableRegistry

LONGEST = 32
"""Characters of the longest id of a table."""


class Notified(Protocol):
    """Tells guests of invitations."""

    async def invited(self, guest: str, table: str, game: str) -> None:
        """Tell a guest that somebody invites them to a table, if the invitation reaches them. Raises Refusal."""

    async def settled(self, guest: str, table: str) -> None:
        """Withdraw the notices of a table from a guest, who has answered. Raises Refusal."""


class MyPeople:
    """The endpoints below `/api/people`."""

    def __init__(
        self,
        services: Services,
        registry: TableRegistry,
        notices: Notified,
        here_now: HereNow,
        limits: LobbyLimits,
    ) -> None:
        self._registry = registry
        self._here_now = here_now
        self._notices = notices
        self._store = services.store
        self._asked = Gate.shared("people", services.nodes, limits.people, limits.people_of_address)

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/people", self.listed, gate=self._asked),
            Endpoint("/people/block", self.block, "POST", self._asked),
            Endpoint("/people/show", self.show, "POST", self._asked),
            Endpoint("/people/invite", self.invite, "POST", self._asked),
            Endpoint("/people/answer", self.answer, "POST", self._asked),
        ]

    async def listed(self, request: Request, guest: str) -> Response:
        """Send the people with whom the guest has played, and who of them is invited to a table of the guest's."""
        self._here_now.saw(guest)
        table = request.query_params.get("table")
        if table is None:
            return json_answer(await people.listed(self._store, guest, here_now=self._here_now))
        invited = await invitations.invited(self._store, guest, _id(table))
        return json_answer(await people.listed(self._store, guest, invited, self._here_now))

    async def block(self, request: Request, guest: str) -> Response:
        """Block somebody, or do so no longer."""
        ask = await read_json(request, BlockPerson)
        await people.block(self._store, guest, ask.person, ask.blocked)
        return Response(status_code=204)

    async def show(self, request: Request, guest: str) -> Response:
        """Let the guest's fellow players see that they are here, or no longer."""
        ask = await read_json(request, ShowMe)
        await here_now.show(self._store, guest, ask.shown)
        return Response(status_code=204)

    async def invite(self, request: Request, guest: str) -> Response:
        """Invite somebody to a table of the guest's."""
        ask = await read_json(request, messages.InvitePerson)
        table = await self._registry.current(_id(ask.table))
        invited = await invitations.invite(self._store, guest, ask.person, table.id, table.session)
        # Told afterwards: that it takes longer where it arrives must not show.
        told = None if invited is None else BackgroundTask(self._tell, invited, table.id, table.session.name)
        return Response(status_code=204, background=told)

    async def _tell(self, guest: str, table: str, game: str) -> None:
        """Have somebody told that they are invited; they find it on the start page in any case."""
        with contextlib.suppress(Refusal):  # the store has logged why it can't be read or written
            await self._notices.invited(guest, table, game)

    async def answer(self, request: Request, guest: str) -> Response:
        """Take a seat at a table to which the guest is invited, or decline."""
        ask = await read_json(request, messages.AnswerInvitation)
        if ask.answer != "accept":
            await invitations.decline(self._store, guest, _id(ask.table), block=ask.answer == "block")
            await self._notices.settled(guest, ask.table)
            return Response(status_code=204)
        if ask.name is None:
            raise Refusal("malformed", "name: is needed to accept an invitation")
        await invitations.check_invited(self._store, guest, _id(ask.table))
        table = await self._registry.current(ask.table)
        await table.do(guest, Join(ask.name, table.session.invitation))
        await table.hear_of_vacation(guest)
        await self._notices.settled(guest, ask.table)
        return Response(status_code=204)


def _id(table: str) -> str:
    """Return the id of a table that a request names. Raises Refusal."""
    if len(table) > LONGEST or "\0" in table:
        raise Refusal("no table", "table: there is no such one")
    return table
