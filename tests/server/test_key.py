"""The key of a data folder: complete or not there, and read by nobody else."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from bosquet.core.errors import BosquetError
from bosquet.server.store.key import read_key
from tests.helpers.rows import each_row

has_modes = pytest.mark.skipif(os.name == "nt", reason="there are no modes on Windows")


def test_the_key_is_kept(tmp_path: Path) -> None:
    key = read_key(tmp_path / "key")
    assert len(key) == 32
    assert read_key(tmp_path / "key") == key
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


@has_modes
def test_nobody_else_may_read_a_new_key(tmp_path: Path) -> None:
    read_key(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_key_that_could_not_be_written_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        BosquetError, match=re.escape("No space left on device; make room there, or name another --data")
    ):
        read_key(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert len(read_key(tmp_path / "key")) == 32


@each_row("size", [0, 1, 31, 33, 1000])
def test_a_key_of_another_length_is_refused(tmp_path: Path, size: int) -> None:
    file = tmp_path / f"key{size}"
    file.write_bytes(b"k" * size)
    file.chmod(0o600)
    with pytest.raises(BosquetError, match=f"has {size} bytes instead of 32; restore a backup, or delete it"):
        read_key(file)
    assert file.read_bytes() == b"k" * size


@has_modes
@each_row("mode", [0o640, 0o604, 0o620, 0o602, 0o777])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / f"key{mode}"
    file.write_bytes(b"k" * 32)
    file.chmod(mode)
    with pytest.raises(BosquetError, match=f"run `chmod 600 {re.escape(str(file))}`"):
        read_key(file)
    file.chmod(0o600)
    assert read_key(file) == b"k" * 32
