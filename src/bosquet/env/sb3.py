"""A batch as a `VecEnv` of Stable-Baselines3, for MaskablePPO of sb3-contrib.

environment = BatchVecEnv(game, 64, players=2)
model = MaskablePPO("MlpPolicy", environment)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from bosquet.core.system.extras import extra

with extra("sb3"):
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv

from bosquet.core.rng import derived_seed, fresh_seed
from bosquet.env.batch.batch import Batch
from bosquet.env.batch.opponents import Opponents, check_vector_options, learner_seat
from bosquet.env.compiled_game import compiled_game
from bosquet.env.spaces import action_space, array_space, check_reset_options

__all__ = ["BatchVecEnv"]


class BatchVecEnv(VecEnv):  # type: ignore[misc]  # it is Any where the library is not installed
    """n games that are stepped together, with one learner each. A game that ends is dealt again in the same step.

    Observations are uint8, shape `(n, observation_size)`, without the mask, which `action_masks` returns: sb3-contrib
    asks for it. The info of a game that ended has `terminal_observation`, `episode` (what `Monitor` would say: return
    `r`, length `l`), and `scores` and `winners` as in `OneSeat`.
    """

    _seeds: list[int]

    def __init__(
        self,
        game: str,
        num_envs: int = 64,
        *,
        seat: SupportsIndex = 0,
        opponents: Opponents | None = None,
        reward: str = "win",
        scale: float = 1.0,
        threads: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        **options: Any,
    ) -> None:
        """Deal the games. `seat` is the learner's, `opponents` are as in `Batch`, rewards are divided by `scale`.

        Raises OptionError.
        """
        check_vector_options(options)
        compiled = compiled_game(game, **options)
        self._seat = learner_seat(seat, compiled.players)
        self.batch: Batch = Batch(
            compiled, num_envs, seed=seed, threads=threads, reward=reward, learner=self._seat,
            opponents=opponents, keep_last=True,
        )  # fmt: skip
        self.scale: float = scale
        self.render_mode: str | None = None
        super().__init__(num_envs, array_space(compiled), action_space(compiled))
        self.seed(fresh_seed() if seed is None else int(seed))
        self._lengths = np.zeros(num_envs, np.int64)
        self._actions: npt.NDArray[Any] = np.zeros(num_envs, np.int64)

    def reset(self) -> npt.NDArray[np.uint8]:
        """Deal all games again; return the observations.

        After `seed(number)`, game i has the seed `number + i`, as in `OneSeat`; the games of later resets follow from
        these seeds, too.
        """
        self.batch.reset(seeds=self._seeds)
        self._seeds = [derived_seed(number, "later") for number in self._seeds]
        self._lengths[:] = 0
        return self.batch.observations.copy()

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Raise OptionError for options of the next reset: those of a game are given when the environment is made."""
        for given in options if isinstance(options, list) else [options]:
            check_reset_options(given)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the actions that `step_wait` applies."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Apply an action in every game. Raises ValueError if one is not legal; nothing is changed then."""
        batch = self.batch
        batch.step(self._actions)
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        rewards = batch.rewards[:, self._seat] / self.scale
        for i in np.flatnonzero(batch.done):
            infos[i] = {
                "terminal_observation": batch.last[i, self._seat].copy(),
                "episode": {"r": float(batch.rewards[i, self._seat]), "l": int(self._lengths[i]), "t": 0.0},
                "scores": batch.scores[i].tolist(),
                "winners": np.flatnonzero(batch.winners[i]).tolist(),
            }
        self._lengths[batch.done] = 0
        return batch.observations.copy(), rewards.astype(np.float32), batch.done.copy(), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool, shape `(n, actions)`."""
        return self.batch.masks.copy()

    def close(self) -> None:
        """Stop the threads of the batch."""
        self.batch.close()

    # --- what VecEnv asks of environments that are objects of their own ---

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute for some of the games: it is the same for all of them."""
        return [getattr(self, attr_name) for _ in self._games(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise NotImplementedError: one game of a batch has no attributes."""
        raise NotImplementedError("the games of a batch have no attributes of their own")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Return what `action_masks` says of some of the games; a batch has no other method of single games."""
        if method_name != "action_masks":
            raise NotImplementedError(f"the games of a batch have no method {method_name}")
        masks = self.action_masks()
        return [masks[i] for i in self._games(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return True for `Monitor`, which could add nothing, and False for other wrappers, for each of some games."""
        return [wrapper_class is Monitor for _ in self._games(indices)]

    def _games(self, indices: Any) -> Sequence[int]:
        return range(self.num_envs) if indices is None else [int(i) for i in np.atleast_1d(indices)]
