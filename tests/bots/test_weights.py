"""`learned:…:weights=FOLDER`: a learned bot plays by the weights of a training run."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any
from zipfile import ZipExtFile

import numpy as np
import pytest

import bosquet
from bosquet import bots
from bosquet.core.errors import OptionError
from bosquet.core.rng import Rng
from bosquet.lab.matches import Match
from tests.helpers.rows import each_row

ROWS = [
    ("topiary", "learned-2.npz", {"players": 2}, "learned:8"),
    ("topas", "learned-2-expert.npz", {"players": 2, "expert": True}, "learned:8"),
    ("topas", "learned.npz", {"players": 1}, "learned:ahead=0"),
]


def stored(game: str, file: str, folder: Path) -> Path:
    """Copy a file of weights of the package into a folder, as `bosquet train` writes it."""
    folder.mkdir(parents=True, exist_ok=True)
    with as_file(files(f"bosquet.games.{game}")) as package:
        (path,) = package.rglob(file)
        return Path(shutil.copy(path, folder))


def changed(path: Path, **arrays: Any) -> None:
    """Write a file of weights anew, some of its arrays changed, or without them if None."""
    with np.load(path, allow_pickle=False) as found:
        kept = {name: array for name, array in {**found, **arrays}.items() if array is not None}
    np.savez(path, **kept)


compiled = [pytest.mark.compiled, pytest.mark.slow]


@pytest.mark.parametrize(
    ("game", "file", "options", "bot"),
    [
        ROWS[0],
        # Without priors of the network only enough simulations tell its values.
        pytest.param(*ROWS[1][:-1], "learned:100", marks=compiled),
        pytest.param(*ROWS[2], marks=compiled),
    ],
    ids=["topiary", "topas", "topas alone"],
)
def test_the_weights_in_a_folder_are_played_by(
    game: str, file: str, options: dict[str, Any], bot: str, tmp_path: Path
) -> None:
    folder, other = tmp_path / file, tmp_path / "other" / file
    path = stored(game, file, other)
    stored(game, file, folder)
    usual = choices(bot, game, options)
    assert choices(f"{bot}:weights={folder}", game, options) == usual
    with np.load(path) as found:
        changed(path, second=-found["second"], second_bias=-found["second_bias"])
    assert choices(f"{bot}:weights={other}", game, options) != usual


def choices(bot: str, game: str, options: dict[str, Any]) -> list[str]:
    """Return what a bot chooses in the positions of a game."""
    position, chosen = bosquet.new(game, seed=4, **options), list[str]()
    while len(position.moves) < 8:
        assert position.seat is not None
        chosen.append(bots.make(bot).choose(position.view(position.seat), Rng(1)))
        position.play(position.legal()[0])
    return chosen


@each_row(("game", "file", "options", "bot"), ROWS)
def test_a_wrong_file_is_refused_before_the_match(
    game: str, file: str, options: dict[str, Any], bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = ZipExtFile.read

    def refused(words: str) -> None:
        with pytest.raises(OptionError, match=words):
            Match(game, options, [f"{bot}:weights={folder}"], 1).checked()

    folder = tmp_path / file
    refused(f"{file}: there is no such file; name a folder in which `bosquet train` ended")
    path = stored(game, file, folder)
    Match(game, options, [f"{bot}:weights={folder}"], 1).checked()
    whole = path.read_bytes()
    for damaged in (b"", whole[:1000], whole[:200] + b"\x00" * 100 + whole[300:], b"PK\x03\x04" + b"no zip" * 99):
        path.write_bytes(damaged)
        refused(f"{file}: is no file of weights .*; train again")
    path.write_bytes(whole)
    changed(path, second=None)
    refused("the array `second` must be [0-9]+ numbers of type int16; train again with this version")
    path.write_bytes(whole)
    changed(path, second=np.zeros(3, np.int16))
    refused("the array `second` must be")
    path.write_bytes(whole)
    changed(path, second_bias=np.array([{}], object))
    refused("is no file of weights")
    path.write_bytes(whole)
    many = np.zeros(1_000_000, np.int8)
    with np.load(path) as found:
        np.savez_compressed(path, **{**found, "second": many, "more": many})
    read: list[int] = []

    def counted(file: ZipExtFile, size: int = -1) -> bytes:
        said = usual(file, size)
        read.append(len(said))
        return said

    monkeypatch.setattr(ZipExtFile, "read", counted)
    refused("the array `second` must be")
    assert sum(read) < 100_000, "headers are checked before anything long is decompressed"


def test_a_game_that_cannot_be_learned_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="`learned` has no weights for this game"):
        Match("schlossgarten", {"players": 3}, [f"learned:9:weights={tmp_path}"], 1).checked()
