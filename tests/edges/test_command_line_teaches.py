"""What the command line says of itself: groups, examples, errors with a remedy, tables that fit."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer.main

import bosquet
from bosquet.bots import LEVELS, NAMES
from bosquet.bots.catalogue import CATALOGUE
from bosquet.cli import GROUPS, app
from bosquet.cli.examples import EXAMPLES
from tests.helpers.command_line import cli
from tests.helpers.rows import each_row

COMMANDS: Any = typer.main.get_command(app)
ROOT = Path(__file__).parents[2]


def test_commands_stand_in_groups() -> None:
    shown = cli("--help").stdout
    places = [shown.index(f"─ {group} ─") for group in GROUPS]
    assert places == sorted(places)
    assert "─ Commands ─" not in shown


@each_row("name", COMMANDS.commands)
def test_each_help_ends_with_examples_that_are_understood(name: str) -> None:
    shown = " ".join(cli(name, "--help").stdout.split())
    assert len(EXAMPLES[name]) == 2
    for example in EXAMPLES[name]:
        assert example in shown
        program, called, *arguments = shlex.split(example)
        assert (program, called) == ("bosquet", name)
        COMMANDS.commands[name].make_context(name, list(arguments))  # raises what is wrong with it


def test_options_of_games_are_a_group_of_their_own() -> None:
    for name in ("play", "simulate", "arena", "selfplay", "train", "bench"):
        before, _, after = cli(name, "--help").stdout.partition("Options of the games")
        assert "--overbuild" in after
        assert "--overbuild" not in before
    assert "Options of the games" not in cli("score", "--help").stdout


@each_row(
    ("command", "code", "said"),
    [
        ("plya", 2, "no such command 'plya'; did you mean 'play', 'replay'? see bosquet --help"),
        ("play topis", 2, 'did you mean "topas"? see bosquet play --help'),
        ("arena topas --schedule pars", 2, 'did you mean "pairs"?'),
        ("simulate topas --plyers 2", 2, "--players"),
        ("simulate topas -g ten", 2, "'ten' is not a whole number; see bosquet simulate --help"),
        ("simulate topas -b gredy", 1, 'did you mean "greedy"?'),
        ("simulate topas -b level7", 1, 'did you mean "level6"?'),
        ("simulate topas -b Level3", 1, 'did you mean "level3"?'),
        ("simulate topas -b search:10:thread=2", 1, 'did you mean "threads"?'),
        ("simulate schlossgarten --work eech", 1, 'did you mean "each"?'),
        ("simulate topas -b quixote", 1, "cmd:PROGRAM"),
        ("puzzles -o x -g topiari", 1, 'did you mean "topiary"?'),
        ("simulate", 2, "missing argument"),
        ("replay nowhere.jsonl", 1, "nowhere.jsonl: can't be read"),
        ("replay .", 1, ".: is a folder"),
    ],
)
def test_errors_are_one_line_with_what_was_meant(command: str, code: int, said: str) -> None:
    done = cli(*command.split())
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert done.stderr.startswith("bosquet: ")
    assert done.stderr.count("\n") == 1
    if "quixote" in command:
        assert "did you mean" not in done.stderr


def test_bots_are_listed_with_their_strengths() -> None:
    shown = cli("bots").stdout
    for name in NAMES:
        assert name in shown
    assert "1534" in shown or "level6" in shown
    rows = {row["bot"]: row["elo"] for row in json.loads(cli("bots", "--json").stdout)}
    assert set(NAMES) <= rows.keys()
    for game in bosquet.GAMES:
        elos = [rows[f"level{level}"][game] for level in range(1, 7)]
        assert elos == sorted(elos)
    assert rows["greedy"] == dict.fromkeys(bosquet.GAMES)


def test_bots_are_called_as_on_the_page() -> None:
    words = json.loads((ROOT / "web/src/words/start.json").read_text(encoding="utf-8"))
    for name, said in CATALOGUE.items():
        if f"bot_{name}" in words:
            assert said.startswith(words[f"bot_{name}"]["en"])
            assert name not in LEVELS or said.endswith(words[f"strength_{name}"]["en"])


@each_row(
    ("width", "bots"),
    [
        (40, "greedy,search:1:rounds=2"),
        (60, "search:1,search:2:rounds=3:temperature=0.5"),
    ],
)
def test_narrow_terminals_lose_no_name(width: int, bots: str) -> None:
    for command in ("simulate", "arena"):
        called = [command, "topas", "-b", bots, "-g", "2", "--workers", "1", "--seed", "1"]
        done = cli(*called, environment={"COLUMNS": str(width)})
        assert done.returncode == 0, done.stderr
        assert max(map(len, done.stdout.splitlines())) <= width
        assert "…" not in done.stdout
        for bot in bots.split(","):
            assert bot in done.stdout.replace("\n", "")
    done = cli("bots", environment={"COLUMNS": str(width)})
    assert max(map(len, done.stdout.splitlines())) <= width
    for bot in CATALOGUE:
        assert bot in done.stdout.replace("\n", "")


def test_arena_shows_one_rating() -> None:
    done = cli("arena", "topas", "-g", "2", "--workers", "1", environment={"COLUMNS": "100"})
    assert "Elo" in done.stdout
    assert "OpenSkill" not in done.stdout


@each_row(
    ("command", "said"),
    [
        ("bench topas --seconds 0.01 --threads 1 -n 2", "measuring 1 rows"),
        ("check --data x", "checking x"),
        ("backup b --data x", "copying"),
    ],
)
def test_long_commands_say_at_once_what_they_do(command: str, said: str, tmp_path: Path) -> None:
    assert cli(*command.split(), cwd=tmp_path).stderr.startswith(said)


# --- completion ---


def completed(*words: str) -> list[str]:
    environment = {
        "_BOSQUET_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["bosquet", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = cli(environment=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_shell_completes_commands_games_and_bots() -> None:
    assert completed("simu") == ["simulate"]
    assert completed("play", "to") == ["topiary", "topas"]
    assert completed("arena", "topas", "--sched") == ["--schedule"]
    for command in ("play", "simulate", "arena", "selfplay"):
        assert completed(command, "topas", "-b", "gre") == ["greedy"]
    assert completed("simulate", "topas", "-b", "greedy,level") == [f"greedy,level{level}" for level in range(1, 7)]


# --- Ctrl-C ---


@pytest.mark.skipif(sys.platform == "win32", reason="signals there are others")
def test_ctrl_c_while_the_interpreter_ends_changes_nothing(tmp_path: Path) -> None:
    """As the second of two does, where the first one has ended a match."""
    late = "import os, signal, sys\nclass Late:\n    def __del__(self, kill=os.kill, at=(os.getpid(), signal.SIGINT)):"
    late += "\n        kill(*at)\nlate = Late()\nfrom bosquet.__main__ import main\nmain()"
    done = subprocess.run([sys.executable, "-c", late, "bench", "chess"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals there are others")
@each_row(
    ("command", "after"),
    [
        (command, after)
        for command in ("simulate topas -g 100000 --workers 2", "play topas -b greedy", "bot greedy", "bench topas")
        for after in (0.0, 0.3)
    ],
)
def test_ctrl_c_is_quiet_from_the_first_moment(command: str, after: float, tmp_path: Path) -> None:
    """As soon as a module of bosquet runs: the interpreter itself starts before."""
    assert command
    start = "import sys; sys.stderr.write('begun\\n'); sys.stderr.flush(); from bosquet.__main__ import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", start, *command.split()],
        cwd=tmp_path, env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    time.sleep(0.15 + after)
    os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=60)  # its input stays open: the end of that is another reason to leave
    out, err = process.communicate()
    assert process.returncode == 130, (out, err)
    for word in ("Traceback", "Exception ignored", "Error"):
        assert word not in out + err
