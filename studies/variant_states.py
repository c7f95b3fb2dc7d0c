"""Counts information states and histories of decisions in the variants with few deals.

    python -m studies.variant_states [VARIANT …] [--deals 1] [--seconds 300]

It visits every decision of every history through OpenSpiel, and counts OpenSpiel's information states.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple

import pyspiel

import bosquet.env.openspiel as adapter
from bosquet.core import installed


class Count(NamedTuple):
    """The counts of a variant."""

    information_states: int
    decisions: int
    """Histories that end with a decision to be made."""
    ends: int
    """Histories that end with the game."""
    finished: bool
    """Whether all were visited in time."""


def count(variant: str, deals: int, seconds: float) -> Count:
    """Visit all histories of a variant, for some seconds at most."""
    game = pyspiel.load_game(f"{adapter.PREFIX}{variant}(deals={deals})")
    last = game.max_game_length() - 1
    waiting: list[tuple[Any, int]] = [(game.new_initial_state(), -1)]  # states, and the decisions before them
    known, decisions, ends = set(), 0, 0
    latest = time.monotonic() + seconds
    while waiting and time.monotonic() < latest:
        state, before = waiting.pop()
        if state.is_terminal():
            ends += 1
            continue
        if not state.is_chance_node():
            decisions += 1
            known.add(hash(state.information_state_string()))
        actions = state.legal_actions()
        if before == last:  # every action ends the game
            ends += len(actions)
        else:
            waiting += [(state.child(action), before + 1) for action in actions]
    return Count(len(known), decisions, ends, not waiting)


def main() -> None:
    """Count, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300.0, help="for each variant and number of deals")
    parser.add_argument("variants", nargs="*", default=list(installed.variants()))
    given = parser.parse_args()
    print("| variant | deals | information states | decisions | ends |")
    print("|---|---|---|---|---|")
    for variant in given.variants:
        found = count(variant, given.deals, given.seconds)
        more = "" if found.finished else " or more"
        numbers = " | ".join(f"{number:,}{more}" for number in found[:3])
        print(f"| `{variant}` | {given.deals} | {numbers} |", flush=True)


if __name__ == "__main__":
    main()
