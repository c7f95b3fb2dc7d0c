"""Measures the parts of a batch's step, each in a separate loop over all games.

    uv run python -m benchmarks.step_parts [--games 256] [--rounds 140]

Prints nanoseconds of processor time per game, with masks. The parts together take slightly longer than a step.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import bosquet
from bosquet.core.bound import action_at, indices, observe, observe_again, play
from bosquet.env.batch_kernels import draw_some, find_illegal, settle, wipe
from bosquet.env.batch_opponents import opponents_of
from bosquet.kernels.bits import index
from bosquet.kernels.jit import kernel


@kernel
def clear_masks(legal: Any, legal_count: Any, masks: Any, n: int) -> None:
    """Clear the masks of n games."""
    for i in range(n):
        kept = legal_count[i]
        wipe(legal, legal_count, masks, i)
        legal_count[i] = kept


@kernel
def apply_actions(states: Any, chosen: Any, n: int) -> None:
    """Apply the chosen actions."""
    for i in range(n):
        play(states[i], action_at(states[i], int(chosen[i])))


@kernel
def settle_all(
    states: Any, rng_state: Any, legal: Any,
    rewards: Any, done: Any, final: Any, won: Any, last: Any, kind: int, learner: int, n: int,
) -> None:  # fmt: skip
    """Write results, and deal games that ended."""
    for i in range(n):
        settle(states, i, rng_state, legal, rewards, done, final, won, last, kind, learner)


@kernel
def list_actions(states: Any, legal: Any, legal_count: Any, n: int) -> None:
    """List the legal actions."""
    for i in range(n):
        legal_count[i] = indices(states[i], legal[i])


@kernel
def set_masks(legal: Any, legal_count: Any, masks: Any, n: int) -> None:
    """Set the masks."""
    for i in range(n):
        row, mask = legal[i], masks[i]
        for k in range(legal_count[i]):
            mask[index(row[k])] = True


@kernel
def observe_all(states: Any, done: Any, observations: Any, n: int) -> None:
    """Write the observations."""
    for i in range(n):
        state = states[i]
        if done[i] or not observe_again(state, state.seat, observations[i]):
            observe(state, state.seat, observations[i])


def parts(game: str, n: int, rounds: int) -> dict[str, float]:
    """Return nanoseconds per game of each part, means over some rounds."""
    b = bosquet.batch(game, n, seed=1, threads=1, players=2)
    other_action, _ = opponents_of(b.compiled.spec, "random")
    results = b.rewards, b.done, b.scores, b.winners, b.last, b._kind, b._learner
    lists = b._legal, b._legal_count
    steps: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "draw": (draw_some, (*lists, b._sampling_rng_state, b._chosen, 0)),
        "check": (find_illegal, (*lists, b.masks, b._chosen, 0)),
        "clear mask": (clear_masks, (*lists, b.masks)),
        "apply": (apply_actions, (b._states, b._chosen)),
        "results and deals": (settle_all, (b._states, b._rng_state, b._legal, *results)),
        "list": (list_actions, (b._states, *lists)),
        "set mask": (set_masks, (*lists, b.masks)),
        "observe": (observe_all, (b._states, b.done, b.observations)),
    }
    kernels = {name: b.compiled.bound(one, other_action=other_action, MASKED=True) for name, (one, _) in steps.items()}
    times = dict.fromkeys(steps, 0)
    for done in range(rounds + 14):
        if done == 14:  # compiled, and in the middle of games
            times = dict.fromkeys(steps, 0)
        for name, (_, arguments) in steps.items():
            begun = time.thread_time_ns()
            kernels[name](*arguments, n)
            times[name] += time.thread_time_ns() - begun
    return {name: taken / rounds / n for name, taken in times.items()}


def main() -> None:
    """Measure all games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=140)
    given = parser.parse_args()
    found = {game: parts(game, given.games, given.rounds) for game in bosquet.GAMES}
    print(f"| part | {' | '.join(bosquet.spec(game).title for game in found)} |")
    print("|---|" + "---|" * len(found))
    for part in next(iter(found.values())):
        print(f"| {part} | {' | '.join(f'{one[part]:.0f}' for one in found.values())} |")


if __name__ == "__main__":
    main()
