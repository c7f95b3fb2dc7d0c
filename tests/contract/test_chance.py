"""The source of chance: the published generator, exact uniform numbers, fair shuffles, the same compiled."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

import bosquet
from bosquet.core import chance
from bosquet.core.jit import available, bind

WORDS = 1 << 32
LIMIT = 1e-4  # seeds are fixed, so what is above it stays so
NUMBERS = (1, 2, 3, 5, 6, 7, 35, 49, 1000, 65537, 2**31 - 1)

# The first words of sfc32 as PractRand's RNG_output prints them, for a seed of 64 bits: a = 0, b and c its halves,
# counter 1, twelve words thrown away.
PUBLISHED = {
    0x0: [0x514676C3, 0x08A809DF, 0x30349D2B, 0xFB52C520, 0x38802BE1, 0x948279E6, 0xEC4BF1D9, 0x7CB0A909],
    0x123456789ABCDEF: [0x84712D97, 0xF5A3D9C8, 0x5CD0A295, 0x35E05B54, 0x4C627CA1, 0x33A043E2, 0xB6113C67, 0x7CAB9699],
}


class Sfc32:
    """The generator once more, from its description: integers without end, cut to 32 bits after each operation."""

    def __init__(self, a: int, b: int, c: int, counter: int) -> None:
        self.a, self.b, self.c, self.counter = a, b, c, counter

    def word(self) -> int:
        output = (self.a + self.b + self.counter) % WORDS
        rotated = int(f"{self.c:032b}"[21:] + f"{self.c:032b}"[:21], 2)
        self.counter = (self.counter + 1) % WORDS
        self.a = self.b ^ self.b // 2**9
        self.b = self.c * 9 % WORDS
        self.c = (rotated + output) % WORDS
        return output


@pytest.mark.parametrize("seed", PUBLISHED)
def test_the_generator_gives_the_published_numbers(seed: int) -> None:
    lanes = [0, seed % WORDS, seed // WORDS, 1]
    for _ in range(12):
        chance.draw(lanes)
    assert [chance.draw(lanes) for _ in range(8)] == PUBLISHED[seed]


def test_the_generator_equals_its_description() -> None:
    for seed in range(50):
        lanes = chance.lanes_of("description", seed)
        other = Sfc32(*lanes)
        for _ in range(200):
            assert chance.draw(lanes) == other.word()
        assert lanes == [other.a, other.b, other.c, other.counter]
    lanes = [WORDS - 1, WORDS - 1, WORDS - 1, WORDS - 1]
    other = Sfc32(*lanes)
    assert [chance.draw(lanes) for _ in range(100)] == [other.word() for _ in range(100)]


def test_known_lanes_of_a_seed() -> None:
    """They may never change: kept seeds would give other games."""
    assert chance.lanes_of(7, "deal") == [2022072867, 2849370439, 3770849135, 3462540982]
    assert chance.derived_seed(7, 3) == 3016608448413232
    assert chance.lanes_of(1, 2) != chance.lanes_of(12)


@pytest.mark.parametrize("n", NUMBERS)
def test_below_takes_equally_many_words_for_each_number(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the 2**32 words each number below n gets exactly 2**32 // n; the others are refused.

    The words of a number stand in one run, so its ends say it all.
    """
    words: list[int] = []
    monkeypatch.setattr(chance, "draw", lambda lanes: words.pop(0))

    def number(word: int) -> int | None:
        """The number that a word gives, None if it is refused and the next word taken."""
        words[:] = [word, WORDS - 1]
        found = chance.below([], n)
        return found if words else None

    refused = WORDS % n
    for value in sorted({0, 1, n // 2, n - 1} - {n}):
        first = -(-(value * WORDS + refused) // n)
        last = first + WORDS // n - 1
        assert number(first) == number((first + last) // 2) == number(last) == value
        assert first == 0 or number(first - 1) in (None, value - 1)
        assert last == WORDS - 1 or number(last + 1) in (None, value + 1)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_order_of_a_shuffle_is_equally_likely(n: int) -> None:
    source = bosquet.Chance("orders", n)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(200 * math.factorial(n)):
        items = list(range(n))
        source.shuffle(items)
        found[tuple(items)] += 1
    orders = list(itertools.permutations(range(n)))
    assert set(found) <= set(orders)
    assert n == 1 or stats.chisquare([found[order] for order in orders]).pvalue > LIMIT


def test_samples_and_choices_are_uniform() -> None:
    source = bosquet.Chance("samples")
    pairs = Counter(tuple(source.sample("abcde", 2)) for _ in range(8000))
    assert stats.chisquare([pairs[pair] for pair in itertools.permutations("abcde", 2)]).pvalue > LIMIT
    chosen = Counter(source.choice("abcdefg") for _ in range(7000))
    assert stats.chisquare([chosen[letter] for letter in "abcdefg"]).pvalue > LIMIT
    numbers = Counter(source.below(11) for _ in range(11000))
    assert stats.chisquare([numbers[i] for i in range(11)]).pvalue > LIMIT


def test_a_shuffle_leaves_what_lies_behind() -> None:
    items = list(range(10))
    chance.shuffle(chance.lanes_of(1), items, 4)
    assert items[4:] == [4, 5, 6, 7, 8, 9]
    assert sorted(items) == list(range(10))


def test_chance_without_a_seed_is_fresh() -> None:
    assert bosquet.Chance().lanes != bosquet.Chance().lanes
    assert all(0 <= chance.fresh_seed() < chance.SEED_LIMIT for _ in range(20))
    assert all(0 <= chance.derived_seed(i) < chance.SEED_LIMIT for i in range(20))


@pytest.mark.skipif(not available(), reason="compiling is turned off (BOSQUET_JIT=0) or numba is absent")
def test_compiled_numbers_are_equal() -> None:
    draw, below = bind(chance.draw), bind(chance.below)
    for seed in range(5):
        lanes = chance.lanes_of("compiled", seed)
        machine = np.array(lanes, np.int64)
        for n in NUMBERS * 40:
            assert below(machine, n) == chance.below(lanes, n)
            assert draw(machine) == chance.draw(lanes)
        assert machine.tolist() == lanes
    ends = [WORDS - 1] * 4
    machine = np.array(ends, np.int64)
    assert [draw(machine) for _ in range(50)] == [chance.draw(ends) for _ in range(50)]
