"""A live table: the game that lies on it, the people around it, and what each of them is told.

Whatever happens is checked, committed to the journal, and told only then. All of it is in the journal: a table can be
forgotten at any time and read again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Container, Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec
import structlog

from bosquet import bots
from bosquet.core import fair
from bosquet.core.errors import BosquetError, IllegalMove
from bosquet.core.game import Game
from bosquet.core.view import View
from bosquet.games import rules
from bosquet.server import messages
from bosquet.server.fanout import Fanout
from bosquet.server.limits import Limits
from bosquet.server.messages import Code, Told
from bosquet.server.store import Conflict, Entry, Store, now
from bosquet.server.workers import Planned, Workers, choose

PACE = {"topiary": 1.0, "topas": 1.2, "schlossgarten": 0.6}
"""Seconds that a bot takes for a decision at a human pace."""
AGAIN = 2.0
"""Seconds until a bot tries again to which something happened: its process died, or the disk was full."""
CROWD = 40
"""More listeners than a household or a club has are a crowd: every one that comes would be told to every other."""
CROWD_PAUSE = 1.0
"""Seconds in which a crowd is told at most once how things stand; four thousand are told in a tenth of that."""
KEPT_POSITIONS = 16
"""Encoded positions that a table keeps: of four seats and a spectator, for those who have the last and the one before.

A page may say that it has any position, and what it missed can be a whole game: not all of that can be kept.
"""
GONE = 120.0
"""Seconds after which somebody who left is not waited for any more: a bot may stand in, a table is not listed."""
NOTHING = -1
REPLAY_CHUNK = 16
"""Entries of a journal that are replayed before the loop of the server has its turn again."""

log = structlog.get_logger()


class Refusal(Exception):  # noqa: N818  (the word of the page)
    """What was asked can't be done; nothing has changed."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code


def check_bot(bot: str | None) -> str:
    """The name of a bot. Raises Refusal."""
    if bot not in bots.NAMES:
        raise Refusal("malformed", f"a bot seat needs a bot: {', '.join(bots.NAMES)}")
    return bot


class Listener(Protocol):
    """Somebody connected to a table."""

    guest: str
    eyes: int | None
    """The seat as which it sees the table."""
    number: int
    """The number of the position that it has, or NOTHING."""

    def tell(self, message: bytes) -> None:
        """Send a message soon; never waits."""


@dataclass(repr=False)
class Chair:
    """A seat of the table and who is on it."""

    bot: str | None = None
    name: str | None = None
    guest: str | None = None
    nonce: str | None = None

    @classmethod
    def read(cls, row: dict[str, Any]) -> Chair:
        """A seat as the store keeps it."""
        return cls(row["bot"], row["name"], row["guest"], row["nonce"])

    @property
    def taken(self) -> bool:
        """Whether somebody sits here."""
        return self.bot is not None or self.guest is not None

    @property
    def ready(self) -> bool:
        """Whether the game need not wait for this seat."""
        return self.bot is not None or self.nonce is not None


class Line(NamedTuple):
    """One entry of the log, as spectators may know it, and those seats that may know more."""

    seat: int | None
    say: str
    says: dict[int, str]
    undo: bool = False

    def told(self, number: int, eyes: int | None) -> Told:
        """The entry for one viewer."""
        say = self.say if eyes is None else self.says.get(eyes, self.say)
        return Told(number=number, seat=self.seat, say=say, undo=self.undo)


@dataclass(eq=False, repr=False)
class Table:
    """One table."""

    id: str
    name: messages.GameName
    options: dict[str, Any]
    phase: messages.Phase
    pace: messages.Pace
    listed: bool
    invitation: str
    secret: str
    host: str | None
    """The guest who opened it."""
    chairs: list[Chair]
    store: Store
    fanout: Fanout
    workers: Workers
    undos: int = Limits.undos
    """How many moves each seat may take back."""
    rematch: str | None = None
    started: str | None = None
    ended: str | None = None
    game: Game | None = None
    lines: list[Line] = field(default_factory=list)
    """The log; its length is the number of the position."""
    listeners: set[Listener] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bot: asyncio.Task[None] | None = None
        self._agreed: set[str] = set()
        """The guests who agreed to hints."""
        self._ahead: Planned = []
        """What a bot has planned for the rest of its turn."""
        self._made: dict[tuple[int | None, int], bytes] = {}
        """Positions that were made already for viewers with the same eyes and the same gap."""
        self._sheet: bytes | None = None
        self._heard: dict[Listener, messages.TableNews] = {}
        """How things stood when each listener was told."""
        self._news_due: asyncio.TimerHandle | None = None
        self._since = time.monotonic()
        """When the table was read: nobody is known to have been away for longer."""
        self._seen: dict[str, float] = {}
        """When the host and those who sit here were seen last, as far as they are not here."""
        self._reminder: asyncio.TimerHandle | None = None

    # --- reading and dealing ---

    @property
    def number(self) -> int:
        """The number of the position: of all that ever happened at this table."""
        return len(self.lines)

    @property
    def nonces(self) -> list[str | None]:
        """What each seat added to the shuffle."""
        return [chair.nonce for chair in self.chairs]

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing goes on."""
        return not self.listeners and not self._tasks and (self._bot is None or self._bot.done())

    def _deal(self, nonces: dict[int, str | None]) -> Game:
        """The game that the secret and the nonces of the seats give. Raises Refusal if that can't be."""
        added = [nonces[seat] for seat in range(len(self.chairs))]
        with self._reading():
            return fair.deal(rules(self.name), self.options, self.secret, added)

    async def read(self) -> None:
        """Replay the journal, and deal if a crash came between the last nonce and the deal."""
        async with self._lock:
            if self.phase in ("waiting", "closed"):
                await self._start({})
                return
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Replay what the journal has beyond the position. Raises Refusal if that can't be. The lock is held."""
        entries = (await self.store.read_journal(self.id))[self.number :]
        if self.game is None:
            self.game = self._deal(dict(enumerate(self.nonces)))
        with self._reading():
            for i, entry in enumerate(entries):
                self._replay(entry)
                if i % REPLAY_CHUNK == REPLAY_CHUNK - 1:
                    await asyncio.sleep(0)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Make something of what is kept. Raises Refusal where that can't be."""
        try:
            yield
        except (ValueError, LookupError) as error:
            # Not what the error says: that may be somebody's hand.
            log.error("a table can't be read", table=self.id[:6], number=self.number, error=type(error).__name__)
            raise Refusal("unreadable", "what is kept of this table can't be read; open another one") from None

    def _replay(self, entry: Entry) -> None:
        game = self._dealt()
        match entry.kind:
            case "move":
                self.lines.append(self._line(game, entry.text))
                game.play(entry.text)
            case "chance":
                game.play(entry.text)
                self.lines.append(Line(None, entry.text.split()[0], {}))
            case "undo":
                self.lines.append(Line(game.seat, "", {}, undo=True))
                game.undo()

    # --- what people ask ---

    async def play(self, guest: str, ask: messages.Play) -> None:
        """Make a move. Raises Refusal."""
        await self._safely(self._play(guest, ask))

    async def _play(self, guest: str, ask: messages.Play) -> None:
        async with self._lock:
            self._check_turn(guest, ask.seat, ask.number)
            await self._make(ask.move)
        self._announce()

    async def undo(self, guest: str, ask: messages.Undo) -> None:
        """Take the last move back. Raises Refusal."""
        await self._safely(self._undo(guest, ask))

    async def _undo(self, guest: str, ask: messages.Undo) -> None:
        async with self._lock:
            game = self._check_turn(guest, ask.seat, ask.number)
            if not self._undos_left(ask.seat):
                raise Refusal("not now", f"this seat has taken {self.undos} moves back; that is all for this game")
            trial = game.copy()
            try:
                trial.undo()
            except BosquetError as error:
                raise Refusal("not now", str(error)) from None
            await self._commit(trial, [Entry("undo", "")], [Line(ask.seat, "", {}, undo=True)])
        self._announce()

    def _undos_left(self, seat: int) -> bool:
        return sum(line.undo and line.seat == seat for line in self.lines) < self.undos

    async def join(self, guest: str, name: str, invitation: str | None) -> None:
        """Take a free seat. Raises Refusal."""
        async with self._lock:
            if any(chair.guest == guest for chair in self.chairs):
                return
            free = [seat for seat, chair in enumerate(self.chairs) if not chair.taken]
            if self.phase == "closed":
                raise Refusal("no seat", "the host has closed this table")
            if not free:
                raise Refusal("no seat", "every seat is taken; you can watch")
            if invitation != self.invitation:
                if not self.listed:
                    raise Refusal("no seat", "these seats are for those who have the invitation; ask for the link")
                if not self._inviting:
                    raise Refusal("host away", "nobody is at this table; choose another one")
            async with self._racing():
                await self.store.take_seat(self.id, free[0], guest, name)
            self.chairs[free[0]].guest, self.chairs[free[0]].name = guest, name
        self.tell_news()

    async def ready(self, guest: str, nonce: str) -> None:
        """Add to the shuffle for all seats of a guest; deal once everybody has."""
        async with self._lock:
            missing = [seat for seat in self.seats_of(guest) if self.chairs[seat].nonce is None]
            if not missing:
                return
            await self._start(dict.fromkeys(missing, nonce))
        self.tell_news()
        self._announce()

    async def start(self) -> None:
        """Deal at once if nobody has to be waited for, as at a table of bots."""
        async with self._lock:
            await self._start({})

    async def _start(self, nonces: dict[int, str]) -> None:
        """Keep some nonces, and deal if these were the last that were missing. The lock is held."""
        if self.phase != "waiting":
            return
        complete = all(chair.taken and (chair.ready or seat in nonces) for seat, chair in enumerate(self.chairs))
        game = self._deal({**dict(enumerate(self.nonces)), **nonces}) if complete else None
        started = now()
        async with self._racing():
            if game is not None:
                await self.store.add_nonces(self.id, nonces, phase="playing", started=started, turn=game.seat)
            elif nonces:
                await self.store.add_nonces(self.id, nonces)
        for seat, nonce in nonces.items():
            self.chairs[seat].nonce = nonce
        if game is not None:
            self.game, self.phase, self.started = game, "playing", started
            log.info("dealt", table=self.id[:6], game=self.name)

    async def give(self, guest: str, seat: int, bot: str, name: str) -> None:
        """Let a bot have a free seat, or stand in for somebody who has been away for long. Raises Refusal."""
        check_bot(bot)
        async with self._lock:
            chair = self._check_giving(guest, seat)
            if chair.guest is not None:
                name = chair.name or name
            async with self._racing():
                await self.store.give_seat(self.id, seat, chair.guest, bot, name)
            chair.bot, chair.name = bot, name
            log.info("given to a bot", table=self.id[:6], seat=seat)
            await self._start({})
        self.tell_news()
        self._announce()

    def _check_giving(self, guest: str, seat: int) -> Chair:
        """The seat that somebody wants to give to a bot. Raises Refusal."""
        allowed = {"waiting": self.is_host(guest), "playing": bool(self.seats_of(guest))}
        if self.phase not in allowed:
            raise Refusal("not now", "nobody plays here any more")
        if not allowed[self.phase]:
            raise Refusal("not yours", "before the deal its host gives seats away, then those who play")
        if seat >= len(self.chairs):
            raise Refusal("no seat", f"there is no seat {seat}; this table has the seats 0 to {len(self.chairs) - 1}")
        chair = self.chairs[seat]
        if chair.bot is not None:
            raise Refusal("not now", "a bot sits there already")
        if chair.guest is not None and not self._gone(chair, self._here()):
            raise Refusal("not now", f"{chair.name} is here, or was in the last {GONE / 60:g} minutes")
        return chair

    async def _take_back(self, guest: str) -> None:
        """Whoever comes back has their seats again, if bots stood in."""
        async with self._lock:
            chairs = [self.chairs[seat] for seat in self.seats_of(guest)]
            if any(chair.bot is not None for chair in chairs):
                await self.store.take_back(self.id, guest)
                for chair in chairs:
                    chair.bot = None

    async def close(self, guest: str) -> None:
        """Give the table up before the deal. Raises Refusal."""
        async with self._lock:
            if not self.is_host(guest):
                raise Refusal("not yours", "its host can close a table")
            if self.phase != "waiting":
                raise Refusal("not now", "the game has begun")
            async with self._racing():
                await self.store.close_table(self.id)
            self.phase = "closed"
            log.info("closed", table=self.id[:6])
        self.tell_news()

    async def set_pace(self, guest: str, pace: messages.Pace) -> None:
        """Let bots move at a human pace, or at once. Raises Refusal."""
        if not self.seats_of(guest):
            raise Refusal("not yours", "only those who sit here set the pace")
        if pace == self.pace:
            return
        await self.store.update_table(self.id, pace=pace)
        self.pace = pace
        self.tell_news()

    def react(self, guest: str, ask: messages.React) -> None:
        """Show a sign to everybody. Raises Refusal."""
        self._check_mine(guest, ask.seat)
        message = messages.ENCODER.encode(messages.Reacted(seat=ask.seat, sign=ask.sign))
        for listener in list(self.listeners):  # one that does not keep up leaves at once
            listener.tell(message)

    def look(self, listener: Listener, seat: int | None) -> None:
        """See the table with other eyes of one's own. Raises Refusal."""
        if seat is not None:
            self._check_mine(listener.guest, seat)
        listener.eyes = seat
        self.tell_position(listener, again=True)

    def tell_sheet(self, listener: Listener) -> None:
        """Where the points come from so far. Raises Refusal where that is not open."""
        game = self._dealt()
        if game.view(None).scores is None:
            raise Refusal("not now", "the points of this game are counted when it is over")
        listener.tell(self._sheet_news())

    def _sheet_news(self) -> bytes:
        if self._sheet is None:
            self._sheet = messages.ENCODER.encode(messages.SheetNews(sheet=self._dealt().score_sheet()))
        return self._sheet

    def own_view(self, guest: str, seat: int) -> Any:
        """The view of a seat, for something to be worked out of it for its owner. Raises Refusal."""
        self._check_mine(guest, seat)
        return self._dealt().view(seat)

    @property
    def hints(self) -> bool:
        """Whether hints are given here: one person plays, or all of them agreed."""
        people = {chair.guest for chair in self.chairs if chair.bot is None}
        return len(people) == 1 or people <= self._agreed

    def allow_hints(self, guest: str, allow: bool) -> None:
        """Agree to hints, or no longer; kept while the table is in memory only. Raises Refusal."""
        if not self.seats_of(guest):
            raise Refusal("not yours", "only those who sit here agree to hints")
        if allow:
            self._agreed.add(guest)
        else:
            self._agreed.discard(guest)
        self.tell_news()

    def hint_view(self, guest: str, seat: int) -> View:
        """The view of a seat that is to move, to find a hint in. Raises Refusal."""
        view: View = self.own_view(guest, seat)
        if view.seat != seat:
            raise Refusal("not now", "it is not this seat's turn")
        if not self.hints:
            raise Refusal("not now", "hints are given when everybody who sits here agrees to them")
        return view

    # --- telling ---

    async def attach(self, listener: Listener) -> None:
        """Somebody connects: tell how things stand and what happened since the position that they have."""
        if self.seats_of(listener.guest):
            self.saw(listener.guest)  # from now on nobody can give their seats to a bot
            await self._take_back(listener.guest)
        mine = self.seats_of(listener.guest)
        listener.eyes = mine[0] if len(mine) == 1 else None
        self.listeners.add(listener)
        self._tell_news([listener])
        self.tell_news()
        if self.game is None:
            listener.number = NOTHING
        else:
            self.tell_position(listener, again=True)
        self.wake_bot()

    def detach(self, listener: Listener) -> None:
        """Somebody is gone."""
        self.listeners.discard(listener)
        self._heard.pop(listener, None)
        self.saw(listener.guest)
        if not self.listeners:
            self._made.clear()
        self.tell_news()

    def saw(self, guest: str) -> None:
        """Remember that somebody was here now."""
        if self.is_host(guest) or self.seats_of(guest):
            self._seen[guest] = time.monotonic()

    def invites(self, guest: str) -> bool:
        """Whether there is a free seat that somebody could take who does not sit here yet."""
        return self._free and self._inviting and not self.seats_of(guest)

    @property
    def _free(self) -> bool:
        """Whether a seat is free that can still be taken."""
        return self.phase == "waiting" and any(not chair.taken for chair in self.chairs)

    @property
    def _inviting(self) -> bool:
        """Whether it waits for players, and its host is here or was a moment ago."""
        if self.phase != "waiting" or self.host is None:
            return False
        if any(listener.guest == self.host for listener in self.listeners):
            return True
        return self.host in self._seen and time.monotonic() - self._seen[self.host] < GONE

    def _here(self) -> Counter[str]:
        """On how many pages each guest is here."""
        return Counter(listener.guest for listener in self.listeners)

    def _away(self, chair: Chair, here: Container[str]) -> float:
        """For how long the one who has this seat has been away."""
        if chair.guest is None or chair.guest in here:
            return 0.0
        return time.monotonic() - self._seen.get(chair.guest, self._since)

    def _gone(self, chair: Chair, here: Container[str]) -> bool:
        """Whether a bot may stand in for the one who has this seat."""
        return self.phase in ("waiting", "playing") and chair.bot is None and self._away(chair, here) >= GONE

    def tell_news(self) -> None:
        """Tell everybody who sits here and how things stand, if that has changed; a crowd hears of it soon."""
        if len(self.listeners) <= CROWD:
            self._tell_everybody()
        elif self._news_due is None:
            self._news_due = asyncio.get_running_loop().call_later(CROWD_PAUSE, self._tell_crowd)

    def _tell_crowd(self) -> None:
        self._news_due = None
        self._tell_everybody()

    def _tell_everybody(self) -> None:
        self._tell_news(self.listeners)
        self._remind()

    def _remind(self) -> None:
        """Tell it again as soon as somebody has been away for long enough that a bot may stand in."""
        if self._reminder is not None:
            self._reminder.cancel()
            self._reminder = None
        here = self._here()
        away = [self._away(chair, here) for chair in self.chairs if chair.bot is None]
        soon = [GONE - seconds for seconds in away if 0 < seconds < GONE]
        if soon and self.listeners and self.phase in ("waiting", "playing"):
            self._reminder = asyncio.get_running_loop().call_later(min(soon) + 0.01, self.tell_news)

    def _tell_news(self, listeners: Collection[Listener]) -> None:
        """Tell some how things stand, those for whom it is new. What is the same for many is made once."""
        news = self._news()
        made: dict[str | None, bytes] = {}
        known = {self.host, *(chair.guest for chair in self.chairs)}
        for listener in list(listeners):
            if self._heard.get(listener) == news:
                continue
            self._heard[listener] = news
            guest = listener.guest if listener.guest in known else None
            if guest not in made:
                made[guest] = messages.ENCODER.encode(self._news_for(guest, news))
            listener.tell(made[guest])

    def _news(self) -> messages.TableNews:
        """How things stand, for those who watch."""
        here = self._here()
        return messages.TableNews(
            table=self.id,
            game=self.name,
            options=self.options,
            phase=self.phase,
            seats=[
                messages.Seat(
                    kind="bot" if chair.bot else "human",
                    name=chair.name,
                    ready=chair.taken and chair.ready,
                    here=chair.bot is not None or chair.guest in here,
                    bot=chair.bot,
                    stands_in=chair.bot is not None and chair.guest is not None,
                    gone=self._gone(chair, here),
                    hints=chair.guest in self._agreed,
                )
                for chair in self.chairs
            ],
            mine=[],
            host=False,
            pace=self.pace,
            watchers=here.total() - sum(here[guest] for guest in {chair.guest for chair in self.chairs} if guest),
            commitment=fair.commitment(self.secret),
            invitation=None,
            listed=self.listed,
            rematch=self.rematch,
            hints=self.hints,
        )

    def _news_for(self, guest: str | None, news: messages.TableNews) -> messages.TableNews:
        """How things stand, for the host or somebody who sits here; None watches."""
        if guest is None:
            return news
        invitation = self.invitation if self._free else None
        mine, host = self.seats_of(guest), self.is_host(guest)
        return msgspec.structs.replace(news, mine=mine, host=host, invitation=invitation)

    def tell_all(self) -> None:
        """Tell everybody what happened since the position that they have."""
        for listener in list(self.listeners):
            self.tell_position(listener)
        self.wake_bot()

    def tell_position(self, listener: Listener, again: bool = False) -> None:
        """Tell one what happened; `again` even if nothing did."""
        if self.game is None or (listener.number == self.number and not again):
            return
        # A page that claims to have more than there is starts anew.
        since = listener.number if NOTHING < listener.number <= self.number else 0
        listener.tell(self._position(listener.eyes, since))
        listener.number = self.number
        if self.phase == "over":
            proof = messages.Proof(secret=self.secret, nonces=self.nonces)
            listener.tell(self._sheet_news())
            listener.tell(messages.ENCODER.encode(proof))

    def _position(self, eyes: int | None, since: int) -> bytes:
        key = eyes, since
        if key not in self._made:
            if len(self._made) >= KEPT_POSITIONS:
                del self._made[next(iter(self._made))]
            game = self._dealt()
            told = [line.told(since + i, eyes) for i, line in enumerate(self.lines[since:])]
            position = messages.Position(
                number=self.number,
                eyes=eyes,
                told=told,
                view=game.view(eyes),
                undo=eyes is not None and eyes == game.seat and game.can_undo and self._undos_left(eyes),
            )
            self._made[key] = messages.ENCODER.encode(position)
        return self._made[key]

    # --- bots ---

    def wake_bot(self) -> None:
        """Let a bot think whose turn it is."""
        game = self.game
        if game is None or game.seat is None or self.chairs[game.seat].bot is None:
            return
        if self._bot is None or self._bot.done():
            self._bot = asyncio.create_task(self._think())

    async def _think(self) -> None:
        """Make the moves of bots until somebody else is to move."""
        while (game := self.game) is not None and game.seat is not None:
            bot = self.chairs[game.seat].bot
            if bot is None:
                return
            try:
                await self._move_of(bot, game, game.seat)
            except Exception:
                log.exception("a bot could not move; it tries again", table=self.id[:6])
                await asyncio.sleep(AGAIN)
            self._announce()

    async def _move_of(self, bot: str, game: Game, seat: int) -> None:
        """Have a bot choose, and make its move if nobody was quicker."""
        number = self.number
        waiting = asyncio.create_task(asyncio.sleep(PACE[self.name] if self.pace == "human" else 0))
        view = game.view(seat)
        if not self._ahead or self._ahead[0][0] != msgspec.json.encode(view):
            self._ahead = await self.workers.run(choose, bot, view)
        _, move = self._ahead.pop(0)
        await waiting
        async with self._lock:
            if self.number == number and self.chairs[seat].bot == bot:  # whom it stood in for may be back
                await self._make(move)

    # --- inside ---

    async def _make(self, move: str) -> None:
        """Check and commit a move and the chance that follows it. The lock is held."""
        game = self._dealt()
        trial = game.copy()
        try:
            trial.play(move)
        except IllegalMove as error:
            raise Refusal("illegal", str(error)) from None
        entries, lines = [Entry("move", move)], [self._line(game, move)]
        while trial.chance_due:
            text = fair.roll(trial, self.secret, self.nonces)
            entries.append(Entry("chance", text))
            lines.append(Line(None, text.split()[0], {}))
        await self._commit(trial, entries, lines)

    async def _commit(self, trial: Game, entries: list[Entry], lines: list[Line]) -> None:
        """Write the journal; only then is it so."""
        ended = now() if trial.over else None
        values: dict[str, Any] = {}
        if trial.seat != self._dealt().seat:
            values["turn"] = trial.seat
        if ended:
            values |= {"phase": "over", "ended": ended}
            values["result"] = {"scores": trial.scores, "winners": trial.winners}
        async with self._racing():
            await self.store.append(self.id, self.number, entries, **values)
        self.game = trial
        self.lines += lines
        self._made.clear()
        self._sheet = None
        if ended:
            self.phase, self.ended = "over", ended

    @contextlib.asynccontextmanager
    async def _racing(self) -> AsyncIterator[None]:
        """Write something that another process may have written first. Raises Refusal then. The lock is held."""
        try:
            yield
        except Conflict:
            await self._read_again()
            raise Refusal("stale", "somebody else was quicker; look at the table again") from None

    async def _read_again(self) -> None:
        """Another process wrote: take over what it wrote. The lock is held."""
        found = await self.store.read_table(self.id)
        assert found is not None, "tables are never deleted"
        row, seats = found
        self.chairs = [Chair.read(seat) for seat in seats]
        self.phase, self.started, self.ended = row["phase"], row["started"], row["ended"]
        self.pace, self.rematch = row["pace"], row["rematch"]
        if self.phase in ("playing", "over"):
            await self._catch_up()
        self._made.clear()
        self._sheet = None
        self.tell_news()
        self._announce()

    def _announce(self) -> None:
        self.fanout.announce(self.id)

    def _line(self, game: Game, move: str) -> Line:
        say = game.told_of(move, None)
        own = {seat: game.told_of(move, seat) for seat in range(game.players)}
        return Line(game.seat, say, {seat: text for seat, text in own.items() if text != say})

    def _dealt(self) -> Game:
        if self.game is None:
            raise Refusal("not now", "the game has not begun; it does when everybody is here")
        return self.game

    def _check_turn(self, guest: str, seat: int, number: int) -> Game:
        self._check_mine(guest, seat)
        game = self._dealt()
        if game.over:
            raise Refusal("not now", "the game is over")
        if number != self.number:
            raise Refusal("stale", "the position has changed; look at the table again")
        if game.seat != seat:
            raise Refusal("not now", "it is not this seat's turn")
        return game

    def _check_mine(self, guest: str, seat: int) -> None:
        if seat not in self.seats_of(guest):
            raise Refusal("not yours", "this seat is not yours")

    def seats_of(self, guest: str) -> list[int]:
        """The seats of a guest."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.guest == guest and guest]

    def is_host(self, guest: str) -> bool:
        """Whether a guest opened this table."""
        return self.host is not None and guest == self.host

    async def _safely(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something to its end even if whoever asked for it is gone meanwhile."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.shield(task)

    def record(self) -> dict[str, Any]:
        """The record of the finished game, with the proof of its deal. Raises Refusal while it runs."""
        game = self._dealt()
        if not game.over:
            raise Refusal("not now", "the record holds everything hidden; it is there when the game is over")
        return game.record() | {
            "players": [chair.name for chair in self.chairs],
            "started": self.started,
            "ended": self.ended,
            fair.KEY: fair.statement(self.secret, self.nonces),
        }
