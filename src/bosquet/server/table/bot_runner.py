"""The bots of one table. They choose in a worker process, and move at the pace of the table."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet import bots
from bosquet.core.records import fair
from bosquet.core.view import View
from bosquet.search import plan_key
from bosquet.server.base.fair_queue import Asker
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute.choosing import Planned, choose, get_ready
from bosquet.server.compute.thinking import Thinking
from bosquet.server.compute.workers import Closed
from bosquet.server.table.action import Command, Event
from bosquet.server.table.actions.move import PlayForBot
from bosquet.server.table.session import Session

RETRY_SECONDS = 2.0
"""Seconds until a bot tries again after a failure: its process died, or the disk was full."""

log: FilteringBoundLogger = structlog.get_logger()


class Playing(Protocol):
    """The table at which bots play."""

    id: str
    session: Session

    async def do(self, guest: str, command: Command) -> list[Event]:
        """Decide, keep and apply a command, and tell everybody. Raises Refusal."""

    @property
    def goes_on(self) -> bool:
        """Whether bots go on here: somebody plays or watches, and no other node does it."""

    def asker(self) -> Asker:
        """Return on whose behalf its bots think."""

    def send_refusal(self, refusal: Refusal) -> None:
        """Tell everybody why it does not go on."""


class BotRunner:
    """Makes the moves of the bots of one table.

    It does not hold the table, which is forgotten as soon as nobody else does.
    """

    def __init__(self, thinking: Thinking) -> None:
        self._thinking = thinking
        self.task: asyncio.Task[None] | None = None
        """Makes the moves; `None` before the first one."""
        self._planned: Planned = []
        """What a bot has planned for the rest of its turn."""
        self._preparing: asyncio.Task[None] | None = None

    @property
    def idle(self) -> bool:
        """Whether no bot is choosing."""
        return self.task is None or self.task.done()

    def prepare(self, table: Playing) -> None:
        """Have a process load what the bots here think with, while people look at the board."""
        session = table.session
        names = sorted({chair.bot for chair in session.chairs if chair.bot is not None})
        if names and self._preparing is None and session.phase in ("waiting", "playing"):
            self._preparing = asyncio.create_task(self._prepare(table.asker(), session, names))

    async def _prepare(self, asker: Asker, session: Session, names: list[str]) -> None:
        with contextlib.suppress(Exception):  # a bot that chooses meets it again, and then it is told
            await self._thinking.run(asker, get_ready, session.name, session.options, names)

    def wake(self, table: Playing) -> None:
        """Let a bot choose if it is a bot's turn and the table goes on."""
        if not table.goes_on:
            return
        self.prepare(table)
        if self.idle and bot_to_move(table.session) is not None:
            self.task = asyncio.create_task(self._run(table))

    async def _run(self, table: Playing) -> None:
        """Make the moves of bots until somebody else is to move, or nobody plays or watches."""
        told = False
        while table.goes_on and (to_move := bot_to_move(table.session)) is not None:
            try:
                await self._move(table, *to_move)
                told = False
            except Refusal as refusal:
                if refusal.code in ("unavailable", "bots away"):
                    if not told:
                        table.send_refusal(refusal)
                    told = True
                elif refusal.code != "stale":
                    log.warning("a bot could not move; it tries again", table=table.id[:6], why=refusal.code)
                if refusal.code != "stale":  # nobody else was quicker
                    await asyncio.sleep(RETRY_SECONDS)
            except Closed:
                return  # the server ends
            except Exception:
                log.exception("a bot could not move; it tries again", table=table.id[:6])
                await asyncio.sleep(RETRY_SECONDS)

    async def _move(self, table: Playing, bot: str, seat: int) -> None:
        """Have a bot choose, and make its move if nobody was quicker."""
        session = table.session
        number, game = session.number, session.dealt()
        waiting = asyncio.create_task(asyncio.sleep(game.spec.pace if session.pace == "human" else 0))
        view = game.view(seat, moves=bots.reads_moves(bot, game.name))
        if not self._planned or self._planned[0][0] != plan_key(view):
            self._planned = await self._think(table, bot, view)
        _, move = self._planned.pop(0)
        await waiting
        await table.do("", PlayForBot(bot, seat, number, move))

    async def _think(self, table: Playing, bot: str, view: View) -> Planned:
        """Have a bot choose."""
        if self._preparing is not None:
            await asyncio.wait([self._preparing])  # by the same process
        asker = table.asker()._replace(threads=bots.threads(bot))
        return await self._thinking.run(asker, choose, bot, view, fair.bot_salt(table.session.secret))


def bot_to_move(session: Session) -> tuple[str, int] | None:
    """Return the bot whose turn it is, and its seat."""
    if session.game is None or (seat := session.game.seat) is None:
        return None
    bot = session.chairs[seat].bot
    return None if bot is None else (bot, seat)
