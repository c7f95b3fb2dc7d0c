"""PettingZoo: its own suite, and that what is played through it is the game."""

from __future__ import annotations

import copy
import doctest
import importlib
import pickle
import random
import re
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import bosquet
from bosquet.core import installed
from bosquet.core.rng import seed_rng
from bosquet.core.system.extras import remedy
from bosquet.env import pettingzoo
from bosquet.env.rewards import rewards
from tests.env.helpers.scribe import GAMES, Scribe, chosen, legal_by_rules
from tests.helpers.cases import QUICK, every_size, every_size_briefly, parameters

each_game = pytest.mark.parametrize("name", bosquet.GAMES)

# The suite says these of every environment with a mask in its observation, but for seven classic games that it knows
# by name (`env_obs_space` and `env_obs_dicts` in pettingzoo/test/api_test.py).
knows_no_others = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]


class TestSuite:
    pytestmark = knows_no_others

    @every_size_briefly
    def test_api(self, name: str, options: dict[str, Any]) -> None:
        api_test(pettingzoo.env(name, **options), num_cycles=10**6)
        api_test(pettingzoo.raw_env(name, reward="points", **options), num_cycles=10**6)

    @every_size_briefly
    def test_seed(self, name: str, options: dict[str, Any]) -> None:
        seed_test(lambda: pettingzoo.env(name, **options))

    @every_size_briefly
    def test_render(self, name: str, options: dict[str, Any]) -> None:
        render_test(lambda render_mode: pettingzoo.env(name, render_mode=render_mode, **options))


@every_size
def test_games_played_here_are_games_by_the_rules(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Masks equal legal moves; moves, scores, winners and rewards are those of the same game in `bosquet.Game`."""
    monkeypatch.setattr(pettingzoo, "GameState", Scribe)
    kind = random.Random(str(options)).choice(["win", "points"])
    env = pettingzoo.raw_env(name, reward=kind, **options)
    for seed in range(GAMES[name]):
        rng = random.Random(seed)
        env.reset(seed=seed)
        game_state: Any = env.game_state
        while not game_state.over:
            agent = env.agent_selection
            legal = chosen(env.observe(agent)["action_mask"])
            assert agent == f"seat_{game_state.seat}"
            assert legal == legal_by_rules(game_state)
            assert not any(env.rewards.values())
            env.step(np.int64(rng.choice(legal)))
        game = game_state.replayed()
        assert game.over
        due = rewards(kind, game.scores, game.winners)
        assert env.rewards == dict(zip(env.agents, due, strict=True))
        for agent in env.possible_agents:
            assert env.infos[agent] == {"scores": game.scores, "winners": game.winners, "rewards": list(due)}
            assert not env.observe(agent)["action_mask"].any()
        for agent, reward in zip(env.possible_agents, due, strict=True):
            assert env.agent_selection == agent
            assert env.last()[1:4] == (reward, True, False)
            env.step(None)
        assert not env.agents


@pytest.mark.parametrize(("name", "options"), parameters(QUICK, ()))
def test_nothing_unseen_is_shown(name: str, options: dict[str, Any]) -> None:
    """Observation and picture of a state are those of any other that the viewer can't tell from it.

    In every size, `test_encoders.py` compares the observations that these are.
    """
    env = pettingzoo.raw_env(name, render_mode="ansi", **options)
    env.reset(seed=1)
    rng, n, differed = random.Random(1), 0, 0
    while not env.game_state.over:
        if n % 7 == 0:
            true = env.game_state
            for seat, agent in [*enumerate(env.agents), (-1, None)]:
                seen = env.observe(agent)["observation"] if agent else env.render()
                env.game_state = true.copy()
                compiled = env.compiled  # its kernel takes a spectator, too
                compiled.determinize(env.game_state.states, 0, seat, compiled.rng_state(seed_rng(n)))
                differed += env.game_state.state != true.state
                assert np.array_equal(seen, env.observe(agent)["observation"] if agent else env.render())
                env.game_state = true
        env.step(rng.choice(chosen(env.observe(env.agent_selection)["action_mask"])))
        n += 1
    assert differed


@each_game
def test_a_seed_settles_all_later_games(name: str) -> None:
    first, second = pettingzoo.env(name), pettingzoo.env(name)

    def opening(env: Any, seed: int | None = None) -> bytes:
        env.reset(seed=seed)
        shown: bytes = env.observe("seat_0")["observation"].tobytes()
        return shown

    openings = [opening(first, 8), opening(first), opening(first)]
    assert [opening(second, 8), opening(second), opening(second)] == openings
    assert len(set(openings)) == 3
    assert opening(pettingzoo.env(name)) != opening(pettingzoo.env(name))


@each_game
def test_illegal_actions(name: str) -> None:
    env = pettingzoo.raw_env(name)
    env.reset(seed=2)
    mask = env.observe(env.agent_selection)["action_mask"]
    for wrong in (int(np.flatnonzero(mask == 0)[0]), -1, len(mask), 10**30):
        with pytest.raises(ValueError, match=r"not legal now.*action_space\.sample\(mask\)\. Legal: "):
            env.step(wrong)
    for wrong_type in ("a1", None, 0.5):
        with pytest.raises(ValueError, match=f"whole number below {len(mask)}"):
            env.step(wrong_type)
    env.step(chosen(mask)[0])

    wrapped = pettingzoo.env(name)
    wrapped.reset(seed=2)
    agent = wrapped.agent_selection
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        wrapped.step(int(np.flatnonzero(mask == 0)[0]))
    assert wrapped._cumulative_rewards == {one: -1 if one == agent else 0 for one in wrapped.possible_agents}
    assert all(wrapped.terminations.values())


@each_game
def test_it_is_named_by_version_and_can_be_pickled(name: str) -> None:
    env = pettingzoo.raw_env(name, reward="points", players=2)
    assert str(env) == env.metadata["name"] == f"{name}_v{installed.spec(name).encoder.VERSION}"
    twin = pickle.loads(pickle.dumps(env))
    twin.reset(seed=1)
    assert (twin.reward, len(twin.agents)) == ("points", 2)


@each_game
def test_a_copy_goes_on_with_the_same_game(name: str) -> None:
    for env in (pettingzoo.raw_env(name), pettingzoo.env(name)):
        env.reset(seed=3)
        env.step(chosen(env.observe(env.agent_selection)["action_mask"])[0])
        seen = env.observe(env.agent_selection)
        for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            same = twin.observe(twin.agent_selection)
            assert all((seen[key] == same[key]).all() for key in seen)
            twin.step(chosen(same["action_mask"])[-1])
        kept = env.observe(env.agent_selection)
        assert all((seen[key] == kept[key]).all() for key in seen)


@each_game
def test_the_state_is_what_all_seats_see(name: str) -> None:
    table = pettingzoo.env(name, players=3, opponents={1: "random"})
    table.reset(seed=4)
    for _ in range(5):
        table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
        state = table.state()
        assert table.state_space.contains(state)
        first, _, third = np.split(state, 3)
        assert (first == table.observe("seat_0")["observation"]).all()
        assert (third == table.observe("seat_2")["observation"]).all()


@knows_no_others[0]
@knows_no_others[1]
@each_game
def test_bots_take_seats(name: str) -> None:
    """The agents that are left play the game that the suite expects; bots make the same moves for the same seed."""
    api_test(pettingzoo.env(name, players=3, opponents={1: "random"}), num_cycles=10**6)
    env = pettingzoo.raw_env(name, players=3, opponents={0: "greedy", 2: "random"}, reward="points")
    assert env.possible_agents == ["seat_1"]
    ends = []
    for _ in range(2):
        env.reset(seed=5)
        rng = random.Random(1)
        for _ in range(30 if name == "schlossgarten" else 10**6):
            if env.game_state.over:
                break
            assert env.agent_selection == f"seat_{env.game_state.seat}" == "seat_1"
            env.step(rng.choice(chosen(env.observe("seat_1")["action_mask"])))
            env = copy.deepcopy(env)
        ends.append(env.game_state.observation(0).tobytes())
        if env.game_state.over:
            scores = env.infos["seat_1"]["scores"]
            assert env.rewards == {"seat_1": rewards("points", scores, env.infos["seat_1"]["winners"])[1]}
    assert ends[0] == ends[1]


def test_what_is_shown_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo.env("topiary", render_mode="human", players=3)
    env.reset(seed=1)
    assert "seat_2" in capsys.readouterr().out
    env.step(env.action_space("seat_0").sample(env.observe("seat_0")["action_mask"]))
    assert "seat_2" in capsys.readouterr().out
    silent = pettingzoo.env("topiary")
    silent.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert silent.render() is None


def test_wrong_settings_are_refused() -> None:
    for settings in ({"players": 9}, {"reward": "money"}, {"render_mode": "film"}, {"colour": 1}):
        with pytest.raises(bosquet.OptionError):
            pettingzoo.env("topiary", **settings)
    for opponents in (
        {2: "greedy"},
        {0: "greedy", 1: "random"},
        {0: "nobody"},
        {"seat_0": "greedy"},
        ["greedy"],
        {0: 3},
    ):
        with pytest.raises(bosquet.OptionError):
            pettingzoo.env("topiary", opponents=opponents)
    with pytest.raises(bosquet.OptionError, match="the games are"):
        pettingzoo.env("chess")


def test_seeds_and_names_of_agents_are_checked() -> None:
    env = pettingzoo.env("topas", opponents={1: "random"})
    for seed in (1.5, "1", [1], -1, True):
        with pytest.raises(bosquet.OptionError, match=r"^seed is .*; it must be a whole number from 0$"):
            env.reset(seed=seed)
    env.reset(seed=np.int64(1))
    for use in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(KeyError) as raised:
            use("seat_9")
        assert isinstance(raised.value, bosquet.OptionError)
        assert str(raised.value) == 'there is no agent "seat_9"; there are seat_0'


def test_options_of_a_reset_are_refused() -> None:
    env = pettingzoo.raw_env("topas")
    env.reset(seed=1)
    before = env.game_state
    for options in ({"players": 3}, {"options": 2}, {"options": 1, "players": 3}):
        with pytest.raises(bosquet.OptionError, match="when the environment is made"):
            env.reset(seed=2, options=options)
    assert env.game_state is before


def test_the_example_runs() -> None:
    assert doctest.testmod(pettingzoo).failed == 0


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "bosquet.env.pettingzoo")
    with pytest.raises(ImportError, match=re.escape(f"pettingzoo is not installed; {remedy('pettingzoo')}")):
        importlib.import_module("bosquet.env.pettingzoo")
