"""Keeps the first answer of each guest to the puzzles of a day; `web/src/local/puzzles.ts` chooses the puzzles.

The page chooses them by the date (by UTC) and the files in the packages alone, so all servers of one version have the
same. The page also judges the answers: the solutions are in these files, so a guest can claim any result.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from bosquet.core.errors import BosquetError
from bosquet.core.installed import names
from bosquet.lab.puzzles.files import stock_file
from bosquet.lab.puzzles.puzzle import GRADES
from bosquet.server.base.bodies import json_answer, read_json
from bosquet.server.base.clock import days_between
from bosquet.server.base.rate_limits import Gate, address_of
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.services import Services
from bosquet.server.store.schema import puzzle_results
from bosquet.server.store.store import Conflict, Store
from bosquet.server.today import messages
from bosquet.server.today.days import ARCHIVE_DAYS, read_day
from bosquet.server.today.limits import TodayLimits
from bosquet.server.today.messages import KeptPuzzle, PuzzleAnswers, PuzzleTries

KEPT_DAYS = 400
"""Answers are kept for so long."""


def today() -> date:
    """Return the day, by UTC."""
    return datetime.now(UTC).date()


class Puzzles:
    """The endpoints below `/api/puzzles`."""

    def __init__(self, services: Services, limits: TodayLimits, today: Callable[[], date] = today) -> None:
        self._store = services.store
        self._today = today
        self._answers = Gate.shared("answers", services.nodes, limits.answers, limits.answers_of_address)

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/puzzles", self.mine),
            Endpoint("/puzzles/{game}/{day}/{grade}", self.answer, "POST"),
        ]

    async def mine(self, request: Request, guest: str) -> Response:
        """Send the first answers of a guest to the puzzles of today and of the days before."""
        first = (self._today() - timedelta(days=ARCHIVE_DAYS)).isoformat()
        return json_answer(PuzzleAnswers([one for one in await kept(self._store, guest) if one.day >= first]))

    async def answer(self, request: Request, guest: str) -> Response:
        """Keep what a guest's first answer came to, and send how all guests did."""
        game, day, grade = self._asked(request)
        told = await read_json(request, messages.AnswerPuzzle)
        if request.state.known is not None and not await self._has_answered(guest, game, day, grade):
            self._answers.check(guest, address_of(request), "many puzzles at once; go on with them later")
            on_day = day == self._today().isoformat()
            row = {"guest": guest, "game": game, "day": day, "grade": grade, "solved": told.solved, "on_day": on_day}
            with contextlib.suppress(Conflict):  # answered on another device meanwhile
                await self._store.write(sa.insert(puzzle_results).values(row))
        return json_answer(await self._tries(game, day, grade))

    def _asked(self, request: Request) -> tuple[str, str, str]:
        """Return what stands in an address. Raises Refusal for what is not there, future days among them."""
        game, given, grade = (request.path_params[name] for name in ("game", "day", "grade"))
        with contextlib.suppress(BosquetError):
            day = read_day(given)
            age = days_between(day, self._today().isoformat())
            if 0 <= age <= ARCHIVE_DAYS and grade in GRADES and game in names() and stock_file(game):
                return game, day, grade
        raise Refusal("not found", f"no such puzzle; there are some for today and {ARCHIVE_DAYS} days before")

    async def _has_answered(self, guest: str, game: str, day: str, grade: str) -> bool:
        one = puzzle_results.c
        theirs = (one.guest == guest) & (one.game == game) & (one.day == day) & (one.grade == grade)
        return bool(await self._store.select(sa.select(one.solved).where(theirs)))

    async def _tries(self, game: str, day: str, grade: str) -> PuzzleTries:
        one = puzzle_results.c
        query = sa.select(sa.func.count(), sa.func.sum(sa.case((one.solved, 1), else_=0)))
        (row,) = await self._store.select(query.where(one.game == game, one.day == day, one.grade == grade))
        return PuzzleTries(tries=row[0], solved=row[1] or 0)


async def kept(store: Store, guest: str) -> list[KeptPuzzle]:
    """Return all first answers of a guest that are kept. Raises Refusal."""
    one = puzzle_results.c
    query = sa.select(one.game, one.day, one.grade, one.solved, one.on_day).where(one.guest == guest)
    rows = await store.select(query.order_by(one.day, one.game, one.grade))
    return [KeptPuzzle(**row._mapping) for row in rows]


async def erase(store: Store, guest: str) -> None:
    """Forget the answers of a guest. Raises Refusal."""
    await store.write(sa.delete(puzzle_results).where(puzzle_results.c.guest == guest))


async def sweep(store: Store, now: date) -> None:
    """Forget answers that are old. Raises Refusal."""
    before = (now - timedelta(days=KEPT_DAYS)).isoformat()
    await store.write(sa.delete(puzzle_results).where(puzzle_results.c.day < before))
