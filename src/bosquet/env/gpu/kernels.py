"""The kernels of a batch on a device that those on a processor do not need. Every thread calls them for one game."""

from __future__ import annotations

from typing import Any

from bosquet.env.batch.kernels import find_illegal, step_some
from bosquet.kernels.atomic import exchange_if
from bosquet.kernels.jit import kernel

NONE = -1
"""Stands for a game that was not found."""


@kernel
def check_some(
    found: Any, legal: Any, legal_count: Any, masks: Any, chosen: Any, game: int, begin: int, end: int
) -> None:
    """Write the number of the game into `found` if its action is not legal and no lower number is there."""
    if find_illegal(legal, legal_count, masks, chosen, begin, end) != NONE:
        lowest = found[0]
        while (lowest == NONE) | (lowest > game):
            lowest = exchange_if(found, 0, lowest, game)


@kernel
def step_if_legal(
    found: Any, states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, won: Any, last: Any, kind: int, learner: int,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Apply the chosen action, unless that of some game was not legal."""
    if found[0] == NONE:
        step_some(
            states, rng_state, legal, legal_count, observations, masks, seats, chosen, rewards, done, final, won,
            last, kind, learner, begin, end,
        )  # fmt: skip


@kernel
def forget_some(rewards: Any, done: Any, begin: int, end: int) -> None:
    """Clear the rewards and the end that the last step told."""
    for i in range(begin, end):
        done[i] = False
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0


@kernel
def move_row(target: Any, source: Any) -> None:
    """Copy a row, word by word."""
    for k in range(target.shape[1]):
        target[0, k] = source[0, k]


@kernel
def take_some(given: Any, chosen: Any, begin: int, end: int) -> None:
    """Copy the given actions, integers of any type."""
    for i in range(begin, end):
        chosen[i] = given[i]
