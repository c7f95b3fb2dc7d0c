"""Everything that goes between the page and the server, typed in one place.

The page's types are generated from here (`python -m bosquet.server.typescript`). `Ask` is what a page may send over
the WebSocket of a table, `Tell` what it gets; the rest are bodies of HTTP requests and answers.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from bosquet.core.ending import How
from bosquet.core.errors import BosquetError
from bosquet.core.real_game import SeatNumber
from bosquet.core.view import Move, Sheet, View
from bosquet.lab.coach import Decision
from bosquet.lab.luck import Spread

GameName = Annotated[str, Meta(max_length=32, extra={"typescript": "GameName"})]
"""One of `bosquet.games.names()`; whoever uses it checks that."""
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Offer = Literal["end", "void"]
"""To end a game and count it as it stands, or to void it."""
Sign = Literal["hello", "well played", "thinking", "oops", "thanks"]
Pace = Literal["human", "instant"]
Assistance = Literal["full", "plain", "none"]
"""What a table shows before a move: also what it would score, only that it is legal, or nothing."""
Phase = Literal["waiting", "playing", "over", "closed"]
"""`closed` is a table whose host gave it up before the deal."""
Code = Literal[
    "malformed",
    "name",
    "illegal",
    "stale",
    "not yours",
    "not now",
    "no table",
    "unreadable",
    "no seat",
    "host away",
    "busy",
    "too large",
    "wrong origin",
    "unavailable",
    "bots away",
    "revoked",
    "no code",
    "other tables",
    "devices",
]
"""What kind of refusal it is, for the page to say in the reader's language; the message has the details."""


# --- what a page asks over HTTP ---


class SeatWish(Struct, forbid_unknown_fields=True):
    """Who is to sit on a seat of a new table."""

    kind: Literal["me", "here", "friend", "bot"]
    """`here` is somebody at the same screen, `friend` whoever comes by the link."""
    name: Name | None = None
    bot: Name | None = None


class NewTable(Struct, forbid_unknown_fields=True):
    """Open a table."""

    game: GameName
    options: dict[str, int | bool | str]
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=4)]
    listed: bool = False
    """Whether it waits in the lobby for anybody."""
    pace: Pace = "human"
    duel: bool = False
    """Whether as many games are played as there are seats, everybody on every seat, and total points decide."""
    box: dict[str, Any] | None = None
    """What is in the box, as a box file or the deal of a record says it; for games that have one."""
    assistance: Assistance | None = None
    """None is full for one person with bots, and plain among people."""


class GameOption(Struct):
    """An option of a game."""

    values: list[Any]
    default: Any
    players: list[int]
    """Numbers of players with which it may have another value than its default."""
    help: str | None
    """What it does where it has not its default, in English; None where that is plain."""


class GameInfo(Struct):
    """A game that can be played here."""

    name: GameName
    title: str
    players: list[int]
    """How many may play, the default first."""
    options: dict[str, GameOption]
    """All options but `players`, by name."""
    bots: list[str]
    """The bots that can sit at a table, the weakest first."""
    levels: int
    """How many of them are levels."""
    box: bool
    """Whether a table can be opened with another box than that of the house."""
    real_game: bool
    """Whether a game that was played at a real table can be counted."""
    queries: list[str]
    """What a seat may have worked out in its turn."""
    deck: list[list[str]] | None
    """The rows of each card of the game's own deck, card 1 first; None in a game whose cards have no rows.

    A view has rows only of another deck, which somebody brought.
    """


class Opened(Struct):
    """A table that was opened."""

    table: str


class Join(Struct, forbid_unknown_fields=True):
    """Take a free seat: of a listed table, or with the invitation that its host passed on."""

    name: Name
    invitation: Annotated[str, Meta(max_length=64)] | None = None
    program: bool = False
    """Whether a program plays, which everybody at the table is told. It needs an invitation."""


class Ending(Struct):
    """How a game ended other than by its rules."""

    how: How
    resigned: list[int]
    """The seats that had resigned; they can't win."""


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
    your_turn: bool
    assistance: Assistance
    opened: str
    ended: str | None
    scores: list[int] | None
    """How the game ended; None before that, of one that is void, and of games that ended before this was kept."""
    winners: list[int]
    duel: int | None
    """Which game of a duel it is, the first is 0; None for a game of its own."""
    ending: How | None
    """How it ended before its end by the rules; None where it did not."""


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


class Device(Struct):
    """A device of a guest."""

    number: int
    browser: str | None
    """None where it does not say, or says something unknown."""
    system: str | None
    here: bool
    """Whether it is the one that asks."""
    first_day: str
    """When it was first known, and when it was last there: `2026-11-22`."""
    last_day: str
    revoked: str | None
    """The day on which it was signed out."""


class OpenTransfer(Struct):
    """The code that a guest made last to be let in on another device."""

    seconds: int
    """For how long it can still be used; 0 once it has expired or was used."""
    claimed: int | None
    """The number of the device that came by it."""


class Identity(Struct):
    """A guest, as its own devices know it."""

    name: str | None
    devices: list[Device]
    phrase: str | None
    """The day on which the recovery phrase was made; None if there is none."""
    transfer: OpenTransfer | None


class Rename(Struct, forbid_unknown_fields=True):
    """What a guest is called from the next table on, on all its devices."""

    name: Name


class TransferCode(Struct):
    """A code by which another device becomes one of this guest: once, and for so many seconds."""

    code: str
    seconds: int


class LookAtTransfer(Struct, forbid_unknown_fields=True):
    """Who is it that this code makes one of my device?"""

    code: Annotated[str, Meta(max_length=64)]


class Arrival(Struct):
    """Whose device one becomes by a code."""

    name: str | None
    browser: str | None
    """The device that made the code."""
    system: str | None
    same: bool
    """Whether the asking device is one of this guest already."""


class ClaimTransfer(Struct, forbid_unknown_fields=True):
    """Let this device be one of the guest who made the code."""

    code: Annotated[str, Meta(max_length=64)]
    give_up: bool = False
    """Whether the device may lose its way to the tables at which it sits as another guest."""


class Recover(Struct, forbid_unknown_fields=True):
    """Let this device be one of the guest who made the recovery phrase."""

    phrase: Annotated[str, Meta(max_length=100)]
    give_up: bool = False
    """The same as of a code."""


class Phrase(Struct):
    """A new recovery phrase, which is told once."""

    phrase: str


class Revoke(Struct, forbid_unknown_fields=True):
    """Sign another device of mine out."""

    device: Annotated[int, Meta(ge=0, lt=1 << 53)]


class Kept(Struct):
    """All that is kept of a guest. The moves of a finished table are in its record."""

    tables: list[KeptTable]
    identity: Identity | None
    """None for a guest who has never looked after its devices."""


class Lobby(Struct):
    """What the start page lists."""

    waiting: list[Waiting]
    """Listed tables with a free seat whose host is here, or was a moment ago."""
    mine: list[Waiting]
    """Tables at which this guest sits: those that are over last, else the latest first."""


class Archive(Struct, forbid_unknown_fields=True):
    """Leave a table out of one's own list, or bring it back."""

    archived: bool


class Network(Struct):
    """Whether others in the local network can come; only a browser on the machine of the server is told."""

    offered: bool
    """Whether this browser may change it."""
    address: str | None
    """Where they find the page; None where they can't."""


class OpenNetwork(Struct, forbid_unknown_fields=True):
    """Let others in the local network in, or let them in no more."""

    open: bool


class Problem(Struct):
    """Why a request was refused, and what would be right."""

    code: Code
    message: str


# --- replays and real games ---


class ReplayRequest(Struct, forbid_unknown_fields=True):
    """Step through a record."""

    record: dict[str, Any]
    viewpoint: SeatNumber | Literal["all", "spectator"] = "all"


class Frame(Struct):
    """A position of a replay."""

    ply: int
    """How many moves of the record were made."""
    view: View
    seat: int | None
    """Who made the move that led here; None at the start and for chance."""
    say: str | None
    moves: list[Move]
    """The moves that led here as data: one, or those of a turn."""
    hands: list[list[str]] | None
    """Everybody's hand, where all is revealed."""
    revealed: dict[str, str] | None
    """What lies face down on the table, by cell, where all is revealed."""


class Replay(Struct):
    """A record, position by position."""

    game: GameName
    names: list[str]
    bots: list[str | None]
    """Which bot played on each seat, as far as the record says."""
    frames: list[Frame]
    sheet: Sheet
    ending: Ending | None
    """None where it ended by its rules and nobody had resigned, and where it runs."""


class AnalysisRequest(Struct, forbid_unknown_fields=True):
    """Have a finished game analysed: by the coach, or played again by bots. The answer is an `Analysis` a line."""

    record: dict[str, Any]


class AnalysisBegun(Struct, tag="begun"):
    """What is analysed, and how many steps that takes."""

    game: GameName
    names: list[str]
    bots: list[str | None]
    """Which bot played on each seat, as far as the record says."""
    steps: int


class AnalysisStep(Struct, tag="step"):
    """A step is done; of the coach's, one decision, the last of the game first."""

    done: int
    decision: Decision | None = None
    """None where there was nothing to decide, and where bots play."""


class Judged(Struct, tag="judged"):
    """What the decisions of a game come to, once all of them are known."""

    costliest: list[int]
    """Indices of the costliest decisions, of those that were sent in the order of the game, the costliest first."""
    lost: list[float]
    """Per seat the win chance that its decisions lost, 1 is a whole game; alone a hundredth for each point."""


class Receipt(Struct, tag="receipt"):
    """The same deal, played by bots: each seat's points, and how many of them the real score beats."""

    bot: str
    """Who played on every seat."""
    spreads: list[Spread]


class AnalysisFailed(Struct, tag="failed"):
    """An analysis that was begun ends here: it can be asked for again."""


Analysis = AnalysisBegun | AnalysisStep | Judged | Receipt | AnalysisFailed


# --- what a page asks over the WebSocket of a table ---


class Ready(Struct, tag="ready", forbid_unknown_fields=True):
    """I have seen the commitment; this goes into the shuffle."""

    nonce: Nonce


class Look(Struct, tag="look", forbid_unknown_fields=True):
    """Show the table from the viewpoint of this seat of mine; None as a spectator sees it."""

    seat: SeatNumber | None


class Play(Struct, tag="play", forbid_unknown_fields=True):
    """Make a move. `number` is that of the position in which it was chosen."""

    seat: SeatNumber
    number: Annotated[int, Meta(ge=0)]
    move: Annotated[str, Meta(max_length=200)]


class Undo(Struct, tag="undo", forbid_unknown_fields=True):
    """Take one's last move back."""

    seat: SeatNumber
    number: Annotated[int, Meta(ge=0)]


class React(Struct, tag="react", forbid_unknown_fields=True):
    """Say something without words."""

    seat: SeatNumber
    sign: Sign


class SetPace(Struct, tag="pace", forbid_unknown_fields=True):
    """Let the bots of this table move at a human pace, or at once."""

    pace: Pace


class AskSheet(Struct, tag="sheet", forbid_unknown_fields=True):
    """Where do the points come from so far?"""


class AskQuery(Struct, tag="query", forbid_unknown_fields=True):
    """Work something out of what my seat sees: one of the queries that the game has, by its name."""

    seat: SeatNumber
    query: Annotated[str, Meta(max_length=32)]
    argument: msgspec.Raw
    """What the query takes: `Queries` of the page has its type."""


class AskHint(Struct, tag="hint", forbid_unknown_fields=True):
    """What would be best for my seat now, from what it sees?"""

    seat: SeatNumber


class AllowHints(Struct, tag="hints", forbid_unknown_fields=True):
    """Whether I agree that hints are given at this table."""

    allow: bool


class Rematch(Struct, tag="rematch", forbid_unknown_fields=True):
    """The same people again, seats rotated."""


class GiveSeat(Struct, tag="give", forbid_unknown_fields=True):
    """Let a bot have a free seat, or stand in for somebody who has been away for long, until they come back.

    In the waiting room this is for the host to ask, at a running game for anybody who plays.
    """

    seat: SeatNumber
    bot: Name
    name: Name
    """What the bot is called on a free seat."""


class CloseTable(Struct, tag="close", forbid_unknown_fields=True):
    """Give the table up before the deal; for its host to ask."""


class Resign(Struct, tag="resign", forbid_unknown_fields=True):
    """Give the game up for a seat of mine.

    The game ends where one seat is left, or nobody who plays; else a bot plays on there, and this seat can't win.
    """

    seat: SeatNumber


class Leave(Struct, tag="leave", forbid_unknown_fields=True):
    """Leave a seat of mine to a bot for the rest of the game."""

    seat: SeatNumber
    bot: Name


class Agree(Struct, tag="agree", forbid_unknown_fields=True):
    """Offer to end the game or to void it, or agree to that.

    It ends once all agree: to an end those who play now, to void it those, too, for whom a bot stands in.
    """

    offer: Offer


class Decline(Struct, tag="decline", forbid_unknown_fields=True):
    """Decline what was offered, or take one's own offer back."""


Ask = (
    Ready
    | Look
    | Play
    | Undo
    | React
    | SetPace
    | AskSheet
    | AskQuery
    | AskHint
    | AllowHints
    | Rematch
    | GiveSeat
    | CloseTable
    | Resign
    | Leave
    | Agree
    | Decline
)


# --- what a page is told over it ---


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
    agrees: Offer | None = None
    """What its person offers, or agrees to."""
    left: Literal["left", "resigned"] | None = None
    """How the person of this name gave the seat to the bot for the rest of the game."""


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
    commitment: str
    """SHA-256 of the secret that the deal is made of, shown before anybody adds to the shuffle."""
    invitation: str | None
    """To be passed on by those who sit here and by the host, while a seat is free."""
    listed: bool
    rematch: str | None
    """The table where it goes on."""
    duel: DuelState | None
    """None for a game of its own."""
    ending: Ending | None
    """How the game ended other than by its rules."""
    assistance: Assistance
    hints: bool
    """Whether hints and the answers to queries are given to those who sit here.

    They are where all who play agreed, and to one person at a table with full assistance; never at one with none.
    """


class LogEntry(Struct):
    """A move as the viewer may know it, or that one was taken back."""

    number: int
    seat: int | None
    """None for chance, and where the game was ended by all."""
    say: str
    move: Move | None
    """The same as data; None where a move was taken back, and at an end."""
    undo: bool = False
    ending: How | None = None
    """How the game ended here, other than by its rules."""


class Position(Struct, tag="position"):
    """The position now, and what happened since the last one that the page has."""

    number: int
    viewpoint: int | None
    entries: list[LogEntry]
    view: View
    undo: bool
    """Whether the viewer may take its last move back."""


class ScoreSheet(Struct, tag="sheet"):
    """Where the points come from."""

    sheet: Sheet


class Answered(Struct, tag="answered"):
    """The answer to a query in a position."""

    seat: int
    number: int
    query: str
    answer: Any
    """What the query gives: `Queries` of the page has its type."""


class Hinted(Struct):
    """Something that could be played."""

    moves: list[str]
    """The choice, and what follows it in the same turn where that was thought of together."""
    data: list[Move]
    """The same moves as data."""
    win: float | None
    """Chance to win, 0 … 1; None alone."""
    points: float
    """Expected points at the end."""


class Hint(Struct, tag="hint"):
    """The best choices in a position, the best first."""

    seat: int
    number: int
    choices: list[Hinted]


class Proof(Struct, tag="proof"):
    """The secret of a finished game, so that anybody can deal it again."""

    secret: str
    nonces: list[str | None]


class Reacted(Struct, tag="reacted"):
    """Somebody said something without words."""

    seat: int
    sign: Sign


class Why(Struct):
    """Why a move is illegal, for a page that says it in its own language."""

    key: str
    """Which sentence it is, in a word of the game."""
    about: dict[str, str]
    """What the sentence names: cells, pawns, cards."""


class Refused(Struct, tag="refused"):
    """What was asked can't be done, and why; nothing has changed."""

    code: Code
    message: str
    why: Why | None = None
    """The rule that a move breaks, as far as the game says it in this way."""


Tell = TableState | Position | ScoreSheet | Answered | Hint | Proof | Reacted | Refused

Decoded = TypeVar("Decoded")


def decoded(decoder: msgspec.json.Decoder[Decoded], body: bytes) -> Decoded:
    """Return what the body of a request says. Raises BosquetError."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BosquetError(f"the body is not what is asked for: {error}") from None


ASKS: msgspec.json.Decoder[Ask] = msgspec.json.Decoder(Ask)
ENCODER = msgspec.json.Encoder()
