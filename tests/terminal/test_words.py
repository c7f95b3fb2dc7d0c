"""The words that the terminal says: each exists, in every language, and a wheel has the files that hold them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import bosquet.terminal
from bosquet.terminal.words import LANGUAGES, OWN, catalogue

HATCH_BUILD = (Path(__file__).parents[2] / "hatch_build.py").read_text(encoding="utf-8")


def asked_for() -> Iterator[tuple[str, str]]:
    """The areas and names of words that are written out in the code of the terminal."""
    for file in Path(bosquet.terminal.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("words", "_words"):
                given = node.args[0] if node.args else None
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    area, _, name = given.value.partition(".")
                    yield area, name


def test_words_that_the_terminal_asks_for_exist_and_are_in_a_wheel() -> None:
    wanted = set(asked_for())
    (packed,) = re.findall(r"^WORDS = (\[.*\])$", HATCH_BUILD, re.MULTILINE)
    assert {area for area, _ in wanted} >= {OWN, "start"}
    for area, name in wanted:
        for language in LANGUAGES:
            assert language in catalogue(area)[name], (area, name)
        assert area == OWN or f"words/{area}.json" in ast.literal_eval(packed), area
