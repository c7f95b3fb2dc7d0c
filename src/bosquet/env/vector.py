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

from bosquet.core.errors import OptionError, quoted
from bosquet.core.extras import extra
from bosquet.core.integers import truth_value
from bosquet.core.rng import fresh_seed

with extra("gymnasium"):
    from gymnasium.spaces import Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
    from gymnasium.vector.utils import batch_space

from bosquet.env.batch import Batch
from bosquet.env.batch_opponents import Opponents, check_opponents, check_vector_options, learner_seat
from bosquet.env.compiled_game import compiled_game
from bosquet.env.spaces import action_space, array_space, check_reset_options, observation_space

Observations = Any
"""A dict of two arrays, or one array; see `BosquetVectorEnv`."""
LEARNER = 0
"""The seat of the learner if none is given."""
MODES = {"same_step": AutoresetMode.SAME_STEP, "next_step": AutoresetMode.NEXT_STEP}
"""When a game that has ended is dealt again, as Gymnasium calls it."""


class BosquetVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """n games that are stepped together.

    Observations are `{"observation": (n, size) uint8, "action_mask": (n, actions) int8}` of the seats to move; without
    `mask` only the first of the two arrays. Rewards (`env.rewards`) are the learner's, shape `(n,)`; with `self_play`
    those of all seats, shape `(n, players)`, since a game ends for all seats in the step of one (`OneReward` gives
    Gymnasium's wrappers those of one seat).

    `infos` has `seats`, the seats to move, shape `(n,)`. If games ended, it also has `rewards`, `scores` and `winners`
    of all seats, shape `(n, players)`, and `final_obs`, the last observation of the seat that has just moved, with a
    mask of zeros; `_rewards`, `_scores`, `_winners` and `_final_obs` say which games ended.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  (Gymnasium's own form)

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: SupportsIndex = LEARNER,
        self_play: bool = False,
        opponents: Opponents | Sequence[Opponents] | None = None,
        reward: str = "win",
        autoreset: str = "same_step",
        mask: bool = True,
        threads: int | None = None,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """Deal the games.

        `seat` is the learner's; `opponents` (`env.batch_opponents`), by default random ones, play the others.
        With `self_play` all seats learn. A game that ends is dealt again in the same step; with `autoreset="next_step"`
        that step returns its last observation, and the next one ignores the action and returns the first of a new game.
        With `copy=False`, every step overwrites and returns the same arrays. Raises OptionError.
        """
        for name, given in (("self_play", self_play), ("copy", copy), ("mask", mask)):
            truth_value(name, given)
        if autoreset not in MODES:
            raise OptionError(f"autoreset is {quoted(autoreset)}; it must be {' or '.join(map(quoted, MODES))}")
        check_vector_options(options)
        compiled = compiled_game(game, **options)
        self._self_play = self_play
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
        self.metadata = {"autoreset_mode": MODES[autoreset]}
        self._waits = autoreset == "next_step"
        self._mask = mask
        self.single_observation_space: Any = (observation_space if mask else array_space)(self.batch.compiled)
        self.single_action_space: Discrete = action_space(self.batch.compiled)
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self.action_space: Any = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._rows = np.arange(num_envs)
        self._over = np.zeros(num_envs, np.bool_)
        """The games whose last observation was returned by the last step, with `next_step`."""

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal all games again. `seed` is one number for all of them, or one for each. Raises OptionError."""
        check_reset_options(options)
        if isinstance(seed, list):
            self.batch.reset(seeds=[fresh_seed() if number is None else number for number in seed])
        else:
            super().reset(seed=seed)
            self.batch.reset(seed)
        self._over[:] = False
        return self._observations(), {"seats": self.batch.seats.copy()}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Apply an action in every game. Raises ValueError if one is not legal; nothing is changed then."""
        batch = self.batch
        acted = batch.seats.copy()
        batch.step(actions, where=~self._over if self._over.any() else None)
        ended = batch.done.copy()
        infos: dict[str, Any] = {"seats": batch.seats.copy()}
        observations = self._observations()
        if ended.any():
            final = self._shown(batch.last[self._rows, acted], np.zeros_like(batch.masks, np.int8))
            found = {"rewards": batch.rewards, "scores": batch.scores, "winners": batch.winners}
            infos |= {name: array.copy() for name, array in found.items()} | {"final_obs": final}
            infos |= {f"_{name}": ended.copy() for name in (*found, "final_obs")}
        if self._waits:
            self._over = ended.copy()
            if ended.any():
                observations = self._with_final(observations, infos["final_obs"], ended)
        rewards = batch.rewards.copy()
        if not self._self_play:
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


class OneReward(VectorWrapper):
    """Gives the rewards of one seat in self-play, shape `(n,)`: what wrappers like `RecordEpisodeStatistics` expect."""

    def __init__(self, env: BosquetVectorEnv, seat: int = LEARNER) -> None:
        """Wrap an environment made with `self_play=True`."""
        super().__init__(env)
        self._seat = seat

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
