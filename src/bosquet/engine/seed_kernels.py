"""Seeds as kernels, from texts in bytes (UTF-8): what `rng.seed_rng` and `records.fair` of `core` make with `hashlib`.

The page deals, and checks a deal, with these; browsers have no `crypto.subtle` over plain HTTP. `hasher` is the array
of `kernels.sha256`, the text is the first `size` numbers of `text`, and digits may be written over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bosquet.core import rng
from bosquet.core.positions.position_text import write_text
from bosquet.core.records import fair
from bosquet.core.rng import RNG_WORDS
from bosquet.core.state import Numbers
from bosquet.core.text.writing import Text
from bosquet.kernels.jit import kernel
from bosquet.kernels.sha256 import begin_hash, end_hash, take_bytes, take_number, write_digits

SEED = tuple(f"{rng.LABEL}/".encode())
DEAL, CHANCE = tuple(b"/deal"), tuple(b"/chance/")
COMMITMENT, FAIR_DEAL = tuple(f"{fair.LABEL}/".encode()), tuple(f"{fair.LABEL}/deal/".encode())


@kernel
def seed_by_text(hasher: Numbers, text: Sequence[int], size: int, rng_state: Numbers) -> None:
    """Seed a generator as `seed_rng(text)` does. The parts of a seed are joined by `/`. Mutates `rng_state`."""
    _begin_seed(hasher, text, size)
    _end_seed(hasher, rng_state)


@kernel
def seed_deal(hasher: Numbers, text: Sequence[int], size: int, rng_state: Numbers) -> None:
    """Seed the generator that deals a game of this seed: `seed_rng(text, "deal")`. Mutates `rng_state`."""
    _begin_seed(hasher, text, size)
    take_bytes(hasher, DEAL, len(DEAL))
    _end_seed(hasher, rng_state)


@kernel
def seed_chance(hasher: Numbers, text: Sequence[int], size: int, ply: int, rng_state: Numbers) -> None:
    """Seed the chance event that is due after `ply` moves: `seed_rng(text, "chance", ply)`. Mutates `rng_state`."""
    _begin_seed(hasher, text, size)
    take_bytes(hasher, CHANCE, len(CHANCE))
    take_number(hasher, ply)
    _end_seed(hasher, rng_state)


@kernel
def seed_decision(hasher: Numbers, position: Any, viewer: int, out: Text, rng_state: Numbers) -> None:
    """Seed the generator with which a bot, or a hint, decides in a position, as `position.decision_rng` does.

    `out` holds who decides, `/`, and the name of the game; the text of the position, written behind that, is the seed.
    Names of kernels of a game are bound to its own, as in `write_text`. Mutates `hasher`, `out` and `rng_state`.
    """
    write_text(position, viewer, out)
    seed_by_text(hasher, out.bytes, out.end, rng_state)


@kernel
def write_commitment(hasher: Numbers, text: Sequence[int], size: int, digits: Numbers) -> None:
    """Write `fair.commitment` of a secret. Mutates `digits` (64)."""
    begin_hash(hasher)
    take_bytes(hasher, COMMITMENT, len(COMMITMENT))
    take_bytes(hasher, text, size)
    end_hash(hasher)
    write_digits(hasher, digits)


@kernel
def write_seed(hasher: Numbers, text: Sequence[int], size: int, digits: Numbers) -> None:
    """Write `fair.seed` of a secret and the nonce of each seat, `-` for none, joined by `/`. Mutates `digits` (64)."""
    begin_hash(hasher)
    take_bytes(hasher, FAIR_DEAL, len(FAIR_DEAL))
    take_bytes(hasher, text, size)
    end_hash(hasher)
    write_digits(hasher, digits)


@kernel
def _begin_seed(hasher: Numbers, text: Sequence[int], size: int) -> None:
    """Hash the parts of a seed that a text holds."""
    begin_hash(hasher)
    take_bytes(hasher, SEED, len(SEED))
    take_bytes(hasher, text, size)


@kernel
def _end_seed(hasher: Numbers, rng_state: Numbers) -> None:
    """Seed a generator with the first words of a hash, read with the lowest byte first."""
    end_hash(hasher)
    for i in range(RNG_WORDS):
        word = hasher[i]
        rng_state[i] = (word & 255) << 24 | (word >> 8 & 255) << 16 | (word >> 16 & 255) << 8 | word >> 24
