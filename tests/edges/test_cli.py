"""The command line as a person or a script meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer.main
from rich.markup import render

import bosquet
from bosquet.cli import app
from bosquet.core.errors import OptionError
from bosquet.env.decisions import parquet
from tests.helpers.cases import QUICK, parameters
from tests.helpers.command_line import cli, cli_process
from tests.helpers.records import RECORDS


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games left at a table are kept in the user's data folder: not in that of the user who runs the tests."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def play(answers: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return cli("play", *arguments, answers=answers)


@pytest.mark.parametrize("command", ["", "play", "simulate", "arena", "replay", "score", "bench"])
def test_help_names_every_option(command: str) -> None:
    done = cli(*command.split(), "--help")
    assert done.returncode == 0
    for word in ("Usage", "--help"):
        assert word in done.stdout
    if command in ("play", "simulate", "arena"):
        assert "[default: (2)]" in done.stdout
    if not command:
        for name in ("play", "simulate", "arena", "selfplay", "replay", "score", "bench"):
            assert name in done.stdout


def test_help_shows_its_texts_as_they_are() -> None:
    """No word in brackets is taken for markup of the console, which swallows what it does not know."""
    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        parameters = command.get_params(typer.Context(command))
        texts = [command.help, *(text for one in parameters for text in (one.help, one.show_default, one.metavar))]
        for text in texts:
            assert not isinstance(text, str) or not render(text).spans, f"{name}: {text}"


def test_help_names_what_must_be_installed() -> None:
    assert "the extra `data`" in " ".join(cli("selfplay", "--help").stdout.split())


def test_a_process_ends_as_the_command_line_does_here() -> None:
    """What the other tests find in this process holds for `python -m bosquet`."""
    for arguments, code in ((["--version"], 0), (["replay", "nowhere.jsonl"], 1), (["replay"], 2)):
        apart, here = cli_process(*arguments), cli(*arguments)
        assert apart.returncode == here.returncode == code
        if code < 2:  # usage names the program, as it was called
            assert (apart.stdout, apart.stderr) == (here.stdout, here.stderr)
    assert cli("--version").stdout == f"{bosquet.__version__}\n"


@pytest.mark.parametrize(("name", "options"), parameters(QUICK, QUICK[:1]))
def test_simulate_writes_the_same_file_for_the_same_seed(tmp_path: Path, name: str, options: dict[str, object]) -> None:
    flags = ["--players", str(options["players"]), *(f"--{key}" for key, value in options.items() if value is True)]
    files = [tmp_path / f"{workers}.jsonl" for workers in (1, 2)]
    tables = []
    for workers, file in enumerate(files, 1):
        done = cli(
            "simulate", name, *flags, "--games", "8", "--seed", "4", "--bots", "random,greedy",
            "--records", file, "--workers", str(workers), "--json",
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        tables.append(json.loads(done.stdout))
    assert files[0].read_bytes() == files[1].read_bytes()
    games = list(bosquet.read_all(files[0]))
    assert len(games) == 8
    assert all(game.over for game in games)
    for seat, row in enumerate(tables[0]["seats"]):
        points = [game.scores[seat % len(game.scores)] for game in games]
        assert row["mean"] == pytest.approx(sum(points) / 8, abs=1e-3)
        assert (row["min"], row["max"]) == (min(points), max(points))
    assert sum(row["wins"] for row in tables[0]["seats"]) == pytest.approx(8, abs=0.01)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "topiary", "--players", "5"], "players is 5"),
        (["simulate", "topas", "--draft"], 'no option "draft"'),
        (["simulate", "topas", "--bots", "alphazero"], 'no bot "alphazero"'),
        (["simulate", "topas", "--bots", ""], "0 bots for 2 seats"),
        (["simulate", "topas", "--bots", "greedy,random,level1"], "3 bots for 2 seats"),
        (["play", "topas", "--bots", "greedy,random"], "2 bots; seats besides yours: 1"),
        (["simulate", "topiary", "--box", "nowhere.json"], "no box"),
        (["bench", "topas", "--box", "nowhere.json", "--seconds", "0.01"], "Topas has no box"),
        (["simulate", "schlossgarten", "--box", "nowhere.json"], "can't be read"),
        (["simulate", "schlossgarten", "--work", "both"], 'work is "both"'),
        (["simulate", "topiary", "--players", "4", "--removed", "W"], "no type is removed"),
        (["simulate", "topas", "--overbuild", "elements"], "no option"),
        (["simulate", "topas", "--games", "2", "--records", "/nowhere/x"], "can't be written"),
        (["play", "topas", "--seats", "Ann"], "must name 2 seats"),
        (["play", "topas", "-b", "ivy", "--first", "Bob"], "it must be one of lot, me, open, You, Ivy"),
        (["play", "topas", "-b", "8"], 'no bot "8"'),
        (["play", "topas", "--language", "la"], "must be one of en, fr, es, de"),
        (["play", "--load", "last"], "no game that still runs is kept"),
        (["play", "--load", "nowhere.json"], "can't be read"),
        (
            ["play", "topas", "--load", "x.json", "-n", "3", "--expert", "--box", "y", "--seed", "0"],
            "leave out topas, --expert, --players, --seed, --box",
        ),
        (["simulate", "schlossgarten", "--box", "a.json", "--box", "b.json"], "2 boxes are given"),
        (["simulate", "schlossgarten", "--box", ""], "name of the box file is empty"),
    ],
)
def test_wrong_arguments_get_one_clear_line(arguments: list[str], message: str) -> None:
    done = cli(*arguments)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


BAD_BOXES = {
    "": "not JSON",
    "\x00": "not JSON",
    "[]": "the box file is a list; it must be an object",
    "[" * 60_000: "nested too deeply",
    "{}": "none of cards, tiles, starts",
    '{"note": "empty"}': "none of cards, tiles, starts",
    '{"tiles": [17, 16, 16], "pawns": 3}': "pawns",
    '{"cards": []}': "cards has 0",
    '{"cards": 3}': "cards is 3",
    **{
        json.dumps({"cards": [{"id": 1, "rows": rows}] * 32}): f"cards[0]{message}"
        for rows, message in (
            (["KGA...", "......"], '.rows has "KGA..."; a row is 1 to 5 of K, G, A and ".", like "G.A" (positions'),
            (["KGA"] + ["..."] * 5, ".rows has 6 rows; it must have 1 to 5"),
            ([], ".rows has 0 rows"),
            (["KGA", ".."], '.rows has ".." beside "KGA"; all rows must be equally long'),
            (["", ""], '.rows has ""'),
            (["KGA", 7], ".rows has 7"),
            (["KGA", "gk."], '.rows has "gk."'),
            (["KG"], " does not show A"),
            (["KG", "KA"], " shows K twice"),
            ("KGA", '.rows is "KGA"; it must be a list of 1 to 5 rows'),
        )
    },
    '{"tiles": [17, 16, 17]}': "tiles has 50 tiles; the board has 49 cells",
    '{"tiles": [60, -11, 0]}': "tiles[0] is 60; it must be a whole number from 0 to 49 (positions in [] are",
    '{"tiles": [17, 16]}': "tiles has 2",
    '{"tiles": [17, 16, 16], "tiles": [1, 1, 47]}': 'line 1, column 25: has the key "tiles" twice',
    '{"cards": [{"id": 1, "id": 2}]}': 'has the key "cards[0].id" twice',
    '{\n  "tiles": [17, 16, 16,]\n}': "line 2, column 23: not JSON: a comma before ]",
    '{"tiles": [' + "9" * 5000 + ", 1, 1]}": "not JSON",
    '{"tiles": [NaN, 1, 1]}': "line 1, column 12: not JSON",
    "\ufeff\ufeff{}": "not JSON",
    '{"starts": {"5": []}}': "5",
    '{"starts": {"2": [["d1", "c1", "e1"]]}}': "starts.2 has 1",
    '{"starts": {"2": [["d1", "c1", "h1"], ["d7", "e7", "c7"]]}}': 'starts.2[0][2] is "h1"',
    '{"starts": {"2": [["d1", "c1", "e1"], ["d7", "e7", "d1"]]}}': "starts.2[1][2] is d1",
}


@pytest.mark.parametrize("text", BAD_BOXES)
def test_a_bad_box_gets_a_clear_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "box.json"
    file.write_text(text)
    with pytest.raises(bosquet.OptionError) as refused:
        bosquet.new("schlossgarten", box=file)
    assert str(refused.value).startswith(f"{file}: ")
    assert BAD_BOXES[text] in str(refused.value)


def test_a_box_that_is_no_file_gets_a_clear_error(tmp_path: Path) -> None:
    for path, message in (("", "name of the box file is empty"), (tmp_path, "is a folder"), ("/dev/zero", "larger")):
        with pytest.raises(bosquet.OptionError, match=message):
            bosquet.new("schlossgarten", box=path)


def test_the_table_says_what_it_plays_otherwise_than_by_default(tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    file.write_text('{"tiles": [1, 1, 47]}')
    done = play("?\nquit\n", "schlossgarten", "--bots", "greedy", "--work", "each", "--box", file)
    assert done.stdout.count("Work in a figure: one may dig, the other build\n") == 2, "at the start and with the rules"
    assert "A building site has" not in done.stdout
    assert "not that of the house: tiles." in done.stdout


def test_a_box_file_may_begin_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le"):
        file.write_bytes('{"tiles": [1, 1, 47]}'.encode(encoding))
        assert bosquet.new("schlossgarten", box=file).record()["deal"]["tiles"] == [1, 1, 47]


def test_a_bad_box_is_one_line_at_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    file.write_text("{}")
    done = cli("simulate", "schlossgarten", "--games", "1", "--box", file)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(f"bosquet: {file}: ")


def test_another_box_goes_into_the_record(tmp_path: Path) -> None:
    starts = [["d2", "c2", "e2"], ["d6", "e6", "c6"]]
    file, records = tmp_path / "box.json", tmp_path / "games.jsonl"
    file.write_text(json.dumps({"tiles": [10, 20, 19], "starts": {"2": starts}}))
    game = bosquet.new("schlossgarten", seed=1, box=file)
    view: Any = game.view(0)
    assert view.pawns == starts
    deal = game.record()["deal"]
    assert "deck" not in deal
    assert (deal["tiles"], deal["starts"]) == ([10, 20, 19], starts)
    assert [deal["landscape"].count(value) for value in (1, 2, 3)] == [10, 20, 19]
    assert bosquet.new("schlossgarten", seed=1, box={"tiles": [10, 20, 19], "starts": starts}).record() == game.record()
    three = bosquet.new("schlossgarten", players=3, box=file)  # the file says nothing of three players
    assert "starts" not in three.record()["deal"]
    command: list[str | Path] = ["simulate", "schlossgarten", "--games", "2", "--box", file, "--bots", "greedy"]
    done = cli(*command, "--records", records, "--json")
    assert done.returncode == 0
    box = json.loads(done.stdout)["box"]
    assert box["file"] == "box.json"
    assert f"Schlossgarten, box box.json ({box['digest']})" in cli(*command).stdout
    assert cli("replay", records).returncode == 0


def test_another_deck_goes_into_the_record(tmp_path: Path) -> None:
    cards = [{"id": 33 - i, "rows": ["..A", ".G.", "K.."] if i % 2 else ["...", "AG.", "K.."]} for i in range(1, 33)]
    file, records = tmp_path / "deck.json", tmp_path / "games.jsonl"
    file.write_text(json.dumps({"cards": cards}))
    done = cli("simulate", "schlossgarten", "--games", "2", "--box", file, "--records", records, "--bots", "greedy")
    assert done.returncode == 0
    deal = json.loads(records.read_text().splitlines()[0])["deal"]
    assert deal["deck"][0] == cards[-1]["rows"]
    assert cli("replay", records).returncode == 0


def test_a_position_of_a_record_is_written_and_drawn(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    game = bosquet.new("topiary", players=2, seed=7)
    for move in ["a3E", "take b3", "put T4", "b1N"]:
        game.play(move)
    file.write_text(json.dumps(game.record()))
    written = cli("position", "--record", file, "--ply", "3", "--view", "1").stdout.strip()
    wrong = cli("position", "--record", file, "--view", "7")
    assert wrong.returncode == 1
    assert wrong.stderr.endswith("--view is 7; seats are 0 to 1; without --view it is what a spectator knows\n")
    begun = bosquet.load({**game.record(), "moves": game.moves[:3]})
    assert written == str(begun.position(1))
    assert cli("position", "--record", file).stdout.strip() == str(game.position(None))
    drawn = cli("position", f"\ufeff{written}\r\n").stdout
    assert "Your hand: S1" in drawn
    assert "a3NE" in drawn
    assert json.loads(cli("position", written, "--json").stdout)["hand"] == ["S1", "S2", "O1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either a position, or --record"),
        (["topas/players=9/view=0"], 'character 15, players: "9"'),
        (["chess/players=2"], 'no game "chess"'),
        (["topas/players=2/view=0", "--ply", "3"], "--ply and --view say which"),
    ],
)
def test_a_position_that_is_none_is_refused(arguments: list[str], message: str) -> None:
    done = cli("position", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("bosquet: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_bench_measures() -> None:
    done = cli("bench", "topiary", "--players", "2", "--threads", "1", "--seconds", "0.1", "--json")
    (row,) = json.loads(done.stdout)
    assert row["game"] == "topiary"
    assert row["options"] == {"players": 2, "draft": False}
    assert row["threads"] == 1
    assert row["decisions_per_s"] > 20 * row["games_per_s"] > 0


def test_a_game_is_played_to_its_end_by_numbers(tmp_path: Path) -> None:
    done = play("1\n" * 200, "topiary", "--bots", "greedy", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "wins with" in done.stdout
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines()[:-2])) <= 80  # the last two lines name a path
    assert f"bosquet analyse {tmp_path}" in done.stdout.splitlines()[-1]


def test_two_people_at_one_screen_do_not_see_each_others_hands() -> None:
    done = play("\n26\n\n", "topas", "--seats", "Ann,Bob", "--seed", "2")
    game = bosquet.new("topas", seed=2)
    hands = [game.view(seat).hand for seat in (0, 1)]  # type: ignore[attr-defined]
    before, after = done.stdout.split("Bob, it is your turn")
    assert "".join(hands[0]) in before.replace(" ", "").replace("Yourhand:", "")
    assert not any(f"Your hand: {card}" in before for card in hands[1])
    assert f"Your hand: {hands[1][0]}" in after


def test_an_illegal_move_is_explained_and_undo_works(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    answers = ["a9N", "card 99", "7 7", "0", "card 1", "?", "moves", "score", "undo"]
    game = bosquet.new("schlossgarten", seed=3)
    first, second = game.legal()
    game.play(first)
    step = game.legal()[0]
    answers += [first, step, "undo", "undo", second, f"save {file}", "save", "quit"]
    done = play("\n".join(answers) + "\n", "schlossgarten", "--bots", "greedy", "--seed", "3", "--first", "me")
    assert done.returncode == 130
    assert "is no move of Schlossgarten" in done.stdout
    assert f"legal: {first}, {second}" in done.stdout
    assert "How moves are written" in done.stdout
    assert "nothing to take back" in done.stdout
    assert bosquet.read(file).moves == [second]
    again = play("quit\n", "--load", str(file))
    assert again.returncode == 130
    assert "You, your move" in again.stdout


def test_a_table_left_by_end_of_input_keeps_the_game(tmp_path: Path) -> None:
    done = play("1\n", "topiary", "--bots", "greedy")
    assert done.returncode == 130
    (kept,) = (tmp_path / "data").rglob("topiary-*.json")
    assert str(kept) in done.stdout.replace("\n", "")
    assert bosquet.read(kept).moves


def test_ctrl_c_stops_a_simulation_and_keeps_its_records(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "bosquet", "simulate", "topiary", "--games", "1000000", "--records", str(file)]
    command += ["--bots", "random", "--workers", "1"]
    process = subprocess.Popen([*command, "--seed", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not file.exists() or file.stat().st_size == 0):
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped after" in err
    assert "Traceback" not in err
    assert "mean" in out
    assert cli("replay", file).returncode == 0


def test_score_shows_where_points_come_from(tmp_path: Path) -> None:
    for name, record in RECORDS.items():
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(record))
        done = cli("score", file)
        assert (done.returncode, done.stderr) == (0, "")
        sheet = json.loads(cli("score", file, "--json").stdout)
        assert sheet["scores"] == record["result"]["scores"]
        for points in record["result"]["scores"]:
            assert str(points) in done.stdout


REAL = {
    "topiary": {
        "players": 2,
        "garden": {"c1": "T2", "c2": "T3"},
        "visitors": [{"seat": 0, "line": "c1N"}],
        "hands": [],
    },
    "topas": {"players": 2, "expert": False, "placements": ["G1Y2@0,0E", "R2Y3@3,0W"]},
    "schlossgarten": {"players": 2, "kept": [[3], []], "elements": [{"seat": 0, "kind": "A1"}]},
}
"""Games with the real box, as the page has them; the first seat has 7, 5 and 4 points."""


def test_score_takes_the_files_that_the_page_saves(tmp_path: Path) -> None:
    for name, points in (("topiary", 7), ("topas", 5), ("schlossgarten", 4)):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({"real": {"game": name, **REAL[name]}, "names": ["Ann", "[/b]"]}))
        done = cli("score", file)
        assert (done.returncode, done.stderr) == (0, "")
        assert "Ann" in done.stdout
        assert "[/b]" in done.stdout
        assert json.loads(cli("score", file, "--json").stdout)["scores"] == [points, 0]


def test_score_refuses_a_file_of_the_page_that_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "real.json"
    good = {"game": "schlossgarten", **REAL["schlossgarten"]}
    for value, message in (
        ({"real": good | {"kept": [[], []]}, "names": ["Ann", "Bea"]}, "tiles kept: 0, cells under elements: 1"),
        ({"real": good, "names": ["Ann"]}, "names has 1 entries; the game has 2 players"),
        ({"real": {"game": "chess"}, "names": []}, "Invalid value 'chess'"),
        ({"real": None}, "got `null`"),
    ):
        file.write_text(json.dumps(value))
        done = cli("score", file)
        assert done.returncode == 1
        assert f"{file}:1: not a game with the real box: " in done.stderr
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_score_shows_names_as_they_are_and_says_how_a_game_ended(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = bosquet.new("topiary", players=2, seed=1)
    game.end("void")
    file.write_text(json.dumps(game.record() | {"players": ["[/b]", "[red]Bea"]}))
    done = cli("score", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "[/b]" in done.stdout
    assert "[red]Bea" in done.stdout
    assert "This game is void." in done.stdout
    assert "still runs" not in done.stdout


@pytest.mark.compiled
@pytest.mark.slow
def test_the_coach_says_what_decisions_cost(tmp_path: Path) -> None:
    for name, record in RECORDS.items():
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(record))
        done = cli("analyse", file, "--simulations", "4", "--luck", "2")
        assert (done.returncode, done.stderr) == (0, "")
        assert "What decisions cost" in done.stdout
        row = json.loads(cli("analyse", file, "--simulations", "4", "--luck", "2", "--json").stdout)
        assert row["report"]["game"] == record["game"]
        assert [spread["yours"] for spread in row["luck"]] == record["result"]["scores"]


@pytest.mark.slow
def test_the_coach_shows_what_is_best_while_a_game_runs(tmp_path: Path) -> None:
    record = RECORDS["topas"] | {"moves": RECORDS["topas"]["moves"][:3], "result": None}
    file = tmp_path / "running.json"
    file.write_text(json.dumps(record))
    assert "to move" in cli("analyse", file, "--simulations", "4").stdout
    row = json.loads(cli("analyse", file, "--simulations", "4", "--json").stdout)
    assert {len(choice["moves"]) for choice in row["best"]} == {1}
    file.write_text(json.dumps(record | {"moves": ["nonsense"]}))
    done = cli("analyse", file)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "ply 0" in done.stderr


def test_without_pyarrow_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(OptionError, match=r"pyarrow, which is not installed; .*data"):
        parquet()
