"""The help of the terminal tells every ruling of docs/rules, and what holds with the options of the game."""

from __future__ import annotations

import re
from typing import Any

import pytest

import bosquet
from bosquet.core.installed import spec
from bosquet.core.spec import GameSpec
from bosquet.terminal.help import COMMANDS, addition, chapters, draw_help, settings_of
from bosquet.terminal.words import LANGUAGES, Words, catalogue
from studies import DOCS
from tests.helpers.drawn import plain

PAGE = DOCS.parent / "web" / "src" / "games"
GAMES = ("topiary", "topas", "schlossgarten")
TOLD = re.compile(r'words: "\w+\.(rules\.[\w.]+)",\s*rulings: \[([^\]]*)\]')


def rulings(name: str) -> set[str]:
    """The numbers of the rulings in the document of a game."""
    return set(re.findall(r"^- \*\*(\d+\.\d+)\*\*", (DOCS / "rules" / f"{name}.md").read_text(), re.MULTILINE))


def told_by(name: str) -> dict[str, set[str]]:
    """The rulings that each paragraph tells: those of the page, and those of the terminal alone."""
    page = TOLD.findall((PAGE / name / "rules.ts").read_text())
    found = {key: set(re.findall(r"[\d.]+", numbers)) for key, numbers in page}
    added = addition(spec(name))
    assert added is not None
    return found | {f"own.{number}": set(own.rulings) for number, own in enumerate(added.own)}


def settings(game: GameSpec) -> list[dict[str, Any]]:
    """The default options, and each other value of each option; the house's box, and each part that is not."""
    usual = {name: values[0] for name, values in game.options.items()} | dict.fromkeys(game.box_keys, False)
    others = [{name: value} for name, values in game.options.items() for value in values[1:]]
    return [usual, *({**usual, **other} for other in [*others, *({key: True} for key in game.box_keys)])]


def paragraphs(game: GameSpec, chosen: dict[str, Any], language: str = "en") -> dict[str, str]:
    told = chapters(game, chosen, Words(language))
    return {key: text for chapter in told.values() for key, text in chapter.items()}


@pytest.mark.parametrize("name", GAMES)
def test_every_ruling_has_a_place(name: str) -> None:
    told = told_by(name)
    shown = {key for chosen in settings(spec(name)) for key in paragraphs(spec(name), chosen)}
    assert set(told) == shown, "every paragraph is shown with some options, and tells a ruling"
    assert rulings(name) - {number for key in shown for number in told[key]} == set()
    assert {number for key in shown for number in told[key]} - rulings(name) == set()


@pytest.mark.parametrize("name", GAMES)
def test_an_option_changes_what_is_told(name: str) -> None:
    game = spec(name)
    usual, *others = settings(game)
    players = set(game.options["players"])
    for chosen in others:
        changed = [key for key in chosen if chosen[key] != usual[key]]
        if changed == ["players"] and (name != "topas" or 1 not in players or chosen["players"] != 1):
            continue
        assert paragraphs(game, chosen) != paragraphs(game, usual), changed


@pytest.mark.parametrize("name", GAMES)
def test_what_an_option_changes_names_options_values_and_paragraphs_that_there_are(name: str) -> None:
    game, added = spec(name), addition(spec(name))
    assert added is not None
    assert set(added.only) <= set(catalogue(name))
    for only in [*added.only.values(), *(own.only for own in added.own)]:
        for option, values in only.items():
            assert set(values) <= ({False, True} if option in game.box_keys else set(game.options[option]))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_words(name: str, language: str) -> None:
    added = addition(spec(name))
    assert added is not None
    assert all(set(own.words) == set(LANGUAGES) for own in added.own)
    for chosen in settings(spec(name)):
        for text in paragraphs(spec(name), chosen, language).values():
            assert text
            assert "{" not in text
    game = bosquet.new(name, seed=1)
    drawn = plain(draw_help(game, Words(language)), 80)
    assert all(command in drawn for command in COMMANDS)
    assert added.example in drawn


def test_the_terminals_own_words_are_in_every_language() -> None:
    for key, texts in catalogue("terminal").items():
        assert set(texts) == set(LANGUAGES), key
        names = {tuple(sorted(re.findall(r"\{\w+\}", text))) for text in texts.values()}
        assert len(names) == 1, key


def test_every_text_that_the_terminal_asks_for_is_there_and_in_a_wheel() -> None:
    packed = (DOCS.parent / "hatch_build.py").read_text()
    asked = set()
    for file in (DOCS.parent / "src" / "bosquet" / "terminal").glob("*.py"):
        asked |= set(re.findall(r'words\("(\w+)\.([\w.]+)"', file.read_text()))
        asked |= {("terminal", key) for key in re.findall(r'self\.say\("(\w+)"', file.read_text())}
    assert len(asked) > 15
    for area, key in asked:
        assert key in catalogue(area), (area, key)
        assert area == "terminal" or f'"{area}"' in packed


@pytest.mark.parametrize(
    ("name", "options", "told", "untold"),
    [
        ("topiary", {}, "House rulings|48 sight lines", "Draft"),
        ("topiary", {"draft": True}, "Draft", "drawn, not"),
        ("topas", {}, "add their points", "lowest one counts"),
        ("topas", {"players": 1}, "lowest one counts", "Everybody is dealt"),
        ("topas", {"expert": True}, "in this game, the expert variant, they are multiplied", "add their points"),
        (
            "schlossgarten",
            {},
            "Excavations, the elements of others and cells with a pawn are barred",
            "One of them may dig",
        ),
        ("schlossgarten", {}, "after 100 rounds", "In this game"),
        ("schlossgarten", {"work": "each"}, "One of them may dig and the other build", "Only one subject works"),
        ("schlossgarten", {"overbuild": "elements"}, "smaller elements alone", "At least one cell of a site is"),
    ],
)
def test_help_follows_the_options(name: str, options: dict[str, Any], told: str, untold: str) -> None:
    game = bosquet.new(name, seed=1, **options)
    text = " ".join(paragraphs(spec(name), settings_of(game)).values())
    assert re.search(told, text)
    assert untold not in text


def test_a_box_of_ones_own_is_not_told_as_the_houses() -> None:
    usual, own = bosquet.new("schlossgarten"), bosquet.new("schlossgarten", box={"tiles": [10, 20, 19]})
    assert "17 tiles are worth one point" in str(paragraphs(spec("schlossgarten"), settings_of(usual)))
    assert "17 tiles are worth one point" not in str(paragraphs(spec("schlossgarten"), settings_of(own)))
