"""Who a browser is: a guest with a number nobody can guess, in a cookie that the server signed."""

from __future__ import annotations

import contextlib
import secrets

from itsdangerous import BadSignature, Signer

COOKIE = "bosquet"
YEAR = 365 * 24 * 3600


class Guests:
    """Gives and reads the cookies of guests."""

    def __init__(self, key: bytes) -> None:
        """The key of this server; whoever knows it can take any seat."""
        self._signer = Signer(key, salt="bosquet.guest")

    def fresh(self) -> str:
        """A new guest."""
        return secrets.token_urlsafe(24)

    def read(self, header: str | None) -> str | None:
        """The guest of a Cookie header; None if there is none that this server signed.

        Cookies of other servers at this host come along, on any port: whatever they hold must not hide ours.
        """
        for part in (header or "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                with contextlib.suppress(BadSignature, UnicodeError):
                    return self._signer.unsign(value).decode()
        return None

    def cookie(self, guest: str, secure: bool) -> str:
        """The Set-Cookie header that keeps a guest: unreadable to scripts, never sent from other sites."""
        value = self._signer.sign(guest).decode()
        flags = "; Secure" if secure else ""
        return f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{flags}"
