"""Matches on mirrored deals: the schedule, what is counted, and folders that outlive their run."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import bosquet
from bosquet.core.system.extras import remedy
from bosquet.lab.arena import Arena, Deal, Folder, played
from bosquet.lab.matches import Outcome
from bosquet.lab.ratings import Hypotheses
from bosquet.lab.standings import Standings
from tests.helpers.command_line import cli, cli_process
from tests.helpers.rows import each_row
from tests.lab.helpers.extras import missing, needs_ray

TWO = ("greedy", "random")


def arena(game: str = "topas", bots: tuple[str, ...] = TWO, games: int = 12, **options: Any) -> Arena:
    return Arena(game, {"players": 2, **options}, bots, games, seed=5).checked()


def run(*arguments: str | Path) -> dict[str, Any]:
    workers = () if "--workers" in arguments else ("--workers", "1")
    done = cli("arena", *arguments, *workers, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data: dict[str, Any] = json.loads(done.stdout)
    return data


# --- the schedule ---


@each_row(("players", "games", "deals"), [(1, 7, 7), (2, 7, 4), (2, 8, 4), (3, 7, 2), (4, 8, 1)])
def test_games_are_rounded_up_to_whole_deals(players: int, games: int, deals: int) -> None:
    assert arena("topas", games=games, players=players).deals == deals


def test_mirrored_games_are_on_the_same_deal_and_other_deals_differ() -> None:
    match = arena("topiary", games=8)
    records = [[json.loads(game.record) for game in deal.games] for deal in played(match, 1)]
    assert [[record["players"] for record in deal] for deal in records] == [[[*TWO], [*TWO[::-1]]]] * 4
    for one, other in records:
        assert (one["deal"], one["seed"]) == (other["deal"], other["seed"])
    assert len({json.dumps(one["deal"]) for one, _ in records}) == 4


# --- what is counted ---


def outcome(scores: list[int], winners: list[int]) -> Outcome:
    return Outcome(scores, winners, b"")


def test_two_bots_share_what_was_won_and_seats_are_counted() -> None:
    standings = Standings(arena())
    standings.add(Deal(0, [outcome([9, 5], [0]), outcome([4, 4], [0, 1])]))
    standings.add(Deal(1, [outcome([1, 2], [1]), outcome([3, 8], [1])]))
    data = standings.to_json()
    one, other = data["bots"]
    assert (one["win_rate"], other["win_rate"]) == (0.625, 0.375)
    assert (one["mean_score"], other["mean_score"]) == (5.5, 3.5)
    assert one["games"] == 4
    (pair,) = data["pairs"]
    assert (pair["score"], pair["points"]) == (0.625, 2.0)
    assert [seat["win_rate"] for seat in data["seats"]] == [0.375, 0.625]


def test_two_bots_at_three_seats_are_even_when_every_seat_wins_equally() -> None:
    standings = Standings(arena(players=3, games=6))
    standings.add(Deal(0, [outcome([5, 5, 5], [0, 1, 2])] * 6))
    data = standings.to_json()
    assert [row["win_rate"] for row in data["bots"]] == [0.5, 0.5]
    assert data["pairs"][0]["score"] == 0.5
    assert [row["games"] for row in data["bots"]] == [6, 6]


def test_alone_bots_are_compared_on_the_same_deals() -> None:
    standings = Standings(arena(players=1, games=2))
    standings.add(Deal(0, [outcome([30], [0]), outcome([10], [0])]))
    standings.add(Deal(1, [outcome([20], [0]), outcome([20], [0])]))
    data = standings.to_json()
    assert [row["win_rate"] for row in data["bots"]] == [0.75, 0.25]
    assert data["pairs"][0]["points"] == 10
    assert data["seats"] == []


def test_nothing_played_is_nothing_known() -> None:
    data = Standings(arena()).to_json()
    assert data["games"] == 0
    assert [row["win_rate"] for row in data["bots"]] == [None, None]


@pytest.mark.parametrize("game", bosquet.GAMES)
def test_greedy_beats_random(game: str) -> None:
    match = arena(game, games=20)
    standings = Standings(match)
    for deal in played(match, 1):
        standings.add(deal)
    assert standings.score((0, 1)).low > 0.6
    assert standings.elo((0, 1)).low > 0
    assert standings.difference((0, 1)).low > 0
    assert standings.skills()[0].mu > standings.skills()[1].mu


# --- at the command line ---


def test_json_has_what_is_promised_and_records_replay(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    data = run("topas", "--bots", "greedy,random", "--games", "9", "--seed", "2", "--records", file)
    assert (data["deals"], data["games"], data["seed"]) == (5, 10, 2)
    for row in data["bots"]:
        assert {"bot", "games", "win_rate", "win_rate_interval", "mean_score", "elo", "openskill"} <= set(row)
        low, high = row["win_rate_interval"]
        assert 0 <= low <= row["win_rate"] <= high <= 1
    games = list(bosquet.read_all(file))
    assert len(games) == 10
    for number, name in enumerate(TWO):
        scores = [game.scores[game.record()["players"].index(name)] for game in games]
        assert data["bots"][number]["mean_score"] == pytest.approx(sum(scores) / 10, abs=1e-3)


@pytest.mark.slow
def test_any_number_of_workers_gives_the_same(tmp_path: Path) -> None:
    found = []
    for workers in (1, 3):
        files = [tmp_path / f"{workers}.jsonl", tmp_path / str(workers)]
        data = run(
            "topiary", "-g", "20", "--seed", "3", "--records", files[0], "--out", files[1], "--workers", str(workers)
        )
        del data["seconds"]
        found.append((data, files[0].read_bytes(), (files[1] / "games.jsonl").read_bytes()))
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_sequential_test_stops_the_match(tmp_path: Path) -> None:
    found = []
    for workers in ("1", "2"):
        data = run(
            "topas", "-g", "1000", "--seed", "3", "--sprt", "0,200", "--out", tmp_path / workers, "--workers", workers
        )
        assert data["sprt"]["decision"] == "elo1"
        assert data["deals"] == data["sprt"]["deals"] < 30
        assert len((tmp_path / workers / "games.jsonl").read_text().splitlines()) == data["deals"]
        again = run("topas", "-g", "1000", "--seed", "3", "--sprt", "0,200", "--out", tmp_path / workers)
        assert again["sprt"] == data["sprt"]
        found.append(data["sprt"])
    assert found[0] == found[1]


def test_the_table_fits_a_terminal() -> None:
    done = cli("arena", "topas", "-g", "8", "--seed", "1", "--sprt", "0,100", "--workers", "1")
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    for word in ("greedy", "random", "wins %", "Elo", "points a game", "seat 1", "SPRT", "bounds"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bots", "greedy"], "two bots or more"),
        (["--bots", "greedy,greedy"], "named twice"),
        (["--bots", "greedy,alphazero"], 'no bot "alphazero"'),
        (["--players", "4", "--bots", "greedy,random,"], "no bot"),
        (["--sprt", "5"], "two numbers"),
        (["--sprt", "20,0"], "below the second"),
        (["--ray", "127.0.0.1:1"], "[Rr]ay"),
        (["--records", "/nowhere/x"], "can't be written"),
        (["--plot", "/nowhere/x.svg"], "no folder /nowhere"),
        (["--out", "/dev/null/x"], "can't be read"),
    ],
)
def test_wrong_arguments_get_one_clear_line(arguments: list[str], message: str) -> None:
    done = cli("arena", "topas", "--games", "2", "--workers", "1", *arguments)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert re.search(message, done.stderr)


# --- folders ---


def test_a_folder_goes_on_after_a_torn_line(tmp_path: Path) -> None:
    match = arena(games=6)
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    with Folder(whole, match) as folder:
        deals = list(played(match, 1, folder=folder))
    right = (whole / "games.jsonl").read_bytes()
    for cut in (0, 1, len(right) // 2, len(right) - 1, len(right)):
        with Folder(torn, match):
            pass
        (torn / "games.jsonl").write_bytes(right[:cut])
        with Folder(torn, match) as folder:
            assert list(played(match, 1, folder=folder)) == deals
        assert (torn / "games.jsonl").read_bytes() == right


def test_a_fault_amid_a_folder_is_named(tmp_path: Path) -> None:
    match = arena(games=6)
    with Folder(tmp_path, match) as folder:
        list(played(match, 1, folder=folder))
    file = tmp_path / "games.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + b"{}\n" + lines[2])
    with Folder(tmp_path, match) as folder, pytest.raises(bosquet.BosquetError, match="jsonl:2: "):
        list(folder.deals())
    file.write_bytes(lines[1] + lines[0])
    with Folder(tmp_path, match) as folder, pytest.raises(bosquet.BosquetError, match="must be deal 0"):
        list(folder.deals())


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"game": "topiary", "options": {"players": 2}}, "game"),
        ({"options": {"players": 2, "expert": True}}, "options"),
        ({"bots": ("random", "greedy")}, "bots"),
        ({"games": 10}, "games"),
        ({"games": 14, "schedule": "swiss"}, "games"),
        ({"seed": 6}, "seed"),
        ({"sprt": Hypotheses(0, 5)}, "sprt"),
    ],
)
def test_a_folder_of_another_match_is_refused(tmp_path: Path, change: dict[str, Any], name: str) -> None:
    given: dict[str, Any] = {"game": "topas", "options": {"players": 2}, "bots": TWO, "games": 12, "seed": 5}
    given["schedule"] = change.get("schedule")
    Folder(tmp_path, Arena(**given).checked()).__exit__()
    with pytest.raises(bosquet.BosquetError, match=f"another match: {name} is"):
        Folder(tmp_path, Arena(**given | change).checked())


def test_a_match_may_be_made_longer_and_is_played_by_the_same_bots(tmp_path: Path) -> None:
    match = arena(games=12)
    for games in (6, 12):
        with Folder(tmp_path, arena(games=games)) as folder:
            deals = list(played(arena(games=games), 1, folder=folder))
    assert deals == list(played(match, 1))
    file = tmp_path / "match.json"
    settings = json.loads(file.read_bytes())
    assert settings["games"] == 12
    file.write_text(json.dumps(settings | {"plays": settings["plays"] | {"bosquet": "other"}}))
    with pytest.raises(bosquet.BosquetError, match='"bosquet" has changed since it was begun; name another folder'):
        Folder(tmp_path, match)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with Folder(tmp_path, arena()), pytest.raises(bosquet.BosquetError, match="another run"):
        Folder(tmp_path, arena())


def started(folder: Path, games: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bosquet", "arena", "topas", "--games", str(games), "--out", str(folder)]
    process = subprocess.Popen(
        [*command, "--seed", "5", "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    file = folder / "games.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not file.exists() or file.stat().st_size == 0):
        time.sleep(0.01)
    return process


@pytest.mark.slow
def test_a_run_that_is_killed_is_gone_on_with(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    process = started(killed, 300)
    process.kill()
    process.communicate(timeout=60)
    kept = len((killed / "games.jsonl").read_bytes())
    right = run("topas", "--games", "300", "--seed", "5", "--out", whole)
    assert 0 < kept < len((whole / "games.jsonl").read_bytes())
    # Without the seed, too: it is in the folder.
    again = run("topas", "--games", "300", "--out", killed, "--records", tmp_path / "records.jsonl")
    assert (killed / "games.jsonl").read_bytes() == (whole / "games.jsonl").read_bytes()
    assert again | {"seconds": 0} == right | {"seconds": 0}
    assert len((tmp_path / "records.jsonl").read_text().splitlines()) == 300


def test_workers_leave_when_their_parent_is_killed(tmp_path: Path) -> None:
    if not Path("/proc").is_dir():
        pytest.skip("processes are looked up in /proc")
    process = started(tmp_path, 100000)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) >= 2
    process.kill()
    process.communicate(timeout=60)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and any(is_alive(child) for child in children):
        time.sleep(0.1)
    assert not any(is_alive(child) for child in children)


def is_alive(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    process = started(tmp_path, 100000)
    os.kill(process.pid, signal.SIGINT)
    shown, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped after" in errors
    assert "Traceback" not in errors
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert f"{2 * len(lines)} games" in shown
    assert [json.loads(line)["deal"] for line in lines] == list(range(len(lines)))


# --- what is not always installed ---


def test_a_plot_is_a_picture_or_an_error_that_names_the_extra(tmp_path: Path) -> None:
    command = ["arena", "topas", "--games", "8", "--seed", "1", "--workers", "1"]
    done = cli_process(*command, "--plot", tmp_path / "elo.svg")
    if missing("matplotlib"):
        assert (done.returncode, done.stdout) == (1, "")
        assert remedy("plot") in done.stderr
        assert len(done.stderr.splitlines()) == 1
        return
    assert done.returncode == 0
    picture = (tmp_path / "elo.svg").read_text()
    assert "<svg" in picture
    assert all(name in picture for name in TWO)


def test_without_ray_the_error_names_the_extra() -> None:
    if not missing("ray"):
        pytest.skip("Ray is installed")
    done = cli("arena", "topas", "--games", "8", "--ray", "local")
    assert done.returncode == 1
    assert remedy("cluster") in done.stderr


@needs_ray
def test_ray_gives_the_same_as_processes(tmp_path: Path) -> None:
    common = ("topas", "--games", "20", "--seed", "5")
    right = run(*common, "--workers", "1", "--out", tmp_path / "here")
    done = cli_process("arena", *common, "--workers", "2", "--ray", "local", "--out", tmp_path / "ray", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) | {"seconds": 0} == right | {"seconds": 0}
    assert (tmp_path / "ray/games.jsonl").read_bytes() == (tmp_path / "here/games.jsonl").read_bytes()
