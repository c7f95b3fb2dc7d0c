"""Placeholders for the kernels of a game, for loops that work with every game.

    from bosquet.core.bound import legal, play

    @kernel
    def first_move(state, moves): ...  # calls legal(state, moves)

    bind(first_move, spec.kernels)  # the same function, calling the kernels of this game

A placeholder has the type of the kernel that `jit.bind` puts in its place, and raises when it is called unbound.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, Final, NoReturn, ParamSpec, TypeVar

from bosquet.core.encoding import Encoder, ExpectingEncoder, IncrementalEncoder
from bosquet.core.rules import Rules, Writing

P = ParamSpec("P")
R = TypeVar("R")


def placeholder(method: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
    """Return a function with the name and type of a protocol's method that raises NotImplementedError."""

    @functools.wraps(method)
    def unbound(*args: P.args, **kwargs: P.kwargs) -> NoReturn:
        raise NotImplementedError(f"{method.__name__} is a placeholder: `bind` puts the kernel of a game in its place")

    return unbound


deal: Final = placeholder(Rules.deal)
legal: Final = placeholder(Rules.legal)
play: Final = placeholder(Rules.play)
scores: Final = placeholder(Rules.scores)
winners: Final = placeholder(Rules.winners)
sample_chance: Final = placeholder(Rules.sample_chance)
determinize_in_place: Final = placeholder(Rules.determinize_in_place)

is_irreversible: Final = placeholder(Rules.is_irreversible)

write_view: Final = placeholder(Writing.write_view)
write_move: Final = placeholder(Writing.write_move)
write_entries: Final = placeholder(Writing.write_entries)
write_totals: Final = placeholder(Writing.write_totals)
write_deal: Final = placeholder(Writing.write_deal)
write_chance: Final = placeholder(Writing.write_chance)
write_revealed: Final = placeholder(Writing.write_revealed)

observe: Final = placeholder(Encoder.observe)
observe_again: Final = placeholder(IncrementalEncoder.observe_again)
expect_state: Final = placeholder(ExpectingEncoder.expect_state)
indices: Final = placeholder(Encoder.indices)
index_of: Final = placeholder(Encoder.index_of)
action_at: Final = placeholder(Encoder.action_at)
is_concealed: Final = placeholder(Encoder.is_concealed)
private: Final = placeholder(Encoder.private)


def greedy_action(state: Any, rng_state: Any, moves: Any) -> int:
    """Raise NotImplementedError: `bind` puts the kernel of a game in its place."""
    raise NotImplementedError("greedy_action is a placeholder: `bind` puts the kernel of a game in its place")


def conceal(state: Any, viewer: int, position: Any) -> None:
    """Raise NotImplementedError: `bind` puts the kernel of a game's module `position` in its place."""
    raise NotImplementedError("conceal is a placeholder: `bind` puts the kernel of a game in its place")
