"""Games as they lie on a table with the real box."""

from __future__ import annotations

import functools
from typing import Any, Union

import msgspec

from bosquet.core.game import Game
from bosquet.core.real_game_scoring import real_games
from bosquet.games import schlossgarten, topiary


@functools.cache
def real_game_decoder() -> msgspec.json.Decoder[Any]:
    """Return the decoder of a real game of any kind; its key `game` says which."""
    structs = tuple(module.RealGame for module in real_games().values())
    return msgspec.json.Decoder(Union[structs])  # noqa: UP007  (of types that are known at run time)


def real_game_of(game: Game) -> dict[str, Any]:
    """What somebody would enter of a game."""
    makers = {"topiary": garden_of, "topas": columns_of if game.players == 1 else laid, "schlossgarten": kept_of}
    return makers[game.spec.name](game)


def garden_of(game: Game) -> dict[str, Any]:
    """What lies on the table of Topiary, with the tiles that everybody holds laid open."""
    views: list[Any] = [game.view(seat) for seat in range(game.players)]
    return {
        "game": "topiary",
        "players": game.players,
        "garden": {topiary.rules.GRID.names[cell]: tile for cell, tile in enumerate(views[0].garden) if tile},
        "visitors": [{"seat": visitor.seat, "line": visitor.line} for visitor in views[0].visitors],
        "hands": [view.hand for view in views],
    }


def laid(game: Game) -> dict[str, Any]:
    """A game of Topas as it was laid."""
    return topas_of(game, [f"{game.deal['start']}@0,0E", *game.moves])


def columns_of(game: Game) -> dict[str, Any]:
    """A solitaire of Topas as it was laid: each column begins with the card that starts its table."""
    pile = game.deal["pile"]
    return topas_of(
        game,
        [
            game.moves[ply - ply // 8 - 1] if ply % 8 else f"{pile[ply]}@0,0E"
            for ply in range(len(game.moves) + 1 + min(3, len(game.moves) // 7))
        ],
    )


def topas_of(game: Game, placements: list[str]) -> dict[str, Any]:
    """A game of Topas with these placements."""
    options = {"players": game.players, "expert": game.options["expert"]}
    return {"game": "topas", **options, "placements": placements}


def kept_of(game: Game) -> dict[str, Any]:
    """What counts in a game of Schlossgarten."""
    view: Any = game.view(None)
    grid = schlossgarten.board.GRID
    return {
        "game": "schlossgarten",
        "players": game.players,
        "kept": [[view.values[grid.cell_of[cell]] for cell in cells] for cells in view.kept],
        "elements": [{"seat": element.seat, "kind": f"{element.worker}{element.size}"} for element in view.elements],
    }
