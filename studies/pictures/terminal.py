"""Draw the picture of a game at a terminal for the guide of players: `uv run python -m studies.pictures.terminal`."""

from __future__ import annotations

import io
import re

from rich.console import Console

import bosquet
from bosquet import bots
from bosquet.terminal import draw
from studies import DOCS

GAME, PLAYERS, SEED, MOVES = "topiary", 3, 2, 34
NAMES = ["You", "Ivy", "Ann"]


def main() -> None:
    """Play some moves and draw what the first seat sees when it is to move."""
    game = bosquet.new(GAME, players=PLAYERS, seed=SEED)
    player, rng = bots.make("greedy"), bosquet.Rng(SEED)
    while len(game.moves) < MOVES or game.seat != 0:
        game.play(player.choose(game.view(game.seat), rng))
    console = Console(record=True, width=72, file=io.StringIO(), force_terminal=True)
    console.print(draw(game.view(0), NAMES))
    picture = console.export_svg(title=f"bosquet play {GAME}", unique_id=GAME)
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)  # viewers use fonts of their own
    (DOCS / "pictures/terminal.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
