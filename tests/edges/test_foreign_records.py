"""Foreign records: each fault gets one clear line with file, line and ply; the other records are still checked."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import bosquet
from bosquet.core.inputs.json_text import decode
from bosquet.core.records import record as record_module
from tests.helpers.command_line import cli
from tests.helpers.records import RECORDS, Record
from tests.helpers.rows import each_row


def edited(name: str, edit: Callable[[Record], object]) -> bytes:
    record = copy.deepcopy(RECORDS[name])
    edit(record)
    return json.dumps(record).encode()


def put(*path: Any) -> Callable[[Record], None]:
    """An edit: the last of the path is put where the others lead."""

    def edit(record: Any) -> None:
        for key in path[:-2]:
            record = record[key]
        record[path[-2]] = path[-1]

    return edit


def without(*path: Any) -> Callable[[Record], None]:
    def edit(record: Any) -> None:
        for key in path[:-1]:
            record = record[key]
        del record[path[-1]]

    return edit


SCORES = RECORDS["topas"]["result"]["scores"]
HUGE = b'{"format":"bosquet/1","game":"topiary","options":{"players":' + b"9" * 5000 + b"},"
FAULTS: list[tuple[str, bytes, str]] = [
    ("no json", b"{]", "not JSON"),
    ("not an object", b"[1, 2]", "must be an object"),
    ("a number", b"7", "must be an object"),
    ("not utf-8", b'{"format": "\xff"}', "not UTF-8 at byte 13"),
    ("nested", b"[" * 100000, "JSON|nested"),
    ("huge number", HUGE + b'"deal":{},"moves":[],"result":null}', "options.players is|JSON"),
    ("float", edited("topiary", put("options", "players", 2.5)), "options.players is 2.5"),
    ("bool", edited("topiary", put("options", "players", True)), "options.players is true"),
    ("no players", edited("topiary", without("options", "players")), 'options has no "players"'),
    ("no format", edited("topiary", without("format")), 'has no "format"'),
    ("no result", edited("topiary", without("result")), 'has no "result"'),
    ("other format", edited("topiary", put("format", "bosquet/2")), 'format is "bosquet/2"'),
    ("other game", edited("topiary", put("game", "chess")), 'no game "chess"'),
    ("game a list", edited("topiary", put("game", [])), "no game"),
    ("other option", edited("topiary", put("options", "expert", True)), 'options has an unknown part "expert"'),
    ("not together", edited("topiary", put("options", {"players": 4, "removed": "W"})), "^options.removed is W"),
    ("deal a list", edited("topiary", put("deal", [])), "deal is a list"),
    ("other deal", edited("topiary", put("deal", "pile", [])), 'unknown part "pile"'),
    ("tile twice", edited("topiary", lambda r: put("deal", "garden", 0, r["deal"]["garden"][1])(r)), "there twice"),
    ("tile unknown", edited("topiary", put("deal", "garden", 3, "Q9")), 'garden\\[3\\] is "Q9"'),
    ("tile a number", edited("topiary", put("deal", "garden", 3, 10**3000)), "a number of"),
    ("short garden", edited("topiary", lambda r: r["deal"]["garden"].pop()), "24 entries; it must have 25"),
    ("removed", edited("topiary", put("deal", "removed", None)), "removed is null"),
    ("removed type", edited("topiary", put("deal", "removed", {})), "removed is an object"),
    ("moves text", edited("topiary", put("moves", "a1N")), "moves is"),
    ("move a number", edited("topiary", put("moves", 0, 5)), "ply 0: 5 is no move"),
    ("move illegal", edited("topiary", put("moves", 0, "c9N")), 'ply 0: "c9N": this is no move.*legal: '),
    ("move unprintable", edited("topiary", put("moves", 0, "\x1b[31m\nred")), "ply 0: .*x1b"),
    ("surrogate", b'{"format": "\\ud800"}', "has no|JSON"),
    ("long move", edited("topiary", put("moves", 0, "x" * 100000)), "ply 0: "),
    ("after the end", edited("topiary", lambda r: r["moves"].append("a1N")), "the game is over"),
    ("cut", edited("topiary", lambda r: r["moves"].pop()), "result must be null"),
    ("no result yet", edited("topiary", put("result", None)), "result must be \\{"),
    ("wrong scores", edited("topiary", put("result", "scores", [1, 2])), "result.scores is \\[1, 2\\]; it must be"),
    ("wrong winners", edited("topiary", put("result", "winners", [0, 1])), "result.winners is"),
    ("float scores", edited("topas", put("result", "scores", [score + 0.5 for score in SCORES])), "result.scores is"),
    ("columns", edited("alone", without("result", "columns")), 'no "columns"'),
    ("keep order", edited("draft", put("moves", 0, "keep W2 T1 P5")), "ply 0: "),
    ("card twice", edited("topas", put("deal", "start", RECORDS["topas"]["deal"]["pile"][0])), "there twice"),
    ("far away", edited("topas", put("moves", 0, "B1G2@99,99N")), "ply 0: .*"),
    ("plus", edited("topas", put("moves", 0, "B1G2@+1,0N")), "ply 0: .*no move"),
    ("values", edited("schlossgarten", put("deal", "landscape", [1] * 49)), "49 tiles of 1; it must have 17"),
    ("deck", edited("schlossgarten", put("deal", "deck", [["...", "...", "..."]] * 32)), "deck\\[0\\]"),
    ("deck rows", edited("schlossgarten", put("deal", "deck", 7)), "deck is 7"),
    ("card 33", edited("schlossgarten", put("deal", "hands", 0, 33)), "hands\\[0\\] is 33"),
    ("pile", edited("schlossgarten", put("moves", 0, "pile 1 2")), "ply 0: .*no move"),
]  # fmt: skip


@each_row(("fault", "text", "message"), FAULTS)
def test_a_fault_gets_a_clear_error(fault: str, text: bytes, message: str) -> None:
    with pytest.raises(bosquet.RecordError, match=message) as caught:
        bosquet.load(decode(text))
    shown = str(caught.value)
    assert "\n" not in shown
    assert shown.isprintable()
    assert len(shown) < 700


@each_row("name", RECORDS)
def test_right_records_load(name: str) -> None:
    record = RECORDS[name]
    assert bosquet.load(record).record() == record
    with_more = record | {"event": "Sunday", "started": "2026-01-01T10:00:00Z", "note": [1]}
    assert bosquet.load(with_more).record() == with_more


def test_a_whole_number_may_be_written_with_a_point_as_a_page_reads_it() -> None:
    text = edited("topas", put("options", "players", 2.0))
    assert b"2.0" in text
    assert bosquet.load(decode(text)).record() == RECORDS["topas"]
    numbers = decode(b"[-0.0, 1e2, 1.5, 1e300]")
    assert numbers == [0, 100, 1.5, 1e300]
    assert [type(number) for number in numbers] == [int, int, float, float]


def test_every_fault_of_a_file_is_reported_and_the_rest_checked(tmp_path: Path) -> None:
    good = json.dumps(RECORDS["topas"]).encode()
    lines = [good, b"", *(text for _, text, _ in FAULTS), good]
    file = tmp_path / "many.jsonl"
    file.write_bytes(b"\n".join(lines))
    done = cli("replay", file)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    reports = done.stderr.splitlines()
    assert len(reports) == len(FAULTS)
    assert [int(line[len(str(file)) + 1 :].split(":")[0]) for line in reports] == list(range(3, 3 + len(FAULTS)))
    assert f"2 of {len(FAULTS) + 2} records right" in done.stdout


def test_right_files_pass(tmp_path: Path) -> None:
    file = tmp_path / "right.jsonl"
    file.write_text("".join(json.dumps(record) + "\r\n\n" for record in RECORDS.values()))
    done = cli("replay", file)
    assert (done.returncode, done.stderr) == (0, "")
    file.write_text("\ufeff" + json.dumps(RECORDS["topiary"], indent=2))
    assert cli("replay", file).returncode == 0
    assert bosquet.read(file).record() == RECORDS["topiary"]


ORDERED = {key: RECORDS["topas"][key] for key in record_module.KEYS}
PLAIN, TOPAS = json.dumps(ORDERED), json.dumps(ORDERED, indent=2)
MOVE = RECORDS["topas"]["moves"][2]
AT_MOVE = TOPAS[: TOPAS.index(f'"{MOVE}"')].count("\n") + 1
EDITED: list[tuple[str, str, str]] = [
    ("comma at the end", TOPAS[:-2] + ",\n}", "{end-1}:4: not JSON: a comma before }"),
    ("comma in a list", TOPAS.replace("\n  ],\n", ",\n  ],\n", 1), ": a comma before ]"),
    ("comment", "// my best game\n" + TOPAS, "1:1: not JSON: a comment"),
    ("comment behind", TOPAS.replace('"topas",', '"topas", # mine', 1), "3:20: not JSON: a comment"),
    ("smart quotes", TOPAS.replace('"format"', "“format”"), '2:3: not JSON: "“" is no quotation mark of JSON'),
    ("single quotes", TOPAS.replace('"format"', "'format'"), '2:3: not JSON: "\'" is no quotation mark'),
    ("key twice", TOPAS.replace("{", '{\n  "game": "topiary",', 1), '4:3: has the key "game" twice'),
    ("key twice within", TOPAS.replace('"players": 2,', '"players": 2,\n    "players": 3,'), '"options.players" twice'),
    ("cut off", TOPAS[:300], "the text ends before a record does"),
    ("open text", TOPAS[: TOPAS.index('et/1"')], "2:13: not JSON: a text begins here and is not closed"),
    ("second record", TOPAS + "\n" + TOPAS, "{end+1}:1: not JSON: another object begins here; a file of several"),
    ("second on the line", PLAIN + PLAIN, ": not JSON: another object begins here; a file of several"),
    ("list", "[" + PLAIN + "," + PLAIN + "]", "1: a list; a file of several records has one record a line"),
    ("list of lines", "[\n" + PLAIN + ",\n" + PLAIN + "\n]", "1: a list; a file of several"),
    ("list indented", "[" + TOPAS + ",\n" + TOPAS + "]", "1: a list; a file of several"),
    ("words behind", TOPAS + "\nthe end", '{end+1}:1: not JSON: "the" follows a record'),
    ("not a number", TOPAS.replace('"players": 2', '"players": NaN'), "5:16: not JSON"),
    ("comment at the end", TOPAS + " // mine", "{end}:3: not JSON: a comment"),
    ("a number that is too large", TOPAS.replace('"players": 2', '"players": 1e999'), "5:16: not JSON: number out of"),
    ("a line break in a text", TOPAS.replace('"topas"', '"to\npas"'), "3:14: not JSON: a line break"),
    ("no colon", TOPAS.replace('"game":', '"game"', 1), "3:10: not JSON: expecting ':' delimiter, not \"\"\""),
    ("a move", TOPAS.replace(f'"{MOVE}"', '"nonsense"'), f"{AT_MOVE}: ply 2: "),
    ("an option", TOPAS.replace('"players": 2', '"players": 9'), "5: options.players is 9"),
]  # fmt: skip


READING = (["replay"], ["score"], ["analyse"], ["play", "--load"], ["position", "--record"])
"""The commands that read a record."""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_fault_of_an_edited_record_is_found_at_its_line(tmp_path: Path, ends: str, encoding: str) -> None:
    file = tmp_path / "edited.json"
    end = TOPAS.count("\n") + 1
    for fault, text, message in EDITED:
        file.write_bytes(text.replace("\n", ends).encode(encoding))
        place = message.replace("{end}", str(end)).replace("{end-1}", str(end - 1)).replace("{end+1}", str(end + 1))
        for command in READING if (ends, encoding) == ("\n", "utf-8") else READING[:1]:
            done = cli(*command, file)
            assert done.returncode == 1, fault
            assert done.stderr.count("\n") == 1, (fault, done.stderr)
            assert f"{file}:" in done.stderr
            assert place in done.stderr, (fault, done.stderr)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be", "utf-16"])
def test_a_file_is_read_in_the_encoding_that_its_mark_says(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "marked.json"
    mark = "\ufeff" if encoding[-2:] in ("le", "be") else ""
    named = RECORDS["topas"] | {"players": ["Zoë Ω", "\u2028\u0a0a\u0d0a"]}
    for text in (json.dumps(named, indent=1, ensure_ascii=False), json.dumps(named, ensure_ascii=False) + "\r\n"):
        file.write_bytes((mark + text).encode(encoding))
        assert bosquet.read(file).record() == named
    lines = "".join(json.dumps(record) + "\r\n\r\n" for record in RECORDS.values())
    file.write_bytes((mark + lines).encode(encoding))
    assert [game.record() for game in bosquet.read_all(file)] == list(RECORDS.values())
    for one in (["play", "--load"], ["position", "--record"]):
        done = cli(*one, file)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{file}:3: a second record; one is read here" in done.stderr


def test_utf16_is_read_without_a_mark(tmp_path: Path) -> None:
    file = tmp_path / "unmarked.json"
    for encoding in ("utf-16-le", "utf-16-be"):
        file.write_bytes(TOPAS.encode(encoding))
        assert bosquet.read(file).record() == ORDERED


def test_utf16_that_is_cut_off_or_broken_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    whole = PLAIN.encode("utf-16")
    for text in (whole[:-1], whole[:40] + b"\x00\xd8" + whole[40:], b"\xff\xfe\x00"):
        file.write_bytes(text)
        done = cli("replay", file)
        assert done.returncode == 1
        assert f"{file}:1: not UTF-16" in done.stderr
    file.write_bytes(TOPAS.replace('"topas"', '"Zoë"').encode("latin-1"))
    assert f"{file}:3:14: not UTF-8 at byte " in cli("replay", file).stderr


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "\ufeff\r\n \t\r\n"])
def test_a_file_without_records_is_an_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text(text)
    done = cli("replay", file)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"bosquet: {file}: there is no record in it\n"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.jsonl", tmp_path):
        for command in ("replay", "score"):
            done = cli(command, path)
            assert done.returncode == 1
            assert len(done.stderr.splitlines()) == 1
            assert str(path) in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_read_as_a_stream(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines = "\n\n".join(json.dumps(record) for record in RECORDS.values())
    for text, message in (
        (lines, f"{len(RECORDS)} records, all right"),
        (json.dumps(RECORDS["topiary"], indent=2), "1 records, all right"),
        ("{\n" + lines, f"{len(RECORDS)} of {len(RECORDS) + 1} records right"),
        ("{", "0 of 1 records right"),
    ):
        with ThreadPoolExecutor(1) as writer:
            writer.submit(pipe.write_text, text)
            done = cli("replay", pipe)
        assert done.stdout.strip() == message, done.stderr


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no /dev/zero")
def test_a_line_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "MAX_SKIPPED", 2**20)
    (line,) = record_module.read_lines("/dev/zero")
    with pytest.raises(bosquet.RecordError, match=r"longer than 16 MiB; .* nothing after it is read"):
        line.decode()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell a process its peak memory")
def test_a_giant_file_is_streamed(tmp_path: Path) -> None:
    """300 MiB in one line, and a right record behind it: checked with little memory."""
    file = tmp_path / "giant.jsonl"
    with open(file, "wb") as handle:
        handle.write(b"[")
        for _ in range(300):
            handle.write(b"1," * 2**19)
        handle.write(b"1]\n" + json.dumps(RECORDS["topas"]).encode() + b"\n")
    watched = "import atexit; from bosquet.cli import main; "
    watched += "atexit.register(lambda: print(open('/proc/self/status').read())); main()"
    command = [sys.executable, "-c", watched, "replay", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"{file}:1: the line is longer than" in done.stderr
    assert "1 of 2 records right" in done.stdout
    peak = next(line for line in done.stdout.splitlines() if line.startswith("VmHWM"))
    assert int(peak.split()[1]) < 200 * 1024  # KiB


def test_trace_has_a_line_for_each_decision(tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    running = copy.deepcopy(RECORDS["topiary"])
    running["moves"] = running["moves"][:5]
    running["result"] = None
    file.write_text(json.dumps(RECORDS["schlossgarten"]) + "\n" + json.dumps(running) + "\n")
    done = cli("replay", file, "--trace")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    moves = RECORDS["schlossgarten"]["moves"]
    assert [row["move"] for row in rows[: len(moves)]] == moves
    assert [row["ply"] for row in rows[: len(moves)]] == list(range(len(moves)))
    assert all(row["move"] in row["legal"] for row in rows[: len(moves)] if row["seat"] is not None)
    assert rows[len(moves)] == {"game": 0, "result": RECORDS["schlossgarten"]["result"]}
    assert rows[-1] == {"game": 1, "result": None}
    assert rows[-2]["game"] == 1
    assert set(rows[0]) == {"game", "ply", "seat", "legal", "move", "scores"}
