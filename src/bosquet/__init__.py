"""Three modern tabletop games — Topiary, Topas, Der Prestel Schlossgarten — played exactly by their rules.

>>> import bosquet
>>> game = bosquet.new("topiary", players=2, seed=7)
>>> game.play(game.legal()[0])
>>> game.view(game.seat).phase
'take'
"""

from __future__ import annotations

from bosquet.core.errors import BosquetError, IllegalMove, OptionError, PositionError, RecordError
from bosquet.core.installed import spec

TYPE_CHECKING = False  # as in `core.errors`
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any, SupportsIndex

    from bosquet.core.game import Game
    from bosquet.core.positions.position import Position
    from bosquet.core.records.record import Line
    from bosquet.core.rng import Rng
    from bosquet.core.view import Move, View
    from bosquet.env.batch import Batch

    GAMES: tuple[str, ...]
    """The names of the games."""
    __version__: str

__all__ = [
    "GAMES",
    "BosquetError",
    "Game",
    "IllegalMove",
    "Move",
    "OptionError",
    "Position",
    "PositionError",
    "RecordError",
    "Rng",
    "View",
    "batch",
    "load",
    "new",
    "position",
    "read",
    "read_all",
    "spec",
]


_LOADED_WHEN_USED = {
    "Game": "bosquet.core.game",
    "Move": "bosquet.core.view",
    "Position": "bosquet.core.positions.position",
    "Rng": "bosquet.core.rng",
    "View": "bosquet.core.view",
}
"""Where public names are that import NumPy: `bosquet --help` does without it."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name == "__version__":
        from importlib.metadata import version

        return version("bosquet")
    if name == "GAMES":
        from bosquet.core.installed import names

        return names()
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_LOADED_WHEN_USED[name]), name)


def __dir__() -> list[str]:
    """Return the public names, with those that are imported when they are used."""
    return sorted({*globals(), *_LOADED_WHEN_USED, "GAMES", "__version__"})


def new(game: str, *, seed: SupportsIndex | None = None, box: Any = None, **options: Any) -> Game:
    """Deal a new game or variant: `bosquet.new("topiary", players=3, draft=True, seed=7)`.

    The same seed gives the same deal and the same chance on every machine. `box` is for games that
    have one, such as Schlossgarten: the path of a box file, or what a deal says of it. Raises OptionError.
    """
    from bosquet.core.game import new_game
    from bosquet.core.installed import spec_or_variant

    return new_game(spec_or_variant(game), options, seed=seed, box=box)


def position(given: str | bytes) -> Position:
    """Return a position of its text, or of the bytes of `Position.pack`. Raises PositionError.

    `bosquet.position(str(game.position(0)))` is what seat 0 knows of a game.
    """
    from bosquet.core.positions.position import read

    return read(given)


def load(record: object) -> Game:
    """Return the game of a record given as a dict, checked move by move. Raises RecordError."""
    from bosquet.core.records.record import load

    return load(record, spec)


def read(path: str | Path) -> Game:
    """Return the game of a file with one record. Raises RecordError if it is wrong, or not the only one."""
    from bosquet.core.records.record import read_lines

    lines = read_lines(path)
    line = next(lines, None)
    if line is None:
        raise RecordError(f"{path}: there is no record in it")
    if (second := next(lines, None)) is not None:
        raise RecordError(
            f"{path}:{second.number}: a second record; one is read here, so copy the one you mean to a file of its own "
            "(in Python, read_all reads all)"
        )
    return _loaded(path, line)


def read_all(path: str | Path) -> Iterator[Game]:
    """Yield the games of a JSON Lines file, one after the other. Raises RecordError at the first wrong one."""
    from bosquet.core.records.record import read_lines

    for line in read_lines(path):
        yield _loaded(path, line)


def _loaded(path: str | Path, line: Line) -> Game:
    """Return the game of a record of a file. Raises RecordError with its place."""
    try:
        return load(line.decode())
    except RecordError as error:
        raise RecordError(f"{path}:{line.place(error)}: {error}") from None


def batch(game: str, n: SupportsIndex = 256, **settings: Any) -> Batch:
    """Return many games side by side, for learning: `bosquet.batch("topas", players=2, n=4096)`.

    Takes the game's options, what `bosquet.env.batch.Batch` takes, and `device="cuda"` for a GPU. Raises OptionError.
    """
    from bosquet.env.batches import batch as make  # numpy and the compiler are loaded only by those who need them

    return make(game, n, **settings)
