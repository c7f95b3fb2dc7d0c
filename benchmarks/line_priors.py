"""Fits the weights of the priors of lines in Topiary to the visits of searches.

    uv run python -m benchmarks.line_priors

The search with learned values plays games of two and searches some of their positions longer. The weights are those
whose softmax is closest to the visits (multinomial logistic regression).
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from bosquet.core.installed import spec
from bosquet.core.rng import Rng, below
from bosquet.core.spec import check_options
from bosquet.games.topiary import rules, turn_values
from bosquet.games.topiary.learned_inputs import Workspace
from bosquet.kernels.bits import count_bits, members
from bosquet.lab.playout import seats_to_move
from bosquet.search import Search, Settings

QUICK = 60
"""Simulations of the decisions that are only played."""
ONE_IN = 8
"""One of so many choices of a line is searched longer."""
Floats = np.ndarray[Any, np.dtype[np.float64]]


def parts(state: Any, line: int, workspace: Workspace) -> tuple[float, float, float]:
    """Return what a visitor on a line scores at once, face-down tiles in it, and the best change, in points."""
    seat = state.seat
    together = turn_values.seen_together(state, workspace, seat)
    hopes = turn_values.find_hopes(state, workspace, seat, together)
    at_once = turn_values.value_at_once(workspace, line, together, hopes)
    held = turn_values.sizes_of(state.hand[seat])
    down = rules.LINE_MASK[line] & state.down
    change = turn_values.best_change(state, workspace, line, held) if down else 0
    return at_once / 100, float(count_bits(down)), change / 100


def positions(count: int, simulations: int, seed: int) -> list[tuple[Floats, Floats]]:
    """Return for so many positions the parts [line, part] of each candidate, and its share of the visits."""
    game = spec("topiary")
    quick = Search(Settings(simulations=QUICK), learned=True)
    long = Search(Settings(simulations=simulations), learned=True)
    workspace, found = Workspace(), list[tuple[Floats, Floats]]()
    number = 0
    while len(found) < count:
        rng = Rng("priors", seed, number)
        number += 1
        state = rules.new_state(check_options(game, {"players": 2}))
        rules.deal(state, rng.state)
        for seat in seats_to_move(rules, state, rng.state):
            if len(found) == count:
                break
            drawn = state.copy()
            rules.determinize_in_place(drawn, seat, rng.state)
            chosen = state.phase == rules.LINE and below(rng.state, ONE_IN) == 0
            results = (long if chosen else quick).search_from("topiary", drawn, rng).candidates
            visits = np.array([result.visits for result in results], float)
            if chosen and visits.sum():
                for line in members(rules.ALL_LINES):
                    turn_values.look(state, workspace, line)
                turn_values.find_changes(state, workspace)
                rows = np.array([parts(state, result.candidate, workspace) for result in results])
                found.append((rows, visits / visits.sum()))
            at = below(rng.state, max(1, int(visits.sum())))
            index = int(np.searchsorted(np.cumsum(visits), at, side="right")) if visits.sum() else 0
            rules.play(state, results[index].candidate)
    return found


def fitted(samples: list[tuple[Floats, Floats]], chosen: list[int]) -> Floats:
    """Return the weights of the chosen parts, in logits for a point (Adam on the cross entropy)."""
    weights, mean, square = (np.zeros(len(chosen)) for _ in range(3))
    for step in range(1, 1001):
        slope = np.zeros(len(chosen))
        for rows, shares in samples:
            slope += rows[:, chosen].T @ (softmax(rows[:, chosen] @ weights) - shares) / len(samples)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= 0.02 * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    return weights


def softmax(logits: Floats) -> Floats:
    """Return the shares that belong to logits."""
    shares: Floats = np.exp(logits - logits.max())
    return shares / shares.sum()


def main() -> None:
    """Fit with and without the best change, and print the scores of both on a held-out fifth of the positions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    samples = positions(given.positions, given.simulations, given.seed)
    held_out, rest = samples[::5], [sample for i, sample in enumerate(samples) if i % 5]
    for name, chosen in (("at once, face-down tiles", [0, 1]), ("and the best change", [0, 1, 2])):
        weights = fitted(rest, chosen)
        guessed = [softmax(rows[:, chosen] @ weights) for rows, _ in held_out]
        entropy = -np.mean(
            [shares @ np.log(guess + 1e-12) for guess, (_, shares) in zip(guessed, held_out, strict=True)]
        )
        first = np.mean(
            [guess.argmax() == shares.argmax() for guess, (_, shares) in zip(guessed, held_out, strict=True)]
        )
        relative = ", ".join(f"{weight / weights[0]:.2f}" for weight in weights)
        print(f"{name}: weights {relative}; {weights[0]:.2f} logits a point; ", end="")
        print(f"cross entropy {entropy:.2f}, the most visited guessed {100 * first:.0f} %, {len(held_out)} positions")


if __name__ == "__main__":
    main()
