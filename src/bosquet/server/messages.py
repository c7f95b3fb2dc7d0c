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
from bosquet.core.view import Entry, Move, Sheet, View
from bosquet.lab.coach import Decision
from bosquet.lab.luck import Spread
from bosquet.lab.puzzle_files import Grade, PuzzleTask

GameName = Annotated[str, Meta(max_length=32, extra={"typescript": "GameName"})]
"""One of `bosquet.games.names()`; whoever uses it checks that."""
Name = Annotated[str, Meta(min_length=1, max_length=24)]
LINE_LENGTH = 200
"""A line of a chat is at most this long."""
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
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
    "no person",
    "other tables",
    "devices",
    "hidden",
    "barred",
]
"""What kind of refusal it is, for the page to say in the reader's language; the message has the details."""


# --- what a page asks over HTTP ---


class SeatWish(Struct, forbid_unknown_fields=True):
    """Who is to sit on a seat of a new table."""

    kind: Literal["me", "here", "friend", "bot"]
    """`here` is somebody at the same screen, `friend` whoever comes by the link."""
    name: Name | None = None
    bot: Name | None = None


class Slow(Struct, frozen=True, forbid_unknown_fields=True):
    """A table is played when everybody has time: each turn has so many days. Then a bot stands in."""

    days: Literal[1, 3, 7]
    bot: Name
    until_back: bool = False
    """Whether the bot plays on until the one who was late comes back; else it makes the turn that is on alone."""


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
    slow: Slow | None = None
    """None is a table that is played at one sitting."""


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


class FindTable(Struct, forbid_unknown_fields=True):
    """Play with anybody: take a seat at a table that waits for that, or open one."""

    name: Name
    game: GameName | None = None
    """None is any; then none is opened."""
    players: int | None = None
    """None is any number; where a table is opened, the usual one of the game."""


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
    ending: How | None
    """How it ended before its end by the rules; None where it did not."""
    slow: Slow | None
    """How slowly it is played; None at one sitting."""
    deadline: str | None
    """Until when the one who is to move has time, at a slow table; None while a bot moves."""
    daily: str | None = None
    """The day whose deal is played; None at another table."""


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


Hour = Annotated[int, Meta(ge=0, lt=24)]
Base64 = Annotated[str, Meta(max_length=100, pattern="^[A-Za-z0-9_-]+=*$")]


Language = Literal["en", "fr", "es", "de"]


class QuietHours(Struct, forbid_unknown_fields=True):
    """The hours in which a guest gets no notice: from `start` to `end`, over midnight if `end` is not after `start`."""

    start: Hour | None
    """None for no quiet hours; then `end` is None, too."""
    end: Hour | None
    zone: Annotated[str, Meta(max_length=64)]
    """The guest's time zone, as `Europe/Berlin`."""


class MailSettings(Struct):
    """Where a guest gets notices by e-mail."""

    address: str | None
    state: Literal["none", "waiting", "confirmed", "refused"]
    """Whether there is an address and it was confirmed. A mail server has `refused` it: nobody gets mail there."""


class NoticeSettings(Struct):
    """Which notices a guest gets."""

    key: str
    """The public key of this server, with which a browser subscribes at its push service."""
    here: bool
    """Whether this device gets notices."""
    devices: int
    """How many devices of the guest get them."""
    quiet: QuietHours | None
    """None where nothing was ever sent to the guest."""
    mail: MailSettings | None
    """None where this server sends no mail."""


class Subscribe(Struct, forbid_unknown_fields=True):
    """Send notices to this device: what its push service has given to the browser."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Base64
    auth: Base64
    language: Language
    zone: Annotated[str, Meta(max_length=64)]


class Unsubscribe(Struct, forbid_unknown_fields=True):
    """Send no more notices: to this device, or to none of mine and not by e-mail either."""

    all: bool


class SetMail(Struct, forbid_unknown_fields=True):
    """Send notices to this address, too, once it is confirmed by the link in a mail that is sent there now."""

    address: Annotated[str, Meta(max_length=254)]
    language: Language
    zone: Annotated[str, Meta(max_length=64)]


class ConfirmMail(Struct, forbid_unknown_fields=True):
    """Send mail to the address to which this code was sent."""

    code: Annotated[str, Meta(max_length=64)]


class KeptMail(Struct):
    """Where notices are mailed."""

    address: str
    state: Literal["waiting", "confirmed", "refused"]
    language: str
    since: str
    """The day on which it was given, confirmed or refused."""


class KeptNotices(Struct):
    """What is kept of a guest who gets notices."""

    settings: NoticeSettings
    endpoints: list[str]
    """The push services of its devices."""
    waiting: list[str]
    """The tables of which the guest is to be told next."""
    mail: KeptMail | None
    """None for a guest who wants no mail."""


NoticeKind = Literal["turn", "reminder", "stood in"]


class NoticeTable(Struct):
    """A table at which it is somebody's turn, or to which they are invited, as a notice names it.

    There is nothing of the game itself in it.
    """

    table: str
    title: str
    """What the game is called."""
    deadline: int | None
    """Until when, in seconds since 1970."""
    invited: bool = False
    """Whether somebody invites the guest there; else it is about the guest's turn."""
    kind: NoticeKind = "turn"
    """Whether it is the guest's turn, still is and has to be made soon, or was made by a bot."""


class Notice(Struct):
    """What a browser is sent through its push service, encrypted."""

    language: str
    tables: list[NoticeTable]
    """The first of them."""
    total: int
    invited: int = 0
    """How many of all of them are invitations."""
    stood_in: int = 0
    """At how many of them a bot has played."""


Outcome = Literal["won", "shared", "lost", "left", "void", "alone", "together"]
"""What a game came to for a seat: `left` where its guest left the game to a bot, `alone` in a game for one, `together`
where a guest has several seats at one screen."""


class HistoryRequest(Struct, forbid_unknown_fields=True, rename={"since": "from", "until": "to"}):
    """Which finished games of one's own are meant: the parameters of an address."""

    game: GameName | None = None
    players: Annotated[int, Meta(ge=1, le=4)] | None = None
    opponent: Annotated[str, Meta(max_length=24)] | None = None
    """A part of the name of another person who played."""
    bot: Annotated[str, Meta(max_length=32)] | None = None
    """A bot that played."""
    outcome: Outcome | None = None
    since: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$", max_length=10)] | None = None
    """The first day, and the last one, both UTC."""
    until: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$", max_length=10)] | None = None
    before: Annotated[str, Meta(max_length=80)] | None = None
    """The `next` of the page of the list before."""


class PlayedSeat(Struct):
    """A seat of a finished game."""

    name: str | None
    """None of somebody who was erased."""
    bot: str | None
    """The bot that played; None of a person, also where a bot played on."""
    program: bool
    mine: bool
    score: int | None
    place: int | None
    """1 for each winner; None in a game that is void, or for one player."""


class PlayedGame(Struct):
    """A finished game of one's own."""

    table: str
    game: str
    options: dict[str, Any]
    seats: list[PlayedSeat]
    seat: int
    """One's own; the first one where these are several."""
    outcome: Outcome
    assistance: Assistance
    duel: int | None
    """Which game of a duel it is, the first is 0; None for a game of its own."""
    ending: How | None
    """How it ended before its end by the rules; None where it did not."""
    started: str | None
    ended: str
    cost: float | None
    """What the coach says that one's decisions cost, as `Judged.lost`; None where it has not looked at the game."""
    decisions: int | None
    """How many they were, without those that were forced."""
    kept: bool
    """Whether its moves are still there."""


class History(Struct):
    """A page of one's finished games, the latest first."""

    games: list[PlayedGame]
    next: str | None
    """What the next page is asked for with; None where this is the last one."""


class Tally(Struct):
    """How games went that are decided: won, shared or lost. Who shares a win has half of it in a rate."""

    games: int
    won: int
    shared: int


class GameTotals(Struct):
    """One's games of one kind, by the number of players."""

    game: str
    players: int
    games: int
    """All of them, whatever they came to."""
    tally: Tally
    scored: int
    """Games that ended by their rules, of which best and mean are."""
    best: int | None
    mean: float | None
    weighed: int
    """Games that the coach has looked at, and what one's decisions cost there on average."""
    cost: float | None


class LevelTotals(Struct):
    """One's games in which a bot played."""

    game: str
    bot: str
    tally: Tally


class SeatTotals(Struct):
    """One's games on a seat; seat 0 begins."""

    game: str
    players: int
    seat: int
    tally: Tally


class OpponentTotals(Struct):
    """One's games with another person."""

    name: str
    """What the person was called last."""
    tally: Tally


class HistorySummary(Struct):
    """What one's finished games come to."""

    games: int
    outcomes: dict[str, int]
    """How many there are of each outcome."""
    totals: list[GameTotals]
    levels: list[LevelTotals]
    seats: list[SeatTotals]
    opponents: list[OpponentTotals]
    """The people with whom one has played most."""


class PlottedGame(Struct):
    """A finished game of one's own in a plot."""

    table: str
    ended: str
    score: int
    cost: float | None


class WishRating(Struct, forbid_unknown_fields=True):
    """Turn my ratings on, for games that begin from now on, or off, which deletes them."""

    wanted: bool


class Rating(Struct):
    """A guest's rating in a game."""

    game: str
    rating: int
    spread: int
    """Within so many points of it the skill lies, in 95 of 100 cases."""
    provisional: bool
    """Whether that is too much for the leaderboard."""
    games: int
    """How many games have changed it."""


class RatedGame(Struct):
    """What a game changed of a guest's rating."""

    table: str
    game: str
    ended: str
    rating: int
    """After it, as the spread."""
    spread: int
    change: int


class RatingRow(Struct):
    """A line of a leaderboard."""

    name: str | None
    bot: str | None
    """The level whose strength this is, measured; None of a guest."""
    rating: int
    spread: int | None
    """None of a level, as the number of games."""
    games: int | None
    mine: bool


class Leaderboard(Struct):
    """The guests with the best ratings in a game, and the levels of the bots among them."""

    game: str
    rows: list[RatingRow]
    guests: int
    """How many guests have an established rating, whether they are listed or not."""


class Ratings(Struct):
    """One's own ratings, and the leaderboards."""

    since: str | None
    """When one turned the ratings on: games that began after that count. None where one wants none."""
    mine: list[Rating]
    boards: list[Leaderboard]


class GameRating(Struct):
    """What a game changed of one's own rating, or why it did not."""

    verdict: Literal["counted", "soon", "unwanted", "full", "hinted", "own box", "ended", "alone", "nobody"]
    """`soon` where it is still to be looked at; `nobody` where there was nobody to be compared with."""
    game: RatedGame | None = None
    provisional: bool = False


PersonId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16}$", max_length=16)]
"""How a guest names another person: drawn for these two, so that two guests can't compare theirs."""


class Person(Struct):
    """Somebody with whom one has played."""

    id: str
    name: str
    """What the person is called now."""
    games: int
    """How many games that have ended one has played with the person, of the latest ones."""
    game: str
    """The last of them: its game, its table, and when it ended."""
    table: str
    ended: str
    invited: bool = False
    """Whether one has invited the person to the table for which the list was asked."""
    here: bool = False
    """Whether the person is here now, or was within a minute, and lets it be seen."""


class People(Struct):
    """The people with whom one has played, those of the latest games first."""

    people: list[Person]
    blocked: list[Person]
    """Those whom one has blocked; they are not among the others."""
    shown: bool = False
    """Whether one lets these people see that one is here."""


class BlockPerson(Struct, forbid_unknown_fields=True):
    """Block somebody, or do so no longer.

    Then neither sees the other in its list, no invitation passes, and the one who is blocked can't come to an open
    table of the one who blocks without its link.
    """

    person: PersonId
    blocked: bool


class ShowMe(Struct, forbid_unknown_fields=True):
    """Let the people with whom one has played see that one is here, or no longer."""

    shown: bool


class InvitePerson(Struct, forbid_unknown_fields=True):
    """Invite somebody to a table that one has opened and that still has a free seat.

    The answer does not say whether it arrives: who has blocked the host is not told of it.
    """

    person: PersonId
    table: Annotated[str, Meta(max_length=32)]


class AnswerInvitation(Struct, forbid_unknown_fields=True):
    """Accept an invitation, which takes a free seat of the table, or decline it, which its host is not told.

    `block` declines it and blocks its host.
    """

    table: Annotated[str, Meta(max_length=32)]
    answer: Literal["accept", "decline", "block"]
    name: Name | None = None
    """What one is called at the table; needed to accept."""


class Invited(Struct):
    """An invitation to a table that waits."""

    name: str
    """Who invites."""
    table: Waiting


class KeptInvitation(Struct):
    """An invitation that is kept of a guest."""

    table: str
    sent: bool
    """Whether the guest made it; else it was made to the guest."""
    made: str


class KeptLine(Struct):
    """A line of the chat of a table that is kept of a guest."""

    table: str
    text: str
    at: str
    """When it was written, or on which day reported."""
    reported: bool
    """Whether the guest has reported it; else the guest wrote it."""


class KeptPerson(Struct):
    """Somebody with whom a guest has played, as it is kept for the guest."""

    id: str
    name: str
    blocked: bool


class KeptRatings(Struct):
    """What is kept of a guest who wants ratings."""

    since: str
    ratings: list[Rating]
    games: list[RatedGame]


class KeptPuzzle(Struct):
    """The first answer of a guest to the puzzle of a day."""

    game: str
    day: str
    solved: bool


class Kept(Struct):
    """All that is kept of a guest. The moves of a finished table are in its record."""

    tables: list[KeptTable]
    games: list[PlayedGame]
    identity: Identity | None
    """None for a guest who has never looked after its devices."""
    notices: KeptNotices | None
    """None for a guest who gets none."""
    ratings: KeptRatings | None
    """None for a guest who wants none."""
    daily: list[KeptDaily]
    puzzles: list[KeptPuzzle] = []
    people: list[KeptPerson] = []
    invitations: list[KeptInvitation] = []
    shown: bool = False
    """Whether the guest lets the people with whom it has played see that it is here."""
    chat: list[KeptLine] = []
    """What the guest has written to chats of tables, and reported there."""


class PuzzleOfDay(Struct):
    """The puzzle of a game on a day, as a list has it."""

    game: str
    day: str
    grade: Grade
    solved: bool | None
    """Whether the guest's first answer was right; None before there is one."""


class PuzzleList(Struct):
    """The puzzles of today and of the days before."""

    today: str
    """By UTC."""
    days: list[list[PuzzleOfDay]]
    """The latest first."""
    streak: int
    """Days in a row, up to today or yesterday, on which the guest solved a puzzle of that day at first try."""
    repeats: dict[str, int]
    """After how many days the puzzles of each game come again."""


class PuzzleTries(Struct):
    """How the guests of this server did."""

    tries: int
    """First answers."""
    solved: int


class PuzzlePosition(Struct):
    """The position of a puzzle, as the seat to move sees it."""

    game: str
    day: str
    grade: Grade
    task: PuzzleTask
    seat: int
    view: View
    """With all legal moves, but not what they score."""
    solved: bool | None
    """Whether the guest's first answer was right; None before there is one."""
    tries: PuzzleTries
    before: str | None
    """The day of the puzzle before; None where it is too old to be asked for."""


class PuzzleAttempt(Struct, forbid_unknown_fields=True):
    """The moves of a turn so far; when the turn is complete, it is the answer."""

    moves: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=64)]
    give_up: bool = False
    """Whether the answer is to be shown; it counts as one that is not right."""


class PuzzleTurn(Struct):
    """A whole turn and what is expected of it."""

    moves: list[Move]
    win: float
    lead: float
    gain: int
    """Points at once."""


class PuzzleVerdict(Struct):
    """Whether an answer is right, and why."""

    right: bool
    first: bool
    """Whether it was the guest's first answer, which counts."""
    best: PuzzleTurn
    second: PuzzleTurn
    """The best turn that is wrong."""
    answers: int
    """How many turns are right."""
    margin: float
    error: float
    turns: int
    verified: Literal["exact", "search"]
    simulations: int
    found_by: dict[str, float]
    entries: list[Entry]
    """The lines of the score sheet that the best turn adds or changes."""
    tries: PuzzleTries


class PuzzleAnswer(Struct):
    """What an attempt comes to."""

    made: list[Move]
    view: View | None
    """The position in the middle of the turn; None where it is complete."""
    verdict: PuzzleVerdict | None
    """None while the turn goes on."""


class Lobby(Struct):
    """What the start page lists."""

    waiting: list[Waiting]
    """Listed tables with a free seat whose host is here, or was a moment ago."""
    mine: list[Waiting]
    """Tables at which this guest sits: those that are over last, else the latest first."""
    invitations: list[Invited] = []
    """Invitations of people with whom this guest has played, the latest first."""


class DailyResult(Struct):
    """What an attempt at the deal of a day came to."""

    value: int | None
    """What is ranked: one's points alone, else by how many points one leads the level. None where it was given up."""
    points: int | None
    against: int | None
    """The points of the level; None alone."""
    ranked: bool
    """Whether it was whole and in time."""


class DailyAttempt(Struct):
    """One's own attempt at the deal of a day."""

    table: str
    result: DailyResult | None
    """None while it is played."""


class DailyBot(Struct):
    """Where a bot came out on the deal of a day, on the seat of those who play it."""

    bot: str
    value: int
    points: int
    against: int | None


class DailyScores(Struct):
    """How many have come to a value."""

    value: int
    players: int


class DailyOutcome(Struct):
    """What came of the deal of a day: told to those whose own attempt is over, and to all after the day."""

    scores: list[DailyScores]
    """All ranked results, the lowest value first."""
    rank: int | None
    """One's own place; equal values share one. None of a result that is not ranked."""
    bots: list[DailyBot]
    """The weakest first; those that are worked out by now."""
    bots_due: bool
    """Whether some bots are still to come."""


class DailyGame(Struct):
    """The deal of a day of one game."""

    game: GameName
    options: dict[str, Any]
    seat: int
    """The seat on which everybody plays it."""
    opponent: str | None
    """The bot on the other seat; None alone."""
    commitment: str
    """SHA-256 of the secret that the deal is made of."""
    secret: str | None
    """None before the day is closed."""
    players: int
    """How many ranked results there are."""
    attempt: DailyAttempt | None
    outcome: DailyOutcome | None
    """None for those who may still play it, or play it now."""


class DailyDay(Struct):
    """The deals of a day."""

    day: str
    """A day of UTC: `2026-11-23`."""
    phase: Literal["open", "ending", "closed"]
    """`ending`: games that were begun in time still count. Once it is closed all may be seen, and played unranked."""
    games: list[DailyGame]


class DailyNext(Struct):
    """What is said of the next deal of a game."""

    game: GameName
    commitment: str


class Today(Struct):
    """The deals of this day, and how one does day by day."""

    today: DailyDay
    seconds: int
    """Until the next deals."""
    next: list[DailyNext]
    streak: int
    """Days up to now, one after the other, on which one has finished a deal in time."""
    best: int


class DailyPast(Struct):
    """A day of the archive, and one's own results."""

    day: str
    closed: bool
    results: dict[str, DailyResult | None]
    """By game; None of an attempt that is not over."""


class DailyArchive(Struct):
    """The last days, the latest first."""

    days: list[DailyPast]


class PlayDaily(Struct, forbid_unknown_fields=True):
    """Play the deal of a day, or go on with it."""

    name: Name


class DailyRow(Struct):
    """A ranked result."""

    rank: int
    name: str | None
    value: int
    points: int
    against: int | None
    first: bool
    """Whether its guest had never finished the deal of an earlier day."""
    mine: bool
    table: str


class DailyRanking(Struct):
    """A page of the ranked results of a deal, the best first."""

    rows: list[DailyRow]
    next: str | None
    """What the next page is asked for with; None where this is the last one."""


class KeptDaily(Struct):
    """What is kept of a guest's attempt at the deal of a day."""

    day: str
    game: str
    table: str
    name: str | None
    result: DailyResult | None


class Archive(Struct, forbid_unknown_fields=True):
    """Leave a table out of one's own list, or bring it back."""

    archived: bool


class Network(Struct):
    """Whether others in the local network can come; only a browser on the machine of the server is told."""

    offered: bool
    """Whether this browser may change it."""
    address: str | None
    """Where they find the page; None where they can't."""


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
    table: Annotated[str, Meta(max_length=32)] | None = None
    """The table whose record it is: what the coach says is then kept in the history of those who played there."""


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
    decisions: list[int]
    """Per seat how many decisions it had, without those that were forced."""


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


class AllowChat(Struct, tag="allow chat", forbid_unknown_fields=True):
    """Switch the chat of this table on for me, or off."""

    allow: bool


class WriteChat(Struct, tag="write", forbid_unknown_fields=True):
    """Write a line to the chat, for those who have it switched on."""

    seat: SeatNumber
    text: Annotated[str, Meta(min_length=1, max_length=LINE_LENGTH)]


class ReportChat(Struct, tag="report", forbid_unknown_fields=True):
    """Report a line of the chat to whoever runs the server."""

    number: Annotated[int, Meta(ge=0, lt=1 << 31)]


class Rematch(Struct, tag="rematch", forbid_unknown_fields=True):
    """The same people again, seats rotated."""


class GiveSeat(Struct, tag="give", forbid_unknown_fields=True):
    """Let a bot have a free seat, or stand in for somebody who has been away for long, until they come back.

    In the waiting room this is for the host to ask, at a running game for anybody who plays. At a slow table it can't
    be asked for instead of somebody: a bot stands in when a deadline has passed.
    """

    seat: SeatNumber
    bot: Name
    name: Name
    """What the bot is called on a free seat."""


class TakeBack(Struct, tag="back", forbid_unknown_fields=True):
    """Play on my seats myself, where bots stand in for me. Whoever connects to a table does so, too.

    A turn that a bot has begun at a slow table while others wait is made by the bot first.
    """


class Remove(Struct, tag="remove", forbid_unknown_fields=True):
    """Send away whoever sits on a seat, before the deal; for the host to ask.

    They can't come back to this table, and the link that they have opens no seat any more: another one does.
    """

    seat: SeatNumber


class AskWatchers(Struct, tag="watchers", forbid_unknown_fields=True):
    """Who watches? For the host to ask."""


class Bar(Struct, tag="bar", forbid_unknown_fields=True):
    """Send somebody away who watches, at any time; for the host to ask. They can't come back to this table."""

    watcher: Annotated[str, Meta(pattern="^[0-9a-f]{16}$", max_length=16)]
    """The `id` of a `Watcher`."""


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
    | AllowChat
    | WriteChat
    | ReportChat
    | Rematch
    | GiveSeat
    | TakeBack
    | Remove
    | AskWatchers
    | Bar
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
    chat: bool = False
    """Whether its person has the chat switched on."""


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
    slow: Slow | None
    """How slowly it is played; None at one sitting."""
    deadline: str | None
    """Until when the one who is to move has time, at a slow table; None while a bot moves."""
    daily: str | None = None
    """The day whose deal is played: no seat adds to its shuffle. None at another table."""


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
    wait: float | None = None
    """Seconds after which a hint may be asked for again, where too many were."""


Tell = TableState | Position | ScoreSheet | Answered | Hint | Proof | Reacted | Watchers | Chat | Reported | Refused

Decoded = TypeVar("Decoded")


def decoded(decoder: msgspec.json.Decoder[Decoded], body: bytes) -> Decoded:
    """Return what the body of a request says. Raises BosquetError."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BosquetError(f"the body is not what is asked for: {error}") from None


ASKS: msgspec.json.Decoder[Ask] = msgspec.json.Decoder(Ask)
ENCODER = msgspec.json.Encoder()
