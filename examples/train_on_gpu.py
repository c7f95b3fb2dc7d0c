"""Train a policy by self-play with games, network and learning on a GPU, and play it against the bot `greedy`.

    python examples/train_on_gpu.py                                  # Topiary for two, three minutes
    python examples/train_on_gpu.py --minutes 10 --games 32768 --save topiary.pt
    python examples/train_on_gpu.py --device cpu --games 64 --updates 2    # the same on a processor

Proximal policy optimization, with the networks and the learning of `train_policy.py` beside this file. The games are a
`bosquet.batch` on the GPU. PyTorch reads its arrays where they are, and the actions stay there, too: in the loop
nothing comes to the processor but whether an action was illegal. The reward of a seat is its points minus the
mean of the other seats' points, at the end of the game.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from rich.console import Console
from torch import Tensor, nn
from train_policy import NETWORKS, UNIT, Dense, Rollout, learn, log_softmax

import bosquet
from bosquet.env.batch import Batch

STEPS = 64
"""Number of decisions in each game between two updates."""
MINIBATCH = 16384
LEARNING_RATE = 3e-3
"""Initial learning rate; it decreases linearly to 0."""


class Arrays:
    """The arrays of a batch as tensors, which share its memory: every step overwrites them."""

    def __init__(self, batch: Batch) -> None:
        self.observations: Tensor = torch.from_dlpack(batch.observations)
        self.masks: Tensor = torch.from_dlpack(batch.masks)
        self.seats: Tensor = torch.from_dlpack(batch.seats)
        self.rewards: Tensor = torch.from_dlpack(batch.rewards)
        self.done: Tensor = torch.from_dlpack(batch.done)
        self.winners: Tensor = torch.from_dlpack(batch.winners)


@torch.no_grad()
def play(network: nn.Module, batch: Batch, arrays: Arrays) -> Rollout:
    """Play STEPS decisions in all games, with actions drawn from the policy."""
    moments = []
    for _ in range(STEPS):
        seen, legal, seat = arrays.observations.contiguous().clone(), arrays.masks.clone(), arrays.seats.long()
        logits, value = network(seen)
        log_probs = log_softmax(logits, legal)
        action = log_probs.exp().multinomial(1)[:, 0]
        batch.step(action)
        log_prob = log_probs.gather(1, action[:, None])[:, 0]
        lead = torch.zeros_like(value)  # the points so far are not told; see `train_policy.py`, which uses them
        reward, done = arrays.rewards / UNIT, arrays.done.clone()
        moments.append((seen, legal, seat, action, log_prob, lead, value, reward, done))
    return Rollout(*(torch.stack(parts) for parts in zip(*moments, strict=True)))


@torch.no_grad()
def wins_against_greedy(network: nn.Module, given: argparse.Namespace, games: int) -> float:
    """Return the share of games that the network wins with its most likely actions, as many from each seat."""
    won = 0.0
    for seat in range(given.players):
        batch = bosquet.batch(
            given.game, games, seed=seat, learner=seat, opponents="greedy", players=given.players, device=given.device
        )
        arrays = Arrays(batch)
        waiting = torch.ones_like(arrays.done)
        while waiting.any():
            batch.step(log_softmax(network(arrays.observations)[0], arrays.masks).argmax(1))
            ended = waiting & arrays.done  # the first game of each row counts
            shares = arrays.winners / arrays.winners.sum(1, keepdim=True).clamp(min=1)
            won += float(shares[ended, seat].sum())
            waiting &= ~ended
        batch.close()
    return won / (games * given.players)


class Trained(NamedTuple):
    """What a run came to."""

    decisions: int
    seconds: float
    wins: float


def main(arguments: Sequence[str] | None = None) -> Trained:
    """Train, test and save as the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", default="topiary", choices=("topiary", "topas"))
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1 …, or cpu (cuda)")
    parser.add_argument("--games", type=int, default=16384, help="games played side by side (16384)")
    parser.add_argument("--minutes", type=float, default=3, help="how long to learn (3)")
    parser.add_argument("--updates", type=int, help="learn for so many updates instead")
    parser.add_argument("--deals", type=int, default=2048, help="deals of the test, each from every seat (2048)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="where to keep what the network has learned")
    given = parser.parse_args(arguments)
    console = Console(highlight=False)
    torch.manual_seed(given.seed)
    settings: dict[str, Any] = {"reward": "points", "players": given.players, "device": given.device}
    batch = bosquet.batch(given.game, given.games, seed=given.seed, **settings)
    arrays = Arrays(batch)
    network = NETWORKS.get(given.game, Dense)(batch.compiled).to(given.device)
    optimizer = torch.optim.Adam(network.parameters())
    begin, done, used, said = time.monotonic(), 0, 0.0, 0
    while used < 1:
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - used)
        entropy = learn(network, optimizer, play(network, batch, arrays), MINIBATCH)
        done += 1
        elapsed = (time.monotonic() - begin) / 60
        used = elapsed / given.minutes if given.updates is None else done / given.updates
        if int(used * 10) > said:
            said = int(used * 10)
            wins = wins_against_greedy(network, given, -(-given.deals // 8))
            console.print(
                f"{elapsed:5.2f} minutes  {done * STEPS * given.games / 1e6:7.1f} million decisions  "
                f"entropy {entropy:.2f}  wins against greedy {wins:4.0%}"
            )
    seconds = time.monotonic() - begin
    batch.close()
    wins = wins_against_greedy(network, given, given.deals)
    if given.save:
        torch.save({"game": given.game, "players": given.players, "network": network.state_dict()}, given.save)
    decisions = done * STEPS * given.games
    console.print(
        f"{given.game}: {decisions / 1e6:.1f} million decisions in {seconds / 60:.1f} minutes; wins {wins:.1%} of "
        f"{given.deals * given.players} games against greedy; {1 / given.players:.0%} would be as good",
        soft_wrap=True,
    )
    return Trained(decisions, seconds, wins)


if __name__ == "__main__":
    main()
