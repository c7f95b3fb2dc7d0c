"""A mail server on loopback: a real one, which keeps what it takes and refuses what it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import email
import functools
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any, NamedTuple

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from bosquet.server.notices.smtp import Mailer, SmtpServer

SENDER = "tables@example.org"
PUBLIC = "https://tables.example.org"


class Mail(NamedTuple):
    """A mail that came in."""

    sender: str
    to: list[str]
    message: EmailMessage
    encrypted: bool
    raw: bytes

    @property
    def text(self) -> str:
        """What it says."""
        return str(self.message.get_content()).replace("\r\n", "\n")


class MailServer:
    """Takes mail for everybody. The methods `handle_…` are those that aiosmtpd calls."""

    def __init__(self, certificate: Path | None = None, password: str | None = None) -> None:
        self.received: list[Mail] = []
        self.to_recipient = "250 OK"
        """What it says of each recipient."""
        self.to_mail = "250 OK"
        """What it says once it has a mail."""
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        """What happens before it takes a mail."""
        self.port = 0
        self._password = password
        self._context: ssl.SSLContext | None = None
        self.certificate = certificate
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)

    def mailer(self, public: str = PUBLIC, host: str = "127.0.0.1", **more: Any) -> Mailer:
        """Return what sends through this server."""
        context = None if self.certificate is None else ssl.create_default_context(cafile=self.certificate)
        given: dict[str, Any] = {"security": "none", "sender": SENDER} | more
        return Mailer(SmtpServer(host, self.port, **given), public, context)

    @contextlib.asynccontextmanager
    async def open(self, *, implicit: bool = False) -> AsyncIterator[MailServer]:
        """Listen meanwhile, with TLS from the first byte or by STARTTLS."""
        loop = asyncio.get_running_loop()
        made: dict[str, Any] = {"hostname": "localhost", "enable_SMTPUTF8": False}
        if self._context is not None and not implicit:
            made |= {"tls_context": self._context, "require_starttls": True}
        if self._password is not None:
            made |= {"authenticator": self._knows, "auth_required": not implicit, "auth_require_tls": not implicit}
        context = self._context if implicit else None
        self._listen = functools.partial(
            loop.create_server, lambda: SMTP(self, loop=loop, **made), "127.0.0.1", ssl=context
        )
        self._server = await self._listen(port=self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            self._server.close()

    @contextlib.asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """Listen to nobody meanwhile, then again at the same port."""
        self._server.close()
        try:
            yield
        finally:
            self._server = await self._listen(port=self.port)

    @contextlib.contextmanager
    def in_thread(self) -> Iterator[MailServer]:
        """Listen meanwhile, in a loop of its own."""
        ready, loop = threading.Event(), asyncio.new_event_loop()

        async def listen() -> None:
            self._ended = asyncio.Event()
            async with self.open():
                ready.set()
                await self._ended.wait()

        thread = threading.Thread(target=lambda: loop.run_until_complete(listen()))
        thread.start()
        ready.wait(10)
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(self._ended.set)
            thread.join(10)
            loop.close()

    def _knows(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        known = isinstance(data, LoginPassword) and data.login == b"ann@example.org"
        return AuthResult(success=known and data.password.decode() == self._password, handled=False)

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer what it was told to."""
        if self.to_recipient.startswith("2"):
            envelope.rcpt_tos.append(address)
        return self.to_recipient

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep a mail, as bytes that a parser has read."""
        assert isinstance(envelope.content, bytes)
        if self.meanwhile is not None:
            await self.meanwhile()
        if self.to_mail.startswith("2"):
            message = email.message_from_bytes(envelope.content, policy=default)
            encrypted = server.transport is not None and server.transport.get_extra_info("ssl_object") is not None
            self.received.append(
                Mail(str(envelope.mail_from), list(envelope.rcpt_tos), message, encrypted, envelope.content)
            )
        return self.to_mail
