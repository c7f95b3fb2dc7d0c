"""Worker processes: what goes wrong with them is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
from bosquet.lab.matches import Match, outcomes
print(len(list(outcomes(Match("topiary", {"players": 2}, ["random"], 1).checked(), 40, workers=2))))
"""


def run(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    environment = os.environ | {"BOSQUET_JIT": "0"}
    return subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_a_script_that_does_not_ask_for_its_name_is_told_so(tmp_path: Path) -> None:
    done = run(tmp_path, SCRIPT)
    *_, last = done.stderr.splitlines()
    assert "a worker process has died; worker processes import the script" in last
    assert 'if __name__ == "__main__":' in last
    assert "memory" not in done.stderr
    assert done.stderr.count("Traceback") == 1  # that of the script itself


@pytest.mark.slow
def test_a_script_that_asks_for_its_name_plays(tmp_path: Path) -> None:
    body = SCRIPT.strip().replace("\n", "\n    ")
    done = run(tmp_path, f'if __name__ == "__main__":\n    {body}\n')
    assert done.stdout == "40\n", done.stderr
