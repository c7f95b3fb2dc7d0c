"""The interface of encoders, which give observations and actions as arrays. Environments use every game through it.

An observation is a flat array of bytes, the concatenation of named parts. Seats are counted from the viewer: seat 0 is
its own. Each action has an index in a small, fixed action space, so that a mask can mark the legal ones.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

from bosquet.core.state import Numbers, Options
from bosquet.kernels.bits import index, lowest_bit
from bosquet.kernels.jit import kernel


class Part(NamedTuple):
    """A part of an observation."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    """Meaning of its numbers, for each index of the first axis if that axis separates channels."""
    high: int = 255
    """The greatest number that it holds; the least is 0."""

    @property
    def size(self) -> int:
        """Return its size in bytes."""
        return math.prod(self.shape)


ENCODER_KERNELS = ("observe", "indices", "index_of", "action_at", "is_concealed", "private")
"""The functions of an encoder that compiled code may call. Some have `observe_again` or `expect_state` as well."""


class Encoder(Protocol):
    """The encoder of one game."""

    VERSION: int
    """Version in the environment's name; raised with any change of layout, indices or behaviour."""

    def layout(self, options: Options) -> tuple[Part, ...]:
        """Return the parts of an observation, in order."""

    def action_count(self, options: Options) -> int:
        """Return the size of the action space."""

    def max_decisions(self, options: Options) -> int:
        """Return an upper bound on the decisions of a game."""

    def max_chance_events(self, options: Options) -> int:
        """Return an upper bound on the chance events after the deal."""

    def min_points(self, options: Options) -> int | None:
        """Return a lower bound on the final points of a seat, None if it is unknown."""

    def max_points(self, options: Options) -> int | None:
        """Return an upper bound on the final points of a seat, None if it is unknown."""

    # --- kernels ---

    def observe(self, state: Any, viewer: int, out: Any) -> None:
        """Write the observation of a seat into `out`: numbers 0-255, all parts of `layout`, all overwritten."""

    def indices(self, state: Any, moves: Numbers) -> int:
        """Write the index of every legal action into `moves` (`MAX_MOVES` integers); return their number."""

    def index_of(self, state: Any, action: int) -> int:
        """Return the index of a legal action."""

    def action_at(self, state: Any, index: int) -> int:
        """Return the action with this index; it must be the index of a legal action."""

    def is_concealed(self, state: Any, action: int) -> bool:
        """Return whether the other seats see only that an action is made, not which one."""

    def private(self, state: Any, seat: int) -> int:
        """Return what a seat sees now and may not see later, as a number below 2**48.

        The current observation, the values of this function at the seat's earlier decisions, and the actions as the
        seat saw them must together hold everything that the seat has ever known. The number may include public
        information.
        """


class IncrementalEncoder(Encoder, Protocol):
    """An encoder of a game in which much of an observation stays as it is; batches then write only what has changed."""

    def observe_again(self, state: Any, viewer: int, out: Any) -> bool:
        """Write the observation of a seat over an earlier one of the same game, of any seat.

        Return False, with nothing written, if `observe` has to write all of it.
        """


class ExpectingEncoder(Encoder, Protocol):
    """An encoder of a game whose states are large: batches then fetch memory before the game is stepped."""

    def expect_state(self, states: Any, i: int) -> None:
        """Call `kernels.ahead.expect` for the parts of a state that a step reads. Changes nothing."""


def observation_size(parts: tuple[Part, ...]) -> int:
    """Return the size of an observation in bytes."""
    return sum(part.size for part in parts)


# --- helpers for the kernels of encoders ---


@kernel
def observe_nothing_again(state: Any, viewer: int, out: Numbers) -> bool:
    """Stand for `observe_again` of an encoder without it: return False."""
    return False


@kernel
def expect_nothing(states: Any, i: int) -> None:
    """Stand for `expect_state` of an encoder without it."""


@kernel
def clear(out: Numbers, size: int) -> None:
    """Set the first `size` numbers to 0."""
    for i in range(size):
        out[i] = 0


@kernel
def clear_part(out: Numbers, begin: int, end: int) -> None:
    """Set the numbers `begin` to `end - 1` to 0."""
    for i in range(begin, end):
        out[index(i)] = 0


@kernel
def mark(out: Numbers, at: int, members: int) -> None:
    """Write a 1 at `at + member` for every member of a set (a bit mask)."""
    while members:
        out[at + lowest_bit(members)] = 1
        members &= members - 1


@kernel
def write_set(out: Numbers, at: int, size: int, members: int) -> None:
    """Write for every number below `size`, at `at + number`, a 1 if it is a member of a set (a bit mask), else a 0.

    It is faster than `mark` where most numbers are members.
    """
    for number in range(size):
        out[index(at + number)] = members >> number & 1
