"""Opens tables: as a guest asks for them, for a rematch or the next game of a duel, and for the deal of a day.

`registry.py` has those that are open.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core.errors import OptionError
from bosquet.core.installed import spec
from bosquet.core.records import fair
from bosquet.core.spec import check_options
from bosquet.server.base.clock import today
from bosquet.server.base.legible import tidy
from bosquet.server.base.refusals import Refusal
from bosquet.server.store.store import Statement
from bosquet.server.table.actions.close import CloseTable
from bosquet.server.table.actions.rematch import GoOn, check_rematch
from bosquet.server.table.actions.stand_in import check_bot
from bosquet.server.table.display_names import name_apart
from bosquet.server.table.duels import Duel, moved_on
from bosquet.server.table.messages import NewTable, SeatWish
from bosquet.server.table.session import Chair, Session
from bosquet.server.table.table import Table
from bosquet.server.table.timing import clocks, slow
from bosquet.server.table.viewers.attendance import fresh_invitation
from bosquet.server.tables.registry import TableRegistry

log: FilteringBoundLogger = structlog.get_logger()


class Daily(NamedTuple):
    """The deal of a day that is played at a new table."""

    day: str
    secret: str
    also: Callable[[str], Sequence[Statement]]
    """Returns what is written together with the table, given its id."""


class TableOpener:
    """Opens tables of this process."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._rematching = asyncio.Lock()

    async def open(self, guest: str, new: NewTable) -> Table:
        """Open a table; the seats follow in the order asked for, from the one that begins. Raises Refusal."""
        try:
            options = check_options(spec(new.game), new.options)
            box = spec(new.game).normalized_box(options, new.box)
        except OptionError as error:
            raise Refusal("malformed", str(error)) from None
        if len(new.seats) != options["players"]:
            raise Refusal("malformed", f"seats has {len(new.seats)} entries; the game is for {options['players']}")
        if sum(wish.kind == "me" for wish in new.seats) > 1:
            raise Refusal("malformed", 'only one seat can be "me"; somebody else at this screen is "here"')
        chairs = [_chair(guest, wish) for wish in new.seats]
        for chair in chairs:
            chair.chat = chair.guest is not None and not new.listed  # strangers switch it on first
        name_apart(chairs)
        slow.check_new(new)
        clocks.check_new(new)
        for agreed in (new.slow, new.clock):
            if agreed is not None and agreed.bot is not None:
                check_bot(agreed.bot)
        if new.duel and len(chairs) == 1:
            raise Refusal("malformed", "a duel needs two players or more")
        if new.assistance is None:
            people = sum(wish.kind != "bot" for wish in new.seats)
            new = msgspec.structs.replace(new, assistance="full" if people < 2 else "plain")
        first = _first(new)
        duel = Duel(len(chairs)) if new.duel else None
        return await self.open_seated(guest, new, options, box, chairs[first:] + chairs[:first], duel)

    async def rematch(self, guest: str, table: Table) -> str:
        """Open a table for the same people, or the next one of a duel; return its id. Raises Refusal."""
        session = table.session
        check_rematch(session, guest)
        async with self._rematching:
            if session.rematch is None:
                chairs = _chairs_again(session)
                name_apart(chairs)
                seated = chairs if session.is_void else moved_on(chairs)
                again = await self.open_seated(
                    guest,
                    _as_before(session),
                    session.options,
                    session.box,
                    seated,
                    session.next_duel(table.id),
                    previous=table.id,
                )
                try:
                    await table.do(guest, GoOn(again.id))
                except Refusal as refusal:
                    if refusal.code != "stale" or session.rematch is None:
                        raise
                if session.rematch != again.id:
                    await again.do(guest, CloseTable())  # they were quicker at another node
        assert session.rematch is not None
        return session.rematch

    async def open_seated(
        self,
        host: str,
        new: NewTable,
        options: dict[str, Any],
        box: dict[str, Any] | None,
        chairs: list[Chair],
        duel: Duel | None = None,
        daily: Daily | None = None,
        previous: str | None = None,
    ) -> Table:
        """Open a table whose seats are settled, and begin.

        Raises Refusal, and Conflict if the host has opened the deal of a day before.
        """
        row = {
            "id": secrets.token_urlsafe(9),
            "game": new.game,
            "options": options,
            "box": box,
            "phase": "waiting",
            "first": new.first if isinstance(new.first, str) else "chosen",
            "pace": new.pace,
            "assistance": new.assistance,
            "listed": new.listed,
            "watched": new.watched,
            "invitation": fresh_invitation(),
            "barred": "",
            "chat": 0,
            "secret": fair.fresh_secret() if daily is None else daily.secret,
            "daily": None if daily is None else daily.day,
            "host": host,
            "touched": today(),
            "duel": msgspec.to_builtins(duel),
            "previous": previous,
            **slow.slow_row(new.slow),
            "clock": msgspec.to_builtins(new.clock),
            "hinted": False,
        }
        seats = [
            vars(Chair(chair.bot, chair.name, chair.guest, program=chair.program, chat=chair.chat)) | {"seat": seat}
            for seat, chair in enumerate(chairs)
        ]
        table = await self._registry.add(row, seats, [] if daily is None else daily.also(row["id"]))
        await table.start()
        for guest in {chair.guest for chair in chairs if chair.guest is not None}:
            await table.hear_of_vacation(guest)
        log.info("opened", table=table.id[:6], game=new.game, players=len(chairs))
        return table


def _as_before(session: Session) -> NewTable:
    """Return what a guest would ask for who wants a table like an earlier one."""
    return NewTable(
        game=session.name,
        options=session.options,
        seats=[],
        pace=session.pace,
        assistance=session.assistance,
        slow=session.slow,
        clock=session.clock,
        first="lot" if session.first == "lot" else 0,
        watched=session.watched,
    )


def _chairs_again(session: Session) -> list[Chair]:
    """Return who sits at a table after it: a bot that took the seat of somebody who left has its own name."""
    return [
        Chair(
            chair.bot,
            chair.bot.capitalize() if chair.left and chair.bot else chair.name,
            chair.guest,
            program=chair.program,
            chat=chair.chat,
        )
        for chair in session.chairs
    ]


def _first(new: NewTable) -> int:
    """Which of the seats asked for begins, as far as that is settled yet. Raises Refusal."""
    if new.first == "lot":
        return secrets.randbelow(len(new.seats))
    if new.listed:
        raise Refusal("malformed", "at a listed table who begins is drawn by lot")
    if new.first == "open":
        return 0
    if new.first >= len(new.seats):
        raise Refusal("malformed", f"first is {new.first}; the seats are 0 to {len(new.seats) - 1}")
    return new.first


def _chair(guest: str, wish: SeatWish) -> Chair:
    """A seat as it was asked for. Raises Refusal."""
    match wish.kind:
        case "bot":
            bot = check_bot(wish.bot)
            return Chair(bot=bot, name=tidy(wish.name or bot.capitalize()))
        case "friend":
            return Chair()
    return Chair(name=tidy(wish.name or ""), guest=guest)
