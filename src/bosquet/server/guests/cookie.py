"""Signs and reads the cookie that says which guest a browser is, and on which of its devices."""

from __future__ import annotations

import contextlib
import functools
import re
import secrets
import time
from collections.abc import Iterable

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from bosquet.server.base.base_path import ROOT

COOKIE = "bosquet"
SECURE_COOKIE = "__Host-bosquet"
"""The name behind https. Browsers let neither another site of the domain nor a page without https set such a cookie."""
SECURE_COOKIE_IN_FOLDER = "__Secure-bosquet"
"""The name behind https in a folder of the host: for a folder, browsers refuse the name above."""
HEADER = "x-bosquet-guest"
"""Carries the value of the cookie from and to a page whose browser sends none, perhaps because it keeps none."""
SUBPROTOCOL = "bosquet"
"""The subprotocol of a WebSocket. A page that can't send the header offers the value of its cookie as a second one."""
DAY = 24 * 3600
YEAR = 365 * DAY
RENEWED_AFTER = 30
"""Days after which a browser is given its cookie anew, so that it does not expire while it is used."""
KEPT = 8192
"""Cookies whose checked value is remembered: it is needed several times a request, and checking takes long."""
LONGEST = 128
"""Characters of the longest value that may be ours: half as many again as any has."""
FORM = re.compile(r"[A-Za-z0-9_-]+\.[1-9][0-9]*(_[1-9][0-9]*)?")
"""What is signed: a guest, the day since when it has the cookie, and its device, if that is not the first one."""
FIRST_DEVICE = 0
"""The device on which a guest was made. Cookies name the others only."""


class GuestCookies:
    """Gives and reads the cookies of guests."""

    def __init__(self, key: bytes, base: str = ROOT) -> None:
        """Take the key of this server, which is enough to act for any guest, and the folder that it lies in."""
        self._base = base
        self._secure_name = SECURE_COOKIE if base == ROOT else SECURE_COOKIE_IN_FOLDER
        self._signer = Signer(key, salt="bosquet.guest")
        self._signed_by = functools.lru_cache(KEPT)(self._checked)

    def fresh(self) -> str:
        """Return a new guest."""
        return secrets.token_urlsafe(24)

    def of(self, connection: HTTPConnection) -> str | None:
        """Return the guest that a request is from; None if it carries nothing that this server has signed."""
        signed = self._signed(connection)
        return signed and signed.partition(".")[0]

    def device_of(self, connection: HTTPConnection) -> int:
        """Return the number of the guest's device that a request is from."""
        return self._since(connection)[1]

    def is_due(self, connection: HTTPConnection) -> bool:
        """Return whether a browser should be given a cookie: it has none, or an old one."""
        day = self._since(connection)[0]
        return day is None or _today() - day > RENEWED_AFTER

    def _since(self, connection: HTTPConnection) -> tuple[int | None, int]:
        """The day of a cookie, None if there is none, and the device that it names."""
        day, _, device = (self._signed(connection) or "").partition(".")[2].partition("_")
        return int(day) if day else None, int(device or FIRST_DEVICE)

    def _signed(self, connection: HTTPConnection) -> str | None:
        """What this server signed for a browser: a guest, since when it has the cookie, and on which device."""
        return self._signed_in_cookie(connection) or self._signed_in(_told(connection))

    def _signed_in_cookie(self, connection: HTTPConnection) -> str | None:
        """The same of the Cookie header.

        Cookies of other servers at this host come along, on any port: whatever they hold must not hide ours.
        """
        parts = connection.headers.get("cookie", "").split(";")
        named = self._secure_name if is_secure(connection) else COOKIE
        return self._signed_in(
            value for name, _, value in (part.strip().partition("=") for part in parts) if name == named
        )

    def _signed_in(self, values: Iterable[str]) -> str | None:
        """What this server signed in the first of some values that it signed."""
        return next(filter(None, (self._signed_by(value) for value in values if len(value) <= LONGEST)), None)

    def _checked(self, value: str) -> str | None:
        """What this server signed in the value of a cookie; None if it did not.

        A signature can be written in several ways; only the one that this server writes counts.
        """
        with contextlib.suppress(BadSignature, UnicodeError):
            signed = self._signer.unsign(value)
            if FORM.fullmatch(signed.decode()) and self._signer.sign(signed).decode() == value:
                return signed.decode()
        return None

    def tell(self, connection: HTTPConnection, answer: Response) -> None:
        """Tell a page the cookie that an answer sets, where its browser sent none: scripts may not read the cookie."""
        given = answer.headers.get("set-cookie")
        if given and self._signed_in_cookie(connection) is None:
            answer.headers[HEADER] = given.partition("=")[2].partition(";")[0]

    def cookie(self, guest: str, secure: bool, device: int = FIRST_DEVICE) -> str:
        """Return the Set-Cookie header that keeps a guest: unreadable to scripts, never sent from other sites."""
        named = "" if device == FIRST_DEVICE else f"_{device}"
        value = self._signer.sign(f"{guest}.{_today()}{named}").decode()
        name, flags = (self._secure_name, "; Secure") if secure else (COOKIE, "")
        return f"{name}={value}; Path={self._base}; Max-Age={YEAR}; HttpOnly; SameSite=Lax{flags}"


def _told(connection: HTTPConnection) -> list[str]:
    """Return what a page sends in place of the cookie that its browser does not keep."""
    if connection.scope["type"] == "websocket":
        return list(connection.scope.get("subprotocols", ()))
    return [connection.headers.get(HEADER, "")]


def is_secure(connection: HTTPConnection) -> bool:
    """Return whether a request came by https, as far as a named proxy says so."""
    return connection.scope.get("scheme") in ("https", "wss")


def _today() -> int:
    """Return the number of the day."""
    return int(time.time()) // DAY
