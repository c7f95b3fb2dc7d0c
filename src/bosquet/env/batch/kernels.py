"""The kernels of a batch: they deal, step and show games `begin` to `end - 1`, in one thread or in several."""

from __future__ import annotations

from typing import Any

from bosquet.core.bound import (
    action_at,
    deal,
    determinize_in_place,
    expect_state,
    indices,
    observe,
    observe_again,
    play,
    sample_chance,
    scores,
    winners,
)
from bosquet.core.rng import below
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.env.batch.opponents import other_action
from bosquet.env.batch.tasks import AWAKE, FOUND, LEADER, finish, take
from bosquet.env.rewards import write_rewards
from bosquet.kernels.ahead import expect
from bosquet.kernels.bits import index
from bosquet.kernels.jit import kernel

BEGIN, DRAW, CHECK, STEP, CHECK_AND_STEP = range(2, 7)
"""Tasks of `act`."""

EVERYBODY = -1
"""Stands for the learner where all seats are returned."""
MASKED = True
"""Whether masks are written. `Batch` binds it: as a constant it costs nothing in the loops."""

EXPECTING = False
"""Whether the memory of a game is fetched before its step. `Batch` binds it: it helps where states are large."""
AHEAD = 2
"""How many games earlier that is."""
OBSERVED_BYTES = 128
"""Bytes of an observation that are fetched, its last ones."""


@kernel
def act(
    task: int, thread: int, boxes: Numbers, sampling_rng_state: Any, sampled: Any,
    states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, won: Any, last: Any, kind: int, learner: int,
    begin: int, end: int,
) -> int:  # fmt: skip
    """Carry out a task in games `begin` to `end - 1`; return the first of them whose action is not legal, or -1.

    The leader carries out a task only if it is in its box, threads other than the leader the tasks in their box until
    they fall asleep.
    """
    while True:
        if thread != LEADER:
            task = take(boxes, thread)
            if task == AWAKE:
                return -1
        elif boxes[LEADER] != task:  # it was done before an interrupt
            return int(boxes[FOUND])
        found = -1
        if task == BEGIN:
            begin_some(states, rng_state, legal, legal_count, observations, masks, seats, learner, begin, end)
        if task == DRAW:
            draw_some(legal, legal_count, sampling_rng_state, sampled, begin, end)
        if (task == CHECK) | (task == CHECK_AND_STEP):
            found = find_illegal(legal, legal_count, masks, chosen, begin, end)
        if (task == STEP) | ((task == CHECK_AND_STEP) & (found < 0)):
            step_some(
                states, rng_state, legal, legal_count, observations, masks, seats,
                chosen, rewards, done, final, won, last, kind, learner, begin, end,
            )  # fmt: skip
        finish(boxes, thread, task, found)
        if thread == LEADER:
            return found


@kernel
def find_illegal(legal: Any, legal_count: Any, masks: Any, chosen: Any, begin: int, end: int) -> int:
    """Return the first of games `begin` to `end - 1` whose action is not legal, or -1."""
    for i in range(begin, end):
        found = 0
        if MASKED:
            if (chosen[i] >= 0) & (chosen[i] < masks.shape[1]):
                found = int(masks[i, chosen[i]])
        else:
            row = legal[i]
            for k in range(legal_count[i]):  # to the end, so that the compiler can vectorize it
                found |= int(row[k] == chosen[i])
        if not found:
            return i
    return -1


@kernel
def draw_some(legal: Any, legal_count: Any, rng_state: Any, chosen: Any, begin: int, end: int) -> None:
    """Draw legal actions of games `begin` to `end - 1` into `chosen`, uniformly. Advances `rng_state`."""
    for i in range(begin, end):
        chosen[i] = legal[i][below(rng_state[i], int(legal_count[i]))]


@kernel
def begin_some(
    states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    learner: int, begin: int, end: int,
) -> None:  # fmt: skip
    """Deal games `begin` to `end - 1`, and advance them to their first decision."""
    for i in range(begin, end):
        wipe(legal, legal_count, masks, i)
        deal(states[i], rng_state[i])
        play_others(states, i, rng_state[i], legal[i], learner)
        show_legal(states, i, legal, legal_count, masks, seats)
        observe(states[i], states[i].seat, observations[i])


@kernel
def step_some(
    states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, won: Any, last: Any, kind: int, learner: int,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Apply the chosen action in games `begin` to `end - 1`, and advance them to the next decision."""
    for i in range(begin, end):
        if EXPECTING:
            expect_game(states, legal, legal_count, observations, min(i + AHEAD, end - 1))
        state = states[i]
        wipe(legal, legal_count, masks, i)
        play(state, action_at(state, int(chosen[i])))
        settle(states, i, rng_state, legal, rewards, done, final, won, last, kind, learner)
        show_legal(states, i, legal, legal_count, masks, seats)
        if done[i] or not observe_again(state, state.seat, observations[i]):
            observe(state, state.seat, observations[i])


@kernel
def expect_game(states: Any, legal: Any, legal_count: Any, observations: Any, i: int) -> None:
    """Tell the processor that a game is stepped soon."""
    expect_state(states, i)
    expect(legal, i, 0, 4 * int(legal_count[i]))
    expect(observations, i, observations.shape[1] - OBSERVED_BYTES, OBSERVED_BYTES)


@kernel
def load_some(
    states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, won: Any, last: Any, kind: int, learner: int,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Advance games `begin` to `end - 1`, which were replaced, to the next decision."""
    for i in range(begin, end):
        wipe(legal, legal_count, masks, i)
        settle(states, i, rng_state, legal, rewards, done, final, won, last, kind, learner)
        show_legal(states, i, legal, legal_count, masks, seats)
        observe(states[i], states[i].seat, observations[i])


@kernel
def settle(
    states: Any, i: int, rng_state: Any, legal: Any,
    rewards: Any, done: Any, final: Any, won: Any, last: Any, kind: int, learner: int,
) -> None:  # fmt: skip
    """Play for the others until a decision is due; write the result of a game that ends, and deal it again."""
    state = states[i]
    play_others(states, i, rng_state[i], legal[i], learner)
    if done[i]:
        done[i] = False
        for seat in range(state.players):
            rewards[i, seat] = 0
    while state.seat == NOBODY:
        scores(state, final[i])
        best = winners(state)
        write_rewards(kind, final[i], best, state.players, rewards[i])
        done[i] = True
        for seat in range(state.players):
            won[i, seat] = best >> seat & 1
        if last.shape[0]:
            for seat in range(state.players):
                observe(state, seat, last[i, seat])
        deal(state, rng_state[i])
        play_others(states, i, rng_state[i], legal[i], learner)


@kernel
def show_some(
    states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, won: Any, last: Any, kind: int, learner: int,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Write observations and masks of games `begin` to `end - 1` anew."""
    for i in range(begin, end):
        wipe(legal, legal_count, masks, i)
        show_legal(states, i, legal, legal_count, masks, seats)
        observe(states[i], states[i].seat, observations[i])


@kernel
def observe_some(states: Any, viewers: Any, observations: Any, begin: int, end: int) -> None:
    """Write what a seat observes in games `begin` to `end - 1`."""
    for i in range(begin, end):
        observe(states[i], int(viewers[i]), observations[i])


@kernel
def determinize_some(states: Any, viewers: Any, rng_state: Any, begin: int, end: int) -> None:
    """Replace what a seat cannot see in games `begin` to `end - 1`. Advances `rng_state`."""
    for i in range(begin, end):
        determinize_in_place(states[i], int(viewers[i]), rng_state[i])


@kernel
def wipe(legal: Any, legal_count: Any, masks: Any, i: int) -> None:
    """Clear the mask of a game. Only entries that were legal are written, which is faster than clearing all."""
    if MASKED:
        row = legal[i]
        mask = masks[i]
        for k in range(legal_count[i]):
            mask[index(row[k])] = False
    legal_count[i] = 0


@kernel
def play_others(states: Any, i: int, rng_state: Numbers, moves: Any, learner: int) -> None:
    """Apply chance events, and the actions of all seats but the learner. Advances `rng_state`."""
    state = states[i]
    while (state.seat == CHANCE) | ((state.seat >= 0) & (learner != EVERYBODY) & (state.seat != learner)):
        if state.seat == CHANCE:
            sample_chance(state, rng_state)
        else:
            play(state, other_action(state, rng_state, moves))


@kernel
def show_legal(states: Any, i: int, legal: Any, legal_count: Any, masks: Any, seats: Any) -> None:
    """Write the legal actions of the seat to move."""
    state = states[i]
    row = legal[i]
    n = indices(state, row)
    legal_count[i] = n
    if MASKED:
        mask = masks[i]
        for k in range(n):
            mask[index(row[k])] = True
    seats[i] = state.seat
