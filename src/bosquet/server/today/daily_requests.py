"""The requests of guests about the deals of days."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.rate_limits import Gate
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.services import Services
from bosquet.server.table.messages import Opened
from bosquet.server.tables.gates import Gates
from bosquet.server.today import messages
from bosquet.server.today.daily import games_of_day
from bosquet.server.today.daily_deals import DailyDeals
from bosquet.server.today.days import read_day
from bosquet.server.today.limits import TodayLimits

CURSOR_LENGTH = 100


class DailyRequests:
    """The endpoints below `/api/today`."""

    def __init__(self, services: Services, deals: DailyDeals, gates: Gates, limits: TodayLimits) -> None:
        self._deals = deals
        self._gates = gates
        self._asked = Gate.shared("daily", services.nodes, limits.daily, limits.daily_of_address)

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/today", self.today, gate=self._asked),
            Endpoint("/today/days", self.archive, gate=self._asked),
            Endpoint("/today/{day}", self.day, gate=self._asked),
            Endpoint("/today/{day}/{game}", self.play, "POST", self._asked),
            Endpoint("/today/{day}/{game}/ranking", self.ranking, gate=self._asked),
        ]

    async def today(self, request: Request, guest: str) -> Response:
        """Send the deals of this day."""
        return json_answer(await self._deals.today(guest))

    async def archive(self, request: Request, guest: str) -> Response:
        """Send the last days, with the guest's results."""
        return json_answer(await self._deals.archive(guest))

    async def day(self, request: Request, guest: str) -> Response:
        """Send the deals of a day."""
        return json_answer(await self._deals.day(guest, _day(request)))

    async def play(self, request: Request, guest: str) -> Response:
        """Open the table of the guest's only attempt at a deal, or say where it is."""
        asked = await read_json(request, messages.PlayDaily)
        day, game = _day(request), _game(request)
        table = await self._deals.table_of(guest, game, day)
        if table is not None:
            return json_answer(Opened(table=table))
        self._gates.take_opening(request, guest)
        return json_answer(Opened(table=await self._deals.open(guest, asked.name, game, day)), 201)

    async def ranking(self, request: Request, guest: str) -> Response:
        """Send a page of the ranked results of a deal."""
        after = request.query_params.get("after")
        if after is not None and len(after) > CURSOR_LENGTH:
            raise Refusal("malformed", "after: must be the `next` of the page before")
        return json_answer(await self._deals.ranking(guest, _game(request), _day(request), after))


def _day(request: Request) -> str:
    """Return the day of an address. Raises Refusal."""
    try:
        return read_day(request.path_params["day"])
    except BosquetError as error:
        raise Refusal("malformed", str(error)) from None


def _game(request: Request) -> str:
    """Return the game of an address. Raises Refusal."""
    game: str = request.path_params["game"]
    if game not in games_of_day():
        raise Refusal("not found", "no such game has a deal of the day")
    return game
