"""Digests of what plays, so that a match that is continued is played by the same bots and rules.

A digest covers

- `bosquet`: the modules of this package that play, and its weights;
- the game, if it is from another package: the files of that package;
- `module:Class`, and a bot of an installed package: the files of its package, or its module if it is in none;
- `path/to/file.py`: this file;
- `cmd:program arguments`: the program, and the files that arguments name;
- a learned bot with `weights=FOLDER`: the weights in this folder.

What else a bot reads is not covered.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from bosquet.bots import learned, outside
from bosquet.core.errors import BosquetError, quoted
from bosquet.core.installed import spec

PLAYS = "plays"
"""The key under which settings hold the digests."""
PACKAGE = Path(__file__).parent.parent
PLAYING = ("bots", "core", "games", "kernels", "search")
"""The folders of this package with what plays."""
CACHE = "__pycache__"


def digests(game: str, names: Iterable[str]) -> dict[str, str]:
    """Return the digests of what plays when these bots play a game, by what has changed if one differs."""
    found = {PACKAGE.name: _of_this_package()}
    of_game = spec(game).package.partition(".")[0]
    if of_game != PACKAGE.name:
        found[game] = _of_module(of_game)
    return found | {name: digest for name in names if (digest := _of_bot(name)) is not None}


@functools.cache
def _of_this_package() -> str:
    files = [file for folder in PLAYING for kind in ("py", "npz") for file in (PACKAGE / folder).rglob(f"*.{kind}")]
    return _digest(files, PACKAGE)


def check_unchanged(place: Path, theirs: object, ours: Mapping[str, str], remedy: str) -> None:
    """Raise BosquetError if something has another digest than it had, `theirs`, when a run began to write there."""
    other = [name for name, digest in ours.items() if not isinstance(theirs, Mapping) or theirs.get(name) != digest]
    if other:
        raise BosquetError(f"{place}: {', '.join(map(quoted, other))} has changed since it was begun; {remedy}")


def _of_bot(name: str) -> str | None:
    """Return the digest of a bot that is not of this package, or takes weights from elsewhere; None for others."""
    if name.startswith(outside.COMMAND):
        return _digest(_files_of_command(shlex.split(name.removeprefix(outside.COMMAND), posix=os.name != "nt")))
    if outside.is_outside(name):
        point = outside.installed().get(name)
        place = name if point is None else point.value
        file = place if place.endswith(".py") else place.rpartition(":")[0]
        return _digest([Path(file)]) if file.endswith(".py") else _of_module(file.partition(".")[0])
    if name.partition(":")[0] == learned.NAME and (folder := learned.named(name).weights):
        return _digest(Path(folder).glob("learned*.npz"), Path(folder))
    return None


def _files_of_command(words: Sequence[str]) -> list[Path]:
    """Return the program of a command, and the files that its arguments name, such as `bot.py` or `--weights=FILE`."""
    parts = [shutil.which(words[0]) or words[0]]
    for word in words[1:]:
        parts += [word, word.partition("=")[2]]
    return [file for file in map(Path, parts) if file.is_file()]


def _of_module(name: str) -> str:
    """Return the digest of a module at the top, or of all files of a package. Imports nothing."""
    found = _module_spec(name)
    if found is None or (found.origin is None and not found.submodule_search_locations):
        return ""
    if found.submodule_search_locations is None:
        assert found.origin is not None
        return _digest([Path(found.origin)])
    folder = Path(next(iter(found.submodule_search_locations)))
    return _digest((file for file in folder.rglob("*") if CACHE not in file.parts), folder)


def _module_spec(name: str) -> ModuleSpec | None:
    """Return where a module is found by a bot's process, which looks in the working directory first."""
    here = PathFinder.find_spec(name, [os.getcwd()])
    if here is not None and here.origin is not None:
        return here
    return importlib.util.find_spec(name) or here


def _digest(files: Iterable[Path], folder: Path | None = None) -> str:
    """Return the digest of the contents of files, and of their names in a folder."""
    whole = hashlib.sha256()
    named = [(file.name if folder is None else file.relative_to(folder).as_posix(), file) for file in files]
    for name, file in sorted(named) if folder else named:
        if file.is_file():
            with file.open("rb") as content:
                whole.update(name.encode() + b"\0" + hashlib.file_digest(content, "sha256").digest())
    return whole.hexdigest()
