"""Messages about games that were played, and ratings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from bosquet.server.base.messages import GameName
from bosquet.server.table.messages import Assistance
from bosquet.server.table.outcomes import EndedHow, Outcome


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


class KeepCost(Struct, forbid_unknown_fields=True):
    """Keep what the coach, which a page asks itself, says that the decisions of a game cost.

    It is kept of the seats of the guest alone, who is believed: nobody else sees it.
    """

    table: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]*$", max_length=32)]
    lost: Annotated[list[Annotated[float, Meta(ge=0, le=1000)]], Meta(max_length=4)]
    """Per seat the win chance that its decisions lost, 1 is a whole game; alone a hundredth for each point."""
    decisions: Annotated[list[Annotated[int, Meta(ge=0, le=10_000)]], Meta(max_length=4)]
    """Per seat how many decisions it had, without those that were forced."""


class BringGame(Struct, forbid_unknown_fields=True):
    """Keep a finished game that was played on a device without a server among one's own games; it is never rated."""

    record: dict[str, Any]
    """With the proof of its deal, by which it is known: the game of a deal is kept once."""
    ended: Annotated[str, Meta(max_length=32)]
    """When it ended, RFC 3339; a time that is still to come counts as now."""
    assistance: Assistance


class BroughtGame(Struct):
    """Where a game is kept that was brought."""

    table: str


class AskBrought(Struct, forbid_unknown_fields=True):
    """Which of these games has the server already?"""

    games: Annotated[list[Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]], Meta(max_length=500)]
    """The commitments of their deals."""


class Brought(Struct):
    """Those of the games that the guest has brought before."""

    games: list[str]


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
    ending: EndedHow | None
    """How it ended before its end by the rules; None where it did not."""
    started: str | None
    ended: str
    cost: float | None
    """What the coach says that one's decisions cost, as `KeepCost.lost`; None where it has not looked at the game."""
    decisions: int | None
    """How many they were, without those that were forced."""
    kept: bool
    """Whether its moves are still there."""
    device: bool
    """Whether it was played on a device without a server, and brought here; it is not rated."""


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
    """The half-width of its 95 % interval, in points."""
    provisional: bool
    """Whether that is too much for the leaderboard."""
    games: int
    """How many games have changed it."""
    levels: int | None
    """What the games against levels alone say; None before the first one."""


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
    """The level, or the champion, whose strength this is, measured; None of a guest."""
    rating: int
    spread: int | None
    """Half the length of the 95 % interval; None of a level, whose Elo is the scale."""
    games: int | None
    """None of a bot."""
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

    verdict: Literal["counted", "soon", "unwanted", "full", "hinted", "own box", "ended", "alone", "nobody", "device"]
    """`soon` where it is still to be looked at; `nobody` where there was nobody to be compared with; `device` where it
    was played without a server."""
    game: RatedGame | None = None
    provisional: bool = False


class KeptRatings(Struct):
    """What is kept of a guest who wants ratings."""

    since: str
    ratings: list[Rating]
    games: list[RatedGame]
