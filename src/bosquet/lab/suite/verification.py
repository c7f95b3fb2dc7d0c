"""Verification of result files: every game replayed on the deal of the suite, and moves made once more.

A file is not trusted: nothing is run that it names. The bot that it evaluates is started only if the verifier names
it, too.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bosquet import bots
from bosquet.bots import outside
from bosquet.bots.digests import PLAYS, digests
from bosquet.bots.outside import DEFAULT_LIMITS, BotError, Limits
from bosquet.core.errors import BosquetError, RecordError, quoted
from bosquet.core.game import Game
from bosquet.core.inputs.reading import expect_integer, expect_key, expect_list, expect_object, expect_only
from bosquet.core.records import record
from bosquet.core.records.record import Line
from bosquet.core.rng import Rng
from bosquet.lab.arena import Arena, Deal, seatings_of
from bosquet.lab.matches import Forfeit, Match, Outcome, outcome_of
from bosquet.lab.pools import in_order, pool
from bosquet.lab.standings import Standings
from bosquet.lab.suite import suites
from bosquet.lab.suite.evaluation import BOT, FORMAT, RESULT, Evaluation

HEAD = ("format", "suite", "digest", "game", "players", "deals", "bot", "bosquet", PLAYS)
"""The keys of the first line."""
FORFEITS = "forfeits"
EXTRA = ("seed", "players", FORFEITS)
"""The keys of a record of an evaluation, beside those of every record."""
LONGEST_NAME = 1000
DIGEST = "([0-9a-f]{64})?"
"""A digest of what plays, empty where no files of it were found."""
SHOWN = 80
"""How much of what would be right an error shows."""


class ResultFile:
    """A result file that is being verified. Errors are BosquetError with the file, the line and the place in it."""

    def __init__(self, path: Path) -> None:
        """Read what was evaluated. Raises BosquetError."""
        self.path = path
        self._lines = record.read_lines(path)
        line = self._next("what was evaluated")
        with _Place(path, line):
            head = line.decode()
            self.evaluation: Evaluation = _read_head(head)
        self.plays: Mapping[str, str] = head[PLAYS]
        """Digests of what played (`bots.digests`)."""
        self.evaluation.meeting.check()
        self.arena: Arena = self.evaluation.arena()
        self._games_on_deal: int = len(seatings_of(self.arena.course().pairings))

    @property
    def games(self) -> int:
        """Return the number of games that the file must have."""
        return self.evaluation.deals * self._games_on_deal

    def is_played_by(self, bot: str) -> bool:
        """Return whether a bot here has the digest of the one that played; bots of this package have none."""
        return digests(self.evaluation.meeting.game, [bot]).get(bot) == self.plays.get(self.evaluation.bot)

    def deals(
        self,
        remade: Collection[int],
        bot: str | None = None,
        workers: int | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> Iterator[Deal]:
        """Yield the deals, verified. Raises BosquetError for the first one that is wrong.

        `remade` has the games, counted through the file, in which the moves of the opponents are made once more, and
        those of the evaluated bot if `bot` names what plays like it.
        """
        work = functools.partial(_verified, self.path, self.arena, bot, limits)
        with pool(min(workers or os.cpu_count() or 1, self.evaluation.deals)) as given:
            yield from in_order(given, work, self._pieces(remade))

    def check_result(self, standings: Standings) -> dict[str, Any]:
        """Check the last line, after all deals; return the result. Raises BosquetError."""
        right = self.evaluation.result(standings)
        line = self._next("the result")
        with _Place(self.path, line):
            last = expect_object(line.decode(), "the last line")
            given = expect_object(expect_key(last, RESULT, "the last line"), RESULT)
            expect_only(last, [RESULT], "the last line")
            if not _are_equal(given, right):
                raise RecordError(f"{RESULT} is not that of the games; it must be {json.dumps(right)}")
        if (line_more := next(self._lines, None)) is not None:
            raise BosquetError(f"{self.path}:{line_more.number}: follows the result, which is the last line")
        return right

    def _pieces(self, remade: Collection[int]) -> Iterator[_Piece]:
        first = 0
        for number in range(self.evaluation.deals):
            line = self._next(f"deal {number} of {self.evaluation.deals}")
            games = range(first, first + self._games_on_deal)
            yield _Piece(number, line, [game - first for game in games if game in remade])
            first += self._games_on_deal

    def _next(self, what: str) -> Line:
        line = next(self._lines, None)
        if line is None:
            raise BosquetError(f"{self.path}: ends before {what}; the file is not complete")
        return line


class _Piece(NamedTuple):
    """A deal to verify: its number, its line, and the games of it that are made once more."""

    number: int
    line: Line
    remade: Sequence[int]


class _Place:
    """Says of an error in which line of a file it is."""

    def __init__(self, path: Path, line: Line) -> None:
        self._path, self._line = path, line

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BosquetError):
            raise BosquetError(f"{self._path}:{self._line.place(error)}: {error}") from None


def _read_head(value: Any) -> Evaluation:
    """Return what a file says was evaluated. Raises BosquetError."""
    head = expect_object(value, "the first line")
    if head.get("format") != FORMAT:
        raise RecordError(f"format is {quoted(head.get('format'))}; this verifies {quoted(FORMAT)}")
    for key in HEAD:
        expect_key(head, key, "the first line")
    expect_only(head, HEAD, "the first line")
    suite = suites.suite(head["suite"])
    _expect(head["digest"], suites.digest(suite.suite), "digest")
    meeting = suite.meeting(head["game"], head["players"])
    deals = expect_integer(head["deals"], 1, meeting.deals, "deals")
    bot = head["bot"]
    if not isinstance(bot, str) or not bot.isprintable() or not 0 < len(bot) <= LONGEST_NAME:
        raise RecordError(f"bot is {quoted(bot)}; it must be the name of a bot")
    if not isinstance(head["bosquet"], str):
        raise RecordError(f"bosquet is {quoted(head['bosquet'])}; it must be the version of the package")
    for name, digest in expect_object(head[PLAYS], PLAYS).items():
        if not isinstance(digest, str) or not re.fullmatch(DIGEST, digest):
            raise RecordError(f"{PLAYS}: {quoted(name)} is {quoted(digest)}; it must be a SHA-256 digest")
    return Evaluation(suite.suite, meeting, bot, deals)


def _verified(path: Path, arena: Arena, bot: str | None, limits: Limits, piece: _Piece) -> Deal:
    """Return a deal, every game replayed. Raises BosquetError."""
    seatings = seatings_of(arena.course().pairings)
    with _Place(path, piece.line):
        data = expect_object(piece.line.decode(), "the line")
        for key in ("deal", "games"):
            expect_key(data, key, "the line")
        expect_only(data, ("deal", "games"), "the line")
        _expect(data["deal"], piece.number, "deal")
        games = expect_list(data["games"], len(seatings), "games")
        outcomes = []
        for index, (given, seating) in enumerate(zip(games, seatings, strict=True)):
            makers = [bot if player == BOT else arena.bots[player] for player in seating]
            if index not in piece.remade:
                makers = [None] * len(seating)
            lone = {seat for seat, player in enumerate(seating) if player == BOT}
            match = Match(
                arena.game, arena.options, [arena.bots[player] for player in seating], arena.seed, limits=limits
            )
            try:
                outcomes.append(replayed(match, piece.number, given, lone, makers))
            except BosquetError as error:
                raise BosquetError(f"games[{index}]: {error}") from None
        return Deal(piece.number, outcomes)


def replayed(match: Match, index: int, given: Any, may_fail: Collection[int], makers: Sequence[str | None]) -> Outcome:
    """Replay game `index` of a match from its record, on its deal and with its chance events; return the outcome.

    Only seats in `may_fail` may have forfeited. Moves of a seat that has a bot in `makers` are made once more, until it
    forfeits. Raises RecordError.
    """
    data = expect_object(given, "the record")
    game, seed = match.dealt(index)
    game.extra["players"] = list(match.bots)
    expect_only(data, (*record.KEYS, *EXTRA), "the record")
    for key, right in game.record().items():
        if key not in ("moves", "result"):
            _expect(expect_key(data, key, "the record"), right, key)
    moves = expect_key(data, "moves", "the record")
    if not isinstance(moves, list):
        raise RecordError(f"moves is {quoted(moves)}; it must be a list of text")
    forfeits = _read_forfeits(data, may_fail, len(moves))
    _play(match, game, moves, seed, makers, {forfeit.seat: forfeit.ply for forfeit in forfeits})
    if not game.over:
        raise RecordError("the game is not over after the last move")
    _expect(expect_key(data, "result", "the record"), game.result, "result")
    game.extra[FORFEITS] = msgspec.to_builtins(forfeits)
    return outcome_of(game)


def _play(
    match: Match, game: Game, moves: Sequence[Any], seed: int, makers: Sequence[str | None], until: Mapping[int, int]
) -> None:
    """Make the moves of a record. Raises RecordError for one that is not legal, not drawn, or not made again."""
    rngs = [Rng(seed, "bot", seat) for seat in range(game.players)]
    with outside.seated([name or "random" for name in makers], match.limits) as seats:
        for ply, move in enumerate(moves):
            if ply < len(game.moves):  # a chance event, which is drawn with the move before it
                if move != game.moves[ply]:
                    raise RecordError(f"{quoted(move)} is not what is drawn; it must be {quoted(game.moves[ply])}", ply)
                continue
            seat = game.seat
            if seat is not None and makers[seat] is not None and ply < until.get(seat, len(moves)):
                made = _made(seats[seat], game, rngs[seat], ply)
                if move != made:
                    raise RecordError(f"{quoted(move)} is not what the bot in seat {seat} makes: {quoted(made)}", ply)
            record.make(game, ply, move)


def _made(bot: bots.Bot, game: Game, rng: Rng, ply: int) -> str:
    """Return the move that a bot makes. Raises RecordError if it fails."""
    try:
        return bots.choose(bot, game, rng)
    except BotError as error:
        raise RecordError(f"no move can be made again: {error}", ply) from None


def _read_forfeits(data: Mapping[str, Any], may_fail: Collection[int], moves: int) -> list[Forfeit]:
    """Return the forfeits of a record. Raises RecordError."""
    try:
        forfeits = msgspec.convert(data.get(FORFEITS, []), list[Forfeit])
    except msgspec.ValidationError as error:
        raise RecordError(f"{FORFEITS}: {error}") from None
    if len({forfeit.seat for forfeit in forfeits}) < len(forfeits):
        raise RecordError(f"{FORFEITS} has a seat twice")
    for forfeit in forfeits:
        if forfeit.seat not in may_fail or not 0 <= forfeit.ply < moves:
            raise RecordError(f"{FORFEITS}: seat {quoted(forfeit.seat)} can't have failed at ply {quoted(forfeit.ply)}")
    return forfeits


def _expect(given: Any, right: Any, place: str) -> None:
    """Raise RecordError unless a value is the right one, as JSON."""
    wanted = json.dumps(right, sort_keys=True)
    if json.dumps(given, sort_keys=True) != wanted:
        shown = wanted if len(wanted) <= SHOWN else f"{wanted[:SHOWN]}…"
        raise RecordError(f"{place} is {quoted(given)}; it must be {shown}")


def _are_equal(given: Any, right: Any) -> bool:
    """Return whether two results are the same; 41 read from a file is the number 41.0."""
    if isinstance(right, float):
        return type(given) in (int, float) and bool(given == right)
    if isinstance(right, dict):
        return (
            isinstance(given, dict)
            and given.keys() == right.keys()
            and all(_are_equal(given[key], value) for key, value in right.items())
        )
    if isinstance(right, list):
        return (
            isinstance(given, list)
            and len(given) == len(right)
            and all(itertools.starmap(_are_equal, zip(given, right, strict=True)))
        )
    return type(given) is type(right) and bool(given == right)
