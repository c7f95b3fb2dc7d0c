"""All tables of a server: opening them, finding them, forgetting those where nobody is."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core import fair
from bosquet.core.errors import OptionError
from bosquet.core.installed import spec
from bosquet.core.spec import check_options
from bosquet.core.view import View
from bosquet.server.base.clock import today
from bosquet.server.base.limits import Gate, Limits
from bosquet.server.base.metrics import Metrics
from bosquet.server.base.refusals import Refusal, Unreadable, reading
from bosquet.server.compute.coaching import hint
from bosquet.server.compute.messages import Hinted
from bosquet.server.compute.thinking import Asker, Thinking
from bosquet.server.compute.workers import Workers
from bosquet.server.guests import people
from bosquet.server.lobby import invitations
from bosquet.server.lobby.messages import Invited, Lobby
from bosquet.server.nodes.nodes import Follower, Nodes
from bosquet.server.store.store import Store
from bosquet.server.table.actions.close import CloseTable
from bosquet.server.table.actions.rematch import GoOn, check_rematch
from bosquet.server.table.actions.send_away import SENT_AWAY
from bosquet.server.table.actions.stand_in import check_bot
from bosquet.server.table.attendance import fresh_invitation
from bosquet.server.table.display_names import name_apart, tidy
from bosquet.server.table.duels import Duel, moved_on
from bosquet.server.table.messages import NewTable, SeatWish, Waiting
from bosquet.server.table.session import Chair, Session, check_rows, mark_at, read_duel, read_slow
from bosquet.server.table.slow import check_new, slow_row
from bosquet.server.table.slow_tables import slow_inviting
from bosquet.server.table.table import Table
from bosquet.server.table.turns import TurnListeners
from bosquet.server.today.daily import DealOfDay
from bosquet.server.today.daily_results import attempt

T = TypeVar("T")
Given = TypeVarTuple("Given")

NO_TABLE = "there is no such table; ask for the whole link"
UNREADABLE_BOUND = 10_000
SETTLING_SECONDS = 2.0
LOOKED_AT = 50
"""Tables that are compared with the database before the loop of the server has its turn again."""

log: FilteringBoundLogger = structlog.get_logger()


class TableRegistry:
    """The tables of this process. Those in memory are a bounded cache of the store."""

    def __init__(
        self, store: Store, nodes: Nodes, thinking: Thinking, request_workers: Workers, limits: Limits, metrics: Metrics
    ) -> None:
        self.store = store
        self.nodes = nodes
        self.thinking = thinking
        """Where bots choose, and hints are found."""
        self.request_workers = request_workers
        """Where all else is worked out that people ask for, so that nobody's question holds up a bot."""
        self.limits = limits
        self.turns = TurnListeners()
        """Who hears of turns at slow tables."""
        self.metrics = metrics
        metrics.watch("tables", "Tables in memory", lambda: len(self._known))
        self.asks: Gate = Gate(limits.asks, limits.asks_of_address)
        """How often somebody may send a message to a table."""
        self.chats: Gate = Gate(limits.chat, limits.chat_of_address)
        """How often somebody may write to the chat of a table."""
        self.reports: Gate = Gate(limits.reports, limits.reports_of_address)
        """How many lines somebody may report on a day."""
        self._hints = Gate(limits.hints, limits.hints_of_address)
        self._computing = Gate(limits.computing, limits.computing_of_address)
        self._quota = Gate(limits.opened_a_day, limits.opened_a_day_of_address)
        self._waiting_work = 0
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._known: WeakValueDictionary[str, Table] = WeakValueDictionary()
        """Every table that anybody still holds, so that there are never two of one."""
        self._unreadable: dict[str, str] = {}
        """Tables that can't be read, and the kind of error: they are not tried again before the next start."""
        self._rematching = asyncio.Lock()
        shared = {
            "asks": self.asks,
            "chat": self.chats,
            "reports": self.reports,
            "hints": self._hints,
            "computing": self._computing,
            "quota": self._quota,
        }
        for name, gate in shared.items():
            gate.share(name, nodes)

    async def work_out(self, guest: str | None, address: str, work: Callable[[*Given], T], *given: *Given) -> T:
        """Run a module's function in another process for somebody. Raises Refusal, and what the function raises."""
        self.take_computing(guest, address)
        if self._waiting_work >= self.limits.waiting_work:
            raise Refusal("busy", "many ask at once; try again in a moment")
        self._waiting_work += 1
        try:
            return await self.request_workers.run(work, *given)
        except BrokenProcessPool:
            raise Refusal("busy", "that was too much; try again") from None
        finally:
            self._waiting_work -= 1

    def take_computing(self, guest: str | None, address: str) -> None:
        """Count one more thing that is worked out for somebody. Raises Refusal."""
        self._computing.check(guest, address, "too many questions at once; wait a moment")

    async def hint(self, guest: str, address: str, view: View) -> list[Hinted]:
        """The best choices for whoever sees this view and is to move, found where bots think. Raises Refusal."""
        self._hints.check(guest, address, "many hints at once; think for yourself for a moment")
        try:
            return await self.thinking.run(Asker(guest, address, people=True), hint, view)
        except BrokenProcessPool:
            raise Refusal("busy", "that was too much; try again") from None

    def take_quota(self, guest: str | None, address: str) -> None:
        """Count one more table that somebody opens. Raises Refusal."""
        self._quota.check(guest, address, "you opened very many tables today; open the next one tomorrow")

    async def open(self, guest: str, new: NewTable) -> Table:
        """Open a table; its first seat is drawn, the others follow in the order asked for. Raises Refusal."""
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
        check_new(new)
        if new.slow is not None:
            check_bot(new.slow.bot)
        if new.duel and len(chairs) == 1:
            raise Refusal("malformed", "a duel needs two players or more")
        if new.assistance is None:
            people = sum(wish.kind != "bot" for wish in new.seats)
            new = msgspec.structs.replace(new, assistance="full" if people < 2 else "plain")
        first = secrets.randbelow(len(chairs))
        duel = Duel(len(chairs)) if new.duel else None
        return await self._keep(guest, new, options, box, chairs[first:] + chairs[:first], duel)

    async def open_daily(self, guest: str, name: str, deal: DealOfDay) -> Table:
        """Open the table of a guest's attempt at the deal of a day. Raises Conflict if there is one; Refusal."""
        person = Chair(name=tidy(name), guest=guest)
        bot = deal.opponent
        chairs = [
            person if seat == deal.seat else Chair(bot, (bot or "").capitalize())
            for seat in range(deal.options["players"])
        ]
        name_apart(chairs)
        new = NewTable(game=deal.game, options=deal.options, seats=[], assistance="plain")
        return await self._keep(guest, new, deal.options, None, chairs, None, deal)

    async def rematch(self, guest: str, table: Table) -> str:
        """The same people again, one seat further, in a duel its next game; gives the new table. Raises Refusal."""
        session = table.session
        check_rematch(session, guest)
        async with self._rematching:
            if session.rematch is None:
                chairs = [
                    Chair(
                        chair.bot,
                        chair.bot.capitalize() if chair.left and chair.bot else chair.name,
                        chair.guest,
                        program=chair.program,
                        chat=chair.chat,
                    )
                    for chair in session.chairs
                ]
                wish = NewTable(
                    game=session.name,
                    options=session.options,
                    seats=[],
                    pace=session.pace,
                    assistance=session.assistance,
                    slow=session.slow,
                )
                name_apart(chairs)
                seated = chairs if session.is_void else moved_on(chairs)
                duel = session.next_duel(table.id)
                again = await self._keep(guest, wish, session.options, session.box, seated, duel)
                try:
                    await table.do(guest, GoOn(again.id))
                except Refusal as refusal:
                    if refusal.code != "stale" or session.rematch is None:
                        raise
                if session.rematch != again.id:
                    await again.do(guest, CloseTable())  # they were quicker at another node
        assert session.rematch is not None
        return session.rematch

    async def _keep(
        self,
        host: str,
        new: NewTable,
        options: dict[str, Any],
        box: dict[str, Any] | None,
        chairs: list[Chair],
        duel: Duel | None,
        daily: DealOfDay | None = None,
    ) -> Table:
        """Keep a new table and begin. Raises Conflict if it is the deal of a day that the host plays already."""
        row = {
            "id": secrets.token_urlsafe(9),
            "game": new.game,
            "options": options,
            "box": box,
            "phase": "waiting",
            "pace": new.pace,
            "assistance": new.assistance,
            "listed": new.listed,
            "invitation": fresh_invitation(),
            "barred": "",
            "chat": 0,
            "secret": fair.fresh_secret() if daily is None else daily.secret,
            "daily": None if daily is None else daily.day,
            "host": host,
            "touched": today(),
            "duel": msgspec.to_builtins(duel),
            **slow_row(new.slow),
            "hinted": False,
        }
        seats = [
            vars(Chair(chair.bot, chair.name, chair.guest, program=chair.program, chat=chair.chat)) | {"seat": seat}
            for seat, chair in enumerate(chairs)
        ]
        await self.store.add_table(row, seats, [] if daily is None else [attempt(daily, host, row["id"])])
        table = self._table(row | dict.fromkeys(("rematch", "started", "ended", "deadline")), seats)
        table.attendance.saw(host)
        self._hold(table)
        await table.start()
        log.info("opened", table=table.id[:6], game=new.game, players=len(chairs))
        return table

    async def find(self, table_id: str) -> Table:
        """A table, read from the store if it is not in memory. Raises Refusal."""
        if table_id not in self._known:
            table = await self._read(table_id)
            self._known.setdefault(table_id, table)  # somebody else may have been quicker
        self._hold(self._known[table_id])
        return self._known[table_id]

    async def _read(self, table_id: str) -> Table:
        """Read a table from the store. Raises Refusal, of one that can't be read at once when it is tried again."""
        if table_id in self._unreadable:
            raise Unreadable(self._unreadable[table_id])
        row, seats = await self._kept(table_id)
        try:
            table = self._table(row, seats)
            await table.read()
        except Unreadable as error:
            self._note_unreadable(table_id, error)
            raise
        return table

    def _note_unreadable(self, table_id: str, error: Unreadable) -> None:
        """Log, once, that a table can't be read: not what the error says, which may be somebody's hand."""
        if table_id not in self._unreadable:
            if len(self._unreadable) >= UNREADABLE_BOUND:
                del self._unreadable[next(iter(self._unreadable))]
            self._unreadable[table_id] = error.error
            log.error("a table can't be read", table=table_id[:6], error=error.error)

    def _table(self, row: dict[str, Any], seats: list[dict[str, Any]]) -> Table:
        session = Session.read(row, seats, self.limits.undos)
        return Table(
            row["id"], session, self.store, self.nodes, self.thinking, self.metrics, self.turns, row["touched"]
        )

    def _hold(self, table: Table) -> None:
        """Keep a table in memory, and forget the ones that were idle longest if there are too many."""
        self._known[table.id] = table
        self._live[table.id] = table
        self._live.move_to_end(table.id)
        if len(self._live) <= self.limits.live_tables:
            return
        for old in list(self._live):
            if len(self._live) <= self.limits.live_tables:
                break
            if self._live[old].idle and old != table.id:
                del self._live[old]

    def is_here(self, table_id: str, guest: str) -> bool:
        """Return whether a guest looks at a table, as far as this node knows."""
        table = self._known.get(table_id)
        return table is not None and table.attendance.is_here(guest)

    def let_go(self, table_id: str) -> bool:
        """Forget a table where nobody is and nothing goes on; return whether it is in memory no more."""
        table = self._known.get(table_id)
        if table is not None and table.idle:
            self._live.pop(table_id, None)
        del table
        return table_id not in self._known

    async def lobby(self, guest: str) -> Lobby:
        """What the start page lists for a guest."""
        mine = await self._tables_of(guest, self.limits.listed)
        return Lobby(
            waiting=self._outlines(await self.offered_to(guest), guest),
            mine=self._outlines(mine, guest),
            invitations=await self._invitations(guest),
        )

    async def _tables_of(self, guest: str, limit: int) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """The last tables of a guest, as they are kept. Raises Refusal."""
        return await self.store.read_tables(await self.store.tables_of(guest, limit))

    async def waiting_of(self, guest: str) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Return the last tables of a guest where the game has not begun, as they are kept. Raises Refusal."""
        mine = await self._tables_of(guest, self.limits.listed)
        return [one for one in mine if one[0]["phase"] == "waiting"]

    async def offered_to(
        self, guest: str, fits: Callable[[Session], bool] = lambda _: True
    ) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Return tables where a guest may take a free seat, as they are kept, the last first. Raises Refusal.

        As many are looked at as are listed; of the tables of this node those that fit.
        """
        limit = self.limits.listed
        here = (table for table in self._inviting() if fits(table.session))
        inviting = [table.id for table in here if not table.session.seats_of(guest)]
        elsewhere = [table for table in self.nodes.inviting_elsewhere() if table not in inviting]
        slow = await slow_inviting(self.store, limit // 2)
        kept = await self.store.read_tables(list(dict.fromkeys(inviting[:limit] + elsewhere + slow)))
        waiting = [one for one in kept if _invites(*one, guest)]
        apart = await people.apart(self.store, guest, {row["host"] for row, _ in waiting if row["host"] is not None})
        waiting = [one for one in waiting if one[0]["host"] not in apart]
        declined = await invitations.declined(self.store, guest, [row["id"] for row, _ in waiting])
        waiting = [one for one in waiting if one[0]["id"] not in declined]
        waiting.sort(key=lambda one: str(one[0]["opened"]), reverse=True)
        return waiting[:limit]

    async def _invitations(self, guest: str) -> list[Invited]:
        """What a guest is invited to: tables with a free seat."""
        hosts = await invitations.open_ones(self.store, guest)
        found = []
        for row, seats in await self.store.read_tables(list(hosts)):
            host = hosts[row["id"]]
            if _is_barred(row, guest) or all(seat["guest"] is not None or seat["bot"] is not None for seat in seats):
                continue
            called = next((seat["name"] for seat in seats if seat["guest"] == host), None)
            for outline in self._outlines([(row, seats)], guest):
                if not outline.mine:
                    found.append(Invited(called or await people.name_of(self.store, guest, host), outline))
        return found

    def inviting(self) -> list[str]:
        """The last tables of this node that have seats for anybody, whose host is here or was a moment ago."""
        return [table.id for table in self._inviting()][: self.limits.listed]

    def _inviting(self) -> Iterator[Table]:
        """The tables that have seats for anybody: those whose host is connected, then the others, the last first.

        Of one host not more than some, so that nobody hides the tables of the others.
        """
        # A table whose host is here, or was a moment ago, is in memory; those held latest are the last ones.
        found = [table for table in reversed(self._live.values()) if table.session.listed and table.invites]
        found.sort(key=lambda table: not table.attendance.is_here(table.session.host))
        hosts = Counter[str | None]()
        for table in found:
            hosts[table.session.host] += 1
            if hosts[table.session.host] <= self.limits.listed_of_host:
                yield table

    def _outlines(self, found: list[tuple[dict[str, Any], list[dict[str, Any]]]], guest: str) -> list[Waiting]:
        """What the lobby tells of some tables, without those that can't be read."""
        outlines = []
        for row, seats in found:
            try:
                outlines.append(_outline(row, seats, guest))
            except Unreadable as error:
                self._note_unreadable(row["id"], error)
        return outlines

    async def read_again(self, table_id: str) -> None:
        """Take over what was written of a table past its object, here and at other nodes. Raises Refusal."""
        self.nodes.publish_change(table_id, 0, more=True)
        if table_id in self._known:
            await self._known[table_id].read_again()

    async def settle(self) -> None:
        """Wait a moment for what tables read and write, before the store is closed."""
        tasks = [task for table in list(self._known.values()) for task in table.tasks]
        if tasks:
            await asyncio.wait(tasks, timeout=SETTLING_SECONDS)

    async def current(self, table_id: str) -> Table:
        """A table as it is now, though nobody here follows what other nodes do. Raises Refusal."""
        known = table_id in self._known
        table = await self.find(table_id)
        if known and not self.nodes.follows(table_id):
            await table.read_again()
        return table

    async def read_changed(self, tables: Iterable[Follower]) -> None:
        """Have those of some tables read that differ from what is kept. Raises Refusal."""
        followed = [table.id for table in tables]
        for ids in (followed[i : i + LOOKED_AT] for i in range(0, len(followed), LOOKED_AT)):
            numbers = await self.store.numbers_of(ids)
            for row, seats in await self.store.read_tables(ids):
                table = self._known.get(row["id"])
                if table is not None and table.is_behind(row, seats, numbers.get(table.id, 0)):
                    table.read_soon("all")

    async def check_program(self, guest: str) -> None:
        """Check that a program of a guest may sit down at one more table. Raises Refusal."""
        limit = self.limits.tables_of_program
        if await self.store.open_tables_of(guest) >= limit:
            raise Refusal("busy", f"a program plays at {limit} tables at most; finish a game first")

    async def archive(self, table_id: str, guest: str, archived: bool) -> None:
        """Leave a table out of the list of a guest who sits there, or bring it back. Raises Refusal."""
        if not _outline(*await self._kept(table_id), guest).mine:
            raise Refusal("not yours", "you do not sit at this table")
        await self.store.archive(table_id, guest, archived)

    async def outline(self, table_id: str, guest: str | None) -> Waiting:
        """What everybody may know of a table, but for those who were sent away. Raises Refusal."""
        await self.find(table_id)  # what can't be read is refused, so that a page learns why it is not let in
        row, seats = await self._kept(table_id)
        if guest is not None and _is_barred(row, guest):
            raise Refusal("barred", SENT_AWAY)
        return _outline(row, seats, guest)

    async def _kept(self, table_id: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """What the store keeps of a table and its seats. Raises Refusal."""
        found = await self.store.read_table(table_id)
        if found is None:
            raise Refusal("no table", NO_TABLE)
        return found


def _outline(row: dict[str, Any], seats: list[dict[str, Any]], guest: str | None) -> Waiting:
    """What everybody may know of a table. Raises Unreadable."""
    with reading():
        check_rows(row, seats)
        mine = [seat["guest"] == guest and guest is not None for seat in seats]
        result = row["result"] or {}
        playing, turn = row["phase"] == "playing", row["turn"]
        outline = {
            "table": row["id"],
            "game": row["game"],
            "options": row["options"],
            "names": [seat["name"] for seat in seats],
            "bots": [seat["bot"] if seat["guest"] is None else None for seat in seats],
            "phase": row["phase"],
            "mine": any(mine),
            "turn": turn if playing else None,
            "your_turn": playing and turn is not None and mine[turn] and seats[turn]["bot"] is None,
            "assistance": row["assistance"],
            "opened": row["opened"],
            "ended": row["ended"],
            "scores": result.get("scores"),
            "winners": result.get("winners", []),
            "duel": duel.game if (duel := read_duel(row)) else None,
            "ending": result.get("how"),
            "slow": msgspec.to_builtins(read_slow(row)),
            "deadline": row["deadline"],
            "daily": row["daily"],
        }
        return msgspec.convert(outline, Waiting)


def _invites(row: dict[str, Any], seats: list[dict[str, Any]], guest: str) -> bool:
    """Whether there is a free seat for somebody who does not sit there yet, and was not sent away."""
    free = any(seat["guest"] is None and seat["bot"] is None for seat in seats)
    known = _is_barred(row, guest) or any(seat["guest"] == guest for seat in seats)
    return row["phase"] == "waiting" and row["listed"] and free and not known


def _is_barred(row: dict[str, Any], guest: str) -> bool:
    """Whether the host has sent a guest away."""
    return bool(row["barred"]) and mark_at(row["secret"], guest) in row["barred"].split()


def _chair(guest: str, wish: SeatWish) -> Chair:
    """A seat as it was asked for. Raises Refusal."""
    match wish.kind:
        case "bot":
            bot = check_bot(wish.bot)
            return Chair(bot=bot, name=tidy(wish.name or bot.capitalize()))
        case "friend":
            return Chair()
    return Chair(name=tidy(wish.name or ""), guest=guest)
