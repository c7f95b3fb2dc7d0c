"""SHA-256 (FIPS 180-4) as kernels, for places that have no `hashlib`: the engine of the page.

A hasher is a flat array of `HASHER` integers, below 2**32 but for the last: the hash, the block that is filled, and the
number of bytes taken. All arithmetic stays below 2**63.
"""

from __future__ import annotations

from collections.abc import Sequence

from bosquet.kernels.kernel import Numbers, kernel

WORD = 0xFFFFFFFF
HASH, BLOCK = 8, 16
LENGTH = HASH + BLOCK
HASHER = LENGTH + 1
"""The length of the array of a hasher."""
DIGITS = 64
"""Hexadecimal digits of a hash."""
PRIMES = tuple(p for p in range(2, 312) if all(p % q for q in range(2, p)))


def _root(prime: int, degree: int) -> int:
    """Return the first 32 bits of the fractional part of a root of a prime."""
    root = 0
    for bit in range(36, -1, -1):
        if (root | 1 << bit) ** degree <= prime << 32 * degree:
            root |= 1 << bit
    return root & WORD


START = tuple(_root(prime, 2) for prime in PRIMES[:HASH])
ROUNDS = tuple(_root(prime, 3) for prime in PRIMES)


@kernel
def begin_hash(hasher: Numbers) -> None:
    """Begin to hash. Mutates `hasher`."""
    for i in range(HASH):
        hasher[i] = START[i]
    hasher[LENGTH] = 0


@kernel
def take_byte(hasher: Numbers, byte: int) -> None:
    """Hash a byte, signed or not. Mutates `hasher`."""
    word = HASH + (hasher[LENGTH] >> 2 & 15)
    hasher[word] = (hasher[word] << 8 | byte & 255) & WORD
    hasher[LENGTH] += 1
    if hasher[LENGTH] & 63 == 0:
        _take_block(hasher)


@kernel
def take_bytes(hasher: Numbers, text: Sequence[int], size: int) -> None:
    """Hash the first bytes of an array, or of a table. Mutates `hasher`."""
    for i in range(size):
        take_byte(hasher, text[i])


@kernel
def take_number(hasher: Numbers, number: int) -> None:
    """Hash the digits of a whole number that is not negative. Mutates `hasher`."""
    size = 1
    while number // size >= 10:
        size *= 10
    while size:
        take_byte(hasher, 48 + number // size % 10)
        size //= 10


@kernel
def end_hash(hasher: Numbers) -> None:
    """Complete the hash: `hasher[:8]` are then its words, the first byte the highest. Mutates `hasher`."""
    bits = hasher[LENGTH] << 3
    take_byte(hasher, 128)
    while hasher[LENGTH] & 63 != 56:
        take_byte(hasher, 0)
    for shift in range(56, -8, -8):
        take_byte(hasher, bits >> shift)


@kernel
def write_digits(hasher: Numbers, text: Numbers) -> None:
    """Write a completed hash as `DIGITS` hexadecimal digits. Mutates `text`."""
    for i in range(DIGITS):
        digit = hasher[i >> 3] >> 28 - 4 * (i & 7) & 15
        text[i] = 48 + digit if digit < 10 else 87 + digit


@kernel
def _take_block(hasher: Numbers) -> None:
    """Take a full block into the hash. The words of the schedule stand in the place of those of the block."""
    a, b, c, d = hasher[0], hasher[1], hasher[2], hasher[3]
    e, f, g, h = hasher[4], hasher[5], hasher[6], hasher[7]
    for i in range(len(ROUNDS)):
        at = HASH + (i & 15)
        if i >= BLOCK:
            x, y = hasher[HASH + (i + 1 & 15)], hasher[HASH + (i + 14 & 15)]
            mixed = (_turned(x, 7) ^ _turned(x, 18) ^ x >> 3) + (_turned(y, 17) ^ _turned(y, 19) ^ y >> 10)
            hasher[at] = hasher[at] + hasher[HASH + (i + 9 & 15)] + mixed & WORD
        chosen = (_turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)) + (e & f ^ (WORD ^ e) & g)
        added = h + chosen + ROUNDS[i] + hasher[at]
        majority = (_turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)) + (a & b ^ a & c ^ b & c)
        h, g, f, e = g, f, e, d + added & WORD
        d, c, b, a = c, b, a, added + majority & WORD
    hasher[0] = hasher[0] + a & WORD
    hasher[1] = hasher[1] + b & WORD
    hasher[2] = hasher[2] + c & WORD
    hasher[3] = hasher[3] + d & WORD
    hasher[4] = hasher[4] + e & WORD
    hasher[5] = hasher[5] + f & WORD
    hasher[6] = hasher[6] + g & WORD
    hasher[7] = hasher[7] + h & WORD


@kernel
def _turned(word: int, by: int) -> int:
    """Return a word of 32 bits, rotated to the right."""
    return (word >> by | word << 32 - by) & WORD
