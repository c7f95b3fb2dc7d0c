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
from bosquet.env import decisions
from bosquet.env.compiled_game import CompiledGame
from bosquet.env.decisions import SelfPlay, parts_of, written
from bosquet.lab.matches import Match
from tests.helpers.command_line import cli_process

PAGE = Path(__file__).resolve().parent.parent.parent / "docs/data.md"


def settings(
    game: str = "topiary", bots: tuple[str, ...] = ("greedy", "random"), games: int = 7, **more: Any
) -> SelfPlay:
    return SelfPlay(Match(game, more.pop("options", {"players": 2}), bots, 3), games, **more).checked()


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "PART", 3)
    monkeypatch.setattr(decisions, "GROUP_BYTES", 100_000)


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
                "run": play.run,
                "bots": list(play.match.bots),
                "game": number,
                "seed": played.record()["seed"],
                "ply": ply,
                "seat": state.seat,
                "action": kernels.encoder.index_of(state, action),
                "notation": played.moves[ply],
                "forfeited": False,
                "return": pytest.approx(points - (total - points) / others if others else points),
                "observation": seen.tobytes(),
                "legal": legal,
            }
            assert row["action"] in legal
    assert next(expected, None) is None


def test_parts_and_groups_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = tmp_path / "few.parquet", tmp_path / "many.parquet"
    assert list(written(settings(), few, 1)) == [0, 3, 6, 7]
    monkeypatch.setattr(decisions, "PART", 500)
    monkeypatch.setattr(decisions, "GROUP_BYTES", 1 << 24)
    assert list(written(settings(), many, 1)) == [0, 7]
    assert pl.read_parquet(few).equals(pl.read_parquet(many))
    assert parquet.ParquetFile(few).num_row_groups > parquet.ParquetFile(many).num_row_groups == 1
    made = json.loads(parquet.read_schema(few).metadata[b"bosquet"])
    assert (made["bots"], made["seed"], made["actions"], made["forfeits"]) == (["greedy", "random"], 3, 114, [0, 0])
    assert not parts_of(few).exists()


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, whole = tmp_path / "games.parquet", tmp_path / "whole.parquet"
    list(written(settings(), whole, 1))
    asked = itertools.count()
    assert list(written(settings(), file, 1, lambda: next(asked) > 0)) == [0, 3]
    assert not file.exists()
    kept = parts_of(file) / "000000000.parquet"
    before = kept.stat().st_mtime_ns
    assert decisions.kept_seed(file) == 3
    other = r'bots is \["greedy","random"\] there and \["random","random"\] here; the same command as then goes on'
    with pytest.raises(BosquetError, match=f"holds other games: {other}"):
        next(written(settings(bots=("random",)), file))
    with pytest.raises(BosquetError, match="holds other games: games is 7 there and 5 here"):
        next(written(settings(games=5), file))
    with monkeypatch.context() as patch:
        patch.setattr(decisions, "digests", lambda game, bots: {"mine": "other"})
        with pytest.raises(BosquetError, match='"mine" has changed since it was begun; remove it'):
            next(written(settings(), file))
    parts = written(settings(), file, 1)
    assert next(parts) == 3
    assert kept.stat().st_mtime_ns == before
    assert list(parts) == [6, 7]
    assert pl.read_parquet(file).equals(pl.read_parquet(whole))
    with pytest.raises(BosquetError, match="exists already"):
        next(written(settings(), file))


FAILS_LATE = """
class Late:
    def choose(self, view, rng):
        if view.scores[view.viewer] >= 5:
            return "pass"
        return max(view.moves, key=lambda move: move.points or 0).say
"""


def test_what_a_bot_did_not_decide_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that fails is named, counted, and none of the moves that are made for it passes for its own."""
    monkeypatch.setattr(decisions, "SEARCHED_PART", 1)
    (tmp_path / "late.py").write_text(FAILS_LATE)
    bots = (f"{tmp_path / 'late.py'}:Late", "random")
    play, file = settings("topas", bots, 2), tmp_path / "games.parquet"
    asked, told = itertools.count(), []
    assert list(written(play, file, 1, lambda: next(asked) > 0, lambda *game: told.append(game))) == [0, 1]
    assert list(written(play, file, 1, report=lambda *game: told.append(game))) == [1, 2]
    assert decisions.how_made(file)["forfeits"] == [2, 0]  # of both runs
    assert decisions.how_made(file)["limits"]["seconds"] == 10
    assert [number for number, _ in told] == [0, 1]
    rows = pl.read_parquet(file).to_dicts()
    for number, (forfeit,) in told:
        assert (forfeit.seat, forfeit.reason) == (0, 'made the move "pass", which is not legal')
        assert 0 < forfeit.ply < 13
        for row in rows:
            if row["game"] == number:
                assert row["forfeited"] == (row["seat"] == 0 and row["ply"] >= forfeit.ply)
                assert row["return"] == (-1 if row["seat"] == 0 else 1)


def test_the_command_says_which_bot_failed(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(FAILS_LATE)
    command = ["selfplay", "topas", "--bots", "late.py:Late,random", "--games", "2", "--seed", "3", "--workers", "1"]
    done = cli_process(*command, "--out", "told.parquet", "--json", cwd=tmp_path)
    assert done.returncode == 0
    said = done.stderr.splitlines()
    assert [re.sub(r"ply \d+", "ply P", line) for line in said] == [
        f'game {number}, ply P: late.py:Late in seat 0 loses the game: it made the move "pass", which is not legal'
        for number in range(2)
    ]
    assert json.loads(done.stdout)["forfeits"] == [2, 0]
    simulated = cli_process("simulate", *command[1:], cwd=tmp_path)
    assert simulated.stderr.splitlines() == said  # the same games, the same lines
    again = cli_process(*command, "--out", "again.parquet", cwd=tmp_path)
    assert "late.py:Late forfeited 2 games; standard error says why" in again.stdout


def test_a_run_that_is_killed_early_has_its_settings_or_has_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No games are begun whose seed is not kept."""
    file = tmp_path / "games.parquet"
    with monkeypatch.context() as patch:
        patch.setattr(decisions.SelfPlay, "settings", lambda self: interrupted())
        with pytest.raises(KeyboardInterrupt):
            next(written(settings(), file, 1))
    assert not parts_of(file).exists()
    run = written(settings(), file, 1)
    assert next(run) == 0
    assert decisions.kept_seed(file) == 3
    run.close()


def interrupted() -> Any:
    raise KeyboardInterrupt


def test_two_runs_do_not_write_the_same_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    file = tmp_path / "games.parquet"
    first = written(settings(), file, 1)
    assert next(first) == 0
    with pytest.raises(BosquetError, match=r"games.parquet: another run uses this file; wait for it"):
        next(written(settings(), file, 1))
    assert list(first) == [3, 6, 7]
    assert sorted(tmp_path.iterdir()) == [file]
    with pytest.raises(BosquetError, match="exists already"):
        next(written(settings(), file, 1))


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
    done = cli_process(*command[:-4], "--out", file, "--json")  # the seed is that of the run before
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
    assert len(blocks) == 5
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    assert names["kinds"]["decisions"].sum() == len(pl.read_parquet("topiary.parquet"))
    assert [games for _, _, games in names["seats"].fetchall()] == [10, 10]
    assert "topiary" in capsys.readouterr().out
