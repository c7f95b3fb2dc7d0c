"""The source of chance: the published generator, exact uniform numbers, fair shuffles, the same compiled."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
import scipy  # its parts are loaded at their first use

import bosquet
from bosquet.core import rng
from bosquet.kernels.jit import bind
from tests.helpers.rows import each_row

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


@each_row("seed", PUBLISHED)
def test_the_generator_gives_the_published_numbers(seed: int) -> None:
    rng_state = [0, seed % WORDS, seed // WORDS, 1]
    for _ in range(12):
        rng.draw(rng_state)
    assert [rng.draw(rng_state) for _ in range(8)] == PUBLISHED[seed]


def test_the_generator_equals_its_description() -> None:
    for seed in range(50):
        rng_state = rng.seed_rng("description", seed)
        other = Sfc32(*rng_state)
        for _ in range(200):
            assert rng.draw(rng_state) == other.word()
        assert rng_state == [other.a, other.b, other.c, other.counter]
    rng_state = [WORDS - 1, WORDS - 1, WORDS - 1, WORDS - 1]
    other = Sfc32(*rng_state)
    assert [rng.draw(rng_state) for _ in range(100)] == [other.word() for _ in range(100)]


def test_known_lanes_of_a_seed() -> None:
    """They may never change: kept seeds would give other games."""
    assert rng.seed_rng(7, "deal") == [2022072867, 2849370439, 3770849135, 3462540982]
    assert rng.derived_seed(7, 3) == 3016608448413232
    assert rng.seed_rng(1, 2) != rng.seed_rng(12)


@each_row("n", NUMBERS)
def test_below_takes_equally_many_words_for_each_number(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the 2**32 words each number below n gets exactly 2**32 // n; the others are refused.

    The words of a number stand in one run, so its ends say it all.
    """
    words: list[int] = []
    monkeypatch.setattr(rng, "draw", lambda rng_state: words.pop(0))

    def number(word: int) -> int | None:
        """The number that a word gives, None if it is refused and the next word taken."""
        words[:] = [word, WORDS - 1]
        found = rng.below([], n)
        return found if words else None

    refused = WORDS % n
    for value in sorted({0, 1, n // 2, n - 1} - {n}):
        first = -(-(value * WORDS + refused) // n)
        last = first + WORDS // n - 1
        assert number(first) == number((first + last) // 2) == number(last) == value
        assert first == 0 or number(first - 1) in (None, value - 1)
        assert last == WORDS - 1 or number(last + 1) in (None, value + 1)


@pytest.mark.slow
@each_row("n", [1, 2, 3, 4, 5])
def test_every_order_of_a_shuffle_is_equally_likely(n: int) -> None:
    source = bosquet.Rng("orders", n)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(200 * math.factorial(n)):
        items = list(range(n))
        source.shuffle(items)
        found[tuple(items)] += 1
    orders = list(itertools.permutations(range(n)))
    assert set(found) <= set(orders)
    assert n == 1 or scipy.stats.chisquare([found[order] for order in orders]).pvalue > LIMIT


def test_samples_and_choices_are_uniform() -> None:
    source = bosquet.Rng("samples")
    pairs = Counter(tuple(source.sample("abcde", 2)) for _ in range(8000))
    assert scipy.stats.chisquare([pairs[pair] for pair in itertools.permutations("abcde", 2)]).pvalue > LIMIT
    chosen = Counter(source.choice("abcdefg") for _ in range(7000))
    assert scipy.stats.chisquare([chosen[letter] for letter in "abcdefg"]).pvalue > LIMIT
    numbers = Counter(source.below(11) for _ in range(11000))
    assert scipy.stats.chisquare([numbers[i] for i in range(11)]).pvalue > LIMIT


def test_a_shuffle_leaves_what_lies_behind() -> None:
    items = list(range(10))
    rng.shuffle(rng.seed_rng(1), items, 4)
    assert items[4:] == [4, 5, 6, 7, 8, 9]
    assert sorted(items) == list(range(10))


def test_chance_without_a_seed_is_fresh() -> None:
    assert bosquet.Rng().state != bosquet.Rng().state
    assert all(0 <= rng.fresh_seed() < rng.SEED_LIMIT for _ in range(20))
    assert all(0 <= rng.derived_seed(i) < rng.SEED_LIMIT for i in range(20))


@pytest.mark.compiled
def test_compiled_numbers_are_equal() -> None:
    draw, below = bind(rng.draw), bind(rng.below)
    for seed in range(5):
        rng_state = rng.seed_rng("compiled", seed)
        machine = np.array(rng_state, np.int64)
        for n in NUMBERS * 40:
            assert below(machine, n) == rng.below(rng_state, n)
            assert draw(machine) == rng.draw(rng_state)
        assert machine.tolist() == rng_state
    ends = [WORDS - 1] * 4
    machine = np.array(ends, np.int64)
    assert [draw(machine) for _ in range(50)] == [rng.draw(ends) for _ in range(50)]
