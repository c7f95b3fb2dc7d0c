"""Draw the pictures of the three games at a terminal for the README: `uv run python -m studies.pictures.terminal`."""

import io
import re

from rich.console import Console

import bosquet
from bosquet import bots
from bosquet.terminal import draw
from studies import DOCS

NAMES = ["You", "greedy", "Ann"]

for name, players, seed, plies in (("topiary", 3, 2, 34), ("topas", 2, 1, 8), ("schlossgarten", 2, 2, 40)):
    game = bosquet.new(name, players=players, seed=seed)
    player, rng = bots.make("greedy"), bosquet.Rng(seed)
    while len(game.moves) < plies or game.seat != 0:
        game.play(player.choose(game.view(game.seat), rng))
    console = Console(record=True, width=72, file=io.StringIO(), force_terminal=True)
    console.print(draw(game.view(0), NAMES[:players]))
    picture = console.export_svg(title=f"bosquet play {name}", unique_id=name)
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)  # viewers use fonts of their own
    (DOCS / f"pictures/{name}.svg").write_text(picture)
