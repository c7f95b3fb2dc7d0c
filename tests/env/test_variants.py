"""Tiny variants: the rules word for word with other constants, exact exploitability, perfect recall."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, external_sampling_mccfr
from open_spiel.python.algorithms.exploitability import exploitability, nash_conv

import bosquet
import bosquet.env.openspiel
from bosquet.core import installed
from bosquet.core.variants import make_variant
from bosquet.env import pettingzoo
from bosquet.env.chance_game import ChanceGame, ChanceModel
from bosquet.env.compiled_game import compiled_game
from bosquet.env.gymnasium import environment_id
from bosquet.games.topas.variants import VARIANTS as TOPAS_VARIANTS
from bosquet.games.topiary.variants import VARIANTS as TOPIARY_VARIANTS

CONSTANTS = TOPAS_VARIANTS | TOPIARY_VARIANTS
TINY = [name for name in installed.variants() if name.endswith("_tiny")]
every_variant = pytest.mark.parametrize("variant", installed.variants())
every_tiny_variant = pytest.mark.parametrize("variant", TINY)
"""Those whose states can all be visited in a test."""


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_a_variant_with_the_constants_of_the_game_is_the_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSQUET_JIT", "0")
    again_name = f"{name}_again"
    monkeypatch.setitem(installed.variants(), again_name, make_variant(installed.spec(name), again_name, {}))
    chance_game = ChanceGame(ChanceModel(compiled_game(name)))
    again = ChanceGame(ChanceModel(compiled_game(f"{name}_again")))
    chance = bosquet.Rng(1)
    for _ in range(200):
        assert (chance_game.seat, chance_game.due) == (again.seat, again.due)
        if chance_game.due:
            outcome = chance.below(chance_game.due)
            chance_game.choose(outcome)
            again.choose(outcome)
            continue
        assert chance_game.game_state
        assert again.game_state
        assert vars(chance_game.game_state.state) == vars(again.game_state.state)
        assert chance_game.game_state.scores() == again.game_state.scores()
        actions = chance_game.game_state.legal()
        assert again.game_state.legal() == actions
        if not actions:
            break
        action = chance.choice(actions)
        chance_game.play(action)
        again.play(action)
        assert chance_game.past == again.past


@every_variant
def test_a_variant_does_not_change_its_game(variant: str) -> None:
    game = variant.removesuffix("_tiny").removesuffix("_small")
    constants = CONSTANTS[variant]
    made, original = vars(installed.variants()[variant].rules), vars(installed.spec(game).rules)
    for name, value in constants.items():
        assert made[name] == value
        assert original[name] != value
    assert (made["NAME"], original["NAME"]) == (variant, game)


@every_variant
def test_variants_are_dealt_and_played_but_records_know_none(variant: str) -> None:
    game = bosquet.new(variant, seed=3)
    rng = bosquet.Rng(1)
    while not game.over:
        assert game.seat is not None
        assert game.view(game.seat).game == variant
        game.play(rng.choice(game.legal()))
    assert len(game.winners) >= 1
    with pytest.raises(bosquet.RecordError, match="there is no game"):
        bosquet.load(game.record())
    with pytest.raises(bosquet.OptionError, match="there is no game"):
        bosquet.spec(variant)


def test_a_variant_is_not_drawn_and_not_played_by_every_bot_in_pettingzoo() -> None:
    assert pettingzoo.raw_env("topas_small").metadata["render_modes"] == []
    assert pettingzoo.raw_env("topas").metadata["render_modes"]
    with pytest.raises(bosquet.OptionError, match="topas_tiny is a variant: it is not drawn"):
        pettingzoo.env("topas_tiny", render_mode="ansi")
    for name in ("learned", "learned:100"):
        with pytest.raises(bosquet.OptionError, match=f'topas_small is a variant: "{name}" does not play it'):
            pettingzoo.env("topas_small", opponents={1: name})
    for name in ("level1", "champion", "search:10"):
        pettingzoo.env("topas_small", opponents={1: name})


@every_variant
def test_variants_are_environments_of_gymnasium(variant: str) -> None:
    name = environment_id(variant)
    assert name == f"bosquet/{variant.title().replace('_', '')}-v1"
    environment = gymnasium.make(name)
    for seed in range(3):
        _, info = environment.reset(seed=seed)
        terminated = False
        while not terminated:
            _, _, terminated, _, info = environment.step(int(info["action_mask"].argmax()))
        assert info["scores"]
    for wrong in ({"opponents": ["learned"]}, {"render_mode": "ansi"}):
        with pytest.raises(bosquet.OptionError, match="is a variant"):
            gymnasium.make(name, **wrong)
    gymnasium.make(name, opponents=["champion"])
    assert gymnasium.make(name).unwrapped.metadata["render_modes"] == []
    check_env(gymnasium.make(name, illegal="random").unwrapped)
    batch: Any = gymnasium.make_vec(name, num_envs=3, opponents=["greedy"])
    _, _ = batch.reset(seed=1)
    batch.step(batch.unwrapped.action_masks().argmax(1))
    batch.close()


@every_tiny_variant
def test_greedy_and_the_bots_that_search_play_variants(variant: str) -> None:
    """They play as in their game: better than at random."""
    for name in ("greedy", "level5", "search:20"):
        environment = gymnasium.make(environment_id(variant), opponents=[name], seat="random")
        ahead = 0
        for seed in range(10):
            _, info = environment.reset(seed=seed)
            terminated, rng = False, bosquet.Rng(seed)
            while not terminated:
                action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
                _, _, terminated, _, info = environment.step(action)
            scores = list(info["scores"])
            ahead += scores[1 - info["seat"]] - scores[info["seat"]]
        assert ahead > 0, name
    with bosquet.batch(variant, 4, seed=1, learner=1, opponents="level5") as batch:
        for _ in range(5):
            batch.step(batch.sample())
        assert (batch.seats == 1).all()


@pytest.mark.slow
def test_the_command_that_counts_states_agrees_with_openspiel() -> None:
    from studies.variant_states import count

    found = count("topas_tiny", 3, 300)
    assert found.information_states == 98  # OpenSpiel counts as many, see TOTAL_NUM_STATES below
    assert (found.decisions, found.ends, found.finished) == (98 + 1, 4128, True)


@every_variant
@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_its_random_simulation(variant: str, chance: str) -> None:
    game = pyspiel.load_game(f"bosquet_{variant}(chance={chance})")
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


@every_variant
def test_nothing_hidden_is_seen(variant: str) -> None:
    """From what a seat sees of it, other states; to the seat they are the same."""
    game_state, differed = compiled_game(variant), 0
    for deal in range(30):
        chance_game = ChanceGame(ChanceModel(game_state))
        while chance_game.seat != bosquet.env.compiled_game.NOBODY:
            if chance_game.due:
                chance_game.choose(deal * 7 % chance_game.due)
                continue
            assert chance_game.game_state
            state = chance_game.game_state.state
            for seat in range(2):
                other = game_state.spec.view.determinize(
                    game_state.spec.view.view(state, seat), bosquet.Rng(deal, seat)
                )
                differed += other != state
                twin = chance_game.copy()
                twin.go_on(other)
                assert twin.game_state
                assert np.array_equal(twin.game_state.observation(seat), chance_game.game_state.observation(seat))
            chance_game.play(chance_game.game_state.legal()[-1])
    assert differed > 30


# --- Algorithms ---


@pytest.mark.slow
@every_tiny_variant
def test_counterfactual_regrets_lead_to_equilibrium(variant: str) -> None:
    """Exploitability, computed exactly, falls far; OpenSpiel's two ways to compute it agree."""
    game = pyspiel.load_game(f"bosquet_{variant}(deals=2,returns=points)")
    solver = cfr.CFRSolver(game)
    uniform = nash_conv(game, policy.UniformRandomPolicy(game))
    assert exploitability(game, policy.UniformRandomPolicy(game)) == pytest.approx(uniform / 2)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert uniform > 5
    assert 0 < nash_conv(game, solver.average_policy()) < uniform / 3


@every_tiny_variant
@pytest.mark.slow
def test_sampled_regrets_lead_there_too(variant: str) -> None:
    game = pyspiel.load_game(f"bosquet_{variant}(deals=3)")
    np.random.seed(1)  # the solver draws from it
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    uniform = nash_conv(game, policy.UniformRandomPolicy(game))
    for _ in range(300):
        solver.iteration()
    assert 0 <= nash_conv(game, solver.average_policy()) < uniform / 2


@every_variant
def test_deals_hide_something(variant: str) -> None:
    """Each of the fixed deals is one that a seat can't tell from the one before."""
    game = pyspiel.load_game(f"bosquet_{variant}(deals=6)")
    dealt = [game.new_initial_state().child(deal) for deal in range(6)]
    for number, (before, after) in enumerate(itertools.pairwise(dealt)):
        seat = number % 2
        assert after.information_state_string(seat) == before.information_state_string(seat)
    assert len({str(state) for state in dealt}) > 3


# --- Perfect recall ---

FULL_TREE_TEST = """
import sys, unittest
import bosquet.env.openspiel
from absl import flags
from open_spiel.integration_tests import api_test

names = sys.argv[1:]
api_test._GAMES_FULL_TREE_TRAVERSAL_TESTS[:] = [(name, f"bosquet_{name}(deals=3)") for name in names]
api_test.TOTAL_NUM_STATES.update(topiary_tiny=(1, 2169, 3402), topas_tiny=(1, 99, 4128))
api_test.PERFECT_RECALL_NUM_STATES.update(topiary_tiny=2100, topas_tiny=98)
flags.FLAGS(["api_test", "--test_only_games=bosquet_.*deals"])
suite = api_test.load_tests(unittest.TestLoader(), None, None)
result = unittest.TextTestRunner(verbosity=2).run(suite)
print("ran", result.testsRun, "skipped", len(result.skipped), "passed", result.wasSuccessful())
"""


@pytest.mark.slow
def test_its_api_test_on_all_states() -> None:
    names = TINY
    run = [sys.executable, "-c", FULL_TREE_TEST, *names]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=False)
    assert all(f"EnforceAPIFullTree_{name}_Test" in done.stderr for name in names), done.stderr[-5000:]
    assert f"ran {8 * len(names)} skipped 0 passed True" in done.stdout, done.stderr[-5000:]


CARDS = CONSTANTS["topas_tiny"]["CARDS"]
TOPIARY = CONSTANTS["topiary_tiny"] | {"VISITORS": (0, 0, 2)}
LONGER: list[tuple[str, dict[str, Any], dict[str, Any], int]] = [
    ("topas", {"CARDS": CARDS, "HAND": 2, "TURNS": 2}, {"players": 2}, 0),
    ("topas", {"CARDS": CARDS, "HAND": 2, "TURNS": 1, "COLUMNS": 3}, {"players": 1}, 0),
    ("topiary", TOPIARY, {"draft": False}, 12),
    ("topiary", TOPIARY | {"OPTIONS": {"players": (2,), "draft": (True,)}}, {"draft": True}, 12),
]
"""A game, constants, options, fixed deals (0: all there are)."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "constants", "options", "deals"), LONGER)
def test_an_information_state_tells_all_that_its_seat_has_seen(
    game: str, constants: dict[str, Any], options: dict[str, Any], deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every way to an information state is the same for its seat: many deals, two moves at each decision."""
    variant = f"{game}_{'_'.join(map(str, options.values()))}"
    monkeypatch.setenv("BOSQUET_JIT", "0")
    monkeypatch.setitem(installed.variants(), variant, make_variant(installed.spec(game), variant, constants))
    came: dict[Any, Any] = {}
    again = 0

    def visit(chance_game: ChanceGame, seen: dict[int, tuple[Any, ...]]) -> None:
        nonlocal again
        for outcome in range(chance_game.due):
            twin = chance_game.copy()
            twin.choose(outcome)
            visit(twin, seen)
        if chance_game.seat < 0:
            return
        assert chance_game.game_state
        sight = chance_game.game_state.observation(chance_game.seat).tobytes()
        state = (chance_game.seat, sight, tuple(chance_game.observed_decisions(chance_game.seat)))
        way = seen.get(chance_game.seat, ())
        again += state in came
        assert came.setdefault(state, way) == way
        actions = chance_game.game_state.legal()
        for action in {actions[0], actions[-1]}:
            twin = chance_game.copy()
            twin.play(action)
            visit(twin, seen | {chance_game.seat: (*way, sight, action)})

    visit(ChanceGame(ChanceModel(compiled_game(variant, **options), explicit=True, deals=deals)), {})
    assert again > 1000
