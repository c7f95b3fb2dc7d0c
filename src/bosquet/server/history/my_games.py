"""The requests of guests about the games that they have played."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from concurrent.futures.process import BrokenProcessPool

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import json_answer
from bosquet.server.base.limits import Gate, Places, address_of
from bosquet.server.base.messages import decoded
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute import messages
from bosquet.server.compute.coaching import ANALYSIS
from bosquet.server.guests.cookie import Guests
from bosquet.server.history import games as history
from bosquet.server.history.kept_records import KeptGame, records
from bosquet.server.history.messages import HistoryRequest
from bosquet.server.store.store import Conflict
from bosquet.server.table.registry import TableRegistry

RECORDS_AT_ONCE = 5
"""Games that are replayed by one job, so that others have their turn in between."""
LAST_LINE = msgspec.json.Decoder(messages.Analysis)


class MyGames:
    """The endpoints below `/api/history`."""

    def __init__(self, registry: TableRegistry, guests: Guests) -> None:
        self._registry = registry
        self._store = registry.store
        self._guests = guests
        limits = registry.limits
        self._asked = Gate(limits.history, limits.history_of_address)
        self._asked.share("history", registry.nodes)
        self._open = Places(limits.connections, limits.exports_of_guest, limits.exports_of_address)
        self._making = asyncio.Semaphore(limits.exports)

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

    async def _lines(self, guest: str, address: str, asked: HistoryRequest) -> AsyncGenerator[bytes, None]:
        """Yield the records, some at a time, after an empty line of bytes. Before that: raises Refusal.

        Whoever reads slowly holds nobody else up: games are read only for those who wait for more.
        """
        with self._open.one(guest, address) as free:
            if not free:
                raise Refusal("busy", "your records are sent already; wait until that file is complete")
            found = await history.page(self._store, guest, asked, RECORDS_AT_ONCE)
            yield b""
            with contextlib.suppress(Refusal, BrokenProcessPool):  # what was sent stays; the file ends early
                while True:
                    async with self._making:
                        games = await self._kept([game.table for game in found.games if game.kept])
                        lines = await self._registry.request_workers.run(records, games)
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
        self._asked.check(self._guests.of(request), address_of(request), "too many searches at once; wait a moment")
        given = dict(request.query_params)
        if any("\0" in value for value in given.values()):
            raise Refusal("malformed", "a parameter holds the character 0; PostgreSQL knows no such text")
        try:
            return msgspec.convert(given, HistoryRequest, strict=False)
        except msgspec.ValidationError as error:
            raise Refusal("malformed", str(error)) from None

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
