"""The page, the documentation and the engines of games: files that never change while the server runs.

They are compressed when they are built (`NAME.br`, `NAME.gz` beside NAME) and kept in memory once they were asked for,
so a request costs neither a disk access nor a thread.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bosquet.core import installed
from bosquet.server.base import engines
from bosquet.server.base.base_path import ROOT, in_folder
from bosquet.server.base.fair_queue import ASKING
from bosquet.server.base.rate_limits import Buckets, address_of
from bosquet.server.http import previews
from bosquet.server.http.limits import HttpLimits
from bosquet.server.http.previews import PreviewOf

PAGE = Path(__file__).parents[1] / "page"
DOCS = Path(__file__).parents[1] / "docs"
INDEX = "index.html"
ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""The content codings in order of preference, with the suffix of their files."""
TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
"""Media types of which the tables of some systems say something else."""
FOR_EVER = "public, max-age=31536000, immutable"
CHECK = "no-cache"
"""To be kept, and asked for again each time: if nothing has changed, the answer has no body."""
CHECK_BY_ONE = "private, no-cache"
"""The same, and not to be kept by a proxy: the answer may bring a cookie."""
PAGES = re.compile(
    r"/|/analysis|/privacy|/me|/mail/confirm|/mail/stop/[^/]+|/history|/ratings|/people|/today(/\d{4}-\d\d-\d\d)?"
    r"|/puzzles(/[^/]+/[^/]+/[^/]+)?|/(table|screen|review)/[^/]+"
    r"|/(replay|coach)(/[^/]+)?|/(here|score|rules|box)/(?P<game>[^/]+)|/here/[^/]+/[^/]+"
)
"""The addresses at which the page shows something; see `web/src/pages/pages.ts`."""

OURS = re.compile(r"[\w-]+", re.ASCII)
"""The letters of the parts of an address; `web/src/shell/link.ts` reads links with additions of others as this does."""

WithCookie = Callable[[Request, Response], None]
"""Adds a cookie to the answer to a request, where that is due."""


def _readable(path: str) -> str:
    """Return the path that the page reads in an address to which something was added on its way."""
    parts = [found.group() for part in path.split("/") if (found := OURS.search(part))]
    return "/" + "/".join(parts).lower()


class File(NamedTuple):
    """One file as it is sent."""

    content: bytes
    media_type: str
    etag: str
    encoding: str | None


class Folder:
    """The files of one folder, by the names that they have in it."""

    def __init__(self, folder: Path, base: str = ROOT) -> None:
        """Look which files there are; a missing folder has none. The addresses in the index lead to `base`."""
        found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
        self._paths = {path.relative_to(folder).as_posix(): path for path in found}
        self._read = functools.cache(functools.partial(_read, base=base))

    def __contains__(self, name: str) -> bool:
        return name in self._paths

    @property
    def names(self) -> Iterable[str]:
        """Return the names of all files."""
        return self._paths.keys()

    def beside(self, folder: str, index: str) -> list[str]:
        """Return the names of the files outside of a folder, without the index and what is compressed."""
        compressed = tuple(ENCODINGS.values())
        return [
            name
            for name in self._paths
            if name != index and not name.startswith(f"{folder}/") and not name.endswith(compressed)
        ]

    def index(self, request: Request, head: str, cache: str, status: int) -> Response:
        """Return the answer to a request for a page, with some lines in its head."""
        page = self._read(self._paths[INDEX], INDEX, None).content
        page = page.replace(b"</head>", head.encode() + b"</head>", 1)
        gzipped = "gzip" in _codings(request.headers.get("accept-encoding", ""))
        etag = f'"{hashlib.sha256(page).hexdigest()[:20]}{"-gz" if gzipped else ""}"'
        headers = {"cache-control": cache, "etag": etag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == etag and status == 200:
            return Response(status_code=304, headers=headers)
        if gzipped:
            page, headers["content-encoding"] = gzip.compress(page, mtime=0), "gzip"
        return Response(page, status, headers, "text/html")

    def response(self, request: Request, name: str, cache: str, status: int = 200) -> Response:
        """Return the answer to a request for a file, compressed as far as the client reads that."""
        accepted = _codings(request.headers.get("accept-encoding", ""))
        coding = next((c for c in ENCODINGS if c in accepted and name + ENCODINGS[c] in self._paths), None)
        path = self._paths[name + ENCODINGS[coding]] if coding else self._paths[name]
        file = self._read(path, name, coding)
        headers = {"cache-control": cache, "etag": file.etag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == file.etag and status == 200:
            return Response(status_code=304, headers=headers)
        if coding:
            headers["content-encoding"] = coding
        return Response(file.content, status, headers, file.media_type)


class StaticFiles:
    """The addresses of page and documentation."""

    def __init__(self, limits: HttpLimits, with_cookie: WithCookie, preview_of: PreviewOf, base: str = ROOT) -> None:
        self._page, self._docs = Folder(PAGE, base), Folder(DOCS)
        self._base = base
        self._asked = Buckets(limits.files_of_address)
        self._with_cookie = with_cookie
        self._preview_of = preview_of
        self._pictures = previews.pictures(self._page.names)

    def routes(self) -> list[Route]:
        """Return the routes, the last of which takes every address that is left."""
        return [
            Route("/docs{name:path}", self.docs),
            Route("/assets/{name:path}", self.asset),
            Route(f"{engines.FOLDER}/{{name:path}}", self.engine),
            *(Route(f"/{name}", self.public) for name in self._page.beside("assets", INDEX)),
            Route("/{rest:path}", self.page),
        ]

    async def page(self, request: Request) -> Response:
        """Send the page; its script decides which of its pages to show.

        It brings the guest's cookie along. Otherwise two first requests at once would each make a guest.
        """
        place = PAGES.fullmatch(_readable(request.url.path))
        known = place is not None and (place["game"] is None or place["game"] in installed.names())
        if not known and "text/html" not in request.headers.get("accept", ""):
            return _nothing()
        if not self._asked.take(address_of(request)):
            return _too_many()
        if INDEX not in self._page:
            return _nothing()
        ASKING.set(address_of(request))
        shown = previews.head(
            await self._preview_of(request.url.path), previews.origin_of(request) + self._base, self._pictures
        )
        answer = self._page.index(request, shown, CHECK_BY_ONE, 200 if known else 404)
        self._with_cookie(request, answer)
        return answer

    async def asset(self, request: Request) -> Response:
        """Send a file with a hash of its content in its name."""
        return self._answer(self._page, request, f"assets/{request.path_params['name']}", FOR_EVER)

    async def engine(self, request: Request) -> Response:
        """Send the engine of a game, or weights of its learned values."""
        if not self._asked.take(address_of(request)):
            return _too_many()
        found = engines.sent_at(request.url.path)
        if found is None:
            return _nothing()
        headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
        if "gzip" not in _codings(request.headers.get("accept-encoding", "")):
            return Response(found.content, 200, headers, found.media_type)
        return Response(found.compressed, 200, headers | {"content-encoding": "gzip"}, found.media_type)

    async def public(self, request: Request) -> Response:
        """Send a file whose name stays while its content changes: an icon, a manifest, the service worker.

        The worker is at the root of the site, so it may answer for the whole page.
        """
        return self._answer(self._page, request, request.url.path.removeprefix("/"), CHECK)

    async def docs(self, request: Request) -> Response:
        """Send a file of the documentation, or the first one of a folder. A page is found without its `.html`, too."""
        name = request.path_params["name"]
        if f"{name}.html".lstrip("/") in self._docs:
            return RedirectResponse(f"{self._base}docs{name}.html")
        if f"{name}/index.html".lstrip("/") in self._docs and not name.endswith("/"):
            return RedirectResponse(f"{self._base}docs{name}/")
        if name.endswith("/"):
            name += "index.html"
        return self._answer(self._docs, request, name.removeprefix("/"), CHECK)

    def _answer(self, folder: Folder, request: Request, name: str, cache: str, status: int = 200) -> Response:
        if not self._asked.take(address_of(request)):
            return _too_many()
        try:
            return folder.response(request, name, cache, status) if name in folder else _nothing()
        except FileNotFoundError:  # the page was built again since the server began
            return _nothing()


def _read(path: Path, name: str, coding: str | None, base: str) -> File:
    content = path.read_bytes()
    if name == INDEX and base != ROOT:
        content = in_folder(content.decode(), base).encode()
    media_type = TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return File(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:20]}"', coding)


def _codings(header: str) -> set[str]:
    """The content codings that a client accepts."""
    accepted = set()
    for part in header.lower().split(","):
        coding, _, weight = part.replace(" ", "").partition(";q=")
        if not weight or weight.strip("0."):  # not a weight of 0
            accepted.add(coding)
    return accepted


def _too_many() -> Response:
    return PlainTextResponse("Too many files at once; wait a moment.\n", 429)


def _nothing() -> Response:
    return PlainTextResponse("There is nothing at this address.\n", 404)
