"""A live table: decides what is asked, writes it to the journal, and only then sends it to those who are here.

The session is the game, presence says who is there, the broadcast tells them, the bot runner moves for the bots. All
that lasts is in the database: a table can be forgotten at any time and read again.

From a click to the other players' pages: a `Board.svelte` of web/src/games offers the moves of the view, and a click
sends `Play` (web/src/client/liveTable.svelte.ts). `Connection._answer` (tables/connection.py) bounds and reads the
message, and `Command.answer` (table/action.py) calls `Table.do`. Under the table's lock `Play.decide`
(table/actions/move.py) makes events of the move or refuses it, `decide` (table/actions/__init__.py) adds deadlines and
clocks, `journal.write` makes all durable, and `Session.apply` changes the game. Other nodes are told that there is more
to read (`nodes/nodes.py`; `catching_up.py` reads it), and `Table.send_positions` tells those who are connected here:
`Broadcast.send_positions` makes a message for each viewpoint: what it knows, for a page with the server's engine, or
its view. `Connection.send` sends it to its page, where `core/tableViews.ts` works out the view and
`liveTable.svelte.ts` shows it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Coroutine, Iterable, Sequence
from typing import Any, Literal

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.clock import now
from bosquet.server.base.fair_queue import Asker
from bosquet.server.base.messages import Shown
from bosquet.server.base.metrics import Metrics
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute.thinking import Thinking
from bosquet.server.guests import vacations
from bosquet.server.nodes.bus import Changed, Present, Reacted, TableMessage, WhoIsThere
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.store import Conflict, JournalEntry, Statement, Store
from bosquet.server.table import journal, messages, results
from bosquet.server.table.action import Command, Context, Event
from bosquet.server.table.actions import decide
from bosquet.server.table.actions.agree import Conclude
from bosquet.server.table.actions.clock import CallTime
from bosquet.server.table.actions.deadline import LookAfter
from bosquet.server.table.actions.deal import Begin
from bosquet.server.table.actions.move import Moved
from bosquet.server.table.actions.send_away import SENT_AWAY
from bosquet.server.table.actions.stand_in import ReturnToSeat
from bosquet.server.table.actions.vacation import SetAway
from bosquet.server.table.bot_runner import BotRunner
from bosquet.server.table.catching_up import CatchingUp
from bosquet.server.table.chat import ChatTeller
from bosquet.server.table.listeners import GameEnded, Listeners
from bosquet.server.table.messages import Phase
from bosquet.server.table.session import Session
from bosquet.server.table.timing.clock_timer import ClockTimer
from bosquet.server.table.timing.slow import turn_of
from bosquet.server.table.turn_teller import TurnTeller
from bosquet.server.table.viewers.attendance import Attendance
from bosquet.server.table.viewers.broadcast import NOTHING, Broadcast, Subscriber
from bosquet.server.table.viewers.state_teller import StateTeller
from bosquet.server.table.viewers.viewpoints import check_viewpoints, own_viewpoint

CONFIRM_SECONDS = 2.0
"""Seconds within which other nodes say who is connected there."""
AGAIN_SECONDS = 1.0
"""Seconds until the database is asked again that did not answer."""

log: FilteringBoundLogger = structlog.get_logger()


class Late(Refusal):
    """Another node has written first; what it wrote was read."""


class Table:
    """One table of this process."""

    def __init__(
        self,
        id: str,  # noqa: A002
        session: Session,
        store: Store,
        nodes: Nodes,
        thinking: Thinking,
        metrics: Metrics,
        listeners: Listeners,
        touched: str | None = None,
    ) -> None:
        self.id = id
        self.session = session
        self.store = store
        self._nodes = nodes
        self._moves = metrics.moves.labels(session.name)
        self._listeners = listeners
        self._turns = TurnTeller(id, session, listeners)
        self.catching_up: CatchingUp = CatchingUp(id, session, store)
        self._lock = asyncio.Lock()
        """Held while something is decided, written and applied."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self.attendance: Attendance = Attendance(id, session, store, nodes)
        self.broadcast: Broadcast = Broadcast(session)
        self.state_teller: StateTeller = StateTeller(id, session, self.attendance, self.broadcast)
        self.bots: BotRunner = BotRunner(thinking)
        self._touched = touched
        """The day that is kept as the last on which somebody was here or something happened."""
        self._clocks = ClockTimer(session)
        self._chat = ChatTeller(store, id, session, self.broadcast.subscribers)
        self._to_read: Literal["entries", "all"] | None = None
        """What was written past this object and is still to be read."""
        self._reader: asyncio.Task[None] | None = None

    @property
    def tasks(self) -> Collection[asyncio.Task[Any]]:
        """What goes on though nobody may be left who waits for it."""
        return self._tasks

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing goes on."""
        return not self.broadcast.subscribers and not self._tasks and self.bots.idle

    @property
    def goes_on(self) -> bool:
        """Whether bots go on here: a person plays or somebody watches, and no other node does it."""
        here, elsewhere = bool(self.broadcast.subscribers), self.attendance.nodes
        if elsewhere and not (here and self._nodes.leads(elsewhere)):
            return False
        return here or any(chair.bot is None for chair in self.session.chairs)

    def asker(self) -> Asker:
        """Return on whose behalf its bots think: a person who plays and is here, or one who watches, or the host."""
        here = sorted(self.broadcast.subscribers, key=lambda one: not self.session.is_person(one.guest))
        if not here:
            return Asker(self.session.host or "", "", people=False)
        return Asker(here[0].guest, here[0].address, people=self.session.is_person(here[0].guest))

    @property
    def invites(self) -> bool:
        """Whether there is a free seat, and its host is here or was a moment ago."""
        return self.session.has_free_seat and self.attendance.host_was_seen

    # --- deciding, writing, applying ---

    async def _change(self, command: Command, guest: str = "", at: str | None = None) -> list[Event]:
        """Change the table by a command; return what has happened, of which pages are not told yet. Raises Refusal."""
        async with self._lock:
            for _ in range(command.tries - 1):
                with contextlib.suppress(Late):
                    return await self._change_once(command, guest, at)
            return await self._change_once(command, guest, at)

    async def _change_once(self, command: Command, guest: str = "", at: str | None = None) -> list[Event]:
        """Decide a command, write what happens and apply it; return that. The lock is held. Raises Refusal."""
        if self.catching_up.uncertain:
            await self._read_again()
        with self.catching_up.reading:
            moment = now()
            happened = decide(self.session, command, Context(guest, at or moment, self.attendance))
        if not happened:
            return []
        closing = results.closing(self.id, self.session, happened, self._listeners.writers)
        await self._write(happened, closing, today=moment[:10])
        before = self._turns.now()
        self._apply(happened)
        self._note(happened)
        if closing and any(chair.guest is not None for chair in self.session.chairs):
            self._listeners.tell(GameEnded(self.id, self.session.name))
        self._turns.tell(happened, before)
        more = any(event.changes_state for event in happened)
        self._nodes.publish_change(self.id, self.session.number, more=more)
        return happened

    async def _write(self, happened: list[Event], closing: Sequence[Statement], today: str) -> None:
        """Write events to the database, and with them the results of a game that ends.

        Raises Late if another node was quicker, and Refusal.
        """
        touched = {} if self._touched == today else {"touched": today}
        number, barred = self.session.number, self.session.barred
        left = [chair.left for chair in self.session.chairs]
        try:
            await journal.write(self.store, self.id, number, happened, touched, closing, barred, left)
        except Conflict:  # another node was quicker
            await self._read_again()
            raise Late("stale", "somebody else was quicker; look at the table again") from None
        except Refusal:
            # A connection that is lost in a commit does not say what has become of it.
            self.catching_up.uncertain = True
            self.read_soon("all")
            raise
        self._touched = today

    def _apply(self, happened: Iterable[Event]) -> None:
        """Apply events that are written."""
        with self.catching_up.reading:
            for event in happened:
                self.session.apply(event)
        self.broadcast.forget_position()
        self._clocks.set(self._call_time)

    def _note(self, happened: Iterable[Event]) -> None:
        """Count and log what a host of the server wants to know, nothing secret."""
        for event in happened:
            if isinstance(event, Moved):
                self._moves.inc()
            elif event.log:
                words, *names = event.log
                told = {name: getattr(event, name) for name in names}
                log.info(words, table=self.id[:6], game=self.session.name, **told)

    def _tell(self, happened: Iterable[Event]) -> None:
        """Tell everybody what has happened; those who left a seat see it no more."""
        if any(event.changes_state for event in happened):
            check_viewpoints(self.session, self.broadcast)
            self.send_state()
            self._tell_chat()
        self.send_positions()

    async def replay(self, entries: Sequence[JournalEntry]) -> None:
        """Replay the journal. Raises Refusal."""
        async with self._lock:
            await self.catching_up.replay(entries)

    async def deal_late(self) -> None:
        """Deal if a crash came between the last nonce and the deal. Raises Refusal."""
        async with self._lock:
            with contextlib.suppress(Late):  # somebody else has dealt, and that was read
                await self._change_once(Begin())

    async def read_again(self) -> None:
        """Take over what was written past this object. Raises Refusal."""
        async with self._lock:
            await self._read_again()
            # Of two who made ready, or agreed, at two nodes, neither may have known that it was the last.
            last: dict[Phase, Command] = {"waiting": Begin(), "playing": Conclude()}
            if self.session.phase in last:
                with contextlib.suppress(Refusal):  # the other one has dealt, or ended the game
                    self._tell(await self._change_once(last[self.session.phase]))

    async def _read_again(self) -> None:
        """Take over what was written past this object. The lock is held. Raises Refusal."""
        await self.catching_up.read_all()
        self._clocks.set(self._call_time)
        self.broadcast.forget_position()
        check_viewpoints(self.session, self.broadcast)
        self._tell_chat()
        self.send_state()
        self.send_positions()

    def read_soon(self, what: Literal["entries", "all"]) -> None:
        """Read what was written past this object, and try again where the database does not answer."""
        self._to_read = "all" if "all" in (what, self._to_read) else "entries"
        if self._reader is None:
            self._reader = self._begin(self._read_on())

    async def _read_on(self) -> None:
        try:
            while self._to_read is not None:
                what, self._to_read = self._to_read, None
                try:
                    if what == "all" or self.catching_up.uncertain or self.session.phase == "waiting":
                        await self.read_again()
                    else:
                        await self._read_entries()
                except Refusal as refusal:
                    if refusal.code == "unavailable":  # the store has said why
                        self.read_soon(what)
                        await asyncio.sleep(AGAIN_SECONDS)
                    else:
                        self.send_refusal(refusal)
        finally:
            self._reader = None

    async def _read_entries(self) -> None:
        """Take over what was added to the journal. Raises Refusal."""
        async with self._lock:
            with self.catching_up.reading:
                await self.catching_up.read_entries()
            self.broadcast.forget_position()
            self.send_positions()

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something that goes on though nobody waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # --- what people ask ---

    async def do(self, guest: str, command: Command) -> list[Event]:
        """Change the table as a guest asks, and tell everybody; return what has happened. Raises Refusal.

        Only the end of the server cuts it short; what was written by then is read at the next start.
        """
        await self.attendance.look_up_blocked(guest)
        await self._see_outage()
        happened = await self._change(command, guest)
        if happened:
            self._tell(happened)
        return happened

    async def start(self) -> None:
        """Deal at once if nobody has to be waited for, as at a table of bots, which then get ready."""
        await self._change(Begin())
        self.bots.prepare(self)

    async def look_after(self, at: str, due: str | None = None) -> None:
        """Do what is due: have a bot stand in or go on at a slow table, or call time by a clock. Raises Refusal.

        `due` says since when it was due. If it was due to remind a person of the deadline, they are reminded.
        """
        await asyncio.shield(self._begin(self._look_after(at, due)))

    async def note_vacation(self, guest: str) -> None:
        """Note whether a guest is on vacation, if this is a slow table. Raises Refusal."""
        if self.session.slow is not None:
            await self.do("", SetAway(guest, await vacations.until(self.store, guest, now())))

    async def hear_of_vacation(self, guest: str) -> None:
        """Note whether a guest who sits down here is on vacation; if that fails, it is noted at the deadline."""
        try:
            await self.note_vacation(guest)
        except Refusal as refusal:
            log.warning("a table was not told of a vacation", table=self.id[:6], why=refusal.code)

    async def _look_after(self, at: str, due: str | None) -> None:
        turn = turn_of(self.session)
        if turn is not None:
            away = {chair.guest for chair in self.session.chairs if chair.away is not None}
            for guest in away | {turn.guest}:
                if guest is not None:
                    await self.note_vacation(guest)
        happened = await self._change(LookAfter() if self.session.clock is None else CallTime(), at=at)
        self._turns.tell_near(due)
        self._tell(happened)

    def _call_time(self) -> None:
        """See whether the time of the seat to move is up; if that fails, a node looks again soon."""
        self._begin(self._called_time())

    async def _called_time(self) -> None:
        try:
            await self._see_outage()
            self._tell(await self._change(CallTime()))
        except Refusal as refusal:
            if refusal.code != "stale":
                log.warning("time could not be called; it is tried again", table=self.id[:6], why=refusal.code)

    async def _see_outage(self) -> None:
        """Correct clocks that ran while no server was there. The lock is not held. Raises Refusal."""
        if self.session.since is not None and self._listeners.before_clocks is not None:
            await self._listeners.before_clocks()

    async def send_chat(self, guest: str) -> None:
        """Send the chat to the pages of a guest. Raises Refusal."""
        await self._chat.send([one for one in self.broadcast.subscribers if one.guest == guest])

    def _tell_chat(self) -> None:
        """Have what is new in the chat sent to those who are here."""
        if self._chat.is_due:
            self._begin(self._chat.tell())

    def send_reaction(self, seat: int, reaction: Shown) -> None:
        """Show a reaction of a seat to everybody, at all nodes."""
        self.broadcast.send(messages.Reacted(seat=seat, sign=reaction))
        self._nodes.publish_reaction(self.id, seat, reaction)

    def tell_lost(self, guest: str) -> None:
        """Tell the listeners of a guest's turn again after a connection was lost."""
        if not self.attendance.is_here(guest):
            self._turns.tell_lost(guest)

    def check_admitted(self, guest: str) -> None:
        """Check that the host has not sent a guest away. Raises Refusal."""
        if self.session.is_barred(guest):
            raise Refusal("barred", SENT_AWAY)

    # --- who is here ---

    async def attach(self, subscriber: Subscriber) -> None:
        """Connect somebody: tell how things stand and what happened since the position that they have."""
        guest = subscriber.guest
        if await self._nodes.follow(self):
            await self.read_again()
        self.check_admitted(guest)
        await self.attendance.look_up_blocked(guest)
        plays = bool(self.session.seats_of(guest)) and not subscriber.watching
        if plays:
            self.attendance.saw(guest)  # from now on nobody can give their seats to a bot
            await self._change(ReturnToSeat(), guest)
        self._clocks.set(self._call_time)
        subscriber.viewpoint = own_viewpoint(self.session, subscriber)
        self.check_admitted(guest)  # once more: they may have been sent away meanwhile
        self.broadcast.subscribers.add(subscriber)
        self.attendance.arrive(subscriber)
        self.state_teller.welcome(subscriber)
        if self.session.game is None:
            subscriber.number = NOTHING
        else:
            self.broadcast.send_position(subscriber, again=True)
        await self._chat.send([subscriber])
        self.bots.wake(self)
        if plays:
            self._turns.tell_seen(guest)
            await self._touch()

    async def _touch(self) -> None:
        """Note, once a day, that a player was here. If the database does not answer, it is noted later."""
        today = now()[:10]
        if self._touched != today:
            with contextlib.suppress(Refusal, Conflict):
                await self.store.update_table(self.id, touched=today)
                self._touched = today

    def drop(self, subscriber: Subscriber) -> None:
        """Send nothing more to one that does not keep up; it detaches soon."""
        if subscriber in self.broadcast.subscribers:
            self.broadcast.discard(subscriber)
            self.attendance.leave(subscriber)
        self.attendance.forget(subscriber)

    def detach(self, subscriber: Subscriber) -> None:
        """Take leave of somebody."""
        self.drop(subscriber)
        if not self.broadcast.subscribers:
            self._clocks.cancel()  # it would hold the table in memory; a node finds that it is due
        self._nodes.unfollow(self)
        self.send_state()

    # --- other nodes ---

    def hear(self, message: TableMessage) -> None:
        """Take over what another node says of this table."""
        match message:
            case Changed():
                if message.more:
                    self.read_soon("all")
                elif message.number > self.session.number:
                    self.read_soon("entries")
            case Present():
                self.attendance.hear(message)
                self._attendance_changed()
            case WhoIsThere():
                self.attendance.answer()
            case Reacted():
                if 0 <= message.seat < len(self.session.chairs):
                    self.broadcast.send(messages.Reacted(seat=message.seat, sign=message.sign))

    def greet(self) -> None:
        """Tell the other nodes who is here, and ask them. Guests of nodes that do not answer soon count as gone."""
        self.attendance.greet()
        asyncio.get_running_loop().call_later(CONFIRM_SECONDS, self._drop_unconfirmed)

    def _drop_unconfirmed(self) -> None:
        if self.attendance.drop_unconfirmed():
            self._attendance_changed()

    def lose(self, node: str) -> None:
        """Count those as away who were connected at a node that is gone."""
        self.attendance.lose(node)
        self._attendance_changed()

    def lose_all(self) -> None:
        """Count guests of all other nodes as away: nothing is heard of these nodes any more."""
        self.attendance.lose_all()

    def repeat_change(self) -> None:
        """Tell the other nodes again how many entries there are: an earlier message may have been lost."""
        self._nodes.publish_change(self.id, self.session.number, more=False)

    def _attendance_changed(self) -> None:
        self.send_state()
        self.bots.wake(self)

    # --- telling ---

    def send_positions(self) -> None:
        """Tell everybody what happened since the position that they have, and let a bot go on."""
        self.broadcast.send_positions()
        self.bots.wake(self)

    def send_refusal(self, refusal: Refusal) -> None:
        """Tell everybody why it does not go on."""
        self.broadcast.send(messages.Refused(code=refusal.code, message=str(refusal)))

    def send_state(self) -> None:
        """Send the state of the table to everybody for whom it has changed."""
        self.state_teller.send()
