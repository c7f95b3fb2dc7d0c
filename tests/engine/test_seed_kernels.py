"""SHA-256 and seeds as kernels: what `hashlib`, `core.rng` and `core.records.fair` make, compiled or not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bosquet.core.records import fair
from bosquet.core.rng import RNG_WORDS, seed_rng
from bosquet.core.state import Numbers
from bosquet.engine import seed_kernels
from bosquet.kernels.jit import bind, kernel
from bosquet.kernels.sha256 import DIGITS, HASHER, begin_hash, end_hash, take_bytes, write_digits

BOTH = [False, pytest.param(True, marks=pytest.mark.compiled)]
"""Whether kernels are compiled."""
KERNELS = settings(deadline=None)  # the first example is compiled
TEXTS = st.text(max_size=200)
SEATS = st.lists(st.none() | TEXTS, max_size=4)


@kernel
def hash_bytes(hasher: Numbers, text: Numbers, size: int, digits: Numbers) -> None:
    """Hash bytes at once."""
    begin_hash(hasher)
    take_bytes(hasher, text, size)
    end_hash(hasher)
    write_digits(hasher, digits)


def given_to(function: Callable[..., Any], jit: bool, text: bytes, *more: int, room: int) -> list[int]:
    """Return what a kernel writes for a text; it takes signed bytes, as those of the engine are."""
    arrays: list[Any] = [np.full(HASHER, -7, np.int64), np.frombuffer(text, np.int8), np.zeros(room, np.int64)]
    hasher, source, written = arrays if jit else [array.tolist() for array in arrays]
    bind(function, jit=jit)(hasher, source, len(text), *more, written)
    return list(map(int, written))


def digits_of(function: Callable[..., Any], jit: bool, text: bytes) -> str:
    """Return the digits that a kernel writes for a text."""
    return bytes(given_to(function, jit, text, room=DIGITS)).decode()


@pytest.mark.parametrize("jit", BOTH)
@KERNELS
@given(st.binary(max_size=300) | st.integers(0, 200).map(bytes))
def test_a_hash_is_that_of_hashlib(jit: bool, data: bytes) -> None:
    assert digits_of(hash_bytes, jit, data) == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("jit", BOTH)
@KERNELS
@given(st.lists(TEXTS | st.integers(), min_size=1, max_size=4), st.integers(0, 10**9))
def test_a_generator_is_seeded_by_a_text_as_by_its_parts(jit: bool, parts: list[str | int], ply: int) -> None:
    text = "/".join(map(str, parts))
    data = text.encode()
    assert given_to(seed_kernels.seed_by_text, jit, data, room=RNG_WORDS) == seed_rng(*parts)
    assert given_to(seed_kernels.seed_deal, jit, data, room=RNG_WORDS) == seed_rng(text, "deal")
    assert given_to(seed_kernels.seed_chance, jit, data, ply, room=RNG_WORDS) == seed_rng(text, "chance", ply)


@pytest.mark.parametrize("jit", BOTH)
@KERNELS
@given(TEXTS, SEATS)
def test_a_fair_deal_has_its_commitment_and_its_seed(jit: bool, secret: str, nonces: list[str | None]) -> None:
    assert digits_of(seed_kernels.write_commitment, jit, secret.encode()) == fair.commitment(secret)
    given_parts = "/".join([secret, *("-" if nonce is None else nonce for nonce in nonces)])
    assert digits_of(seed_kernels.write_seed, jit, given_parts.encode()) == fair.seed(secret, nonces)


@pytest.mark.parametrize("jit", BOTH)
def test_digits_may_take_the_place_of_the_text(jit: bool) -> None:
    text: Any = np.frombuffer(b"aside".ljust(DIGITS), np.uint8).copy() if jit else bytearray(b"aside".ljust(DIGITS))
    bind(seed_kernels.write_commitment, jit=jit)(np.zeros(HASHER, np.int64) if jit else [0] * HASHER, text, 5, text)
    assert bytes(text).decode() == fair.commitment("aside")
