"""A batch as a `gymnasium.vector.VectorEnv`, with one learner per game or with self-play of all seats.

environment = BosquetVectorEnv(game, 4096, players=2)
observations, infos = environment.reset(seed=1)
observations, rewards, ended, cut, infos = environment.step(actions)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bosquet.core.errors import OptionError
from bosquet.core.rng import fresh_seed
from bosquet.env.extras import extra

with extra("gymnasium"):
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

from bosquet.env.batch import Batch
from bosquet.env.compiled_game import compiled_game
from bosquet.env.spaces import action_space, observation_space

Observations = dict[str, npt.NDArray[Any]]
LEARNER = 0
"""The seat of the learner."""


class BosquetVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """n games that are stepped together. A game that ends is dealt again in the same step (`AutoresetMode.SAME_STEP`).

    Observations are `{"observation": (n, size) uint8, "action_mask": (n, actions) int8}` of the seats to move. Rewards
    (`env.rewards`) are the learner's, shape `(n,)`; with `self_play` those of all seats, shape `(n, players)`, since a
    game ends for all seats in the step of one. `infos` has `seats`, the seats to move, shape `(n,)`. If games ended, it
    also has `rewards`, the rewards of all seats, shape `(n, players)`, and `final_obs`, the last observation of the
    seat that has just moved.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  (Gymnasium's own form)

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        self_play: bool = False,
        reward: str = "win",
        threads: int | None = None,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """Deal the games. Without `self_play`, seat 0 is the learner and the others play uniformly at random.

        With `copy=False`, every step overwrites and returns the same arrays. Raises OptionError.
        """
        if type(self_play) is not bool or type(copy) is not bool:
            raise OptionError("self_play and copy are True or False")
        if "opponents" in options:
            raise OptionError(
                'other seats of a batch play at random; for bots call make_vec with vectorization_mode="sync"'
            )
        self._self_play = self_play
        learner = None if self_play else LEARNER
        self.batch: Batch = Batch(
            compiled_game(game, **options), num_envs, threads=threads, reward=reward, learner=learner, keep_last=True
        )
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.batch.compiled)
        self.single_action_space = action_space(self.batch.compiled)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal all games again. `seed` is one number for all of them, or one for each. Raises OptionError."""
        if options:
            raise OptionError("the options of a game are given when the environment is made")
        if isinstance(seed, list):
            self.batch.reset(seeds=[fresh_seed() if number is None else number for number in seed])
        else:
            super().reset(seed=seed)
            self.batch.reset(seed)
        return self._observations(), {"seats": self.batch.seats.copy()}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Apply an action in every game. Raises ValueError if one is not legal; nothing is changed then."""
        batch = self.batch
        acted = batch.seats.copy()
        batch.step(actions)
        ended = batch.done.copy()
        infos: dict[str, Any] = {"seats": batch.seats.copy()}
        if ended.any():
            infos |= {
                "rewards": batch.rewards.copy(),
                "_rewards": ended.copy(),
                "final_obs": {
                    "observation": batch.last[self._rows, acted],
                    "action_mask": np.zeros_like(batch.masks, np.int8),
                },
                "_final_obs": ended.copy(),
            }
        rewards = batch.rewards.copy()
        if not self._self_play:
            rewards = rewards[:, LEARNER]
        return self._observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool, shape `(n, actions)`."""
        return self.batch.masks.copy() if self._copy else self.batch.masks

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the batch's threads."""
        self.batch.close()

    def _observations(self) -> Observations:
        observation, mask = self.batch.observations, self.batch.masks.view(np.int8)
        if self._copy:
            observation, mask = observation.copy(), mask.copy()
        return {"observation": observation, "action_mask": mask}
