"""Training of the search: a short run beats its untrained self; one that was stopped goes on as if it had not been."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from bosquet.cli import app
from bosquet.core.errors import BosquetError
from bosquet.lab.ratings import Hypotheses, Sprt
from bosquet.lab.training import Plan, Training
from bosquet.search.learned_model import required_weights

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

SMALL = Plan(game="topiary", players=2, seed=3, rounds=2, samples=3000, simulations=5)


def test_a_short_run_beats_its_untrained_self_beyond_doubt(tmp_path: Path) -> None:
    run = Training(tmp_path / "run", Plan(game="topiary", players=2, seed=2, rounds=1, samples=20_000, simulations=30))
    untrained = run.accepted
    (line,) = run.rounds()
    assert line.accepted == 1
    assert run.curve() == [line]
    test = Sprt(Hypotheses(elo0=0.0, elo1=40.0, alpha=0.01, beta=0.01))
    for deal in range(400):
        test.add(sum(run.won(untrained, seat, f"again {deal}") for seat in range(2)) / 2)
        if test.decision:
            break
    assert test.decision == "elo1"
    with np.load(run.finish(), allow_pickle=False) as found:
        shapes = {name: (array.shape, array.dtype) for name, array in found.items()}
    assert shapes == {name: (array.shape, array.dtype) for name, array in required_weights("topiary", 2).items()}
    card = json.loads((tmp_path / "run" / "learned-2.json").read_text())
    assert card["game"] == "topiary"
    assert card["result"]["samples"] == line.samples == 200_000


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    whole = Training(tmp_path / "whole", SMALL)
    curve = list(whole.rounds())
    first = next(iter(Training(tmp_path / "stopped", SMALL).rounds()))
    later = Training(tmp_path / "stopped", SMALL)
    assert later.curve() == [first]
    rest = list(later.rounds())
    told = [[(line.round, line.error, line.games, line.score) for line in lines] for lines in ([first, *rest], curve)]
    assert told[0] == told[1]
    for name, array in whole.accepted.items():
        assert (later.accepted[name] == array).all()
    with pytest.raises(BosquetError, match=r"has a run with topiary --players 2 --seed 3 .* name another --out"):
        Training(tmp_path / "stopped", Plan(game="topiary", players=3))


def test_the_command_tells_of_every_round_and_writes_the_weights(tmp_path: Path) -> None:
    arguments = ["topiary", "--players", "4", "--rounds", "1", "--samples", "1000", "--simulations", "2"]
    result = CliRunner().invoke(app, ["train", *arguments, "--out", str(tmp_path)])
    assert result.exit_code == 0
    assert "round 1 of 1: error" in result.output
    assert (tmp_path / "learned-4.npz").is_file()
