"""Games between bots as a table of decisions in a Parquet file, for learning and for statistics.

A row is a decision: the game, its place in the moves of the game, the seat, the action, what the seat saw and might
have done, what it got at the end, and of which run and bots it is (docs/data.md). Workers play parts of the games and
write them beside the file, a part at a time; in the end the parts become the file. A run that was stopped or killed
continues from its parts, if what plays has not changed. The memory that is needed does not depend on the number of
games.

The columns are written with pyarrow (the extra `data`).
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

import bosquet
from bosquet.bots import outside
from bosquet.bots.digests import PLAYS, check_unchanged, digests
from bosquet.core.bound import index_of, indices, observe
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.game import Game
from bosquet.core.rng import derived_seed
from bosquet.core.state import Numbers
from bosquet.core.system.extras import remedy
from bosquet.core.system.files import check_free, whole_file
from bosquet.env.compiled_game import CompiledGame
from bosquet.env.rewards import kind_of, rewards
from bosquet.kernels.jit import kernel
from bosquet.lab.compiled_play import CompiledPlay, plays, searches
from bosquet.lab.lock import locked_folder
from bosquet.lab.matches import Forfeit, Match, Outcome, outcome_of
from bosquet.lab.pools import in_order, pool

FORMAT = "bosquet-decisions/3"
KEY = b"bosquet"
"""The key of the metadata of a file that holds how it was made."""
FORFEITS = b"forfeits"
"""The key of the metadata of a part that holds how many of its games each seat forfeited."""
PART, SEARCHED_PART = 500, 25
"""Games in a part; fewer where a decision takes long."""
GROUP_BYTES = 1 << 24
"""About how much of observations and legal actions is held in memory before it is written."""


@dataclass(frozen=True)
class SelfPlay:
    """What is played and written: a match, the number of games, and the kind of the returns (`env.rewards`)."""

    match: Match
    games: int
    reward: str = "win"

    def checked(self) -> SelfPlay:
        """Return these settings with those of the match checked. Raises OptionError."""
        parquet()
        kind_of(self.reward)
        return SelfPlay(self.match.checked(), self.games, self.reward)

    @property
    def parts(self) -> list[range]:
        """Return the games of each part."""
        size = SEARCHED_PART if self._asks_outside or searches(self.match.bots) else PART
        return [range(start, min(start + size, self.games)) for start in range(0, self.games, size)]

    def settings(self) -> dict[str, Any]:
        """Return everything on which the rows depend, as stored in the file."""
        match, game = self.match, self.compiled
        limits = {"limits": match.limits._asdict()} if self._asks_outside else {}
        return {
            "format": FORMAT,
            "bosquet": bosquet.__version__,
            "game": match.game,
            "options": dict(match.options),
            "box": match.box,
            "bots": list(match.bots),
            **limits,
            "seed": match.seed,
            "games": self.games,
            "reward": self.reward,
            PLAYS: self.plays,
            "encoder": game.encoder.VERSION,
            "actions": game.actions,
            "observation": [{"name": part.name, "shape": part.shape} for part in game.layout],
        }

    @property
    def _asks_outside(self) -> bool:
        """Return whether one of the bots is from outside, whose games depend on its limits."""
        return any(map(outside.is_outside, self.match.bots))

    @functools.cached_property
    def plays(self) -> dict[str, str]:
        """Return digests of what plays, as it is when they are asked for first (`bots.digests`)."""
        return digests(self.match.game, self.match.bots)

    @functools.cached_property
    def run(self) -> str:
        """Return what tells the rows of this run from those of another: a digest of the settings."""
        return hashlib.sha256(msgspec.json.encode(self.settings())).hexdigest()[:16]

    @functools.cached_property
    def compiled(self) -> CompiledGame:
        """Return the kernels of the game."""
        return CompiledGame(bosquet.spec(self.match.game), self.match.options, self.match.box)


def parquet() -> Any:
    """Return pyarrow with its module for Parquet. Raises OptionError if it is not installed."""
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError:
        raise OptionError(f"selfplay needs pyarrow, which is not installed; {remedy('data')}") from None


def written(
    play: SelfPlay,
    path: Path,
    workers: int | None = None,
    stopping: Callable[[], bool] = lambda: False,
    report: Callable[[int, Sequence[Forfeit]], object] = lambda number, forfeits: None,
    *,
    force: bool = False,
) -> Generator[int, None, None]:
    """Play what is missing and write it, at the end to `path`; yield the number of games that are there, part by part.

    Once `stopping()` returns True, the running parts are finished and no more are started; the file is not written
    then. `report(number, forfeits)` is called for each game played now in which a bot failed. Raises BosquetError if
    the file exists and `force` is not given, other games were begun for it, or another run writes it.
    """
    check_free(path, force=force)
    folder = parts_of(path)
    ours = play.settings()  # this takes a while; the folder is made with them, so that it always has the seed
    with locked_folder(folder, path, "file"):
        check_free(path, force=force)  # a run that has ended since has written it
        _agree(ours, folder)
        for done in _play(play, path, workers, stopping, report, force):
            yield done
    if done == play.games:
        shutil.rmtree(folder)


def _play(
    play: SelfPlay,
    path: Path,
    workers: int | None,
    stopping: Callable[[], bool],
    report: Callable[[int, Sequence[Forfeit]], object],
    force: bool,
) -> Iterator[int]:
    """Do what `written` does, in the folder of the parts."""
    folder = parts_of(path)
    files = {part.start: folder / f"{part.start:09}.parquet" for part in play.parts}
    done = sum(len(part) for part in play.parts if files[part.start].exists())
    yield done
    missing = [part for part in play.parts if not files[part.start].exists()]
    if missing:
        with pool(min(workers or os.cpu_count() or 1, len(missing))) as given:
            work = functools.partial(write_part, play, folder)
            for part in in_order(given, work, missing, stopping):
                for number, forfeits in part.forfeits:
                    report(number, forfeits)
                done += part.games
                yield done
    if done == play.games:
        _merge(play, list(files.values()), path, force)


def how_made(path: Path) -> dict[str, Any]:
    """Return how a complete file was made: the settings, and how many games each seat forfeited (`forfeits`)."""
    made: dict[str, Any] = msgspec.json.decode(parquet().parquet.read_schema(path).metadata[KEY])
    return made


def parts_of(path: Path) -> Path:
    """Return the folder of the parts of a file that is being written."""
    return path.with_name(path.name + ".parts")


def kept_seed(path: Path) -> int | None:
    """Return the seed of the games that were begun for a file, or None if there are none."""
    try:
        seed = msgspec.json.decode((parts_of(path) / "selfplay.json").read_bytes()).get("seed")
    except (OSError, msgspec.DecodeError, AttributeError):
        return None
    return seed if type(seed) is int else None


def _agree(settings: Mapping[str, Any], folder: Path) -> None:
    """Write the settings, or check that the stored ones are the same. Raises BosquetError."""
    ours = msgspec.json.decode(msgspec.json.encode(settings))
    file = folder / "selfplay.json"
    try:
        if file.exists():
            theirs = msgspec.json.decode(file.read_bytes())
            kept = theirs if isinstance(theirs, Mapping) else {}
            for name in [name for name in {**ours, **kept} if kept.get(name) != ours.get(name)]:
                if name == PLAYS:
                    check_unchanged(folder, kept.get(name), ours[name], "remove it, or name another file")
                there, here = (msgspec.json.encode(one.get(name)).decode()[:60] for one in (kept, ours))
                raise BosquetError(
                    f"{folder}: holds other games: {name} is {there} there and {here} here; "
                    "the same command as then goes on with them; remove it, or name another file"
                )
            return
        if others := [one.name for one in folder.iterdir() if one.name not in ("lock", "selfplay.json.new")]:
            raise BosquetError(f"{folder}: holds {quoted(others[0])}, which is of no self-play; name another file")
        draft = folder / "selfplay.json.new"
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(ours), indent=2) + b"\n")
        draft.replace(file)
    except msgspec.DecodeError as error:
        raise BosquetError(f"{file}: {error}; remove {folder}, or name another file") from None
    except OSError as error:
        raise BosquetError(f"{folder}: can't be written: {error.strerror}") from None


# --- what a worker does ---


COLUMNS = ("game", "seed", "ply", "seat", "action", "notation", "forfeited", "return")
"""The columns with a number, a text or a truth value for each row."""


class _Rows:
    """Rows that wait to be written as one group."""

    def __init__(self, play: SelfPlay, file: Any) -> None:
        self.arrow = parquet()
        self.schema = schema(play)
        self.room = rows_of_a_group(play)
        self.size = play.compiled.observation_size
        self.run, self.bots = play.run, list(play.match.bots)
        self.observations = np.zeros((self.room, self.size), np.uint8)
        self.file = file
        self.clear()

    def clear(self) -> None:
        self.n = 0
        self.columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        self.legal: list[Any] = []
        self.ends = [0]

    def add(self, legal: Any, **columns: Any) -> None:
        """Add the row whose observation was written at `n`."""
        for name, value in columns.items():
            self.columns[name].append(value)
        self.legal.append(np.array(legal, np.int32))
        self.ends.append(self.ends[-1] + len(legal))
        self.n += 1
        if self.n == self.room:
            self.write()

    def write(self) -> None:
        """Write the rows as a group."""
        if not self.n:
            return
        arrow = self.arrow
        arrays: dict[str, Any] = {"run": [self.run] * self.n, "bots": [self.bots] * self.n, **self.columns}
        buffer = arrow.py_buffer(self.observations[: self.n].tobytes())
        arrays["observation"] = arrow.FixedSizeBinaryArray.from_buffers(arrow.binary(self.size), self.n, [None, buffer])
        values = arrow.array(np.concatenate(self.legal))
        arrays["legal"] = arrow.ListArray.from_arrays(arrow.array(self.ends, arrow.int32()), values)
        self.file.write_table(arrow.table(arrays, schema=self.schema))
        self.clear()


def schema(play: SelfPlay) -> Any:
    """Return the columns of a file."""
    arrow = parquet()
    columns = {
        "run": arrow.string(),
        "bots": arrow.list_(arrow.string()),
        "game": arrow.int64(),
        "seed": arrow.int64(),
        "ply": arrow.int32(),
        "seat": arrow.int8(),
        "action": arrow.int32(),
        "notation": arrow.string(),
        "forfeited": arrow.bool_(),
        "return": arrow.float32(),
        "observation": arrow.binary(play.compiled.observation_size),
        "legal": arrow.list_(arrow.int32()),
    }
    return arrow.schema(columns)


def rows_of_a_group(play: SelfPlay) -> int:
    """Return the number of rows that are written at a time."""
    return max(1, min(1 << 15, GROUP_BYTES // (play.compiled.observation_size + 1024)))


class Part(NamedTuple):
    """What a worker has written: how many games, and the number and the forfeits of each that has some."""

    games: int
    forfeits: list[tuple[int, Sequence[Forfeit]]]


def write_part(play: SelfPlay, folder: Path, games: range) -> Part:
    """Play some games and write them to a file, which is complete or not there."""
    game = play.compiled
    note = game.bound(note_decision)
    draft = folder / f"{games.start:09}.{os.getpid()}.new"
    part = Part(len(games), [])
    lost = [0] * len(play.match.bots)
    with parquet().parquet.ParquetWriter(draft, schema(play), compression="zstd") as file:
        rows = _Rows(play, file)
        moves = game.moves()
        for number, (played, outcome) in zip(games, _games(play, games), strict=True):
            seed = derived_seed(play.match.seed, number)
            returns = rewards(play.reward, outcome.scores, outcome.winners)
            failed = {forfeit.seat: forfeit.ply for forfeit in outcome.forfeits}
            for seat in failed:
                lost[seat] += 1
            if failed:
                part.forfeits.append((number, outcome.forfeits))
            for ply, state, action in played.numbered_plies():
                index, n = note(game.pack(state), 0, action, rows.observations[rows.n], moves)
                seat = state.seat
                forfeited = seat in failed and ply >= failed[seat]
                rows.add(
                    moves[:n], game=number, seed=seed, ply=ply, seat=seat, action=index, notation=played.moves[ply],
                    forfeited=forfeited, **{"return": returns[seat]},
                )  # fmt: skip
        rows.write()
        file.add_key_value_metadata({FORFEITS: msgspec.json.encode(lost)})
    os.replace(draft, folder / f"{games.start:09}.parquet")
    return part


class _Played(NamedTuple):
    """A game with its result as it counts."""

    game: Game
    outcome: Outcome


def _games(play: SelfPlay, games: range) -> Iterator[_Played]:
    """Play games of the match, the same as `simulate` plays."""
    match = play.match
    player = CompiledPlay(match.game, match.options, match.bots, match.box) if plays(match.game, match.bots) else None
    for number in games:
        if player is not None:
            seed = derived_seed(match.seed, number)
            found = player.play(seed)
            yield _Played(player.game(seed, found.actions), Outcome(found.scores, found.winners, b""))
        else:
            game = match.play(number)
            yield _Played(game, outcome_of(game))


@kernel
def note_decision(states: Any, i: int, action: int, observation: Any, moves: Numbers) -> tuple[int, int]:
    """Write what the seat to move sees, and the indices of its legal actions in ascending order.

    Returns the index of an action, and the number of legal ones.
    """
    state = states[i]
    observe(state, state.seat, observation)
    n = indices(state, moves)
    for k in range(1, n):
        number = moves[k]
        at = k
        while at > 0 and moves[at - 1] > number:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = number
    return int(index_of(state, action)), n


# --- the file ---


def _merge(play: SelfPlay, files: Sequence[Path], path: Path, force: bool) -> None:
    """Write the rows of all parts to one file, which is complete or not there, a group at a time."""
    arrow, room = parquet(), rows_of_a_group(play)
    lost = [msgspec.json.decode(arrow.parquet.read_metadata(file).metadata[FORFEITS]) for file in files]
    made = play.settings() | {"forfeits": [sum(of_seat) for of_seat in zip(*lost, strict=True)]}
    columns = schema(play).with_metadata({KEY: msgspec.json.encode(made)})
    with (
        whole_file(path, force=force) as complete,
        arrow.parquet.ParquetWriter(complete, columns, compression="zstd") as out,
    ):
        waiting: list[Any] = []
        for file in files:
            with arrow.parquet.ParquetFile(file) as part:
                for group in range(part.num_row_groups):
                    waiting.append(part.read_row_group(group))
                    if sum(table.num_rows for table in waiting) >= room:
                        out.write_table(arrow.concat_tables(waiting).cast(out.schema))
                        waiting = []
        if waiting:
            out.write_table(arrow.concat_tables(waiting).cast(out.schema))
