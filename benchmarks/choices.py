"""Measures what the choices of searches lose in Topas with two players, judged by rollouts.

    uv run python -m benchmarks.choices --bots search:1000 learned:1000 learned:1000:scale=800 [--expert]

Positions come from games of the rollout policy, some of whose first decisions are drawn at random. In each position the
rollout policy plays out all candidates of the search from the same determinizations, which reduces the noise of their
differences. The loss of a bot is the mean lead of the best candidate minus that of its choice. Noise inflates the best
candidate, so every bot shows some loss; losses of bots are comparable, since the positions are the same. The other bots
are compared with the first one.
"""

from __future__ import annotations

import argparse
import math
import statistics
from typing import Any, NamedTuple

import numpy as np

from bosquet import bots
from bosquet.core.bound import deal, determinize_in_place
from bosquet.core.installed import spec
from bosquet.core.rng import RNG_WORDS, Rng, below, copy_rng, seed_rng
from bosquet.core.spec import check_options
from bosquet.core.state import NOBODY, Numbers
from bosquet.games.topas.rules import MAX_MOVES, TURNS, State, new_state
from bosquet.games.topas.search import MAX_CANDIDATES, Workspace
from bosquet.kernels.jit import bind, kernel
from bosquet.search import Search
from bosquet.search.model import apply_candidate, candidates, model_kernels, rollout_policy, search_model

GAME = "topas"
EXPLORED = 30
"""Percentage of the decisions of the opening that are drawn at random."""
POSITION, WORK, DRAWN = range(3)
"""Indices in `states`."""


@kernel
def play_opening(
    states: Any, workspaces: Any, rng_state: Numbers, found: Numbers, heuristics: Numbers, decisions: int
) -> None:
    """Deal, and play a number of decisions. Mutates `states[POSITION]`, advances `rng_state`, overwrites the others."""
    state = states[POSITION]
    deal(state, rng_state)
    for _ in range(decisions):
        if below(rng_state, 100) < EXPLORED:
            n = candidates(state, found, heuristics, workspaces[0], rng_state)
            apply_candidate(state, found[below(rng_state, n)])
        else:
            rollout_policy(state, rng_state, found, heuristics, workspaces[0])


@kernel
def judge(
    states: Any,
    workspaces: Any,
    rng_state: Numbers,
    found: Numbers,
    heuristics: Numbers,
    listed: Numbers,
    leads: Numbers,
    same_rng: Numbers,
    rollouts: int,
) -> int:
    """Write the candidates of `states[POSITION]` and the sums of their leads; return how many. Overwrites the rest."""
    seat = states[POSITION].seat
    state = states[WORK]
    drawn = states[DRAWN]
    n = candidates(states[POSITION], listed, heuristics, workspaces[0], rng_state)
    for k in range(n):
        leads[k] = 0
    for _ in range(rollouts):
        states[DRAWN] = states[POSITION]
        determinize_in_place(drawn, seat, rng_state)
        copy_rng(rng_state, same_rng)
        for k in range(n):
            copy_rng(same_rng, rng_state)
            states[WORK] = states[DRAWN]
            apply_candidate(state, listed[k])
            while state.seat != NOBODY:
                rollout_policy(state, rng_state, found, heuristics, workspaces[0])
            leads[k] += state.points[seat] - state.points[1 - seat]
    return n


class Judged(NamedTuple):
    """A position and the results of its candidates."""

    state: State
    leads: dict[int, float]
    """Mean lead at the end of the game after each candidate."""


def judged_positions(count: int, rollouts: int, expert: bool, seed: int) -> list[Judged]:
    """Return positions with the results of their candidates."""
    kernels = spec(GAME).kernels | model_kernels(search_model(GAME))
    opening, judging = bind(play_opening, kernels), bind(judge, kernels)
    states, workspaces = np.zeros(3, State.dtype), np.zeros(1, Workspace.dtype)
    found, heuristics, listed = (np.zeros(MAX_MOVES, np.int64) for _ in range(3))
    leads, same_rng = np.zeros(MAX_CANDIDATES, np.int64), np.zeros(RNG_WORDS, np.int64)
    rng_state = np.array(seed_rng(seed), np.int64)
    empty = new_state(check_options(spec(GAME), {"players": 2, "expert": expert})).pack()[0]
    memory = (states, workspaces, rng_state, found, heuristics)
    positions = []
    for number in range(count):
        states[POSITION] = empty
        opening(*memory, number % (2 * TURNS - 1))  # the last placement is solved
        n = judging(*memory, listed, leads, same_rng, rollouts)
        state = State.unpack(states[POSITION : POSITION + 1])
        positions.append(Judged(state, {int(listed[k]): leads[k] / rollouts for k in range(n)}))
    return positions


def losses(bot: str, positions: list[Judged]) -> list[float]:
    """Return what a bot loses in each position."""
    search = bots.player_for(bot, GAME, {"players": 2, "expert": positions[0].state.expert})
    assert isinstance(search, Search)
    found = []
    for number, (state, leads) in enumerate(positions):
        chosen = search.search_from(GAME, state, Rng(number)).candidates[0].candidate
        found.append(max(leads.values()) - leads[chosen])
    return found


def mean(numbers: list[float]) -> str:
    """Return a mean with its 95 % interval."""
    spread = 1.96 * statistics.stdev(numbers) / math.sqrt(len(numbers))
    return f"{statistics.mean(numbers):.3f} ± {spread:.3f}"


def main() -> None:
    """Print what each bot loses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", nargs="+", required=True, metavar="BOT")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--rollouts", type=int, default=400)
    parser.add_argument("--expert", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    positions = judged_positions(given.positions, given.rollouts, given.expert, given.seed)
    first: list[float] = []
    print("| bot | loses a decision, points | less than the first |")
    print("|---|---|---|")
    for bot in given.bots:
        lost = losses(bot, positions)
        first = first or lost
        print(f"| `{bot}` | {mean(lost)} | {mean([a - b for a, b in zip(first, lost, strict=True)])} |", flush=True)


if __name__ == "__main__":
    main()
