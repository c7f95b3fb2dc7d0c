"""The game of a table and who plays it, made of the events that have happened.

Pure: no clock, no database, no random numbers. All chance follows from the secret and the nonces, so the same events
make the same session anywhere. What can be asked of it, and what happens then, is in `actions`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from bosquet.core.ending import How
from bosquet.core.game import Game
from bosquet.core.installed import spec
from bosquet.core.records import duel, fair
from bosquet.core.view import Move
from bosquet.server.base.engines import engine_of
from bosquet.server.base.messages import GameName
from bosquet.server.base.refusals import Refusal, as_unreadable
from bosquet.server.store.rows import Rows
from bosquet.server.table import messages
from bosquet.server.table.duels import Duel
from bosquet.server.table.kept_rows import read_rows
from bosquet.server.table.limits import TableLimits
from bosquet.server.table.messages import Assistance, Clock, First, Pace, Phase, Proposal, Slow

MARK_BYTES = 8
PROGRAM = "program"
"""What a record calls a bot that plays from outside."""


COLUMNS = frozenset(
    (
        "options",
        "box",
        "phase",
        "first",
        "pace",
        "assistance",
        "listed",
        "watched",
        "invitation",
        "secret",
        "host",
        "rematch",
        "previous",
        "deadline",
        "times",
        "since",
    )
    + ("daily", "barred", "chat", "hinted", "started", "ended")
)
"""What a session takes over from the row of its table as it is."""


class Happened(Protocol):
    """An event, as far as a session knows of it."""

    def apply(self, session: Session) -> None:
        """Change a session. Raises what `as_unreadable` turns into Unreadable if it can't have happened there."""


@dataclass(repr=False)
class Chair:
    """A seat of the table and who is on it."""

    bot: str | None = None
    name: str | None = None
    guest: str | None = None
    nonce: str | None = None
    hints: bool = False
    """Whether the guest has agreed to hints."""
    program: bool = False
    """Whether a program of the guest plays."""
    agrees: Proposal | None = None
    """What the guest proposes, or agrees to."""
    left: Literal["left", "resigned"] | None = None
    """How the one of this name has given the seat to its bot for the rest of the game."""
    left_by: str | None = None
    """The guest who has."""
    stood_in: bool = False
    """Whether a bot has ever stood in for the guest."""
    chat: bool = False
    """Whether the guest has the chat switched on."""
    away: str | None = None
    """Until when the guest is, or was, on vacation, as a slow table was told."""

    @classmethod
    def read(cls, row: dict[str, Any]) -> Chair:
        """Return a seat as the store keeps it."""
        return cls(**{column: row[column] for column in cls.__dataclass_fields__})

    def is_as(self, expected: dict[str, Any], seat: int) -> bool:
        """Return whether some columns have these values, on this seat."""
        return all((seat if column == "seat" else getattr(self, column)) == one for column, one in expected.items())

    def take_over(self, values: dict[str, Any]) -> None:
        """Change the columns that are kept here."""
        for column in values.keys() & self.__dataclass_fields__.keys():
            setattr(self, column, values[column])

    @property
    def bot_in_record(self) -> str | None:
        """Return the bot that the record names; None for a person, even if a bot stood in."""
        if self.guest is None:
            return self.bot
        return PROGRAM if self.program else None

    @property
    def taken(self) -> bool:
        """Return whether somebody sits here."""
        return self.bot is not None or self.guest is not None

    @property
    def ready(self) -> bool:
        """Return whether the game need not wait for this seat."""
        return self.bot is not None or self.nonce is not None


class LogEntry(NamedTuple):
    """One entry of the log: a move, a move of chance, or that a seat undid its last move."""

    seat: int | None
    """None for chance."""
    observed: list[Move]
    """The move as each seat may know it, and last as a spectator may; empty where none was made."""
    undo: bool = False
    ending: How | None = None
    """How the game ended here, other than by its rules."""

    def move(self, viewpoint: int | None) -> Move | None:
        """Return the move as a seat, or a spectator, may know it; None where none was made."""
        return self.observed[-1 if viewpoint is None else viewpoint] if self.observed else None


@dataclass(eq=False, repr=False)
class Session:
    """The game of one table and the people who play it."""

    name: GameName
    options: dict[str, Any]
    phase: Phase
    pace: Pace
    listed: bool
    invitation: str
    secret: str
    host: str | None
    """The guest who opened the table."""
    chairs: list[Chair]
    watched: bool = False
    """Whether anybody may watch, whom the lobby shows the way."""
    first: First = "lot"
    """How it is settled who begins."""
    box: dict[str, Any] | None = None
    """What is in the box of the game; None for that of the house."""
    assistance: Assistance = "full"
    """What is said of a move before it is made."""
    undos: int = TableLimits.undos
    """How many moves each seat may undo."""
    rematch: str | None = None
    previous: str | None = None
    """The finished table that this one follows."""
    duel: Duel | None = None
    """Which game of a duel it is; None for a game of its own."""
    slow: Slow | None = None
    """How slowly it is played; None at one sitting."""
    deadline: str | None = None
    """Until when the one who is to move has time, at a slow table."""
    clock: Clock | None = None
    """The clocks that were agreed; None at a table without."""
    times: list[int] | None = None
    """Milliseconds that each seat had left when its clock last stood; None before the deal, and without clocks."""
    since: str | None = None
    """From when on the clock of the seat to move runs; None while all stand."""
    daily: str | None = None
    """The day whose deal is played, which no seat adds to; None at another table."""
    barred: str = ""
    """The marks of those whom the host has sent away, with spaces between them."""
    chat: int = 0
    """How many lines the chat has."""
    hinted: bool | None = False
    """Whether a hint was given here."""
    returning: set[str] = field(default_factory=set)
    """Guests who have come back while a bot makes their turn at a slow table; they have the seat after it."""
    started: str | None = None
    ended: str | None = None
    game: Game | None = None
    """The game, once it is dealt."""
    log: list[LogEntry] = field(default_factory=list)
    """Everything that ever happened in the game."""
    _fresh: tuple[list[str | None], Game] | None = None
    """The game that some nonces give, until it is taken over."""

    @classmethod
    def read(cls, row: dict[str, Any], seats: list[dict[str, Any]], undos: int = TableLimits.undos) -> Session:
        """Return the session of a table as the store keeps it, without its moves. Raises Unreadable."""
        with as_unreadable():
            kept = read_rows(row, seats)
            if row["box"] is not None:
                spec(row["game"]).normalized_box(row["options"], row["box"])
        return cls(
            name=row["game"],
            chairs=[Chair.read(seat) for seat in seats],
            undos=undos,
            duel=kept.duel,
            slow=kept.slow,
            clock=kept.clock,
            **{column: row[column] for column in COLUMNS},
        )

    @property
    def number(self) -> int:
        """Return the number of the position: the length of the log."""
        return len(self.log)

    @property
    def nonces(self) -> list[str | None]:
        """Return what each seat added to the shuffle."""
        return [chair.nonce for chair in self.chairs]

    @property
    def resigned(self) -> list[int]:
        """Return the seats that have resigned in a game that goes on."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.left == "resigned"]

    @property
    def has_free_seat(self) -> bool:
        """Return whether a seat is free that can still be taken."""
        return self.phase == "waiting" and any(not chair.taken for chair in self.chairs)

    def seats_of(self, guest: str) -> list[int]:
        """Return the seats of a guest."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.guest == guest and guest]

    def is_person(self, guest: str) -> bool:
        """Return whether a guest plays here without a program."""
        return any(not self.chairs[seat].program for seat in self.seats_of(guest))

    def is_host(self, guest: str) -> bool:
        """Return whether a guest opened this table."""
        return self.host is not None and guest == self.host

    def mark(self, guest: str) -> str:
        """Return what stands for a guest where it must not be known who they are; see `mark_at`."""
        return mark_at(self.secret, guest)

    def is_barred(self, guest: str) -> bool:
        """Return whether the host has sent a guest away."""
        return bool(self.barred) and self.mark(guest) in self.barred.split()

    def chair_reads(self, seat: int) -> bool:
        """Return whether the person on a seat has the chat switched on."""
        chair = self.chairs[seat]
        return chair.chat and chair.guest is not None and not chair.program

    def reads_chat(self, guest: str) -> bool:
        """Return whether a guest sits here and has the chat switched on."""
        return any(self.chair_reads(seat) for seat in self.seats_of(guest))

    @property
    def may_have_hints(self) -> bool:
        """Return whether hints can be agreed to: not without assistance, at the deal of a day, or without an engine."""
        return self.assistance != "none" and self.daily is None and engine_of(self.name) is not None

    @property
    def hints_given(self) -> bool:
        """Return whether hints are given to those who sit here: all who play agreed.

        One person with full assistance need not. Who is away while a bot stands in counts as before.
        """
        if not self.may_have_hints:
            return False
        people = [chair for chair in self.chairs if not chair.program and (chair.bot is None or chair.guest)]
        alone = len({chair.guest for chair in people}) == 1
        return (alone and self.assistance == "full") or all(chair.hints for chair in people)

    def undos_left(self, seat: int) -> int:
        """Return how many moves a seat may still undo."""
        return self.undos - sum(entry.undo and entry.seat == seat for entry in self.log)

    def may_undo(self, seat: int | None) -> bool:
        """Return whether a seat may undo its last move now."""
        game = self.game
        if game is None or seat is None or game.seat != seat or not self.allows_undo:
            return False
        return game.can_undo and self.undos_left(seat) > 0

    @property
    def is_delayed(self) -> bool:
        """Return whether those who watch see the game later than it is played."""
        return self.watched and self.phase == "playing"

    @property
    def allows_undo(self) -> bool:
        """Return whether moves may be undone at this table: without assistance a move could be a question."""
        return self.assistance != "none"

    def dealt(self) -> Game:
        """Return the game. Raises Refusal before the deal."""
        if self.game is None:
            raise Refusal("not now", "the game has not begun; it does when everybody is here")
        return self.game

    def check_mine(self, guest: str, seat: int) -> None:
        """Check that a seat is this guest's. Raises Refusal."""
        if seat not in self.seats_of(guest):
            raise Refusal("not yours", "this seat is not yours")

    def record(self) -> dict[str, Any]:
        """Return the record of the finished game, with the proof of its deal. Raises Refusal while it runs."""
        game = self.dealt()
        if not game.over:
            raise Refusal("not now", "the record holds everything hidden; it is there when the game is over")
        left = [seat for seat, chair in enumerate(self.chairs) if chair.left == "left"]
        return game.record() | {
            "players": [chair.name for chair in self.chairs],
            "bots": [chair.bot_in_record for chair in self.chairs],
            "started": self.started,
            "ended": self.ended,
            **({"left": left} if left else {}),
            **({} if self.daily is None else {"daily": self.daily}),
            fair.KEY: fair.statement(self.secret, self.nonces),
            **self._duel_in_record(),
        }

    def _duel_in_record(self) -> dict[str, Any]:
        if self.duel is None:
            return {}
        return {duel.KEY: self.duel.in_record(fair.commitment(self.secret))}

    def duel_state(self) -> messages.DuelState | None:
        """Return how the duel stands, if this is a game of one."""
        return None if self.duel is None else self.duel.state(self.game)

    def next_duel(self, table: str) -> Duel | None:
        """Return what the next table keeps of a duel: its next game, or the first one of another duel."""
        if self.duel is None:
            return None
        game = self.dealt()
        if not self.duel.goes_on(game):
            return Duel(self.duel.games)
        return self.duel.after(table, fair.commitment(self.secret), game)

    @property
    def is_void(self) -> bool:
        """Return whether the game does not count."""
        return self.game is not None and self.game.is_void

    def apply(self, event: Happened) -> None:
        """Take over what has happened. Raises Unreadable if it can't have happened here."""
        with as_unreadable():
            event.apply(self)

    def take_over(self, rows: Rows) -> None:
        """Change what some rows say of the table and its seats. Raises LookupError if no seat is as they expect."""
        for column in rows.values.keys() & COLUMNS:
            setattr(self, column, rows.values[column])
        for change in rows.seats:
            found = [chair for seat, chair in enumerate(self.chairs) if chair.is_as(change.expected, seat)]
            if not found:
                raise LookupError("no seat is as expected")
            for chair in found:
                chair.take_over(change.values)

    def ensure_dealt(self) -> None:
        """Deal the game of a session that was read from where it is kept. Raises Unreadable if that can't be."""
        if self.game is None:
            self.game, self._fresh = self.deal(self.nonces), None

    def read_rows(self, row: dict[str, Any], chairs: list[Chair]) -> None:
        """Take over what is kept besides the journal: another process may have written it."""
        self.chairs = chairs
        for column in COLUMNS:
            setattr(self, column, row[column])

    def differs(self, row: dict[str, Any], chairs: list[Chair]) -> bool:
        """Return whether what is kept besides the journal is something else than this."""
        return self.chairs != chairs or any(getattr(self, column) != row[column] for column in COLUMNS)

    def deal(self, nonces: list[str | None]) -> Game:
        """Return the game that the secret and these nonces give. Raises Unreadable if that can't be."""
        if self._fresh is None or self._fresh[0] != nonces:
            with as_unreadable():
                open_part = self.duel.open if self.duel else None
                game = fair.deal(spec(self.name), self.options, self.secret, nonces, self.box, open_part)
                self._fresh = nonces, game
        return self._fresh[1]


def mark_at(secret: str, guest: str) -> str:
    """Return a text that stands for a guest at one table, and tells nobody who they are.

    It depends on the table's secret: at each table it is another one, so nobody can be followed from one to the next.
    """
    key = fair.commitment(secret).encode()
    return hashlib.blake2b(guest.encode(), digest_size=MARK_BYTES, key=key[:64]).hexdigest()
