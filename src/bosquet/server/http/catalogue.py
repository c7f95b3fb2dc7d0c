"""The games that can be played here, as pages and programs ask for them."""

from __future__ import annotations

import functools
import hashlib
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bosquet import bots
from bosquet.core import installed
from bosquet.core.spec import GameSpec
from bosquet.server.base.engines import PART, engine_of, puzzles_of, weights_of
from bosquet.server.base.messages import ENCODER
from bosquet.server.http.messages import GameInfo, GameOption, GamePuzzles, GameWeights

CACHED = "public, max-age=300"


class Catalogue(NamedTuple):
    """The games as JSON, and a tag that changes with them."""

    body: bytes
    etag: str


@functools.cache
def catalogue() -> Catalogue:
    """Return the games of this process: a list of `GameInfo`."""
    body = ENCODER.encode([game_info(installed.spec(name)) for name in installed.names()])
    return Catalogue(body, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def game_info(spec: GameSpec) -> GameInfo:
    """Describe one game."""
    engine, puzzles = engine_of(spec.name), puzzles_of(spec.name)
    return GameInfo(
        name=spec.name,
        title=spec.title,
        players=list(spec.options["players"]),
        options={
            name: GameOption(
                values=list(values),
                default=values[0],
                players=spec.players_with(name),
                help=spec.option_help.get(name),
            )
            for name, values in spec.options.items()
            if name != "players"
        },
        bots=list(bots.NAMES),
        levels=len(spec.levels),
        pace=spec.pace,
        box=bool(spec.box_keys),
        deck=spec.house_deck() if spec.house_deck else None,
        engine=None if engine is None else engine.address,
        engine_hash=None if engine is None else engine.hash,
        attempts=engine is not None and spec.module("attempts") is not None,
        engine_bytes=0 if engine is None else len(engine.compressed),
        weights=[
            GameWeights(use=use, key=key, bytes=len(sent.compressed), sha256=sent.sha256, address=sent.address)
            for use, key, sent in weights_of(spec.name)
        ],
        puzzles=puzzles
        and GamePuzzles(
            address=puzzles.address,
            counts=puzzles.counts,
            part=PART,
            bytes=sum(len(part.compressed) for part in puzzles.parts),
        ),
    )


async def _games(request: Request) -> Response:
    """Send the games that can be played here; the same for everybody, so that anybody may keep it for a while."""
    body, etag = catalogue()
    headers = {"cache-control": CACHED, "etag": etag}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


ROUTE = Route("/games", _games)
