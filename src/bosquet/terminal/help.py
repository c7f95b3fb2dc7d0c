"""The rules of a game as it is played at this terminal: those that its options change say what holds here.

They are the paragraphs of the page's rules, in its words, and those that a game adds for the terminal in its
`help.json`: how moves are written, what the drawing shows, and what an option says instead.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bosquet.core.game import Game
from bosquet.core.spec import GameSpec
from bosquet.drawing.palette import TITLE
from bosquet.terminal.words import Words, catalogue

FILE = "help.json"
MOVES, BOARD = "moves", "board"
"""Chapters that stand before those of the page."""
PARAGRAPH = re.compile(r"rules\.(\w+)\.\d+")
COMMANDS = {
    "?": "",
    "moves": "",
    "hint": "",
    "look": "",
    "undo": "",
    "score": "",
    "save": " FILE",
    "games": "",
    "quit": "",
}
"""What can be typed beside moves, and what follows it."""

Only = Mapping[str, list[Any]]
"""The values of options with which a paragraph holds. A part of the box is an option, too: whether it is not the
house's."""


class Own(Struct, forbid_unknown_fields=True):
    """A paragraph of the terminal alone."""

    chapter: str
    words: dict[str, str]
    rulings: list[str] = []
    only: Only = {}


class Addition(Struct, forbid_unknown_fields=True):
    """What a game adds to the rules of the page."""

    example: str
    """The beginning of several moves."""
    only: dict[str, Only]
    """By the key of a paragraph of the page; one that is not named holds always."""
    own: list[Own]


@functools.cache
def addition(spec: GameSpec) -> Addition | None:
    """Return what a game adds; None for a game that has no such file."""
    file = files(spec.package) / FILE
    return msgspec.json.decode(file.read_bytes(), type=Addition) if file.is_file() else None


def chapters(spec: GameSpec, settings: Mapping[str, Any], words: Words) -> dict[str, dict[str, str]]:
    """Return the paragraphs of each chapter that hold with these options, by their keys.

    A paragraph of the terminal alone has its number in `own` as its key.
    """
    added = addition(spec)
    if added is None:
        return {}
    area = catalogue(spec.name)
    found: dict[str, dict[str, str]] = {MOVES: {}, BOARD: {}}
    for key, texts in area.items():
        if (match := PARAGRAPH.fullmatch(key)) and _holds(added.only.get(key, {}), settings):
            found.setdefault(match[1], {})[key] = texts[words.language]
    for chapter, key, text in _own(added, settings, area, words):
        found.setdefault(chapter, {})[key] = text
    return found


def _own(
    added: Addition, settings: Mapping[str, Any], area: Mapping[str, Any], words: Words
) -> Iterator[tuple[str, str, str]]:
    """Yield the chapter, key and text of each paragraph of the terminal alone that holds."""
    names = {key: texts[words.language] for key, texts in area.items()}
    for number, paragraph in enumerate(added.own):
        if _holds(paragraph.only, settings):
            yield paragraph.chapter, f"own.{number}", paragraph.words[words.language].format_map(names)


def _holds(only: Only, settings: Mapping[str, Any]) -> bool:
    return all(settings[name] in values for name, values in only.items())


def settings_of(game: Game) -> dict[str, Any]:
    """Return the options of a game, and for each part of a box whether it is not the house's."""
    box = game.spec.box_of(game.deal) or {}
    return {**game.options, **{key: key in box for key in game.spec.box_keys}}


def draw_help(game: Game, words: Words) -> RenderableType:
    """Return what can be typed, how moves are written, and the rules of a game with its options."""
    spec = game.spec
    parts: list[RenderableType] = [_commands(game, words)]
    told = chapters(spec, settings_of(game), words)
    for chapter, paragraphs in told.items():
        parts += [Text(), Text(_title(spec, chapter, words), style=TITLE)]
        parts += [Padding(Text(text), (0, 4, 0, 2)) for text in paragraphs.values()]
    if not told:
        parts += [Text(), Text(spec.rules_in_short)]
    return Group(*parts)


def _commands(game: Game, words: Words) -> RenderableType:
    """Return the list of what can be typed; of `score`, that scores are hidden where they are."""
    added = addition(game.spec)
    hidden = ["score"] if game.view(game.seat).scores is None else []
    table = Table(title=words("terminal.typed"), title_justify="left", title_style=TITLE, box=None, show_header=False)
    for name, argument in COMMANDS.items():
        example = added.example if added else ""
        key = f"terminal.command_{name}{'_hidden' if name in hidden else ''}"
        table.add_row(Text(name + argument), Text(words(key, example=example)))
    return table


def _title(spec: GameSpec, chapter: str, words: Words) -> str:
    """Return the title of a chapter: that of the terminal, of the game, or of all rules pages."""
    keys = (f"terminal.{chapter}_title", f"{spec.name}.rules.{chapter}.title", f"rules.title_{chapter}")
    return next(title for key in keys if (title := words.get(key)))
