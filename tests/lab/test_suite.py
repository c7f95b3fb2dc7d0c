"""Suites that never change, evaluations in them, and result files that are verified."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import operator
from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

import bosquet
from bosquet import bots
from bosquet.core.installed import spec
from bosquet.core.spec import check_options
from bosquet.lab.arena import Folder, played
from bosquet.lab.matches import Match
from bosquet.lab.suite import suites
from bosquet.lab.suite.evaluation import Evaluation, parts_of
from bosquet.lab.suite.suites import Meeting, Opponent, Suite
from bosquet.search import Search
from tests.helpers.command_line import cli
from tests.helpers.rows import each_row

V1 = "d964cfa978af1e5ebbafa0f524c2e2d9ff10b4cfed281849d2d5955761236419"
"""The SHA-256 of suite v1. It never changes: another suite is v2."""

Lines = list[dict[str, Any]]


# --- the suites of the package ---


def test_suite_v1_is_what_it_always_was() -> None:
    assert hashlib.sha256(files("bosquet.lab.suite").joinpath("v1.json").read_bytes()).hexdigest() == V1
    assert suites.digest("v1") == V1


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("meeting", suites.suite("v1").meetings, ids=lambda one: f"{one.game}-{one.players}")
def test_suite_v1_is_dealt_and_played_as_it_always_was(meeting: Meeting) -> None:
    for what, pinned, found in meeting.pins():
        assert found == pinned, f"{what}: restore how it was, or make a new suite; v1 must stay playable or be refused"


def test_suite_v1_has_every_game_and_number_of_players() -> None:
    found = [(meeting.game, meeting.players) for meeting in suites.suite("v1").meetings]
    assert sorted(found) == sorted((game, n) for game in bosquet.GAMES for n in spec(game).options["players"])
    for meeting in suites.suite("v1").meetings:
        assert check_options(spec(meeting.game), {"players": meeting.players}) == meeting.options


def test_opponents_of_suite_v1_leave_no_setting_to_the_game() -> None:
    searches = 0
    for meeting in suites.suite("v1").meetings:
        for opponent in meeting.opponents:
            player = bots.player_for(opponent.bot, meeting.game, meeting.options)
            if isinstance(player, Search):
                searches += 1
                assert None not in msgspec.structs.astuple(player.settings)
                assert (player.settings.seconds, player.settings.threads) == (0, 1)
    assert searches == 18


# --- a small suite ---


def unpinned(game: str, players: int, deals: int, *opponents: str) -> Meeting:
    options = check_options(spec(game), {"players": players})
    return Meeting(game, options, 7, deals, "", tuple(Opponent(bot, bot, "") for bot in opponents))


PINS = Meeting.pins


@functools.cache
def found_in(game: str, players: int, deals: int, *opponents: str) -> list[str]:
    """Return the digests of what this version deals and plays in a meeting."""
    return [found for _, _, found in PINS(unpinned(game, players, deals, *opponents))]


def pins(self: Meeting) -> Iterator[tuple[str, str, str]]:
    """Yield what `Meeting.pins` does of a small suite, whose games are played once for all tests."""
    found = found_in(self.game, self.players, self.deals, *(opponent.bot for opponent in self.opponents))
    yield "deals", self.dealt, found[0]
    for opponent, course in zip(self.opponents, found[1:], strict=True):
        yield f"plays {opponent.name} in", opponent.plays, course


def meeting(game: str, players: int, deals: int, *opponents: str) -> Meeting:
    made = unpinned(game, players, deals, *opponents)
    dealt, *plays = found_in(game, players, deals, *opponents)
    named = tuple(Opponent(bot, bot, digest) for bot, digest in zip(opponents, plays, strict=True))
    return msgspec.structs.replace(made, dealt=dealt, opponents=named)


@pytest.fixture(scope="module")
def small() -> Suite:
    return Suite(
        "small",
        (
            meeting("topas", 1, 2),
            meeting("topas", 2, 2, "greedy", "search:1"),
            meeting("topiary", 3, 1, "greedy"),
        ),
    )


@pytest.fixture
def place(tmp_path: Path, small: Suite, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working directory; the small suite is the only one."""
    folder = tmp_path / "suites"
    folder.mkdir()
    (folder / "small.json").write_bytes(msgspec.json.encode(small))
    monkeypatch.setattr(suites, "_FOLDER", folder)
    monkeypatch.setattr(Meeting, "pins", pins)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def evaluate(*arguments: str | Path) -> dict[str, Any]:
    done = cli("evaluate", *arguments, "--workers", "1", "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def refused(*arguments: str | Path) -> str:
    done = cli("evaluate", *arguments, "--workers", "1", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    return done.stderr


TOPAS = ("topas", "--suite", "small")


# --- evaluations ---


def test_a_bot_gets_one_number_which_another_machine_verifies(place: Path) -> None:
    found = evaluate(*TOPAS, "-b", "greedy", "-o", "r.jsonl")
    against = found["against"]
    assert against["greedy"]["number"] == 50.0
    assert found["number"] == pytest.approx((50 + against["search:1"]["number"]) / 2)
    assert found["interval"][0] <= found["number"] <= found["interval"][1]
    assert (found["games"], found["deals"], found["partial"], found["unit"]) == (8, 2, False, "percent of the wins")
    assert not parts_of(place / "r.jsonl").exists()
    assert evaluate("--verify", "r.jsonl") == found | {"verified": True, "remade": 8}
    head, *deals, _ = map(json.loads, (place / "r.jsonl").read_text().splitlines())
    assert (head["suite"], head["digest"], head["bot"]) == ("small", suites.digest("small"), "greedy")
    for deal in deals:
        games = [bosquet.load(record).record() for record in deal["games"]]
        assert all(game["deal"] == games[0]["deal"] for game in games)
        assert [game["players"].index("search:1") for game in games[2:]] == [1, 0]


def test_the_games_of_a_suite_are_played_again_to_check_it(small: Suite) -> None:
    for one in small.meetings:
        one.check()


def test_with_three_seats_a_bot_sits_alone_and_in_company(place: Path) -> None:
    found = evaluate("topiary", "--suite", "small", "-n", "3", "-b", "random", "-o", "r.jsonl")
    assert found["games"] == 6
    deal = json.loads((place / "r.jsonl").read_text().splitlines()[1])
    assert [record["players"].count("random") for record in deal["games"]] == [1, 1, 1, 2, 2, 2]
    assert evaluate("--verify", "r.jsonl")["number"] == found["number"]


def test_alone_the_number_is_points(place: Path) -> None:
    found = evaluate(*TOPAS, "-n", "1", "-b", "greedy", "-o", "r.jsonl")
    records = [json.loads(line)["games"][0] for line in (place / "r.jsonl").read_text().splitlines()[1:-1]]
    assert found["unit"] == "points"
    assert found["number"] == sum(record["result"]["scores"][0] for record in records) / 2
    assert evaluate("--verify", "r.jsonl") == found | {"verified": True, "remade": 0}


def test_fewer_games_are_a_partial_result(place: Path) -> None:
    found = evaluate(*TOPAS, "-b", "random", "-g", "1", "-o", "r.jsonl")
    assert (found["deals"], found["games"], found["partial"]) == (1, 4, True)
    assert evaluate("--verify", "r.jsonl")["partial"]
    assert "partial: 1 of 2 deals" in cli("evaluate", "--verify", "r.jsonl", "--workers", "1").stdout


def test_a_run_that_was_stopped_goes_on(place: Path) -> None:
    evaluate(*TOPAS, "-b", "random", "-o", "whole.jsonl")
    evaluation = Evaluation.of("small", "topas", 2, "random")
    match = evaluation.arena()
    with Folder(parts_of(place / "r.jsonl"), match) as folder:
        (first,) = islice(played(match, 1, None, folder), 1)
    (stored,) = (parts_of(place / "r.jsonl") / "games.jsonl").read_bytes().splitlines()
    assert first.number == 0
    evaluate(*TOPAS, "-b", "random", "-o", "r.jsonl")
    assert (place / "r.jsonl").read_bytes() == (place / "whole.jsonl").read_bytes()
    assert stored in (place / "r.jsonl").read_bytes().splitlines()


def test_the_parts_of_another_bot_are_not_gone_on_with(place: Path) -> None:
    match = Evaluation.of("small", "topas", 2, "random").arena()
    with Folder(parts_of(place / "r.jsonl"), match):
        pass
    said = refused(*TOPAS, "-b", "greedy", "-o", "r.jsonl")
    assert "r.jsonl.parts: holds another match" in said
    assert "remove it, or name another file" in said


@each_row(
    ("arguments", "said"),
    [
        ((), "name a game and a --bot"),
        (("topas",), "name a game and a --bot"),
        (("topas", "--verify", "r.jsonl"), "leave out the game"),
        ((*TOPAS, "-b", "gredy"), 'did you mean "greedy"?'),
        ((*TOPAS, "-b", "greedy", "-n", "3"), "suite small has topas with 1, 2 players, not with 3"),
        (("schlossgarten", "--suite", "small", "-b", "greedy"), 'no game "schlossgarten"; it has topas, topiary'),
        (("topas", "--suite", "smal", "-b", "greedy"), 'there is no suite "smal"; there are small; did you mean'),
        (("topas", "--suite", "../small", "-b", "greedy"), "there is no suite"),
    ],
)
def test_what_is_asked_for_wrongly_is_said(place: Path, arguments: tuple[str, ...], said: str) -> None:
    assert place
    assert said in refused(*arguments)


def test_a_version_that_deals_or_plays_otherwise_refuses_the_suite(place: Path, small: Suite) -> None:
    evaluate(*TOPAS, "-b", "random", "-g", "1", "-o", "r.jsonl")
    for old, said in (
        (small.meetings[1].dealt, "this version of bosquet deals topas with 2 seats otherwise than the suite"),
        (
            small.meetings[1].opponents[1].plays,
            "this version of bosquet plays search:1 in topas with 2 seats otherwise",
        ),
    ):
        text = msgspec.json.encode(small).decode().replace(old, hashlib.sha256().hexdigest())
        (place / "suites/small.json").write_text(text)
        assert said in refused(*TOPAS, "-b", "random")
        assert "digest" in refused("--verify", "r.jsonl")


# --- verification ---


def opponent_gives_up(lines: Lines) -> None:
    lines[1]["games"][0]["forfeits"] = [{"seat": 1, "ply": 3, "reason": "is tired"}]


def another_deal(lines: Lines) -> None:
    lines[1]["games"][0]["deal"] = lines[2]["games"][0]["deal"]


def another_course(lines: Lines) -> None:
    lines[1]["games"][2] = copy.deepcopy(lines[1]["games"][0])


def change(*path: Any, to: Any) -> Callable[[Lines], None]:
    """Return what changes the part of a file that a path leads to."""

    def changed(lines: Lines) -> None:
        at: Any = lines
        for part in path[:-1]:
            at = at[part]
        at[path[-1]] = to

    return changed


def remove(*path: Any) -> Callable[[Lines], None]:
    """Return what removes the part of a file that a path leads to."""

    def removed(lines: Lines) -> None:
        at: Any = lines
        for part in path[:-1]:
            at = at[part]
        del at[path[-1]]

    return removed


def a_hundredth_more(*path: Any) -> Callable[[Lines], None]:
    """Return what adds 0.01 to a number of the result."""

    def changed(lines: Lines) -> None:
        number = functools.reduce(operator.getitem, path, lines[3]["result"])
        change(3, "result", *path, to=round(number + 0.01, 2))(lines)

    return changed


WRONG: list[tuple[Callable[[Lines], None], str]] = [
    (change(0, to=[]), "1: a list"),
    (change(0, "format", to="bosquet/1"), '1: format is "bosquet/1"; this verifies "bosquet-evaluation/1"'),
    (change(0, "suite", to="v9"), '1: there is no suite "v9"'),
    (change(0, "suite", to=["small"]), "1: there is no suite a list"),
    (change(0, "digest", to="0"), '1: digest is "0"; it must be'),
    (change(0, "players", to=True), "1: suite small has topas with 1, 2 players, not with true"),
    (change(0, "game", to={}), "1: suite small has no game an object"),
    (change(0, "deals", to=3), "1: deals is 3; it must be a whole number from 1 to 2"),
    (change(0, "deals", to=10**30), "1: deals is a number of 100 bits"),
    (change(0, "bot", to="a\x1b[2Jb"), '1: bot is "a\\x1b[2Jb"; it must be the name of a bot'),
    (change(0, "bosquet", to=[1]), "1: bosquet is a list; it must be the version of the package"),
    (change(0, "plays", to=1), "1: plays is 1; it must be an object"),
    (change(0, "plays", "bosquet", to=[]), '1: plays: "bosquet" is a list; it must be a SHA-256 digest'),
    (change(0, "plays", "bosquet", to="A" * 64), '1: plays: "bosquet" is "AAA'),
    (change(0, "bot", to="other"), "2: games[0]: players is a list; it must be"),
    (remove(0, "bot"), '1: the first line has no "bot"'),
    (change(0, "more", to=1), '1: the first line has an unknown part "more"'),
    (change(1, "deal", to=1), "2: deal is 1; it must be 0"),
    (remove(1, "games", 3), "2: games has 3 entries; it must have 4"),
    (change(1, "games", 0, to=None), "2: games[0]: the record is null; it must be an object"),
    (change(1, "games", 1, "options", "expert", to=True), "2: games[1]: options is an object"),
    (change(1, "games", 1, "seed", to=1), "2: games[1]: seed is 1; it must be"),
    (change(1, "games", 1, "players", to=["random", "greedy"]), "2: games[1]: players is a list"),
    (another_deal, "2: games[0]: deal is an object; it must be"),
    (another_course, "2: games[2]: players"),
    (change(2, "games", 0, "moves", 5, to="nonsense"), '3: games[0]: ply 5: "nonsense"'),
    (change(2, "games", 0, "moves", 5, to=5), "3: games[0]: ply 5: 5 is no move"),
    (change(2, "games", 0, "moves", to="a1"), '3: games[0]: moves is "a1"'),
    (remove(2, "games", 0, "moves", -1), "3: games[0]: the game is not over after the last move"),
    (change(2, "games", 0, "result", "winners", to=[0, 1]), "3: games[0]: result is an object; it must be"),
    (
        change(2, "games", 0, "ending", to={"how": "void"}),
        '3: games[0]: the record has an unknown part "ending"',
    ),
    (opponent_gives_up, "2: games[0]: forfeits: seat 1 can't have failed at ply 3"),
    (change(1, "games", 0, "forfeits", to=[{"seat": 0}]), "2: games[0]: forfeits: Object missing"),
    (change(3, "result", "number", to=99.0), "4: result is not that of the games; it must be"),
    (a_hundredth_more("number"), "4: result is not that of the games; it must be"),
    (a_hundredth_more("interval", 1), "4: result is not that of the games; it must be"),
    (a_hundredth_more("against", "greedy", "interval", 0), "4: result is not that of the games; it must be"),
    (change(3, "result", "against", to=None), "4: result is not that of the games; it must be"),
    (remove(3, "result"), '4: the last line has no "result"'),
    (remove(3), ": ends before the result; the file is not complete"),
    (remove(2), '3: the line has no "deal"'),
    (change(slice(1, None), to=[]), ": ends before deal 0 of 2"),
    (change(slice(0, None), to=[]), ": ends before what was evaluated"),
    (change(slice(4, None), to=[{}]), "5: follows the result, which is the last line"),
]


@pytest.fixture
def lines(place: Path) -> Lines:
    """Return the lines of a result file of `random` in Topas."""
    evaluate(*TOPAS, "-b", "random", "-o", "right.jsonl")
    return [json.loads(line) for line in (place / "right.jsonl").read_text().splitlines()]


def write(file: str, lines: Lines) -> None:
    Path(file).write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_changed_file_is_refused_with_the_place(lines: Lines) -> None:
    write("r.jsonl", lines)
    assert evaluate("--verify", "r.jsonl")["verified"]
    for number, (changes, said) in enumerate(WRONG):
        changed = copy.deepcopy(lines)
        changes(changed)
        write("r.jsonl", changed)
        found = refused("--verify", "r.jsonl", "--remake", "0")
        assert found.startswith(f"bosquet: r.jsonl:{said.removeprefix(':')}"), (number, found)


@each_row("text", [b"", b"\0", b"{", b"[" * 100_000, b'{"format":"bosquet-evaluation/1","format":1}', b"\xff\xfe{"])
def test_what_is_no_result_file_is_refused(place: Path, text: bytes) -> None:
    (place / "r.jsonl").write_bytes(text)
    assert refused("--verify", "r.jsonl").startswith("bosquet: r.jsonl:")


def test_an_opponent_that_was_let_lose_is_found(lines: Lines, small: Suite) -> None:
    """All moves are legal and the result is right, but the opponent was not the one that is pinned."""
    forged = Match("topas", small.meetings[1].options, ["random", "random"], small.meetings[1].seed).play(0)
    lines[1]["games"][0] = forged.record() | {"players": ["random", "greedy"]}
    del lines[2:]
    lines[0]["deals"] = 1
    write("r.jsonl", lines)
    assert "ends before the result" in refused("--verify", "r.jsonl", "--remake", "0")
    found = refused("--verify", "r.jsonl", "--remake", "4")
    assert "r.jsonl:2: games[0]: ply" in found
    assert "is not what the bot in seat 1 makes" in found


def test_the_moves_of_a_bot_are_made_again_by_the_bot_that_is_named(lines: Lines) -> None:
    write("r.jsonl", lines)
    assert evaluate("--verify", "r.jsonl", "--bot", "random", "--remake", "8")["remade"] == 8
    assert "is not what the bot in seat" in refused("--verify", "r.jsonl", "--bot", "greedy", "--remake", "8")


def test_nothing_is_run_that_a_file_names(place: Path, lines: Lines) -> None:
    bot = "cmd:touch harm"
    text = "".join(json.dumps(line) + "\n" for line in lines).replace('"random"', json.dumps(bot))
    (place / "r.jsonl").write_text(text)
    assert evaluate("--verify", "r.jsonl", "--remake", "8")["bot"] == bot
    assert not (place / "harm").exists()


@pytest.mark.slow
def test_a_bot_that_fails_has_lost_and_its_file_is_verified(place: Path) -> None:
    (place / "late.py").write_text(
        "class Late:\n    def choose(self, view, rng):\n        return view.moves[0].say if view.ply < 4 else 'no'\n"
    )
    found = evaluate(*TOPAS, "-b", "late.py", "-o", "r.jsonl")
    assert (found["number"], found["forfeits"]) == (0.0, 8)
    assert evaluate("--verify", "r.jsonl", "--bot", "late.py")["forfeits"] == 8


def test_a_bot_that_is_not_the_one_that_played_is_told_of(place: Path) -> None:
    bot = "class First:\n    def choose(self, view, rng):\n        return view.moves[0].say\n"
    (place / "first.py").write_text(bot)
    evaluate(*TOPAS, "-b", "first.py", "-o", "r.jsonl")
    said = []
    for text in (bot, bot + "# the same moves\n"):
        (place / "first.py").write_text(text)
        said.append(cli("evaluate", "--verify", "r.jsonl", "--bot", "first.py", "--workers", "1", "--json"))
    assert [json.loads(one.stdout)["verified"] for one in said] == [True, True]
    assert "is not what played" not in said[0].stderr
    assert '"first.py" is not what played: its digest is not the one in the file, of "first.py"' in said[1].stderr
