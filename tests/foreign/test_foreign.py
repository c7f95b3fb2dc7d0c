"""A game of somebody else's package, which nothing in `src` knows, works everywhere.

The package is `package/tide` with an entry point in `bosquet.games`. It is on the path of processes started here only,
so that the other tests meet our own games alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PACKAGE = Path(__file__).with_name("package")
ROOT = Path(__file__).parents[2]
Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a Python module with the foreign package installed; return what it printed."""
    environment = os.environ | {"PYTHONPATH": str(PACKAGE), "COLUMNS": "100"}

    def run(*arguments: str, typed: str = "", jit: bool = False, folder: Path = tmp_path) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=environment | ({} if jit else {"BOSQUET_JIT": "0"}),
            input=typed,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_it_is_played_at_the_terminal(run: Run) -> None:
    typed = "1\n?\n" + "1\n" * 20
    shown = run("-m", "bosquet", "play", "tide", "--bots", "greedy", "--seed", "3", typed=typed)
    assert "Tide in short" in shown
    assert "┌" in shown, "the board is drawn"
    assert "★" in shown, "the game ends"


@pytest.mark.slow
def test_its_records_are_simulated_replayed_and_scored(run: Run) -> None:
    for players in ("2", "3"):
        command = ["simulate", "tide", "--players", players, "--games", "20", "--seed", "1", "--bots", "greedy,random"]
        told = json.loads(run("-m", "bosquet", *command, "--records", "games.jsonl", "--json"))
        assert told
        run("-m", "bosquet", "replay", "games.jsonl")
        trace = run("-m", "bosquet", "replay", "games.jsonl", "--trace")
        assert any(json.loads(line).get("move", "").startswith("tide ") for line in trace.splitlines())
        assert "row" in run("-m", "bosquet", "score", "games.jsonl")


def test_its_matches_are_played_on_mirrored_deals(run: Run) -> None:
    command = ["arena", "tide", "--bots", "greedy,random", "--games", "40", "--seed", "1", "--workers", "1", "--json"]
    found = json.loads(run("-m", "bosquet", *command))
    rates = {row["bot"]: row["win_rate"] for row in found["bots"]}
    assert rates["greedy"] > rates["random"]


@pytest.mark.slow
def test_the_search_plays_it_better_than_at_random(run: Run) -> None:
    for bot in ("search:50", "level4"):
        command = [
            "-m",
            "bosquet",
            "arena",
            "tide",
            "--bots",
            f"{bot},random",
            "--games",
            "12",
            "--seed",
            "1",
            "--json",
        ]
        rates = {row["bot"]: row["win_rate"] for row in json.loads(run(*command))["bots"]}
        assert rates[bot] > rates["random"]


def test_its_games_are_analysed(run: Run) -> None:
    game = ["--games", "1", "--seed", "1", "--bots", "greedy", "--records", "game.jsonl"]
    run("-m", "bosquet", "simulate", "tide", *game)
    told = json.loads(run("-m", "bosquet", "analyse", "game.jsonl", "--simulations", "10", "--json"))
    assert told["report"]["decisions"]


@pytest.mark.slow
def test_compiled_searches_play_it(run: Run) -> None:
    run("-c", SEARCHES, jit=True)


def test_the_contract_suite_passes(run: Run) -> None:
    """All suites that ask nothing of a game but its rules, notation, view and SPEC."""
    suites = ["games", "determinize", "hidden", "move_points", "undo", "fair"]
    files = [f"tests/contract/test_{suite}.py" for suite in suites]
    told = run(
        "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", "tide", "--everything", *files, folder=ROOT
    )
    assert "failed" not in told
    assert int(told.split(" passed")[0].split()[-1]) >= 20


def test_a_box_is_refused_though_its_rules_take_none(run: Run) -> None:
    run("-c", BOX)


def test_environments_play_it(run: Run) -> None:
    run("-c", ENVIRONMENTS)


def test_compiled_batches_play_it(run: Run) -> None:
    run("-c", BATCHES, jit=True)


ENVIRONMENTS = """
import copy, pickle
import gymnasium, pyspiel
from pettingzoo.test import api_test
import bosquet
import bosquet.env.gymnasium, bosquet.env.openspiel
from bosquet.env import pettingzoo

api_test(pettingzoo.env("tide", players=3), num_cycles=100)
env = gymnasium.make("bosquet/Tide-v1", players=2, opponents=["greedy"])
observation, info = env.reset(seed=1)
ended = False
while not ended:
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, ended, truncated, info = env.step(action)
assert reward in (1, 0, -1)
for chance in ("sampled", "explicit"):
    game = pyspiel.load_game(f"bosquet_tide(players=2,chance={chance})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)

played = bosquet.new("tide", seed=1)
played.play(played.legal()[0])
for twin in (pickle.loads(pickle.dumps(played)), copy.deepcopy(played)):
    assert (twin.state, twin.record()) == (played.state, played.record())
"""

BOX = """
import bosquet

try:
    bosquet.new("tide", box={"tiles": [1, 1, 47]})
except bosquet.OptionError as error:
    assert str(error) == "Tide has no box to choose; leave it out"
else:
    raise AssertionError
"""

SEARCHES = """
import bosquet
from bosquet.search import Search, Settings

view = bosquet.new("tide", players=2, seed=4).view(0)
plain, compiled = (Search(Settings(simulations=50), jit=jit).search(view, bosquet.Rng(4)) for jit in (False, True))
assert plain == compiled
assert plain.simulations == 50
"""

BATCHES = """
import bosquet
from bosquet.env.conformance import check_batch
from bosquet.env.compiled_game import compiled_game
from bosquet.env.game_state import GameState
import os

with_jit = compiled_game("tide", players=2)
assert with_jit.jit == ("BOSQUET_JIT" not in os.environ)
assert check_batch(bosquet.batch("tide", n=16, players=2, seed=1), 40) > 10
states = [GameState(with_jit, 5)]
os.environ["BOSQUET_JIT"] = "0"
states.append(GameState(compiled_game("tide", players=2), 5))
while not states[0].over:
    assert states[0].legal() == states[1].legal()
    for seat in range(2):
        assert states[0].observation(seat).tobytes() == states[1].observation(seat).tobytes()
    for state in states:
        state.play(state.legal()[0])
assert states[0].scores() == states[1].scores()
"""
