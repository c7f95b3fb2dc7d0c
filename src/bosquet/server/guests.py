"""Who a browser is: a guest with a number nobody can guess, in a cookie that the server signed."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
from pathlib import Path

from itsdangerous import BadSignature, Signer

COOKIE = "bosquet"
YEAR = 365 * 24 * 3600
KEPT = 8192
"""Values of cookies of which is kept whose they are: each request is asked several times, and checking takes long."""
LONGEST = 128
"""Signs of the longest value that may be ours: twice as many as any has."""


class Guests:
    """Gives and reads the cookies of guests."""

    def __init__(self, key: bytes) -> None:
        """The key of this server; whoever knows it can take any seat."""
        self._signer = Signer(key, salt="bosquet.guest")
        self._signed_by = functools.lru_cache(KEPT)(self._checked)

    def fresh(self) -> str:
        """A new guest."""
        return secrets.token_urlsafe(24)

    def read(self, header: str | None) -> str | None:
        """The guest of a Cookie header; None if there is none that this server signed.

        Cookies of other servers at this host come along, on any port: whatever they hold must not hide ours.
        """
        for part in (header or "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE and len(value) <= LONGEST and (guest := self._signed_by(value)) is not None:
                return guest
        return None

    def _checked(self, value: str) -> str | None:
        """The guest of the value of a cookie; None if this server did not sign it."""
        with contextlib.suppress(BadSignature, UnicodeError):
            return self._signer.unsign(value).decode()
        return None

    def cookie(self, guest: str, secure: bool) -> str:
        """The Set-Cookie header that keeps a guest: unreadable to scripts, never sent from other sites."""
        value = self._signer.sign(guest).decode()
        flags = "; Secure" if secure else ""
        return f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{flags}"


def read_key(file: Path) -> bytes:
    """The signing key of a data folder, made when first asked for; nobody else may read its file."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_bytes()
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(secrets.token_bytes(32))
    return file.read_bytes()
