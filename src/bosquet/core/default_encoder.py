"""The encoder of games without a module `encoder`: the bytes of the state's fields that a seat may see.

The declaration of the state marks the visible fields (`PUBLIC`, `OWN`); a field without a mark is hidden. The index of
an action is the action itself.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

from bosquet.core.encoding import Part
from bosquet.core.rules import Rules
from bosquet.core.state import Numbers, Options
from bosquet.kernels.bits import state_byte
from bosquet.kernels.jit import kernel

PRIVATE_BITS = 48
EXACT_BYTES = PRIVATE_BITS // 8
MULTIPLIER = 27941
"""An odd number below 2**15: its product with a 48-bit number stays below 2**63."""

# Placeholders for the kernels below; `DefaultEncoder` replaces them with the values of a game.
SEATS = 4
PUBLIC_AT = (0,)
"""Positions of the bytes of the public fields in the state."""
OWN_AT = (0,)
"""Positions of the bytes of the own fields, for seat 0."""
OWN_STRIDE = (0,)
"""Distance from each of these bytes to the same byte of the next seat."""


@kernel
def observe(state: Any, viewer: int, out: Any) -> None:
    """Write what a seat may know into `out`; every number of it is overwritten."""
    for seat in range(2 * SEATS):
        out[seat] = 0
    if state.seat >= 0:
        out[(state.seat - viewer + state.players) % state.players] = 1
    out[SEATS + viewer] = 1
    at = 2 * SEATS
    for i in range(len(PUBLIC_AT)):
        out[at] = state_byte(state, PUBLIC_AT[i])
        at += 1
    for i in range(len(OWN_AT)):
        out[at] = state_byte(state, OWN_AT[i] + viewer * OWN_STRIDE[i])
        at += 1


@kernel
def private(state: Any, seat: int) -> int:
    """Return the own bytes of a seat as a number below 2**48, or a hash of them if there are more than six."""
    number = 0
    for i in range(len(OWN_AT)):
        byte = state_byte(state, OWN_AT[i] + seat * OWN_STRIDE[i])
        if len(OWN_AT) <= EXACT_BYTES:
            number = number << 8 | byte
        else:
            number = ((number * MULTIPLIER) & ((1 << PRIVATE_BITS) - 1)) ^ byte
    return number


@kernel
def same_index(state: Any, action: int) -> int:
    """Return the argument: actions and their indices are the same."""
    return action


@kernel
def never_concealed(state: Any, action: int) -> bool:
    """Return False: every seat sees which action is made."""
    return False


class DefaultEncoder:
    """An `Encoder` derived from a game's rules and the declaration of its state."""

    VERSION = 1

    def __init__(
        self, rules: Rules, max_decisions: int, max_chance_events: int, min_points: int | None, max_points: int | None
    ) -> None:
        """Make the kernels. If the rules of the game have a kernel `is_concealed`, it is used."""
        self._rules = rules
        self._max_decisions = max_decisions
        self._max_chance_events = max_chance_events
        self._min_points = min_points
        self._max_points = max_points
        self._seats = max(rules.OPTIONS["players"])
        state = rules.State
        self._parts, public, own, strides = [], list[int](), list[int](), list[int]()
        for name, seen in state.visibility.items():
            field = state.fields[name]
            size = state.dtype.fields[name][0].base.itemsize  # type: ignore[index]
            start: int = state.dtype.fields[name][1]  # type: ignore[index]
            if seen.owner_only:
                own += range(start, start + size)
                strides += [size] * size
                self._parts.append(Part(name, (size,), f"the own integer of `{name}`, as {size} bytes"))
            else:
                length = field.length or 1
                public += range(start, start + size * length)
                self._parts.append(Part(name, (length, size), f"`{name}`, {size} bytes for each integer"))
        self._parts.sort(key=lambda part: state.visibility[part.name].owner_only)
        tables = {"SEATS": self._seats, "PUBLIC_AT": tuple(public), "OWN_AT": tuple(own), "OWN_STRIDE": tuple(strides)}
        self.observe: Callable[..., Any] = _with_tables(observe, tables)
        self.private: Callable[..., Any] = _with_tables(private, tables)
        self.indices: Callable[[Any, Numbers], int] = rules.legal
        self.index_of: Callable[[Any, int], int] = same_index
        self.action_at: Callable[[Any, int], int] = same_index
        self.is_concealed: Callable[[Any, int], bool] = getattr(rules, "is_concealed", never_concealed)

    def layout(self, options: Options) -> tuple[Part, ...]:
        """Return the parts of an observation, in order."""
        seats = range(self._seats)
        return (
            *(
                Part(f"moves {seat}", (1,), "1 if this seat is to move; seat 0 is the viewer's own", 1)
                for seat in seats
            ),
            Part("viewer", (self._seats,), "1 at the number of the own seat", 1),
            *self._parts,
        )

    def action_count(self, options: Options) -> int:
        """Return the size of the action space."""
        return self._rules.ACTIONS

    def max_decisions(self, options: Options) -> int:
        """Return an upper bound on the decisions of a game."""
        return self._max_decisions

    def max_chance_events(self, options: Options) -> int:
        """Return an upper bound on the chance events after the deal."""
        return self._max_chance_events

    def min_points(self, options: Options) -> int | None:
        """Return a lower bound on the final points of a seat, None if it is unknown."""
        return self._min_points

    def max_points(self, options: Options) -> int | None:
        """Return an upper bound on the final points of a seat, None if it is unknown."""
        return self._max_points


def _with_tables(function: Any, tables: Mapping[str, Any]) -> Any:
    """Return a copy of a kernel that reads `tables` instead of the constants of this module."""
    names = {**function.__globals__, **tables}
    made = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    return kernel(made)
