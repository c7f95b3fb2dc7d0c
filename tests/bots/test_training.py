"""Training: a short run learns something, and one that was stopped goes on as if it had not been."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from bosquet.cli import app
from bosquet.core.errors import BosquetError
from bosquet.games.topas.solitaire import stored_weights, training
from bosquet.games.topas.solitaire.training import Plan, Training

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def test_a_short_run_plays_better_than_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "COLUMNS_COUNTED", 1000)  # otherwise half of the time is for counting them
    run = Training(tmp_path / "run", Plan(seed=2, rounds=3, samples=4000))
    before = run.measured()
    curve = list(run.rounds())
    assert [line.round for line in curve] == [1, 2, 3]
    assert curve == run.curve()
    assert curve[-1].column > before[0] + 0.5
    assert curve[-1].lowest > before[1] + 0.5
    with np.load(run.finish(), allow_pickle=False) as found:
        shapes = {name: (array.shape, array.dtype) for name, array in found.items()}
    assert shapes == {name: (array.shape, array.dtype) for name, array in stored_weights().items()}


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    plan = Plan(seed=3, rounds=3, samples=1000)
    whole = Training(tmp_path / "whole", plan)
    curve = list(whole.rounds())
    first = next(iter(Training(tmp_path / "stopped", plan).rounds()))
    later = Training(tmp_path / "stopped", plan)
    assert later.curve() == [first]
    rest = list(later.rounds())
    assert [(line.round, line.error, line.lowest) for line in [first, *rest]] == [
        (line.round, line.error, line.lowest) for line in curve
    ]
    for name, array in whole.quantized().items():
        assert (later.quantized()[name] == array).all()
    with pytest.raises(BosquetError, match="name another --out"):
        Training(tmp_path / "stopped", Plan(seed=4))


@pytest.mark.parametrize(
    "arguments",
    [["schlossgarten", "--players", "3"], ["topas", "--players", "3"], ["topas", "--players", "1", "--expert"]],
)
def test_what_can_not_be_learned_is_refused(arguments: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["train", *arguments, "--out", str(tmp_path / "run")])
    assert isinstance(result.exception, BosquetError)
    told = str(result.exception)
    assert "so far topas with one player and without expert" in told
    for phrase in ("schlossgarten with 2 players", "topas with 2 players", "topiary with 2, 3 or 4"):
        assert phrase in told
    assert not (tmp_path / "run").exists()


def test_simulations_are_refused_where_nothing_is_searched(tmp_path: Path) -> None:
    arguments = ["train", "topas", "--players", "1", "--simulations", "10", "--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, BosquetError)
    assert "learned without a search" in str(result.exception)
