"""Train a small policy by self-play, in minutes and on a CPU, and play it against the bot `greedy`.

    python examples/train_policy.py                                          # Topiary for two
    python examples/train_policy.py topas --players 3 --minutes 20 --save topas.pt
    python examples/train_policy.py --against level2                         # learns to beat one bot

Proximal policy optimization (Schulman et al. 2017) in plain PyTorch. One network makes the decisions of all seats in
all games of a `bosquet.batch`; it learns from self-play only, or with `--against` from games with one bot. The reward
of a seat is its points minus the mean of the other seats' points. In Topiary, 7 minutes on one core, or 3.2 million
decisions, were enough to win 69 % of the games (`--minutes 6.8 --threads 1 --seed 3`; the 95 % interval is 65 to 72 %).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.console import Console
from torch import Tensor, nn

import bosquet
from bosquet import bots
from bosquet.core.bound import scores
from bosquet.core.rng import Rng
from bosquet.env.batch import Batch
from bosquet.env.compiled_game import CompiledGame
from bosquet.env.game_state import GameState
from bosquet.games.topiary.rules import CELLS, LINE_CELLS, LINE_MASK, TILES
from bosquet.kernels.jit import kernel
from bosquet.lab.ratings import Estimate, share

UNIT = 10
"""Number of points that give a reward of 1, so that the values of the network are of that order."""
STEPS = 64
"""Number of decisions in each game between two updates."""
EPOCHS = 2
MINIBATCH = 1024
LEARNING_RATE = 5e-3
"""Initial learning rate; it decreases linearly to 0."""
CLIP = 0.2
TRACE = 0.8
"""The λ of generalised advantage estimation: at 0 only the seat's next decision counts, at 1 all later ones."""
ENTROPY_WEIGHT = 0.005
VALUE_WEIGHT = 0.5


class Dense(nn.Module):
    """A fully connected network for any game, on the bytes of the observation."""

    def __init__(self, compiled: CompiledGame, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(compiled.observation_size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.actor, self.critic = nn.Linear(width, compiled.actions), nn.Linear(width, 1)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (n, actions) and values (n,) of observations (n, observation_size)."""
        seen = self.body(torch.log2(1 + observations.float()))
        return self.actor(seen), self.critic(seen)[:, 0]


class Lines(nn.Module):
    """A network for Topiary that applies the same weights to all 48 lines."""

    def __init__(self, compiled: CompiledGame, width: int = 32) -> None:
        super().__init__()
        parts = compiled.layout
        starts = np.cumsum([0] + [part.size for part in parts]).tolist()
        self.parts = {part.name: slice(start, start + part.size) for part, start in zip(parts, starts, strict=False)}
        self.others = [f"visitors {seat}" for seat in range(1, compiled.players)]
        self.board = self.parts["phase"].start
        cells = torch.tensor(LINE_CELLS).where(torch.tensor(LINE_CELLS) >= 0, CELLS)
        through = torch.tensor([[float(line >> cell & 1) for line in LINE_MASK] for cell in range(CELLS)])
        self.register_buffer("cells", cells, persistent=False)  # follows the network to another device
        self.register_buffer("through", through, persistent=False)
        channels = self.board // CELLS
        self.rest = nn.Sequential(nn.Linear(compiled.observation_size - self.board, 2 * width), nn.ReLU())
        self.near = nn.Linear(5 * channels + 2, width)
        self.near_rest = nn.Linear(2 * width, width)
        self.line = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.cell = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.all = nn.Sequential(nn.Linear(4 * width, 256), nn.ReLU())
        self.choose_line, self.take, self.put = nn.Linear(width, 1), nn.Linear(width, 1), nn.Linear(256, 1 + TILES)
        self.critic = nn.Linear(256, 1)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (n, actions) and values (n,) of observations (n, observation_size)."""
        n = len(observations)
        planes = observations[:, : self.board].view(n, -1, CELLS)
        gap = observations[:, self.parts["gap"], None]
        own, others = observations[:, self.parts["visitors 0"]], [observations[:, self.parts[p]] for p in self.others]
        visitors = torch.stack([own, torch.stack(others).amax(0)], 2)
        padded = nn.functional.pad(planes, (0, 1)).transpose(1, 2).contiguous()  # beyond a line's end: an empty cell
        rest = self.rest(torch.log2(1 + observations[:, self.board :].float()))
        near = torch.cat([padded[:, self.cells].flatten(2), visitors], 2).float()
        lines = self.line(self.near(near) + self.near_rest(rest)[:, None])  # (n, lines, width)
        cells = self.cell(self.through @ lines)  # (n, cells, width)
        seen = self.all(torch.cat([lines.mean(1), (cells * gap).sum(1), rest], 1))
        logits = torch.cat([self.choose_line(lines)[..., 0], self.take(cells)[..., 0], self.put(seen)], 1)
        return logits, self.critic(seen)[:, 0]


NETWORKS: dict[str, type[Dense] | type[Lines]] = {"topiary": Lines}
"""Games with a network of their own; the others use `Dense`."""


def log_softmax(logits: Tensor, masks: Tensor) -> Tensor:
    """Return the log-probabilities of the actions; illegal actions have probability 0."""
    return logits.masked_fill(~masks, -1e9).log_softmax(-1)


@kernel
def count_all(states: Any, points: Any) -> None:
    """Write the current score of every seat into `points`, shape (n, players)."""
    for i in range(points.shape[0]):
        scores(states[i], points[i])


class Rollout(NamedTuple):
    """T decisions in each of n games."""

    observations: Tensor  # (T, n, observation_size)
    masks: Tensor  # (T, n, actions)
    seats: Tensor  # (T, n)
    actions: Tensor  # (T, n)
    log_probs: Tensor  # (T, n): log-probability of the action
    leads: Tensor  # (T, n): the reward if the game had ended before the action
    values: Tensor  # (T, n): the network's estimate of the final reward minus this lead
    rewards: Tensor  # (T, n, players), if the action ended the game
    done: Tensor  # (T, n)


def play(network: nn.Module, batches: Sequence[Batch]) -> Rollout:
    """Play STEPS decisions in all games of some batches."""
    parts = [play_batch(network, batch) for batch in batches]
    return Rollout(*(torch.cat(columns, 1) for columns in zip(*parts, strict=True)))


@torch.no_grad()
def play_batch(network: nn.Module, batch: Batch) -> Rollout:
    """Play STEPS decisions in all games of a batch.

    The leads include points that are hidden from the seat. They are used only for learning; the network never sees
    them.
    """
    count = batch.compiled.bound(count_all)
    points = np.zeros_like(batch.scores)
    observations, masks, seats, rewards, done, counted = (
        torch.from_numpy(array)  # shares memory with the batch, which every step overwrites
        for array in (batch.observations, batch.masks, batch.seats, batch.rewards, batch.done, points)
    )
    moments = []
    for _ in range(STEPS):
        seen, legal, seat = observations.clone(), masks.clone(), seats.long()
        count(batch.states, points)
        own = counted.gather(1, seat[:, None])[:, 0]
        lead = (own - (counted.sum(1) - own) / (batch.players - 1)) / UNIT
        logits, value = network(seen)
        log_probs = log_softmax(logits, legal)
        action = log_probs.exp().multinomial(1)
        batch.step(action[:, 0].numpy())
        log_prob = log_probs.gather(1, action)[:, 0]
        moments.append((seen, legal, seat, action[:, 0], log_prob, lead, value, rewards / UNIT, done.clone()))
    return Rollout(*(torch.stack(parts) for parts in zip(*moments, strict=True)))


def advantages(rollout: Rollout) -> tuple[Tensor, Tensor]:
    """Return the advantage of each decision, and whether it is known: float and bool, shape (T, n).

    Uses generalised advantage estimation (Schulman et al. 2016) along the decisions of each seat. The advantage of a
    seat's last decision in an unfinished game is not known; its value is used for the decision before.
    """
    expected = rollout.leads + rollout.values
    advantage, known = torch.zeros_like(expected), torch.zeros_like(rollout.done)
    # Per seat and game: the return from its next decision on, and the advantage of that decision.
    later, later_advantage = torch.zeros_like(rollout.rewards[0]), torch.zeros_like(rollout.rewards[0])
    later_known = torch.zeros_like(later, dtype=torch.bool)
    games = torch.arange(len(later), device=later.device)
    for t in reversed(range(len(expected))):
        ended, own = rollout.done[t], (games, rollout.seats[t])
        later[ended], later_advantage[ended], later_known[ended] = rollout.rewards[t, ended], 0.0, True
        known[t] = later_known[own]
        advantage[t] = known[t] * (later[own] - expected[t] + TRACE * later_advantage[own])
        later[own], later_advantage[own], later_known[own] = expected[t], advantage[t], known.new_tensor(True)
    return advantage, known


def learn(network: nn.Module, optimizer: torch.optim.Optimizer, rollout: Rollout, minibatch: int = MINIBATCH) -> float:
    """Update policy and values from a rollout; return the mean entropy of the policy in nats."""
    advantage, known = advantages(rollout)
    seen, legal, actions, before = (
        part[known] for part in (rollout.observations, rollout.masks, rollout.actions, rollout.log_probs)
    )
    targets, advantage = (rollout.values + advantage)[known], advantage[known]
    advantage = (advantage - advantage.mean()) / advantage.std()
    entropies = []
    for _ in range(EPOCHS):
        for some in torch.split(torch.randperm(len(actions), device=actions.device), minibatch):
            logits, values = network(seen[some])
            log_probs = log_softmax(logits, legal[some])
            ratio = (log_probs.gather(1, actions[some, None])[:, 0] - before[some]).exp()
            gain = torch.minimum(ratio * advantage[some], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[some]).mean()
            error = (values - targets[some]).square().mean()
            entropy = -(log_probs.exp() * log_probs).sum(1).mean()
            optimizer.zero_grad()
            (VALUE_WEIGHT * error - gain - ENTROPY_WEIGHT * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            entropies.append(entropy.detach())
    return torch.stack(entropies).mean().item()


class Seat:
    """One seat of a game, played by the network; a bot plays the other seats."""

    def __init__(self, compiled: CompiledGame, seat: int, bot: str, seed: int, deal: int) -> None:
        self.seat = seat
        self.game_state = GameState(compiled, seed, deal)
        self.others = {other: bots.make(bot) for other in range(compiled.players) if other != seat}
        self.rng = Rng(seed, deal, seat)

    def go_on(self) -> bool:
        """Let the bot move until it is the network's turn; return False if the game ends before."""
        game_state = self.game_state
        while game_state.seat in self.others:
            move = self.others[game_state.seat].choose(game_state.view(game_state.seat), self.rng)
            game_state.play(game_state.parse(move))
        return not game_state.over

    @property
    def win(self) -> float:
        """Return 1 if the network has won, its share if it shares the win, else 0."""
        winners = self.game_state.winners()
        return (self.seat in winners) / len(winners)


@torch.no_grad()
def against(bot: str, network: nn.Module, compiled: CompiledGame, deals: int, seed: int) -> Estimate:
    """Return the share of games that the network wins against a bot with its most likely actions.

    Every deal is played from every seat.
    """
    table = [[Seat(compiled, seat, bot, seed, deal) for seat in range(compiled.players)] for deal in range(deals)]
    running = [seat for seats in table for seat in seats]
    while running := [seat for seat in running if seat.go_on()]:
        observations = torch.from_numpy(np.stack([seat.game_state.observation(seat.seat) for seat in running]))
        masks = torch.from_numpy(np.stack([seat.game_state.mask() for seat in running])).bool()
        actions = log_softmax(network(observations)[0], masks).argmax(1)
        for seat, action in zip(running, actions.tolist(), strict=True):
            seat.game_state.play(action)
    return share(np.array([[seat.win for seat in seats] for seats in table]).mean(1))


def train(network: nn.Module, batches: Sequence[Batch], given: argparse.Namespace, console: Console) -> int:
    """Train for the given minutes or updates, or until Ctrl-C; report progress ten times. Return the decisions made."""
    games, bot = sum(batch.n for batch in batches), given.against or "greedy"
    optimizer = torch.optim.Adam(network.parameters())
    begin = time.monotonic()
    used, done, said = 0.0, 0, 0
    try:
        while used < 1:
            optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - used)
            entropy = learn(network, optimizer, play(network, batches))
            done += 1
            elapsed = (time.monotonic() - begin) / 60
            used = elapsed / given.minutes if given.updates is None else done / given.updates
            if int(used * 10) > said:
                said = int(used * 10)
                wins = against(bot, network, batches[0].compiled, -(-given.deals // 8), seed=0)
                console.print(
                    f"{elapsed:5.1f} minutes  {done * STEPS * games / 1e6:6.2f} million decisions  "
                    f"entropy {entropy:.2f}  wins against {bot} {wins.value:4.0%}"
                )
    except KeyboardInterrupt:
        console.print("stopped; what has been learned so far is tested and kept")
    return done * STEPS * games


def dealt(given: argparse.Namespace) -> list[Batch]:
    """Return the games to learn from: of all seats, or of each seat against a bot in the others."""
    common: dict[str, Any] = {"threads": given.threads, "reward": "points", "players": given.players}
    if given.against is None:
        return [bosquet.batch(given.game, given.batch, seed=given.seed, **common)]
    games = -(-given.batch // given.players)
    return [
        bosquet.batch(given.game, games, seed=given.seed + seat, learner=seat, opponents=given.against, **common)
        for seat in range(given.players)
    ]


class Trained(NamedTuple):
    """What a run came to."""

    decisions: int
    wins: Estimate


def main(arguments: Sequence[str] | None = None) -> Trained:
    """Train, test and save as the arguments say; return the share of wins against the bot, `greedy` or `--against`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", default="topiary", choices=bosquet.GAMES)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--minutes", type=float, default=8, help="how long to learn (8)")
    parser.add_argument(
        "--updates", type=int, help="learn for this number of updates instead: the same network for a seed"
    )
    parser.add_argument("--against", metavar="BOT", help="learn against a bot instead of by self-play, such as level2")
    parser.add_argument("--batch", type=int, default=512, help="games played side by side (512)")
    parser.add_argument("--deals", type=int, default=400, help="deals of the test, each from every seat (400)")
    parser.add_argument("--threads", type=int, help="(one a core); 1 is quickest beside other work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="where to keep what the network has learned")
    given = parser.parse_args(arguments)
    console = Console(highlight=False)
    torch.manual_seed(given.seed)
    if given.threads:
        torch.set_num_threads(given.threads)
    batches = dealt(given)
    compiled = batches[0].compiled
    network = NETWORKS.get(given.game, Dense)(compiled)
    decisions = train(network, batches, given, console)
    for batch in batches:
        batch.close()
    if given.save:
        torch.save({"game": given.game, "players": given.players, "network": network.state_dict()}, given.save)
    bot = given.against or "greedy"
    wins = against(bot, network, compiled, given.deals, seed=given.seed)
    console.print(
        f"{given.game}: wins {wins.value:.1%} of {given.deals * given.players} games against {bot} "
        f"(95 % interval {wins.low:.1%} to {wins.high:.1%}); {1 / given.players:.0%} would be as good as {bot}",
        soft_wrap=True,
    )
    return Trained(decisions, wins)


if __name__ == "__main__":
    main()
