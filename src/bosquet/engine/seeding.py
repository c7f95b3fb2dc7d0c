"""Seeds, commitments and hashes in an engine, of bytes that the page puts into the text of the memory.

Texts are UTF-8.
"""

from __future__ import annotations

from typing import Any

from bosquet.engine import seed_kernels
from bosquet.engine.seed_kernels import seed_by_text as seed_generator
from bosquet.kernels.jit import kernel
from bosquet.kernels.sha256 import DIGITS, begin_hash, end_hash, take_bytes, write_digits

write_digits_of_secret, write_digits_of_deal = seed_kernels.write_commitment, seed_kernels.write_seed


@kernel
def seed_by_text(m: Any, size: int) -> int:
    """Set the generator as `Rng(text)` does; the parts of a seed are joined by `/`."""
    seed_generator(m.hasher, m.text.bytes, size, m.rng)
    return 0


@kernel
def commitment(m: Any, size: int) -> int:
    """Write the commitment to a secret in its place; return its length."""
    write_digits_of_secret(m.hasher, m.text.bytes, size, m.text.bytes)
    return DIGITS


@kernel
def deal_seed(m: Any, size: int) -> int:
    """Write the seed of a deal in the place of a secret and the nonces, joined by `/`; return its length."""
    write_digits_of_deal(m.hasher, m.text.bytes, size, m.text.bytes)
    return DIGITS


@kernel
def sha256(m: Any, size: int) -> int:
    """Write the SHA-256 of bytes in their place, in hexadecimal digits; return their number."""
    begin_hash(m.hasher)
    take_bytes(m.hasher, m.text.bytes, size)
    end_hash(m.hasher)
    write_digits(m.hasher, m.text.bytes)
    return DIGITS


EXPORTS = (seed_by_text, commitment, deal_seed, sha256)
