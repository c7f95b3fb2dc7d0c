"""Everything that goes between the page and the server, typed in one place.

The page's types are generated from here (`python -m bosquet.server.typescript`). `Ask` is what a page may send over
the WebSocket of a table, `Tell` what it gets; the rest are bodies of HTTP requests and answers.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from bosquet.core.errors import BosquetError
from bosquet.core.view import Sheet, View
from bosquet.lab.coach import Decision
from bosquet.lab.luck import Spread

GameName = Literal["topiary", "topas", "schlossgarten"]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Sign = Literal["hello", "well played", "thinking", "oops", "thanks"]
Pace = Literal["human", "instant"]
Phase = Literal["waiting", "playing", "over", "closed"]
"""`closed` is a table whose host gave it up before the deal."""
Code = Literal[
    "malformed",
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
    options: dict[str, int | bool]
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=4)]
    listed: bool = False
    """Whether it waits in the lobby for anybody."""
    pace: Pace = "human"


class Opened(Struct):
    """A table that was opened."""

    table: str


class Join(Struct, forbid_unknown_fields=True):
    """Take a free seat: of a listed table, or with the invitation that its host passed on."""

    name: Name
    invitation: Annotated[str, Meta(max_length=64)] | None = None


class Waiting(Struct):
    """A table in the lobby, or one of one's own."""

    table: str
    game: GameName
    options: dict[str, Any]
    names: list[str | None]
    """Who sits where; None is a free seat."""
    phase: Phase
    mine: bool
    your_turn: bool
    opened: str
    ended: str | None
    scores: list[int] | None
    """How the game ended; None before that, and of games that ended before this was kept."""
    winners: list[int]


class Lobby(Struct):
    """What the start page lists."""

    waiting: list[Waiting]
    """Listed tables with a free seat whose host is here, or was a moment ago."""
    mine: list[Waiting]
    """Tables at which this guest sits: those that are over last, else the latest first."""


class Shelve(Struct, forbid_unknown_fields=True):
    """Leave a table out of one's own list, or bring it back."""

    shelved: bool


class Problem(Struct):
    """Why a request was refused, and what would be right."""

    code: Code
    message: str


# --- replays and real games ---


class ReplayRequest(Struct, forbid_unknown_fields=True):
    """Step through a record."""

    record: dict[str, Any]
    eyes: SeatNumber | Literal["all", "spectator"] = "all"


class Frame(Struct):
    """A position of a replay."""

    ply: int
    """How many moves of the record were made."""
    view: View
    seat: int | None
    """Who made the move that led here; None at the start and for chance."""
    say: str | None
    hands: list[list[str]] | None
    """Everybody's hand, where all is revealed."""
    under: dict[str, str] | None
    """Topiary: the face-down tiles by cell, where all is revealed."""


class Replay(Struct):
    """A record, position by position."""

    game: GameName
    names: list[str]
    frames: list[Frame]
    sheet: Sheet


class StudyRequest(Struct, forbid_unknown_fields=True):
    """Have a finished game studied: by the coach, or played again by bots. The answer is a `Study` a line."""

    record: dict[str, Any]


class StudyBegun(Struct, tag="begun"):
    """What is studied, and how many steps that takes."""

    game: GameName
    names: list[str]
    steps: int


class StudyStep(Struct, tag="step"):
    """A step is done; of the coach's, one decision."""

    done: int
    decision: Decision | None = None
    """None where there was nothing to decide, and where bots play."""


class Judged(Struct, tag="judged"):
    """What the decisions of a game come to, once all of them are told."""

    costliest: list[int]
    """Indices of the costliest decisions of those told, the costliest first."""
    lost: list[float]
    """Per seat the win chance that its decisions lost, 1 is a whole game; alone a hundredth for each point."""


class Receipt(Struct, tag="receipt"):
    """The same deal, played by bots: each seat's points, and how many of them the real score beats."""

    bot: str
    """Who played on every seat."""
    spreads: list[Spread]


class StudyFailed(Struct, tag="failed"):
    """A study that was begun ends here: it can be asked for again."""


Study = StudyBegun | StudyStep | Judged | Receipt | StudyFailed


class RealVisitor(Struct, forbid_unknown_fields=True):
    """A visitor of a real game."""

    seat: SeatNumber
    line: Annotated[str, Meta(max_length=8)]


class RealTopiary(Struct, forbid_unknown_fields=True, tag="topiary", tag_field="game"):
    """What lies on a real table at the end of Topiary."""

    players: Annotated[int, Meta(ge=2, le=4)]
    garden: Annotated[dict[str, str], Meta(max_length=25)]
    """Cell to face-up tile."""
    visitors: Annotated[list[RealVisitor], Meta(max_length=48)]
    hands: Annotated[list[list[str]], Meta(max_length=4)]


class RealTopas(Struct, forbid_unknown_fields=True, tag="topas", tag_field="game"):
    """What was laid on a real table of Topas, in order; the first card starts the table.

    Alone, eight cards make a column, and the first of them starts its table.
    """

    players: Annotated[int, Meta(ge=1, le=4)]
    expert: bool
    placements: Annotated[list[str], Meta(max_length=32)]
    """Notation: card, square of its first half, heading of its second."""
    card: Annotated[str, Meta(max_length=8)] | None = None
    """The card to be laid next: its legal placements are then in `view.moves`."""


class RealElement(Struct, forbid_unknown_fields=True):
    """An element in the garden of a real game."""

    seat: SeatNumber
    kind: Literal["G1", "G2", "G3", "A1", "A2", "A3"]


class RealSchlossgarten(Struct, forbid_unknown_fields=True, tag="schlossgarten", tag_field="game"):
    """What counts in a real game of Schlossgarten: tiles kept and elements in the garden."""

    players: Annotated[int, Meta(ge=2, le=4)]
    kept: Annotated[list[list[Annotated[int, Meta(ge=1, le=3)]]], Meta(max_length=4)]
    """Per seat the values of the tiles it keeps."""
    elements: Annotated[list[RealElement], Meta(max_length=24)]


RealGame = RealTopiary | RealTopas | RealSchlossgarten


class Counted(Struct):
    """A real game, counted.

    For Topas `view` shows the table and where its next card may lie, for Topiary what every visitor sees and how many
    are left.
    """

    sheet: Sheet
    view: View | None


# --- what a page asks over the WebSocket of a table ---


class Ready(Struct, tag="ready", forbid_unknown_fields=True):
    """I have seen the commitment; this goes into the shuffle."""

    nonce: Nonce


class Look(Struct, tag="look", forbid_unknown_fields=True):
    """Show the table with the eyes of this seat of mine; None as a spectator sees it."""

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


class AskReach(Struct, tag="reach", forbid_unknown_fields=True):
    """Schlossgarten: which figures of this card can I form with the steps I have?"""

    seat: SeatNumber
    card: Annotated[int, Meta(ge=1, le=32)]


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


Ask = (
    Ready
    | Look
    | Play
    | Undo
    | React
    | SetPace
    | AskSheet
    | AskReach
    | AskHint
    | AllowHints
    | Rematch
    | GiveSeat
    | CloseTable
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
    stands_in: bool = False
    """Whether the bot only stands in for the one of this name, until they come back."""
    gone: bool = False
    """Whether they have been away for so long that a bot may stand in."""
    hints: bool = False
    """Whether its person agreed to hints."""


class TableNews(Struct, tag="table"):
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
    hints: bool
    """Whether hints are given to those who sit here: there is one person, or all of them agreed."""


class Told(Struct):
    """A move as the viewer may know it, or that one was taken back."""

    number: int
    seat: int | None
    """None for chance."""
    say: str
    undo: bool = False


class Position(Struct, tag="position"):
    """The position now, and what happened since the last one that the page has."""

    number: int
    eyes: int | None
    told: list[Told]
    view: View
    undo: bool
    """Whether the viewer may take its last move back."""


class SheetNews(Struct, tag="sheet"):
    """Where the points come from."""

    sheet: Sheet


class Work(Struct):
    """What a subject in a figure could do: dig one of these, build one of these sites."""

    pawn: str
    digs: list[str]
    builds: list[list[str]]


class Figure(Struct):
    """A figure that can be formed: where its pawns stand, the steps there, and what it gives."""

    pawns: dict[str, str]
    foreign: list[str]
    """The marks whose pawn is another player's."""
    path: list[str]
    """Moves, in order."""
    works: list[Work]
    points: int
    """The most that building there scores at once."""


class Reach(Struct, tag="reach"):
    """The figures of a card that can be formed now."""

    card: int
    number: int
    figures: list[Figure]


class Hinted(Struct):
    """Something that could be played."""

    moves: list[str]
    """In Schlossgarten the rest of the turn."""
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


class Refused(Struct, tag="refused"):
    """What was asked can't be done, and why; nothing has changed."""

    code: Code
    message: str


Tell = TableNews | Position | SheetNews | Reach | Hint | Proof | Reacted | Refused

Decoded = TypeVar("Decoded")


def decoded(decoder: msgspec.json.Decoder[Decoded], body: bytes) -> Decoded:
    """What the body of a request says. Raises BosquetError."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BosquetError(f"the body is not what is asked for: {error}") from None


ASKS: msgspec.json.Decoder[Ask] = msgspec.json.Decoder(Ask)
ENCODER = msgspec.json.Encoder()
