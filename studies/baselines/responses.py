"""Approximate best responses: a learner that plays against one bot only, and learns from how its games end.

It chooses among the candidates of the search with the best heuristic values. To look ahead, it plays on after each of
them for some turns by the rollout policy, from determinizations; a small network learns what the positions on the way
are worth against this bot.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from bosquet import bots
from bosquet.core.bound import determinize_in_place, sample_chance
from bosquet.core.installed import spec
from bosquet.core.objective import value_of_lead
from bosquet.core.rng import RNG_WORDS, Rng, copy_rng
from bosquet.core.spec import check_options
from bosquet.core.state import CHANCE, NOBODY, Numbers
from bosquet.env.compiled_game import compiled_game
from bosquet.env.game_state import GameState
from bosquet.kernels.jit import bind, kernel
from bosquet.lab.ratings import Estimate, share
from bosquet.learning.network import filled
from bosquet.search import learned_model, learned_weights
from bosquet.search.memory import Tree
from bosquet.search.model import apply_candidate, evaluate, model_kernels, rollout_policy, root_candidates, search_model

CANDIDATES = 8
"""Candidates that the learner chooses among."""
DRAWS = 12
"""Determinizations from which each is looked at."""
TURNS = 4
"""Turns played on: the rest of the own one, the rival's, and so on."""
# The features of a candidate; points and leads are those of `evaluate`, in tens, in the mean over the draws.
BEHIND, DECISION, POINTS, OVER, LEAD, MORE = 0, 1, 2, 3, 4, 4 + TURNS
"""Heuristic value minus the best one, decisions so far, own points after this turn, whether the game is over after the
last one, the lead after each turn, and that lead minus the one of the candidate with the best heuristic value."""
FEATURES = MORE + TURNS
SEATS = 4
"""Room for the points of the seats."""

HIDDEN = 32
PRIOR = 0.2
"""Value, of 1, of ten points that a candidate leads by after the last turn, before anything is learned."""
EXPLORED = 0.15
"""Share of the decisions that are drawn at random while it learns."""
GAMES = 16
"""Games between updates."""
STEPS = 8
"""Steps of an update."""
MINIBATCH = 256
LEARNING_RATE = 3e-3
DECAY = 1e-3
"""Weight decay, towards no correction."""
TRAINING, TEST = 1, 2026
"""Seeds."""

Features = npt.NDArray[np.float64]
"""Features of the candidates of a decision, shape (n, FEATURES)."""
Policy = Callable[[Features], int]


class Response(Struct, frozen=True):
    """What a learner came to."""

    decisions: int
    minutes: float
    """Processor time of learning, without the test."""
    prior: Estimate
    """What the candidate with the best heuristic value wins."""
    ahead: Estimate
    """What the candidate with the greatest lead after the last turn wins: how the learner begins, without weights."""
    wins: Estimate
    weights: list[float]


@kernel
def best_candidates(state: Any, workspace: Any, rng_state: Numbers, found: Numbers, heuristics: Numbers) -> int:
    """Write up to CANDIDATES candidates of the seat to move, the best first, and heuristic values; return how many."""
    listed = root_candidates(state, found, heuristics, workspace, rng_state)
    n = min(listed, CANDIDATES)
    for k in range(n):
        best = k
        for i in range(k + 1, listed):
            if heuristics[i] > heuristics[best]:
                best = i
        candidate = found[best]
        value = heuristics[best]
        found[best] = found[k]
        heuristics[best] = heuristics[k]
        found[k] = candidate
        heuristics[k] = value
    return n


@kernel
def look_ahead(
    states: Any,
    workspaces: Any,
    rng_state: Numbers,
    found: Numbers,
    heuristics: Numbers,
    candidates: Numbers,
    points: Numbers,
    same_rng: Numbers,
    features: Any,
) -> int:
    """Write the best candidates of the seat to move in `states[0]` and their features; return how many.

    What is hidden from the seat is drawn before anything else. All candidates are looked at with the same draws.
    Overwrites all arguments but `states[0]`.
    """
    viewer = states[0].seat
    drawn = states[1]
    state = states[2]
    states[1] = states[0]
    determinize_in_place(drawn, viewer, rng_state)
    n = best_candidates(drawn, workspaces[0], rng_state, found, heuristics)
    for k in range(n):
        candidates[k] = found[k]
        for i in range(FEATURES):
            features[k * FEATURES + i] = 0.0
        features[k * FEATURES + BEHIND] = (heuristics[k] - heuristics[0]) / 1000.0
    if n == 1:
        return 1
    for _ in range(DRAWS):
        states[1] = states[0]
        determinize_in_place(drawn, viewer, rng_state)
        copy_rng(rng_state, same_rng)
        for k in range(n):
            copy_rng(same_rng, rng_state)
            states[2] = states[1]
            apply_candidate(state, candidates[k])
            play_on(state, viewer, workspaces[0], rng_state, found, heuristics, points, features, k * FEATURES)
    for k in range(n):
        for turn in range(TURNS):
            features[k * FEATURES + MORE + turn] = features[k * FEATURES + LEAD + turn] - features[LEAD + turn]
    return n


@kernel
def play_on(
    state: Any,
    viewer: int,
    workspace: Any,
    rng_state: Numbers,
    found: Numbers,
    heuristics: Numbers,
    points: Numbers,
    features: Any,
    at: int,
) -> None:
    """Play TURNS turns by the rollout policy, and add what they come to for a seat to the features from `at` on."""
    for turn in range(TURNS):
        mover = viewer if turn % 2 == 0 else 1 - viewer
        while (state.seat == CHANCE) | (state.seat == mover):
            if state.seat == CHANCE:
                sample_chance(state, rng_state)
            else:
                rollout_policy(state, rng_state, found, heuristics, workspace)
        evaluate(state, points, workspace)
        features[at + LEAD + turn] += (points[viewer] - points[1 - viewer]) / (1000.0 * DRAWS)
        if turn == 0:
            features[at + POINTS] += points[viewer] / (1000.0 * DRAWS)
    if state.seat == NOBODY:
        features[at + OVER] += 1.0 / DRAWS


@kernel
def make_candidate(states: Any, candidate: int, rng_state: Numbers) -> int:
    """Make a candidate in the first state, and the chance events that are due; return the seat to move."""
    apply_candidate(states[0], candidate)
    while states[0].seat == CHANCE:
        sample_chance(states[0], rng_state)
    return int(states[0].seat)


class Played(NamedTuple):
    """A game of a policy against a bot."""

    chosen: list[Features]
    """Features of the candidates that it chose where it had a choice."""
    value: float
    """What the search would have made of the end: winning and the lead, 0 … 1."""
    win: float


class Rival:
    """A bot to play against in a game with two players, and the kernels of its opponent."""

    def __init__(self, game: str, bot: str) -> None:
        self.game, self.bot = game, bot
        self.compiled = compiled_game(game, players=2)
        options = check_options(spec(game), {"players": 2})
        learned = learned_weights.has_weights(game, options)
        model = learned_model.required_model(game) if learned else search_model(game)
        kernels = spec(game).kernels | model_kernels(model)
        self.look_ahead, self.make_candidate = bind(look_ahead, kernels), bind(make_candidate, kernels)
        weights = learned_weights.required_weights(game, options) if learned else {}
        self.workspaces = filled(model.Workspace, weights, jit=True)
        rules, room = spec(game).rules, max(spec(game).rules.MAX_MOVES, model.MAX_CANDIDATES)
        self.states = np.zeros(3, rules.State.dtype)
        self.numbers = [np.zeros(n, np.int64) for n in (room, room, CANDIDATES, SEATS, RNG_WORDS)]
        self.features = np.zeros((CANDIDATES, FEATURES))
        self.objective = Tree()
        search_model(game).default_settings(GameState(self.compiled, TEST).state, self.objective)

    def mover(self) -> Callable[[GameState, Rng], int]:
        """Return what chooses the actions of the bot in one game, as indices."""
        if not bots.is_search(self.bot):
            player = bots.make(self.bot)
            return lambda game, rng: game.parse(player.choose(game.view(game.seat), rng))
        search = bots.state_search_for(self.bot, self.game, self.compiled.options)

        def searched(game: GameState, rng: Rng) -> int:
            state = game.state
            return self.compiled.encoder.index_of(state, search.choose(state, rng))

        return searched

    def play(self, policy: Policy, seat: int, *seed: int) -> Played:
        """Play a game in which a seat is played by a policy. The seed determines the deal and what the bot draws."""
        game, move, rng = GameState(self.compiled, *seed), self.mover(), Rng(*seed, seat)
        rng_state = np.array(Rng(*seed, seat, "look ahead").state, np.int64)
        chosen, decisions = [], 0
        while not game.over:
            if game.seat != seat:
                game.play(move(game, rng))
                continue
            self.states[0] = game.states[0]
            n = self.look_ahead(self.states, self.workspaces, rng_state, *self.numbers, self.features.reshape(-1))
            self.features[:, DECISION] = decisions / 10
            k = policy(self.features[:n]) if n > 1 else 0
            if n > 1:
                chosen.append(self.features[k].copy())
            decisions += 1
            game.seat = self.make_candidate(game.states, self.numbers[2][k], game.rng_state)
        scores, winners = game.scores(), game.winners()
        win = (seat in winners) / len(winners)
        return Played(chosen, value_of_lead(self.objective, 100 * (scores[seat] - scores[1 - seat]), win), win)

    def wins(self, policy: Policy, deals: int) -> Estimate:
        """Return the share of games that a policy wins. Every deal is played from both seats."""
        return share(
            np.array([[self.play(policy, seat, TEST, deal).win for seat in (0, 1)] for deal in range(deals)]).mean(1)
        )


class Learner:
    """Values of candidates: the lead after the last turn, and a correction that is learned."""

    def __init__(self, weights: list[float] | None) -> None:
        """Begin with weights, or without a correction."""
        torch.manual_seed(TRAINING)
        self.rng = np.random.default_rng(TRAINING)
        self.network = nn.Sequential(nn.Linear(FEATURES, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1))
        nn.init.zeros_(self.network[2].weight)
        nn.init.zeros_(self.network[2].bias)
        if weights:
            vector_to_parameters(torch.tensor(weights), self.network.parameters())
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=LEARNING_RATE, weight_decay=DECAY)

    def values(self, features: Tensor) -> Tensor:
        """Return the values, shape (n,), of candidates with features, shape (n, FEATURES)."""
        scaled = features.clone()
        scaled[:, BEHIND] = torch.tanh(scaled[:, BEHIND])
        return PRIOR * features[:, MORE + TURNS - 1] + self.network(scaled)[:, 0]

    def best(self, features: Features) -> int:
        """Return the candidate with the greatest value."""
        with torch.no_grad():
            return int(self.values(torch.tensor(features, dtype=torch.float32)).argmax())

    def explore(self, features: Features) -> int:
        """Return it, or sometimes one at random."""
        return int(self.rng.integers(len(features))) if self.rng.random() < EXPLORED else self.best(features)

    def learn(self, rival: Rival, seed: int, minutes: float) -> tuple[int, float]:
        """Play and learn; return the decisions and the processor time in minutes. `seed` is that of the deals."""
        chosen: list[Features] = []
        ends: list[float] = []
        begun, used, games = time.process_time(), 0.0, 0
        while used < minutes:
            for _ in range(GAMES):
                played = rival.play(self.explore, games % 2, TRAINING, seed, games // 2)
                games += 1
                chosen += played.chosen
                ends += [played.value] * len(played.chosen)
            self.update(torch.tensor(np.array(chosen), dtype=torch.float32), torch.tensor(ends), 1 - used / minutes)
            used = (time.process_time() - begun) / 60
        return len(chosen), used

    def update(self, features: Tensor, ends: Tensor, rate: float) -> None:
        """Fit the values of candidates that were chosen to how their games ended, by so much of the learning rate."""
        self.optimizer.param_groups[0]["lr"] = LEARNING_RATE * (0.1 + 0.9 * rate)
        for _ in range(STEPS):
            some = torch.randint(len(ends), (MINIBATCH,))
            error = (self.values(features[some]) - ends[some]).square().mean()
            self.optimizer.zero_grad()
            error.backward()
            self.optimizer.step()


def best_prior(features: Features) -> int:
    """Return the candidate with the best heuristic value."""
    return 0


def best_lead(features: Features) -> int:
    """Return the candidate with the greatest lead after the last turn."""
    return int(features[:, LEAD + TURNS - 1].argmax())


def response(
    game: str, bot: str, seed: int, minutes: float, deals: int, weights: list[float] | None = None
) -> Response:
    """Train a learner against a bot, from the weights of another one if they are given, and test it."""
    torch.set_num_threads(1)
    rival, learner = Rival(game, bot), Learner(weights)
    rival.play(best_prior, 0, TRAINING)  # compiles
    decisions, spent = learner.learn(rival, seed, minutes)
    return Response(
        decisions,
        spent,
        prior=rival.wins(best_prior, deals),
        ahead=rival.wins(best_lead, deals),
        wins=rival.wins(learner.best, deals),
        weights=parameters_to_vector(learner.network.parameters()).tolist(),
    )
