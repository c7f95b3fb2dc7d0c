"""A live table: what is asked is decided, written to the journal, and sent to those who are here only then.

The session is the game, presence says who is there, the broadcast tells them, the bot runner moves for the bots. All
that lasts is in the journal: a table can be forgotten at any time and read again.

From a click to the other players' pages: a `Board.svelte` of web/src/games offers the moves of the view, and a click
sends `Play` (web/src/server/live.svelte.ts). `live.Connection._answer` reads and bounds the message and calls
`Table.play`. Under the table's lock `decisions.decide` parses the move and makes events of it or refuses it,
`journal.write` makes them durable, and `Session.apply` changes the game. Other nodes are told that there is more to
read (`nodes`), and `Table.send_all` tells those who are connected here:
`Broadcast.send_positions` makes a `Position` for each viewpoint, `Connection.send` sends it to its page, and
`live.svelte.ts` there shows it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Collection, Coroutine, Iterable, Iterator
from typing import Any, Literal

import structlog
from structlog.typing import FilteringBoundLogger

from bosquet.core.view import View
from bosquet.server.base.clock import now
from bosquet.server.base.messages import ENCODER
from bosquet.server.base.metrics import Metrics
from bosquet.server.base.refusals import Refusal, Unreadable
from bosquet.server.compute.thinking import Asker, Thinking
from bosquet.server.guests import people
from bosquet.server.nodes.bus import Changed, Present, Reacted, TableMessage, WhoIsThere
from bosquet.server.nodes.connected import NOBODY, Connected
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table import chat, events, journal, messages, results
from bosquet.server.table.bot_runner import BotRunner
from bosquet.server.table.broadcast import NOTHING, Broadcast, Subscriber
from bosquet.server.table.decisions import SENT_AWAY, decide
from bosquet.server.table.events import Command, Event
from bosquet.server.table.listeners import DeadlineNear, GameEnded, Listeners, StoodIn, TurnBegan, TurnEnded
from bosquet.server.table.presence import Presence
from bosquet.server.table.session import Chair, Session
from bosquet.server.table.slow import Turn, is_made_by_bot, reminder_of, turn_of
from bosquet.server.table.table_state import is_gone, state_for, table_state

REPLAY_CHUNK = 16
"""Entries of a journal that are replayed before the loop of the server has its turn again."""

CONFIRM_SECONDS = 2.0
"""Seconds within which other nodes say who is connected there."""
AGAIN_SECONDS = 1.0
"""Seconds until the database is asked again that did not answer."""
WATCHERS = 50
"""People who watch of whom the host is told."""
INVITATION_BYTES = 12
CHAT_TRIES = 5
"""Times that a line of the chat is tried under the next number, where others write at other nodes."""
_IN_JOURNAL = (events.Moved, events.ChanceMade, events.Undone, events.TurnPassed)
"""Events that change nothing but the journal, as far as a session goes."""

log: FilteringBoundLogger = structlog.get_logger()


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
        turns: Listeners,
        touched: str | None = None,
    ) -> None:
        self.id = id
        self.session = session
        self._store = store
        self._nodes = nodes
        self._moves = metrics.moves.labels(session.name)
        self._turns = turns
        self._lock = asyncio.Lock()
        """Held while something is decided, written and applied."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._presence = Presence(time.monotonic())
        self._broadcast = Broadcast(session)
        self._screens: set[Subscriber] = set()
        """Screens for all whose guests sit here, but are there only if another page of theirs is."""
        self._bots = BotRunner(thinking)
        self._touched = touched
        """The day that is kept as the last on which somebody was here or something happened."""
        self._reminder: asyncio.TimerHandle | None = None
        self._blocked: set[str] = set()
        """Guests whom the host has blocked, of those who are here or wanted to sit down."""
        self._returning: set[str] = set()
        """Guests who have come back while a bot makes their turn at a slow table; they have the seat after it."""
        self._chat_told = session.chat
        """How many lines of the chat were sent to those who are here."""
        self._chat_teller: asyncio.Task[None] | None = None
        self._published = NOBODY
        """Who is here, as the other nodes were told."""
        self._to_read: Literal["entries", "all"] | None = None
        """What was written past this object and is still to be read."""
        self._reader: asyncio.Task[None] | None = None
        self._uncertain = False
        """Whether it is not known if what was to be written last has been."""

    @property
    def tasks(self) -> Collection[asyncio.Task[Any]]:
        """What goes on though nobody may be left who waits for it."""
        return self._tasks

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing goes on."""
        return not self._broadcast.subscribers and not self._tasks and self._bots.idle

    @property
    def goes_on(self) -> bool:
        """Whether bots go on here: a person plays or somebody watches, and no other node does it."""
        here, elsewhere = bool(self._broadcast.subscribers), self._presence.nodes
        if elsewhere and not (here and self._nodes.leads(elsewhere)):
            return False
        return here or any(chair.bot is None for chair in self.session.chairs)

    def asker(self) -> Asker:
        """Return on whose behalf its bots think: somebody who plays and is here, or who watches, or the host."""
        here = sorted(self._broadcast.subscribers, key=lambda one: not self.session.is_person(one.guest))
        if not here:
            return Asker(self.session.host or "", "", people=False)
        return Asker(here[0].guest, here[0].address, people=self.session.is_person(here[0].guest))

    # --- deciding, writing, applying ---

    async def _do(self, command: Command) -> list[Event]:
        """Decide, write and apply a command; return what has happened. Raises Refusal."""
        async with self._lock:
            return await self._do_locked(command)

    async def _do_locked(self, command: Command) -> list[Event]:
        if self._uncertain:
            await self._read_again()
        with self._reading():
            happened = decide(self.session, command)
        if not happened:
            return []
        today = now()[:10]
        async with self._racing():
            touched = {} if self._touched == today else {"touched": today}
            closing = results.closing(self.id, self.session, happened, self._turns.writers)
            await journal.write(
                self._store, self.id, self.session.number, happened, touched, closing, self.session.barred
            )
        self._touched = today
        before = turn_of(self.session), self.session.deadline
        with self._reading():
            for event in happened:
                self.session.apply(event)
        self._broadcast.forget_position()
        self._note(happened)
        if closing and any(chair.guest is not None for chair in self.session.chairs):
            self._turns.tell(GameEnded(self.id, self.session.name))
        if any(isinstance(event, events.TurnTimed) for event in happened):
            self._tell_turn(*before)
            self._tell_stood_in(happened)
            self.send_state()
        more = not all(isinstance(event, _IN_JOURNAL) for event in happened)
        self._nodes.publish_change(self.id, self.session.number, more=more)
        return happened

    def _note(self, happened: Iterable[Event]) -> None:
        """Count and log what a host of the server wants to know, nothing secret; and forget who wanted a seat back."""
        for event in happened:
            match event:
                case events.SeatsTakenBack():
                    self._returning.discard(event.guest)
                case events.Moved():
                    self._moves.inc()
                case events.Dealt():
                    log.info("dealt", table=self.id[:6], game=self.session.name)
                case events.SeatGiven():
                    log.info("given to a bot", table=self.id[:6], seat=event.seat)
                case events.Barred():
                    log.info("sent away", table=self.id[:6], seat=event.seat)
                case events.SeatLeft():
                    log.info("left to a bot", table=self.id[:6], seat=event.seat, how=event.how)
                case events.EndedEarly():
                    log.info("ended early", table=self.id[:6], how=event.how)
                case events.Closed():
                    log.info("closed", table=self.id[:6])

    def _tell_turn(self, before: Turn | None, deadline: str | None) -> None:
        """Tell those who listen that a turn at a slow table is over that had a deadline, and that another one began."""
        session, after = self.session, turn_of(self.session)
        if (after, session.deadline) == (before, deadline):
            return
        if before is not None and before.guest is not None:
            self._turns.tell(TurnEnded(before.guest, self.id, before.seat))
        self._tell_began()

    def _tell_stood_in(self, happened: Iterable[Event]) -> None:
        """Tell those who listen for whom a bot stands in at a slow table from now on."""
        for event in happened:
            if isinstance(event, events.SeatGiven) and event.guest is not None and self.session.slow is not None:
                self._turns.tell(StoodIn(event.guest, self.id, self.session.name))

    def _tell_began(self) -> None:
        """Tell those who listen whose turn it is at a slow table, if a person has time for it."""
        turn, deadline = turn_of(self.session), self.session.deadline
        if turn is not None and turn.guest is not None and deadline is not None:
            players = [chair.name or "" for chair in self.session.chairs]
            self._turns.tell(TurnBegan(turn.guest, self.id, turn.seat, self.session.name, players, deadline))

    def tell_lost(self, guest: str) -> None:
        """Tell those who listen of a guest's turn again after a connection was lost.

        While it seemed to be there, it may have been dead for a while, as that of a phone that sleeps is: then nobody
        was told when the turn began.
        """
        turn = turn_of(self.session)
        if turn is not None and turn.guest == guest and not self.is_here(guest):
            self._tell_began()

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Log where what is kept of a live table can't be read: not what the error says, which may be a hand."""
        try:
            yield
        except Unreadable as error:
            log.error("a table can't be read", table=self.id[:6], number=self.session.number, error=error.error)
            raise

    @contextlib.asynccontextmanager
    async def _racing(self) -> AsyncIterator[None]:
        """Write something that another node may have written first. Raises Refusal then. The lock is held."""
        try:
            yield
        except Conflict:
            await self._read_again()
            raise Refusal("stale", "somebody else was quicker; look at the table again") from None
        except Refusal:
            # A connection that is lost in a commit does not say what has become of it.
            self._uncertain = True
            self.read_soon("all")
            raise

    async def read(self) -> None:
        """Replay the journal, and deal if a crash came between the last nonce and the deal. Raises Refusal."""
        async with self._lock:
            if self.session.phase in ("waiting", "closed"):
                await self._do_locked(events.Begin(now()))
            else:
                await self._catch_up()

    async def _catch_up(self) -> None:
        """Replay what the journal has beyond the position. Raises Refusal if that can't be. The lock is held."""
        entries = await self._store.read_journal(self.id, self.session.number)
        self.session.ensure_dealt()
        for i, entry in enumerate(entries):
            self.session.replay(entry)
            if i % REPLAY_CHUNK == REPLAY_CHUNK - 1:
                await asyncio.sleep(0)

    async def read_again(self) -> None:
        """Take over what was written past this object. Raises Refusal."""
        async with self._lock:
            await self._read_again()
            # Of two who made ready at two nodes, neither may have known that it was the last.
            if self.session.phase == "waiting":
                with contextlib.suppress(Refusal):  # the other one has dealt
                    await self._do_locked(events.Begin(now()))
                self.send_state()
                self.send_all()
            elif self.session.phase == "playing":
                with contextlib.suppress(Refusal):  # nor that it agreed last
                    if await self._do_locked(events.Conclude(now())):
                        self.send_state()
                        self.send_all()

    async def _read_again(self) -> None:
        """Take over what was written past this object. The lock is held. Raises Refusal."""
        found = await self._store.read_table(self.id)
        if found is None:
            raise Refusal("no table", "this table was deleted; open another one")
        row, seats = found
        self.session.read_rows(row, [Chair.read(seat) for seat in seats])
        if self.session.phase in ("playing", "over"):
            with self._reading():
                await self._catch_up()
        self._uncertain = False
        self._broadcast.forget_position()
        self._check_admitted()
        self._check_viewpoints()
        self._tell_chat_soon()
        self.send_state()
        self.send_all()

    def is_behind(self, row: dict[str, Any], seats: list[dict[str, Any]], number: int) -> bool:
        """Return whether what is kept of the table differs from what is known here."""
        return number > self.session.number or self.session.differs(row, [Chair.read(seat) for seat in seats])

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
                    if what == "all" or self.session.phase == "waiting":
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
            with self._reading():
                await self._catch_up()
            self._broadcast.forget_position()
            self.send_all()

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something that goes on though nobody waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _safely(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something to its end even if whoever asked for it is gone meanwhile."""
        await asyncio.shield(self._begin(work))

    # --- what people ask ---

    async def play(self, guest: str, ask: messages.Play) -> None:
        """Make a move. Raises Refusal."""
        await self._move(events.Play(guest, ask.seat, ask.number, ask.move, now()))

    async def undo(self, guest: str, ask: messages.Undo) -> None:
        """Take the last move back. Raises Refusal."""
        await self._move(events.Undo(guest, ask.seat, ask.number))

    async def _move(self, command: Command) -> None:
        # Only the end of the server cuts it short; what was written by then is read at the next start.
        await self._do(command)
        self.send_all()

    async def play_for_bot(self, bot: str, seat: int, number: int, move: str) -> None:
        """Make a move that a bot chose in a position, if that is still the position. Raises Refusal."""
        is_back = self.session.chairs[seat].guest in self._returning
        await self._do(events.PlayForBot(bot, seat, number, move, now(), is_back))

    async def join(self, guest: str, name: str, invitation: str | None, program: bool = False) -> None:
        """Take a free seat. Raises Refusal."""
        await self._look_up_blocked(guest)
        blocked = guest in self._blocked
        if await self._do(events.Join(guest, name, invitation, program, self._host_is_near(), blocked)):
            self.send_state()

    async def remove(self, guest: str, seat: int) -> None:
        """Send away whoever sits on a seat, before the deal. Raises Refusal."""
        await self._send_away(events.Remove(guest, seat, secrets.token_urlsafe(INVITATION_BYTES)))

    async def bar(self, guest: str, mark: str) -> None:
        """Send somebody away who watches. Raises Refusal."""
        await self._send_away(events.Bar(guest, mark, secrets.token_urlsafe(INVITATION_BYTES)))

    async def _send_away(self, command: Command) -> None:
        if await self._do(command):
            self._check_admitted()
            self.send_state()

    def _check_admitted(self) -> None:
        """End the connections of those whom the host has sent away."""
        for subscriber in list(self._broadcast.subscribers):
            if self.session.is_barred(subscriber.guest):
                subscriber.send_off()

    def check_admitted(self, guest: str) -> None:
        """Check that the host has not sent a guest away. Raises Refusal."""
        if self.session.is_barred(guest):
            raise Refusal("barred", SENT_AWAY)

    async def watchers(self, guest: str) -> messages.Watchers:
        """Return who watches, for the host, who knows the names of those with whom they have played. Raises Refusal."""
        session = self.session
        if not session.is_host(guest):
            raise Refusal("not yours", "the host of a table is told who watches")
        marks = self._watching() | self._presence.watching_elsewhere()
        known = await people.names(self._store, guest) if marks else {}
        names = {session.mark(other): name for other, name in known.items()}
        found = [messages.Watcher(mark, names.get(mark) or None) for mark in sorted(marks)]
        return messages.Watchers(sorted(found, key=lambda one: (one.name is None, one.name))[:WATCHERS])

    def _watching(self) -> frozenset[str]:
        """Return the marks of those who watch here."""
        seated = {chair.guest for chair in self.session.chairs} | {self.session.host}
        return frozenset(map(self.session.mark, self._presence.watching(seated, WATCHERS)))

    async def _look_up_blocked(self, guest: str) -> None:
        """Note whether the host has blocked a guest, for whom the table is then not listed. Raises Refusal."""
        session = self.session
        if session.phase != "waiting" or not session.listed or session.host is None or session.host == guest:
            return
        if await people.has_blocked(self._store, session.host, guest):
            self._blocked.add(guest)
        else:
            self._blocked.discard(guest)

    async def ready(self, guest: str, nonce: str) -> None:
        """Add to the shuffle for all seats of a guest; deal once everybody has."""
        if await self._do(events.AddNonce(guest, nonce, now())):
            self.send_state()
            self.send_all()

    async def start(self) -> None:
        """Deal at once if nobody has to be waited for, as at a table of bots."""
        await self._do(events.Begin(now()))

    async def give(self, guest: str, seat: int, bot: str, name: str) -> None:
        """Let a bot have a free seat, or stand in for somebody who has been away for long. Raises Refusal."""
        gone = is_gone(self.session, seat, self._presence, time.monotonic())
        await self._do(events.GiveSeat(guest, seat, bot, name, gone, now()))
        self.send_state()
        self.send_all()

    async def take_back(self, guest: str) -> None:
        """Give a guest who is here their seats again, if bots stand in. Raises Refusal."""
        if await self._take_back(guest):
            self.send_state()
            self.send_all()

    async def _take_back(self, guest: str) -> bool:
        """Let a guest have their seats again now, or after the turn that a bot makes for them; return whether now."""
        happened = await self._do(events.TakeBack(guest, now()))
        if is_made_by_bot(self.session, guest):
            self._returning.add(guest)
        return bool(happened)

    async def look_after(self, at: str, due: str | None = None) -> None:
        """Have a bot stand in for whoever is late at a slow table, and bots go on. Raises Refusal.

        `due` is since when that was to be done; whoever is to be reminded then is.
        """
        await self._safely(self._look_after(at, due))

    async def _look_after(self, at: str, due: str | None) -> None:
        await self._do(events.LookAfter(at))
        turn, deadline = turn_of(self.session), self.session.deadline
        if turn is not None and turn.guest is not None and deadline is not None and due == reminder_of(deadline):
            self._turns.tell(DeadlineNear(turn.guest, self.id, self.session.name, deadline))
        self.send_state()
        self.send_all()

    async def resign(self, guest: str, seat: int) -> None:
        """Give the game up for a seat. Raises Refusal."""
        await self._settle(events.Resign(guest, seat, now()))

    async def leave(self, guest: str, seat: int, bot: str) -> None:
        """Leave a seat to a bot for the rest of the game. Raises Refusal."""
        await self._settle(events.Leave(guest, seat, bot, now()))

    async def agree(self, guest: str, offer: messages.Offer) -> None:
        """Offer to end the game or to void it, or agree to that. Raises Refusal."""
        await self._settle(events.Agree(guest, offer, now()))

    async def decline(self, guest: str) -> None:
        """Decline what was offered, or take an offer back. Raises Refusal."""
        await self._settle(events.Decline(guest))

    async def _settle(self, command: Command) -> None:
        """Do what concerns the game itself, and tell everybody; those who left a seat see it no more."""
        if not await self._do(command):
            return
        self._check_viewpoints()
        self.send_state()
        self.send_all()

    def _check_viewpoints(self) -> None:
        """See to it that nobody goes on seeing what a seat sees that is not theirs any more."""
        for subscriber in list(self._broadcast.subscribers):  # one that does not keep up leaves at once
            if subscriber.viewpoint is not None and subscriber.viewpoint not in self.session.seats_of(subscriber.guest):
                subscriber.viewpoint = None
                self._broadcast.send_position(subscriber, again=True)

    async def close(self, guest: str) -> None:
        """Give the table up before the deal. Raises Refusal."""
        await self._do(events.Close(guest))
        self.send_state()

    async def set_pace(self, guest: str, pace: messages.Pace) -> None:
        """Let bots move at a human pace, or at once. Raises Refusal."""
        if await self._do(events.SetPace(guest, pace)):
            self.send_state()

    async def go_on(self, guest: str, table: str) -> None:
        """Say at which table the same people play again. Raises Refusal."""
        if await self._do(events.GoOn(guest, table)):
            self.send_state()

    def react(self, guest: str, ask: messages.React) -> None:
        """Show a sign to everybody. Raises Refusal."""
        self.session.check_mine(guest, ask.seat)
        self._broadcast.send(messages.Reacted(seat=ask.seat, sign=ask.sign))
        self._nodes.publish_sign(self.id, ask.seat, ask.sign)

    # --- the chat ---

    async def allow_chat(self, guest: str, allow: bool) -> None:
        """Switch the chat on for a guest, or off. Raises Refusal."""
        if await self._do(events.AllowChat(guest, allow)):
            self.send_state()
            if allow:
                await self._send_chat(0, [one for one in self._broadcast.subscribers if one.guest == guest])

    async def write_chat(self, guest: str, ask: messages.WriteChat) -> None:
        """Write a line to the chat. Raises Refusal."""
        await self._safely(self._write_chat(guest, ask))

    async def _write_chat(self, guest: str, ask: messages.WriteChat) -> None:
        async with self._lock:
            for _ in range(CHAT_TRIES):
                try:
                    await chat.add(self._store, self.id, self.session, guest, ask.seat, ask.text)
                    break
                except Conflict:  # somebody writes at another node
                    await self._read_again()
            else:
                raise Refusal("busy", "many write at once; try again")
            self.session.chat += 1
        self._nodes.publish_change(self.id, self.session.number, more=True)
        self._tell_chat_soon()

    async def report_chat(self, guest: str, number: int) -> None:
        """Report a line of the chat. Raises Refusal."""
        await chat.report(self._store, self.id, self.session, guest, number)

    def _tell_chat_soon(self) -> None:
        """Send what is new in the chat to those who are here and have it switched on, in its order."""
        if self._chat_told < self.session.chat and self._chat_teller is None:
            self._chat_teller = self._begin(self._tell_chat())

    async def _tell_chat(self) -> None:
        try:
            while self._chat_told < self.session.chat:
                since, self._chat_told = self._chat_told, self.session.chat
                with contextlib.suppress(Refusal):  # the store has said why; it is sent when they connect again
                    await self._send_chat(since, self._broadcast.subscribers, self._chat_told)
        finally:
            self._chat_teller = None

    async def _send_chat(self, since: int, to: Iterable[Subscriber], until: int | None = None) -> None:
        """Send the lines of the chat from a number on to those of some who are to read them. Raises Refusal."""
        session = self.session
        readers = [one for one in to if not one.watching and session.reads_chat(one.guest)]
        if not readers or session.chat <= since:
            return
        found = await chat.lines(self._store, self.id, since, session.chat if until is None else until)
        unheard = await chat.unheard(self._store, {one.guest for one in readers}, {line.guest for line in found})
        for one in readers:
            shown = [
                messages.ChatLine(line.number, line.seat, line.name, line.text, line.at)
                for line in found
                if (one.guest, line.guest) not in unheard
            ]
            if shown and one in self._broadcast.subscribers:
                one.send(ENCODER.encode(messages.Chat(shown)))

    def look(self, subscriber: Subscriber, seat: int | None) -> None:
        """See the table from another viewpoint of one's own. Raises Refusal."""
        if seat is not None:
            self.session.check_mine(subscriber.guest, seat)
        subscriber.viewpoint = seat
        self._broadcast.send_position(subscriber, again=True)

    def send_sheet(self, subscriber: Subscriber) -> None:
        """Tell one where the points come from so far. Raises Refusal where that is not open."""
        if self.session.dealt().view(None).scores is None:
            raise Refusal("not now", "the points of this game are counted when it is over")
        subscriber.send(self._broadcast.sheet())

    def own_view(self, guest: str, seat: int, *, moves: bool = True) -> View:
        """Return the view of a seat, for something to be worked out of it for its owner. Raises Refusal."""
        self.session.check_mine(guest, seat)
        return self.session.dealt().view(seat, moves=moves)

    def check_hints(self) -> None:
        """Check that hints are given here, and answers to queries. Raises Refusal."""
        if self.session.assistance == "none" or self.session.daily is not None:
            raise Refusal("not now", "no hints are given at this table")
        if not self.session.hints_given:
            raise Refusal("not now", "hints are given when everybody who sits here agrees to them")

    async def note_hint(self) -> None:
        """Keep that a hint, or an answer to a query, is given here. Raises Refusal."""
        if not self.session.hinted:
            await self._store.update_table(self.id, hinted=True)
            self.session.hinted = True

    async def allow_hints(self, guest: str, allow: bool) -> None:
        """Agree to hints, or no longer. Raises Refusal."""
        if await self._do(events.AllowHints(guest, allow)):
            self.send_state()

    def hint_view(self, guest: str, seat: int) -> View:
        """Return the view of a seat that is to move, to find a hint in. Raises Refusal."""
        view = self.own_view(guest, seat, moves=False)
        if view.seat != seat:
            raise Refusal("not now", "it is not this seat's turn")
        self.check_hints()
        return view

    # --- who is here ---

    async def attach(self, subscriber: Subscriber) -> None:
        """Connect somebody: tell how things stand and what happened since the position that they have."""
        guest = subscriber.guest
        if await self._nodes.follow(self):
            await self.read_again()
        self.check_admitted(guest)
        await self._look_up_blocked(guest)
        plays = bool(self.session.seats_of(guest)) and not subscriber.watching
        if plays:
            self.saw(guest)  # from now on nobody can give their seats to a bot
            await self._take_back(guest)
        mine = self.session.seats_of(guest)
        subscriber.viewpoint = mine[0] if len(mine) == 1 and not subscriber.watching else None
        self.check_admitted(guest)  # once more: they may have been sent away meanwhile
        self._broadcast.subscribers.add(subscriber)
        if subscriber.watching and self.session.seats_of(guest):
            self._screens.add(subscriber)
            guest = ""  # whoever plays there is not here only because the screen is on
        self._presence.arrive(guest)
        self._send_state([subscriber])
        self.send_state()
        if self.session.game is None:
            subscriber.number = NOTHING
        else:
            self._broadcast.send_position(subscriber, again=True)
        await self._send_chat(0, [subscriber])
        self._bots.wake(self)
        if plays:
            turn = turn_of(self.session)
            seats = [turn.seat] if turn is not None and turn.guest == guest else []
            seats += [seat for seat in mine if self.session.chairs[seat].stood_in and self.session.slow is not None]
            if seats:  # they see it here
                self._turns.tell(TurnEnded(guest, self.id, seats[0]))
            await self._touch()

    async def _touch(self) -> None:
        """Note, once a day, that somebody who sits here was here. It can wait where it can't be written."""
        today = now()[:10]
        if self._touched != today:
            with contextlib.suppress(Refusal, Conflict):
                await self._store.update_table(self.id, touched=today)
                self._touched = today

    def drop(self, subscriber: Subscriber) -> None:
        """Send nothing more to one that does not keep up; it detaches soon."""
        if subscriber in self._broadcast.subscribers:
            self._broadcast.discard(subscriber)
            self._presence.leave("" if subscriber in self._screens else subscriber.guest)
        if subscriber not in self._screens:
            self.saw(subscriber.guest)
        self._screens.discard(subscriber)

    def detach(self, subscriber: Subscriber) -> None:
        """Take leave of somebody."""
        self.drop(subscriber)
        self._nodes.unfollow(self)
        self.send_state()

    def is_here(self, guest: str) -> bool:
        """Return whether a guest is connected, at this node or another one."""
        return self._presence.is_here(guest)

    def saw(self, guest: str) -> None:
        """Remember that somebody was here now."""
        if self.session.is_host(guest) or self.session.seats_of(guest):
            self._presence.see(guest, time.monotonic())

    @property
    def invites(self) -> bool:
        """Whether there is a free seat, and its host is here or was a moment ago."""
        return self.session.has_free_seat and self._host_was_seen()

    @property
    def host_is_here(self) -> bool:
        """Whether the host is connected."""
        return self._presence.is_here(self.session.host)

    def _host_is_near(self) -> bool:
        """Whether the host is here, or was a moment ago, or is at another node."""
        return self._host_was_seen() or self.id in self._nodes.inviting_elsewhere()

    def _host_was_seen(self) -> bool:
        host = self.session.host
        return host is not None and self._presence.was_seen(host, time.monotonic())

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
                self._presence.hear(
                    message.node,
                    Connected(frozenset(message.guests), message.watchers, frozenset(message.marks)),
                    time.monotonic(),
                )
                self._presence_changed()
            case WhoIsThere():
                self._nodes.publish_presence(self.id, self._published)
            case Reacted():
                if 0 <= message.seat < len(self.session.chairs):
                    self._broadcast.send(messages.Reacted(seat=message.seat, sign=message.sign))

    def greet(self) -> None:
        """Tell the other nodes who is here, and ask them: who was there and does not answer is gone."""
        self._presence.doubt()
        self._nodes.publish_presence(self.id, self._published)
        self._nodes.ask_presence(self.id)
        asyncio.get_running_loop().call_later(CONFIRM_SECONDS, self._drop_unconfirmed)

    def _drop_unconfirmed(self) -> None:
        if self._presence.drop_unconfirmed(time.monotonic()):
            self._presence_changed()

    def repeat_change(self) -> None:
        """Tell the other nodes again how far it is: what they were told before may have been lost."""
        self._nodes.publish_change(self.id, self.session.number, more=False)

    def lose(self, node: str) -> None:
        """Count those as away who were connected at a node that is gone."""
        self._presence.hear(node, NOBODY, time.monotonic())
        self._presence_changed()

    def lose_all(self) -> None:
        """Count those as away who are connected at other nodes: nothing is heard of them any more."""
        self._presence.doubt()
        self._presence.drop_unconfirmed(time.monotonic())

    def _presence_changed(self) -> None:
        self.send_state()
        self._bots.wake(self)

    def _publish_presence(self) -> None:
        """Tell the other nodes who is here, if that has changed."""
        if self._nodes.alone:
            return
        seated = {chair.guest for chair in self.session.chairs}
        near = self._presence.connected(seated | {self.session.host}).guests
        connected = Connected(near, self._presence.connected(seated).watchers, self._watching())
        if connected != self._published:
            self._published = connected
            self._nodes.publish_presence(self.id, connected)

    # --- telling ---

    def send_all(self) -> None:
        """Tell everybody what happened since the position that they have, and let a bot go on."""
        self._broadcast.send_positions()
        if self.session.phase == "over":
            self.send_state()
        self._bots.wake(self)

    def send_refusal(self, refusal: Refusal) -> None:
        """Tell everybody why it does not go on."""
        self._broadcast.send(messages.Refused(code=refusal.code, message=str(refusal)))

    def send_state(self) -> None:
        """Tell everybody who sits here and how things stand, if that has changed; a crowd hears of it soon."""
        self._broadcast.soon(self._send_to_everybody)

    def _send_to_everybody(self) -> None:
        self._publish_presence()
        self._send_state()
        self._remind()

    def _send_state(self, to: Iterable[Subscriber] | None = None) -> None:
        state = table_state(self.id, self.session, self._presence, time.monotonic())
        self._broadcast.send_state(state, lambda guest: state_for(guest, state, self.session, self._blocked), to)

    def _remind(self) -> None:
        """Tell it again as soon as somebody has been away for long enough that a bot may stand in."""
        if self._reminder is not None:
            self._reminder.cancel()
            self._reminder = None
        if self.session.slow is not None:
            return
        waited_for = [chair.guest for chair in self.session.chairs if chair.bot is None]
        soon = self._presence.next_gone(waited_for, time.monotonic())
        if soon is not None and self._broadcast.subscribers and self.session.phase in ("waiting", "playing"):
            self._reminder = asyncio.get_running_loop().call_later(soon + 0.01, self.send_state)
