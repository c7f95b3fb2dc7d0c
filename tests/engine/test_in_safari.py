"""The engine of each game in JavaScriptCore, the engine of Safari, plays as in Node. Debian's `jsc` is its shell."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import bosquet
from tests.engine.helpers.node import has_engine, module_of
from tests.helpers.node import NODE

JSC = shutil.which("jsc")
PROGRAM = str(Path(__file__).parent / "helpers/shell.js")


def output(*command: str) -> str:
    """Return what a shell prints of a game."""
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


@pytest.mark.skipif(JSC is None, reason="no JavaScriptCore here; Debian's package libjavascriptcoregtk-4.0-bin has it")
@pytest.mark.parametrize("game", [name for name in bosquet.GAMES if has_engine(name)])
def test_an_engine_plays_the_same_game_in_javascriptcore(game: str) -> None:
    module = str(module_of(game))
    assert JSC is not None
    found = output(JSC, PROGRAM, "--", module)
    assert '"winners"' in found
    assert found == output(str(NODE), PROGRAM, module)
