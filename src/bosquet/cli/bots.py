"""`bosquet bots`: who there is to play against."""

from __future__ import annotations

from bosquet.cli.options import JsonOption
from bosquet.cli.output import out, print_json
from bosquet.core.installed import names, spec
from bosquet.drawing.tables import Rows

OWN = {
    "FILE.py": "yours, the only class in a file",
    "FILE.py:CLASS": "one of several; also MODULE:CLASS",
    "cmd:PROGRAM": "yours in any language",
}
"""How bots of one's own are named."""


def bots(json: JsonOption = False) -> None:
    """List the bots, with the strengths of the levels in each game, and how bots of your own are named."""
    from bosquet.bots.catalogue import CATALOGUE
    from bosquet.bots.outside import installed
    from bosquet.bots.strengths import levels

    elo = {game: levels(game) for game in names()}
    if json:
        print_json(
            [{"bot": bot, "elo": {game: elo[game].get(bot) for game in elo}} for bot in [*CATALOGUE, *installed()]]
        )
        return
    shown = Rows(["bot", "what it is"], [spec(game).title for game in elo])
    told = CATALOGUE | dict.fromkeys(installed(), "a bot of an installed package") | OWN
    for bot, what in told.items():
        shown.add(bot, what, *(f"{elo[game][bot]:.0f}" if bot in elo[game] else "" for game in elo))
    out.print(shown)
    out.print("Elo between two players; level1 is 800 by choice: compare within a game", style="dim")
