"""The requests of guests about the puzzles of the days, and what is kept of their answers.

A day is one by UTC. Its puzzle follows from the date and the file in the package alone, so that all servers of one
version have the same; it can be read in the package. The first answer of a guest counts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar, TypeVarTuple

import msgspec
import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from bosquet.core.errors import BosquetError
from bosquet.core.installed import names
from bosquet.lab.puzzle_files import stock
from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.clock import days_before, days_between
from bosquet.server.base.limits import Gate, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.guests.cookie import GuestCookies
from bosquet.server.services import Services
from bosquet.server.store.schema import puzzle_results
from bosquet.server.store.store import Conflict, Store
from bosquet.server.today import messages
from bosquet.server.today.days import ARCHIVE_DAYS, streaks
from bosquet.server.today.limits import TodayLimits
from bosquet.server.today.messages import KeptPuzzle, PuzzleList, PuzzleOfDay, PuzzleTries
from bosquet.server.today.puzzle_work import attempted, position, puzzle_of

Given = TypeVarTuple("Given")
T = TypeVar("T")

KEPT_DAYS = 400
"""Answers are kept for so long."""
ATTEMPT = msgspec.json.Decoder(messages.PuzzleAttempt)


def today() -> date:
    """Return the day, by UTC."""
    return datetime.now(UTC).date()


class Puzzles:
    """The endpoints below `/api/puzzles`."""

    def __init__(
        self, services: Services, guests: GuestCookies, limits: TodayLimits, today: Callable[[], date] = today
    ) -> None:
        self._store = services.store
        self._compute = services.compute
        self._guests = guests
        self._today = today
        self._limit = services.limits.body_bytes
        self._answers = Gate(limits.answers, limits.answers_of_address)
        self._answers.share("answers", services.nodes)

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/puzzles", self.days),
            Endpoint("/puzzles/{game}/{day}", self.position),
            Endpoint("/puzzles/{game}/{day}", self.attempt, "POST"),
        ]

    async def days(self, request: Request, guest: str) -> Response:
        """Send the puzzles of today and of the days before, and how the guest did."""
        now = self._today()
        games = [game for game in names() if stock(game)]
        solved = {(one.game, one.day): one.solved for one in await kept(self._store, guest)}
        listed = [(now - timedelta(days=ago)).isoformat() for ago in range(ARCHIVE_DAYS + 1)]
        days = [
            [
                PuzzleOfDay(game=game, day=day, grade=puzzle_of(game, day).grade, solved=solved.get((game, day)))
                for game in games
            ]
            for day in listed
        ]
        streak = await self._streak(guest, now)
        repeats = {game: len(stock(game)) for game in games}
        return json_answer(PuzzleList(today=now.isoformat(), days=days, streak=streak, repeats=repeats))

    async def position(self, request: Request, guest: str) -> Response:
        """Send the position of a puzzle."""
        game, day = self._asked(request)
        body = await self._work(request, position, game, day)
        found = msgspec.json.decode(body)
        tries = await self._tries(game, day)
        found |= {"solved": await self._solved(guest, game, day), "tries": msgspec.to_builtins(tries)}
        found["before"] = days_before(day, 1) if self._age(day) < ARCHIVE_DAYS else None
        return json_answer(found)

    async def attempt(self, request: Request, guest: str) -> Response:
        """Judge the moves of a turn, or send the position in its middle."""
        game, day = self._asked(request)
        ask = await read_json(request, ATTEMPT, self._limit)
        right, answer = await self._work(request, attempted, game, day, ask)
        if answer.verdict is not None and right is not None:
            first = await self._solved(guest, game, day) is None
            if first and self._guests.of(request) is not None:
                self._answers.check(guest, address_of(request), "many puzzles at once; go on with them later")
                on_day = day == self._today().isoformat()
                row = {"guest": guest, "game": game, "day": day, "solved": right, "on_day": on_day}
                try:
                    await self._store.write(sa.insert(puzzle_results).values(row))
                except Conflict:  # answered on another device meanwhile
                    first = False
            answer.verdict.first = first
            answer.verdict.tries = await self._tries(game, day)
        return json_answer(answer)

    def _asked(self, request: Request) -> tuple[str, str]:
        """Return game and day of an address. Raises Refusal for those that are not there, future ones among them."""
        game, given = request.path_params["game"], request.path_params["day"]
        with contextlib.suppress(ValueError, BosquetError):
            same = given == date.fromisoformat(given).isoformat()
            if same and 0 <= self._age(given) <= ARCHIVE_DAYS and game in names() and stock(game):
                return game, given
        raise Refusal("not found", f"no such puzzle; each game has one for today and {ARCHIVE_DAYS} days before")

    def _age(self, day: str) -> int:
        return days_between(day, self._today().isoformat())

    async def _work(self, request: Request, work: Callable[[*Given], T], *given: *Given) -> T:
        try:
            return await self._compute.work_out(self._guests.of(request), address_of(request), work, *given)
        except BosquetError as error:
            raise Refusal("illegal", str(error)) from None

    async def _solved(self, guest: str, game: str, day: str) -> bool | None:
        """Return whether the guest's first answer was right; None if there is none."""
        theirs = (puzzle_results.c.guest == guest) & (puzzle_results.c.game == game) & (puzzle_results.c.day == day)
        rows = await self._store.select(sa.select(puzzle_results.c.solved).where(theirs))
        return rows[0].solved if rows else None

    async def _tries(self, game: str, day: str) -> PuzzleTries:
        one = puzzle_results.c
        query = sa.select(sa.func.count(), sa.func.sum(sa.case((one.solved, 1), else_=0)))
        (row,) = await self._store.select(query.where(one.game == game, one.day == day))
        return PuzzleTries(tries=row[0], solved=row[1] or 0)

    async def _streak(self, guest: str, now: date) -> int:
        """Return on how many days in a row, up to today or yesterday, the guest solved one of that day's puzzles."""
        one = puzzle_results.c
        query = sa.select(one.day).where(one.guest == guest, one.solved, one.on_day).distinct()
        return streaks([row.day for row in await self._store.select(query)], now.isoformat())[0]


async def kept(store: Store, guest: str) -> list[KeptPuzzle]:
    """Return all first answers of a guest that are kept. Raises Refusal."""
    one = puzzle_results.c
    query = sa.select(one.game, one.day, one.solved).where(one.guest == guest).order_by(one.day, one.game)
    return [KeptPuzzle(game=row.game, day=row.day, solved=row.solved) for row in await store.select(query)]


async def erase(store: Store, guest: str) -> None:
    """Forget the answers of a guest. Raises Refusal."""
    await store.write(sa.delete(puzzle_results).where(puzzle_results.c.guest == guest))


async def sweep(store: Store, now: date) -> None:
    """Forget answers that are old. Raises Refusal."""
    before = (now - timedelta(days=KEPT_DAYS)).isoformat()
    await store.write(sa.delete(puzzle_results).where(puzzle_results.c.day < before))
