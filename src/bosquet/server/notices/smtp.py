"""Hands e-mail over to one mail server, by SMTP.

A mail server may be slow or away. So a mail is given up after some seconds, and the sender tries again later. A mail
that waits for a connection is given up, too: a notice only after many minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

import aiosmtplib

from bosquet.core.errors import BosquetError
from bosquet.server.base.host_names import is_loopback
from bosquet.server.notices.slots import held

SECONDS = 15.0
"""Seconds within which a mail must be handed over."""
QUIT_SECONDS = 1.0
"""How long a server may take to say goodbye, after it has taken a mail."""
SLOTS = 8
"""Connections at a time."""
PORTS = {"smtp": 587, "smtps": 465}
LONGEST = 254
"""Characters of an address (RFC 5321)."""
UNFOLDED = SMTP.clone(max_line_length=998)
"""Headers are not folded before the addresses in them: some programs would not find those."""
ADDRESS = re.compile(
    r"(?P<local>[A-Za-z0-9_+&'=~-]+(?:\.[A-Za-z0-9_+&'=~-]+)*)@"
    r"(?P<domain>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9-]{2,63})"
)
"""One plain address at a domain of the internet: no name, quotes, comments or second address, and no `%` or `!`, by
which old servers pass a mail on."""
LONGEST_LOCAL = 64
NO_MAILBOX = (550, 551, 553)
"""Reply codes for a recipient that does not exist, unless an enhanced status code says more."""
ENHANCED = re.compile(r"\s*5\.(?P<subject>\d{1,3})\.(?P<detail>\d{1,3})\b")
ADDRESSES = "1"
"""The subject of enhanced status codes (RFC 3463) that is about addresses."""
OF_SENDER = ("7", "8")
"""Its details that mean the sender's address."""
DISABLED = ("2", "1")
"""The one about a mailbox that takes no mail any more; one that is full will."""

Security = Literal["tls", "starttls", "none"]


class UnsentError(Exception):
    """A mail that could not be handed over: the reason."""


class AwayError(UnsentError):
    """A mail of which the server has not seen anything."""


class NoMailboxError(UnsentError):
    """A mail whose recipient the server refuses for good."""


@dataclass(frozen=True)
class SmtpServer:
    """A mail server, and who sends through it."""

    host: str
    port: int
    security: Security
    sender: str
    user: str | None = None
    password: str | None = field(default=None, repr=False)


def is_mail_address(text: str) -> bool:
    """Return whether a text is one plain e-mail address."""
    found = ADDRESS.fullmatch(text)
    return found is not None and len(text) <= LONGEST and len(found["local"]) <= LONGEST_LOCAL


def read_server(url: str) -> SmtpServer:
    """Return the mail server of a URL. Raises BosquetError, which says nothing of the URL: it may have a password."""
    try:
        parts = urlsplit(url)
        port = parts.port
        given = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise _wrong("is no URL") from None
    asked = dict(given)
    if parts.scheme not in PORTS or not parts.hostname or parts.path not in ("", "/") or parts.fragment:
        raise _wrong("must be smtp://HOST or smtps://HOST")
    if len(given) > len(asked) or not asked.keys() <= {"from", "tls"} or asked.get("tls", "off") != "off":
        raise _wrong("may have `from` and `tls=off` after the question mark, each once")
    if not is_mail_address(asked.get("from", "")):
        raise _wrong("lacks the address that mail comes from")
    if (parts.username is None) != (parts.password is None):
        raise _wrong("must have user and password, or neither; write characters such as @ as %40")
    local = parts.hostname == "localhost" or is_loopback(parts.hostname)
    security: Security = "tls" if parts.scheme == "smtps" else "starttls"
    if "tls" in asked and security == "tls":
        raise _wrong("can't be smtps with tls=off")
    if security == "starttls" and ("tls" in asked or local):
        security = "none"
    if security == "none" and parts.password and not local:
        raise _wrong("would send a password without TLS")
    return SmtpServer(
        parts.hostname,
        port or PORTS[parts.scheme],
        security,
        asked["from"],
        None if parts.username is None else unquote(parts.username),
        None if parts.password is None else unquote(parts.password),
    )


class Mailer:
    """Sends mail through one server."""

    def __init__(self, server: SmtpServer, public: str, context: ssl.SSLContext | None = None) -> None:
        """`public` is the URL under which people reach this server, without a slash at its end."""
        self.sender = server.sender
        self.public = public
        self._server = server
        self._context = context
        self._slots = asyncio.Semaphore(SLOTS)

    async def send(self, to: str, message: EmailMessage, wait: float | None = None) -> None:
        """Hand a mail over, after `wait` seconds at most, by default as long as that may take.

        Raises UnsentError, AwayError, NoMailboxError; what they say names nobody.
        """
        connected = False
        client = aiosmtplib.SMTP(
            hostname=self._server.host,
            port=self._server.port,
            username=self._server.user,
            password=self._server.password,
            local_hostname=urlsplit(self.public).hostname or "localhost",
            timeout=SECONDS,
            use_tls=self._server.security == "tls",
            start_tls=self._server.security == "starttls",
            tls_context=await self._trusted(),
        )
        try:
            async with held(self._slots, SECONDS if wait is None else wait, SECONDS):
                await client.connect()
                connected = True
                await client.sendmail(self.sender, [to], message.as_bytes(policy=UNFOLDED))
        except aiosmtplib.SMTPRecipientsRefused as refused:
            (answer,) = refused.recipients
            kind = NoMailboxError if _has_no_mailbox(answer.code, answer.message) else UnsentError
            raise kind(f"recipient refused: {answer.code}") from None
        except aiosmtplib.SMTPResponseException as error:
            raise (UnsentError if connected else AwayError)(f"{type(error).__name__}: {error.code}") from None
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise (UnsentError if connected else AwayError)(type(error).__name__) from None
        else:
            with contextlib.suppress(aiosmtplib.SMTPException, OSError):  # it has the mail
                async with asyncio.timeout(QUIT_SECONDS):
                    await client.quit()
        finally:
            client.close()

    async def _trusted(self) -> ssl.SSLContext | None:
        """The certificates that are trusted; reading those of the system takes a while."""
        if self._context is None and self._server.security != "none":
            self._context = await asyncio.to_thread(ssl.create_default_context)
        return self._context


def _has_no_mailbox(code: int, said: str) -> bool:
    """Whether a refusal is about the recipient: that of a sender or a relay would hold for all recipients."""
    found = ENHANCED.match(said)
    if found is None:
        return code in NO_MAILBOX
    subject, detail = found["subject"], found["detail"]
    return code // 100 == 5 and ((subject, detail) == DISABLED or (subject == ADDRESSES and detail not in OF_SENDER))


def _wrong(what: str) -> BosquetError:
    return BosquetError(f"--smtp: {what}; as smtp://USER:PASSWORD@mail.example.org?from=tables@example.org")
