"""The `VecEnv` over a batch, as Stable-Baselines3 and sb3-contrib use it, and the example that trains with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv, VecMonitor

import bosquet
from bosquet.env.sb3 import BatchVecEnv

EXAMPLE = Path(__file__).resolve().parent.parent.parent / "examples/maskable_ppo.py"


@pytest.mark.parametrize("seat", [0, 1])
def test_steps_are_those_of_the_batch(seat: int) -> None:
    environment = BatchVecEnv("topiary", 3, seat=seat, opponents="greedy", seed=5, threads=1, reward="points")
    batch = bosquet.batch(
        "topiary", 3, learner=seat, opponents="greedy", seed=5, threads=1, reward="points", keep_last=True
    )
    batch.reset(seeds=[5, 6, 7])
    seen, ended, length = environment.reset(), 0, np.zeros(3, int)
    assert is_masking_supported(environment)
    while ended < 4:
        assert environment.observation_space.contains(seen[0])
        assert (seen == batch.observations).all()
        assert (get_action_masks(environment) == batch.masks).all()
        assert (environment.env_method("action_masks", indices=[1])[0] == batch.masks[1]).all()
        actions = batch.masks.argmax(1)
        batch.step(actions)
        seen, rewards, done, infos = environment.step(actions)
        length += 1
        assert (rewards == batch.rewards[:, seat]).all()
        assert (done == batch.done).all()
        for i in np.flatnonzero(done):
            ended += 1
            assert (infos[i]["terminal_observation"] == batch.last[i, seat]).all()
            assert infos[i]["scores"] == batch.scores[i].tolist()
            assert infos[i]["winners"] == np.flatnonzero(batch.winners[i]).tolist()
            assert infos[i]["episode"] == {"r": batch.rewards[i, seat], "l": length[i], "t": 0.0}
        length[done] = 0
    environment.seed(5)
    batch.reset(seeds=[5, 6, 7])
    assert (environment.reset() == batch.observations).all()
    environment.close()


def test_its_processes_make_environments_by_name() -> None:
    environment = make_vec_env(
        "bosquet.env.gymnasium:bosquet/Topiary-v1",
        2,
        seed=3,
        vec_env_cls=SubprocVecEnv,
        vec_env_kwargs={"start_method": "forkserver"},
    )
    assert environment.reset()["observation"].shape == (2, 634)
    environment.close()


def test_maskable_ppo_trains_on_it_and_saves_only_legal_actions() -> None:
    environment = BatchVecEnv("topas", 8, players=1, scale=50.0, seed=1, threads=1)
    model = MaskablePPO("MlpPolicy", environment, n_steps=28, batch_size=56, n_epochs=1, seed=1, device="cpu")
    model.learn(28 * 8 * 2)  # an illegal action would raise
    assert model.num_timesteps == 448
    assert len(model.ep_info_buffer) == 16
    assert 0 < np.mean([episode["l"] for episode in model.ep_info_buffer]) == 28


def test_it_is_evaluated_as_if_it_had_a_monitor() -> None:
    """A warning would be an error; returns are not scaled."""
    environment = BatchVecEnv("topas", 2, players=1, scale=50.0, seed=1, threads=1)
    model = MaskablePPO("MlpPolicy", environment, n_steps=28, batch_size=56, seed=1, device="cpu")
    returns, lengths = evaluate_policy(model, environment, 2, return_episode_rewards=True)
    assert lengths == [28, 28]
    assert min(returns) > 1
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        VecMonitor(environment)


def test_what_single_games_do_not_have_is_refused() -> None:
    environment = BatchVecEnv("topas", 2, players=1, threads=1)
    assert environment.get_attr("render_mode") == [None, None]
    assert environment.env_is_wrapped(VecMonitor, [1]) == [False]
    with pytest.raises(NotImplementedError):
        environment.set_attr("scale", 2)
    with pytest.raises(NotImplementedError):
        environment.env_method("render")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"seat": "random"}, 'seat is "random"'),
        ({"illegal": "random"}, "do not take illegal"),
    ]
    for settings, words in wrong:
        with pytest.raises(bosquet.OptionError, match=words):
            BatchVecEnv("topas", 2, **settings)


@pytest.mark.slow
def test_the_example_runs() -> None:
    command = [sys.executable, str(EXAMPLE), "--minutes", "0.05", "--games", "20"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()[-3:]] == ["MaskablePPO", "greedy", "random"]


def test_what_is_given_for_a_reset_is_used_or_refused() -> None:
    seen = []
    for _ in range(2):
        environment = BatchVecEnv("topas", 2)
        environment.seed(5)
        seen.append([environment.reset() for _ in range(3)])
    assert np.array_equal(seen[0], seen[1])
    assert not np.array_equal(seen[0][1], seen[0][2])
    environment.set_options()
    environment.set_options([{}, {}])
    for options in ({"players": 3}, [{}, {"players": 3}]):
        with pytest.raises(bosquet.OptionError, match="when the environment is made"):
            environment.set_options(options)
