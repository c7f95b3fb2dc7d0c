"""The games in OpenSpiel: its own conformance tests, its algorithms, and what a seat may know."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import bosquet
import bosquet.env.openspiel
from bosquet.core import installed
from bosquet.core.spec import check_options
from tests.helpers.cases import CASES, QUICK, case_of_each_size, every_size, every_size_briefly, parameters, walk

MORE = int(os.environ.get("BOSQUET_TEST_GAMES", "1"))
SIZES = case_of_each_size()
EXPLICIT = [case for case in SIZES if CASES[case][1] == check_options(bosquet.spec(CASES[case][0]), {})]
both_chances = pytest.mark.parametrize(
    ("name", "options", "chance"),
    [
        pytest.param(*row.values, chance, id=f"{row.id}-{chance}", marks=row.marks)
        for chance, cases in (("sampled", SIZES), ("explicit", EXPLICIT))
        for row in parameters(cases)
    ],
)
"""Every game with chance sampled, and each once, at its usual table, with chance explicit."""


def load(name: str, options: dict[str, Any], **more: Any) -> Any:
    return pyspiel.load_game(f"bosquet_{name}", options | more)


def at_decisions(game: Any, seed: int, share: float = 1.0) -> Iterator[Any]:
    """The states of a random game in which a seat is to move, or some share of them; and the end."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
            continue
        if rng.random() < share:
            yield state
        state.apply_action(rng.choice(state.legal_actions()))
    yield state


def whole(state: Any) -> tuple[str, list[int], int]:
    """All there is to a state."""
    return str(state), state.history(), state.move_number()


# --- OpenSpiel's own tests ---


@pytest.mark.parametrize(("name", "options"), parameters(QUICK, QUICK[:2]))
def test_its_random_simulation(name: str, options: dict[str, Any]) -> None:
    game = load(name, options, chance="explicit", returns="points")
    pyspiel.random_sim_test(game, num_sims=MORE, serialize=False, verbose=False)


@pytest.mark.parametrize(("name", "options"), parameters(EXPLICIT, ()))
def test_its_random_simulation_where_chance_is_sampled(name: str, options: dict[str, Any]) -> None:
    game = load(name, options, chance="sampled", returns="win")
    pyspiel.random_sim_test(game, num_sims=MORE, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "name", ["topas", *(pytest.param(name, marks=pytest.mark.slow) for name in ("topiary", "schlossgarten"))]
)
def test_its_random_simulation_with_few_deals(name: str) -> None:
    game = load(name, {}, deals=3)
    assert len(game.new_initial_state().chance_outcomes()) == 3
    pyspiel.random_sim_test(game, num_sims=MORE, serialize=True, verbose=False)


API_TEST = r"""
import sys, unittest
import bosquet.env.openspiel
from absl import flags
from open_spiel.integration_tests import api_test

flags.FLAGS([sys.argv[0], r"--test_only_games=bosquet_(?!.*_v\d+$)"])
suite = api_test.load_tests(unittest.TestLoader(), None, None)
result = unittest.TextTestRunner(verbosity=2).run(suite)
print("ran", result.testsRun, "skipped", len(result.skipped), "passed", result.wasSuccessful())
"""


@pytest.mark.slow
def test_its_api_test() -> None:
    """Registered before it is imported, which is when it makes its list of games; its options are read after that.

    Names with a version are other names of the same games.
    """
    done = subprocess.run([sys.executable, "-c", API_TEST], capture_output=True, text=True, timeout=300, check=False)
    names = {f"bosquet_{name}" for name in (*bosquet.GAMES, *installed.variants())}
    assert all(f"EnforceAPIPartialTree_{name}_Test" in done.stderr for name in names), done.stderr[-5000:]
    tests_of_a_game = 5
    assert f"ran {tests_of_a_game * len(names)} skipped 0 passed True" in done.stdout, done.stderr[-5000:]
    assert done.returncode == 0


# --- Names and parameters ---


def test_names_and_parameters() -> None:
    game = pyspiel.load_game("bosquet_topiary(players=2,draft=False)")
    assert game.num_players() == 2
    assert str(game) == "bosquet_topiary(chance=sampled,deals=0,draft=False,players=2,removed=drawn,returns=win)"
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    for name in bosquet.GAMES:
        version = installed.spec(name).encoder.VERSION
        names = set(pyspiel.registered_names())
        assert {f"bosquet_{name}", f"bosquet_{name}_v{version}"} <= names
        assert f"bosquet_{name}_v{version + 1}" not in names
        plain, versioned = (pyspiel.load_game(f"bosquet_{name}{end}") for end in ("", f"_v{version}"))
        assert versioned.get_parameters() == plain.get_parameters()
        assert versioned.new_initial_state().legal_actions() == plain.new_initial_state().legal_actions() != []
    for wrong in ("players=5", "chance=never", "returns=glory", "deals=-1"):
        with pytest.raises(bosquet.BosquetError, match=wrong.split("=")[0]):
            pyspiel.load_game(f"bosquet_topiary({wrong})")
    with pytest.raises(pyspiel.SpielError, match="colour"):
        pyspiel.load_game("bosquet_topiary(colour=green)")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_returns(players: int) -> None:
    """A win is 1, the others share -1; points are counted against the mean of the others."""
    for name in bosquet.GAMES:
        won, ahead = (load(name, {"players": players}, returns=returns) for returns in ("win", "points"))
        for seed in range(3):
            *_, end = at_decisions(won, seed)
            winners, points = end.chance_game.game_state.winners(), end.chance_game.game_state.scores()
            expected = [1 / len(winners) if seat in winners else 0 for seat in range(players)]
            assert end.returns() == pytest.approx([(players * share - 1) / (players - 1) for share in expected])
            *_, same = at_decisions(ahead, seed)
            assert same.chance_game.game_state.scores() == points
            assert same.returns() == pytest.approx([n - (sum(points) - n) / (players - 1) for n in points])


def test_solitaire_returns_points() -> None:
    *_, end = at_decisions(load("topas", {"players": 1}), 1)
    assert end.returns() == [float(point) for point in end.chance_game.game_state.scores()]


# --- The same game ---


@both_chances
def test_random_games_are_the_same_in_bosquet(name: str, options: dict[str, Any], chance: str) -> None:
    """Every legal move and every score, from deals made by chance nodes."""
    count = {"topiary": 20, "topas": 8, "schlossgarten": 1}[name] * MORE
    game = load(name, options, chance=chance)
    for seed in range(count):
        rng = random.Random(seed)
        state = game.new_initial_state()
        other: Any = None
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                assert sum(weight for _, weight in outcomes) == pytest.approx(1)
                state.apply_action(rng.choice(outcomes)[0])
                continue
            now = state.chance_game.game_state.state
            if other is None or other.chance_due:
                other = follow(name, options, now, other)
            assert state.current_player() == other.seat
            legal = state.legal_actions()
            said = [state.action_to_string(action) for action in legal]
            assert sorted(said) == sorted(other.legal())
            if state.move_number() % 10 == 0:
                assert np.flatnonzero(state.legal_actions_mask()).tolist() == legal
            place = rng.randrange(len(legal))
            other.play(said[place])
            state.apply_action(legal[place])
        assert other.over
        assert state.chance_game.game_state.scores() == other.scores
        assert state.chance_game.game_state.winners() == other.winners


def follow(name: str, options: dict[str, Any], now: Any, played: Any) -> Any:
    """The game of bosquet with this deal, or after this shuffle."""
    spec = bosquet.spec(name)
    if played is None:
        return bosquet.core.game.Game(spec, options, now.copy(), deal=spec.notation.write_deal(now))
    played.play(spec.notation.chance_to_notation(now))
    return played


@every_size
def test_a_position_of_bosquet_in_openspiel(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    for played in walk(name, options, 3, 60):
        if len(played.moves) % 20 == 0 or played.over:
            state = game.state_of(played)
            assert state.chance_game.game_state.state == played.state
            assert len(state.history()) == sum(1 for _ in played.plies())
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))


# --- Copies ---


@both_chances
def test_copies_are_exact_and_independent(name: str, options: dict[str, Any], chance: str) -> None:
    """Cloned, copied, pickled or serialized before the deal, in the middle of it, or at a decision."""
    game, rng = load(name, options, chance=chance), random.Random(4)
    state = game.new_initial_state()
    for move in range(120):
        if state.is_terminal():
            break
        if move < 3 or move % 10 == 0:
            before = whole(state)
            copies = [
                state.clone(),
                copy.deepcopy(state),
                pickle.loads(pickle.dumps(state)),
                pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
            ]
            action = rng.choice(state.legal_actions())
            copies.append(state.child(action))
            copies[-1] = copies[0].child(action)
            for twin in copies[:-1]:
                assert whole(twin) == before
                twin.apply_action(action)
                assert whole(twin) == whole(copies[-1])
            assert whole(state) == before
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.slow
def test_a_history_makes_the_state_again() -> None:
    for name, options in CASES[::3]:
        for chance in ("sampled", "explicit"):
            game = load(name, options, chance=chance)
            for state in at_decisions(game, 5, 0.05):
                again = game.new_initial_state()
                for action in state.history():
                    again.apply_action(action)
                assert whole(again) == whole(state)


# --- What a seat may know ---


def known(state: Any, seat: int) -> tuple[str, list[float], str, list[float]]:
    return (
        state.observation_string(seat),
        state.observation_tensor(seat),
        state.information_state_string(seat),
        state.information_state_tensor(seat),
    )


@pytest.mark.slow
@every_size
def test_a_seat_cannot_tell_a_resampled_state(name: str, options: dict[str, Any]) -> None:
    """All that it knows is the same, nothing else is left of the true state, and the game goes on."""
    game, sampler, differed = load(name, options), pyspiel.UniformProbabilitySampler(1, 0.0, 1.0), 0
    for state in at_decisions(game, 6, 0.02 if name == "schlossgarten" else 0.2):
        for seat in range(game.num_players()):
            other = state.resample_from_infostate(seat, sampler)
            differed += str(other) != str(state)
            assert known(other, seat) == known(state, seat)
            assert other.current_player() == state.current_player()
            assert other.history() == []
            assert whole(pickle.loads(pickle.dumps(other))) == whole(other)
            once, more = (game_state.resample_from_infostate(seat, lambda: 0.25) for game_state in (state, other))
            assert once.serialize() == more.serialize()
        if not state.is_terminal():
            assert other.legal_actions()
    assert differed or options["players"] == 1


@every_size_briefly
def test_equal_information_states_have_equal_tensors(name: str, options: dict[str, Any]) -> None:
    """And unequal ones unequal ones: strings and tensors say the same. Both come from observers, too."""
    game = load(name, options)
    kinds = {recall: pyspiel.IIGObservationType(perfect_recall=recall) for recall in (False, True)}
    observers = {recall: game.make_py_observer(kind) for recall, kind in kinds.items()}
    met: dict[bool, dict[str, bytes]] = {False: {}, True: {}}
    for seed in (7, 7, 8):
        for state in at_decisions(game, seed, 0.02 if name == "schlossgarten" else 0.3):
            for seat in range(game.num_players()):
                seen, _, remembered, _ = known(state, seat)
                for recall, text in ((False, seen), (True, remembered)):
                    observer = observers[recall]
                    observer.set_from(state, seat)
                    assert observer.string_from(state, seat) == text
                    tensor = observer.tensor.tobytes()
                    assert met[recall].setdefault(text, tensor) == tensor
    for texts in met.values():
        assert len(set(texts.values())) == len(texts)


def test_the_pieces_of_a_tensor_are_the_encoders() -> None:
    game = load("topiary", {"players": 3, "draft": True})
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    layout = installed.spec("topiary").encoder.layout(game.compiled.options)
    assert list(observer.dict) == ["player", *(part.name for part in layout), "actions", "private"]
    for state in at_decisions(game, 9, 0.2):
        observer.set_from(state, 1)
        seen = state.chance_game.game_state.observation(1)
        for name, part in game.compiled.view_parts(seen).items():
            assert np.array_equal(observer.dict[name], part)
        assert np.array_equal(np.concatenate([piece.ravel() for piece in observer.dict.values()]), observer.tensor)
    assert game.make_py_observer(pyspiel.IIGObservationType(public_info=False, perfect_recall=False)) is None


def test_what_is_kept_in_the_draft_is_told_to_its_seat_only() -> None:
    game = load("topiary", {"players": 2, "draft": True})
    state = next(at_decisions(game, 10))
    kept = state.legal_actions()
    first, second = state.child(kept[0]), state.child(kept[1])
    assert first.information_state_string(1) != second.information_state_string(1)
    told = [[action for action, _ in after.chance_game.observed_decisions(0)] for after in (first, second)]
    assert told == [[bosquet.env.chance_game.HIDDEN]] * 2


@every_size
def test_what_the_others_are_told_is_what_the_rules_tell(name: str, options: dict[str, Any]) -> None:
    encoder = installed.spec(name).encoder
    for played in walk(name, options, 11, 80):
        state, spec = played.state, played.spec
        for move in played.legal()[:3]:
            action = spec.notation.parse(state, move)
            for seat in range(played.players):
                hidden = seat != state.seat and encoder.is_concealed(state, action)
                assert (
                    spec.notation.observed_action(state, action, seat) != spec.notation.to_notation(state, action)
                ) == hidden


# --- Its algorithms ---


@pytest.mark.slow
@every_size
def test_its_ismcts_plays(name: str, options: dict[str, Any]) -> None:
    game, random_state = load(name, options), np.random.RandomState(1)
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, random_state), 2.0, 5, random_state=random_state)
    plies = 4 if name == "schlossgarten" else 10**6
    for state in at_decisions(game, 12, 0.3):
        if not state.is_terminal():
            assert bot.step(state) in state.legal_actions()
            plies -= 1
        if not plies:
            break
