"""What commands print where the encoding of the output lacks characters, as that of `> file` on Windows does."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.main

import bosquet
from bosquet.cli import app, output, streams
from tests.helpers.command_line import cli
from tests.helpers.records import RECORDS

ENCODINGS = ["utf-8", "cp1252", "latin-1", "ascii", "cp850"]
NAMES = ["Zoë ∞", "山田 “Ł” 🌲", "Ana…", "—"]
COMMANDS: Any = typer.main.get_command(app)
SHAPELESS = ("Cf", "Zl", "Zp")
"""Categories of characters that nobody sees."""
DRAWING = ("play", "score", "position")
"""Commands that print something else for each game."""

Calls = dict[str, list[list[str]]]


def calls(folder: Path, game: str) -> Calls:
    """Return calls of every command that print what they have to say, on records of this game."""
    record = RECORDS[game] | {"players": NAMES[: RECORDS[game]["options"]["players"]]}
    running = record | {"moves": record["moves"][:2], "result": None}
    for name, one in (("over", record), ("running", running), ("wrong", record | {"moves": ["ä∞"]})):
        (folder / name).write_text(json.dumps(one, ensure_ascii=False), encoding="utf-8")
    bots = ["-b", "greedy,random", "-g", "2", "--workers", "1"]
    position = str(bosquet.new(game, seed=1).position(0))
    return {
        "serve": [["--port", "∞"]],
        "worker": [["--kind", "∞"], ["--bus", "redis://∞"]],
        "site": [["∞", "--base", "∞"], ["wrong"]],
        "backup": [["∞.backup", "--data", "山田"]],
        "restore": [["∞.backup", "--data", "山田"]],
        "check": [["--data", "山田"]],
        "play": [[game, "-b", "greedy", "--seed", "1"]],
        "simulate": [[game, *bots], [game, *bots, "--json"], [game, "-b", "gréedy"]],
        "arena": [[game, *bots]],
        "evaluate": [[game, "-n", "1", "-b", "gréedy"], ["--verify", "∞"]],
        "selfplay": [[game, "--out", "∞", "-g", "0"]],
        "puzzles": [["--out", "∞", "-g", "Töpiary"]],
        "train": [[game, "--out", str(folder)]],
        "replay": [["over"], ["over", "--trace"], ["wrong"], ["∞"]],
        "score": [["over"], ["over", "--json"], ["running"], ["wrong"]],
        "position": [[position], ["--record", "running"], [position, "--json"]],
        "analyse": [["running", "--simulations", "1"], ["wrong"]],
        "bench": [[game, "--seconds", "0.01", "--threads", "1", "-n", "2"]],
        "bots": [[], ["--json"]],
        "bot": [["∞", "--server", "http://∞"]],
    }


@pytest.mark.parametrize(
    ("command", "encoding"),
    [(command, each) for command in COMMANDS.commands for each in (ENCODINGS if command in DRAWING else ("ascii",))],
)
def test_every_command_prints_in_every_encoding(
    command: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    for game in bosquet.GAMES if command in DRAWING else ("topas",):
        for arguments in [["--help"], *calls(tmp_path, game)[command]]:
            done = cli(command, *arguments, cwd=tmp_path, encoding=encoding, answers="?\nmoves\n1\n∞\nquit\n")
            assert done.returncode in (0, 1, 2, 130), arguments
            assert "UnicodeEncodeError" not in done.stderr
            assert done.stdout + done.stderr
            if "--json" in arguments or "--trace" in arguments:
                assert _read(done.stdout) == _read(cli(command, *arguments, cwd=tmp_path).stdout) or command in TIMED


TIMED = ("simulate",)
"""Commands whose JSON says how long they took."""


def _read(text: str) -> list[Any]:
    assert text
    return [json.loads(line) for line in text.splitlines()]


def test_every_command_is_called(tmp_path: Path) -> None:
    assert calls(tmp_path, "topas").keys() == COMMANDS.commands.keys()


@pytest.mark.parametrize("encoding", [pytest.param("cp1252", marks=pytest.mark.slow), "ascii"])
def test_a_process_whose_output_goes_to_a_file(encoding: str, tmp_path: Path) -> None:
    """What holds in this process holds for one that Python starts with this encoding, and for what it reads."""
    calls(tmp_path, "topas")
    environment = os.environ | {"PYTHONIOENCODING": encoding, "XDG_DATA_HOME": str(tmp_path / "home")}
    for arguments in (["score", "over"], ["score", "over", "--json"], ["replay", "wrong"], ["play", "topas"]):
        with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
            done = subprocess.run(
                [sys.executable, "-m", "bosquet", *arguments],
                cwd=tmp_path, env=environment, stdout=out, stderr=err, input=b"\xff\xe9\x81\nquit\n", check=False,
            )  # fmt: skip
        printed, complained = ((tmp_path / name).read_bytes().decode(encoding) for name in ("out", "err"))
        assert done.returncode == {"score": 0, "replay": 1, "play": 130}[arguments[0]], complained
        assert "Traceback" not in complained
        if "--json" in arguments:
            assert json.loads(printed)["scores"] == RECORDS["topas"]["result"]["scores"]


def test_a_name_that_no_encoding_has_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes of the command line that are no text come to Python as single surrogates."""
    for encoding in ENCODINGS:
        done = cli("replay", "no\udcffwhere", encoding=encoding)
        assert done.returncode == 1
        assert done.stderr.startswith("bosquet: no?where: ")
        output.print_json({"file": "no\udcffwhere"})
        assert json.loads(capsys.readouterr().out) == {"file": "no\udcffwhere"}


def test_json_escapes_what_the_encoding_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '["ë∞🌲\\n"]'
    for encoding in ENCODINGS:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
        written = streams.as_json(text)
        assert json.loads(written.encode(encoding).decode(encoding)) == json.loads(text)
        assert (written == text) == (encoding == "utf-8")


def test_characters_of_boards_keep_their_width_and_are_told_apart() -> None:
    for group in ("●▲■◆", "●○", "∙▒", "▪░", "▁▂▃▄▅▆▇█", "↑↗→↘↓←", "◀★"):
        shown = [streams.like(character) for character in group]
        assert [len(text) for text in shown] == [1] * len(group)
        assert len(set(shown)) == len(group), group


def test_whatever_our_own_texts_hold_has_something_like_it() -> None:
    """A character that is new in what commands print needs a row in `streams.LIKE`."""
    package = Path(bosquet.__file__).parent
    wanted: Callable[[Path], bool] = lambda file: "server" not in file.parts  # noqa: E731
    for file in filter(wanted, package.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and file.name != "streams.py":
                seen = {one for one in node.value if unicodedata.category(one) not in SHAPELESS}
                lost = {one for one in seen if streams.like(one) == streams.OTHER and one != streams.OTHER}
                assert not lost, f"{file}: {lost}"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_a_bot_prints_costs_no_game(encoding: str, tmp_path: Path) -> None:
    bot = "class Says:\n    def choose(self, view, rng):\n        print('→ 山田')\n        return view.moves[0].say\n"
    (tmp_path / "says.py").write_text(bot, encoding="utf-8")
    command = [sys.executable, "-m", "bosquet", "simulate", "topas", "-b", "says.py", "-g", "1", "--bot-log", "log"]
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "says.py: → 山田\n" in (tmp_path / "log").read_text(encoding="utf-8")
