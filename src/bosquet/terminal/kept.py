"""The games that were left or finished at this terminal, in the user's data folder."""

from __future__ import annotations

import errno
import itertools
import os
from pathlib import Path

import platformdirs

import bosquet
from bosquet.core.errors import BosquetError, OptionError, did_you_mean, quoted
from bosquet.core.game import Game
from bosquet.core.records.record import write_file

LAST = "last"
"""Stands for the game that was kept last, of those that still run."""


def folder() -> Path:
    """Return the folder of kept games."""
    return platformdirs.user_data_path("bosquet") / "games"


def made_folder() -> Path:
    """Return the folder of kept games, which is made if it is not there. Raises BosquetError if it can't be written."""
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BosquetError(f"{place}: can't be written: {error.strerror}") from None
    if not os.access(place, os.W_OK):
        raise BosquetError(f"{place}: can't be written: {os.strerror(errno.EACCES)}")
    return place


def keep(game: Game, kept: Path | None = None) -> Path:
    """Write the record of a game to a new file in the folder; return its path. Raises BosquetError.

    A game that was kept in the folder before goes on in its file `kept`, which is replaced.
    """
    place = made_folder()
    paths = (place / f"{game.name}-{number}.json" for number in itertools.count(1))
    path = kept or next(path for path in paths if not path.exists())
    write_file(path, [game], force=kept is not None)
    return path


def kept_games() -> dict[Path, Game]:
    """Return the kept games that still run, the last one first. Files that cannot be read are left out."""
    found: dict[Path, Game] = {}
    for path in sorted(folder().glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        try:
            game = bosquet.read(path)
        except BosquetError:
            continue
        if not game.over:
            found[path] = game
    return found


def kept_as(given: str) -> Path | None:
    """Return the file of the kept game that `--load` names: `last`, or a name that `--games` lists.

    None for the path of a file, which goes before a name. Raises OptionError for what is neither.
    """
    if given == LAST:
        last = next(iter(kept_games()), None)
        if last is None:
            raise OptionError(f"--load is {quoted(LAST)}, but no game that still runs is kept in {folder()}")
        return last
    if os.path.exists(given):  # also for a name that is too long
        return None
    kept = folder() / f"{given}.json"
    if Path(given).name == given and os.path.isfile(kept):
        return kept
    meant = did_you_mean(given, [path.stem for path in kept_games()])
    raise OptionError(
        f"{quoted(given)}: can't be read: there is no such file or kept game; "
        f"`play --games` lists those that were kept{meant}"
    )
