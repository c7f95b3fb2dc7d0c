"""Matches between bots on mirrored deals: each deal is played from every seat, so that luck of the deal cancels out.

A match can be kept in a folder: `match.json` says what is played, `games.jsonl` holds a line for each finished deal. A
run that was stopped or killed goes on from there.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

import bosquet
from bosquet import bots
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.game import check_options, new_game
from bosquet.games import rules
from bosquet.lab.matches import Match, Outcome, match_outcome
from bosquet.lab.pools import in_order, pool
from bosquet.lab.ratings import Hypotheses, pairs_of

SYNC_SECONDS = 1.0
"""Finished deals are given to the system at once, and to the disk this often."""


class Bout(NamedTuple):
    """Bots that meet on a deal, by number, and for each game of it who sits where."""

    bots: tuple[int, ...]
    seatings: tuple[tuple[int, ...], ...]


class Deal(NamedTuple):
    """A deal that was played from every seat: one outcome for each seating of each bout."""

    number: int
    games: list[Outcome]


def bouts(count: int, players: int) -> list[Bout]:
    """What is played on each deal by so many bots. On each deal every bot sits in every seat equally often.

    Alone: each bot once. At two seats: every pair, both ways round. At more seats two bots meet as one against all
    others, from every seat and with the roles exchanged; as many bots as seats move round the table.

    Raises OptionError.
    """
    everybody = tuple(range(count))
    if players == 1:
        return [Bout(everybody, tuple((bot,) for bot in everybody))]
    if count < 2:
        raise OptionError("one bot alone has nobody to beat; name two or more, for instance --bots greedy,random")
    if players == 2:
        return [Bout((one, other), ((one, other), (other, one))) for one, other in pairs_of(count)]
    if count == 2:
        lone = [
            tuple(bot if seat == at else 1 - bot for seat in range(players)) for bot in (0, 1) for at in range(players)
        ]
        return [Bout(everybody, tuple(lone))]
    if count == players:
        turned = tuple(everybody[-turn:] + everybody[:-turn] for turn in range(players))
        return [Bout(everybody, turned)]
    raise OptionError(f"{count} bots at {players} seats; name 2 bots, or {players}, or play with --players 2")


@dataclass(frozen=True)
class Arena:
    """What is played: the game, its options, the bots, how many games at least for each pair, the seed of it all."""

    game: str
    options: Mapping[str, Any]
    bots: Sequence[str]
    games: int
    seed: int
    deck: Any = None
    sprt: Hypotheses | None = None

    def checked(self) -> Arena:
        """The same with every option set and the deck read. Raises OptionError."""
        chosen = rules(self.game)
        options = check_options(chosen, self.options)
        for name in self.bots:
            bots.make(name)
            if self.bots.count(name) > 1:
                raise OptionError(f"the bot {quoted(name)} is named twice; a bot does not play against itself")
        bouts(len(self.bots), options["players"])
        if self.sprt and len(self.bots) != 2:
            raise OptionError(f"--sprt compares 2 bots; {len(self.bots)} are named")
        deck = new_game(chosen, options, seed=0, deck=self.deck).deal.get("deck")
        return replace(self, options=options, deck=deck)

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.options["players"])

    @property
    def bouts(self) -> list[Bout]:
        """What is played on each deal."""
        return bouts(len(self.bots), self.players)

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """Who sits where in each game of a deal, bout by bout."""
        return [seating for bout in self.bouts for seating in bout.seatings]

    @property
    def deals(self) -> int:
        """How many deals there are: whole ones, so that each pair plays `games` games at least."""
        return -(-self.games // (1 if self.players == 1 else len(self.bouts[0].seatings)))

    def play(self, number: int) -> Deal:
        """Deal `number`, played from every seat to the end."""
        games = []
        for seating in self.seatings:
            seated = [self.bots[bot] for bot in seating]
            games.append(match_outcome(Match(self.game, self.options, seated, self.seed, self.deck), number))
        return Deal(number, games)

    def settings(self) -> dict[str, Any]:
        """All that the games depend on, as `match.json` holds it."""
        return {
            "bosquet": bosquet.__version__,
            "game": self.game,
            "options": dict(self.options),
            "bots": list(self.bots),
            "games": self.games,
            "seed": self.seed,
            "deck": self.deck,
            "sprt": None if self.sprt is None else self.sprt._asdict(),
        }


def played(
    arena: Arena,
    workers: int | None = None,
    ray: str | None = None,
    folder: Folder | None = None,
    stopping: Callable[[], bool] = lambda: False,
) -> Generator[Deal, None, None]:
    """The deals of an arena in order: those of the folder first, then the others, which are kept in it as they come.

    Once `stopping()` holds, those under way are finished and no others begun.
    """
    done = 0
    if folder is not None:
        for deal in folder.deals():
            done += 1
            yield deal
    todo = range(done, arena.deals)
    if not todo or stopping():
        return
    with pool(min(workers or os.cpu_count() or 1, len(todo)), ray) as given:
        for deal in in_order(given, arena.play, todo, stopping):
            if folder is not None:
                folder.add(deal)
            yield deal


# --- the folder of a match ---


class _Result(msgspec.Struct):
    """What is read of the result of a kept game."""

    scores: list[int]
    winners: list[int]


class _Kept(msgspec.Struct):
    """What is read of a kept game."""

    players: list[str]
    result: _Result


class _Line(msgspec.Struct):
    """A line of games.jsonl."""

    deal: int
    games: list[msgspec.Raw]


def kept_seed(path: Path) -> int | None:
    """The seed of the match that is kept in a folder, if there is one. Raises BosquetError."""
    try:
        settings = _read_settings(path)
    except FileNotFoundError:
        return None
    seed = settings.get("seed")
    return seed if type(seed) is int else None


def _read_settings(path: Path) -> dict[str, Any]:
    """The settings in a folder. Raises FileNotFoundError, BosquetError."""
    file = path / "match.json"
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BosquetError(f"{file}: can't be read: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise BosquetError(f"{file}: {error}; name another folder") from None


class Folder:
    """The folder in which a match is kept. A context: leaving it closes its file."""

    def __init__(self, path: Path, arena: Arena) -> None:
        """Open a folder for this arena, a new one or one that holds a part of it. Raises BosquetError."""
        self.path = path
        self.arena = arena
        self._file: BinaryIO | None = None
        self._synced = 0.0
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._agree()
            self._file = open(path / "games.jsonl", "a+b")  # noqa: SIM115  (closed by __exit__)
            _lock(self._file, path)
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
        """The deals that are kept, in order; a last line that was not finished is cut off. Raises BosquetError."""
        assert self._file is not None
        self._file.seek(0)
        good = 0
        for index, line in enumerate(self._file):
            try:
                deal = self._read(index, line)
            except (msgspec.DecodeError, ValueError) as error:
                if self._file.read(1):
                    raise BosquetError(f"{self.path / 'games.jsonl'}:{index + 1}: {error}") from None
                break
            good += len(line)
            yield deal
        self._file.truncate(good)
        self._file.seek(good)

    def add(self, deal: Deal) -> None:
        """Keep one more deal."""
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

    def _read(self, index: int, line: bytes) -> Deal:
        """A deal of its line. Raises ValueError if it is not that deal of this match."""
        if not line.endswith(b"\n"):
            raise ValueError("the line is not finished")
        read = msgspec.json.decode(line, type=_Line)
        seatings = self.arena.seatings
        if read.deal != index or len(read.games) != len(seatings):
            raise ValueError(f"must be deal {index} with {len(seatings)} games; the file was changed")
        games = []
        for seating, raw in zip(seatings, read.games, strict=True):
            kept = msgspec.json.decode(raw, type=_Kept)
            if kept.players != [self.arena.bots[bot] for bot in seating]:
                raise ValueError("other bots than the schedule has; the file was changed")
            games.append(Outcome(kept.result.scores, kept.result.winners, bytes(raw) + b"\n"))
        return Deal(index, games)

    def _agree(self) -> None:
        """Write down what is played, or see that it is what is written there already. Raises BosquetError."""
        ours = msgspec.json.decode(msgspec.json.encode(self.arena.settings()))
        try:
            theirs = _read_settings(self.path)
        except FileNotFoundError:
            draft = self.path / "match.json.new"
            with open(draft, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(ours), indent=2) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path / "match.json")
            return
        for name in itertools.chain(ours, theirs):
            one, other = theirs.get(name), ours.get(name)
            if one != other:
                shown = [msgspec.json.encode(value).decode()[:60] for value in (one, other)]
                raise BosquetError(
                    f"{self.path}: is of another match: {name} is {shown[0]} there and {shown[1]} here; "
                    "name another folder"
                )


def _lock(file: BinaryIO, path: Path) -> None:
    """Two runs in one folder would mix their lines. The lock ends with the process. Raises BosquetError."""
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise BosquetError(f"{path}: another run is at work in this folder; wait for it, or name another") from None
