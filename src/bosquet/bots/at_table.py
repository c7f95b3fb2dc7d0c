"""A bot at a table of a server, over the protocol that the page uses (docs/protocol.md).

The bot is a guest like any other: it sits down with an invitation, is sent what its seat may know, and sends moves.
The table shows that it is a program.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from bosquet.bots import outside
from bosquet.bots.outside import BotError, Limits
from bosquet.core.errors import BosquetError, OptionError, quoted
from bosquet.core.installed import spec
from bosquet.core.rng import Rng, fresh_seed
from bosquet.core.system.files import OWNER_ONLY, whole_file
from bosquet.core.view import View

WAY = re.compile(
    r"(https?)://([^\s/?#]+)((?:/+[\w.~-]+)*?)/+(?:table|screen)/+([\w-]{1,32})(?![\w-])"  # host, folder, and table
    r"[^\s#]*(?:#([\w-]{1,64}))?",  # what others added, and the invitation
    re.ASCII | re.IGNORECASE,
)
UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
"""Characters of a text that nobody sees."""
DEEPEST = 3
"""How often a link may have been encoded on its way."""
COOKIE = re.compile(r"(__Host-|__Secure-)?bosquet=[\w.=-]{1,200}", re.ASCII)
MOST_BYTES = 1 << 16
"""An answer to a request is shorter."""
COOKIES = ("__Host-bosquet", "__Secure-bosquet", "bosquet")
"""Names of the cookie that says who a guest is: behind HTTPS, there in a folder of the host, and else."""
PATIENCE = 60.0
"""Seconds for which a server that can't be reached is tried again."""
PAUSE = 1.0
NO_SERVER = "answers like no server of bosquet"

Say = Callable[[str], None]


class Link(NamedTuple):
    """The parts of a link to a table, as its page offers it."""

    origin: str
    """With the folder of the host that the server lies in, if it has one."""
    table: str
    invitation: str | None

    @classmethod
    def read(cls, text: str) -> Link:
        """Return the parts of a link, also as messengers and mail programs pass it on. Raises OptionError."""
        decoded = text
        for _ in range(DEEPEST):
            decoded = unquote(decoded)
        found = WAY.search(UNSEEN.sub("", decoded))
        try:
            if not found or not found[2].isascii() or not urlsplit(f"//{found[2]}").hostname:
                raise ValueError
        except ValueError:
            raise OptionError(
                f"--server {quoted(text)}: must be the link to a table, http://HOST/table/TABLE#INVITATION"
            ) from None
        return cls(f"{found[1].lower()}://{found[2]}{found[3]}", found[4], found[5])


class Guest:
    """Who the bot is at a server. With a file, it is the same the next time."""

    def __init__(self, origin: str, file: Path | None = None) -> None:
        """Read the cookie of the guest from its file, or become a new one. Raises BosquetError."""
        self._origin = origin
        self.cookie = ""
        if file is not None and file.exists():
            self.cookie = _read_text(file)
        else:
            self.ask("GET", "/api/lobby")
            if file is not None:
                with whole_file(file, mode=OWNER_ONLY) as written:
                    written.write(self.cookie.encode() + b"\n")

    def ask(self, method: str, path: str, body: Any = None) -> bytes:
        """Send a request; return the body of the answer. Raises BosquetError."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"} | ({"cookie": self.cookie} if self.cookie else {})
        request = urllib.request.Request(self._origin + path, data, headers, method=method)
        try:
            with _opener().open(request, timeout=10) as answer:
                self._keep(answer.headers.get_all("set-cookie") or [])
                return bytes(answer.read(MOST_BYTES))
        except urllib.error.HTTPError as error:
            raise BosquetError(f"{self._origin}: {_problem(error.read(MOST_BYTES))}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise BosquetError(f"{self._origin}: can't be reached: {getattr(error, 'reason', error)}") from None

    def _keep(self, headers: list[str]) -> None:
        for header in headers:
            for name, morsel in SimpleCookie(header).items():
                if name in COOKIES and COOKIE.fullmatch(f"{name}={morsel.value}"):
                    self.cookie = f"{name}={morsel.value}"


def play(
    name: str, link: Link, called: str, *, limits: Limits, file: Path | None, say: Say, stay: bool = False
) -> None:
    """Sit down at a table and play until the game is over; with `stay`, go on to the games that follow it.

    `name` is the bot and `called` its name at the table. What happens is told to `say`. Raises BosquetError.
    """
    outside.check([name], limits)
    guest = Guest(link.origin, file)
    body = {"name": called, "invitation": link.invitation, "program": True}
    guest.ask("POST", f"/api/tables/{link.table}/join", body)
    say(f"{called} sits at {link.origin}/table/{link.table}")
    table: str | None = link.table
    while table is not None:
        with outside.seated([name], limits) as (bot,):  # a new one for each game, as in matches
            table = _Game(guest, link.origin, table, bot, say, stay).play()


class _Game:
    """The bot in one game."""

    def __init__(self, guest: Guest, origin: str, table: str, bot: Any, say: Say, stay: bool) -> None:
        self._guest, self._origin, self._table, self._bot = guest, origin, table, bot
        self._say, self._stay = say, stay
        self._rng = Rng(fresh_seed(), "bot")
        self._state: dict[str, Any] = {}
        self._nonce = secrets.token_hex(16)
        self._played = -1
        self._over = False

    def play(self) -> str | None:
        """Play to the end; return the table where it goes on, if the bot stays."""
        for socket in self._connections():
            with contextlib.suppress(ConnectionClosed), socket:
                for text in socket:
                    if text:
                        self._take(socket, text)
                    if self._over and not self._stay and not self._duel_goes_on:
                        return None
                    if self._over and self._state.get("rematch"):
                        return str(self._state["rematch"])
                    if self._state.get("phase") == "closed":
                        raise BosquetError("the host has closed the table")
        raise BosquetError(f"{self._origin}: can't be reached any more")

    def _connections(self) -> Iterator[ClientConnection]:
        """Connect, and connect again where the connection is lost, until that fails for long."""
        url = f"ws{self._origin.removeprefix('http')}/api/tables/{self._table}/live?since=0"
        reached = time.monotonic()
        while time.monotonic() < reached + PATIENCE:
            try:
                yield connect(url, additional_headers={"cookie": self._guest.cookie}, max_size=2**22)
                reached = time.monotonic()
            except (OSError, InvalidHandshake, TimeoutError):
                pass
            time.sleep(PAUSE)

    @property
    def _duel_goes_on(self) -> bool:
        """Whether this is a game of a duel that has another one: who sits down for a duel plays all of it."""
        duel = self._state.get("duel")
        return duel is not None and not duel["over"]

    def _take(self, socket: ClientConnection, text: str | bytes) -> None:
        """Take a message. Raises BosquetError for one that no server of bosquet sends."""
        try:
            self._hear(socket, msgspec.json.decode(text, type=dict[str, Any]))
        except (ValueError, LookupError, TypeError, AttributeError):
            raise BosquetError(f"{self._origin}: {NO_SERVER}") from None

    def _hear(self, socket: ClientConnection, told: dict[str, Any]) -> None:
        match told["type"]:
            case "table":
                self._state = told
                if told["phase"] == "waiting" and any(not told["seats"][seat]["ready"] for seat in told["mine"]):
                    self._send(socket, type="ready", nonce=self._nonce)
            case "position":
                self._decide(socket, told)
            case "refused" if told["code"] not in ("stale", "busy", "unavailable"):
                raise BosquetError(f"the server refused a move: {quoted(told['message'])}")
            case "refused":
                time.sleep(PAUSE)
                self._played = -1
                self._send(socket, type="look", seat=self._state["mine"][0])

    def _decide(self, socket: ClientConnection, told: dict[str, Any]) -> None:
        view, number = told["view"], told["number"]
        if view["over"]:
            if not self._over:
                self._say(f"the game is over: {', '.join(map(str, view['scores']))}")
            self._over = True
            return
        if view["seat"] is None or view["seat"] != told["viewpoint"] or number == self._played:
            return
        game = spec(self._state["game"])
        typed: View = msgspec.convert(view, game.view_type)
        if self._state["assistance"] == "none":  # then no moves are sent; the rules are here
            typed = game.offered_view(typed, self._rng)
        try:
            move = self._bot.choose(typed, self._rng)
        except BotError as error:
            raise BosquetError(f"the bot failed: {error.reason}") from None
        self._played = number
        self._send(socket, type="play", seat=view["seat"], number=number, move=move)

    def _send(self, socket: ClientConnection, **message: Any) -> None:
        socket.send(json.dumps(message))


def _problem(body: bytes) -> str:
    """Return what a server says of a request that it refused."""
    try:
        return quoted(str(msgspec.json.decode(body)["message"]))
    except (ValueError, KeyError, TypeError):
        return NO_SERVER


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the cookie is for this server only."""

    def redirect_request(self, *_: Any) -> None:
        """Return nothing, so that the answer is an error."""


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))


def _read_text(file: Path) -> str:
    try:
        cookie = file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BosquetError(f"{file}: can't be read: {error}") from None
    if not COOKIE.fullmatch(cookie):
        raise BosquetError(f"{file}: is no file of --guest; name another one")
    return cookie
