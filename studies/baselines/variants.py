"""Algorithms of OpenSpiel and levels on the tiny variants, with the exact exploitability of what they play."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyspiel
import torch
from msgspec import Struct
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr
from open_spiel.python.pytorch import deep_cfr, nfsp

import bosquet.env.openspiel
from bosquet.bots import levels
from bosquet.core.rng import Rng
from bosquet.search import Search
from bosquet.search.from_states import StateSearch

DEALS = 2
DRAWS = 64
"""How often a level decides at an information state, with other random numbers each time."""
VARIANTS = ("topas_tiny", "topiary_tiny")
SEED = 1


class Measured(Struct, frozen=True):
    """What an algorithm or a level comes to on a variant."""

    effort: str
    minutes: float
    """Processor time."""
    exploitability: float
    """By how much a best response gains on average over the seats; a win counts 1, a loss -1."""


def uniform(game: Any) -> tuple[str, policy.Policy]:
    """Return the policy that plays at random."""
    return "–", policy.UniformRandomPolicy(game)


def tabular_cfr(game: Any) -> tuple[str, policy.Policy]:
    """Run counterfactual regret minimization."""
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    return "100 iterations", solver.average_policy()


def sampled_cfr(game: Any) -> tuple[str, policy.Policy]:
    """Run counterfactual regret minimization with external sampling."""
    np.random.seed(SEED)  # what OpenSpiel draws from
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(2000):
        solver.iteration()
    return "2,000 iterations", solver.average_policy()


def deep(game: Any) -> tuple[str, policy.Policy]:
    """Run Deep CFR."""
    np.random.seed(SEED)
    solver = deep_cfr.DeepCFRSolver(
        game, policy_network_layers=(64, 64), advantage_network_layers=(64, 64), num_iterations=20, num_traversals=50,
        learning_rate=1e-3, batch_size_advantage=256, batch_size_strategy=256, policy_network_train_steps=1000,
        advantage_network_train_steps=200, seed=SEED,
    )  # fmt: skip
    solver.solve()
    return "20 iterations of 50 traversals", policy.tabular_policy_from_callable(game, solver.action_probabilities)


class NfspPolicy(policy.Policy):
    """The average policies of two agents of NFSP."""

    def __init__(self, environment: Any, agents: list[Any]) -> None:
        super().__init__(environment.game, [0, 1])
        self.agents = agents
        self.size = environment.observation_spec()["info_state"][0]

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Return the chance of each legal action."""
        seat = state.current_player() if player_id is None else player_id
        legal: list[list[int]] = [[], []]
        legal[seat] = state.legal_actions(seat)
        tensors: list[Any] = [None, None]
        tensors[seat] = state.information_state_tensor(seat)
        seen = {"current_player": seat, "info_state": tensors, "legal_actions": legal}
        step = rl_environment.TimeStep(seen, None, None, rl_environment.StepType.MID)
        with self.agents[seat].temp_mode_as(nfsp.MODE.AVERAGE_POLICY):
            chances = self.agents[seat].step(step, is_evaluation=True).probs
        return {action: float(chances[action]) for action in legal[seat]}


def fictitious_play(game: Any) -> tuple[str, policy.Policy]:
    """Run neural fictitious self-play.

    By the defaults of OpenSpiel the best responses would explore in nearly all decisions, so that their mean is random.
    """
    episodes = 50_000
    environment = rl_environment.Environment(game, chance_event_sampler=rl_environment.ChanceEventSampler(seed=SEED))
    size, actions = environment.observation_spec()["info_state"][0], environment.action_spec()["num_actions"]
    agents = [
        nfsp.NFSP(
            seat, state_representation_size=size, num_actions=actions, hidden_layers_sizes=[64],
            reservoir_buffer_capacity=200_000, anticipatory_param=0.1, seed=SEED + seat,
            optimizer_str="adam", sl_learning_rate=0.003, rl_learning_rate=0.003, learn_every=16,
            epsilon_start=0.06, epsilon_end=0.001, epsilon_decay_duration=300_000,
        )
        for seat in (0, 1)
    ]  # fmt: skip
    for _ in range(episodes):
        step = environment.reset()
        while not step.last():
            step = environment.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    return f"{episodes:,} games", policy.tabular_policy_from_callable(
        game, NfspPolicy(environment, agents).action_probabilities
    )


def level(number: int, game: Any) -> tuple[str, policy.Policy]:
    """Ask a level at every information state; it draws what is hidden from all deals, not from those of the game."""
    found = levels.settings(game.compiled.spec.name, number)

    def chances(state: Any) -> dict[int, float]:
        compiled, plain = game.compiled, state.chance_game.game_state.state
        chosen = dict.fromkeys(state.legal_actions(), 0.0)
        for draw in range(DRAWS):
            action = StateSearch(compiled.spec.name, Search(found)).choose(plain, Rng(SEED, number, draw))
            chosen[compiled.encoder.index_of(plain, action)] += 1 / DRAWS
        return chosen

    return f"{DRAWS} draws of each decision", policy.tabular_policy_from_callable(game, chances)


ALGORITHMS: dict[str, Callable[[Any], tuple[str, policy.Policy]]] = {
    "random": uniform,
    "CFR+": tabular_cfr,
    "MCCFR, external sampling": sampled_cfr,
    "Deep CFR": deep,
    "NFSP": fictitious_play,
    **{f"`level{number}`": partial(level, number) for number in range(1, levels.COUNT + 1)},
}


def measured(variant: str, algorithm: str) -> Measured:
    """Run an algorithm on a variant."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    game = pyspiel.load_game(f"{bosquet.env.openspiel.PREFIX}{variant}(deals={DEALS})")
    begun = time.process_time()
    effort, found = ALGORITHMS[algorithm](game)
    minutes = (time.process_time() - begun) / 60
    return Measured(effort, minutes, float(exploitability.exploitability(game, found)))
