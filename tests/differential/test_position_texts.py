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
from bosquet.core.position_text import write_head
from bosquet.core.writing import Text
from bosquet.env.compiled_game import compiled_game
from bosquet.kernels.jit import bind
from tests.contract.helpers.positions import every_ply, viewers
from tests.differential.helpers.variety import another_box
from tests.helpers.cases import every_game, every_game_compiled
from tests.plain.position_texts import text


def played(name: str, options: dict[str, Any]) -> Iterator[Game]:
    """Games that are played to their end or for long, at every fifth ply, where chance is due, and at the end."""
    for game in itertools.chain(every_ply(name, options, 1), every_ply(name, options, 2, 100)):
        if len(game.moves) % 5 == 0 or game.seat is None:
            yield game


@every_game
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


@every_game_compiled
def test_compiled_code_writes_the_same(name: str, options: dict[str, Any]) -> None:
    compiled, module = compiled_game(name, **options), bosquet.spec(name).module("position_text")
    if module is None:
        pytest.skip("it has no texts")
    head = bind(write_head, {"write_options": module.write_options})
    rest = bind(module.write_position)
    assert compiled.jit
    out: Any = np.zeros(1, Text.dtype)
    for game in played(name, options):
        for viewer in viewers(game):
            position = game.position(viewer)
            state, seat = position.state.pack(), -1 if viewer is None else viewer
            out["end"] = 0
            head(state[0], seat, out[0])
            rest(state[0], seat, out[0])
            assert position.spec.name + out["bytes"][0, : out["end"][0]].tobytes().decode() == str(position)
