"""A batch as a `gymnasium.vector.VectorEnv`, with one learner per game or with self-play of all seats.

environment = BosquetVectorEnv(game, 4096, players=2)
observations, infos = environment.reset(seed=1)
observations, rewards, ended, cut, infos = environment.step(actions)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from bosquet.core.errors import OptionError, listed, quoted
from bosquet.core.inputs.integers import checked_seed, truth_value
from bosquet.core.rng import SEED_LIMIT, derived_seed, fresh_seed
from bosquet.core.system.extras import extra

with extra("gymnasium"):
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
    from gymnasium.vector.utils import batch_space

from bosquet.env.batch.batch import Batch
from bosquet.env.batch.given import seeds_of
from bosquet.env.batch.opponents import Opponents, check_opponents, check_vector_options, learner_seat
from bosquet.env.compiled_game import compiled_game
from bosquet.env.spaces import action_space, array_space, check_reset_options, observation_space

Observations = Any
"""A dict of two arrays, or one array; see `BosquetVectorEnv`."""
LEARNER = 0
"""The seat of the learner if none is given."""
RESET_MASK = "reset_mask"
"""The option of a reset that names games, as in Gymnasium."""


class BosquetVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """n games that are stepped together.

    Observations are `{"observation": (n, size) uint8, "action_mask": (n, actions) int8}` of the seats to move; without
    `mask` only the first of the two arrays. Rewards (`env.rewards`) are the learner's, shape `(n,)`; with `self_play`
    those of all seats, shape `(n, players)`, since a game ends for all seats in the step of one (`OneReward` gives
    Gymnasium's wrappers those of one seat).

    `infos` has `seats`, the seats to move, shape `(n,)`. If games ended, it also has `rewards`, `scores` and `winners`
    of all seats, shape `(n, players)`; `_rewards`, `_scores` and `_winners` say which games ended. What the seat that
    has just moved sees at the end is the observation, with a mask of zeros. In the mode `SAME_STEP`, where the
    observation is the first of the next game, it is in `infos["final_obs"]`, an array of n objects, and the results are
    in `infos["final_info"]`.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  (Gymnasium's own form)

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: SupportsIndex = LEARNER,
        self_play: bool = False,
        opponents: Opponents | Sequence[Opponents] | None = None,
        reward: str = "win",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        mask: bool = True,
        threads: int | None = None,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """Deal the games.

        `seat` is the learner's; `opponents` (`env.batch.opponents`), by default random ones, play the others.
        With `self_play` all seats learn. `autoreset_mode` says when a game that has ended is dealt again: in the next
        step, which ignores its action; with `SAME_STEP` in the step that ends it; with `DISABLED` by `reset` only.
        With `copy=False`, every step overwrites and returns the same arrays. Raises OptionError.
        """
        for name, given in (("self_play", self_play), ("copy", copy), ("mask", mask)):
            truth_value(name, given)
        try:
            self._mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = listed([mode.value for mode in AutoresetMode])
            raise OptionError(f"autoreset_mode is {quoted(autoreset_mode)}; it must be one of {known}") from None
        check_vector_options(options)
        compiled = compiled_game(game, **options)
        self.self_play: bool = self_play
        self._seat = learner_seat(seat, compiled.players)
        if self_play and self._seat != LEARNER:
            raise OptionError("seat is that of the learner; in self-play all seats learn, so leave it out")
        self.batch: Batch = Batch(
            compiled,
            num_envs,
            threads=threads,
            reward=reward,
            learner=None if self_play else self._seat,
            opponents=_same(opponents, compiled.players),
            keep_last=True,
        )
        self.num_envs: int = num_envs
        self.metadata = {"autoreset_mode": self._mode}
        self._mask = mask
        self.single_observation_space: Any = (observation_space if mask else array_space)(self.batch.compiled)
        self.single_action_space: Discrete = action_space(self.batch.compiled)
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self.action_space: Any = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._rows = np.arange(num_envs)
        self._every = np.ones(num_envs, np.bool_)
        self._over = np.zeros(num_envs, np.bool_)
        """The games that have ended and wait to be dealt again."""

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal games again. `seed` has a number for each of them, or is that of the first; game i then has `seed + i`.

        It determines the games of all later resets without a seed, too. With `options={"reset_mask": …}`, a bool for
        each game, the others stay as they are. Raises OptionError for other seeds, and for other options, which are
        given when the environment is made.
        """
        given = dict(options or {})
        where = _checked_mask(given.pop(RESET_MASK), self.num_envs) if RESET_MASK in given else self._every
        check_reset_options(given)
        numbers = self._seeds(seed)
        self.batch.reset(where=None if where.all() else where, seeds=[numbers[i] for i in np.flatnonzero(where)])
        self._over[where] = False
        return self._observations(), {"seats": self.batch.seats.copy()}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Apply an action in every game. Raises ValueError if one is not legal; nothing is changed then.

        In the mode `DISABLED`, raises ResetNeeded if a game is over.
        """
        batch = self.batch
        if self._mode == AutoresetMode.DISABLED and self._over.any():
            raise ResetNeeded(
                f"game {int(self._over.argmax())} is over; deal it again by reset(options={{{quoted(RESET_MASK)}: …}})"
            )
        acted = batch.seats.copy()
        batch.step(actions, where=~self._over if self._over.any() else None)
        ended = batch.done.copy()
        infos: dict[str, Any] = {"seats": batch.seats.copy()}
        observations = self._observations()
        if ended.any():
            final = self._shown(batch.last[self._rows, acted], np.zeros_like(batch.masks, np.int8))
            found = {"rewards": batch.rewards, "scores": batch.scores, "winners": batch.winners}
            results: dict[str, Any] = {name: array.copy() for name, array in found.items()}
            results |= {f"_{name}": ended.copy() for name in found}
            if self._mode == AutoresetMode.SAME_STEP:
                infos |= {"final_obs": _separate(final, ended), "_final_obs": ended.copy()}
                infos |= {"final_info": results, "_final_info": ended.copy()}
            else:
                infos |= results
                observations = self._with_final(observations, final, ended)
        if self._mode != AutoresetMode.SAME_STEP:
            self._over = ended.copy()
        rewards = batch.rewards.copy()
        if not self.self_play:
            rewards = rewards[:, self._seat]
        return observations, rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool, shape `(n, actions)`; none in a game that waits to be dealt again."""
        if self._over.any():
            return self.batch.masks & ~self._over[:, None]
        return self.batch.masks.copy() if self._copy else self.batch.masks

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the batch's threads."""
        self.batch.close()

    def _seeds(self, seed: int | list[int | None] | None) -> list[int]:
        """Return the seed of each game, and seed the generator of later ones. Raises OptionError."""
        if seed is None:
            return [int(number) for number in self.np_random.integers(SEED_LIMIT, size=self.num_envs)]
        if isinstance(seed, list):
            given = [fresh_seed() if number is None else number for number in seed]
        else:
            given = [checked_seed(seed) + i for i in range(self.num_envs)]
        numbers = seeds_of(given, self.num_envs)
        super().reset(seed=derived_seed(*numbers))
        return numbers

    def _observations(self) -> Observations:
        observation, mask = self.batch.observations, self.batch.masks.view(np.int8)
        if self._copy:
            return self._shown(observation.copy(), mask.copy() if self._mask else mask)
        return self._shown(observation, mask)

    def _shown(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8]) -> Observations:
        return {"observation": observation, "action_mask": mask} if self._mask else observation

    def _with_final(self, observations: Any, final: Any, ended: npt.NDArray[np.bool_]) -> Observations:
        """Return observations with the last ones of the games that ended in their place, as new arrays."""
        if not self._mask:
            return np.where(ended[:, None], final, observations)
        return {name: np.where(ended[:, None], final[name], array) for name, array in observations.items()}


def _separate(observations: Any, ended: npt.NDArray[np.bool_]) -> npt.NDArray[np.object_]:
    """Return the observation of each game that has ended, None for the others, as Gymnasium does: n objects."""
    found = np.full(len(ended), None, object)
    for i in np.flatnonzero(ended):
        named = isinstance(observations, dict)
        found[i] = {name: array[i] for name, array in observations.items()} if named else observations[i]
    return found


def _checked_mask(given: object, n: int) -> npt.NDArray[np.bool_]:
    """Return which games are dealt again. Raises OptionError."""
    if not isinstance(given, np.ndarray) or given.dtype != np.bool_ or given.shape != (n,) or not given.any():
        raise OptionError(f"{RESET_MASK} must be an array with a bool for each of the {n} games, one of them True")
    return given


class OneReward(VectorWrapper):
    """Gives the rewards of one seat in self-play, shape `(n,)`: what wrappers like `RecordEpisodeStatistics` expect."""

    def __init__(self, env: BosquetVectorEnv, seat: int = LEARNER) -> None:
        """Wrap an environment made with `self_play=True`. Raises OptionError for another one, and for no seat of it."""
        super().__init__(env)
        if not env.self_play:
            raise OptionError("the environment gives the rewards of one seat already; make it with self_play=True")
        self._seat = learner_seat(seat, env.batch.compiled.players)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Step; all rewards are in `infos["rewards"]` where games ended."""
        observations, rewards, ended, cut, infos = self.env.step(actions)
        return observations, rewards[:, self._seat], ended, cut, infos


def _same(opponents: Opponents | Sequence[Opponents] | None, players: int) -> Opponents | None:
    """Return the opponents of a batch: a list must name the same for all seats. Raises OptionError."""
    if opponents is None or isinstance(opponents, str) or callable(opponents):
        return opponents
    if isinstance(opponents, list | tuple):
        check_opponents(opponents, players)
    if isinstance(opponents, Sequence) and all(given == opponents[0] for given in opponents):
        return opponents[0] if opponents else None
    raise OptionError(
        "the other seats of a batch have the same opponents; for different ones call make_vec with "
        'vectorization_mode="sync"'
    )
