"""What messengers show beside a link: a picture, a title and a line, and never anything hidden.

For a waiting table it is the game and the number of free seats, for a finished game who played and the points. Tables
with the deal of a day show the game only, since others have not played it yet.
"""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Awaitable, Callable, Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from starlette.requests import Request

from bosquet.core import installed
from bosquet.server.base.refusals import Refusal
from bosquet.server.tables.outlines import outline_of
from bosquet.server.tables.registry import TableRegistry

NAME = "bosquet"
LINE = "Play against a bot, with others at one screen, or with friends by link. No account."
FOLDER = "previews"
SECONDS = 0.5
"""The longest wait for the database before a page is sent without a preview."""
TITLES = {"/puzzles": "Puzzles", "/analysis": "Analysis board"}
"""Titles of pages without a table or a game, as the page has them."""
OF_GAME = re.compile(r"/(?:here|score|rules|box|puzzles)/(?P<game>[^/]+)(?:/.*)?")
OF_TABLE = re.compile(r"/(?:table|screen|replay|coach)/(?P<table>[^/]+)")


class Preview(NamedTuple):
    """What is shown beside a link."""

    game: str | None = None
    title: str = NAME
    line: str = LINE


PreviewOf = Callable[[str], Awaitable[Preview]]
"""Returns what is shown beside the link with a path."""


def of_game(path: str) -> Preview:
    """Return what is shown beside a link to a page that needs no table."""
    if path in TITLES:
        return Preview(title=f"{TITLES[path]} – {NAME}")
    found = OF_GAME.fullmatch(path)
    if found is None or found["game"] not in installed.names():
        return Preview()
    title = installed.spec(found["game"]).title
    return Preview(found["game"], f"{title} – {NAME}")


def previews_of(registry: TableRegistry) -> PreviewOf:
    """Return a function that knows the tables, too."""

    async def preview(path: str) -> Preview:
        found = OF_TABLE.fullmatch(path)
        if found is None:
            return of_game(path)
        try:
            async with asyncio.timeout(SECONDS):
                return await _of_table(registry, found["table"])
        except (Refusal, TimeoutError):
            return Preview()

    return preview


async def _of_table(registry: TableRegistry, table: str) -> Preview:
    """What is shown beside a link to a table, as the store keeps it. Raises Refusal."""
    outline = outline_of(*await registry.rows_of(table), None)
    title = installed.spec(outline.game).title
    shown = Preview(outline.game, f"{title} – {NAME}")
    if outline.daily is not None:
        return shown
    if outline.phase == "waiting":
        free = sum(name is None for name in outline.names)
        seats = "no seat is free" if not free else "1 seat is free" if free == 1 else f"{free} seats are free"
        return shown._replace(title=f"{title}: {seats}")
    if outline.phase == "over" and outline.scores is not None:
        points = ", ".join(f"{name or '–'} {score}" for name, score in zip(outline.names, outline.scores, strict=True))
        return shown._replace(title=f"{title}: {points}", line="The result of a finished game.")
    return shown


def pictures(files: Iterable[str]) -> frozenset[str]:
    """Return the games that have a picture among the files of the page."""
    return frozenset(path.stem for path in map(PurePosixPath, files) if path.parent.name == FOLDER)


def origin_of(request: Request) -> str:
    """Return the origin at which a server was asked for: a messenger wants whole addresses."""
    return f"{request.url.scheme}://{request.url.netloc}"


def head(preview: Preview, base: str, pictures: frozenset[str]) -> str:
    """Return the lines of an index.html that say what is shown beside its link; `base` ends with a slash."""
    game = preview.game if preview.game in pictures else NAME
    said = {
        "og:type": "website",
        "og:site_name": NAME,
        "og:title": preview.title,
        "og:description": preview.line,
        "og:image": f"{base}{FOLDER}/{game}.jpg",
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    lines = [f'<meta property="{name}" content="{html.escape(text)}" />' for name, text in said.items()]
    return "".join([*lines, '<meta name="twitter:card" content="summary_large_image" />'])
