"""Kernels write the texts of positions as plain Python does, compiled or not."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.core.game import Game
from bosquet.core.positions.position import decision_rng
from bosquet.core.rng import RNG_WORDS
from bosquet.core.text.writing import Text
from bosquet.engine.seed_kernels import seed_decision
from bosquet.kernels.jit import bind
from bosquet.kernels.sha256 import HASHER
from tests.contract.helpers.positions import every_ply, viewers
from tests.differential.helpers.variety import another_box
from tests.helpers.cases import every_size, every_size_compiled
from tests.plain.position_texts import text


def played(name: str, options: dict[str, Any]) -> Iterator[Game]:
    """Games that are played to their end or for long, at every fifth ply, where chance is due, and at the end."""
    for game in itertools.chain(every_ply(name, options, 1), every_ply(name, options, 2, 100)):
        if len(game.moves) % 5 == 0 or game.seat is None:
            yield game


@every_size
def test_texts_are_those_of_plain_python(name: str, options: dict[str, Any]) -> None:
    for game in played(name, options):
        for viewer in viewers(game):
            position = game.position(viewer)
            assert str(position) == text(position)


@pytest.mark.parametrize("seed", range(20))
def test_boxes_are_written_where_they_are_not_the_house_s(seed: int) -> None:
    rng = random.Random(seed)
    record = bosquet.new("schlossgarten", seed=seed, players=2 + seed % 3).record()
    record["deal"] = another_box(record["deal"], rng)
    position = bosquet.load(record).position(seed % 2)
    assert str(position) == text(position)
    assert "/deck=" in str(position)


@every_size
def test_kernels_seed_decisions_as_python_does(name: str, options: dict[str, Any]) -> None:
    check_decisions(name, options, Text(), [0] * HASHER, [0] * RNG_WORDS, jit=False)


@pytest.mark.slow
@every_size_compiled
def test_compiled_code_writes_and_seeds_the_same(name: str, options: dict[str, Any]) -> None:
    out = np.zeros(1, Text.dtype).view(np.recarray)[0]
    check_decisions(name, options, out, np.zeros(HASHER, np.int64), np.zeros(RNG_WORDS, np.int64), jit=True)


def check_decisions(name: str, options: dict[str, Any], out: Any, hasher: Any, rng_state: Any, *, jit: bool) -> None:
    """The text that is the seed is that of the position, and the generator is that of Python."""
    if (module := bosquet.spec(name).module("position_text")) is None:
        pytest.skip("it has no texts")
    kernels = {"write_options": module.write_options, "write_position": module.write_position}
    seed = bind(seed_decision, kernels, jit=jit)
    for game in played(name, options):
        for viewer in viewers(game):
            position = game.position(viewer)
            beginning = f"hint/{name}".encode()
            out.end = len(beginning)
            out.bytes[: out.end] = beginning if not jit else list(beginning)
            state = position.state.pack()[0] if jit else position.state
            seed(hasher, state, -1 if viewer is None else viewer, out, rng_state)
            assert bytes(out.bytes[: out.end]).decode() == f"hint/{position}"
            assert list(map(int, rng_state)) == decision_rng("hint", game.view(viewer)).state
