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
from tests.helpers.rows import each_row


class Settings(msgspec.Struct):
    """A plan."""

    seed: int


class Line(msgspec.Struct):
    """A line of the curve."""

    round: int


WEIGHTS = np.arange(6.0).reshape(2, 3)
DAMAGED = r"state\.npz: is no state of a training run that can be read; name another --out \("


def folder(path: Path) -> RunFolder[Line]:
    """A folder with the state of a round."""
    made = RunFolder(path, Line)
    made.save({"weights": WEIGHTS, "done": 1}, Settings(seed=1), np.random.default_rng(1), Line(round=1))
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
    assert made.lines == [Line(round=1)]


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
    assert told == {f"{tmp_path / 'state.npz'}: is no state of a training run that can be read; name another --out"}


@each_row("content", [None, "", "round\nfirst\n"])
def test_a_curve_that_is_lost_or_changed_is_written_again(tmp_path: Path, content: str | None) -> None:
    folder(tmp_path)
    curve = tmp_path / "curve.csv"
    curve.unlink()
    if content is not None:
        curve.write_text(content)
    made = RunFolder(tmp_path, Line)
    assert loaded(made)
    assert made.lines == [Line(round=1)]
    assert curve.read_text() == "round\n1\n"


@each_row("rounds", [[0], [2], [1, 1], [1, 3], [-5]])
def test_rounds_that_are_not_counted_on_are_refused(tmp_path: Path, rounds: list[int]) -> None:
    made = RunFolder(tmp_path, Line)
    made.lines = [Line(round=number) for number in rounds[:-1]]
    made.save({}, Settings(seed=1), np.random.default_rng(1), Line(round=rounds[-1]))
    with pytest.raises(BosquetError, match=DAMAGED + "its rounds are not 1, 2, 3 …"):
        loaded(made)


def test_numbers_that_are_none_or_out_of_range_are_refused(tmp_path: Path) -> None:
    made = RunFolder(tmp_path, Line)
    arrays = {"none": np.array([1.0, np.nan]), "stage": np.array([0, 99])}
    made.save(arrays, Settings(seed=1), np.random.default_rng(1), Line(round=1))
    stored, _ = loaded(made)
    with pytest.raises(BosquetError, match=DAMAGED + "none is not what"):
        stored.array("none", np.zeros(2))
    stored.check("stage", arrays["stage"], 0, 99)
    for low, high in ((0, 98), (1, 99), (1, None)):
        with pytest.raises(BosquetError, match=DAMAGED + "stage has values out of range"):
            stored.check("stage", arrays["stage"], low, high)


@each_row("name", ["learned-2.npz", "curve.csv", "notes.txt"])
def test_a_folder_with_other_files_is_not_written_to(tmp_path: Path, name: str) -> None:
    path = tmp_path / Path(name).stem
    path.mkdir()
    (path / name).write_text("mine")
    with pytest.raises(BosquetError, match=f'holds "{name}" and is no folder of a training run .* with --out'):
        RunFolder(path, Line)
    assert [file.name for file in path.iterdir()] == [name]


def test_what_a_run_left_that_was_killed_in_its_first_round_is_no_hindrance(tmp_path: Path) -> None:
    for name in ("lock", ".state.npz.part"):
        (tmp_path / name).touch()
    assert loaded(RunFolder(tmp_path, Line)) is None


def test_a_full_disk_is_told_and_takes_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands for it: Python ignores its signal, so writing raises OSError."""
    resource = pytest.importorskip("resource")
    made = folder(tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        with pytest.raises(
            BosquetError, match=r"state\.npz: can't be written: File too large; .* make sure that there is room"
        ):
            made.save({"weights": np.zeros(9999)}, Settings(seed=1), np.random.default_rng(1), Line(round=2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert made.lines == [Line(round=1)]


def test_a_state_is_on_disk_before_it_takes_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _file: done.append("flushed"))
    replace = os.replace

    def replace_and_note(draft: Path, path: Path) -> None:
        done.append(path.name)
        replace(draft, path)

    monkeypatch.setattr(os, "replace", replace_and_note)
    folder(tmp_path)
    assert done == ["flushed", "state.npz", "flushed", "curve.csv"]
