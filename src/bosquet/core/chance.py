"""Chance: one small generator that gives the same numbers in Python, in compiled code and on every machine.

The generator is sfc32 (Chris Doty-Humphrey, PractRand): four lanes of 32 bits, all arithmetic below 2**63.
NumPy's and Python's generators are not promised to give the same shuffles in later versions; records and tests need
that.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import MutableSequence, Sequence
from typing import Any, TypeVar

from bosquet.core.bits import count_bits, lowest_bit
from bosquet.core.jit import kernel

T = TypeVar("T")

LANES = 4
WORD = 0xFFFFFFFF
SEED_LIMIT = 1 << 53
"""Seeds drawn by the house lie below this, so that every JSON reader keeps them exactly."""


@kernel
def draw(lanes: MutableSequence[int]) -> int:
    """The next 32 random bits. Steps `lanes` (4 integers below 2**32)."""
    a, b, c, counter = lanes[0], lanes[1], lanes[2], lanes[3]
    word = (a + b + counter) & WORD
    lanes[0] = b ^ (b >> 9)
    lanes[1] = (c + (c << 3)) & WORD
    lanes[2] = ((((c << 21) | (c >> 11)) & WORD) + word) & WORD
    lanes[3] = (counter + 1) & WORD
    return word


@kernel
def below(lanes: MutableSequence[int], n: int) -> int:
    """A uniform number in 0 … n-1, for 1 <= n < 2**31 (Lemire 2019, exact by rejection). Steps `lanes`."""
    product = draw(lanes) * n
    if (product & WORD) < n:
        threshold = (WORD + 1 - n) % n
        while (product & WORD) < threshold:
            product = draw(lanes) * n
    return product >> 32


@kernel
def shuffle(lanes: MutableSequence[int], items: MutableSequence[Any], n: int) -> None:
    """Put the first n items into a uniformly random order, in place (Fisher–Yates). Steps `lanes`."""
    for i in range(n - 1, 0, -1):
        j = below(lanes, i + 1)
        items[i], items[j] = items[j], items[i]


@kernel
def draw_member(lanes: MutableSequence[int], mask: int) -> int:
    """A uniform member of a set of numbers that is not empty. Steps `lanes`."""
    for _ in range(below(lanes, count_bits(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


def lanes_of(*seed: object) -> list[int]:
    """Lanes for a seed: any printable parts, for instance a number, or a number and the index of a game."""
    text = "/".join(str(part) for part in ("bosquet", *seed))
    digest = hashlib.sha256(text.encode()).digest()
    return [int.from_bytes(digest[4 * i : 4 * i + 4], "little") for i in range(LANES)]


def derived_seed(*seed: object) -> int:
    """A seed below `SEED_LIMIT` made of other seeds, for instance of a match and the index of a game."""
    lanes = lanes_of("seed", *seed)
    return (lanes[0] << 32 | lanes[1]) % SEED_LIMIT


def fresh_seed() -> int:
    """A seed nobody can guess."""
    return secrets.randbelow(SEED_LIMIT)


class Chance:
    """A seeded source of chance for Python callers: bots, redeals, shuffles."""

    def __init__(self, *seed: object) -> None:
        """Seed by any printable parts; without any, unpredictably."""
        self.lanes = lanes_of(*seed) if seed else lanes_of(secrets.token_hex(16))

    def below(self, n: int) -> int:
        """A uniform number in 0 … n-1."""
        return below(self.lanes, n)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, uniformly."""
        return items[below(self.lanes, len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place, uniformly."""
        shuffle(self.lanes, items, len(items))

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """K of the items, uniformly, in random order."""
        pool = list(items)
        self.shuffle(pool)
        return pool[:k]
