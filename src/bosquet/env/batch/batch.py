"""Games that are stepped together by threads of this machine."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from bosquet.core.encoding import Part
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.inputs.integers import at_least, truth_value, whole_number
from bosquet.core.rng import RNG_WORDS, Rng, draw, fresh_seed, seed_rng
from bosquet.env.batch.given import (
    Rows,
    Seeds,
    deal_seeds,
    learner_of,
    packed_states,
    rows_of,
    runs,
    seeds_of,
    viewers_of,
)
from bosquet.env.batch.kernels import (
    BEGIN,
    CHECK,
    CHECK_AND_STEP,
    DRAW,
    EVERYBODY,
    STEP,
    act,
    determinize_some,
    draw_some,
    load_some,
    observe_some,
    show_some,
)
from bosquet.env.batch.opponents import Opponents, PolicyOpponents, opponents_of
from bosquet.env.batch.policies import policy_kernel
from bosquet.env.batch.tasks import APART, FOUND, LEADER
from bosquet.env.batch.team import Team
from bosquet.env.compiled_game import Bytes, CompiledGame
from bosquet.env.rewards import kind_of

GAMES_A_THREAD = 256
"""Minimum number of games per thread: with fewer, a step takes less time than waking a thread."""
PADDING = 16
"""Unused numbers between the rows of two games; rows whole pages apart would evict each other from the cache."""

NO_GAMES = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class SavedGames:
    """The games of a batch as they were when `Batch.save` was called. It may be pickled."""

    game: tuple[Any, ...]
    """The game with its options and its box, and whether its states are packed."""
    states: Any
    rng_state: Any
    sampling_rng_state: Any
    results: tuple[npt.NDArray[Any], ...]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """Return everything that is kept of the games."""
        return self.states, self.rng_state, self.sampling_rng_state, *self.results


class Batch:
    """n games that are stepped together.

    - `observations`: `(n, observation_size)` uint8, observation of the seat to move; `parts` has its parts by name
    - `masks`: `(n, actions)` bool, its legal actions; without rows where `masks` is False
    - `legal_actions`: `(n, at most)` int32, the same as lists: the first `legal_counts[i]` of row i, in no order. What
      comes after them means nothing
    - `legal_counts`: `(n,)` int32
    - `seats`: `(n,)` int8, the seat to move
    - `rewards`: `(n, players)` float32, rewards (`env.rewards`) of games that the last step ended, else 0
    - `done`: `(n,)` bool, whether the last step ended the game
    - `scores`: `(n, players)` int32, final points of the last game that ended
    - `winners`: `(n, players)` bool, the seats that won it
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
        opponents: Opponents | None = None,
        keep_last: bool = False,
        masks: bool = True,
    ) -> None:
        """Deal n games.

        The same seed and actions give the same games on every machine, with any number of threads. The default is one
        thread per core that this process may use, if there are enough games. With `learner`, only the decisions of this
        seat are returned; `opponents` (`env.batch.opponents`), by default random ones, make those of the other seats. A
        function as opponent needs `masks`; without them a step is quicker where the action space is large. Raises
        OptionError.
        """
        n = at_least(1, "n", n)
        used_threads = None if threads is None else at_least(1, "threads", threads)
        keep_last, masks = truth_value("keep_last", keep_last), truth_value("masks", masks)
        self.compiled: CompiledGame = compiled
        self.n: int = n
        self.players: int = compiled.players
        self.actions: int = compiled.actions
        self.layout: tuple[Part, ...] = compiled.layout
        self._states = compiled.states(n)
        self.observations: Bytes = np.zeros((n, compiled.observation_size), np.uint8)
        self.masks: npt.NDArray[np.bool_] = np.zeros((n if masks else 0, compiled.actions), np.bool_)
        self.seats: npt.NDArray[np.int8] = np.zeros(n, np.int8)
        self.rewards: npt.NDArray[np.float32] = np.zeros((n, self.players), np.float32)
        self.done: npt.NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.scores: npt.NDArray[np.int32] = np.zeros((n, self.players), np.int32)
        self.winners: npt.NDArray[np.bool_] = np.zeros((n, self.players), np.bool_)
        self.last: Bytes = np.zeros((n if keep_last else 0, self.players, compiled.observation_size), np.uint8)
        self._kind = kind_of(reward)
        self._given: dict[str, Any] = {"threads": used_threads, "reward": reward, "learner": learner}
        self._given |= {"opponents": opponents, "keep_last": keep_last, "masks": masks}
        own_seat = learner_of(learner, self.players)
        other_action, self._others = opponents_of(
            compiled.spec, compiled.options, opponents, all_learn=own_seat == EVERYBODY
        )
        self._own_seat = own_seat
        if isinstance(self._others, PolicyOpponents) and not masks:
            raise OptionError("masks is False; opponents that are a policy are given masks")
        # Where others than kernels play, the kernels stop at every decision.
        self._learner = own_seat if self._others is None else EVERYBODY
        self._legal = compiled.rows([[0] * (compiled.spec.rules.MAX_MOVES + PADDING)], np.int32, n)
        self._legal_count = np.zeros(n, np.int32)
        self._chosen = np.zeros(n, np.int64)
        self._sampled = np.zeros(n, np.int64)
        self._stopped = ""
        """What stopped a step after it had changed games; empty if none was stopped."""
        self._rng_state = compiled.rows([[0] * RNG_WORDS], np.int64, n)
        self._sampling_rng_state = compiled.rows([[0] * RNG_WORDS], np.int64, n)
        expecting = hasattr(compiled.encoder, "expect_state")
        self._act = compiled.bound(act, other_action=other_action, MASKED=masks, EXPECTING=expecting)
        self._load_some = compiled.bound(load_some, other_action=other_action, MASKED=masks)
        self._show_some = compiled.bound(show_some, MASKED=masks)
        self._observe_some = compiled.bound(observe_some)
        self._determinize_some = compiled.bound(determinize_some)
        self._draw_some = compiled.bound(draw_some)
        useful = min(used_threads, n) if used_threads else max(1, min(_cores(), n // GAMES_A_THREAD))
        self._team = Team(useful if compiled.jit else 1, n)
        self._arrays = (
            self._states,
            self._rng_state,
            self._legal,
            self._legal_count,
            self.observations,
            self.masks,
            self.seats,
            self._chosen,
            self.rewards,
            self.done,
            self.scores,
            self.winners,
            self.last,
            self._kind,
            self._learner,
        )
        self.reset(seed)

    @property
    def states(self) -> npt.NDArray[Any]:
        """Return the states, hidden information included: `(n,)` records that cannot be written.

        Without the compiler they are copies, as objects.
        """
        shown: npt.NDArray[Any]
        if self.compiled.jit:
            shown = self._states.view()
        else:
            shown = np.empty(self.n, object)
            shown[:] = [state.copy() for state in self._states]
        shown.flags.writeable = False
        return shown

    @property
    def legal_actions(self) -> npt.NDArray[np.int32]:
        """Return the legal actions of each game as a list; see the class. The array cannot be written.

        Without the compiler it is a copy.
        """
        shown = np.asarray(self._legal, np.int32)[:]
        shown.flags.writeable = False
        return shown

    @property
    def legal_counts(self) -> npt.NDArray[np.int32]:
        """Return the number of legal actions of each game, shape `(n,)`. The array cannot be written."""
        shown = self._legal_count[:]
        shown.flags.writeable = False
        return shown

    @property
    def parts(self) -> dict[str, Bytes]:
        """Return views of the observations by name of the part, each of shape `(n, *part.shape)`."""
        return self.compiled.view_parts(self.observations)

    def reset(
        self,
        seed: SupportsIndex | None = None,
        *,
        where: Rows | None = None,
        seeds: Seeds | None = None,
    ) -> None:
        """Deal games again, unpredictably if there is no seed.

        `where` says which ones, by index or as a bool for each game; by default all. `seeds` gives each of them a seed
        of its own, that of `bosquet.new` with the same deal. With `seed`, that of game i is `derived_seed(seed, i)`, as
        in `bosquet simulate`. Raises OptionError.
        """
        rows = rows_of(where, self.n)
        numbers = deal_seeds(rows, seed, seeds)
        self._team.check_open()

        def deal() -> None:
            for i, number in zip(rows, numbers, strict=True):
                self._rng_state[i] = seed_rng(number, "deal")
                self._sampling_rng_state[i] = seed_rng(number, "sample")
            self.rewards[rows] = 0
            self.done[rows] = False
            if where is None:
                self._act_all(BEGIN)
            else:
                self._act_rows(BEGIN, rows)

        self._advance(lambda: self._team.whole(deal), rows)

    def play(self, steps: SupportsIndex, policy: str = "random") -> None:
        """Make a number of steps in all games, with the actions of a policy. Mutates all arrays.

        `"random"` draws what `sample` would; `"greedy"` plays like the bot, in games that have a kernel for it. The
        other seats are played by `opponents` as in any step. Afterwards `rewards` and `done` tell of the last step
        only. Raises OptionError.
        """
        steps, choose = at_least(0, "steps", steps), policy_kernel(self.compiled.spec, policy)
        self._check_ready()
        choose_some = self.compiled.bound(choose)
        given = self._states, self._sampling_rng_state, self._legal, self._legal_count, self._chosen
        for _ in range(steps):
            before = self._copied(self._sampling_rng_state)

            def choose_all(before: Any = before) -> None:
                self._sampling_rng_state[:] = self._copied(before)
                self._team.run(lambda begin, end: choose_some(*given, begin, end))

            self._team.whole(choose_all)
            self._step_all()

    def step(self, actions: npt.ArrayLike, *, where: Rows | None = None) -> None:
        """Apply an action in every game, given as indices of shape `(n,)`. Mutates all arrays.

        With `where`, the actions of the games that it does not name are ignored, and these games wait. Raises
        ValueError if an action is not legal; nothing is changed then.

        If opponents raise an error, are interrupted or choose an illegal action, some games wait for another seat than
        the learner's. The batch then refuses every method but `reset`, `restore`, `load_states` and `close` with
        BosquetError, until all such games have been dealt again or replaced.
        """
        self._check_ready()
        chosen = np.asarray(actions)
        if chosen is not self._sampled:
            if chosen.shape != (self.n,) or not np.issubdtype(chosen.dtype, np.integer):
                raise ValueError(
                    f"actions have shape {chosen.shape} and type {chosen.dtype}; they must be {self.n} whole numbers"
                )
        self._chosen[:] = chosen
        if where is None:
            self._step_all()
        else:
            self._step_rows(rows_of(where, self.n))

    def sample(self) -> npt.NDArray[np.int64]:
        """Return a uniformly random legal action for every game, shape `(n,)`.

        Every call writes into the same array and returns it; nothing else writes into it.
        """
        self._check_ready()
        if len(self._team) == 1:
            arrays = self._legal, self._legal_count, self._sampling_rng_state, self._sampled
            self._draw_some(*arrays, 0, self.n)  # a call with few arguments takes a third of the time
        else:
            self._act_all(DRAW)
        return self._sampled

    def observe(self, seat: npt.ArrayLike) -> Bytes:
        """Return the observations of a seat, which need not be to move: `(n, observation_size)` uint8, a new array.

        `seat` is one seat, or one for each game. What the seat to move sees is in `observations`. Raises OptionError.
        """
        self._check_ready()
        viewers = viewers_of(seat, self.compiled, self.n)
        out = np.zeros_like(self.observations)
        observe = functools.partial(self._observe_some, self._states, viewers, out)
        self._team.whole(lambda: self._team.run(observe))
        return out

    def save(self) -> SavedGames:
        """Return all games as they are, with their coming chance, for `restore`."""
        return self._saved(slice(self.n))

    def restore(self, saved: SavedGames, where: Rows | None = None) -> None:
        """Bring back games that `save` returned, here or in a batch of the same game, options and size.

        `where` says which ones, by index or as a bool for each game; by default all. Mutates all arrays. Raises
        OptionError, also for games that were saved where another seat was to move than the learner here; nothing is
        changed then.
        """
        rows = rows_of(where, self.n)
        self._check_saved(saved, rows)
        self._bring_back(saved, rows, rows, where)

    def load_states(self, states: Any, where: Rows | None = None) -> None:
        """Put states in the place of games, and show them. Mutates all arrays.

        `states` are records like those of `batch.states`, or uncompiled states like `bosquet.Game.state`, of a game
        with the same options, one for each game that `where` names. Their coming chance is that of the batch. Raises
        OptionError for states of other options, of a game that is over, and with numbers that no game comes to in a
        field for which a range is declared; nothing is changed then. Nothing else is checked: states must come from a
        batch, a `GameState` or a `bosquet.Game` unchanged, otherwise results are undefined.
        """
        rows = rows_of(where, self.n)
        loaded = packed_states(self.compiled, states, len(rows))
        self._team.check_open()
        rng_state = self._copied(self._rng_state)

        def replace() -> None:
            for k, i in enumerate(rows):
                self._states[i] = loaded[k] if self.compiled.jit else loaded[k].copy()
                self._rng_state[i] = rng_state[i].copy()
            self.rewards[rows] = 0
            self.done[rows] = False
            self._run(self._load_some, None if where is None else rows)

        self._advance(lambda: self._team.whole(replace), rows)

    def clone_from(self, game: SupportsIndex, where: Rows | None = None) -> None:
        """Make games copies of one of them, with its coming chance; by default all. Mutates all arrays.

        Give them chance of their own with `determinize`. Raises OptionError.
        """
        source = whole_number(game)
        if source is None or source not in range(self.n):
            raise OptionError(f"game is {quoted(game)}; games are 0 to {self.n - 1}")
        rows = rows_of(where, self.n)
        self._bring_back(self._saved(slice(source, source + 1)), np.zeros(len(rows), np.int64), rows, where)

    def determinize(self, seat: npt.ArrayLike, seeds: Seeds | None = None, *, where: Rows | None = None) -> None:
        """Replace what a seat cannot see, uniformly among what is consistent with all that it has seen.

        The coming chance is drawn anew, too. `seat` is one seat, or one for each game. `seeds` are those of the games
        that `where` names, by default all; without them the draws are unpredictable. Mutates all arrays. Raises
        OptionError.
        """
        viewers, rows = viewers_of(seat, self.compiled, self.n), rows_of(where, self.n)
        numbers = [fresh_seed() for _ in rows] if seeds is None else seeds_of(seeds, len(rows))
        self._check_ready()
        states = self.compiled.copy_some(self._states, rows)
        rng_state = self.compiled.rows([seed_rng(number, "determinize") for number in numbers], np.int64)
        self._determinize_some(states, viewers[rows], rng_state, 0, len(rows))

        def replace() -> None:
            for k, i in enumerate(rows):
                self._states[i], self._rng_state[i] = states[k], rng_state[k]
            self._run(self._show_some, None if where is None else rows)

        self._team.whole(replace)

    def plain_state(self, game: int) -> Any:
        """Return a copy of the state of a game, as `rules` take it."""
        return self.compiled.plain(self._states, game)

    def draw_rng(self, game: int) -> Rng:
        """Return a generator whose state is drawn from the chance of a game, which advances."""
        rng = Rng(0)
        rng.state = [int(draw(self._rng_state[game])) for _ in range(RNG_WORDS)]
        return rng

    def index_of(self, state: Any, action: int) -> int:
        """Return the index of an action in observations and masks."""
        return self.compiled.encoder.index_of(state, action)

    def close(self) -> None:
        """Stop the threads. The batch cannot be stepped after that."""
        self._team.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.compiled, self.n, self._given, self.save())

    def __enter__(self) -> Self:
        self._team.check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _saved(self, part: slice) -> SavedGames:
        """Return some games as they are, with their coming chance."""
        self._check_unstopped()
        rng_state, sampling_rng_state = (
            self._copied(numbers[part]) for numbers in (self._rng_state, self._sampling_rng_state)
        )
        results = tuple(array[part].copy() for array in self._results)
        return SavedGames(self._game, self.compiled.copy(self._states[part]), rng_state, sampling_rng_state, results)

    def _bring_back(
        self, saved: SavedGames, sources: npt.NDArray[np.int64], rows: npt.NDArray[np.int64], where: Rows | None
    ) -> None:
        """Put saved games, `sources`, in the place of `rows`. `where` is None if these are all games."""
        self._team.check_open()
        # What a device has kept is copied here.
        states, rng_state, sampling, *results = map(np.asarray, saved.arrays) if self.compiled.jit else saved.arrays

        def replace() -> None:
            for source, i in zip(sources, rows, strict=True):
                self._states[i] = states[source] if self.compiled.jit else states[source].copy()
                self._rng_state[i] = rng_state[source].copy()
                self._sampling_rng_state[i] = sampling[source].copy()
            for array, kept in zip(self._results, results, strict=True):
                array[rows] = kept[sources]
            self._run(self._show_some, None if where is None else rows)

        self._team.whole(replace)
        self._go_on(rows)

    def _check_saved(self, saved: object, rows: npt.NDArray[np.int64]) -> None:
        """Raise OptionError for saved games that cannot be brought back here."""
        mine = (self._game, [array.shape for array in self._results])
        if not isinstance(saved, SavedGames) or mine != (saved.game, [array.shape for array in saved.results]):
            raise OptionError("these games were saved by a batch of another game, other options or another size")
        if self._own_seat == EVERYBODY:
            return
        states = np.asarray(saved.states) if self.compiled.jit else saved.states
        for i in rows:
            seat = int(states[i]["seat"] if self.compiled.jit else states[i].seat)
            if seat != self._own_seat:
                raise OptionError(
                    f"game {i} was saved when seat {seat} was to move, here the learner is seat {self._own_seat}; "
                    "load_states(saved.states) lets the opponents play first"
                )

    def _step_all(self) -> None:
        """Apply the chosen actions. Raises ValueError if one is not legal; nothing is changed then."""
        if len(self._team) == 1 and self._others is None:
            self._check(self._act_all(CHECK_AND_STEP))
        else:
            self._check(self._act_all(CHECK))
            self._advance(lambda: self._act_all(STEP), np.arange(self.n))

    def _step_rows(self, rows: npt.NDArray[np.int64]) -> None:
        """Apply the chosen actions of some games. Raises ValueError if one is not legal; nothing is changed then."""
        self._check(self._act_rows(CHECK, rows))
        waiting = np.setdiff1d(np.arange(self.n), rows)
        self._advance(lambda: self._act_rows(STEP, rows, waiting), rows)

    def _advance(self, change: Callable[[], object], rows: npt.NDArray[np.int64]) -> None:
        """Change some games, then let opponents that are no kernels play until the learner is to move in them.

        Whatever is raised meanwhile stops a batch with such opponents. `change` is whole (`Team.whole`).
        """
        try:
            change()
            self._let_others_play(rows)
        except BaseException as error:
            if self._others is not None:
                self._stopped = ": ".join(filter(None, (type(error).__name__, str(error))))
            raise
        self._go_on(rows)

    def _go_on(self, rows: npt.NDArray[np.int64]) -> None:
        """Let a stopped batch go on if no game waits for another seat, now that some games were replaced."""
        if self._stopped and (len(rows) == self.n or (self.seats == self._own_seat).all()):
            self._stopped = ""

    def _check_ready(self) -> None:
        """Raise BosquetError if the batch was closed, or is stopped."""
        self._team.check_open()
        self._check_unstopped()

    def _check_unstopped(self) -> None:
        """Raise BosquetError if the batch is stopped."""
        if self._stopped:
            raise BosquetError(
                f"a step did not come to its end ({self._stopped}), and games wait for other seats than the learner's; "
                "bring all games back with `restore` or `load_states`, or deal them again with `reset`"
            )

    def _act_all(self, task: int) -> int:
        """Carry out a task in all games; return the first game whose action is not legal, or -1."""
        return self._team.act(self._act, task, (self._sampling_rng_state, self._sampled, *self._arrays))

    def _act_rows(self, task: int, rows: npt.NDArray[np.int64], waiting: npt.NDArray[np.int64] = NO_GAMES) -> int:
        """Carry out a task in some games; return one of them whose action is not legal, or -1.

        Games that are `waiting` show the result of no step.
        """
        shares = list(runs(rows))
        boxes = np.full((len(shares), APART), task, np.int64)  # no thread but this one
        arguments = self._sampling_rng_state, self._sampled, *self._arrays

        def carry_out() -> None:
            self.done[waiting] = False
            self.rewards[waiting] = 0
            for box, share in zip(boxes, shares, strict=True):
                self._act(task, LEADER, box, *arguments, *share)

        self._team.whole(carry_out)
        return int(boxes[:, FOUND].max(initial=-1))

    def _check(self, wrong: int) -> None:
        """Raise ValueError for a game whose action is not legal; -1 is none."""
        if wrong >= 0:
            raise ValueError(
                f"action {self._chosen[wrong]} of game {wrong} is not legal; legal are the first "
                f"{self._legal_count[wrong]} of legal_actions[{wrong}]"
            )

    def _let_others_play(self, rows: npt.NDArray[np.int64]) -> None:
        """Let opponents that are no kernels play until the learner is to move in some games."""
        if self._others is None or self._own_seat == EVERYBODY:
            return
        while (waiting := rows[self.seats[rows] != self._own_seat]).size:
            done, rewards = self.done[waiting].copy(), self.rewards[waiting].copy()
            self._chosen[waiting] = self._others.choose(self, waiting)
            wrong = self._act_rows(CHECK, waiting)
            if wrong >= 0:
                raise ValueError(
                    f"an opponent chose the action {self._chosen[wrong]} in game {wrong}, which is not legal"
                )
            self._act_rows(STEP, waiting)
            # A game that ended before, in the same step, has ended in this step.
            earlier = done & ~self.done[waiting]
            self.done[waiting[earlier]] = True
            self.rewards[waiting[earlier]] = rewards[earlier]

    @property
    def _results(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the arrays in which a step tells of games that ended, those with a row for each game."""
        return self.rewards, self.done, self.scores, self.winners, *([self.last] if len(self.last) else [])

    @property
    def _game(self) -> tuple[Any, ...]:
        compiled = self.compiled
        return compiled.spec.name, compiled.options, compiled.box, compiled.jit

    def _copied(self, numbers: Any) -> Any:
        """Return a copy of the states of generators."""
        return numbers.copy() if self.compiled.jit else [list(row) for row in numbers]

    def _run(self, kernel: Callable[..., Any], rows: npt.NDArray[np.int64] | None = None) -> None:
        """Run a kernel on all games in all threads, or on some games here."""
        if rows is None:
            self._team.run(lambda begin, end: kernel(*self._arrays, begin, end))
            return
        for begin, end in runs(rows):
            kernel(*self._arrays, begin, end)


def _again(compiled: CompiledGame, n: int, given: dict[str, Any], saved: SavedGames) -> Batch:
    """Return the batch that was pickled."""
    made = Batch(compiled, n, seed=0, **given)
    made.restore(saved)
    return made


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
