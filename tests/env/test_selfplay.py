"""Decisions in Parquet files: what they hold, runs that are stopped, and the examples of docs/data.md."""

from __future__ import annotations

import itertools
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb  # noqa: F401  (the page reads with it)
import numpy as np
import polars as pl
import pyarrow.parquet as parquet
import pytest

import bosquet
from bosquet.core.errors import BosquetError, OptionError
from bosquet.env import selfplay
from bosquet.env.compiled_game import CompiledGame
from bosquet.env.selfplay import SelfPlay, parts_of, written
from bosquet.lab.matches import Match
from tests.edges.test_foreign_records import cli

PAGE = Path(__file__).resolve().parent.parent.parent / "docs/data.md"


def settings(
    game: str = "topiary", bots: tuple[str, ...] = ("greedy", "random"), games: int = 7, **more: Any
) -> SelfPlay:
    return SelfPlay(Match(game, more.pop("options", {"players": 2}), bots, 3), games, **more).checked()


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "PART", 3)
    monkeypatch.setattr(selfplay, "GROUP_BYTES", 100_000)


@pytest.mark.parametrize(
    ("game", "options", "bots"),
    [
        ("topiary", {"players": 3, "draft": True}, ("greedy", "random")),
        ("topas", {"players": 1}, ("greedy",)),
        ("schlossgarten", {"players": 2}, ("greedy",)),  # has chance events, and is played through views
    ],
)
def test_rows_are_the_decisions_of_the_games_that_simulate_plays(
    tmp_path: Path, game: str, options: dict[str, Any], bots: tuple[str, ...]
) -> None:
    play = settings(game, bots, 2, options=options, reward="points")
    assert list(written(play, tmp_path / "games.parquet", 1)) == [0, 2]
    rows = pl.read_parquet(tmp_path / "games.parquet").to_dicts()
    kernels = CompiledGame(bosquet.spec(game), play.match.options)
    expected = iter(rows)
    for number in range(2):
        played = play.match.play(number)
        total = sum(played.scores)
        for ply, state, action in played.numbered_plies():
            row = next(expected)
            states = kernels.pack(state)
            seen, moves = np.zeros(kernels.observation_size, np.uint8), kernels.moves()
            kernels.look(states, 0, state.seat, seen)
            legal = sorted(int(move) for move in moves[: kernels.write_legal(states, 0, moves)])
            points = played.scores[state.seat]
            others = played.players - 1
            assert row == {
                "game": number,
                "ply": ply,
                "seat": state.seat,
                "action": kernels.encoder.index_of(state, action),
                "notation": played.moves[ply],
                "return": pytest.approx(points - (total - points) / others if others else points),
                "observation": seen.tobytes(),
                "legal": legal,
            }
            assert row["action"] in legal
    assert next(expected, None) is None


def test_parts_and_groups_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = tmp_path / "few.parquet", tmp_path / "many.parquet"
    assert list(written(settings(), few, 1)) == [0, 3, 6, 7]
    monkeypatch.setattr(selfplay, "PART", 500)
    monkeypatch.setattr(selfplay, "GROUP_BYTES", 1 << 24)
    assert list(written(settings(), many, 1)) == [0, 7]
    assert pl.read_parquet(few).equals(pl.read_parquet(many))
    assert parquet.ParquetFile(few).num_row_groups > parquet.ParquetFile(many).num_row_groups == 1
    made = json.loads(parquet.read_schema(few).metadata[b"bosquet"])
    assert (made["bots"], made["seed"], made["actions"]) == (["greedy", "random"], 3, 114)
    assert not parts_of(few).exists()


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    file, whole = tmp_path / "games.parquet", tmp_path / "whole.parquet"
    list(written(settings(), whole, 1))
    asked = itertools.count()
    assert list(written(settings(), file, 1, lambda: next(asked) > 0)) == [0, 3]
    assert not file.exists()
    kept = parts_of(file) / "000000000.parquet"
    before = kept.stat().st_mtime_ns
    assert selfplay.kept_seed(file) == 3
    with pytest.raises(BosquetError, match="holds other games, their bots differs"):
        next(written(settings(bots=("random",)), file))
    parts = written(settings(), file, 1)
    assert next(parts) == 3
    assert kept.stat().st_mtime_ns == before
    assert list(parts) == [6, 7]
    assert pl.read_parquet(file).equals(pl.read_parquet(whole))
    with pytest.raises(BosquetError, match="exists already"):
        next(written(settings(), file))


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    command = ["selfplay", "topas", "--bots", "level3", "--games", "600", "--seed", "1", "--out", str(file)]
    run = subprocess.Popen([sys.executable, "-m", "bosquet", *command], stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while not list(parts_of(file).glob("*.parquet")) and time.monotonic() < end:
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=120)
    assert run.returncode == 130, said
    assert re.search(r"stopped after \d+ of 600 games; the same command goes on", said)
    assert not file.exists()
    assert list(parts_of(file).glob("*.parquet"))
    done = cli(*command[:-4], "--out", file, "--json")  # the seed is that of the run before
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["seed"] == 1
    assert pl.read_parquet(file)["game"].n_unique() == 600


def test_rewards_that_do_not_exist_are_refused() -> None:
    with pytest.raises(OptionError, match="reward"):
        settings(reward="glory")


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    list(written(settings(bots=("level1",), games=10), tmp_path / "topiary.parquet", 1))
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 4
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    assert names["kinds"]["decisions"].sum() == len(pl.read_parquet("topiary.parquet"))
    assert [games for _, _, games in names["seats"].fetchall()] == [10, 10]
    assert "topiary" in capsys.readouterr().out
