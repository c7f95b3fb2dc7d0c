"""Three modern tabletop games — Topiary, Topas, Der Prestel Schlossgarten — played exactly by their rules.

>>> import bosquet
>>> game = bosquet.new("topiary", players=2, seed=7)
>>> game.play(game.legal()[0])
>>> game.view(game.seat).phase
'take'
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bosquet.core.chance import Chance
from bosquet.core.errors import BosquetError, IllegalMove, OptionError, RecordError
from bosquet.core.game import Game, new_game
from bosquet.core.record import load as _load
from bosquet.core.record import read_lines as _read_lines
from bosquet.games import NAMES as GAMES
from bosquet.games import rules

if TYPE_CHECKING:
    from bosquet.env.batch import Batch

__version__ = version("bosquet")
__all__ = [
    "GAMES",
    "BosquetError",
    "Chance",
    "Game",
    "IllegalMove",
    "OptionError",
    "RecordError",
    "batch",
    "load",
    "new",
    "read",
    "read_all",
    "rules",
]


def new(game: str, *, seed: int | None = None, deck: Any = None, **options: Any) -> Game:
    """Deal a new game: `bosquet.new("topiary", players=3, draft=True, seed=7)`.

    The same seed gives the same deal and the same chance on every machine. `deck` is for Schlossgarten: the path of
    a deck file or a list of `rows`. Raises OptionError.
    """
    return new_game(rules(game), options, seed=seed, deck=deck)


def load(record: object) -> Game:
    """The game of a record given as a dict, checked move by move. Raises RecordError."""
    return _load(record, rules)


def read(path: str | Path) -> Game:
    """The game of a file that holds one record. Raises RecordError if it is wrong, or if there is not exactly one."""
    games = read_all(path)
    game = next(games, None)
    if game is None:
        raise RecordError(f"{path}: there is no record in it")
    if next(games, None) is not None:
        raise RecordError(f"{path}: there are several records in it; read_all reads them one after the other")
    return game


def read_all(path: str | Path) -> Iterator[Game]:
    """The games of a JSON Lines file, one after the other. Raises RecordError at the first wrong one."""
    for line in _read_lines(path):
        try:
            yield load(line.decode())
        except RecordError as error:
            raise RecordError(f"{path}:{line.number}: {error}") from None


def batch(game: str, n: int = 256, **settings: Any) -> Batch:
    """Many games side by side for machines that learn: `bosquet.batch("topas", players=2, n=4096)`.

    Takes the game's options and what `bosquet.env.batch.Batch` takes. Raises OptionError.
    """
    from bosquet.env.batch import batch as make  # numpy and the compiler are loaded only by those who need them

    return make(game, n, **settings)
