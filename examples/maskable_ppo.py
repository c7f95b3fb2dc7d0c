"""Train MaskablePPO of sb3-contrib on Topas alone, and compare it with `greedy` and `random` on new deals.

    uv run --extra sb3 examples/maskable_ppo.py --minutes 10

The reward is the result of the game, its lowest column; the rulebook calls 40 points good and 50 fantastic.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from bosquet.env.sb3 import BatchVecEnv
from bosquet.lab.matches import Match, outcomes

GAMES = 64
"""Games that are stepped together."""
DECISIONS = 28
"""Of every game of Topas alone."""
POINTS = 50.0
"""Rewards are divided by this, so that they are about 1."""


class Clock(BaseCallback):
    """Stops the training after some minutes, and prints the mean of the last results each minute."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.begun = self.said = time.monotonic()
        self.end = self.begun + 60 * minutes

    def _on_step(self) -> bool:
        now = time.monotonic()
        if now > self.said + 60 and self.model.ep_info_buffer:
            self.said = now
            mean = np.mean([episode["r"] for episode in self.model.ep_info_buffer])
            print(f"{(now - self.begun) / 60:.0f} min, {self.num_timesteps} decisions: {mean:.1f} points", flush=True)
        return now < self.end


def played(model: Any, games: int, seed: int) -> list[int]:
    """Return the results of the policy, each decision the likeliest, in games with a seed."""
    environment = BatchVecEnv("topas", games, players=1, seed=seed)
    observations = environment.reset()
    for _ in range(DECISIONS):
        actions, _ = model.predict(observations, action_masks=environment.action_masks(), deterministic=True)
        observations, _, done, infos = environment.step(actions)
    assert done.all()
    environment.close()
    return [info["scores"][0] for info in infos]


def bot(name: str, games: int) -> list[int]:
    """Return the results of a bot."""
    match = Match("topas", {"players": 1}, [name], 1).checked()
    return [outcome.scores[0] for outcome in outcomes(match, games, workers=1, records=False)]


def shown(name: str, points: list[int]) -> None:
    """Print a mean with its 95 % interval."""
    error = 1.96 * float(np.std(points)) / len(points) ** 0.5
    print(f"{name}: {np.mean(points):.1f} ± {error:.1f} points over {len(points)} games")


def main() -> None:
    """Train, then play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--games", type=int, default=500, help="games of the comparison")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    environment = BatchVecEnv("topas", GAMES, players=1, scale=POINTS)
    model = MaskablePPO(
        "MlpPolicy",
        environment,
        n_steps=2 * DECISIONS,
        batch_size=896,
        n_epochs=4,
        gamma=1.0,
        learning_rate=5e-4,
        ent_coef=0.003,
        policy_kwargs={"net_arch": [512, 256]},
        seed=given.seed,
        device="cpu",
    )
    model.learn(10**12, callback=Clock(given.minutes))
    print(f"{model.num_timesteps} decisions")
    shown("MaskablePPO", played(model, given.games, given.seed))
    shown("greedy", bot("greedy", given.games))
    shown("random", bot("random", given.games))


if __name__ == "__main__":
    main()
