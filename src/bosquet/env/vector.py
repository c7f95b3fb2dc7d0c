"""A batch as a `gymnasium.vector.VectorEnv`: many games of one learner, or of many seats that learn together.

environment = BosquetVectorEnv("topas", 4096, players=1)
observations, infos = environment.reset(seed=1)
observations, rewards, ended, cut, infos = environment.step(actions)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bosquet.core.errors import OptionError
from bosquet.env.extras import extra

with extra("gymnasium"):
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

from bosquet.env.batch import Batch
from bosquet.env.machine import machine
from bosquet.env.spaces import action_space, observation_space

Observations = dict[str, npt.NDArray[Any]]


class BosquetVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """n games side by side. A game that ends is dealt anew in the same step (`AutoresetMode.SAME_STEP`).

    Observations are `{"observation": (n, size) uint8, "action_mask": (n, actions) int8}`, those of the seat to move.
    Rewards (`env.rewards`) are the learner's; with `self_play` those of the seat that has just made its decision.
    `infos` has `seats`, shape `(n,)`: whose decision comes next; where games ended `rewards`, shape `(n, players)`,
    those of all seats, and `final_obs`, what the learner saw at the end.
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
        """Deal the games. Without `self_play` seat 0 learns and the others play uniformly at random.

        With `copy=False` every step gives the same arrays, written anew. Raises OptionError.
        """
        if type(self_play) is not bool or type(copy) is not bool:
            raise OptionError("self_play and copy are True or False")
        if "opponents" in options:
            raise OptionError(
                'in a batch the others play at random; for bots make_vec takes vectorization_mode="sync" as well'
            )
        learner = None if self_play else 0
        self.batch = Batch(
            machine(game, **options), num_envs, threads=threads, reward=reward, learner=learner, keep_last=True
        )
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.batch.machine)
        self.single_action_space = action_space(self.batch.machine)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal all games anew. One seed is for all of them; a list of seeds is not taken, and no options are."""
        if isinstance(seed, list):
            raise OptionError("one seed gives all games their own; a list of seeds is not taken")
        if options:
            raise OptionError("the options of a game are given when the environment is made")
        super().reset(seed=seed)
        self.batch.reset(seed)
        return self._observations(), {"seats": self.batch.seats.copy()}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Make an action in every game. Raises ValueError, and leaves everything as it was, if one is not legal."""
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
        rewards = batch.rewards[self._rows, acted]
        return self._observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal: shape `(n, actions)`."""
        return self.batch.masks.copy() if self._copy else self.batch.masks

    def close_extras(self, **kwargs: Any) -> None:
        """End the batch's threads."""
        self.batch.close()

    def _observations(self) -> Observations:
        observation, mask = self.batch.observations, self.batch.masks.view(np.int8)
        if self._copy:
            observation, mask = observation.copy(), mask.copy()
        return {"observation": observation, "action_mask": mask}
