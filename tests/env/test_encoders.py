"""Observations and indices of actions: what an encoder promises, for every game and every option."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.core import installed
from bosquet.core.encoding import observation_size
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from tests.differential.helpers.variety import random_deck
from tests.env import layouts
from tests.helpers.cases import CASES, IDS, QUICK, every_size, walk
from tests.plain.schlossgarten import Pattern

FRESH = 7
"""What stands in memory that an encoder must overwrite."""


def observed(game: Game, state: Any, seat: int) -> bytes:
    encoder = installed.spec(game.name).encoder
    out = np.full(observation_size(encoder.layout(game.options)), FRESH, np.uint8)
    encoder.observe(state, seat, out)
    return out.tobytes()


@every_size
def test_observations_say_nothing_unseen_and_indices_are_exact(name: str, options: dict[str, Any]) -> None:
    """What a seat can't tell apart looks the same, and every legal action is its index and back."""
    encoder, rng, differed = installed.spec(name).encoder, bosquet.Rng(5), 0
    count = encoder.action_count(options)
    for game in walk(name, options, 31):
        state, spec = game.state, game.spec
        if len(game.moves) % 5 == 0:
            for seat in range(game.players):
                other = spec.view.determinize(game.view(seat), rng)
                differed += other != state
                assert observed(game, other, seat) == observed(game, state, seat)
        moves = [0] * spec.rules.MAX_MOVES
        actions = moves[: spec.rules.legal(state, moves)]
        indices = [encoder.index_of(state, action) for action in actions]
        assert [encoder.action_at(state, index) for index in indices] == actions
        n = encoder.indices(state, moves)
        assert sorted(moves[:n]) == sorted(indices)
        assert all(0 <= index < count for index in indices)
    assert differed or spec.lies_open
    assert len(game.moves) <= encoder.max_decisions(options) + encoder.max_chance_events(options)


@every_size
def test_every_byte_is_written_and_fits(name: str, options: dict[str, Any]) -> None:
    encoder = installed.spec(name).encoder
    parts = encoder.layout(options)
    size = observation_size(parts)
    most = [part.high for part in parts for _ in range(part.size)]
    for game in walk(name, options, 32):
        if len(game.moves) % 7:
            continue
        for seat in range(game.players):
            numbers = [FRESH * 1000] * size
            encoder.observe(game.state, seat, numbers)
            assert min(numbers) >= 0
            assert all(number <= high <= 255 for number, high in zip(numbers, most, strict=True))
            again = [FRESH * 2000] * (size + 1)
            encoder.observe(game.state, seat, again)
            assert again == [*numbers, FRESH * 2000]


@every_size
def test_an_observation_over_an_earlier_one_is_the_same_as_a_new_one(name: str, options: dict[str, Any]) -> None:
    encoder = installed.spec(name).encoder
    if not hasattr(encoder, "observe_again"):
        return
    size = observation_size(encoder.layout(options))
    earlier = [[0] * size for _ in range(options["players"])]
    rng = Rng(5)
    for numbers, game in zip(itertools.cycle(earlier), walk(name, options, 33), strict=False):
        if not game.moves:
            for kept in earlier:
                encoder.observe(game.state, 0, kept)
        viewer = rng.below(game.players)
        before = list(numbers)
        if not encoder.observe_again(game.state, viewer, numbers):
            assert numbers == before
            encoder.observe(game.state, viewer, numbers)
        anew = [0] * size
        encoder.observe(game.state, viewer, anew)
        assert numbers == anew


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[] if case in QUICK else pytest.mark.slow) for case in range(len(CASES))], ids=IDS
)
def test_layouts_change_only_with_the_version(case: int) -> None:
    """If this fails on purpose, raise the encoder's VERSION and write the table anew: `python -m tests.env.layouts`."""
    kept = layouts.TABLE.read_text(encoding="utf-8").splitlines()
    assert len(kept) == len(CASES)
    assert layouts.line(IDS[case], *CASES[case]) == kept[case]


def test_every_pattern_of_a_wide_card_can_be_told_from_an_observation() -> None:
    """A subject beyond the 5 × 5 offsets stands at their edge: 1 + columns beyond + 3 × rows beyond."""
    encoder = installed.spec("schlossgarten").encoder
    parts = encoder.layout({"players": 2})
    at = {part.name: observation_size(parts[:i]) for i, part in enumerate(parts)}
    for seed in range(20):
        deck = random_deck(random.Random(seed))
        game = bosquet.new("schlossgarten", seed=seed, box=deck)
        seen = np.frombuffer(observed(game, game.state, 0), np.uint8)
        cards = game.view(0).hand  # type: ignore[attr-defined]
        game.play(f"card {cards[0]}")
        played = np.frombuffer(observed(game, game.state, 0), np.uint8)
        for card, numbers, start in (
            (cards[0], seen, at["hand patterns"]),
            (cards[1], seen, at["hand patterns"] + 50),
            (cards[0], played, at["played pattern"]),
            (cards[1], played, at["hand patterns"]),
        ):
            pattern = Pattern.read(deck[card - 1])
            planes = numbers[start : start + 50].reshape(2, 5, 5)
            assert (planes > 0).sum() == 2
            for plane, offset in zip(planes, (pattern.gardener, pattern.architect), strict=True):
                ((north, east),) = np.argwhere(plane)
                north, east, rest = int(north) - 2, int(east) - 2, int(plane[north, east]) - 1
                assert offset == (farther(east, rest % 3), farther(north, rest // 3))


def farther(step: int, more: int) -> int:
    """An offset at the edge, so much farther from the king."""
    return step - more if step < 0 else step + more


@every_size
def test_points_and_what_is_private_stay_in_their_bounds(name: str, options: dict[str, Any]) -> None:
    encoder = installed.spec(name).encoder
    least, most = encoder.min_points(options), encoder.max_points(options)
    for seed in (33, 34):
        for game in walk(name, options, seed):
            for seat in range(game.players):
                assert 0 <= encoder.private(game.state, seat) < 1 << 48
                assert least is None or least <= game.scores[seat]
                assert most is None or game.scores[seat] <= most
