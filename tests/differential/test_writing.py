"""What kernels write of a position is, byte for byte, the JSON of the plain view, plainly and compiled."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

import bosquet
from bosquet.core import view_texts
from bosquet.core.assistance import FULL
from bosquet.core.game import Game
from bosquet.core.installed import names, spec
from bosquet.core.text import text_buffers
from bosquet.core.text.writing import ROOM, Text
from bosquet.kernels import jit
from tests.differential.helpers.writing import MORE, check, check_sheet
from tests.helpers.cases import CASES, actions_of, case_of_each_size, parameters
from tests.plain import plain_views

WRITING = [name for name in names() if spec(name).writes_views]
every_writing_game = pytest.mark.parametrize(
    ("name", "options"), parameters(case for case, (name, _) in enumerate(CASES) if name in WRITING)
)
"""Every game whose views kernels write, with all of its options."""
GREED = 30
"""How many moves are compared for the one with most points: long rows are rare where all moves are random."""
STEPS, LONG_STEPS = (8, 2), (25, 7)
"""Plain kernels write every eighth position, compiled ones every second; of games of nearly 2,000 plies fewer."""
LONG = ("schlossgarten",)
RARE = 20
"""How many positions of each later phase are all written: works in a garden are few, at the end of its game."""


def greedy_walk(name: str, options: dict[str, Any], seed: int) -> Iterator[Game]:
    """Play a game whose moves mostly gain much, by the oracle's views; yield it at every position."""
    chance, oracle = random.Random(seed), plain_views(name)
    game = bosquet.new(name, seed=seed, **options)
    while not game.over:
        yield game
        actions = actions_of(game)
        state, some = game.state, chance.sample(actions, min(GREED, len(actions)))
        game.apply(max(some, key=lambda action: oracle.move_data(state, action, state.seat).points or 0))
    yield game


def compare(name: str, options: dict[str, Any], seed: int, chance: random.Random, *, compiled: bool) -> None:
    """Compare every few positions of a greedy walk, and all that are rare, with the oracle."""
    step = (LONG_STEPS if name in LONG else STEPS)[compiled]
    met = Counter[int]()
    for i, game in enumerate(greedy_walk(name, options, seed)):
        phase = getattr(game.state, "phase", 0)
        met[phase] += 1
        if i % step == seed % step or game.over or game.chance_due or (phase and met[phase] <= RARE):
            check(game, chance)
        if i % 20 == 19 or game.over:
            check_sheet(game)


@pytest.mark.parametrize(
    ("name", "options"), parameters(case for case in case_of_each_size() if CASES[case][0] in WRITING)
)
def test_plain_kernels_write_the_plain_view(name: str, options: dict[str, Any]) -> None:
    """The same kernels, compiled, are compared with all options."""
    chance = random.Random(1)
    for seed in range(5, 5 + MORE):
        compare(name, options, seed, chance, compiled=False)


@pytest.mark.slow
@pytest.mark.compiled
@every_writing_game
def test_compiled_kernels_write_the_plain_view(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view_texts, "_writers", {})
    view_texts.load(spec(name))
    chance = random.Random(2)
    for seed in range(MORE):
        compare(name, options, seed, chance, compiled=True)
    assert view_texts.written_plainly(spec(name)) == 0


def write_all(name: str, state: Any, seat: int, write: Any, out: Any) -> int:
    """Write the view of the seat to move from `out.end` on; return where it ends."""
    moves = np.zeros(spec(name).rules.MAX_MOVES, np.int64)
    write(state, seat, FULL, moves, out)
    return int(out.end)


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=[pytest.mark.compiled, pytest.mark.slow])])
def test_a_text_that_is_too_long_is_counted_and_not_written(name: str, compiled: bool) -> None:
    module: Any = spec(name).module("writing")
    write = jit.bind(module.write_view) if compiled else module.write_view
    state = bosquet.new(name, seed=1).state
    packed = np.zeros(1, Text.dtype).view(np.recarray)
    out: Any = packed[0] if compiled else Text()
    given = state.pack()[0] if compiled else state
    text = memoryview(packed["bytes"][0] if compiled else out.bytes).cast("B")
    length = write_all(name, given, state.seat, write, out)
    whole = bytes(text[:length])
    for room in (length, length - 1, length // 2, 1):
        out.end = ROOM - room
        text[ROOM - room - 1 :] = b"[" + bytes(room)
        assert (write_all(name, given, state.seat, write, out) > ROOM) == (room < length)
        assert (bytes(text[ROOM - room :]) == whole) == (room == length)


@pytest.mark.parametrize("name", WRITING)
def test_a_text_that_is_too_long_is_an_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_buffers, "ROOM", 100)
    with pytest.raises(OverflowError, match="there is room for 100"):
        bosquet.new(name, seed=1).view(0)


@every_writing_game
def test_what_is_written_is_read_as_the_types_of_the_game(name: str, options: dict[str, Any]) -> None:
    """No field is left out and none is added, so the text and the types say the same of a game."""
    game = bosquet.new(name, seed=2, **options)
    for viewer in (None, *range(game.players)):
        text = game.view_json(viewer)
        assert msgspec.json.encode(game.view(viewer)) == text
        assert list(msgspec.json.decode(text)) == list(game.spec.view_type.__struct_fields__)
