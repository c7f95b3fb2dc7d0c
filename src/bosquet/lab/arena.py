"""Matches between bots on mirrored deals: each deal is played from every seat, so that luck of the deal cancels out.

A match can be stored in a folder: `match.json` holds its settings and digests of what plays, `games.jsonl` one line per
finished deal. A run that was stopped or killed continues from these files, and a match may be made longer.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

import bosquet
from bosquet.bots import outside
from bosquet.bots.digests import PLAYS, check_unchanged, digests
from bosquet.bots.outside import DEFAULT_LIMITS, Limits
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.installed import spec
from bosquet.core.records.duel import player_at, totals, winners
from bosquet.core.spec import check_options
from bosquet.lab import compiled_play, schedules
from bosquet.lab.lock import lock
from bosquet.lab.matches import Forfeit, Match, Outcome, is_compiled, match_outcomes
from bosquet.lab.pools import in_order, pool
from bosquet.lab.ratings import Hypotheses
from bosquet.lab.schedules import Course, Pairing

COMPILED_DEALS = 64
"""Deals that a worker plays at a time where games are played without views."""
SETTINGS_FILE, GAMES_FILE = "match.json", "games.jsonl"
"""The files in the folder of a match: its settings, and the finished deals."""
ANOTHER = "name another folder"
"""What to do about a folder with something else, where nobody says otherwise."""
SYNC_SECONDS = 1.0
"""Interval at which finished deals are flushed to disk; they are written to the file at once."""


class Deal(NamedTuple):
    """A deal that was played from every seat: one outcome per seating of each pairing."""

    number: int
    games: list[Outcome]


@dataclass(frozen=True)
class Arena:
    """Settings of a match: the game, its options, the bots, the minimum number of games per pair, and the seed.

    `schedule` says which bots meet (`lab.schedules`), and `rounds` how many rounds a Swiss tournament has; None is the
    usual. `limits` are those of bots from outside.
    """

    game: str
    options: Mapping[str, Any]
    bots: Sequence[str]
    games: int
    seed: int
    box: Any = None
    sprt: Hypotheses | None = None
    limits: Limits = DEFAULT_LIMITS
    schedule: str | None = None
    rounds: int | None = None
    duel: bool = False
    """Whether the games of a pairing on a deal are duels: what lies open stays, what is hidden is dealt anew."""

    def checked(self) -> Arena:
        """Return these settings with all options set and the box read. Raises OptionError."""
        chosen = spec(self.game)
        options = check_options(chosen, self.options)
        for name in self.bots:
            if self.bots.count(name) > 1:
                raise OptionError(f"the bot {quoted(name)} is named twice; a bot does not play against itself")
        outside.check(self.bots, self.limits)
        count, players = len(self.bots), int(options["players"])
        schedule = self.schedule or schedules.usual(count, players)
        schedules.check(schedule, count, players)
        if self.rounds is not None and schedule != schedules.SWISS:
            raise OptionError("only a Swiss tournament has rounds: --schedule swiss")
        rounds = self.rounds or (schedules.usual_rounds(count) if schedule == schedules.SWISS else 1)
        if self.sprt and len(self.bots) != 2:
            raise OptionError(f"--sprt compares 2 bots; {len(self.bots)} are named")
        if self.duel and players == 1:
            raise OptionError("a duel needs two players or more; name them with --players")
        box = chosen.normalized_box(options, self.box)
        return replace(self, options=options, box=box, schedule=schedule, rounds=rounds)

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return int(self.options["players"])

    def course(self) -> Course:
        """Return the course of the match, at its beginning."""
        assert self.schedule is not None
        assert self.rounds is not None
        games = len(schedules.pairings(self.schedule, len(self.bots), self.players)[0].seatings)
        deals = -(-self.games // (1 if self.players == 1 else games))
        return Course(self.schedule, len(self.bots), self.players, deals, self.rounds)

    @property
    def deals(self) -> int:
        """Return the number of deals, so that each pair that meets plays at least `games` games."""
        course = self.course()
        return course.deals * course.rounds

    def play(self, pairings: Sequence[Pairing], records: bool, numbers: Sequence[int]) -> list[Deal]:
        """Play deals from every seat to the end. `records` is as in `matches.outcomes`."""
        played = []
        for index, seating in enumerate(seatings_of(pairings)):
            seated = [self.bots[bot] for bot in seating]
            in_duel = index % self.players if self.duel else None
            match = Match(self.game, self.options, seated, self.seed, self.box, self.limits, in_duel)
            played.append(match_outcomes(match, self.compiled, records, numbers))
        return [Deal(number, list(games)) for number, *games in zip(numbers, *played, strict=True)]

    @property
    def compiled(self) -> bool:
        """Return whether the games are played without views."""
        return not self.duel and is_compiled(self.game, self.bots, self.games)

    def counted(self, games: Sequence[Outcome]) -> list[Outcome]:
        """Return the games of a deal as they count: in a duel all have the winners of the duel, by total points."""
        if not self.duel:
            return list(games)
        found = []
        for start in range(0, len(games), self.players):
            played = games[start : start + self.players]
            best = winners(totals([outcome.scores for outcome in played]))
            for number, outcome in enumerate(played):
                seats = [seat for seat in range(self.players) if player_at(seat, number, self.players) in best]
                found.append(outcome._replace(winners=seats))
        return found

    def settings(self) -> dict[str, Any]:
        """Return everything on which the games depend, as stored in `match.json`."""
        more: dict[str, Any] = {}
        if any(map(outside.is_outside, self.bots)):
            more["limits"] = self.limits._asdict()
        if self.schedule != schedules.usual(len(self.bots), self.players):
            more |= {"schedule": self.schedule, "rounds": self.rounds}
        if self.duel:
            more["duel"] = True
        return {
            "bosquet": bosquet.__version__,
            "game": self.game,
            "options": dict(self.options),
            "bots": list(self.bots),
            "games": self.games,
            "seed": self.seed,
            "box": self.box,
            "sprt": None if self.sprt is None else self.sprt._asdict(),
            **more,
            PLAYS: digests(self.game, self.bots),
        }


def seatings_of(pairings: Sequence[Pairing]) -> list[tuple[int, ...]]:
    """Return the bot of each seat in each game of a deal, pairing by pairing."""
    return [seating for pairing in pairings for seating in pairing.seatings]


def played(
    arena: Arena,
    workers: int | None = None,
    ray: str | None = None,
    folder: Folder | None = None,
    stopping: Callable[[], bool] = lambda: False,
    *,
    records: bool = True,
) -> Generator[Deal, None, None]:
    """Yield the deals of an arena in order: stored ones first, then new ones, which are stored as they finish.

    Once `stopping()` returns True, the running deals are finished and no more are started. `records` is as in
    `matches.outcomes`; a folder stores records in any case.
    """
    course = arena.course()
    size = COMPILED_DEALS if arena.compiled and not compiled_play.searches(arena.bots) else 1
    if folder is not None:
        for deal in folder.deals():
            course.add(arena.counted(deal.games))
            yield deal
    if not course.left_in_round or stopping():
        return
    with pool(min(workers or os.cpu_count() or 1, arena.deals - course.done), ray) as given:
        while (left := course.left_in_round) and not stopping():
            play = functools.partial(arena.play, course.pairings, records or folder is not None)
            pieces = [left[start : start + size] for start in range(0, len(left), size)]
            for deals in in_order(given, play, pieces, stopping):
                for deal in deals:
                    course.add(arena.counted(deal.games))
                    if folder is not None:
                        folder.add(deal)
                    yield deal


# --- the folder of a match ---


class _Result(msgspec.Struct):
    """The fields that are read from the result of a stored game."""

    scores: list[int]
    winners: list[int]


class _Kept(msgspec.Struct):
    """The fields that are read from a stored game."""

    players: list[str]
    result: _Result
    forfeits: list[Forfeit] = []


class _Line(msgspec.Struct):
    """A line of games.jsonl."""

    deal: int
    games: list[msgspec.Raw]


def kept_seed(path: Path) -> int | None:
    """Return the seed of the match stored in a folder, or None if there is none. Raises BosquetError."""
    try:
        settings = _read_settings(path)
    except FileNotFoundError:
        return None
    seed = settings.get("seed")
    return seed if type(seed) is int else None


def _read_settings(path: Path, remedy: str = ANOTHER) -> dict[str, Any]:
    """Read the settings in a folder. Raises FileNotFoundError, BosquetError."""
    file = path / SETTINGS_FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BosquetError(f"{file}: can't be read: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise BosquetError(f"{file}: {error}; {remedy}") from None


class Folder:
    """The folder that stores a match. It is a context manager, which closes the file."""

    def __init__(self, path: Path, arena: Arena, remedy: str = ANOTHER) -> None:
        """Open a new folder, or one that holds a part of this match, with as many games or fewer. Raises BosquetError.

        It also refuses a folder whose match was played by other code than the present one. `remedy` is the advice in
        errors about existing files.
        """
        self.path = path
        self._remedy = remedy
        self.arena = arena
        self._file: BinaryIO | None = None
        self._synced = 0.0
        self.grows = False
        """Whether deals were added."""
        try:
            path.mkdir(parents=True, exist_ok=True)
            ours = msgspec.json.decode(msgspec.json.encode(arena.settings()))
            longer = self._agree(ours)
            self._file = open(path / GAMES_FILE, "a+b")  # noqa: SIM115  (closed by __exit__)
            lock(self._file, path, "folder")
            if longer:
                self._write(ours)
        except OSError as error:
            raise BosquetError(f"{path}: can't be written: {error.strerror}") from None

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._sync()
            self._file.close()
            self._file = None

    def deals(self) -> Iterator[Deal]:
        """Yield the stored deals in order; truncate an incomplete last line. Raises BosquetError."""
        assert self._file is not None
        self._file.seek(0)
        good = 0
        course = self.arena.course()
        for index, line in enumerate(self._file):
            try:
                deal = self._read(index, line, seatings_of(course.pairings))
            except (msgspec.DecodeError, ValueError) as error:
                if self._file.read(1):
                    raise BosquetError(f"{self.path / GAMES_FILE}:{index + 1}: {error}") from None
                break
            good += len(line)
            course.add(self.arena.counted(deal.games))
            yield deal
        self._file.truncate(good)
        self._file.seek(good)

    def add(self, deal: Deal) -> None:
        """Store one more deal."""
        self.grows = True
        assert self._file is not None
        games = b",".join(outcome.record.rstrip(b"\n") for outcome in deal.games)
        self._file.write(b'{"deal":%d,"games":[%b]}\n' % (deal.number, games))
        self._file.flush()
        if time.monotonic() > self._synced + SYNC_SECONDS:
            self._sync()

    def _sync(self) -> None:
        assert self._file is not None
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def _read(self, index: int, line: bytes, seatings: Sequence[Sequence[int]]) -> Deal:
        """Read a deal from its line. Raises ValueError if it is not this deal of this match."""
        if not line.endswith(b"\n"):
            raise ValueError("the line is not finished")
        read = msgspec.json.decode(line, type=_Line)
        if read.deal != index or len(read.games) != len(seatings):
            raise ValueError(f"must be deal {index} with {len(seatings)} games; the file was changed")
        games = []
        for seating, raw in zip(seatings, read.games, strict=True):
            kept = msgspec.json.decode(raw, type=_Kept)
            if kept.players != [self.arena.bots[bot] for bot in seating]:
                raise ValueError("the bots are not those of the schedule; the file was changed")
            outcome = Outcome(kept.result.scores, kept.result.winners, bytes(raw) + b"\n", kept.forfeits)
            games.append(outcome.after_forfeits())
        return Deal(index, games)

    def _agree(self, ours: Mapping[str, Any]) -> bool:
        """Write the settings, or check that the stored ones are the same; return whether only games are added.

        Raises BosquetError if they differ otherwise.
        """
        try:
            theirs = _read_settings(self.path, self._remedy)
        except FileNotFoundError:
            if (games := self.path / GAMES_FILE).exists():
                raise BosquetError(f"{games}: exists already and is of no match; {self._remedy}") from None
            self._write(ours)
            return False
        different = [name for name in {**ours, **theirs} if theirs.get(name) != ours.get(name)]
        if different == ["games"] and ours["games"] > theirs["games"] and self.arena.schedule != schedules.SWISS:
            return True
        for name in different:
            if name == PLAYS:
                check_unchanged(self.path, theirs.get(name), ours[name], self._remedy)
            shown = [msgspec.json.encode(settings.get(name)).decode()[:60] for settings in (theirs, ours)]
            raise BosquetError(
                f"{self.path}: holds another match: {name} is {shown[0]} there and {shown[1]} here; {self._remedy}"
            )
        return False

    def _write(self, settings: Mapping[str, Any]) -> None:
        """Write the settings, on disk before they take their place."""
        draft = self.path / f"{SETTINGS_FILE}.new"
        with open(draft, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path / SETTINGS_FILE)
