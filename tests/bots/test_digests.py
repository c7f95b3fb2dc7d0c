"""Digests of what plays: they differ if a file does that a name stands for."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bosquet.bots.digests import digests


def test_each_kind_of_bot_has_the_digest_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("mine/inner/__pycache__", "run"):
        os.makedirs(folder)
    read = {
        "bot.py": "bot.py",
        "bot.py:Bot": "bot.py",
        "alone:Bot": "alone.py",
        "mine.player:Bot": "mine/inner/weights.bin",
        f"cmd:{sys.executable} run.py --weights=some.npz": "some.npz",
        f"cmd:{sys.executable} run.py": "run.py",
        "learned:400:weights=run": "run/learned-2.npz",
    }
    for file in (*read.values(), "mine/__init__.py", "mine/player.py", "run/state.npz"):
        Path(file).write_text("first")
    names = [*read, "greedy", "search:100", "learned:400"]
    first = digests("topas", names)
    assert set(first) == {"bosquet", *read}
    Path("run/state.npz").write_text("more")
    Path("mine/inner/__pycache__/player.pyc").write_text("more")
    assert digests("topas", names) == first
    for file in sorted(set(read.values())):
        Path(file).write_text("second")
        changed = digests("topas", names)
        assert {name for name in names if changed.get(name) != first.get(name)} == {
            name for name in read if read[name] == file or (file == "run.py" and "run.py" in name)
        }
        Path(file).write_text("first")
