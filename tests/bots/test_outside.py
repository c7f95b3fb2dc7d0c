"""Bots from outside: what they are given, and what happens when they fail."""

from __future__ import annotations

import functools
import json
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import bosquet
from bosquet import bots
from bosquet.bots import host, outside
from bosquet.bots.outside import BotError, Limits, split_names
from bosquet.bots.program import Program
from bosquet.core.errors import BosquetError
from bosquet.core.rng import Rng
from bosquet.core.view import View, to_json
from bosquet.lab.arena import Arena, Folder, played
from bosquet.lab.matches import Forfeit, Match, Outcome, match_outcome, outcomes
from bosquet.lab.standings import Standings
from tests.helpers.cases import every_size_briefly, walk
from tests.helpers.command_line import cli
from tests.helpers.rows import each_row

LIMITS = Limits(seconds=10.0, mebibytes=512)

HELLO = """
import json, os, sys, time
def send(**message):
    print(json.dumps(message), flush=True)
def messages():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            send(type="hello", protocol=1)
        yield message
"""
"""The beginning of bots that need not wait for bosquet to be imported."""
FIRST = """
for message in messages():
    if message["type"] == "position":
        view = message["view"]
    if message["type"] == "go":
        send(type="bestmove", id=message["id"], move=view["moves"][0]["say"])
"""
"""The rest of a bot that plays the first legal move."""


@pytest.fixture(autouse=True)
def no_processes_left() -> Iterator[None]:
    yield
    outside.close_idle()


def program(folder: Path, body: str, start: str = HELLO) -> str:
    """Write a bot; return its name."""
    path = folder / f"bot{len(list(folder.iterdir()))}.py"
    path.write_text(start + body, encoding="utf-8")
    return f"cmd:{shlex.join([sys.executable, '-S', str(path)])}"


def choose(name: str, view: View, limits: Limits = LIMITS) -> str:
    with outside.seated([name], limits) as (bot,):
        return bot.choose(view, Rng(1))


def on_go(action: str) -> str:
    return f"for message in messages():\n    if message['type'] == 'go':\n        {action}\n"


# --- how bots are named ---


@each_row(
    ("name", "expected"),
    [
        ("greedy", False),
        ("level3", False),
        ("search:100:seconds=5", False),
        ("cmd:node bot.js", True),
        ("mine:Bot", True),
        ("package.module:Outer.Inner", True),
        ("some folder/bot.py:Mine", True),
        ("some folder/bot.py", True),
        ("Ann", False),
        ("package.module", False),
        ("", False),
    ],
)
def test_outside_bots_are_told_by_their_names(name: str, expected: bool) -> None:
    assert outside.is_outside(name) == expected


@each_row(
    ("text", "names"),
    [
        ("greedy", ["greedy"]),
        ("greedy, random", ["greedy", "random"]),
        ('"cmd:bot --sizes 1,2",greedy', ["cmd:bot --sizes 1,2", "greedy"]),
        ('"cmd:bot ""a, b""",greedy', ['cmd:bot "a, b"', "greedy"]),
        ("greedy,", ["greedy", ""]),
    ],
)
def test_names_stand_with_commas_between(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@each_row(
    ("name", "words"),
    [
        (
            "nobody",
            r"there is no bot .*level6, champion, learned, search:SIMULATIONS, and your own: "
            r"module:Class, path/to/file.py, cmd:PROGRAM",
        ),
        ("no_such_module:Bot", "No module named 'no_such_module'"),
        ("nowhere.py:Bot", "there is no file nowhere.py"),
        ("json:Nothing", "there is no Nothing in json"),
        ("json:JSONDecoder", r"no class with a method choose\(view, rng\)"),
        ("cmd:", "names no program"),
        ("cmd:no-such-program", "can't be started"),
        ("cmd:'", "No closing quotation; a name with a comma stands in double quotes in a list"),
        (7, "7 is no bot"),
    ],
)
def test_a_bot_that_cannot_be_made_is_refused_before_the_match(name: Any, words: str) -> None:
    with pytest.raises(bosquet.OptionError, match=words):
        Match("topiary", {"players": 2}, [name, "random"], 1, limits=LIMITS).checked()


def test_a_comma_in_a_command_needs_double_quotes(tmp_path: Path) -> None:
    """What works is what the error of the list without them says."""
    name = program(tmp_path, FIRST)
    with_comma = f"{name} --sizes 1,2"
    match = Match("topas", {"players": 2}, split_names(f"{with_comma},greedy"), 1, limits=LIMITS)
    with pytest.raises(bosquet.OptionError, match=r'there is no bot "2".* stands in double quotes in a list'):
        match.checked()
    match = Match("topas", {"players": 2}, split_names(f'"{with_comma}",greedy'), 1, limits=LIMITS).checked()
    assert match.bots == [with_comma, "greedy"]
    assert not match_outcome(match, 0).forfeits


def test_make_starts_nothing() -> None:
    """The server names bots by `bots.make` alone."""
    for name in ("cmd:true", "os:getcwd", "bot.py:Mine"):
        with pytest.raises(bosquet.OptionError, match="there is no bot"):
            bots.make(name)


def test_a_package_may_bring_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "garden_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: garden-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[bosquet.bots]\nrosy = garden_bots:Rosy\ngreedy = garden_bots:Rosy\n")
    (tmp_path / "garden_bots.py").write_text(
        "class Rosy:\n    def choose(self, view, rng):\n        return view.moves[-1].say\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    view = bosquet.new("topiary", seed=1).view(0)
    outside.check(["rosy"], LIMITS)
    assert choose("rosy", view) == view.moves[-1].say
    assert not outside.is_outside("greedy")  # a package does not replace a bot of bosquet


# --- what a bot is given ---


def test_a_class_gets_the_view_of_its_seat_with_its_type(tmp_path: Path) -> None:
    """What a class sees in its own process equals the view; a generator gives the same moves each time."""
    seen: list[View] = []

    class Keeps:
        def choose(self, view: View, rng: Rng) -> str:
            seen.append(view)
            return rng.choice(view.moves).say

    game = bosquet.new("schlossgarten", seed=3)
    view = game.view(0)
    lines = [
        {"type": "hello", "protocol": 1, "more": "than is known"},
        {"type": "weather", "sun": True},
        {"type": "game", "game": game.name, "options": game.options, "seat": 0},
        {"type": "position", "view": msgspec.Raw(to_json(view))},
        {"type": "go", "id": 1, "seconds": 1.0, "seed": 9},
        {"type": "go", "id": 2, "seconds": 1.0, "seed": 9},
        {"type": "quit"},
        {"type": "go", "id": 3, "seconds": 1.0, "seed": 9},
    ]
    hello, *answers = host.answers(Keeps, iter(map(msgspec.json.encode, lines)))
    assert seen == [view, view]
    assert type(seen[0]) is type(view)
    assert msgspec.to_builtins(hello) == {"type": "hello", "protocol": 1, "name": "Keeps"}
    move = Rng(9).choice(view.moves).say
    assert [msgspec.to_builtins(answer) for answer in answers] == [
        {"type": "bestmove", "id": number, "move": move} for number in (1, 2)
    ]


@every_size_briefly
def test_views_come_back_from_json(name: str, options: dict[str, Any]) -> None:
    spec = bosquet.spec(name)
    for game in walk(name, options, 5, 40):
        for seat in [*range(game.players), None]:
            view = game.view(seat)
            assert msgspec.json.decode(to_json(view), type=spec.view_type) == view


def test_a_program_is_sent_the_views_of_its_seat_and_nothing_else(tmp_path: Path) -> None:
    log = tmp_path / "log"
    name = program(
        tmp_path, f"sys.stdin = (open({str(log)!r}, 'a').write(line) and line for line in sys.stdin)\n" + FIRST
    )
    game = Match("topas", {"players": 2}, [name, "random"], 4, limits=LIMITS).checked().play(0)
    outside.close_idle()
    sent = [json.loads(line) for line in log.read_text().splitlines()]
    again = bosquet.load({**game.record(), "moves": [], "result": None})
    views = []
    for move in game.moves:
        if again.seat == 0:
            views.append(json.loads(to_json(again.view(0))))
        again.play(move)
    types = ["hello", "quit", "hello", "game", *["position", "go"] * len(views), "quit"]  # started once to be checked
    assert [message["type"] for message in sent] == types
    assert [message["view"] for message in sent if message["type"] == "position"] == views
    assert [set(message) for message in sent if message["type"] == "game"] == [{"type", "game", "options", "seat"}]
    assert {key for message in sent if message["type"] == "go" for key in message} == {"type", "id", "seconds", "seed"}


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games_with_any_number_of_workers(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n    def choose(self, view, rng):\n        return rng.choice(view.moves).say\n")
    match = Match("topiary", {"players": 2}, [f"{path}:Mine", "random"], 3, limits=LIMITS).checked()
    alone = [match_outcome(match, index).record for index in range(10)]
    assert [outcome.record for outcome in outcomes(match, 10, workers=2)] == alone
    assert len(set(alone)) == 10


# --- bots that fail ---

FAILURES = [
    (on_go("sys.exit(3)"), "ended with exit code 3"),
    (on_go("raise RuntimeError('too hard')"), 'ended with exit code 1: "RuntimeError: too hard"'),
    (on_go("raise RuntimeError('too hard\\nfor me')"), 'ended with exit code 1: "RuntimeError: too hard"'),
    (
        on_go("sys.exit('    at play (bot.mjs:3)\\nTypeError: no move\\n    at bot.mjs:9\\n\\nNode.js v20')"),
        '"TypeError: no move", bot.mjs:9',
    ),
    (on_go("os.kill(os.getpid(), 9)"), "was ended by SIGKILL"),
    (on_go("print('I think', flush=True)"), 'sent "I think", which is no message'),
    (on_go("os.write(1, bytes(range(128, 256)) + b'\\n')"), "which is no message"),
    (on_go("send(type='bestmove', id=1)"), "which is no message: Object missing required field `move`"),
    (on_go("send(type='bestmove', id=7, move='x')"), "answered decision 7; decision 1 was asked for"),
    (on_go("send(type='bestmove', id=1, move='a9N')"), 'made the move "a9N", which is not legal'),
    (on_go("send(type='hello', protocol=1)"), "said hello instead of a move"),
    (on_go("print('x' * 2_000_000, flush=True)"), "wrote more than 1048576 bytes without a move"),
    (on_go("[send(type='info', text='x' * 1000) for _ in range(2000)]"), "wrote more than 1048576 bytes"),
    (on_go("os.close(1)"), "closed its standard output"),
    (on_go("import time; os.close(1); time.sleep(1.5); os._exit(3)"), "ended with exit code 3"),
]
if sys.platform == "linux":  # elsewhere nothing limits the memory of a bot
    FAILURES.append((on_go("kept = [bytearray(1 << 24) for _ in range(256)]"), 'exit code 1: "MemoryError"'))


@each_row(("body", "reason"), FAILURES)
def test_a_bot_that_fails_has_a_reason(body: str, reason: str, tmp_path: Path) -> None:
    view = bosquet.new("topiary", seed=1).view(0)
    with pytest.raises(BotError) as caught:
        choose(program(tmp_path, body), view, Limits(seconds=20.0, mebibytes=256))
    assert reason in str(caught.value)


@each_row(
    ("start", "reason"),
    [
        ("import sys; sys.exit('no weights')", 'ended with exit code 1: "no weights"'),
        ('print(\'{"type": "hello", "protocol": 2}\', flush=True)', "speaks version 2 of the protocol"),
        ('print(\'{"type": "bestmove", "id": 1, "move": ""}\', flush=True)', "sent a move before it said hello"),
    ],
)
def test_a_bot_that_greets_wrongly_is_refused(start: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(bosquet.OptionError, match=reason):
        outside.check([program(tmp_path, "", start + "\nimport time; time.sleep(60)")], LIMITS)


@each_row(
    ("body", "kind"),
    [
        ("async def choose(self, view, rng):\n        return 'pass'", "coroutine"),
        ("def choose(self, view, rng): pass", "NoneType"),
    ],
)
def test_a_class_that_returns_no_string_is_told_so(body: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"class Mine:\n    {body}\n")
    with pytest.raises(BotError, match=f"choose returned a {kind}; it must return a string"):
        choose(f"{path}:Mine", bosquet.new("topiary", seed=1).view(0), LIMITS)


@each_row(
    ("lines", "said"),
    [
        (["rubbish"], "line 2: JSON is malformed"),
        ([""], "line 2: Input data was truncated"),
        (['{"type":"go"}'], "line 2: Object missing required field `id`"),
        (['{"type":"position","view":{}}'], "line 2: a position came before a game"),
        (['{"type":"go","id":1,"seconds":1.0,"seed":1}'], "line 2: a move was asked for before a game"),
        (['{"type":"game","game":"chess","options":{},"seat":0}'], "there is no game"),
        (['{"type":"game","game":"topas","options":{},"seat":0}', '{"type":"position","view":1}'], "line 3: Expected"),
    ],
)
def test_messages_to_a_bot_that_can_not_be_read_get_one_line(lines: list[str], said: str) -> None:
    hello = '{"type":"hello","protocol":1,"bosquet":"0.1.0"}'
    with pytest.raises(BosquetError) as caught:
        list(host.answers(host.maker("greedy"), iter([f"{line}\n".encode() for line in [hello, *lines]])))
    assert str(caught.value).startswith(said)


def test_a_bot_that_hangs_is_ended_with_all_its_processes(tmp_path: Path) -> None:
    """Its child, too, and if it reads nothing, so that the pipe to it is full."""
    pids = tmp_path / "pids"
    hangs = f"""
for message in messages():
    if message["type"] == "game":
        open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{os.fork()}}")
        time.sleep(99)
"""
    name = program(tmp_path, hangs)
    game = bosquet.new("topas", seed=1, expert=True)
    started = time.monotonic()
    with pytest.raises(BotError, match=r"sent no move within 0\.5 s"):
        choose(name, game.view(0), Limits(0.5, 512))
    assert time.monotonic() - started < 10
    for pid in map(int, pids.read_text().split()):
        wait_until(functools.partial(has_ended, pid))


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def has_ended(pid: int) -> bool:
    """Whether a process is gone, or a zombie that nobody has asked for."""
    try:
        return ") Z" in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


def test_a_bot_that_fails_loses_its_game_and_the_match_goes_on(tmp_path: Path) -> None:
    """It fails in its third decision of all; in the next game it plays again."""
    mark = tmp_path / "mark"
    fails = f"""
count = 0
for message in messages():
    if message["type"] == "position":
        view = message["view"]
    if message["type"] == "go":
        count += 1
        if count == 3 and not os.path.exists({str(mark)!r}):
            open({str(mark)!r}, "w")
            sys.exit("lost my way")
        send(type="bestmove", id=message["id"], move=view["moves"][0]["say"])
"""
    match = Match("topas", {"players": 3}, [program(tmp_path, fails), "greedy", "random"], 5, limits=LIMITS).checked()
    found = list(outcomes(match, 3))
    (forfeit,) = found[0].forfeits
    assert (forfeit.seat, forfeit.ply) == (0, 6)
    assert forfeit.reason == 'ended with exit code 1: "lost my way"'
    assert found[0].scores[0] == 0
    assert 0 not in found[0].winners
    assert not found[1].forfeits
    assert not found[2].forfeits
    record = json.loads(found[0].record)
    assert record["forfeits"] == [msgspec.to_builtins(forfeit)]
    assert bosquet.load(record).over  # the record is complete and right


@each_row(
    ("scores", "winners", "lost", "counted", "wins"),
    [
        ([9, 5], [0], [0], [0, 5], [1]),
        ([9, 5], [0], [1], [9, 0], [0]),
        ([9, 5], [0], [0, 1], [0, 0], [0, 1]),
        ([9, 5, 5], [0], [0], [0, 5, 5], [1, 2]),
        ([9, 9, 5], [0, 1], [0], [0, 9, 5], [1]),
        ([4, 9, 5], [0], [0, 2], [0, 9, 0], [1]),
        ([40], [0], [0], [0], [0]),
    ],
)
def test_a_seat_that_forfeits_loses(
    scores: list[int], winners: list[int], lost: list[int], counted: list[int], wins: list[int]
) -> None:
    outcome = Outcome(scores, winners, b"", [Forfeit(seat, 0, "") for seat in lost]).after_forfeits()
    assert (outcome.scores, outcome.winners) == (counted, wins)


def test_a_match_with_forfeits_is_kept_and_read_again(tmp_path: Path) -> None:
    name = program(tmp_path, on_go("sys.exit(3)"))
    match = Arena("topas", {"players": 2}, [name, "random"], 6, 1, limits=LIMITS).checked()
    tables = []
    for _ in range(2):
        with Folder(tmp_path / "match", match) as folder:
            standings = Standings(match)
            for deal in played(match, workers=1, folder=folder):
                standings.add(deal)
            tables.append(standings.to_json())
    assert tables[0] == tables[1]
    assert [bot["forfeits"] for bot in tables[0]["bots"]] == [6, 0]
    assert [bot["win_rate"] for bot in tables[0]["bots"]] == [0, 1]
    with pytest.raises(bosquet.BosquetError, match="holds another match: limits"):
        Folder(tmp_path / "match", Arena("topas", {"players": 2}, [name, "random"], 6, 1).checked())


def test_a_process_that_ended_between_games_is_started_again(tmp_path: Path) -> None:
    body = FIRST + "    if message['type'] == 'go':\n        sys.exit()\n"
    view = bosquet.new("topiary", seed=1).view(0)
    name = program(tmp_path, body)
    for _ in range(3):
        assert choose(name, view) == view.moves[0].say
        wait_until(lambda: all(not waiting.runs for programs in outside._idle.values() for waiting in programs))


def test_a_bot_that_leaves_after_its_last_move_has_done_nothing_wrong(tmp_path: Path) -> None:
    """It may still be there when the next game begins."""
    leaves = """
moves = 0
for message in messages():
    if message["type"] == "position":
        view = message["view"]
    if message["type"] == "go":
        if moves == 1:
            sys.exit()
        send(type="bestmove", id=message["id"], move=view["moves"][0]["say"])
        moves += 1
"""
    view = bosquet.new("topiary", seed=1).view(0)
    name = program(tmp_path, leaves)
    for _ in range(3):
        assert choose(name, view) == view.moves[0].say
    with outside.seated([name], LIMITS) as (bot,):
        bot.choose(view, Rng(1))
        with pytest.raises(BotError, match="ended with exit code 0"):  # in the middle of a game
            bot.choose(view, Rng(1))


@pytest.mark.skipif(sys.platform == "win32", reason="processes there have no groups")
def test_a_bot_that_dies_is_dead_though_its_child_holds_its_output(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    dies = f"""
import subprocess
child = "import subprocess, sys, time; print(subprocess.Popen(['sleep', '99']).pid, file=sys.stderr); time.sleep(99)"
for message in messages():
    if message["type"] == "go":
        child = subprocess.Popen([sys.executable, "-S", "-c", child], stderr=open({str(pids)!r}, "w"))
        while not open({str(pids)!r}).read().endswith("\\n"):
            time.sleep(0.02)
        open({str(pids)!r}, "a").write(str(child.pid))
        raise RuntimeError("too hard")
"""
    started = time.monotonic()
    with pytest.raises(BotError, match=r'ended with exit code 1: "RuntimeError: too hard"'):
        choose(program(tmp_path, dies), bosquet.new("topas", seed=1).view(0), Limits(25.0, 512))
    assert time.monotonic() - started < 15
    for pid in map(int, pids.read_text().split()):
        wait_until(functools.partial(has_ended, pid))


def test_a_hello_may_begin_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    start = HELLO.replace("def messages", "sys.stdout.buffer.write(b'\\xef\\xbb\\xbf')\ndef messages")
    view = bosquet.new("topiary", seed=1).view(0)
    assert choose(program(tmp_path, FIRST, start), view) == view.moves[0].say
    hello = b'\xef\xbb\xbf{"type": "hello", "protocol": 1}'
    answers: list[Any] = list(host.answers(host.maker("greedy"), iter([hello])))
    assert [answer.protocol for answer in answers] == [1]


DEEP = """
class Deep:
    def choose(self, view, rng):
        print("I look at", len(view.moves))
        return self.best(view)

    def best(self, view):
        return view.no_such
"""


def test_a_failure_names_its_file_and_line_and_the_last_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep.py").write_text(DEEP)
    (tmp_path / "typo.py").write_text("class Typo:\n    def choose(self view):\n")
    (tmp_path / "importing.py").write_text("\nimport no_such_thing\n")
    view = bosquet.new("topas", seed=1).view(0)
    with pytest.raises(BotError, match=r"no_such.*\", deep.py:8 in best, from deep.py:5 in choose$"):
        choose("deep.py:Deep", view)
    for name, said in (("typo.py:Typo", r"SyntaxError: .*\", typo.py:2$"), ("importing.py", r"\", importing.py:2$")):
        with pytest.raises(bosquet.OptionError, match=said):
            outside.check([name], LIMITS)


@pytest.mark.slow
def test_what_a_bot_prints_is_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text(DEEP)
    command = ["simulate", "topas", "-b", "deep.py,greedy", "-g", "2", "--workers", "1", "--bot-log", "log"]
    assert cli(*command, cwd=tmp_path).returncode == 0
    log = (tmp_path / "log").read_text()
    assert log.count("deep.py: I look at") == 2
    assert log.count("deep.py: AttributeError: ") == 2
    done = cli(*command, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "bosquet: log: exists already; name another file, or add --force\n")
    assert (tmp_path / "log").read_text() == log
    assert cli(*command, "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "log").read_text() == log
    assert cli(*command[:-2], cwd=tmp_path).returncode == 0
    assert (tmp_path / "log").read_text() == log


@each_row(
    ("source", "said"),
    [
        ("import json\nfrom json import JSONDecoder\nclass One:\n  choose = None\nclass Other: pass\n", None),
        ("class A:\n  choose = None\nclass B(A):\n  pass\n", "several bots in .*; name one after a colon: A, B"),
        ("class _Hidden:\n  choose = None\nclass B(_Hidden):\n  pass\n", None),
        ("def choose(view, rng): pass\n", "there is no class with a method"),
        ("", "there is no class with a method"),
    ],
)
def test_a_file_with_one_bot_is_name_enough(source: str, said: str | None, tmp_path: Path) -> None:
    file = tmp_path / "points.py"
    file.write_text(source)
    if said is None:
        outside.check([str(file)], LIMITS)
    else:
        with pytest.raises(bosquet.OptionError, match=said):
            outside.check([str(file)], LIMITS)


# --- the end of a match ---


def test_a_bot_that_is_interrupted_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer would be taken for one of the next game."""
    pid = tmp_path / "pid"
    name = program(tmp_path, f"open({str(pid)!r}, 'w').write(str(os.getpid()))\n" + FIRST)
    view = bosquet.new("topiary", seed=1).view(0)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with outside.seated([name], LIMITS) as (bot,):
        bot.choose(view, Rng(1))
        first = pid.read_text()
        with monkeypatch.context() as patch:
            patch.setattr(Program, "_receive", interrupted)
            with pytest.raises(KeyboardInterrupt):
                bot.choose(view, Rng(1))
        assert has_ended(int(first))
        assert bot.choose(view, Rng(1)) == view.moves[0].say
    assert pid.read_text() != first


@pytest.mark.slow
@each_row("signals", [["SIGINT", "SIGINT"], ["SIGKILL"]])
def test_when_a_match_is_stopped_no_bot_stays_behind(signals: list[str], tmp_path: Path) -> None:
    """Not even one that thinks for ever, and does not see that its input has ended."""
    pids = tmp_path / "pids"
    pids.write_text("")
    name = program(tmp_path, on_go(f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(999)"))
    command = ["arena", "topas", "--bots", f"{name},random", "--games", "40", "--workers", "2", "--bot-seconds", "500"]
    match = subprocess.Popen([sys.executable, "-m", "bosquet", *command], start_new_session=True)
    try:
        wait_until(lambda: len(pids.read_text().split()) >= 2)
        for sent in signals:
            match.send_signal(signal.Signals[sent])
            time.sleep(0.5)
        assert match.wait(30) == (-9 if "SIGKILL" in signals else 130)
    finally:
        match.kill()
    for pid in map(int, pids.read_text().split()):
        wait_until(functools.partial(has_ended, pid))
