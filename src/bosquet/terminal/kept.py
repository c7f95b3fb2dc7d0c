"""The games that were left or finished at this terminal, in the user's data folder."""

from __future__ import annotations

import itertools
from pathlib import Path

import platformdirs

import bosquet
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.game import Game
from bosquet.core.record import write_file

LAST = "last"
"""Stands for the game that was kept last, of those that still run."""


def folder() -> Path:
    """Return the folder of kept games."""
    return platformdirs.user_data_path("bosquet") / "games"


def keep(game: Game) -> Path:
    """Write the record of a game to a new file in the folder; return its path. Raises BosquetError."""
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BosquetError(f"{place}: can't be written: {error.strerror}") from None
    paths = (place / f"{game.name}-{number}.json" for number in itertools.count(1))
    path = next(path for path in paths if not path.exists())
    write_file(path, [game])
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


def path_of(given: str) -> Path:
    """Return the file that `--load` names: `last`, a kept game without its ending, or a path. Raises OptionError."""
    if given == LAST:
        last = next(iter(kept_games()), None)
        if last is None:
            raise OptionError(f"--load is {quoted(LAST)}, but no game that still runs is kept in {folder()}")
        return last
    kept = folder() / f"{given}.json"
    return kept if not Path(given).exists() and Path(given).name == given and kept.is_file() else Path(given)
