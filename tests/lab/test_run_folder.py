"""The folder of a training run: what was stored comes back, and what was damaged is an error that says so."""

from __future__ import annotations

import io
import os
import random
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bosquet.core.errors import BosquetError
from bosquet.learning.run_folder import RunFolder
from tests.rows import each_row


class Settings(msgspec.Struct):
    """A plan."""

    seed: int


class Line(msgspec.Struct):
    """A line of the curve."""

    round: int


WEIGHTS = np.arange(6.0).reshape(2, 3)
DAMAGED = r"state\.npz: is no state of a training run; remove it, or name another --out \("


def folder(path: Path) -> RunFolder[Line]:
    """A folder with the state of a round."""
    made = RunFolder(path, Line)
    made.save({"weights": WEIGHTS, "done": 1}, Settings(seed=1), np.random.default_rng(1), [Line(round=1)])
    return made


def loaded(made: RunFolder[Line]) -> Any:
    return made.load(Settings, np.random.default_rng(2))


def test_what_was_stored_comes_back(tmp_path: Path) -> None:
    made, generator = folder(tmp_path), np.random.default_rng(2)
    found = made.load(Settings, generator)
    assert found
    stored, plan = found
    assert plan == Settings(seed=1)
    assert (stored.array("weights", WEIGHTS) == WEIGHTS).all()
    assert (stored.array("weights", WEIGHTS[:0], rows=True) == WEIGHTS).all()
    assert generator.random() == np.random.default_rng(1).random()
    assert made.curve(1) == [Line(round=1)]


@each_row(
    ("name", "like", "rows"),
    [
        ("nothing", WEIGHTS, False),
        ("weights", WEIGHTS.astype(np.float32), False),
        ("weights", WEIGHTS.T, False),
        ("weights", WEIGHTS.ravel(), False),
        ("weights", WEIGHTS.ravel(), True),
        ("weights", WEIGHTS[:, :2], True),
        ("done", 1.0, False),
    ],
)
def test_other_arrays_than_expected_are_refused(tmp_path: Path, name: str, like: Any, rows: bool) -> None:
    stored, _ = loaded(folder(tmp_path))
    with pytest.raises(BosquetError, match=DAMAGED + f"{name} is not what this version stores"):
        stored.array(name, like, rows=rows)


def archive(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def one_array() -> bytes:
    file = io.BytesIO()
    np.save(file, WEIGHTS)
    return file.getvalue()


@each_row(
    "content",
    [
        b"",
        b"PK",
        b"no archive",
        bytes(range(256)) * 9,
        one_array(),
        archive(weights=WEIGHTS),
        archive(random=np.array([{}], object), plan=WEIGHTS),
        archive(random=WEIGHTS, plan=WEIGHTS),
        archive(random=np.frombuffer(b"{}", np.uint8), plan=np.frombuffer(b"{}", np.uint8)),
    ],
)
def test_files_that_are_no_state_are_refused(tmp_path: Path, content: bytes) -> None:
    made = folder(tmp_path)
    (tmp_path / "state.npz").write_bytes(content)
    with pytest.raises(BosquetError, match=DAMAGED):
        loaded(made)


def test_a_cut_or_changed_state_is_refused_or_read_as_it_was(tmp_path: Path) -> None:
    made, python_random = folder(tmp_path), random.Random(1)
    whole = (tmp_path / "state.npz").read_bytes()
    told = set[str]()
    for _ in range(200):
        content = bytearray(whole[: python_random.randrange(len(whole))])
        if python_random.random() < 0.7:
            content = bytearray(whole)
            for _ in range(python_random.randint(1, 8)):
                content[python_random.randrange(len(content))] = python_random.randrange(256)
        (tmp_path / "state.npz").write_bytes(content)
        try:
            stored, _ = loaded(made)
            found = stored.array("weights", WEIGHTS)
        except BosquetError as error:
            told.add(str(error).partition(" (")[0])
        else:
            assert (found == WEIGHTS).all()
    assert told == {f"{tmp_path / 'state.npz'}: is no state of a training run; remove it, or name another --out"}


def test_a_damaged_curve_is_refused(tmp_path: Path) -> None:
    made = folder(tmp_path)
    (tmp_path / "curve.csv").write_text("round\nfirst\n")
    with pytest.raises(BosquetError, match=r"curve\.csv: is no learning curve; name another --out"):
        made.curve(1)


def test_a_state_is_on_disk_before_it_takes_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _file: done.append("flushed"))
    replace = os.replace

    def replace_and_note(draft: Path, path: Path) -> None:
        done.append(path.name)
        replace(draft, path)

    monkeypatch.setattr(os, "replace", replace_and_note)
    folder(tmp_path)
    assert done == ["flushed", "curve.csv", "flushed", "state.npz"]
