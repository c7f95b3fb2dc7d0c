"""Tiny editions: the rules word for word with other constants, exact exploitability, perfect recall."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, external_sampling_mccfr
from open_spiel.python.algorithms.exploitability import exploitability, nash_conv

import bosquet
import bosquet.env.openspiel
from bosquet.env.course import Course, Setting
from bosquet.env.machine import machine
from bosquet.games import editions
from bosquet.games.editions import EDITIONS

every_edition = pytest.mark.parametrize("edition", EDITIONS)


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_an_edition_with_the_constants_of_the_game_is_the_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSQUET_JIT", "0")
    monkeypatch.setitem(EDITIONS, f"{name}_again", (name, {}))
    course = Course(Setting(machine(name)))
    again = Course(Setting(machine(f"{name}_again")))
    chance = bosquet.Chance(1)
    for _ in range(200):
        assert (course.seat, course.due) == (again.seat, again.due)
        if course.due:
            outcome = chance.below(course.due)
            course.choose(outcome)
            again.choose(outcome)
            continue
        assert course.world
        assert again.world
        assert vars(course.world.state) == vars(again.world.state)
        assert course.world.scores() == again.world.scores()
        actions = course.world.legal()
        assert again.world.legal() == actions
        if not actions:
            break
        action = chance.choice(actions)
        course.play(action)
        again.play(action)
        assert course.past == again.past


@every_edition
def test_an_edition_does_not_change_its_game(edition: str) -> None:
    game, constants = EDITIONS[edition]
    made, original = vars(editions.rules(edition)), vars(editions.rules(game))
    for name, value in constants.items():
        assert made[name] == value
        assert original[name] != value
    assert (made["NAME"], original["NAME"]) == (edition, game)


def test_no_table_knows_an_edition() -> None:
    for edition in EDITIONS:
        with pytest.raises(bosquet.OptionError):
            bosquet.new(edition)


@every_edition
@pytest.mark.parametrize("chance", ["sampled", "explicit"])
def test_its_random_simulation(edition: str, chance: str) -> None:
    game = pyspiel.load_game(f"bosquet_{edition}(chance={chance})")
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)


@every_edition
def test_nothing_hidden_is_seen(edition: str) -> None:
    """From what a seat sees of it, other states; to the seat they are the same."""
    world, differed = machine(edition), 0
    for deal in range(30):
        course = Course(Setting(world))
        while course.seat != bosquet.env.machine.NOBODY:
            if course.due:
                course.choose(deal * 7 % course.due)
                continue
            assert course.world
            state = course.world.state
            for seat in range(2):
                other = world.rules.redeal(world.rules.view(state, seat), bosquet.Chance(deal, seat))
                differed += other != state
                twin = course.copy()
                twin.go_on(other)
                assert twin.world
                assert np.array_equal(twin.world.observation(seat), course.world.observation(seat))
            course.play(course.world.legal()[-1])
    assert differed > 30


# --- Algorithms ---


@every_edition
def test_counterfactual_regrets_lead_to_equilibrium(edition: str) -> None:
    """Exploitability, computed exactly, falls far; OpenSpiel's two ways to compute it agree."""
    game = pyspiel.load_game(f"bosquet_{edition}(deals=3,returns=points)")
    solver = cfr.CFRSolver(game)
    uniform = nash_conv(game, policy.UniformRandomPolicy(game))
    assert exploitability(game, policy.UniformRandomPolicy(game)) == pytest.approx(uniform / 2)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert uniform > 5
    assert 0 < nash_conv(game, solver.average_policy()) < uniform / 3


@every_edition
def test_sampled_regrets_lead_there_too(edition: str) -> None:
    game = pyspiel.load_game(f"bosquet_{edition}(deals=3)")
    np.random.seed(1)  # the solver draws from it
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    uniform = nash_conv(game, policy.UniformRandomPolicy(game))
    for _ in range(300):
        solver.iteration()
    assert 0 <= nash_conv(game, solver.average_policy()) < uniform / 2


@every_edition
def test_deals_hide_something(edition: str) -> None:
    """Each of the fixed deals is one that a seat can't tell from the one before."""
    game = pyspiel.load_game(f"bosquet_{edition}(deals=6)")
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


def test_its_api_test_on_all_states() -> None:
    names = list(EDITIONS)
    run = [sys.executable, "-c", FULL_TREE_TEST, *names]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=False)
    assert all(f"EnforceAPIFullTree_{name}_Test" in done.stderr for name in names), done.stderr[-5000:]
    assert f"ran {8 * len(names)} skipped 0 passed True" in done.stdout, done.stderr[-5000:]


CARDS = EDITIONS["topas_tiny"][1]["CARDS"]
TOPIARY = EDITIONS["topiary_tiny"][1] | {"VISITORS": (0, 0, 2)}
LONGER: list[tuple[str, dict[str, Any], dict[str, Any], int]] = [
    ("topas", {"CARDS": CARDS, "HAND": 2, "TURNS": 2}, {"players": 2}, 0),
    ("topas", {"CARDS": CARDS, "HAND": 2, "TURNS": 1, "COLUMNS": 3}, {"players": 1}, 0),
    ("topiary", TOPIARY, {"draft": False}, 12),
    ("topiary", TOPIARY | {"OPTIONS": {"players": (2,), "draft": (True,)}}, {"draft": True}, 12),
]
"""A game, constants, options, fixed deals (0: all there are)."""


@pytest.mark.parametrize(("game", "constants", "options", "deals"), LONGER)
def test_an_information_state_tells_all_that_its_seat_has_seen(
    game: str, constants: dict[str, Any], options: dict[str, Any], deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes to an information state comes there the same way: many deals, two moves at each decision."""
    edition = f"{game}_{'_'.join(map(str, options.values()))}"
    monkeypatch.setenv("BOSQUET_JIT", "0")
    monkeypatch.setitem(EDITIONS, edition, (game, constants))
    came: dict[Any, Any] = {}
    again = 0

    def visit(course: Course, seen: dict[int, tuple[Any, ...]]) -> None:
        nonlocal again
        for outcome in range(course.due):
            twin = course.copy()
            twin.choose(outcome)
            visit(twin, seen)
        if course.seat < 0:
            return
        assert course.world
        sight = course.world.observation(course.seat).tobytes()
        state = (course.seat, sight, tuple(course.told(course.seat)))
        way = seen.get(course.seat, ())
        again += state in came
        assert came.setdefault(state, way) == way
        actions = course.world.legal()
        for action in {actions[0], actions[-1]}:
            twin = course.copy()
            twin.play(action)
            visit(twin, seen | {course.seat: (*way, sight, action)})

    visit(Course(Setting(machine(edition, **options), explicit=True, deals=deals)), {})
    assert again > 1000
