"""Bots from outside where bots are named: the terminal, environments, the coach's luck, and `bosquet bot`."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import bosquet
from bosquet import bots
from bosquet.bots import outside
from bosquet.core.records.record import write_file
from bosquet.core.rng import Rng
from bosquet.core.view import to_json
from bosquet.env.gymnasium import OneSeat
from bosquet.terminal.seating import seat_names, seats_of
from bosquet.terminal.table import Table
from tests.bots import consumer
from tests.helpers.command_line import cli
from tests.helpers.rows import each_row

MINE = """
class Last:
    def choose(self, view, rng):
        return view.moves[-1].say

class Fails:
    def choose(self, view, rng):
        raise RuntimeError("too hard")
"""


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[str]:
    """The place of bots of somebody's own."""
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    yield str(path)
    outside.close_idle()


def table(game: bosquet.Game, seats: list[str], *, own_bots: bool) -> tuple[Table, Console]:
    console = Console(width=200, record=True, quiet=True)
    answers = iter(["1"] * 1000)
    return Table(game, seats, console=console, ask=lambda prompt: next(answers), own_bots=own_bots), console


REPEATED = ["--bots", "search:1,random", "-b", "greedy", "--players", "3", "--games", "1", "--seed", "1", "--json"]
REPEATED += ["--workers", "1"]


@each_row(
    ("command", "found"),
    [
        (["simulate", "topas"], lambda shown: shown["bots"]),
        (["arena", "topas"], lambda shown: [row["bot"] for row in shown["bots"]]),
    ],
)
def test_bots_that_are_named_one_after_the_other_all_play(command: list[str], found: Any) -> None:
    done = cli(*command, *REPEATED)
    assert done.returncode == 0, done.stderr
    assert found(json.loads(done.stdout)) == ["search:1", "random", "greedy"]


@each_row(
    ("command", "found"),
    [
        (["simulate", "topas"], lambda shown: shown["bots"]),
        (["arena", "topas"], lambda shown: [row["bot"] for row in shown["bots"]]),
    ],
)
def test_bots_are_named_as_on_the_page_or_by_number(command: list[str], found: Any) -> None:
    done = cli(*command, "--bots", "Daisy,2", "--games", "1", "--workers", "1", "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert found(json.loads(done.stdout)) == ["level1", "level2"]


@each_row("command", [["simulate", "topas", "--bots"], ["arena", "topas", "--bots"], ["bot"]])
def test_nearly_a_name_of_the_page_is_asked_about(command: list[str]) -> None:
    done = cli(*command, "haw-thorn")
    assert done.returncode == 1
    assert done.stderr == 'bosquet: there is no bot "haw-thorn"; did you mean "Hawthorn"?\n'


@each_row("option", ["--bots", "--seats"])
def test_names_at_the_terminal_may_stand_one_after_the_other(option: str) -> None:
    """A seat too few would be an error; here the game begins."""
    names = ["greedy", "random"] if option == "--bots" else ["Ann", "greedy", "random"]
    words = [word for name in names for word in (option, name)]
    done = cli("play", "topas", "--players", "3", "--seed", "1", *words)
    assert "greedy" in done.stdout, done.stderr
    assert "random" in done.stdout


def test_games_of_puzzles_may_stand_one_after_the_other(tmp_path: Path) -> None:
    done = cli("puzzles", "--out", tmp_path / "puzzles.jsonl", "-g", "chess", "-g", "topas")
    assert done.returncode == 1
    assert "chess" in done.stderr


def test_a_name_in_brackets_is_shown(tmp_path: Path) -> None:
    """The console takes no part of a name for markup."""
    folder = tmp_path / "[red]"
    folder.mkdir()
    (folder / "mine.py").write_text(MINE)
    command = ["topas", "--bots", "[red]/mine.py:Last,random", "--games", "2", "--workers", "1"]
    for kind in ("arena", "simulate"):
        done = cli(kind, *command, cwd=tmp_path, environment={"COLUMNS": "200"})
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("[red]/mine.py:Last") == (2 if kind == "arena" else 1)


def test_at_the_terminal(mine: str) -> None:
    seats = seat_names(3, bots_given=f"{mine}:Last,search:1")
    assert seats == ["You", f"{mine}:Last", "search:1"]
    game = bosquet.new("topas", players=3, seed=2)
    played, _ = table(game, seats, own_bots=True)
    assert played.people == [0]
    assert played.run()
    assert game.over


def test_at_the_terminal_one_that_fails_has_lost(mine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = bosquet.new("topas", players=2, seed=2)
    played, console = table(game, ["You", f"{mine}:Fails"], own_bots=True)
    shown: list[str] = []
    monkeypatch.setattr(console, "print", lambda *given, **how: shown.extend(map(str, given)))
    assert played.run()
    assert game.over
    (lost,) = [line for line in shown if "has lost" in line]
    assert 'it ended with exit code 1: "RuntimeError: too hard", ' in lost
    assert lost.endswith("mine.py:8 in choose. Random moves are made for it.")


def test_a_record_starts_no_program(tmp_path: Path) -> None:
    """Somebody's record names whom it likes; only what is typed here is started."""
    mark = tmp_path / "mark"
    game = bosquet.new("topas", players=2, seed=2)
    game.extra["players"] = ["cmd:touch x", "greedy"]
    path = tmp_path / "game.json"
    write_file(path, [game])
    saved = bosquet.read(path)
    names = seats_of(saved)
    assert names == ["cmd:touch x", "greedy"]
    loaded, _ = table(saved, names, own_bots=False)
    assert loaded.people == [0]
    assert not mark.exists()


@pytest.mark.slow
def test_in_gymnasium(mine: str) -> None:
    environment: Any = OneSeat("topas", players=3, opponents=[f"{mine}:Last", "random"])
    games = []
    for _ in range(2):
        environment.reset(seed=4)
        while not environment.game_state.over:
            environment = copy.deepcopy(environment)
            environment.step(environment.game_state.legal()[0])
        games.append(environment.game_state.observation(0).tobytes())
    assert games[0] == games[1]
    environment.close()
    failing = OneSeat("topas", opponents=[f"{mine}:Fails"])
    failing.reset(seed=1)
    with pytest.raises(bosquet.BosquetError, match=r'the bot ".*mine\.py:Fails" ended with .*too hard'):
        failing.step(failing.game_state.legal()[0])
    with pytest.raises(bosquet.OptionError, match="there is no Nobody"):
        OneSeat("topas", opponents=[f"{mine}:Nobody"])


@pytest.mark.slow
@each_row("command", ["arena", "simulate"])
def test_a_match_says_who_failed_and_why(command: str, mine: str) -> None:
    arguments = [command, "topas", "--bots", f"{mine}:Fails,greedy", "--games", "2", "--seed", "1"]
    environment = os.environ | {"COLUMNS": "200"}
    called = [sys.executable, "-m", "bosquet", *arguments]
    done = subprocess.run(called, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0
    assert f"{mine}:Fails forfeited 2 games; standard error says why" in done.stdout
    reason = f'loses the game: it ended with exit code 1: "RuntimeError: too hard", {mine}:8 in choose'
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert all(f"{mine}:Fails in seat " in line and line.endswith(reason) for line in lines)
    done = subprocess.run([*called, "--json"], capture_output=True, text=True, timeout=100)
    data = json.loads(done.stdout)
    assert [row["forfeits"] for row in data["bots" if command == "arena" else "seats"]] == [2, 0]


@pytest.mark.slow
def test_for_the_luck_of_a_game(mine: str, tmp_path: Path) -> None:
    game = bosquet.new("topas", players=2, seed=2)
    while not game.over:
        game.play(game.legal()[0])
    path = tmp_path / "game.json"
    write_file(path, [game])
    command = ["analyse", str(path), "--simulations", "1", "--luck", "3", "--bot", f"{mine}:Last", "--json"]
    done = subprocess.run([sys.executable, "-m", "bosquet", *command], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    again = bosquet.new("topas", players=2, seed=2)
    while not again.over:
        again.play(again.view(again.seat).moves[-1].say)
    luck = json.loads(done.stdout)["luck"]
    assert [seat["points"] for seat in luck] == [[points] * 3 for points in again.scores]


def test_bosquet_bot_lets_others_ask_for_moves() -> None:
    game = bosquet.new("topiary", players=3, seed=2)
    view = json.loads(to_json(game.view(0)))
    lines = [
        {"type": "hello", "protocol": 1},
        {"type": "game", "game": "topiary", "options": game.options, "seat": 0},
        {"type": "position", "view": view},
        {"type": "go", "id": 5, "seconds": 1, "seed": 3},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "bosquet", "bot", "greedy"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
    )
    hello, best = map(json.loads, done.stdout.splitlines())
    assert (hello["type"], hello["protocol"], done.returncode) == ("hello", 1, 0)
    assert best == {"type": "bestmove", "id": 5, "move": bots.make("greedy").choose(game.view(0), Rng(3))}


def test_the_script_that_the_type_checkers_read_runs() -> None:
    """`.ci/run` has mypy and pyright read it."""
    assert consumer.play([consumer.Careful(), consumer.Topas()], seed=1)[0] > 0
    assert consumer.steps(1) == 8
