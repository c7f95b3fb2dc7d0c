"""A table fits its terminal: at 80 × 24 and 60 × 24 neither the board nor the prompt scrolls away."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

import bosquet
from bosquet import bots
from bosquet.terminal.screen import page_through
from bosquet.terminal.table import Table
from tests.helpers.cases import CASES, QUICK, parameters, walk

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


@pytest.mark.parametrize(("name", "options"), parameters(range(len(CASES)), QUICK))
def test_board_moves_and_prompt_fit_the_screen(name: str, options: dict[str, Any]) -> None:
    for seed in (3, 4):
        for game in walk(name, options, seed):
            if game.seat is None:
                continue
            for width, height in ((80, 24), (60, 24), (100, 42)):
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
@pytest.mark.parametrize(("name", "options"), parameters(range(len(CASES)), QUICK))
def test_board_and_prompt_fit_in_games_of_bots_that_want_points(name: str, options: dict[str, Any]) -> None:
    for seed in range(3):
        game = bosquet.new(name, seed=seed, **options)
        bot, rng = bots.make("greedy"), bosquet.Rng(seed)
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
