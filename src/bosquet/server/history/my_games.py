"""The requests of guests about the games that they have played."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from concurrent.futures.process import BrokenProcessPool

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.fair_queue import FairQueue
from bosquet.server.base.rate_limits import Gate, Slots, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.history import games as history
from bosquet.server.history.kept_records import KeptGame, records
from bosquet.server.history.limits import HistoryLimits
from bosquet.server.history.messages import HistoryRequest, KeepCost
from bosquet.server.services import Services
from bosquet.server.store.store import Conflict
from bosquet.server.tables.brought import records_of

RECORDS_AT_ONCE = 5
"""Games that are replayed by one job, so that others have their turn in between."""


class MyGames:
    """The endpoints below `/api/history`."""

    def __init__(self, services: Services, limits: HistoryLimits, most: int) -> None:
        """Take how many files of records may be open at a time in all."""
        self._store = services.store
        self._compute = services.compute
        self._asked = Gate.shared("history", services.nodes, limits.history, limits.history_of_address)
        self._open = Slots(most, limits.exports_of_guest, limits.exports_of_address)
        self._making = FairQueue(lambda: limits.exports)

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/history", self.page, gate=self._asked),
            Endpoint("/history/summary", self.summary, gate=self._asked),
            Endpoint("/history/plot", self.plotted, gate=self._asked),
            Endpoint("/history/records", self.records, gate=self._asked),
            Endpoint("/history/cost", self.keep_cost, "POST", self._asked),
        ]

    async def page(self, request: Request, guest: str) -> Response:
        """Send a page of the guest's finished games."""
        return json_answer(await history.page(self._store, guest, self._question(request)))

    async def summary(self, request: Request, guest: str) -> Response:
        """Send what the guest's finished games come to."""
        return json_answer(await history.summary(self._store, guest, self._question(request)))

    async def plotted(self, request: Request, guest: str) -> Response:
        """Send the points of the guest's last games of one kind."""
        asked = self._question(request)
        if asked.game is None or asked.players is None:
            raise Refusal("malformed", "game and players: which games are to be plotted?")
        return json_answer(await history.plotted(self._store, guest, asked))

    async def records(self, request: Request, guest: str) -> Response:
        """Send the records of the guest's finished games that are still kept, as a file with one on each line."""
        asked = self._question(request)
        lines = self._lines(guest, address_of(request), asked)
        first = await anext(lines)

        async def all_lines() -> AsyncIterator[bytes]:
            async with contextlib.aclosing(lines):
                yield first
                async for more in lines:
                    yield more

        headers = {"content-disposition": 'attachment; filename="bosquet-games.jsonl"', "x-accel-buffering": "no"}
        return StreamingResponse(all_lines(), media_type="application/jsonl", headers=headers)

    async def keep_cost(self, request: Request, guest: str) -> Response:
        """Keep what the coach says of the guest's decisions in a game."""
        with contextlib.suppress(Conflict):  # the game is too old meanwhile
            await history.keep_cost(self._store, guest, await read_json(request, KeepCost))
        return Response(status_code=204)

    async def _lines(self, guest: str, address: str, asked: HistoryRequest) -> AsyncGenerator[bytes, None]:
        """Yield the records, some at a time, after an empty line of bytes. Before that: raises Refusal.

        A slow reader holds up no other: games are read only when more is asked for.
        """
        with self._open.one(guest, address) as free:
            if not free:
                raise Refusal("busy", "your records are sent already; wait until that file is complete")
            found = await history.page(self._store, guest, asked, RECORDS_AT_ONCE)
            yield b""
            with contextlib.suppress(Refusal, BrokenProcessPool):  # what was sent stays; the file ends early
                while True:
                    async with self._making.one(guest, address):
                        games = await self._kept([game.table for game in found.games if game.kept])
                        lines = await self._compute.in_turn(guest, address, records, games)
                        brought = await records_of(self._store, guest, [game.table for game in found.games])
                        lines += b"".join(one.record + b"\n" for one in brought)
                    yield lines
                    if found.next is None:
                        return
                    asked = msgspec.structs.replace(asked, before=found.next)
                    found = await history.page(self._store, guest, asked, RECORDS_AT_ONCE)

    async def _kept(self, ids: list[str]) -> list[KeptGame]:
        found = await self._store.read_tables(ids)
        return [
            KeptGame(row, seats, await self._store.read_journal(row["id"]))
            for row, seats in found
            if row["phase"] == "over"
        ]

    def _question(self, request: Request) -> HistoryRequest:
        """Return what an address asks for. Raises Refusal."""
        given = dict(request.query_params)
        if any("\0" in value for value in given.values()):
            raise Refusal("malformed", "a parameter holds the character 0; PostgreSQL knows no such text")
        try:
            return msgspec.convert(given, HistoryRequest, strict=False)
        except msgspec.ValidationError as error:
            raise Refusal("malformed", str(error)) from None
