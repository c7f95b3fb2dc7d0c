"""What an encoder offers: a game as numbers for learning machines. Environments work with every game through it.

An observation is a flat array of bytes, made of named parts one after the other; seats stand in it as the viewer sees
them, its own first. An action has an index in a small, fixed space, so that a mask can say which are legal.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

from bosquet.core.bits import lowest_bit
from bosquet.core.jit import kernel
from bosquet.core.rules import Options
from bosquet.core.state import Numbers


class Part(NamedTuple):
    """A part of an observation."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    """What its numbers say, for each index of the first axis if that tells channels apart."""

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return math.prod(self.shape)


ENCODER_KERNELS = ("observe", "indices", "index_of", "action_at", "veiled", "private")
"""The functions of an encoder that loops in compiled code are bound to."""


class Encoder(Protocol):
    """The encoder of one game."""

    VERSION: int
    """Goes up with any change of layout, indices or behaviour; it is a part of an environment's name."""

    def layout(self, options: Options) -> tuple[Part, ...]:
        """The parts of an observation, in order."""

    def action_count(self, options: Options) -> int:
        """Indices of actions are below this."""

    def max_decisions(self, options: Options) -> int:
        """No game has more decisions than this."""

    def max_rolls(self, options: Options) -> int:
        """No game has more moves of chance after its deal than this."""

    def max_points(self, options: Options) -> int:
        """No seat ends with more points than this, and none with fewer than 0."""

    # --- kernels ---

    def observe(self, state: Any, viewer: int, out: Any) -> None:
        """Write what a seat may know into `out`: numbers 0-255, as many as `layout` says, every one overwritten."""

    def indices(self, state: Any, moves: Numbers) -> int:
        """Write the index of every legal action into `moves` (`MAX_MOVES` integers), return how many."""

    def index_of(self, state: Any, action: int) -> int:
        """The index of a legal action."""

    def action_at(self, state: Any, index: int) -> int:
        """The action with the index of a legal one."""

    def veiled(self, state: Any, action: int) -> bool:
        """Whether the other seats see only that a legal action is made, not which."""

    def private(self, state: Any, seat: int) -> int:
        """What a seat sees now and may not see later, as a number below 2**48.

        With this number for each of its decisions so far and the actions as it was told them, an observation says all
        that the seat has ever known. It may say more of what everybody sees.
        """


def observation_size(parts: tuple[Part, ...]) -> int:
    """How many bytes an observation has."""
    return sum(part.size for part in parts)


# --- for the kernels of encoders ---


@kernel
def clear(out: Numbers, size: int) -> None:
    """Zero the first numbers."""
    for i in range(size):
        out[i] = 0


@kernel
def mark(out: Numbers, at: int, members: int) -> None:
    """Write a one for every member of a set, counted from `at`."""
    while members:
        out[at + lowest_bit(members)] = 1
        members &= members - 1
