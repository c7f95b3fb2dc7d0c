"""Messages of a table: what pages ask over HTTP, and what they are sent. What they ask of a table is in `actions`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from bosquet.core.ending import How
from bosquet.core.real_game import SeatNumber
from bosquet.core.view import Move, Sheet, View
from bosquet.server.base.messages import Code, Ending, GameName, Name, Shown, Why
from bosquet.server.table.outcomes import EndedHow

LINE_LENGTH = 200
"""A line of a chat is at most this long."""
Proposal = Literal["end", "void"]
"""To end a game and count it as it stands, or to void it."""
Pace = Literal["human", "instant"]
Assistance = Literal["full", "plain", "none"]
"""What a table shows before a move: also what it would score, only that it is legal, or nothing."""
First = Literal["lot", "chosen", "open"]
"""Who begins: drawn by lot, chosen by somebody of the table, or still to be said before the deal."""
Phase = Literal["waiting", "playing", "over", "closed"]
"""`closed` is a table whose host gave it up before the deal."""


class SeatWish(Struct, forbid_unknown_fields=True):
    """Who is to sit on a seat of a new table."""

    kind: Literal["me", "here", "friend", "bot"]
    """`here` is somebody at the same screen, `friend` is somebody who comes by the link."""
    name: Name | None = None
    bot: Name | None = None


class Slow(Struct, frozen=True, forbid_unknown_fields=True):
    """A slow table: each turn has a number of days, after which a bot stands in."""

    days: Literal[1, 3, 7]
    bot: Name
    until_back: bool = False
    """Whether the bot plays on until the one who was late comes back; else it makes the turn that is on alone."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock for each seat, at a table that is played at one sitting."""

    minutes: Annotated[int, Meta(ge=1, le=180)]
    """Minutes that each seat has for the whole game."""
    increment: Annotated[int, Meta(ge=0, le=180)] = 0
    """Seconds that a seat gets back when it has passed the turn on."""
    bot: Name | None = None
    """The bot that plays on for a seat whose time is up; None where the seat then has resigned."""


class NewTable(Struct, forbid_unknown_fields=True):
    """Open a table."""

    game: GameName
    options: dict[str, int | bool | str]
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=4)]
    listed: bool = False
    """Whether it waits in the lobby for anybody."""
    watched: bool = False
    """Whether the lobby lists it for anybody to watch while it is played; all who sit down are told."""
    pace: Pace = "human"
    first: SeatNumber | Literal["lot", "open"] = "lot"
    """Which of `seats` begins, and so is seat 0; the others follow in this order.

    `open` leaves it to those who sit down: they say it before anybody adds to the shuffle. At a listed table it is
    drawn by lot.
    """
    duel: bool = False
    """Whether as many games are played as there are seats, everybody on every seat, and total points decide."""
    box: dict[str, Any] | None = None
    """What is in the box, as a box file or the deal of a record says it; for games that have one."""
    assistance: Assistance | None = None
    """None is full for one person with bots, and plain among people."""
    slow: Slow | None = None
    """None is a table that is played at one sitting."""
    clock: Clock | None = None
    """None is a table without clocks, as every slow one is."""


class Opened(Struct):
    """A table that was opened."""

    table: str


class Waiting(Struct):
    """A table in the lobby, or one of one's own."""

    table: str
    game: GameName
    options: dict[str, Any]
    names: list[str | None]
    """Who sits where; None is a free seat."""
    bots: list[str | None]
    """Which bot has the seat; None where a person has it, though a bot stands in, or nobody."""
    phase: Phase
    mine: bool
    turn: int | None
    """The seat that is to move, while a game is played."""
    your_turn: bool
    """Whether it is to move for the one who asks, and no bot stands in."""
    assistance: Assistance
    opened: str
    ended: str | None
    scores: list[int] | None
    """How the game ended; None before that, and of one that is void."""
    winners: list[int]
    duel: int | None
    """Which game of a duel it is, the first is 0; None for a game of its own."""
    ending: EndedHow | None
    """How it ended before its end by the rules; None where it did not."""
    slow: Slow | None
    """How slowly it is played; None at one sitting."""
    deadline: str | None
    """Until when the one who is to move has time, at a slow table; None while a bot moves."""
    daily: str | None = None
    """The day whose deal is played; None at another table."""
    clock: Clock | None = None
    """The clocks of its seats; None where there are none."""


class TurnsWaiting(Struct):
    """How many slow tables wait for a guest."""

    waiting: int
    """Those at which it is the guest's turn."""
    slow: int
    """All at which the guest sits whose game is not over."""


class KeptTable(Struct):
    """What is kept of a guest at one table."""

    table: str
    game: str
    phase: str
    host: bool
    """Whether the guest opened it."""
    seats: list[int]
    names: list[str]
    """What the guest is called there."""
    opened: str
    ended: str | None


class KeptLine(Struct):
    """A line of the chat of a table that is kept of a guest."""

    table: str
    text: str
    at: str
    """When it was written, or on which day reported."""
    reported: bool
    """Whether the guest has reported it; else the guest wrote it."""


class Invitation(Struct, forbid_unknown_fields=True):
    """Ask whether an invitation to a table is the right one."""

    invitation: Annotated[str, Meta(max_length=64)]


class Archive(Struct, forbid_unknown_fields=True):
    """Leave a table out of one's own list, or bring it back."""

    archived: bool


class Seat(Struct):
    """A seat of a table, as everybody sees it."""

    kind: Literal["human", "bot"]
    name: str | None
    """None while it is free."""
    ready: bool
    here: bool
    """Whether somebody is connected; bots always are."""
    bot: str | None = None
    """The bot of the server that plays; None for a person and for somebody's own program."""
    stands_in: bool = False
    """Whether the bot only stands in for the one of this name, until they come back."""
    gone: bool = False
    """Whether they have been away for so long that a bot may stand in."""
    hints: bool = False
    """Whether its person agreed to hints."""
    agrees: Proposal | None = None
    """What its person proposes, or agrees to."""
    left: Literal["left", "resigned"] | None = None
    """How the person of this name gave the seat to the bot for the rest of the game."""
    chat: bool = False
    """Whether its person has the chat switched on."""
    away: str | None = None
    """Until when its person is, or was, on vacation, at a slow table."""


class DuelState(Struct):
    """How a duel stands."""

    game: int
    """Which game is played at this table; the first is 0."""
    games: int
    over: bool
    """Whether the duel has ended with the game of this table."""
    points: list[int]
    """Total points of the player on each seat of this table, in all games that are over."""
    winners: list[int]
    """The seats of those who won the duel, once it is over; nobody if all resigned."""
    tables: list[str]
    """The tables of the games before."""


class Times(Struct):
    """The clocks of a table whose game was dealt."""

    left: list[int]
    """Milliseconds that each seat had left when its clock last stood; 0 where its time was called."""
    since: str | None
    """Since when the clock of the seat to move runs, or from when on it will; None while all stand."""
    now: str = ""
    """What the clock of the server said when this was sent."""


class TableState(Struct, tag="table"):
    """Who sits here, and how things stand; sent whenever that changes."""

    table: str
    game: GameName
    options: dict[str, Any]
    phase: Phase
    seats: list[Seat]
    mine: list[int]
    """The viewer's own seats."""
    host: bool
    """Whether the viewer opened the table."""
    pace: Pace
    watchers: int
    first: First
    """How it is settled who begins the first of several games; in each further one everybody is one seat further."""
    commitment: str
    """SHA-256 of the secret that the deal is made of, shown before anybody adds to the shuffle."""
    invitation: str | None
    """To be passed on by those who sit here and by the host, while a seat is free."""
    listed: bool
    rematch: str | None
    """The table where it goes on; None again if that is closed before its game begins."""
    previous: str | None
    """The finished table that this one follows."""
    duel: DuelState | None
    """None for a game of its own."""
    ending: Ending | None
    """How the game ended other than by its rules."""
    assistance: Assistance
    hints: bool
    """Whether hints are given to those who sit here.

    They are where all who play agreed, and to one person at a table with full assistance; never at one with none.
    """
    slow: Slow | None
    """How slowly it is played; None at one sitting."""
    deadline: str | None
    """Until when the one who is to move has time, at a slow table; None while a bot moves."""
    daily: str | None = None
    """The day whose deal is played: no seat adds to its shuffle. None at another table."""
    clock: Clock | None = None
    """The clocks that were agreed; None at a table without."""
    times: Times | None = None
    """What the clocks say; None before the deal, and for those who see the game later."""
    delay: float | None = None
    """By how many seconds those who watch see the game later, at a table that the lobby lists for them; else None."""


class LogEntry(Struct):
    """A move as the viewer may know it, or that one was undone."""

    number: int
    seat: int | None
    """None for chance, and where the game was ended by all."""
    say: str
    move: Move | None
    """The same as data; None where a move was undone, and at an end."""
    undo: bool = False
    ending: How | None = None
    """How the game ended here, other than by its rules."""


class Position(Struct, tag="position"):
    """What the viewer sees now, and what happened since the last position that the page has."""

    number: int
    viewpoint: int | None
    entries: list[LogEntry]
    view: View
    undo: bool
    """Whether the viewer may undo its last move."""


class Known(Struct, tag="known"):
    """The same, for a page whose engine is the server's: it works out the view from what the viewer knows.

    A game that ended other than by its rules has a `Position`.
    """

    number: int
    viewpoint: int | None
    entries: list[LogEntry]
    position: str
    """What the viewer knows, as the text of a position."""
    undo: bool
    """Whether the viewer may undo its last move."""


class Renew(Struct, tag="renew"):
    """The engine that the page has is not the server's, so it is sent views. It has the right one when loaded again."""


class ScoreSheet(Struct, tag="sheet"):
    """Where the points come from."""

    sheet: Sheet


class Proof(Struct, tag="proof"):
    """The secret of a finished game, so that anybody can deal it again."""

    secret: str
    nonces: list[str | None]


class Reacted(Struct, tag="reacted"):
    """Somebody said something without words, or was given a hint by its page."""

    seat: int
    sign: Shown


class ChatLine(Struct):
    """A line of the chat of a table."""

    number: int
    seat: int
    name: str
    """What its author was called then."""
    text: str
    at: str


class Chat(Struct, tag="chat"):
    """Lines of the chat; sent to those who sit here and have it switched on, again when they connect again."""

    lines: list[ChatLine]


class Reported(Struct, tag="reported"):
    """A line of the chat was reported."""

    number: int


class Watcher(Struct):
    """Somebody who watches, as the host of the table knows them."""

    id: str
    """What stands for them at this table; at another one it is something else."""
    name: str | None
    """What they are called, of somebody with whom the host has played; None of others."""


class Watchers(Struct, tag="watchers"):
    """Who watches: 50 people at most, those with names first."""

    watchers: list[Watcher]


class Refused(Struct, tag="refused"):
    """What was asked can't be done, and why; nothing has changed."""

    code: Code
    message: str
    why: Why | None = None
    """The rule that a move breaks, as far as the game says it in this way."""
    wait: float | None = None
    """Seconds after which it may be asked for again, where too much was asked."""


Tell = TableState | Position | Known | Renew | ScoreSheet | Proof | Reacted | Watchers | Chat | Reported | Refused
