"""Puts questions to engines in Node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bosquet
from bosquet.engine.build import engine_file
from tests.engine.helpers.questions import Question
from tests.helpers.node import NODE

PROGRAM = Path(__file__).parent / "node.ts"


def module_of(game: str) -> Path:
    """Return where the module of a game is, if it has one."""
    return Path(str(engine_file(bosquet.spec(game))))


def has_engine(game: str) -> bool:
    """Return whether a game has a module."""
    return module_of(game).exists()


def answers(
    game: str, scripts: Sequence[Sequence[Question]], *, engines: int = 1, module: Path | None = None
) -> list[list[Any]]:
    """Return the answers of as many engines in Node to lists of questions."""
    lines = "".join(json.dumps([[one.name, one.ask] for one in script]) + "\n" for script in scripts)
    command = [str(NODE), str(PROGRAM), str(module or module_of(game)), game, str(engines)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(game: str, scripts: Sequence[Sequence[Question]], *, engines: int = 1) -> None:
    """Fail at the first answer that is not Python's."""
    assert_equal(scripts, answers(game, scripts, engines=engines))


def assert_answered(script: Sequence[Question], found: Sequence[Any]) -> None:
    """Fail at the first answer that is not the one of its question, where that has one."""
    for question, answer in zip(script, found, strict=True):
        if question.answer is not None:
            assert answer == question.answer, f"{question.name} {question.ask}"


def assert_equal(scripts: Sequence[Sequence[Question]], found: Sequence[Sequence[Any]]) -> None:
    """Fail at the first answer that is not the one of its question."""
    assert len(found) == len(scripts)
    for number, (script, given) in enumerate(zip(scripts, found, strict=True)):
        for place, (question, answer) in enumerate(zip(script, given, strict=True)):
            assert answer == question.answer, f"game {number}, question {place}: {question.name} {question.ask}"
