"""A batch whose games and arrays are in the memory of a device, such as a GPU. One thread plays one game.

`bosquet.batch(game, …, device="cuda")` makes one. It plays the same games as a batch on the processor with the
same seed and actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.inputs.integers import at_least, truth_value, whole_number
from bosquet.core.rng import RNG_WORDS, Rng, draw, fresh_seed, seed_rng, seed_words
from bosquet.env.batch.batch import Batch, SavedGames
from bosquet.env.batch.given import Rows, Seeds, deal_seeds, learner_of, packed_states, rows_of, seeds_of, viewers_of
from bosquet.env.batch.kernels import (
    EVERYBODY,
    begin_some,
    determinize_some,
    draw_some,
    load_some,
    observe_some,
    show_some,
)
from bosquet.env.batch.opponents import Opponents, opponents_of
from bosquet.env.batch.policies import play_some, policy_kernel
from bosquet.env.compiled_game import CompiledGame
from bosquet.env.gpu.device import Device, DeviceArray, Stored
from bosquet.env.gpu.kernels import (
    NONE,
    check_some,
    forget_some,
    move_row,
    step_if_legal,
    take_some,
)
from bosquet.env.gpu.layout import copied_if_small, device_rows, words_of
from bosquet.env.rewards import kind_of
from bosquet.kernels import threads
from bosquet.kernels.kernel import twin_of
from bosquet.kernels.threads import By, Program

MANY_STEPS = 4
"""Number of steps from which on copies of what a step shows take less time than they save."""
SHOWN = ("legal", "legal_count", "observations", "masks", "seats")
GAMES = ("states", "rng_state", *SHOWN)
RESULTS = ("rewards", "done", "final", "won", "last")
ALL = (*GAMES, "chosen", *RESULTS)
"""The arrays of the kernels of a batch, in the order in which these take them."""
NO_NUMBERS: Mapping[str, int] = MappingProxyType({})


class DeviceBatch(Batch):
    """n games on a device.

    Arrays are `env.gpu.device.DeviceArray`s of the same names, shapes and types as those of `Batch`: other libraries
    take them without a copy. `states` is a copy in the memory of this process.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        n: SupportsIndex,
        *,
        device: Device,
        seed: SupportsIndex | None = None,
        reward: str = "win",
        learner: SupportsIndex | None = None,
        opponents: Opponents | None = None,
        keep_last: bool = False,
        masks: bool = True,
    ) -> None:
        """Deal n games on a device. Raises OptionError, and BosquetError if the device has not enough memory.

        `opponents` are `"random"` or `"greedy"`, which are kernels. The other arguments are those of `Batch`.
        """
        self.n = n = at_least(1, "n", n)
        keep_last, masks = truth_value("keep_last", keep_last), truth_value("masks", masks)
        if not compiled.jit:
            raise OptionError("device is given, but kernels are not compiled here: numba is missing, or turned off")
        self.compiled, self.players, self.actions = compiled, compiled.players, compiled.actions
        self.layout = compiled.layout
        self._device = device
        self._closed = False
        self._kind = kind_of(reward)
        self._given = {"reward": reward, "learner": learner, "opponents": opponents}
        self._given |= {"keep_last": keep_last, "masks": masks}
        self._own_seat = self._learner = learner_of(learner, self.players)
        other_action, others = opponents_of(
            compiled.spec, compiled.options, opponents, all_learn=self._own_seat == EVERYBODY
        )
        if others is not None or (opponents == "greedy" and not compiled.spec.greedy_in_one_launch):
            also = ' or "greedy"' if compiled.spec.greedy_in_one_launch else ""
            raise OptionError(
                f"opponents is {quoted(opponents)}; in a batch of {compiled.spec.title} on a device it must be "
                f'"random"{also}'
            )
        self._bound = compiled.bindings | {"other_action": other_action, "MASKED": masks}
        self._launches: dict[tuple[Any, ...], _Launch] = {}
        self._stored = {rows.name: Stored(device, rows, n) for rows in device_rows(compiled, masks, keep_last)}
        shown = {name: stored.array for name, stored in self._stored.items() if name in (*SHOWN, *RESULTS, "sampled")}
        self.observations = cast(Any, shown["observations"])
        self.masks = cast(Any, shown["masks"])
        self.seats = cast(Any, shown["seats"])
        self.rewards = cast(Any, shown["rewards"])
        self.done = cast(Any, shown["done"])
        self.scores = cast(Any, shown["final"])
        self.winners = cast(Any, shown["won"])
        self.last = cast(Any, shown["last"])
        self._legal_shown, self._counts_shown = shown["legal"], shown["legal_count"]
        self._sampled = cast(Any, shown["sampled"])
        self._stored["found"].write(np.array([NONE]))
        self._stored["states"].write(compiled.states(n))
        self.reset(seed)

    @property
    def states(self) -> npt.NDArray[Any]:
        """Return a copy of the states, hidden information included: `(n,)` records that cannot be written."""
        self._check_ready()
        shown = self._stored["states"].read()
        shown.flags.writeable = False
        return shown

    @property
    def legal_actions(self) -> Any:
        """Return the legal actions of each game as a list; see `Batch`."""
        return self._legal_shown

    @property
    def legal_counts(self) -> Any:
        """Return the number of legal actions of each game, shape `(n,)`."""
        return self._counts_shown

    @property
    def parts(self) -> Any:
        """Return views of the observations by name of the part, each of shape `(n, *part.shape)`."""
        return self.compiled.parts_of(cast(DeviceArray, self.observations).columns)

    def reset(
        self, seed: SupportsIndex | None = None, *, where: Rows | None = None, seeds: Seeds | None = None
    ) -> None:
        """Deal games again; see `Batch.reset`."""
        rows = rows_of(where, self.n)
        numbers = deal_seeds(rows, seed, seeds)
        self._check_ready()
        for name, purpose in (("rng_state", "deal"), ("sampling", "sample")):
            self._replace(name, seeded(numbers, purpose), where, rows)
        self._launch(forget_some, ("rewards", "done"), (0, 1), rows=self._listed(where, rows))
        self._launch(begin_some, GAMES, ("learner", 0, 1), {"learner": self._learner}, self._listed(where, rows))

    def step(self, actions: npt.ArrayLike, *, where: Rows | None = None) -> None:
        """Apply an action in every game; see `Batch.step`.

        `actions` may lie on the device, in an array of any library with `__dlpack__` or `__cuda_array_interface__`.
        """
        self._check_ready()
        rows = rows_of(where, self.n)
        listed = self._listed(where, rows)
        self._take(actions)
        self._check_legal(listed)
        if where is not None:
            self._launch(forget_some, ("rewards", "done"), (0, 1))
        numbers = {"kind": self._kind, "learner": self._learner}
        self._launch(step_if_legal, ("found", *ALL), ("kind", "learner", 0, 1), numbers, listed)

    def play(self, steps: SupportsIndex, policy: str = "random") -> None:
        """Make a number of steps in all games with the actions of a policy; see `Batch.play`.

        They are one launch, or one each with a `greedy` of which a device makes one decision a launch.
        """
        steps, choose = at_least(0, "steps", steps), policy_kernel(self.compiled.spec, policy)
        self._check_ready()
        at_once = steps if policy == "random" or self.compiled.spec.greedy_in_one_launch else min(1, steps)
        numbers = {"kind": self._kind, "learner": self._learner, "steps": at_once}
        names, order = ("sampling", *ALL), ("kind", "learner", "steps", 0, 1)
        for _ in range(0, steps, at_once or 1):
            self._launch(play_some, names, order, numbers, choose=choose, copied=at_once >= MANY_STEPS)

    def sample(self) -> Any:
        """Return a uniformly random legal action for every game, shape `(n,)`; see `Batch.sample`."""
        self._check_ready()
        self._launch(draw_some, ("legal", "legal_count", "sampling", "sampled"), (0, 1))
        return self._sampled

    def observe(self, seat: npt.ArrayLike) -> Any:
        """Return the observations of a seat, on the device: `(n, observation_size)` uint8; see `Batch.observe`."""
        self._check_ready()
        viewers = self._viewers_there(seat)
        out = Stored(self._device, self._stored["observations"].rows, self.n)
        self._launch(observe_some, ("states", "viewers", "observations"), (0, 1), extra=(viewers, out))
        return out.array

    def save(self) -> SavedGames:
        """Return all games as they are, on the device, with their coming chance, for `restore`. May be pickled."""
        self._check_ready()
        states, rng_state, sampling, *results = (cast(Any, self._stored[name].copy()) for name in self._kept)
        return SavedGames(self._game, states, rng_state, sampling, tuple(results))

    def restore(self, saved: SavedGames, where: Rows | None = None) -> None:
        """Bring back games that `save` returned, here or in a batch on a processor; see `Batch.restore`."""
        self._check_ready()
        rows = rows_of(where, self.n)
        self._check_saved(saved, rows)
        listed = self._listed(where, rows)
        for name, source in zip(self._kept, saved.arrays, strict=True):
            if not (isinstance(source, Stored) and source.device is self._device):
                source = self._temporary(self._stored[name].rows, np.asarray(source))
            self._move(self._stored[name], By.GAME, source, By.GAME, listed)
        self._show(listed)

    def load_states(self, states: Any, where: Rows | None = None) -> None:
        """Put states in the place of games, and show them; see `Batch.load_states`."""
        rows = rows_of(where, self.n)
        loaded = packed_states(self.compiled, states, len(rows))
        self._check_ready()
        self._replace("states", loaded, where, rows)
        listed = self._listed(where, rows)
        self._launch(forget_some, ("rewards", "done"), (0, 1), rows=listed)
        numbers = {"kind": self._kind, "learner": self._learner}
        self._launch(load_some, ALL, ("kind", "learner", 0, 1), numbers, listed)

    def clone_from(self, game: SupportsIndex, where: Rows | None = None) -> None:
        """Make games copies of one of them, with its coming chance; see `Batch.clone_from`."""
        source = whole_number(game)
        if source is None or source not in range(self.n):
            raise OptionError(f"game is {quoted(game)}; games are 0 to {self.n - 1}")
        self._check_ready()
        rows = rows_of(where, self.n)
        one, listed = self._listed([source], np.array([source])), self._listed(where, rows)
        for stored in (self._stored[name] for name in self._kept):
            kept = Stored(self._device, stored.rows, 1)
            self._move(kept, By.FIRST, stored, By.GAME, one)
            self._move(stored, By.GAME, kept, By.FIRST, listed)
        self._show(listed)

    def determinize(self, seat: npt.ArrayLike, seeds: Seeds | None = None, *, where: Rows | None = None) -> None:
        """Replace what a seat cannot see, uniformly; see `Batch.determinize`."""
        rows = rows_of(where, self.n)
        viewers = self._viewers_there(seat)
        numbers = [fresh_seed() for _ in rows] if seeds is None else seeds_of(seeds, len(rows))
        self._check_ready()
        drawn = np.array([seed_rng(number, "determinize") for number in numbers], np.int64)
        self._replace("rng_state", drawn, where, rows)
        listed = self._listed(where, rows)
        self._launch(determinize_some, ("states", "viewers", "rng_state"), (0, 1), rows=listed, extra=(viewers,))
        self._show(listed)

    def plain_state(self, game: int) -> Any:
        """Return a copy of the state of a game, as `rules` take it."""
        return self.compiled.plain(self.states, game)

    def draw_rng(self, game: int) -> Rng:
        """Return a generator whose state is drawn from the chance of a game, which advances."""
        rng, words = Rng(0), self._stored["rng_state"].read()[game].tolist()
        rng.state = [int(draw(words)) for _ in range(RNG_WORDS)]
        self._replace("rng_state", np.array([words], np.int64), [game], np.array([game]))
        return rng

    def synchronize(self) -> None:
        """Wait until the device has done all that was asked of it."""
        self._device.synchronize()

    def close(self) -> None:
        """Let go of the device's memory. The batch cannot be used after that; arrays of other libraries stay valid."""
        self._closed = True
        self._stored.clear()
        self._launches.clear()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a batch on a device cannot be pickled or copied; what `save` returns can")

    def __enter__(self) -> DeviceBatch:
        self._check_ready()
        return self

    def _check_ready(self) -> None:
        if self._closed:
            raise BosquetError("the batch is closed; make another one")

    def _check_legal(self, listed: Stored | None) -> None:
        """Raise ValueError if a chosen action is not legal."""
        names = ("found", "legal", "legal_count", "masks", "chosen")
        self._launch(check_some, names, ("game", 0, 1), rows=listed)
        found = int(self._stored["found"].read()[0])
        if found != NONE:
            self._stored["found"].write(np.array([NONE]))
            chosen, count = (int(self._stored[name].read()[found]) for name in ("chosen", "legal_count"))
            raise ValueError(
                f"action {chosen} of game {found} is not legal; legal are the first {count} of legal_actions[{found}]"
            )

    @property
    def _kept(self) -> tuple[str, ...]:
        """Return the names of what `save` keeps, in the order of `SavedGames.arrays`."""
        results = [name for name in RESULTS if not self._stored[name].rows.empty]
        return "states", "rng_state", "sampling", *results

    @property
    def _results(self) -> tuple[Any, ...]:
        return tuple(self._stored[name] for name in self._kept[3:])

    def _take(self, actions: Any) -> None:
        """Copy the given actions into `chosen`. Raises ValueError if they have another form."""
        foreign = self._device.foreign(actions)
        form = np.asarray(actions) if foreign is None else foreign
        if form.shape != (self.n,) or not np.issubdtype(form.dtype, np.integer):
            raise ValueError(
                f"actions have shape {tuple(form.shape)} and type {form.dtype}; they must be {self.n} whole numbers"
            )
        if foreign is None:
            self._stored["chosen"].write(np.asarray(actions).astype(np.int64))
            return
        if foreign.strides != (foreign.dtype.itemsize,):
            raise ValueError("actions on the device must lie next to each other; copy them first (`contiguous()`)")
        given = Stored(self._device, threads.DeviceRows("given", foreign.dtype), self.n, foreign)
        self._launch(take_some, ("given", "chosen"), (0, 1), extra=(given,))

    def _viewers_there(self, seat: npt.ArrayLike) -> Stored:
        return self._temporary(
            threads.DeviceRows("viewers", np.dtype(np.int64)), viewers_of(seat, self.compiled, self.n)
        )

    def _listed(self, where: Rows | None, rows: npt.NDArray[np.int64]) -> Stored | None:
        """Return the rows on the device, or None for all."""
        if where is None:
            return None
        return self._temporary(threads.DeviceRows("listed", np.dtype(np.int64)), rows)

    def _temporary(self, rows: threads.DeviceRows, array: npt.NDArray[Any]) -> Stored:
        made = Stored(self._device, rows, len(array))
        made.write(array)
        return made

    def _replace(self, name: str, array: npt.NDArray[Any], where: Rows | None, rows: npt.NDArray[np.int64]) -> None:
        """Put rows in the place of some, or of all if `where` is None."""
        stored = self._stored[name]
        if where is None:
            stored.write(array)
        elif len(rows):
            given = self._temporary(stored.rows, array)
            self._move(stored, By.GAME, given, By.THREAD, self._listed(where, rows))

    def _show(self, listed: Stored | None) -> None:
        """Write observations and masks anew."""
        numbers = {"kind": self._kind, "learner": self._learner}
        self._launch(show_some, ALL, ("kind", "learner", 0, 1), numbers, listed)

    def _move(self, target: Stored, to: By, source: Stored, by: By, listed: Stored | None) -> None:
        """Copy rows from an array into another one of the same form."""
        pair = [
            Stored(self._device, words_of(stored.rows, name, which), stored.n, stored.memory)
            for stored, name, which in ((target, "target", to), (source, "source", by))
        ]
        self._launch(move_row, ("target", "source"), (), rows=listed, extra=pair)

    def _launch(
        self,
        kernel: Callable[..., Any],
        names: Sequence[str],
        order: Sequence[str | int],
        numbers: Mapping[str, int] = NO_NUMBERS,
        rows: Stored | None = None,
        extra: Sequence[Stored] = (),
        choose: Callable[..., Any] | None = None,
        copied: bool = False,
    ) -> None:
        """Run a kernel on the arrays of these names, in all games or in some.

        `order` and `numbers` are the numbers after the arrays. Arrays in `extra` are taken before others of the batch.
        With `copied`, threads work on copies of small rows.
        """
        if rows is not None and not rows.n:
            return
        place = (kernel, choose, copied, *(stored.rows for stored in extra))
        mine = {stored.rows.name: stored for stored in extra}
        arrays = [mine[name] if name in mine else self._stored[name] for name in names]
        if place not in self._launches:
            twin = twin_of(kernel, self._bound | ({"choose": choose} if choose else {}))
            forms = tuple(copied_if_small(stored.rows) if copied else stored.rows for stored in arrays)
            program = Program(twin, forms, tuple(order))
            self._launches[place] = _Launch(program.given, self._device.load(program))
        launch = self._launches[place]
        arguments = [stored.pointer for stored in arrays]
        arguments += [numbers[name] for name in launch.given]
        count = self.n if rows is None else rows.n
        arguments += [0 if rows is None else rows.pointer, count, self.n]
        self._device.launch(launch.loaded, count, arguments)


class _Launch(NamedTuple):
    """A program on the device, with the names of its numbers."""

    given: list[str]
    loaded: Any


def seeded(seeds: Sequence[int], purpose: str) -> npt.NDArray[np.int64]:
    """Return the generators of games, by their seeds: `(games, RNG_WORDS)`."""
    return np.frombuffer(seed_words(seeds, purpose), "<u4").astype(np.int64).reshape(-1, RNG_WORDS)


def device_of(given: object, stream: Any = None) -> Device:
    """Return the device of a name, `"cuda"` or `"cuda:1"`, or the device that is given. Raises OptionError.

    Raises BosquetError if the device cannot be used.
    """
    if not isinstance(given, str):
        return cast(Device, given)
    kind, _, number = given.partition(":")
    if kind != "cuda" or not (number or "0").isdecimal():
        raise OptionError(f'device is {quoted(given)}; it must be "cpu", "cuda", or "cuda:1" for the second GPU')
    from bosquet.env.gpu.cuda import CudaDevice

    return CudaDevice(int(number or 0), stream)
