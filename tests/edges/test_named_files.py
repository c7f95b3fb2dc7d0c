"""Files that are named at the command line: what is there is replaced only with `--force`, and secrets stay secret."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

import bosquet
from bosquet.bots.at_table import Guest
from bosquet.cli import app
from bosquet.core.errors import BosquetError
from bosquet.core.records.record import write_file
from bosquet.core.system.extras import program
from bosquet.core.system.files import growing_file, whole_file
from bosquet.server.store.key import read_key
from bosquet.server.store.sqlite_file import DATABASE
from tests.helpers.command_line import cli, cli_process

PRECIOUS = b"precious"
GAME = ("topas", "-b", "random", "-g", "2", "--seed", "1", "--workers", "1")
ALONE = ("evaluate", "topas", "-n", "1", "-b", "random", "-g", "2", "--workers", "1")

WRITING: dict[tuple[str, str], tuple[str | Path, ...]] = {
    ("simulate", "records"): ("simulate", *GAME, "--records", "file.jsonl"),
    ("arena", "records"): ("arena", "topas", "-g", "2", "--workers", "1", "--records", "file.jsonl"),
    ("arena", "plot"): ("arena", "topas", "-g", "2", "--workers", "1", "--plot", "file.svg"),
    ("evaluate", "file"): (*ALONE, "--out", "file.jsonl"),
    ("selfplay", "file"): ("selfplay", *GAME, "--out", "file.parquet"),
    ("puzzles", "file"): ("puzzles", "-g", "topas", "-c", "1", "--out", "file.jsonl"),
    ("train", "plot"): ("train", "topas", "--expert", "--out", "run", "--plot", "file.svg"),
    ("backup", "file"): ("backup", "file.backup", "--data", "data"),
    ("simulate", "bot_log"): ("simulate", *GAME, "--bot-log", "file.log"),
    ("arena", "bot_log"): ("arena", "topas", "-g", "2", "--workers", "1", "--bot-log", "file.log"),
    ("evaluate", "bot_log"): (*ALONE, "--bot-log", "file.log"),
    ("selfplay", "bot_log"): ("selfplay", *GAME, "--out", "games.parquet", "--bot-log", "file.log"),
    ("play", "bot_log"): ("play", "topas", "-b", "random", "--bot-log", "file.log"),
    ("bot", "bot_log"): ("bot", "random", "--server", "http://127.0.0.1:1/table/x", "--bot-log", "file.log"),
}
"""A command for each parameter that names a file to be written. `file.…` is that file."""
ELSEWHERE = {("arena", "folder"), ("train", "out_folder"), ("bot", "guest"), ("site", "folder")}
"""Folders that a run goes on in, the file of a guest, and the folder of a site: what is there is used, or refused."""
READING = {"data", "load", "record", "key", "verify"}
"""Names of parameters whose files are read; `file` of the commands of records is read, too."""
NOT_HERE = {("puzzles", "file"), ("train", "plot"), ("bot", "bot_log")}
"""What takes too long to be written here, or needs a server; that it is refused is quick."""
NEEDS = {"selfplay": "pyarrow", "train": "matplotlib", "plot": "matplotlib"}


def missing(which: tuple[str, str]) -> bool:
    """Return whether a library that the command needs is not installed."""
    return any(importlib.util.find_spec(NEEDS[word]) is None for word in which if word in NEEDS)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a data folder of a server."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path


def file_of(command: tuple[str | Path, ...]) -> Path:
    return Path(next(word for word in command if str(word).startswith("file.")))


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def parameters() -> Iterator[tuple[str, Any]]:
    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        for parameter in command.params:
            yield name, parameter


def test_each_parameter_that_names_a_file_is_known_here() -> None:
    found = {(name, one.name) for name, one in parameters() if one.type.name in ("path", "file")}
    written = {which for which in found if which[1] not in READING}
    reading = {(name, "file") for name in ("replay", "score", "analyse", "restore")}
    assert written - reading == (WRITING.keys() | ELSEWHERE) - {("train", "out_folder")}


def test_what_writes_a_file_has_force() -> None:
    forced = {name for name, one in parameters() if "--force" in one.opts}
    assert forced == {name for name, _ in WRITING} | {"site"}


@pytest.mark.parametrize("which", WRITING, ids=lambda which: " ".join(which))
def test_a_file_that_is_there_is_refused_before_anything_is_done(which: tuple[str, str], place: Path) -> None:
    if missing(which):
        pytest.skip("a library of this command is not installed")
    command = WRITING[which]
    file = file_of(command)
    if which == ("backup", "file"):
        make_data(place / "data")
    for there in (lambda: file.write_bytes(PRECIOUS), lambda: file.symlink_to(place / "nowhere")):
        there()
        done = cli(*command)
        assert done.returncode == 1, done.stdout
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1
        assert str(file) in done.stderr
        assert "name another file, or add --force" in done.stderr
        assert file.is_symlink() or file.read_bytes() == PRECIOUS
        assert not (place / "nowhere").exists()
        file.unlink()


def test_a_site_is_written_into_no_folder_that_has_something(place: Path) -> None:
    (place / "site").mkdir()
    (place / "site" / "index.html").write_bytes(PRECIOUS)
    done = cli("site", "site")
    assert done.returncode == 1
    assert "site: is not empty; name another folder, or add --force" in done.stderr
    assert (place / "site" / "index.html").read_bytes() == PRECIOUS


@pytest.mark.parametrize("which", sorted(WRITING.keys() - NOT_HERE), ids=lambda which: " ".join(which))
def test_force_replaces_it(which: tuple[str, str], place: Path) -> None:
    if missing(which):
        pytest.skip("a library of this command is not installed")
    if which == ("backup", "file"):
        make_data(place / "data")
    command = WRITING[which]
    file = file_of(command)
    file.write_bytes(PRECIOUS)
    assert cli(*command, "--force").returncode in (0, 130)  # a table that is left
    assert file.read_bytes() != PRECIOUS
    file.unlink()
    (place / "other").write_bytes(PRECIOUS)
    file.symlink_to(place / "other")
    (place / "games.parquet").unlink(missing_ok=True)
    assert cli(*command, "--force").returncode in (0, 130)
    assert not file.is_symlink()
    assert (place / "other").read_bytes() == PRECIOUS, "what a link leads to was not named"


def make_data(folder: Path) -> None:
    """Make a data folder that can be backed up."""
    folder.mkdir()
    read_key(folder / "key")
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as connection, connection:
        connection.execute("CREATE TABLE journal (n INTEGER)")


def test_a_folder_is_no_file(place: Path) -> None:
    (place / "file.jsonl").mkdir()
    done = cli("simulate", *GAME, "--records", "file.jsonl")
    assert (done.returncode, done.stderr) == (1, "bosquet: file.jsonl: is a folder; name a file\n")


def test_records_go_to_devices_and_to_standard_output(place: Path) -> None:
    """Not over what else is printed there, wherever the output goes."""
    assert cli("simulate", *GAME, "--records", os.devnull).returncode == 0
    if sys.platform == "win32":
        return
    with (place / "both").open("wb") as both:
        command = [sys.executable, "-m", "bosquet", "simulate", *GAME, "--records", "/dev/stdout"]
        assert subprocess.run(command, stdout=both, check=False).returncode == 0
    text = (place / "both").read_text()
    assert text.count('"format":"bosquet/1"') == 2
    assert "the spread is" in text
    assert Path("/dev/stdout").exists()


# --- games that run ---


@pytest.fixture
def game() -> bosquet.Game:
    return bosquet.new("topas", players=2, seed=1)


def save(answer: str) -> str:
    done = cli("play", "topas", "-b", "greedy", "--seed", "1", answers=f"{answer}\nquit\n")
    assert done.returncode == 130, done.stderr
    return done.stdout


def test_save_at_the_terminal_refuses_and_names_force(place: Path) -> None:
    file = place / "game.json"
    assert "saved" in save("save game.json")
    before = file.read_bytes()
    assert "name another file, or add --force" in save("save game.json")
    assert file.read_bytes() == before
    file.write_bytes(PRECIOUS)
    assert f"saved; go on with: {program()} play --load game.json\n" in save("save game.json --force")
    assert bosquet.read(file).moves == []
    assert "save where?" in save("save")
    assert "save where?" in save("save --force")


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_what_is_saved_of_a_game_is_for_its_owner_alone(place: Path) -> None:
    before = os.umask(0)
    try:
        save("save game.json\n1")
        assert mode_of(place / "game.json") == 0o600
        (place / "game.json").chmod(0o666)
        save("save --force game.json\n1")
        assert mode_of(place / "game.json") == 0o600
        (place / "open").write_bytes(PRECIOUS)
        (place / "open").chmod(0o644)
        (place / "link.json").symlink_to(place / "open")
        save("save --force link.json\n1")
        assert mode_of(place / "link.json") == 0o600
        assert (place / "open").read_bytes() == PRECIOUS
        kept = list((place / "home" / "bosquet" / "games").glob("*.json"))
        assert len(kept) == 3
        assert {mode_of(file) for file in kept} == {0o600}
    finally:
        os.umask(before)


def test_no_moment_shows_it_to_others(place: Path, game: bosquet.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mode holds from the beginning, and a file that can't be written whole changes nothing."""
    (place / "game.json").write_bytes(PRECIOUS)

    def games() -> Iterator[bosquet.Game]:
        if sys.platform != "win32":
            assert {mode_of(file) for file in place.glob(".game.json.*")} == {0o600}
        yield game
        raise OSError(28, "No space left on device")

    for force in (True, False):
        if not force:
            (place / "game.json").unlink()
        with pytest.raises(BosquetError, match=r"game.json: can't be written: No space left"):
            write_file("game.json", games(), force=force)
        assert [file.name for file in place.iterdir() if file.is_file()] == (["game.json"] if force else [])


def test_a_file_that_came_meanwhile_stays(place: Path) -> None:
    file = place / "file"

    def writes() -> None:
        with whole_file(file) as written:
            written.write(b"new")
            file.write_bytes(PRECIOUS)

    with pytest.raises(BosquetError, match="exists already"):
        writes()
    assert file.read_bytes() == PRECIOUS
    assert list(place.iterdir()) == [file]
    with pytest.raises(BosquetError, match="exists already"), growing_file(file):
        pass


def test_records_that_were_written_stay_after_an_error(place: Path) -> None:
    def writes() -> None:
        with growing_file(place / "file") as file:
            file.write(b"one\n")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        writes()
    assert (place / "file").read_bytes() == b"one\n"


# --- keys ---


def test_a_key_that_is_named_must_be_there(place: Path) -> None:
    done = cli_process("serve", "--no-browser", "--port", "0", "--key", "typo", "--data", "data")
    assert done.returncode == 1
    assert "typo: there is no such file" in done.stderr or "has not been built" in done.stderr
    assert not (place / "typo").exists()
    with pytest.raises(BosquetError, match="there is no such file; copy"):
        read_key(place / "typo", may_make=False)
    assert not (place / "typo").exists()


def test_a_guest_is_kept_for_its_owner_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Guest, "ask", lambda guest, *_: setattr(guest, "cookie", "bosquet=abc"))
    before = os.umask(0)
    try:
        Guest("http://127.0.0.1:1", place / "guest")
    finally:
        os.umask(before)
    assert (place / "guest").read_text() == "bosquet=abc\n"
    assert sys.platform == "win32" or mode_of(place / "guest") == 0o600


# --- folders that a run goes on in ---


def test_a_file_of_somebody_else_in_a_folder_of_a_run_stays(place: Path) -> None:
    for file, command in (
        ("m/games.jsonl", ["arena", "topas", "-g", "2", "--workers", "1", "--out", "m"]),
        ("x.jsonl.parts/games.jsonl", [*ALONE, "--out", "x.jsonl"]),
        ("x.parquet.parts/notes", ["selfplay", *GAME, "--out", "x.parquet"]),
        ("run/notes", ["train", "topas", "--expert", "--out", "run"]),
    ):
        if missing((command[0], "")):
            continue
        (place / file).parent.mkdir()
        (place / file).write_bytes(PRECIOUS)
        done = cli(*command)
        assert (done.returncode, done.stdout) == (1, ""), command
        assert "name another" in done.stderr or "name an empty" in done.stderr
        assert (place / file).read_bytes() == PRECIOUS
