"""Step many games at once in compiled code, on all cores.

A loop of learning looks like this::

    batch = bosquet.batch(game, players=2, n=4096)
    while learning:
        batch.step(choose(batch.observations, batch.masks))

Every step writes in place into the same NumPy arrays. DLPack gives them to other libraries without a copy
(`torch.from_dlpack(batch.observations)`). A game that ends is dealt again in the same step.

`with bosquet.batch(game) as batch` stops the threads at the end of the block, as does `close`.
"""

from __future__ import annotations

import functools
import itertools
import os
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from bosquet.core.bits import index
from bosquet.core.bound import action_at, deal, indices, observe, play, sample_chance, scores, winners
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.integers import whole_number
from bosquet.core.jit import kernel
from bosquet.core.rng import below, fresh_seed, seed_rng
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.env.compiled_game import Bytes, CompiledGame, compiled_game
from bosquet.env.rewards import kind_of, write_rewards

EVERYBODY = -1
GAMES_A_THREAD = 256
"""Minimum number of games per thread: with fewer, a step takes less time than waking a thread."""
PADDING = 16
"""Unused numbers between the rows of two games; rows whole pages apart would evict each other from the cache."""


class Batch:
    """n games that are stepped together.

    - `observations`: `(n, observation_size)` uint8, observation of the seat to move; `parts` has its parts by name
    - `masks`: `(n, actions)` bool, its legal actions
    - `seats`: `(n,)` int8, the seat to move
    - `rewards`: `(n, players)` float32, rewards (`env.rewards`) of games that the last step ended, else 0
    - `done`: `(n,)` bool, whether the last step ended the game
    - `scores`: `(n, players)` int32, final points of the last game that ended
    - `last`: `(n, players, observation_size)` uint8, final observations of that game; only with `keep_last`
    """

    def __init__(
        self,
        compiled: CompiledGame,
        n: SupportsIndex,
        *,
        seed: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        reward: str = "win",
        learner: SupportsIndex | None = None,
        keep_last: bool = False,
    ) -> None:
        """Deal n games.

        The same seed and actions give the same games on every machine, with any number of threads. The default is one
        thread per core that this process may use, if there are enough games. With `learner`, only the decisions of this
        seat are returned; the other seats play uniformly at random. Raises OptionError.
        """
        n = _count("n", n)
        used_threads = None if threads is None else _count("threads", threads)
        self.compiled, self.n, self.players = compiled, n, compiled.players
        self.actions, self.layout = compiled.actions, compiled.layout
        self._states = compiled.states(n)
        self.observations = np.zeros((n, compiled.observation_size), np.uint8)
        self.masks = np.zeros((n, compiled.actions), np.bool_)
        self.seats = np.zeros(n, np.int8)
        self.rewards = np.zeros((n, self.players), np.float32)
        self.done = np.zeros(n, np.bool_)
        self.scores = np.zeros((n, self.players), np.int32)
        self.last = np.zeros((n if keep_last else 0, self.players, compiled.observation_size), np.uint8)
        self._kind = kind_of(reward)
        self._learner = _learner(learner, self.players)
        # The legal actions as a list, to clear the mask and to draw random actions.
        self._legal = compiled.rows([[0] * (compiled.spec.rules.MAX_MOVES + PADDING)], np.int32, n)
        self._legal_count = np.zeros(n, np.int32)
        self._chosen = np.zeros(n, np.int64)
        self._begin_some = compiled.bound(begin_some)
        self._step_some = compiled.bound(step_some)
        self._draw_all = compiled.bound(draw_all)
        self._find_illegal = compiled.bound(find_illegal)
        useful = min(used_threads, n) if used_threads else max(1, min(_cores(), n // GAMES_A_THREAD))
        self._team = _Team(useful if compiled.jit else 1, n)
        self.reset(seed)

    @property
    def states(self) -> Any:
        """Return the states, hidden information included: `(n,)` records that cannot be written.

        Without the compiler they are a tuple of copies.
        """
        if not self.compiled.jit:
            return tuple(state.copy() for state in self._states)
        shown = self._states.view()
        shown.flags.writeable = False
        return shown

    @property
    def parts(self) -> dict[str, Bytes]:
        """Return views of the observations by name of the part, each of shape `(n, *part.shape)`."""
        return self.compiled.view_parts(self.observations)

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Deal all games again, unpredictably if there is no seed."""
        used = fresh_seed() if seed is None else whole_number(seed)
        if used is None:
            raise OptionError(f"seed is {quoted(seed)}; it must be a whole number, or None")
        self._rng_state = self.compiled.rows([seed_rng(used, "batch", i) for i in range(self.n)], np.int64)
        self._sampling_rng_state = self.compiled.rows([seed_rng(used, "sample", i) for i in range(self.n)], np.int64)
        self.rewards[:] = 0
        self.done[:] = False
        self._run(self._begin_some)

    def step(self, actions: npt.ArrayLike) -> None:
        """Apply an action in every game, given as indices of shape `(n,)`. Mutates all arrays.

        Raises ValueError if an action is not legal; nothing is changed then.
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
        """Return a uniformly random legal action for every game, shape `(n,)`. Every call returns the same array."""
        self._draw_all(self._legal, self._legal_count, self._sampling_rng_state, self._chosen)
        return self._chosen

    def close(self) -> None:
        """Stop the threads. The batch cannot be stepped after that."""
        self._team.close()

    def __enter__(self) -> Self:
        self._team.check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, kernel: Callable[..., Any]) -> None:
        arrays = (
            self._states,
            self._rng_state,
            self._legal,
            self._legal_count,
            self.observations,
            self.masks,
            self.seats,
        )
        results = (self._chosen, self.rewards, self.done, self.scores, self.last, self._kind, self._learner)
        self._team.run(lambda begin, end: kernel(*arrays, *results, begin, end))


Orders = SimpleQueue[Callable[[], None] | None]


class _Team:
    """Threads that divide the games among themselves; the calling thread is one of them.

    They end when the team is closed or dropped, and are started again in a forked child, which has none of them.
    """

    def __init__(self, threads: int, n: int) -> None:
        self._shares = list(itertools.pairwise(n * i // threads for i in range(threads + 1)))
        self._closed = False
        self._start()

    def run(self, work: Callable[[int, int], None]) -> None:
        """Call `work(begin, end)` in every thread, for its share of the games. Raises BosquetError once closed."""
        self.check_open()
        if self._process != os.getpid():
            self._dismiss.detach()
            self._start()
        for orders, share in zip(self._orders, self._shares[1:], strict=True):
            orders.put(functools.partial(work, *share))
        work(*self._shares[0])
        for error in [self._done.get() for _ in self._orders]:
            if error is not None:
                raise error

    def check_open(self) -> None:
        """Raise BosquetError if the team was closed."""
        if self._closed:
            raise BosquetError("the batch is closed; make another one")

    def close(self) -> None:
        """End the threads."""
        self._closed = True
        self._dismiss()

    def _start(self) -> None:
        self._process = os.getpid()
        self._orders: list[Orders] = [SimpleQueue() for _ in self._shares[1:]]
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        for orders in self._orders:
            Thread(target=_work, args=(orders, self._done), daemon=True).start()
        self._dismiss = weakref.finalize(self, _end_threads, self._orders)


def _end_threads(queues: Sequence[Orders]) -> None:
    for orders in queues:
        orders.put(None)


def _work(orders: Orders, done: SimpleQueue[BaseException | None]) -> None:
    """Carry out orders until one is None. Between orders a thread refers to nothing of the batch."""
    while (order := orders.get()) is not None:
        error = None
        try:
            order()
        except BaseException as raised:
            error = raised
        del order
        done.put(error)
        del error


def _count(name: str, given: object) -> int:
    """Return a number from 1. Raises OptionError."""
    number = whole_number(given)
    if number is None or number < 1:
        raise OptionError(f"{name} is {quoted(given)}; it must be a whole number from 1")
    return number


def _learner(given: object, players: int) -> int:
    """Return the seat of the learner, EVERYBODY for None. Raises OptionError."""
    seat = EVERYBODY if given is None else whole_number(given)
    if seat is None or (given is not None and seat not in range(players)):
        raise OptionError(f"learner is {quoted(given)}; seats are 0 to {players - 1}, None is everybody")
    return seat


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def batch(
    game: str,
    n: SupportsIndex = 256,
    *,
    seed: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    reward: str = "win",
    learner: SupportsIndex | None = None,
    keep_last: bool = False,
    **options: Any,
) -> Batch:
    """Return a batch of a game. Arguments are those of `Batch` and the options in `bosquet.spec(game).options`."""
    return Batch(
        compiled_game(game, **options),
        n,
        seed=seed,
        threads=threads,
        reward=reward,
        learner=learner,
        keep_last=keep_last,
    )


@kernel
def find_illegal(masks: Any, actions: Any) -> int:
    """Return the first game whose action is not legal, or -1."""
    for i in range(actions.shape[0]):
        if (actions[i] < 0) | (actions[i] >= masks.shape[1]):
            return i
        if not masks[i, actions[i]]:
            return i
    return -1


@kernel
def draw_all(legal: Any, legal_count: Any, rng_state: Any, chosen: Any) -> None:
    """Draw a legal action of each game into `chosen`, uniformly. Advances `rng_state`."""
    for i in range(chosen.shape[0]):
        chosen[i] = legal[i][below(rng_state[i], int(legal_count[i]))]


@kernel
def begin_some(
    states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, last: Any, kind: int, learner: int, begin: int, end: int,
) -> None:  # fmt: skip
    """Deal games `begin` to `end - 1`, and advance them to their first decision."""
    for i in range(begin, end):
        wipe(legal, legal_count, masks, i)
        deal(states[i], rng_state[i])
        play_others(states, i, rng_state[i], legal[i], learner)
        show(states, i, legal, legal_count, observations, masks, seats)


@kernel
def step_some(
    states: Any, rng_state: Any, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any,
    chosen: Any, rewards: Any, done: Any, final: Any, last: Any, kind: int, learner: int, begin: int, end: int,
) -> None:  # fmt: skip
    """Apply the chosen action in games `begin` to `end - 1`, and advance them to the next decision."""
    for i in range(begin, end):
        state = states[i]
        wipe(legal, legal_count, masks, i)
        play(state, action_at(state, int(chosen[i])))
        play_others(states, i, rng_state[i], legal[i], learner)
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
            deal(state, rng_state[i])
            play_others(states, i, rng_state[i], legal[i], learner)
        show(states, i, legal, legal_count, observations, masks, seats)


@kernel
def wipe(legal: Any, legal_count: Any, masks: Any, i: int) -> None:
    """Clear the mask of a game. Only entries that were legal are written, which is faster than clearing all."""
    row = legal[i]
    mask = masks[i]
    for k in range(legal_count[i]):
        mask[index(row[k])] = False
    legal_count[i] = 0


@kernel
def play_others(states: Any, i: int, rng_state: Numbers, moves: Any, learner: int) -> None:
    """Apply chance events, and random actions of all seats but the learner. Advances `rng_state`."""
    state = states[i]
    while (state.seat == CHANCE) | ((state.seat >= 0) & (learner != EVERYBODY) & (state.seat != learner)):
        if state.seat == CHANCE:
            sample_chance(state, rng_state)
        else:
            n = indices(state, moves)
            play(state, action_at(state, moves[below(rng_state, n)]))


@kernel
def show(states: Any, i: int, legal: Any, legal_count: Any, observations: Any, masks: Any, seats: Any) -> None:
    """Write the observation and the mask of the seat to move."""
    state = states[i]
    row = legal[i]
    mask = masks[i]
    n = indices(state, row)
    legal_count[i] = n
    for k in range(n):
        mask[index(row[k])] = True
    seats[i] = state.seat
    observe(state, state.seat, observations[i])
