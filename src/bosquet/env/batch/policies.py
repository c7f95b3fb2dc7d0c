"""Policies that `Batch.play` steps games with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bosquet.core.bound import greedy_action, index_of, indices
from bosquet.core.errors import OptionError, quoted
from bosquet.core.spec import GameSpec
from bosquet.env.batch.kernels import draw_some, step_some
from bosquet.kernels.jit import kernel


def policy_kernel(spec: GameSpec, policy: object) -> Callable[..., Any]:
    """Return the kernel that chooses actions as a policy does. Raises OptionError."""
    if policy == "random":
        return choose_at_random
    if policy == "greedy" and spec.greedy_action is not None:
        return choose_greedily
    raise OptionError(
        f'policy is {quoted(policy)}; in a batch of {spec.title} it must be "random"'
        + (' or "greedy"' if spec.greedy_action is not None else "")
    )


@kernel
def choose_at_random(
    states: Any, rng_state: Any, legal: Any, legal_count: Any, chosen: Any, begin: int, end: int
) -> None:
    """Write random legal actions into `chosen`. Advances `rng_state`."""
    draw_some(legal, legal_count, rng_state, chosen, begin, end)


@kernel
def choose_greedily(
    states: Any, rng_state: Any, legal: Any, legal_count: Any, chosen: Any, begin: int, end: int
) -> None:
    """Write the actions of the bot `greedy` into `chosen`. Advances `rng_state`."""
    for i in range(begin, end):
        state = states[i]
        chosen[i] = index_of(state, greedy_action(state, rng_state[i], legal[i]))
        indices(state, legal[i])  # greedy has overwritten them


def choose(states: Any, rng_state: Any, legal: Any, legal_count: Any, chosen: Any, begin: int, end: int) -> None:
    """Raise NotImplementedError: `bind` puts one of the kernels above in its place."""
    raise NotImplementedError("choose is a placeholder: `bind` puts the kernel of a policy in its place")


@kernel
def play_some(
    sampling_rng_state: Any, states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any,
    seats: Any, chosen: Any, rewards: Any, done: Any, final: Any, won: Any, last: Any, kind: int, learner: int,
    steps: int, begin: int, end: int,
) -> None:  # fmt: skip
    """Make a number of steps with the actions of a policy. Advances `sampling_rng_state`."""
    for _ in range(steps):
        choose(states, sampling_rng_state, legal, legal_count, chosen, begin, end)
        step_some(
            states, rng_state, legal, legal_count, observations, masks, seats, chosen, rewards, done, final, won,
            last, kind, learner, begin, end,
        )  # fmt: skip
