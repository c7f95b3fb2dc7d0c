"""The requests for analyses of games: replays, scores of real games, the coach, and the luck of a deal."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import read_bytes, while_connected
from bosquet.server.base.limits import address_of
from bosquet.server.base.messages import decoded
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.compute import messages
from bosquet.server.compute.analyses import Analyses, Steps, coached, played_again
from bosquet.server.compute.coaching import ANALYSIS
from bosquet.server.compute.request_work import counted, replayed
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.history import games as history
from bosquet.server.services import Services
from bosquet.server.store.store import Conflict
from bosquet.server.tables.registry import TableRegistry

LAST_LINE = msgspec.json.Decoder(messages.Analysis)

Keep = Callable[[bytes, bytes], Awaitable[None]]


class AnalysisRequests:
    """The endpoints that work a game out of the body of a request."""

    def __init__(self, services: Services, guests: GuestCookies, registry: TableRegistry, analyses: Analyses) -> None:
        self._store = services.store
        self._compute = services.compute
        self._limit = services.limits.body_bytes
        self._guests = guests
        self._registry = registry
        self._analyses = analyses

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/replay", self.replay, "POST", anonymous=True),
            Endpoint("/coach", self.coach, "POST", anonymous=True),
            Endpoint("/luck", self.luck, "POST", anonymous=True),
            Endpoint("/score", self.score, "POST", anonymous=True),
        ]

    async def replay(self, request: Request, guest: str) -> Response:
        """Send a record, position by position."""
        return await self._worked_out(request, replayed)

    async def score(self, request: Request, guest: str) -> Response:
        """Send the score of a real game."""
        return await self._worked_out(request, counted)

    async def coach(self, request: Request, guest: str) -> Response:
        """Send a finished game, decision by decision: a line of JSON for each as soon as it is weighed."""
        return await self._analysed(request, coached, self.keep_cost)

    async def luck(self, request: Request, guest: str) -> Response:
        """Send the deal of a finished game, played again by bots: a line of JSON for each step."""
        return await self._analysed(request, played_again)

    async def _analysed(self, request: Request, steps: Steps, keep: Keep | None = None) -> Response:
        """Send an analysis, line by line; at its end `keep` is given the body of the request, and the last line."""
        known, address = self._guests.of(request), address_of(request)
        body = await read_bytes(request, self._limit)
        self._compute.take(known, address)
        lines = self._analyses.lines(steps, known, address, body)
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
        known = self._guests.of(request)
        body = await read_bytes(request, self._limit)
        try:
            working = self._compute.work_out(known, address_of(request), work, body)
            answer = await while_connected(request, working)
        except BosquetError as error:
            raise Refusal("malformed", str(error)) from None
        return Response(answer, media_type="application/json")

    async def keep_cost(self, body: bytes, last: bytes) -> None:
        """Keep what the coach says at the end of an analysis, if it is of the game of a table of this server.

        Anybody may ask the coach about any record: it counts where options, deal and moves are those of the table.
        """
        judged = LAST_LINE.decode(last)
        with contextlib.suppress(Refusal, Conflict, BosquetError):
            asked = decoded(ANALYSIS, body)
            if not isinstance(judged, messages.Judged) or asked.table is None:
                return
            played = (await self._registry.current(asked.table)).session.record()
            if all(asked.record.get(key) == played.get(key) for key in ("game", "options", "deal", "moves", "ending")):
                await history.keep_cost(self._store, asked.table, judged.lost, judged.decisions)


async def _next(lines: AsyncIterator[bytes]) -> bytes:
    return await anext(lines)
