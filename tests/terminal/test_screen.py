"""A table fits its terminal: at 80 × 24 and 60 × 24 neither the board nor the prompt scrolls away."""

from __future__ import annotations

import io
import itertools
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

import bosquet
from bosquet import bots
from bosquet.kernels import jit
from bosquet.lab import coach
from bosquet.terminal.help import draw_help
from bosquet.terminal.screen import page_through
from bosquet.terminal.table import Table
from bosquet.terminal.words import ENGLISH
from tests.helpers.cases import case_of_each_size, parameters, walk

NAMES = ["You", "level5", "level1", "Annemarie"]


def screen(width: int, height: int) -> Console:
    return Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None)


def shown(console: Console) -> list[str]:
    """What was printed since this was last asked."""
    file: Any = console.file
    text: str = file.getvalue()
    file.seek(0)
    file.truncate()
    return text.splitlines()


@pytest.mark.parametrize(("name", "options"), parameters(case_of_each_size()))
def test_board_moves_and_prompt_fit_the_screen(name: str, options: dict[str, Any]) -> None:
    sizes = itertools.cycle([(80, 24), (60, 24), (100, 42)])
    for game, (width, height) in zip(walk(name, options, 3), sizes, strict=False):
        if game.seat is None:
            continue
        console = screen(width, height)
        table = Table(game, NAMES[: options["players"]], console=console, ask=lambda prompt: "")
        table.shown = [max(0, len(game.moves) - 3)] * game.players
        news = table.news(game.seat)
        table.look(game.seat, news if width > 60 else ())
        lines = shown(console)
        assert len(lines) < height, "\n".join(lines)
        assert max(map(len, lines)) <= width
        assert "moves" in lines[-1]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), parameters(case_of_each_size()))
def test_board_and_prompt_fit_in_games_of_bots_that_want_points(name: str, options: dict[str, Any]) -> None:
    game = bosquet.new(name, seed=0, **options)
    bot, rng = bots.make("greedy"), bosquet.Rng(0)
    console = screen(80, 24)
    table = Table(game, NAMES[: options["players"]], console=console, ask=lambda prompt: "")
    while not game.over:
        if game.chance_due or game.seat is None:
            game.sample_chance()
            continue
        table.look(game.seat)
        assert len(shown(console)) < 24
        game.play(bot.choose(game.view(game.seat), rng))


def test_a_tall_screen_has_the_large_board_with_its_legend() -> None:
    game = bosquet.new("topiary", seed=1)
    large, small = screen(80, 50), screen(80, 24)
    for console in (large, small):
        Table(game, ["Ann", "Bob"], console=console, ask=lambda prompt: "").look(0)
    assert "T-Rex" in "\n".join(shown(large))
    assert "T-Rex" not in "\n".join(shown(small))


def test_a_long_text_is_shown_a_screen_at_a_time() -> None:
    text = Text("\n".join(f"line {number}" for number in range(60)))
    console, asked = screen(80, 24), []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return ""

    page_through(console, text, ask, "more")
    assert shown(console) == [f"line {number}" for number in range(60)]
    assert asked == ["more", "more"]
    page_through(console, text, lambda prompt: "q", "more")
    assert len(shown(console)) == 23
    plain = Console(file=io.StringIO(), width=80)
    page_through(plain, text, lambda prompt: "q", "more")
    assert len(shown(plain)) == 60


CHOICE = coach.Choice(moves=["a1"], data=[], wins=[0.5, 0.5], points=[1.0, 1.0], gain=0.0, value=0.0)


def table_with(answers: list[str]) -> tuple[Table, Console, list[str]]:
    """A game of Topiary at a small screen with its answers, and the prompts that were shown."""
    console, prompts = screen(80, 24), []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        if not answers:
            raise EOFError
        return answers.pop(0)

    return Table(bosquet.new("topiary", seed=1), ["Ann", "Bob"], console=console, ask=ask), console, prompts


def test_the_last_page_of_help_stays_until_enter() -> None:
    table, console, prompts = table_with([""] * 40)
    table.obey("?", 0)
    assert prompts[-1] == "Enter to go back to the table: "
    assert set(prompts[:-1]) == {"Enter for more, q to go back: "}
    assert "Ann" in "\n".join(shown(console)[-23:]), "the table follows"


def test_what_is_typed_between_pages_is_the_next_answer() -> None:
    first = bosquet.new("topiary", seed=1).legal()[0]
    table, _, prompts = table_with(["", "?", first])
    table.turn(0)
    assert [prompt.split(":")[0] for prompt in prompts[1:]] == ["Ann, your move", "Enter for more, q to go back"]
    assert table.game.moves


def test_score_is_told_of_where_scores_are_open() -> None:
    for name, is_open in (("topiary", False), ("topas", True)):
        table = Table(bosquet.new(name, seed=1), ["Ann", "Bob"], console=screen(80, 24), ask=lambda prompt: "q")
        table.page(draw_help(table.game, ENGLISH))
        told = "\n".join(shown(table.console))
        assert ("where the points come from" in told) is is_open
        assert ("scores are hidden until the end" in told) is not is_open


def test_the_first_hint_says_that_it_may_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "best", lambda *given: [CHOICE])
    for compiles in (True, False):
        monkeypatch.setattr(jit, "available", lambda compiles=compiles: compiles)
        table, console, _ = table_with([])
        table.hint(0)
        table.hint(0)
        assert "\n".join(shown(console)).count("The first hint takes up to a minute") == compiles
