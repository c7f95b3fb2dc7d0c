"""Games of somebody else's package, which nothing in `src` knows, work everywhere.

They lie in `package` with entry points in `bosquet.games`: Matches has no board, no hands and no chance; Tide has all
three; Toll is very long, may be played alone, and its points are often below 0. The package is on the path of processes
started here only, so that the other tests meet our own games alone.
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
    shown = run("-m", "bosquet", "play", "tide", "--bots", "greedy", "--seed", "3", "--first", "me", typed=typed)
    assert "Tide in short" in shown
    assert "┌" in shown, "the board is drawn"
    assert "★" in shown, "the game ends"


@pytest.mark.slow
def test_its_records_are_simulated_replayed_and_scored(run: Run) -> None:
    for players in ("2", "3"):
        file = f"games-{players}.jsonl"
        command = ["simulate", "tide", "--players", players, "--games", "20", "--seed", "1", "--bots", "greedy,random"]
        told = json.loads(run("-m", "bosquet", *command, "--records", file, "--json"))
        assert told
        run("-m", "bosquet", "replay", file)
        trace = run("-m", "bosquet", "replay", file, "--trace")
        assert any(json.loads(line).get("move", "").startswith("tide ") for line in trace.splitlines())
        assert "row" in run("-m", "bosquet", "score", file)


@pytest.mark.slow
def test_its_matches_are_played_on_mirrored_deals(run: Run) -> None:
    found = json.loads(
        run("-m", "bosquet", "arena", "tide", "--bots", "greedy,random", "--games", "40", "--seed", "1", "--json")
    )
    rates = {row["bot"]: row["win_rate"] for row in found["bots"]}
    assert rates["greedy"] > rates["random"]


@pytest.mark.parametrize(
    ("game", "lines"),
    [("matches", ["Left: 21"]), pytest.param("toll", ["Road: ", "-7", "Places: "], marks=pytest.mark.slow)],
)
def test_a_game_without_a_board_is_played_at_the_terminal(run: Run, game: str, lines: list[str]) -> None:
    typed = "1\n" * 400
    shown = run(
        "-m", "bosquet", "play", game, "--players", "2", "--bots", "greedy", "--seed", "3", "--first", "me", typed=typed
    )
    assert all(line in shown for line in [*lines, "★"])
    assert "┌" not in shown


def score_of(run: Run, game: str, bot: str, other: str, games: int, *, jit: bool = True) -> float:
    """The share of the games of two players that a bot wins against another one."""
    command = ["arena", game, "--bots", f"{bot},{other}", "--games", str(games), "--seed", "1", "--workers", "1"]
    found = json.loads(run("-m", "bosquet", *command, "--json", jit=jit))
    return float(next(row["win_rate"] for row in found["bots"] if row["bot"] == bot))


@pytest.mark.slow
def test_the_first_level_beats_random_play(run: Run) -> None:
    assert score_of(run, "matches", "level1", "random", 100, jit=False) > 0.65


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "games", "levels", "step", "margin"),
    [("matches", 100, 4, 0.55, 0.65), ("tide", 200, 2, 0.5, 0.58), ("toll", 24, 2, 0.5, 0.6)],
)
def test_each_level_beats_the_one_below_and_random_play(
    run: Run, game: str, games: int, levels: int, step: float, margin: float
) -> None:
    for level in range(1, levels + 1):
        assert score_of(run, game, f"level{level}", "random", min(games, 100)) > margin
        if level > 1:
            assert score_of(run, game, f"level{level}", f"level{level - 1}", games) > step


@pytest.mark.slow
def test_records_of_a_long_game_with_points_below_0_are_scored_and_analysed(run: Run) -> None:
    command = ["simulate", "toll", "--players", "1", "--games", "1", "--seed", "1", "--bots", "random"]
    told = json.loads(run("-m", "bosquet", *command, "--records", "game.jsonl", "--json"))
    assert told["seats"][0]["min"] < 0
    run("-m", "bosquet", "replay", "game.jsonl")
    assert "paid" in run("-m", "bosquet", "score", "game.jsonl")
    analysis = json.loads(run("-m", "bosquet", "analyse", "game.jsonl", "--simulations", "1", "--json", jit=True))
    assert len(analysis["report"]["decisions"]) > 200


@pytest.mark.slow
def test_its_games_are_analysed(run: Run) -> None:
    game = ["--games", "1", "--seed", "1", "--bots", "greedy", "--records", "game.jsonl"]
    run("-m", "bosquet", "simulate", "tide", *game)
    told = json.loads(run("-m", "bosquet", "analyse", "game.jsonl", "--simulations", "10", "--json"))
    assert told["report"]["decisions"]


@pytest.mark.slow
def test_compiled_searches_play_it(run: Run) -> None:
    run("-c", SEARCHES, jit=True)


@pytest.mark.parametrize(
    "game", ["matches", *(pytest.param(name, marks=pytest.mark.slow) for name in ("tide", "toll"))]
)
def test_the_contract_suite_passes(run: Run, game: str) -> None:
    """All suites that ask nothing of a game but its rules, notation, view and SPEC."""
    suites = ["games", "determinize", "hidden", "move_points", "undo", "fair"]
    files = [f"tests/contract/test_{suite}.py" for suite in suites]
    asked = f"{game} and not layouts"
    files.append("tests/env/test_encoders.py")
    told = run(
        "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", asked, "--everything", *files, folder=ROOT
    )
    assert "failed" not in told
    assert int(told.split(" passed")[0].split()[-1]) >= 20


def test_a_box_is_refused_though_its_rules_take_none(run: Run) -> None:
    run("-c", BOX)


@pytest.mark.slow
def test_environments_play_it(run: Run) -> None:
    run("-c", ENVIRONMENTS)


def test_compiled_batches_play_it(run: Run) -> None:
    run("-c", BATCHES, jit=True)


ENVIRONMENTS = """
import copy, pickle
import gymnasium, pyspiel
from gymnasium.utils.env_checker import check_env
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
    for name, players in (("matches", 4), ("tide", 2), ("toll", 1)):
        for returns in ("win", "points"):
            game = pyspiel.load_game(f"bosquet_{name}(players={players},chance={chance},returns={returns})")
            pyspiel.random_sim_test(game, num_sims=1, serialize=name != "toll", verbose=False)

matches = pyspiel.load_game("bosquet_matches(players=2)")
kind = matches.get_type()
assert kind.chance_mode == kind.ChanceMode.DETERMINISTIC
assert kind.information == kind.Information.PERFECT_INFORMATION
assert matches.new_initial_state().legal_actions() == [0, 1, 2]
toll = pyspiel.load_game("bosquet_toll(players=2,chance=explicit,returns=points)")
assert (toll.min_utility(), toll.max_utility(), toll.max_chance_outcomes()) == (-4480, 4480, 12)

for name in ("matches", "toll"):
    api_test(pettingzoo.env(name, players=2), num_cycles=50)
    env = gymnasium.make(f"bosquet/{name.capitalize()}-v1", players=2, opponents=["random"], reward="points")
    check_env(env.unwrapped, skip_render_check=True)

played = bosquet.new("tide", seed=1)
played.play(played.legal()[0])
for twin in (pickle.loads(pickle.dumps(played)), copy.deepcopy(played)):
    assert (twin.state, twin.record()) == (played.state, played.record())
"""


def test_its_records_are_replayed_by_the_server_where_it_has_no_engine(run: Run) -> None:
    run("-c", REPLAY, folder=ROOT)


REPLAY = """
import tempfile
from pathlib import Path

from starlette.testclient import TestClient

import bosquet
from tests.server.helpers.people import Person, make_app

with tempfile.TemporaryDirectory() as folder, TestClient(make_app(Path(folder))) as client:
    ann = Person(client)
    game = bosquet.new("tide", players=2, seed=1)
    game.play(game.legal()[0])
    answer = ann.post("/api/replay", {"record": game.record(), "viewpoint": "all"}).json()
    assert answer["game"] == "tide", answer
    assert [frame["ply"] for frame in answer["frames"]] == [0, 1]
    assert all(answer["frames"][0]["hands"])
    seat = ann.post("/api/replay", {"record": game.record(), "viewpoint": 0}).json()
    assert seat["frames"][0]["hands"] is None
    wrong = ann.post("/api/replay", {"record": game.record() | {"moves": ["no move"]}})
    assert wrong.status_code == 400
    assert "ply 0" in wrong.json()["message"]
    for with_engine in ("matches", "topas"):
        refused = ann.post("/api/replay", {"record": bosquet.new(with_engine, players=2, seed=1).record()})
        assert refused.status_code == 400
        assert "by its engine" in refused.json()["message"]
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
assert check_batch(bosquet.batch("matches", n=16, players=3, seed=1), 40) > 10
assert check_batch(bosquet.batch("toll", n=4, players=4, seed=1, reward="points"), 1300) >= 4
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


ENGINE = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from bosquet.core import installed
from bosquet.engine.build import FACTS, SOURCES, digest, engine_file
from bosquet.engine.facts import facts_text
from bosquet.kernels.wasm import sections
from bosquet.search import Settings
from tests.engine.helpers.node import check
from tests.engine.helpers.questions import game_of

spec = installed.spec("matches")
found = sections(engine_file(spec).read_bytes())
assert found[SOURCES].decode() == digest(spec), "kernels have changed; run: python -m bosquet.engine matches"
assert found[FACTS] == facts_text(spec), "facts have changed; run: python -m bosquet.engine matches"
games = [game_of("matches", {{"players": n}}, n, search=Settings(simulations=20), looks=0.5) for n in (2, 3, 4)]
check("matches", games)
print(sum(map(len, games)), "questions")
"""
"""Compares the engine of Matches with Python, where the foreign package is installed."""


def test_its_engine_plays_as_python_does(run: Run) -> None:
    assert int(run("-c", ENGINE).split()[0]) > 300


VIEWS = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import bosquet
from bosquet.core import assistance
from bosquet.core.view import limited, to_json
from matches import game as plain

for players in (2, 3, 4):
    game = bosquet.new("matches", players=players, seed=1)
    while True:
        for viewer in [None, *range(players)]:
            view = plain.view(game.state, viewer)
            for level in (assistance.NONE, assistance.AIDS, assistance.PLAIN, assistance.FULL):
                assert game.view_json(viewer, level) == to_json(limited(view, level)), (viewer, level)
        assert to_json(game.score_sheet()) == to_json(plain.sheet(game.state, []))
        if game.over:
            break
        game.play(game.legal()[-1])
"""


def test_its_views_as_text_are_its_typed_views(run: Run) -> None:
    run("-c", VIEWS)
