"""Writes a site of files only: the page, the engines and the documentation, for any host that serves a folder.

Its index.html brings the list of games, by which the page knows that there is no server. It stands at each address that
the page has, so that none needs a rule of the host, and as `404.html` for hosts that send that for all others.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

from bosquet.core import installed
from bosquet.core.errors import BosquetError
from bosquet.core.system.extras import page_remedy
from bosquet.server.base import engines
from bosquet.server.base.base_path import in_folder
from bosquet.server.http import previews
from bosquet.server.http.catalogue import catalogue
from bosquet.server.http.security_headers import HEADERS, POLICY
from bosquet.server.http.static_files import DOCS, ENCODINGS, INDEX, PAGE

PLACES = (
    "",
    "analysis",
    "coach",
    "here/coach",
    "here/replay",
    "history",
    "me",
    "people",
    "privacy",
    "puzzles",
    "ratings",
    "replay",
    "today",
)
PLACES_OF_GAMES = ("here", "rules", "score")
"""Pages of the site, and those that each game has; boxes are drawn for those that have some. See
`web/src/pages/pages.ts`. Which table or game they show stands in the query (`web/src/shell/base.ts`). All others need a
server."""
IN_HEADERS_ONLY = "frame-ancestors"
"""The part of the policy that browsers take from a header only."""
LEFT_OUT = shutil.ignore_patterns(".*", *(f"*{ending}" for ending in ENCODINGS.values()))


def write_site(folder: Path, base: str, *, origin: str = "", force: bool = False) -> list[Path]:
    """Write the site into a folder, to be served under `base`, and return the files that were written.

    With an origin, the pictures that messengers show have whole addresses, which most of them want.

    With `force`, into one that is not empty; other files there stay, and no link is followed. Raises BosquetError.
    """
    try:
        if not force and folder.exists() and any(folder.iterdir()):
            raise BosquetError(f"{folder}: is not empty; name another folder, or add --force")
        if link := next((path for path in folder.rglob("*") if path.is_symlink()), None):
            raise BosquetError(f"{link}: is a link, which may lead out of the folder; take it away")
        if not (PAGE / INDEX).exists():
            raise BosquetError(f"{PAGE}: the page has not been built; {page_remedy()}")
        return list(_written(folder, base, origin))
    except OSError as error:
        raise BosquetError(f"{error.filename or folder}: can't be written: {error.strerror or error}") from None


def addresses() -> list[str]:
    """Return the addresses of the pages, without the base."""
    boxes = [f"box/{game}" for game in installed.names() if installed.spec(game).box_keys]
    return [*PLACES, *(f"{place}/{game}" for place in PLACES_OF_GAMES for game in installed.names()), *boxes]


def _written(folder: Path, base: str, origin: str) -> Iterator[Path]:
    yield from _copied(PAGE, folder)
    yield from _copied(DOCS, folder / "docs")
    for found in itertools.chain.from_iterable(map(engines.files_of, installed.names())):
        yield _file(folder / found.address.lstrip("/"), found.content)
    # GitHub's pages leave out folders that begin with an underscore, where this file does not forbid it.
    yield _file(folder / ".nojekyll", b"")
    for address in addresses():
        yield _file(folder / address / INDEX, index_of(base, address, origin).encode())
    yield _file(folder / "404.html", index_of(base, origin=origin).encode())


def index_of(base: str, address: str = "", origin: str = "") -> str:
    """Return the index.html of an address of a site.

    It has the list of games, the policy that a server sends in headers, and what messengers show beside a link.
    """
    games = catalogue().body.decode().replace("<", "\\u003c")
    policy = "; ".join(part for part in POLICY.split("; ") if not part.startswith(IN_HEADERS_ONLY))
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
        f'<meta name="referrer" content="{HEADERS["referrer-policy"]}" />'
    )
    page = in_folder((PAGE / INDEX).read_text(), base)
    page = page.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {head}', 1)
    files = (path.relative_to(PAGE).as_posix() for path in (PAGE / previews.FOLDER).glob("*"))
    shown = previews.head(previews.of_game(f"/{address}"), origin + base, previews.pictures(files))
    games = f'<script type="application/json" id="games">{games}</script>'
    return page.replace("</head>", f"  {shown}{games}\n  </head>", 1)


def _copied(source: Path, target: Path) -> Iterator[Path]:
    """Copy a folder, without what is compressed: hosts do that themselves."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=LEFT_OUT, dirs_exist_ok=True)
        for path in source.rglob("*"):
            copy = target / path.relative_to(source)
            if path.is_file() and copy.is_file():
                yield copy


def _file(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
