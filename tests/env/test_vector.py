"""The `VectorEnv` over a batch, as Gymnasium's own wrappers and spaces see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import TransformAction, TransformObservation, TransformReward
from gymnasium.wrappers import vector as wrappers

import bosquet
import bosquet.env.gymnasium  # registers the games
from bosquet.env.vector import BosquetVectorEnv, OneReward
from tests.helpers.cases import every_size


def random_actions(masks: Any, random: np.random.Generator) -> Any:
    """Legal actions; 0 in a game that is over, which ignores it."""
    return np.array([random.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


@every_size
def test_everything_given_lies_in_its_space(name: str, options: dict[str, Any]) -> None:
    environment, random = BosquetVectorEnv(name, 3, threads=1, **options), np.random.default_rng(1)
    observations, infos = environment.reset(seed=3)
    assert environment.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    for _ in range(20):
        assert environment.observation_space.contains(observations)
        assert (infos["seats"] == 0).all()
        assert (observations["action_mask"] == environment.action_masks()).all()
        actions = random_actions(observations["action_mask"], random)
        assert environment.action_space.contains(actions)
        observations, rewards, ended, cut, infos = environment.step(actions)
        assert rewards.shape == ended.shape == cut.shape == (3,)
        assert not cut.any()
    environment.close()


def test_an_end_is_told_with_what_was_seen_last_and_what_everybody_got() -> None:
    environment, random = (
        BosquetVectorEnv("topiary", 4, self_play=True, reward="points", threads=1),
        np.random.default_rng(1),
    )
    observations, infos = environment.reset(seed=3)
    ended = np.zeros(4, bool)
    while not ended.any():
        observations, rewards, ended, _, infos = environment.step(random_actions(observations["action_mask"], random))
    for i in np.flatnonzero(ended):
        assert infos["_rewards"][i]
        assert (rewards[i] == infos["rewards"][i]).all()
        assert rewards[i].any()
        assert infos["rewards"][i].sum() == pytest.approx(0)
        parts = environment.batch.compiled.view_parts(observations["observation"])
        assert parts["left 0"][i] == parts["left 1"][i] == 0
        assert not parts["phase"][i].any()
    assert not rewards[~ended].any()
    environment.close()


def test_the_learner_may_have_another_seat() -> None:
    environment: Any = gymnasium.make_vec("bosquet/Topiary-v1", num_envs=3, seat=1, players=3, threads=1)
    with bosquet.batch("topiary", 3, seed=3, learner=1, players=3, threads=1, keep_last=True) as batch:
        observations, infos = environment.reset(seed=3)
        batch.reset(seeds=[3, 4, 5])
        ended = np.zeros(3, bool)
        while not ended.any():
            assert (infos["seats"] == 1).all()
            assert (observations["observation"] == batch.observations).all()
            actions = batch.masks.argmax(1)
            batch.step(actions)
            observations, rewards, ended, _, infos = environment.step(actions)
            assert (rewards == batch.rewards[:, 1]).all()
        i = int(ended.argmax())
        assert (observations["observation"][i] == batch.last[i, 1]).all()
    environment.close()


def test_in_self_play_every_seat_gets_its_reward() -> None:
    """A game ends in the step of one seat; the others, who moved before, are rewarded, too."""
    with_all = BosquetVectorEnv("topas", 8, self_play=True, players=3, threads=1)
    observations, _ = with_all.reset(seed=1)
    random, total = np.random.default_rng(1), np.zeros((8, 3))
    ended = np.zeros(8, bool)
    while not ended.any():  # in Topas all games have as many decisions
        observations, rewards, ended, _, _ = with_all.step(random_actions(observations["action_mask"], random))
        total += rewards
    assert ended.all()
    assert total.sum(1) == pytest.approx(np.zeros(8))
    assert (np.sort(total, 1)[:, 0] < 0).all()
    assert (total.max(1) > 0).all()


def test_copies_are_given_unless_the_arrays_themselves_are_wanted() -> None:
    for copy in (True, False):
        environment = BosquetVectorEnv("topas", 2, players=1, copy=copy, threads=1)
        observations, _ = environment.reset(seed=1)
        before = observations["observation"].copy()
        later, *_ = environment.step(environment.batch.sample())
        assert (observations["observation"] == before).all() == copy
        assert np.shares_memory(later["observation"], environment.batch.observations) != copy
        environment.close()


def test_each_game_may_have_a_seed_of_its_own() -> None:
    environment = BosquetVectorEnv("topas", 3, players=1, threads=1)
    one, _ = environment.reset(seed=[5, 6, 5])
    other, _ = environment.reset(seed=[6, None, 5])
    assert (one["observation"][0] == one["observation"][2]).all()
    assert (one["observation"][1] == other["observation"][0]).all()
    assert (one["observation"][2] == other["observation"][2]).all()
    assert (one["observation"][1] != other["observation"][1]).any()


def test_gymnasium_makes_it_by_the_name_of_the_game() -> None:
    environment = gymnasium.make_vec("bosquet/Topas-v1", num_envs=5, players=1, threads=1)
    assert isinstance(environment.unwrapped, BosquetVectorEnv)
    observations, _ = environment.reset(seed=2)
    assert observations["observation"].shape == (5, 1655)
    one_by_one = gymnasium.make_vec("bosquet/Topas-v1", num_envs=5, vectorization_mode="sync", players=1)
    expected, _ = one_by_one.reset(seed=2)
    assert (observations["observation"] == expected["observation"]).all()


WRAPPERS: list[Callable[[Any], Any]] = [
    wrappers.RecordEpisodeStatistics,
    wrappers.DictInfoToList,
    wrappers.NormalizeReward,
    lambda env: wrappers.ClipReward(env, -1, 1),
    lambda env: wrappers.TransformReward(env, lambda reward: 2 * reward),
    lambda env: wrappers.VectorizeTransformReward(env, TransformReward, func=abs),
    lambda env: wrappers.TransformAction(env, lambda action: action, env.action_space),
    lambda env: wrappers.VectorizeTransformAction(env, TransformAction, func=int, action_space=env.single_action_space),
    wrappers.NormalizeObservation,
    wrappers.FlattenObservation,
    lambda env: wrappers.ReshapeObservation(env, (1, 1655)),
    lambda env: wrappers.RescaleObservation(env, 0.0, 1.0),
    lambda env: wrappers.DtypeObservation(env, np.float32),
    lambda env: wrappers.TransformObservation(env, lambda seen: seen),
    lambda env: wrappers.VectorizeTransformObservation(env, TransformObservation, func=abs, observation_space=None),
    lambda env: wrappers.FilterObservation(env, ["observation"]),
]


def test_gymnasiums_wrappers_work_on_it() -> None:
    for wrap in WRAPPERS:
        inner = BosquetVectorEnv("topas", 2, players=1, threads=1, mask=wrap is WRAPPERS[-1])
        environment = wrap(inner)
        environment.reset(seed=1)
        lengths: list[int] = []
        for _ in range(30):
            seen, *_, infos = environment.step(inner.action_masks().argmax(1))
            assert environment.observation_space.contains(seen)
            if "episode" in infos:
                lengths += infos["episode"]["l"][infos["_episode"]].tolist()
        assert wrap is not wrappers.RecordEpisodeStatistics or lengths == [28] * 2


def test_autoreset_modes_differ_only_in_when_a_game_is_dealt_again() -> None:
    """What Gymnasium says of each mode, seen beside `NEXT_STEP`, the default."""
    made = [BosquetVectorEnv("topiary", 6, threads=1, autoreset_mode=mode.value) for mode in AutoresetMode]
    waiting, same, alone = made
    assert [environment.metadata["autoreset_mode"] for environment in made] == list(AutoresetMode)
    seen, of_alone = [environment.reset(seed=4)[0] for environment in (waiting, alone)]
    same.reset(seed=4)
    over, ended_alone, deals = np.zeros(6, bool), np.zeros(6, bool), 0
    for _ in range(60):
        assert (waiting.action_masks() == seen["action_mask"]).all()
        chosen = seen["action_mask"].argmax(1)
        seen, rewards, ended, _, infos = waiting.step(np.where(over, -1, chosen))  # a game that is over ignores it
        assert not rewards[~ended].any()
        assert not ended[over].any()  # a deal is no end
        assert not seen["action_mask"][ended].any()
        told: Any = {}
        if over.any():  # the other environment has dealt them already
            same.batch.step(chosen, where=~over)
        else:
            *_, told = same.step(chosen)
        assert (seen["observation"][~ended] == same.batch.observations[~ended]).all()
        assert ("final_obs" in told) <= ended.any()
        for i in np.flatnonzero(ended) if told.get("final_obs") is not None else []:
            assert (told["final_obs"][i]["observation"] == seen["observation"][i]).all()
            assert (told["final_info"]["scores"][i] == infos["scores"][i]).all()
        if not ended_alone.any():
            of_alone, _, ended_alone, _, _ = alone.step(chosen)
            assert (ended_alone == ended).all()
            assert (of_alone["observation"] == seen["observation"]).all()
        deals += int(over.sum())
        over = ended
    assert deals > 3
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"game \d is over; .*reset_mask"):
        alone.step(alone.action_masks().argmax(1))
    after, _ = alone.reset(options={"reset_mask": ended_alone})
    changed = (after["observation"] != of_alone["observation"]).any(1)
    assert (changed == ended_alone).all()
    alone.step(alone.action_masks().argmax(1))


def test_gymnasiums_statistics_count_episodes_in_both_modes_and_in_self_play() -> None:
    for settings in ({"autoreset_mode": "SameStep", "players": 1}, {"players": 1}, {"self_play": True, "players": 2}):
        environment: Any = BosquetVectorEnv("topas", 4, threads=1, reward="points", **settings)
        if "self_play" in settings:
            environment = OneReward(environment, seat=1)
        environment = wrappers.RecordEpisodeStatistics(environment)
        environment.reset(seed=1)
        returns: list[float] = []
        expected: list[float] = []
        for _ in range(60):
            masks = environment.unwrapped.action_masks()
            _, _, _, _, infos = environment.step(masks.argmax(1))
            if "episode" in infos:
                returns += infos["episode"]["r"][infos["_episode"]].tolist()
                seat = 1 if "self_play" in settings else 0
                told = infos.get("final_info", infos)
                expected += told["rewards"][told["_rewards"], seat].tolist()
        assert len(returns) >= 8
        assert returns == pytest.approx(expected)


def test_observations_may_come_without_the_mask() -> None:
    with_mask, without = (BosquetVectorEnv("topas", 3, players=1, threads=1, mask=mask) for mask in (True, False))
    one, _ = with_mask.reset(seed=1)
    other, _ = without.reset(seed=1)
    for _ in range(30):
        assert without.observation_space.contains(other)
        assert (one["observation"] == other).all()
        actions = np.array([int(mask.argmax()) for mask in without.action_masks()])
        one, *_ = with_mask.step(actions)
        other, *_ = without.step(actions)


def test_opponents_are_named_as_for_one_game() -> None:
    environment = gymnasium.make_vec("bosquet/Topiary-v1", num_envs=2, opponents=["greedy"], threads=1)
    with bosquet.batch("topiary", 2, seed=3, learner=0, opponents="greedy", threads=1) as batch:
        observations, _ = environment.reset(seed=3)
        batch.reset(seeds=[3, 4])
        for _ in range(6):
            assert (observations["observation"] == batch.observations).all()
            actions = np.array([int(mask.argmax()) for mask in batch.masks])
            batch.step(actions)
            observations, *_ = environment.step(actions)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: BosquetVectorEnv("topas", 0), "n is 0"),
        (lambda: BosquetVectorEnv("topas", 2, copy=3), "copy is 3; it must be True or False"),  # type: ignore[arg-type]
        (lambda: BosquetVectorEnv("topas", 2, mask=None), "True or False"),  # type: ignore[arg-type]
        (
            lambda: BosquetVectorEnv("topas", 2, autoreset_mode="never"),
            "it must be one of NextStep, SameStep, Disabled",
        ),
        (
            lambda: gymnasium.make_vec("bosquet/Topiary-v1", 2, players=3, opponents=["greedy", "random"]),
            "vectorization_mode",
        ),
        (lambda: BosquetVectorEnv("topas", 2, seat=2), "seat is 2; in a vector environment it is from 0 to 1$"),
        (lambda: gymnasium.make_vec("bosquet/Topiary-v1", 2, seat="random"), 'seat is "random"; .*"sync"'),
        (lambda: BosquetVectorEnv("topas", 2, seat=1, self_play=True), "in self-play all seats learn"),
        (lambda: BosquetVectorEnv("topas", 2, self_play=True, opponents="greedy"), "but all seats learn"),
        (lambda: BosquetVectorEnv("topas", 2, players=1, opponents="greedy"), "with one player has no other seats"),
        (lambda: BosquetVectorEnv("topas", 2, opponents=["greedy"] * 2), "opponents has 2 names"),
        (lambda: BosquetVectorEnv("topas", 2, opponents=[]), "opponents has 0 names"),
        (lambda: gymnasium.make_vec("bosquet/Topiary-v1", 2, illegal="random"), 'do not take illegal; .*"sync"'),
        (lambda: BosquetVectorEnv("topas", 2).reset(seed=[1, 2, 3]), "it must be 2 whole numbers"),
        (lambda: BosquetVectorEnv("topas", 2).reset(options={"players": 3}), "when the environment is made"),
        (lambda: BosquetVectorEnv("topas", 2).reset(options={"reset_mask": np.zeros(2, bool)}), "one of them True"),
        (lambda: OneReward(BosquetVectorEnv("topas", 2)), "make it with self_play=True"),
        (lambda: OneReward(BosquetVectorEnv("topas", 2, self_play=True), -1), "seat is -1"),
        (lambda: OneReward(BosquetVectorEnv("topas", 2, self_play=True), 2), "seat is 2"),
    ],
)
def test_what_is_wrong_is_named(call: Any, words: str) -> None:
    with pytest.raises(bosquet.OptionError, match=words):
        call()


@pytest.mark.parametrize("seed", [5, [5, 6]])
def test_a_seed_determines_later_games_too(seed: int | list[int | None]) -> None:
    seen = []
    for _ in range(2):
        environment = BosquetVectorEnv("topas", 2, mask=False)
        environment.reset(seed=seed)
        seen.append([environment.reset()[0] for _ in range(2)])
    assert np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[0][0], seen[0][1])
    without = [BosquetVectorEnv("topas", 2, mask=False).reset()[0] for _ in range(2)]
    assert not np.array_equal(without[0], without[1])
