"""What kernels write of Schlossgarten with other boxes, and of its shuffles, is the JSON of the plain view."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

import bosquet
from bosquet.core import view_texts
from bosquet.core.ending import ended
from bosquet.core.game import Game
from bosquet.core.installed import spec
from bosquet.core.text.writing import Text
from bosquet.games.schlossgarten.box import KEYS
from bosquet.kernels import jit
from tests.differential.helpers.variety import EACH_OPTION, another_box, chosen, kinds
from tests.differential.helpers.writing import MORE, check, check_sheet
from tests.helpers.product import product_game
from tests.plain import plain_game


def purposeful_walk(options: dict[str, Any], seed: int, met: Counter[str]) -> Iterator[Game]:
    """Play a game with another box to win, and yield it at every position; count what was met."""
    rng = random.Random(seed)
    own = [key for i, key in enumerate(KEYS) if (seed + 1) >> i & 1]
    house = bosquet.new("schlossgarten", seed=seed, **options).record()["deal"]
    other = another_box(house, rng)
    deal = house | {key: other[key] for key in (*own, *["landscape"] * ("tiles" in own))}
    plain, product = plain_game("schlossgarten", options, deal), product_game("schlossgarten", options, deal)
    met.update(own)
    while not plain.over:
        yield product.game
        move = chosen("schlossgarten", plain, plain.legal(), rng, (0.0, 0.1, 0.3)[seed % 3])
        met.update(kinds("schlossgarten", plain, move))
        plain.play(move)
        product.play(move)
    yield product.game


def check_chance(game: Game, write: Any, state: Any, out: Any) -> None:
    """Compare the text of the chance event that has just been made."""
    out.end = 0
    write(state, out)
    assert bytes(memoryview(out.bytes).cast("B")[: out.end]) == msgspec.json.encode(game.moves[-1])


def compare_other_boxes(options: dict[str, Any], seeds: Iterable[int], *, compiled: bool) -> Counter[str]:
    """Compare what is written in games of Schlossgarten with other boxes; count what was met."""
    met: Counter[str] = Counter()
    module: Any = spec("schlossgarten").module("writing")
    write_chance = jit.bind(module.write_chance, jit=compiled)
    out: Any = np.zeros(1, Text.dtype).view(np.recarray)[0] if compiled else Text()
    for seed in seeds:
        chance = random.Random(seed)
        for game in purposeful_walk(options, seed, met):
            if game.moves and game.moves[-1].startswith("pile"):
                check_chance(game, write_chance, game.state.pack()[0] if compiled else game.state, out)
            if chance.random() < (0.2 if compiled else 0.07) or game.over or game.chance_due:
                check(game, chance)
                check(game.with_state(ended(game.spec, game.state)), chance)
        check_sheet(game)
    return met


def test_plain_kernels_write_the_view_of_another_box() -> None:
    """The same kernels, compiled, are compared with all options."""
    options, players = EACH_OPTION[5]
    compare_other_boxes({"players": players, **options}, range(14, 14 + MORE), compiled=False)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("options", "players"), EACH_OPTION)
def test_compiled_kernels_write_the_view_of_another_box(
    options: dict[str, str], players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view_texts, "_writers", {})
    view_texts.load(spec("schlossgarten"))
    met = compare_other_boxes({"players": players, **options}, range(8 * MORE), compiled=True)
    due = [*KEYS, "hits", "jumps", "shifts", "builds", "builds over others"]
    assert all(met[kind] >= 2 for kind in due), met
    assert players < 4 or met["shuffles"] > 0, met
    assert (met["builds by another"] > 0) == (options.get("work") == "each"), met
    assert (met["builds on elements alone"] > 0) == (options.get("overbuild") == "elements"), met
