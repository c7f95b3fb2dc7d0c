"""Policies that learn for some minutes and then play without search: PPO, by self-play or against one bot."""

from __future__ import annotations

import time
from typing import Any

import torch
from msgspec import Struct
from sb3_contrib import MaskablePPO
from torch import Tensor, nn

from bosquet.env.compiled_game import compiled_game
from bosquet.env.sb3 import BatchVecEnv
from bosquet.lab.ratings import Estimate
from examples import train_policy
from examples.maskable_ppo import Clock

GAMES = 64
"""Games that MaskablePPO steps together."""
SEED = 1


class Learned(Struct, frozen=True):
    """What a learner came to."""

    decisions: int
    minutes: float
    """Processor time of learning, without the test."""
    wins: Estimate


class Logits(nn.Module):
    """The policy of a model of Stable-Baselines3 as `train_policy.against` asks for it."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.policy = model.policy

    def forward(self, observations: Tensor) -> tuple[Tensor, None]:
        """Return logits (n, actions) of observations (n, observation_size)."""
        return self.policy.get_distribution(observations).distribution.logits, None


def example(game: str, minutes: float, deals: int, rival: str | None) -> Learned:
    """Run examples/train_policy.py, by self-play or against a rival."""
    given = ["--minutes", str(minutes), "--deals", str(deals), "--threads", "1", "--seed", str(SEED)]
    given += ["--against", rival] if rival else []
    begun = time.process_time()
    decisions, wins = train_policy.main([game, *given])
    return Learned(decisions, (time.process_time() - begun) / 60, wins)


def maskable_ppo(game: str, minutes: float, deals: int, rival: str) -> Learned:
    """Train MaskablePPO from seat 0 against a rival, with the network that the library makes, and play both seats."""
    torch.set_num_threads(1)
    environment = BatchVecEnv(game, GAMES, players=2, opponents=rival, threads=1, seed=SEED)
    model = MaskablePPO(
        "MlpPolicy", environment, n_steps=64, batch_size=1024, n_epochs=4, gamma=1.0, learning_rate=5e-4,
        ent_coef=0.003, policy_kwargs={"net_arch": [512, 256]}, seed=SEED, device="cpu",
    )  # fmt: skip
    begun = time.process_time()
    model.learn(10**12, callback=Clock(minutes))
    spent = (time.process_time() - begun) / 60
    environment.close()
    wins = train_policy.against(rival, Logits(model), compiled_game(game, players=2), deals, SEED)
    return Learned(model.num_timesteps, spent, wins)
