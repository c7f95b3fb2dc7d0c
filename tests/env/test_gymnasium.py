"""Gymnasium: its own checkers, and that what is played through it is the game."""

from __future__ import annotations

import doctest
import functools
import importlib
import random
import re
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv

import bosquet
import bosquet.env.gymnasium as adapter
from bosquet.core import installed
from bosquet.core.system.extras import remedy
from bosquet.env.picture import SHAPE
from bosquet.env.rewards import rewards
from tests.env.helpers.scribe import GAMES, Scribe, chosen, legal_by_rules
from tests.helpers.cases import every_size, every_size_briefly

each_game = pytest.mark.parametrize("name", bosquet.GAMES)


def make(name: str, **settings: Any) -> Any:
    return gymnasium.make(f"bosquet/{name.capitalize()}-v{installed.spec(name).encoder.VERSION}", **settings)


@every_size_briefly
@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_the_checker_finds_nothing(name: str, options: dict[str, Any], opponent: str) -> None:
    """It takes actions without looking at the mask, so random legal ones stand in."""
    names = [opponent] * (options["players"] > 1)
    env = make(name, opponents=names, seat="random", illegal="random", **options)
    check_env(env.unwrapped)


@every_size
def test_games_played_here_are_games_by_the_rules(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Masks equal legal moves; moves, scores, winners and rewards are those of the same game in `bosquet.Game`.

    All goes through the passive checker that `gymnasium.make` adds.
    """
    monkeypatch.setattr(adapter, "GameState", Scribe)
    kind = random.Random(str(options)).choice(["win", "points"])
    env = make(name, opponents=["random", "greedy"][: options["players"] - 1], seat="random", reward=kind, **options)
    for seed in range(GAMES[name]):
        rng = random.Random(seed)
        observation, info = env.reset(seed=seed)
        game_state, seat = env.unwrapped.game_state, info["seat"]
        terminated, reward = False, 0.0
        while not terminated:
            legal = chosen(info["action_mask"])
            assert game_state.seat == seat == info["seat"]
            assert legal == legal_by_rules(game_state) == chosen(env.get_wrapper_attr("action_masks")())
            assert np.array_equal(observation["action_mask"], info["action_mask"])
            assert not reward
            observation, reward, terminated, truncated, info = env.step(rng.choice(legal))
            assert not truncated
        game = game_state.replayed()
        assert game.over
        assert (info["scores"], info["winners"]) == (game.scores, game.winners)
        assert info["rewards"] == rewards(kind, game.scores, game.winners)
        assert reward == info["rewards"][seat]
        assert not info["action_mask"].any()
        with pytest.raises(ValueError, match=r"call reset\(\)"):
            env.step(0)


@every_size_briefly
def test_nothing_unseen_is_shown(name: str, options: dict[str, Any]) -> None:
    """Observation and picture of a state are those of any other that the seat can't tell from it."""
    env = make(name, render_mode="ansi", seat=options["players"] - 1, **options).unwrapped
    observation, info = env.reset(seed=1)
    terminated, n, differed = False, 0, 0
    while not terminated:
        if n % 5 == 0:
            true, text = env.game_state, env.render()
            env._game_state = true.copy()
            env._game_state.determinize(env.seat, n)
            differed += env.game_state.state != true.state
            assert np.array_equal(env.game_state.observation(env.seat), observation["observation"])
            assert np.array_equal(env.action_masks(), info["action_mask"])
            assert env.render() == text
            env._game_state = true
        action = env.action_space.sample(info["action_mask"])
        observation, _, terminated, _, info = env.step(action)
        n += 1
    assert differed


def episodes(env: Any, seed: int, n: int) -> list[Any]:
    """All that is to be seen in some games, the first of a seed, with the first legal actions."""
    seen: list[Any] = []
    for i in range(n):
        observation, info = env.reset(seed=None if i else seed)
        terminated = False
        while not terminated and len(seen) < 60 * (i + 1):
            seen.append((observation["observation"].tobytes(), chosen(info["action_mask"]), info["seat"]))
            observation, reward, terminated, _, info = env.step(seen[-1][1][0])
            seen.append(reward)
    return seen


@pytest.mark.parametrize(
    ("name", "opponent"),
    [
        *((name, opponent) for name in bosquet.GAMES for opponent in ("random", "greedy")),
        pytest.param(bosquet.GAMES[0], "search:3", marks=pytest.mark.slow),
    ],
)
def test_a_seed_settles_all_later_games_and_their_bots(name: str, opponent: str) -> None:
    settings: dict[str, Any] = {"players": 3, "opponents": [opponent], "seat": "random"}
    once = episodes(make(name, **settings), 5, 2)
    assert episodes(make(name, **settings), 5, 2) == once
    assert episodes(make(name, **settings), 6, 2) != once


@each_game
def test_illegal_actions(name: str) -> None:
    env = make(name).unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=2)
    mask = info["action_mask"]
    wrong = int(np.flatnonzero(mask == 0)[0])
    for index in (wrong, np.int64(wrong), -1, len(mask)):
        with pytest.raises(ValueError, match=r"not legal now.*action_space\.sample\(mask\)\. Legal: "):
            env.step(index)
    with pytest.raises(ValueError, match=f"whole number below {len(mask)}"):
        env.step("a1")

    lenient = make(name, illegal="random").unwrapped
    taken = set()
    for seed in (1, 1, 2, 3):
        lenient.reset(seed=seed)
        _, _, terminated, _, info = lenient.step(wrong)
        assert not terminated
        taken.add(lenient.game_state.observation(lenient.seat).tobytes())
    assert len(taken) == 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bots_sit_after_the_own_seat_in_turn_order(players: int) -> None:
    given = ["greedy", "random"][: players - 1]
    env = make("topiary", players=players, seat=1, opponents=given, render_mode="ansi").unwrapped
    env.reset(seed=1)
    names = ["greedy", "random", "greedy"][: players - 1]
    assert env._shown_names == [*names[-1:], "you", *names[:-1]]
    assert all(name in env.render() for name in [*names, "Your hand"])


def test_the_own_seat_may_be_another_in_every_size() -> None:
    env = make("topiary", players=4, seat="random")
    env.reset(seed=1)
    seats = [env.reset()[1]["seat"] for _ in range(80)]
    assert min(seats.count(seat) for seat in range(4)) > 5


@every_size_briefly
def test_render_modes(name: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("human", "ansi", "rgb_array"):
        env = make(name, render_mode=mode, **options)
        _, info = env.reset(seed=3)
        env.step(env.action_space.sample(info["action_mask"]))
        shown = env.render()
        match mode:
            case "human":
                assert shown is None
                assert capsys.readouterr().out.count("1 you") == 3  # after reset, after step, when asked
            case "ansi":
                assert "you" in shown
            case _:
                assert shown.shape == SHAPE
        env.close()
    silent = make(name, **options).unwrapped
    silent.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert silent.render() is None


def test_wrong_settings_are_refused() -> None:
    wrong: list[dict[str, Any]] = [
        {"players": 9},
        {"seat": 2},
        {"seat": "mine"},
        {"seat": 1.0},
        {"seat": True},
        {"opponents": "greedy"},
        {"opponents": ["nobody"]},
        {"opponents": 3},
        {"opponents": [3]},
        {"opponents": [None]},
        {"opponents": [["greedy"]]},
        {"opponents": {"greedy": 1}},
        {"reward": "money"},
        {"illegal": "ignore"},
        {"mask": 1},
        {"colour": 1},
    ]
    for settings in wrong:
        with pytest.raises(bosquet.OptionError):
            make("topiary", **settings)


def test_opponents_are_as_many_as_the_other_seats_at_most() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"opponents": []}, "opponents has 0 names; with 2 players it must have 1 name$"),
        ({"opponents": ["greedy"] * 3}, "opponents has 3 names; with 2 players it must have 1 name$"),
        ({"opponents": [], "players": 4}, "with 4 players it must have 1 to 3 names, which are repeated"),
        ({"opponents": ["greedy"] * 4, "players": 4}, "opponents has 4 names"),
    ]
    for settings, words in wrong:
        with pytest.raises(bosquet.OptionError, match=words):
            make("topiary", **settings)
    with pytest.raises(bosquet.OptionError, match='opponents is "greedy", but a game with one player has no other'):
        make("topas", players=1, opponents=["greedy"])
    make("topas", players=1, opponents=[])
    make("topiary", players=4, opponents=["greedy"] * 3)


def test_options_of_a_reset_are_refused() -> None:
    with pytest.raises(bosquet.OptionError, match="given when the environment is made"):
        make("topas").reset(options={"a": 1})


def test_the_checker_finds_nothing_without_the_mask_in_observations() -> None:
    env = make("topas", players=1, mask=False, illegal="random").unwrapped
    check_env(env)
    observation, info = env.reset(seed=1)
    assert (observation == make("topas", players=1).reset(seed=1)[0]["observation"]).all()
    assert (info["action_mask"] == env.action_masks()).all()


def test_processes_that_have_imported_nothing_make_environments() -> None:
    """Gymnasium imports the module before the colon, in vector environments like those of Stable-Baselines3, too."""
    identifier = "bosquet.env.gymnasium:bosquet/Topiary-v1"
    made = [
        AsyncVectorEnv([functools.partial(gymnasium.make, identifier)], context="forkserver"),
        gymnasium.make_vec(identifier, 1, vectorization_mode="async", vector_kwargs={"context": "spawn"}),
    ]
    expected, _ = gymnasium.make(identifier).reset(seed=3)
    for environments in made:
        observations, _ = environments.reset(seed=3)
        assert (observations["observation"][0] == expected["observation"]).all()
        environments.close()


def test_environments_are_made_as_cleanrl_makes_them() -> None:
    """Functions that make a wrapped environment, in a vector of Gymnasium, and single spaces for the networks."""

    def maker(number: int) -> Callable[[], Any]:
        def made() -> Any:
            env = make("topas", players=1, illegal="random")
            env.action_space.seed(number)
            return gymnasium.wrappers.RecordEpisodeStatistics(env)

        return made

    envs = gymnasium.vector.SyncVectorEnv([maker(number) for number in range(2)])
    assert isinstance(envs.single_action_space, gymnasium.spaces.Discrete)
    observations, _ = envs.reset(seed=4)
    lengths: list[int] = []
    while not lengths:
        actions = observations["action_mask"].argmax(1)
        observations, _, _, _, infos = envs.step(actions)
        if "episode" in infos:
            lengths = infos["episode"]["l"].tolist()
    assert lengths == [28, 28]


def test_the_example_runs() -> None:
    assert doctest.testmod(adapter).failed == 0


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "bosquet.env.gymnasium")
    with pytest.raises(ImportError, match=re.escape(f"gymnasium is not installed; {remedy('gymnasium')}")):
        importlib.import_module("bosquet.env.gymnasium")
