"""Random numbers: a generator that gives the same numbers in Python, in compiled code and on every machine.

The generator is sfc32 (Chris Doty-Humphrey, PractRand). Its state is four 32-bit words, and all arithmetic stays below
2**63. Records and tests need the same shuffles in every version; NumPy's and Python's generators do not guarantee that.
"""

from __future__ import annotations

import hashlib
import secrets
import struct
from collections.abc import Iterable, MutableSequence, Sequence
from typing import Any, TypeVar

from bosquet.kernels.bits import count_bits, lowest_bit
from bosquet.kernels.jit import kernel

T = TypeVar("T")

RNG_WORDS = 4
WORD = 0xFFFFFFFF
LABEL = "bosquet"
"""The first part of every seed."""
SEED_LIMIT = 1 << 53
"""Seeds drawn by `fresh_seed` are below this, so that every JSON reader keeps them exactly."""


@kernel
def draw(rng_state: MutableSequence[int]) -> int:
    """Return the next 32 random bits. Advances `rng_state` (4 integers below 2**32)."""
    a, b, c, counter = rng_state[0], rng_state[1], rng_state[2], rng_state[3]
    word = (a + b + counter) & WORD
    rng_state[0] = b ^ (b >> 9)
    rng_state[1] = (c + (c << 3)) & WORD
    rng_state[2] = ((((c << 21) | (c >> 11)) & WORD) + word) & WORD
    rng_state[3] = (counter + 1) & WORD
    return word


@kernel
def below(rng_state: MutableSequence[int], n: int) -> int:
    """Return a uniform number in 0 … n-1, for 1 <= n < 2**31 (Lemire 2019, with rejection). Advances `rng_state`."""
    product = draw(rng_state) * n
    if (product & WORD) < n:
        threshold = (WORD + 1 - n) % n
        while (product & WORD) < threshold:
            product = draw(rng_state) * n
    return product >> 32


@kernel
def shuffle(rng_state: MutableSequence[int], items: MutableSequence[Any], n: int) -> None:
    """Shuffle the first n items in place, uniformly (Fisher–Yates). Advances `rng_state`."""
    for i in range(n - 1, 0, -1):
        j = below(rng_state, i + 1)
        items[i], items[j] = items[j], items[i]


@kernel
def draw_member(rng_state: MutableSequence[int], mask: int) -> int:
    """Return a uniform member of a non-empty set (a bit mask). Advances `rng_state`."""
    for _ in range(below(rng_state, count_bits(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def copy_rng(rng_state: MutableSequence[int], copy: MutableSequence[int]) -> None:
    """Write the state of a generator into another one: both then return the same numbers."""
    for i in range(RNG_WORDS):
        copy[i] = rng_state[i]


def seed_rng(*seed: object) -> list[int]:
    """Return the rng state for a seed of any printable parts, such as a number and the index of a game."""
    text = "/".join(str(part) for part in (LABEL, *seed))
    digest = hashlib.sha256(text.encode()).digest()
    return [int.from_bytes(digest[4 * i : 4 * i + 4], "little") for i in range(RNG_WORDS)]


def seed_words(seeds: Iterable[int], purpose: str) -> bytes:
    """Return `seed_rng(seed, purpose)` for each seed, as 32-bit words, the lowest byte first. For very many."""
    form = f"{LABEL}/%d/{purpose}".encode()
    return b"".join([hashlib.sha256(form % seed).digest()[: 4 * RNG_WORDS] for seed in seeds])


def derived_seed(*seed: object) -> int:
    """Return a seed below `SEED_LIMIT` derived from other seeds, such as that of a match and the index of a game."""
    rng_state = seed_rng("seed", *seed)
    return (rng_state[0] << 32 | rng_state[1]) % SEED_LIMIT


def derived_seeds(seed: int, numbers: Iterable[int]) -> list[int]:
    """Return `derived_seed(seed, number)` for each number. For very many."""
    form = f"{LABEL}/seed/{seed}/%d".encode()
    words = (struct.unpack_from("<II", hashlib.sha256(form % number).digest()) for number in numbers)
    return [(high << 32 | low) % SEED_LIMIT for high, low in words]


def fresh_seed() -> int:
    """Return an unpredictable seed below `SEED_LIMIT`."""
    return secrets.randbelow(SEED_LIMIT)


class Rng:
    """A seeded random number generator for Python callers."""

    def __init__(self, *seed: object) -> None:
        """Seed with any printable parts, or unpredictably if there are none."""
        self.state: list[int] = seed_rng(*seed) if seed else seed_rng(secrets.token_hex(16))

    def below(self, n: int) -> int:
        """Return a uniform number in 0 … n-1."""
        return below(self.state, n)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, uniformly."""
        return items[below(self.state, len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle a list in place, uniformly."""
        shuffle(self.state, items, len(items))

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """Return k different items, uniformly, in random order."""
        pool = list(items)
        self.shuffle(pool)
        return pool[:k]
