"""The benchmark of environments: every contender plays, rows say what they should, failures are named.

Nothing here measures a time.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bosquet.core.errors import BosquetError, OptionError
from bosquet.core.system.extras import group_remedy
from bosquet.lab import env_bench
from bosquet.lab.baselines import BASELINES, Baseline, Library
from bosquet.lab.isolated import Piece, Team, usable_cores
from tests.helpers.command_line import cli

INSTALLED = [baseline for baseline in BASELINES if baseline.library.installed]


def one_step() -> Piece:
    return lambda: 1


def held_cores(path: Path) -> Piece:
    """Writes down which cores the process is held to."""
    path.write_text(json.dumps(usable_cores()))
    print("a greeting")
    return lambda: 1


def refuses() -> Piece:
    raise RuntimeError("no such game")


def dies() -> Piece:
    os._exit(1)


def dies_later() -> Piece:
    left = [True]
    return lambda: left.pop() if left else os._exit(1)


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return cli("bench", *arguments, "--env", "--seconds", "0.03")


@pytest.mark.parametrize("baseline", INSTALLED, ids=lambda baseline: f"{baseline.what} {baseline.batch}")
def test_every_installed_peer_plays(baseline: Baseline) -> None:
    with baseline.team(usable_cores()[:1]) as team:
        assert team.measure(0).steps_per_s > 0


@pytest.mark.slow
def test_bench_measures_batches_without_masks() -> None:
    done = bench("topiary", "--threads", "1", "--peers", "none", "--no-masks", "--json")
    assert done.returncode == 0
    assert [(row["what"], row["masks"]) for row in json.loads(done.stdout)] == [
        ("topiary, 2 players, no masks", False)
    ] * 2


@pytest.mark.slow
def test_bench_gives_a_row_for_ours_and_each_installed_peer_and_names_the_missing() -> None:
    done = bench("topas", "--threads", "1", "--json")
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    rows = json.loads(done.stdout)
    ours = [row for row in rows if "game" in row]
    assert [(row["game"], row["options"]["players"], row["batch"]) for row in ours] == [
        ("topas", 2, 256),
        ("topas", 2, 4096),
    ]
    assert [row["what"] for row in rows if "missing" not in row and "game" not in row] == [
        baseline.what for baseline in INSTALLED
    ]
    missing = {
        baseline.library.name: group_remedy("peers", baseline.library.packages)
        for baseline in BASELINES
        if not baseline.library.installed
    }
    assert {row["what"]: row["missing"] for row in rows if "missing" in row} == missing
    for row in rows:
        if "missing" not in row:
            least, most = row["steps_per_s_range"]
            assert 0 < least <= row["steps_per_s"] <= most
            assert row["cores"] == 1
    assert max(row["ratio"] for row in rows if "game" not in row and "missing" not in row) == 1
    for row in ours:
        assert row["ratio_range"][0] <= row["ratio"] <= row["ratio_range"][1]


@pytest.mark.slow
def test_bench_on_all_cores_without_peers_is_a_table() -> None:
    done = bench("topas", "--players", "3", "--peers", "none", "--threads", str(len(usable_cores())))
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith("measuring 2 batches beside 0 environments of others")
    assert done.stdout.count("topas, 3 players") == 2
    assert "Pgx" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["topas", "--box", "my.json"], "--box is not for --env"),
        (["topas", "--players", "9"], "players"),
        (["topas", "--peers", "none", "--threads", "4096"], "this process may use"),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_line(arguments: list[str], words: str) -> None:
    done = bench(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert words in done.stderr


def test_required_peers_that_are_missing_are_named_with_what_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Library("Nobody's", ("no_such_module",), "nobodys")
    monkeypatch.setattr("bosquet.core.system.extras.runs_in_checkout", lambda: False)
    monkeypatch.setattr(env_bench, "BASELINES", (Baseline(missing, "a game", one_step, ()),))
    assert env_bench.installed_peers() == ([], [missing])
    with pytest.raises(OptionError, match=r"Nobody's.*not installed; pip install nobodys"):
        env_bench.required_peers()


def test_a_process_is_held_to_its_cores_and_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    core = usable_cores()[-1]
    path = tmp_path / "cores"
    with Team("test", held_cores, (path,), [[core]]):
        assert json.loads(path.read_text()) == ([core] if hasattr(os, "sched_setaffinity") else usable_cores())
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("make", "words"),
    [(refuses, "a game: RuntimeError: no such game"), (dies, "has died"), (dies_later, "has died")],
)
def test_a_peer_that_fails_is_named(make: Callable[[], Piece], words: str) -> None:
    with pytest.raises(BosquetError, match=words):
        Team("a game", make, (), [[usable_cores()[0]]])
