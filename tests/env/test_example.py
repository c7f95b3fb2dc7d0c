"""The example that trains a policy, from end to end. It needs PyTorch, which is large, so it is an extra."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import bosquet

torch: Any = pytest.importorskip(
    "torch", reason="needs PyTorch: uv run --extra torch pytest -n 0 --everything tests/env/test_example.py"
)
pytestmark = [pytest.mark.slow, pytest.mark.compiled]
example: Any = importlib.import_module("examples.train_policy")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Threads of PyTorch that wait for each other are slow beside other tests."""
    torch.set_num_threads(1)


def mean_reward(network: Any) -> float:
    """The points by which a network beats somebody who plays at random, over 500 games from the first seat."""
    batch = bosquet.batch("topiary", 100, seed=5, threads=1, reward="points", players=2, learner=0)
    rewards: list[float] = []
    while len(rewards) < 500:
        with torch.no_grad():
            logits, _ = network(torch.from_numpy(batch.observations))
        batch.step(example.log_softmax(logits, torch.from_numpy(batch.masks)).argmax(1).numpy())
        rewards += batch.rewards[batch.done, 0].tolist()
    return sum(rewards) / len(rewards)


def test_a_network_learns_to_score_in_topiary(tmp_path: Path) -> None:
    path = tmp_path / "topiary.pt"
    settings = ["topiary", "--updates", "4", "--batch", "64", "--deals", "5", "--threads", "1", "--save", str(path)]
    decisions, wins = example.main(settings)
    assert decisions == 4 * example.STEPS * 64
    assert 0 <= wins.low <= wins.value <= wins.high <= 1
    compiled = bosquet.batch("topiary", 1, players=2).compiled
    torch.manual_seed(1)
    network = example.Lines(compiled)
    untrained = mean_reward(network)
    network.load_state_dict(torch.load(path)["network"])
    assert mean_reward(network) > untrained + 8


def test_the_same_seed_gives_the_same_network(tmp_path: Path) -> None:
    kept = []
    for name in ("one", "two"):
        path = tmp_path / name
        example.main(["topas", "--updates", "1", "--batch", "4", "--deals", "1", "--threads", "1", "--save", str(path)])
        kept.append(torch.load(path)["network"])
    assert all(torch.equal(kept[0][part], kept[1][part]) for part in kept[0])


def test_the_loop_of_the_gpu_runs_on_a_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(example.__file__).parent))
    path, on_gpu = tmp_path / "topiary.pt", importlib.import_module("train_on_gpu")
    trained = on_gpu.main(["--device", "cpu", "--games", "16", "--updates", "2", "--deals", "8", "--save", str(path)])
    assert trained.decisions == 2 * on_gpu.STEPS * 16
    assert 0 <= trained.wins <= 1
    assert torch.load(path)["network"]


def test_a_network_learns_against_a_bot_from_both_seats(tmp_path: Path) -> None:
    path = tmp_path / "topas.pt"
    settings = ["topas", "--updates", "1", "--batch", "4", "--deals", "2", "--threads", "1", "--against", "level1"]
    decisions, wins = example.main([*settings, "--save", str(path)])
    assert decisions == example.STEPS * 4
    assert 0 <= wins.value <= 1
