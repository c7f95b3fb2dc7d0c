"""Many games at once, stepped together in compiled code on all cores.

    batch = bosquet.batch("topas", players=2, n=4096)
    while learning:
        batch.step(choose(batch.observations, batch.masks))

All arrays are NumPy's, are written in place by every step, and stay the same arrays: to other libraries they go without
a copy by DLPack (`torch.from_dlpack(batch.observations)`). A game that ends is dealt anew in the same step.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bosquet.core.bits import index
from bosquet.core.chance import below, fresh_seed, lanes_of
from bosquet.core.errors import OptionError, quoted
from bosquet.core.jit import kernel
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.env.machine import Bytes, Machine, machine
from bosquet.env.rewards import kind_of, write_rewards

if TYPE_CHECKING:  # `bind` puts a game's rules and its encoder in their place
    from bosquet.games.encoders.topas import action_at, indices, observe
    from bosquet.games.schlossgarten import deal, play, roll, scores, winners

EVERYBODY = -1
GAMES_A_THREAD = 256
"""With fewer games a step is over before another thread has woken up."""
PADDING = 16
"""Numbers between the lists of two games: lists that begin whole pages apart push each other out of the cache."""


class Batch:
    """n games that are played side by side.

    | array | shape | what |
    |---|---|---|
    | `observations` | `(n, observation_size)` uint8 | what the seat to move may know; `parts` has it by name |
    | `masks` | `(n, actions)` bool | which actions it may make |
    | `seats` | `(n,)` int8 | whose decision it is |
    | `rewards` | `(n, players)` float32 | of the games that the last step ended (`env.rewards`), else 0 |
    | `done` | `(n,)` bool | whether the last step ended the game |
    | `scores` | `(n, players)` int32 | final points of the game that ended last |
    | `last` | `(n, players, observation_size)` uint8 | what every seat saw at its end; with `keep_last` only |
    | `states` | `(n,)` records | the states themselves, everything hidden included |
    """

    def __init__(
        self,
        machine: Machine,
        n: int,
        *,
        seed: int | None = None,
        threads: int | None = None,
        reward: str = "win",
        learner: int | None = None,
        keep_last: bool = False,
    ) -> None:
        """Deal n games.

        The same seed and actions give the same games on every machine, with any number of threads (by default one a
        core that this process may use, if each has games enough). With `learner` only the decisions of this seat are
        asked for; the others play uniformly at random. Raises OptionError.
        """
        if type(n) is not int or n < 1:
            raise OptionError(f"n is {quoted(n)}; it must be a whole number from 1")
        if threads is not None and (type(threads) is not int or threads < 1):
            raise OptionError(f"threads is {quoted(threads)}; it must be a whole number from 1, or None")
        if learner is not None and learner not in range(machine.players):
            raise OptionError(f"learner is {quoted(learner)}; seats are 0 to {machine.players - 1}, None is everybody")
        self.machine, self.n, self.players = machine, n, machine.players
        self.actions, self.layout = machine.actions, machine.layout
        self.states = machine.states(n)
        self.observations = np.zeros((n, machine.observation_size), np.uint8)
        self.masks = np.zeros((n, machine.actions), np.bool_)
        self.seats = np.zeros(n, np.int8)
        self.rewards = np.zeros((n, self.players), np.float32)
        self.done = np.zeros(n, np.bool_)
        self.scores = np.zeros((n, self.players), np.int32)
        self.last = np.zeros((n if keep_last else 0, self.players, machine.observation_size), np.uint8)
        self._kind = kind_of(reward)
        self._learner = EVERYBODY if learner is None else learner
        # What is legal as a list too: the mask is wiped with it, and a random action drawn from it.
        self._legal = machine.rows([[0] * (machine.rules.MAX_MOVES + PADDING)], np.int32, n)
        self._legal_count = np.zeros(n, np.int32)
        self._chosen = np.zeros(n, np.int64)
        self._begin_some = machine.bound(begin_some)
        self._step_some = machine.bound(step_some)
        self._draw_all = machine.bound(draw_all)
        self._find_illegal = machine.bound(find_illegal)
        useful = min(threads, n) if threads else max(1, min(_cores(), n // GAMES_A_THREAD))
        self._team = _Team(useful if machine.jit else 1, n)
        self.reset(seed)

    @property
    def parts(self) -> dict[str, Bytes]:
        """The observations by the names of their parts, each of shape `(n, *part.shape)`; they share the memory."""
        return self.machine.view_parts(self.observations)

    def reset(self, seed: int | None = None) -> None:
        """Deal all games anew; without a seed unpredictably."""
        if seed is not None and type(seed) is not int:
            raise OptionError(f"seed is {quoted(seed)}; it must be a whole number, or None")
        used = fresh_seed() if seed is None else seed
        self._lanes = self.machine.rows([lanes_of(used, "batch", i) for i in range(self.n)], np.int64)
        self._sampling_lanes = self.machine.rows([lanes_of(used, "sample", i) for i in range(self.n)], np.int64)
        self.rewards[:] = 0
        self.done[:] = False
        self._run(self._begin_some)

    def step(self, actions: npt.ArrayLike) -> None:
        """Make an action in every game: indices of shape `(n,)`. Mutates all arrays.

        Raises ValueError, and leaves everything as it was, if one of them is not legal.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(
                f"actions have shape {chosen.shape} and type {chosen.dtype}; they must be {self.n} whole numbers"
            )
        if chosen is not self._chosen:
            self._chosen[:] = chosen
        wrong = int(self._find_illegal(self.masks, self._chosen))
        if wrong >= 0:
            raise ValueError(
                f"action {self._chosen[wrong]} of game {wrong} is not legal; legal are those with masks[{wrong}] true"
            )
        self._run(self._step_some)

    def sample(self) -> npt.NDArray[np.int64]:
        """A uniformly random legal action for every game, shape `(n,)`; the array is the same one every time."""
        self._draw_all(self._legal, self._legal_count, self._sampling_lanes, self._chosen)
        return self._chosen

    def close(self) -> None:
        """End the threads. The batch can't be stepped after that."""
        self._team.close()

    def _run(self, kernel: Callable[..., Any]) -> None:
        arrays = (self.states, self._lanes, self._legal, self._legal_count, self.observations, self.masks, self.seats)
        results = (self._chosen, self.rewards, self.done, self.scores, self.last, self._kind, self._learner)
        self._team.run(lambda begin, end: kernel(*arrays, *results, begin, end))


class _Team:
    """Threads that share out the games; the calling thread works with them."""

    def __init__(self, threads: int, n: int) -> None:
        self._shares = list(itertools.pairwise(n * i // threads for i in range(threads + 1)))
        self._orders: list[SimpleQueue[Callable[[], None] | None]] = [SimpleQueue() for _ in self._shares[1:]]
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        for orders in self._orders:
            Thread(target=_work, args=(orders, self._done), daemon=True).start()

    def run(self, work: Callable[[int, int], None]) -> None:
        """Do the work of all, each for games `begin` to `end`."""
        for orders, share in zip(self._orders, self._shares[1:], strict=True):
            orders.put(functools.partial(work, *share))
        work(*self._shares[0])
        for error in [self._done.get() for _ in self._orders]:
            if error is not None:
                raise error

    def close(self) -> None:
        for orders in self._orders:
            orders.put(None)


def _work(orders: SimpleQueue[Callable[[], None] | None], done: SimpleQueue[BaseException | None]) -> None:
    while (order := orders.get()) is not None:
        try:
            order()
            done.put(None)
        except BaseException as error:
            done.put(error)


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def batch(
    game: str,
    n: int = 256,
    *,
    seed: int | None = None,
    threads: int | None = None,
    reward: str = "win",
    learner: int | None = None,
    keep_last: bool = False,
    **options: Any,
) -> Batch:
    """A batch of a game by its name; what it takes is said at `Batch` and `bosquet.rules(game).OPTIONS`."""
    return Batch(
        machine(game, **options),
        n,
        seed=seed,
        threads=threads,
        reward=reward,
        learner=learner,
        keep_last=keep_last,
    )


@kernel
def find_illegal(masks: Any, actions: Any) -> int:
    """The first game whose action is not legal, or -1."""
    for i in range(actions.shape[0]):
        if (actions[i] < 0) | (actions[i] >= masks.shape[1]):
            return i
        if not masks[i, actions[i]]:
            return i
    return -1


@kernel
def draw_all(legal: Any, legal_count: Any, lanes: Any, chosen: Any) -> None:
    """Choose one of the legal actions of each game, all equally likely. Steps `lanes`."""
    for i in range(chosen.shape[0]):
        chosen[i] = legal[i][below(lanes[i], int(legal_count[i]))]


@kernel
def begin_some(
    states: Any, lanes: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, last: Any, kind: int, learner: int, begin: int, end: int,
) -> None:  # fmt: skip
    """Deal games `begin` to `end`, up to their first decision."""
    for i in range(begin, end):
        wipe(legal, legal_count, masks, i)
        deal(states[i], lanes[i])
        play_others(states, i, lanes[i], legal[i], learner)
        show(states, i, legal, legal_count, observations, masks, seats)


@kernel
def step_some(
    states: Any, lanes: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, last: Any, kind: int, learner: int, begin: int, end: int,
) -> None:  # fmt: skip
    """Make the chosen action in games `begin` to `end`, and go on to the next decision."""
    for i in range(begin, end):
        state = states[i]
        wipe(legal, legal_count, masks, i)
        play(state, action_at(state, int(chosen[i])))
        play_others(states, i, lanes[i], legal[i], learner)
        if done[i]:
            done[i] = False
            for seat in range(state.players):
                rewards[i, seat] = 0
        while state.seat == NOBODY:
            scores(state, final[i])
            write_rewards(kind, final[i], winners(state), state.players, rewards[i])
            done[i] = True
            if last.shape[0]:
                for seat in range(state.players):
                    observe(state, seat, last[i, seat])
            deal(state, lanes[i])
            play_others(states, i, lanes[i], legal[i], learner)
        show(states, i, legal, legal_count, observations, masks, seats)


@kernel
def wipe(legal: Any, legal_count: Any, masks: Any, i: int) -> None:
    """Take what was legal out of the mask: far fewer bytes than all of it."""
    row = legal[i]
    mask = masks[i]
    for k in range(legal_count[i]):
        mask[index(row[k])] = False
    legal_count[i] = 0


@kernel
def play_others(states: Any, i: int, lanes: Numbers, moves: Any, learner: int) -> None:
    """Make the moves of chance, and random moves for seats that nobody is asked for. Steps `lanes`."""
    state = states[i]
    while (state.seat == CHANCE) | ((state.seat >= 0) & (learner != EVERYBODY) & (state.seat != learner)):
        if state.seat == CHANCE:
            roll(state, lanes)
        else:
            n = indices(state, moves)
            play(state, action_at(state, moves[below(lanes, n)]))


@kernel
def show(states: Any, i: int, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any) -> None:
    """Write what the seat to move sees and may do."""
    state = states[i]
    row = legal[i]
    mask = masks[i]
    n = indices(state, row)
    legal_count[i] = n
    for k in range(n):
        mask[index(row[k])] = True
    seats[i] = state.seat
    observe(state, state.seat, observations[i])
