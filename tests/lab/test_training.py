"""Training of the search: a short run beats its untrained self; one that was stopped goes on as if it had not been."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import threading
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from bosquet.cli import app
from bosquet.cli.output import duration
from bosquet.core.errors import BosquetError, OptionError
from bosquet.core.installed import spec
from bosquet.core.rng import Rng
from bosquet.core.state import NOBODY
from bosquet.games.topas.learned_inputs import BEST, TO_MOVE
from bosquet.lab import training
from bosquet.lab.lock import locked_folder
from bosquet.lab.pools import pool
from bosquet.lab.ratings import Hypotheses, Sprt
from bosquet.lab.self_play import LABELS
from bosquet.lab.training import Piece, Plan, Round, Training, dealt, play_piece
from bosquet.learning.network import INPUT_ONE
from bosquet.search.learned_weights import required_weights
from tests.lab.helpers.extras import needs_matplotlib, needs_ray

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

SMALL = Plan(game="topiary", players=2, seed=3, rounds=2, samples=1000, simulations=5)


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
    assert shapes == {
        name: (array.shape, array.dtype) for name, array in required_weights("topiary", {"players": 2}).items()
    }
    card = json.loads((tmp_path / "run" / "learned-2.json").read_text())
    assert card["game"] == "topiary"
    assert card["result"]["samples"] == line.samples == 200_000


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "TEST", Hypotheses(elo0=-400.0, elo1=0.0, alpha=0.05, beta=0.05))  # soon decided
    whole = Training(tmp_path / "whole", SMALL)
    curve = list(whole.rounds())
    first = next(iter(Training(tmp_path / "stopped", SMALL).rounds()))
    later = Training(tmp_path / "stopped", SMALL)
    assert later.curve() == [first]
    rest = list(later.rounds())
    told = [[(line.round, line.error, line.games, line.score) for line in lines] for lines in ([first, *rest], curve)]
    assert told[0] == told[1]
    assert any(line.accepted for line in curve)
    for name, array in whole.accepted.items():
        assert (later.accepted[name] == array).all()
    with pytest.raises(BosquetError, match=r"has a run with topiary --players 2 --seed 3 .* name another --out"):
        Training(tmp_path / "stopped", Plan(game="topiary", players=3))


def test_a_game_with_chance_events_is_tested_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a short pile of cards."""
    run = Training(tmp_path, Plan(game="schlossgarten", players=2, simulations=2))

    def with_a_short_pile(plan: Plan, rng: Rng) -> Any:
        state = dealt(plan, rng)
        while state.pile_end > state.pile_at + 3:
            state.pile_end -= 1
            state.discard |= 1 << state.pile[state.pile_end]
        return state

    monkeypatch.setattr(training, "dealt", with_a_short_pile)
    rules = spec("schlossgarten").rules
    result, sample_chance = Mock(wraps=rules.result), Mock(wraps=rules.sample_chance)
    monkeypatch.setattr(rules, "result", result)
    monkeypatch.setattr(rules, "sample_chance", sample_chance)
    assert sum(run.won(run.accepted, seat, "chance") for seat in range(2)) == 1, "the same game twice"
    assert [call.args[0].seat for call in result.mock_calls] == [NOBODY, NOBODY]
    assert sample_chance.called


def test_a_stage_without_samples_keeps_its_spread(tmp_path: Path) -> None:
    run = Training(tmp_path, SMALL)
    run.accepted["spread"] = np.arange(1, run.model.STAGES + 1, dtype=np.int32)
    samples = np.zeros((4, LABELS + run.model.INPUTS), np.int32)
    samples[:, 0] = 3
    samples[:, 2] = 500, 100, 500, 100
    spreads = run._spreads(samples)
    assert spreads[3] == 4.0
    assert np.delete(spreads, 3) == pytest.approx(np.delete(run.accepted["spread"] / 100, 3))


def test_a_run_goes_on_with_the_rounds_that_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After more rounds than are kept."""
    monkeypatch.setattr(training, "REPLAY_WINDOW", 2)
    monkeypatch.setattr(training, "TEST_DEALS", 2)
    plan = Plan(game="topiary", players=2, seed=3, rounds=4, samples=1000, simulations=2)
    whole = Training(tmp_path / "whole", plan)
    curve = list(whole.rounds())
    stopped = list(itertools.islice(Training(tmp_path / "stopped", plan).rounds(), 3))
    later = Training(tmp_path / "stopped", plan)
    assert [len(samples) for samples in later._window] == [1000, 1000]
    assert later.curve() == stopped
    told = [[(line.round, line.error, line.score) for line in lines] for lines in ([*stopped, *later.rounds()], curve)]
    assert told[0] == told[1]
    for name, array in whole.networks.arrays().items():
        assert (later.networks.arrays()[name] == array).all()


SHARED = Plan(game="topiary", players=2, seed=3, rounds=1, samples=2000, simulations=2, pieces=6)


def weights_of(folder: Path, workers: int = 1, ray: str | None = None) -> dict[str, bytes]:
    """The weights after a round of pieces that workers share."""
    run = Training(folder, SHARED)
    with pool(workers, ray) as shared:
        assert len(list(run.rounds(shared))) == 1
    return {name: array.tobytes() for name, array in run.accepted.items()}


def test_workers_change_nothing_but_the_time(tmp_path: Path) -> None:
    assert weights_of(tmp_path / "two", 2) == weights_of(tmp_path / "one")


@needs_ray
def test_a_worker_killed_on_ray_is_replaced(tmp_path: Path) -> None:
    expected = weights_of(tmp_path / "here")
    killed: list[int] = []
    over = threading.Event()

    def kill_one() -> None:
        while not killed and not over.wait(0.05):
            for process in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError):
                    if (process / "cmdline").read_bytes().startswith(b"ray::_do") and is_mine(process):
                        os.kill(int(process.name), signal.SIGKILL)
                        killed.append(int(process.name))
                        return

    killer = threading.Thread(target=kill_one)
    killer.start()
    try:
        assert weights_of(tmp_path / "ray", 2, "local") == expected
    finally:
        over.set()
        killer.join()
    assert killed


def is_mine(process: Path) -> bool:
    """Whether a process descends from this one."""
    while (parent := int((process / "stat").read_text().rpartition(")")[2].split()[1])) > 1:
        if parent == os.getpid():
            return True
        process = Path("/proc") / str(parent)
    return False


def test_pieces_are_needed_for_workers_and_are_not_for_a_game_without_search(tmp_path: Path) -> None:
    for arguments, told in (
        (["topiary", "--workers", "2"], "give --pieces"),
        (["topas", "--players", "1", "--pieces", "4"], "--pieces is not for this game"),
    ):
        result = CliRunner().invoke(app, ["train", *arguments, "--out", str(tmp_path)])
        assert result.exit_code != 0
        assert told in " ".join(str(result.exception).split())


def test_every_piece_has_a_position(tmp_path: Path) -> None:
    Plan(game="topiary", players=2, samples=1000, pieces=500)
    arguments = ["topiary", "--players", "2", "--samples", "1000", "--pieces", "501", "--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, ["train", *arguments])
    assert isinstance(result.exception, OptionError)
    assert "501 pieces are too many: 1000 samples with 2 players are 500 positions; give --pieces 500 at most" in str(
        result.exception
    )
    assert not (tmp_path / "run").exists()


def test_one_simulation_is_too_few(tmp_path: Path) -> None:
    arguments = ["topiary", "--players", "2", "--simulations", "1", "--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, ["train", *arguments])
    assert isinstance(result.exception, OptionError)
    assert "give --simulations 2 or more" in str(result.exception)
    assert not (tmp_path / "run").exists()


def test_two_runs_do_not_write_to_the_same_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with locked_folder(tmp_path, tmp_path, "folder"):
        result = CliRunner().invoke(app, ["train", "topiary", "--out", str(tmp_path)])
    assert result.exit_code != 0
    assert "another run uses this folder; wait for it, or name another folder" in " ".join(
        str(result.exception).split()
    )
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]


def accepted(_run: Training, _candidate: dict[str, Any]) -> tuple[int, float, bool]:
    """Accept a network without a test."""
    return 2, 1.0, True


def test_no_weights_are_written_if_no_network_was_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "TEST_DEALS", 1)
    plan = msgspec.structs.replace(SMALL, samples=1000, simulations=2)
    run = Training(tmp_path, plan)
    assert [line.accepted for line in run.rounds()] == [0, 0]
    with pytest.raises(
        BosquetError, match=r"no network was accepted in 2 rounds, so no weights were written.* --rounds"
    ):
        run.finish()
    assert not list(tmp_path.glob("learned*"))
    run = Training(tmp_path, msgspec.structs.replace(plan, rounds=3))
    monkeypatch.setattr(Training, "_tested", accepted)
    assert [(line.round, line.accepted) for line in run.rounds()] == [(3, 1)]
    assert run.finish().is_file()


def test_the_card_tells_of_the_network_that_was_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Training(tmp_path, msgspec.structs.replace(SMALL, samples=1000, simulations=2, rounds=4))
    verdicts = iter([False, True, True, False])
    monkeypatch.setattr(Training, "_tested", lambda _run, _candidate: (2, 0.5, next(verdicts)))
    curve = list(run.rounds())
    card = json.loads(run.finish().with_suffix(".json").read_text())
    assert card["rounds"] == 4
    assert card["accepted_rounds"] == [2, 3]
    assert card["result"] == msgspec.to_builtins(curve[2])
    assert card["data"].startswith("12000 samples ")


def test_a_folder_without_a_name_and_a_folder_of_something_else_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["train", "topiary", "--out", ""])
    assert "--out needs the name of a folder" in str(result.exception)
    assert not list(tmp_path.iterdir())
    (tmp_path / "learned-2.npz").touch()
    result = CliRunner().invoke(app, ["train", "topiary", "--out", "."])
    assert 'holds "learned-2.npz" and is no folder of a training run' in str(result.exception)
    assert [file.name for file in tmp_path.iterdir()] == ["learned-2.npz"]


def test_a_stage_that_there_is_not_is_refused(tmp_path: Path) -> None:
    run = Training(tmp_path, SMALL)
    samples = np.zeros((2, LABELS + run.model.INPUTS), np.int32)
    samples[1, 0] = 99
    run._window, run.done = [samples], 1
    run._save(Round(1, 2, 0.0, 0.0, 0, 0.0, 0, 0.0))
    with pytest.raises(BosquetError, match=r"state\.npz: .*samples_0 has values out of range"):
        Training(tmp_path, SMALL)


@pytest.mark.parametrize(
    ("chosen", "file"),
    [
        (["topiary", "--players", "4"], "learned-4"),
        (["topas"], "learned-2"),
        (["topas", "--expert"], "learned-2-expert"),
    ],
)
def test_the_command_tells_of_every_round_and_writes_the_weights(
    chosen: list[str], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Training, "_tested", accepted)
    arguments = [*chosen, "--rounds", "1", "--samples", "1000", "--simulations", "2"]
    result = CliRunner().invoke(app, ["train", *arguments, "--out", str(tmp_path)])
    assert result.exit_code == 0
    assert "round 1 of 1: error" in result.output
    assert (tmp_path / f"{file}.npz").is_file()
    card = json.loads((tmp_path / f"{file}.json").read_text())
    assert card["options"].get("expert", False) == ("--expert" in chosen)


def test_games_explore_only_before_their_samples_where_the_model_says_so() -> None:
    """With one placement left, the seat to move still makes exactly what its best card scores."""
    plan = Plan(game="topas", players=2, seed=1, samples=20_000)
    weights = required_weights("topas", {"players": 2})
    piece = Piece(plan=plan, round=0, number=0, samples=plan.samples, simulations=0, weights=weights)
    last = (samples := play_piece(piece).samples)[samples[:, 0] == 0]
    assert len(last) > 500
    inputs = last[:, LABELS:]
    to_move = inputs[:, TO_MOVE] > 0
    best = 16 * inputs[:, BEST] // INPUT_ONE
    assert (last[:, 2] == np.where(to_move, 100 * best, 0)).all()


@needs_matplotlib
def test_the_learning_curve_is_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Training, "_tested", accepted)
    picture = tmp_path / "curve.svg"
    arguments = ["topiary", "--rounds", "2", "--samples", "1000", "--simulations", "2", "--plot", str(picture)]
    assert CliRunner().invoke(app, ["train", *arguments, "--out", str(tmp_path)]).exit_code == 0
    drawn = picture.read_text()
    assert all(words in drawn for label in Round.CURVES.values() for words in label.split("\n"))


def test_plots_are_svg_files(tmp_path: Path) -> None:
    arguments = ["topiary", "--plot", str(tmp_path / "curve.png"), "--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, ["train", *arguments])
    assert "curve.png: plots are SVG files; name one that ends in .svg" in str(result.exception)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("pieces", [1, 2])
def test_a_round_tells_how_far_it_is(tmp_path: Path, pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "TEST_DEALS", 2)
    run = Training(tmp_path, msgspec.structs.replace(SMALL, rounds=1, samples=1000, simulations=2, pieces=pieces))
    told: list[tuple[str, int, int]] = []
    run.tell = lambda *what: told.append(what)
    assert len(list(run.rounds())) == 1
    assert list(dict.fromkeys(phase for phase, _, _ in told)) == ["playing", "fitting", "testing"]
    assert all(0 <= done <= total for _, done, total in told)


def test_short_times_are_told_in_seconds() -> None:
    assert [duration(seconds) for seconds in (0.4, 119, 121, 3600)] == [
        "0 seconds",
        "119 seconds",
        "2 minutes",
        "60 minutes",
    ]
