"""Messages about the server as a whole."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from bosquet.engine.weights import Use
from bosquet.lab.puzzles.puzzle import Grade
from bosquet.server.base.messages import GameName
from bosquet.server.guests.messages import Identity, KeptPerson, KeptVacation
from bosquet.server.history.messages import KeptRatings, PlayedGame
from bosquet.server.lobby.messages import KeptInvitation
from bosquet.server.notices.messages import KeptNotices
from bosquet.server.reviews.messages import KeptReview
from bosquet.server.table.messages import KeptLine, KeptTable
from bosquet.server.today.messages import KeptDaily, KeptPuzzle


class GameOption(Struct):
    """An option of a game."""

    values: list[Any]
    default: Any
    players: list[int]
    """Numbers of players with which it may have another value than its default."""
    help: str | None
    """What it does where it has not its default, in English; None where that is plain."""


class GameWeights(Struct):
    """Weights of learned values, as the engine of a game takes them."""

    use: Use
    """Whether the search takes them, or the player that looks ahead."""
    key: int
    """Which games have them: the engine says of a game which ones it takes."""
    bytes: int
    """How much they are as they are sent."""
    sha256: str
    """Of the content, in hexadecimal digits; the address has the first 16."""
    address: str


class GamePuzzles(Struct):
    """The puzzles of a game, in files that have a line of JSON for each one, after a header."""

    address: str
    """The third file of the hard ones is at `ADDRESS.hard.2.jsonl`."""
    counts: dict[Grade, int]
    """How many there are of each grade."""
    part: int
    """How many are in a file, but for the last one of a grade."""
    bytes: int
    """How much all files are as they are sent."""


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
    pace: float
    """Seconds that a bot takes for a move where people watch."""
    box: bool
    """Whether a table can be opened with another box than that of the house."""
    deck: list[list[str]] | None
    """The rows of each card of the game's own deck, card 1 first; None in a game whose cards have no rows.

    A view has rows only of another deck, which somebody brought.
    """
    engine: str | None
    """Address of the module of WebAssembly that plays the game in the page; None if it has none."""
    engine_hash: str | None
    """What a page says that has this engine, when it connects to a table."""
    attempts: bool
    """Whether it says what can be tried, so that the page has tables at which no moves are shown."""
    engine_bytes: int
    """How much that is as it is sent; 0 if there is none."""
    weights: list[GameWeights]
    """What it takes for hints, the coach and the bot `champion`, if it has learned values."""
    puzzles: GamePuzzles | None
    """What the engine plays as puzzles; None if there are none."""


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
    vacations: list[KeptVacation] = []
    """Those of the last year."""
    shown: bool = False
    """Whether the guest lets the people with whom it has played see that it is here."""
    chat: list[KeptLine] = []
    """What the guest has written to chats of tables, and reported there."""
    reviews: list[KeptReview] = []
    """Those that the guest has opened; each is about the game at `/api/reviews/{review}`."""


class Network(Struct):
    """Whether others in the local network can come; only a browser on the machine of the server is told."""

    offered: bool
    """Whether this browser may change it."""
    address: str | None
    """Where they find the page; None where they can't."""
