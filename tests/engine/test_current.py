"""The engine of each game was made from the kernels as they are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bosquet.core import installed
from bosquet.engine.build import FACTS, SOURCES, TOOLS, digest, engine_file
from bosquet.engine.facts import facts_text
from bosquet.kernels.wasm import sections, with_section


@pytest.mark.parametrize("game", installed.OURS)
def test_an_engine_was_made_from_the_kernels_as_they_are(game: str) -> None:
    spec = installed.spec(game)
    found = sections(engine_file(spec).read_bytes())
    if found[SOURCES].decode() != digest(spec) or found[FACTS] != facts_text(spec):
        remedy = f"uv run --group engine python -m bosquet.engine {game}"
        pytest.fail(f"kernels or facts have changed; run: {remedy}", pytrace=False)
    assert "ziglang" in found[TOOLS].decode()


def test_a_section_is_read_as_it_was_written() -> None:
    module = with_section(with_section(b"\0asm\1\0\0\0", "a", b"x" * 300), "b", b"")
    assert sections(module) == {"a": b"x" * 300, "b": b""}
    with pytest.raises(ValueError, match="not a module"):
        sections(b"nothing")


def test_the_kernels_of_engines_name_no_game() -> None:
    command = ["git", "grep", "-iE", "|".join(installed.OURS), "src/bosquet/engine", "src/bosquet/kernels"]
    found = subprocess.run(command, capture_output=True)
    assert found.stdout == b""


def test_a_game_that_is_none_is_refused_in_a_line() -> None:
    command = [sys.executable, "-m", "bosquet.engine", "--check", "chess"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "there is no game" in done.stderr.splitlines()[-1]
