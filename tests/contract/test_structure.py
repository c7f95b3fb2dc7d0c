"""The structure of the code: a game in its folder, a page that reads no notation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bosquet
from bosquet.core import installed
from tests.helpers.cases import CASES, reach

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bosquet"
MAY_NAME_GAMES = {
    "src/bosquet/__init__.py": "its docstrings are the first example of the package",
    "src/bosquet/core/installed.py": "the order in which the games are listed",
    "src/bosquet/lab/suite/v1.json": "a suite is frozen, so it writes out which games it plays",
}


def sources() -> Iterator[Path]:
    """Every file of code and words, without those in the folder of a game."""
    for root in (SOURCE, ROOT / "web" / "src"):
        for path in root.rglob("*"):
            parts = path.relative_to(root).parts
            of_a_game = parts[0] == "games" and len(parts) > 2
            if path.is_file() and not of_a_game and not {"page", "docs", "__pycache__"} & set(parts):
                yield path


def test_no_module_outside_its_folder_names_a_game() -> None:
    named = re.compile("|".join(bosquet.GAMES).encode(), re.IGNORECASE)
    found = {str(path.relative_to(ROOT)) for path in sources() if named.search(path.read_bytes())}
    assert found == set(MAY_NAME_GAMES)


# --- The page makes moves and shows them, and does not read how they are written ---

PAGE = ROOT / "web" / "src"
TEXT_TOOLS = "at|charAt|charCodeAt|endsWith|includes|indexOf|match|matchAll|replace|replaceAll|search|slice|split|"
TEXT_TOOLS += "startsWith|substring|trim"
QUOTE = "[\"'`]"
READING = re.compile(
    rf"""
    \bsay\b[!)\s]*\??\.\s*(?:{TEXT_TOOLS})\b                # move.say.split(" ")
    | \.(?:exec|test)\([^()]*\bsay\b                        # /^take/.test(move.say)
    | \bsay\b\s*[!=]==\s*{QUOTE}                            # say === "pass"
    | {QUOTE}\s*[!=]==\s*[\w.?!]*\bsay\b                     # "pass" === say
    | \]\s*=\s*[\w.?!]*\bsay\b | \.\.\.[\w.?!]*\bsay\b      # const [pawn] = say
    | \b(?:act|lay|onmove|play)\)?(?:\?\.)?\(\s*{QUOTE}       # onmove(`put ${{tile}}`)
    """,
    re.VERBOSE,
)
EXPRESSION = re.compile(r"(?<=[=(,:\s!&|?\[])/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\n\\])*\]|[^/\\\n\[])+)/[dgimsuvy]*(?!\w)")
"""A regular expression in JavaScript."""


def page_modules() -> Iterator[tuple[str, str]]:
    """The name and the code of every module of the page, without styles and tests."""
    for path in sorted(PAGE.rglob("*")):
        if path.suffix in (".ts", ".svelte") and ".test." not in path.name:
            code = path.read_text(encoding="utf-8")
            yield str(path.relative_to(PAGE)), code.partition("<style")[0] if path.suffix == ".svelte" else code


def test_no_module_of_the_page_takes_notation_apart_or_makes_it() -> None:
    found = [f"{name}: {match[0]}" for name, code in page_modules() for match in READING.finditer(code)]
    assert found == []


@pytest.mark.parametrize("name", [name for name in installed.OURS if bosquet.spec(name).module("attempts")])
def test_the_page_has_words_for_every_reason_why_a_move_is_illegal(name: str) -> None:
    sentences: dict[str, str] = bosquet.spec(name).notation.SENTENCES  # type: ignore[attr-defined]
    about = {f"illegal.{key}": set(re.findall(r"{(\w+)}", sentence)) for key, sentence in sentences.items()}
    words = json.loads((PAGE / "games" / name / "words.json").read_text(encoding="utf-8"))
    said = {key: word for key, word in words.items() if key.startswith("illegal.")}
    assert said.keys() == about.keys()
    for key, languages in said.items():
        for sentence in languages.values():
            assert set(re.findall(r"{(\w+)}", sentence)) <= about[key], f"{name} {key}: {sentence}"


def test_no_regular_expression_of_the_page_reads_a_move() -> None:
    moves = {move for name, options in CASES for move in reach(name, options, 1, 60).moves}
    assert {move.split(" ")[0] for move in moves} > {"take", "pass", "put", "keep", "card", "stop", "K"}
    read = [
        f"{name}: {match[0]} reads {move}"
        for name, code in page_modules()
        for match in EXPRESSION.finditer(code)
        for move in sorted(moves)
        if re.fullmatch(match[1], move)
    ]
    assert read == []


@pytest.mark.parametrize(
    "code",
    [
        'const [verb] = move.say.split(" ");',
        "lines.filter(({ say }) => say.startsWith(near))",
        'const passes = say === "pass";',
        "/^take/.test(move.say)",
        "const [pawn] = say;",
        "onmove?.(`put ${tile}`);",
        'choice.play("stop");',
    ],
)
def test_code_that_reads_notation_would_be_found(code: str) -> None:
    assert READING.search(code)


def test_a_regular_expression_would_be_found() -> None:
    match = EXPRESSION.search(
        "const found = /^([a-e][1-5])([NESW]{1,2})$/.exec(line); const half = width / 2 + height / 2;"
    )
    assert match
    assert re.fullmatch(match[1], "a3SE")
