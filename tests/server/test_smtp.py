"""How a mail server is named, and how mails are handed over to it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bosquet.core.errors import BosquetError
from bosquet.server.host import serve
from bosquet.server.host.serve import Serving
from bosquet.server.notices import mails, smtp
from bosquet.server.notices.smtp import AwayError, NoMailboxError, SmtpServer, UnsentError, is_mail_address, read_server
from tests.helpers.rows import each_row
from tests.server.helpers.mail_server import PUBLIC, SENDER, MailServer
from tests.server.helpers.push_service import certificate

# --- how a mail server is named ---


@each_row(
    ("url", "server"),
    [
        (f"smtp://mail.example.org?from={SENDER}", SmtpServer("mail.example.org", 587, "starttls", SENDER)),
        (f"smtps://mail.example.org?from={SENDER}", SmtpServer("mail.example.org", 465, "tls", SENDER)),
        (f"smtp://localhost:25?from={SENDER}", SmtpServer("localhost", 25, "none", SENDER)),
        (f"smtp://[::1]/?from={SENDER}", SmtpServer("::1", 587, "none", SENDER)),
        (f"smtp://mail:25?tls=off&from={SENDER}", SmtpServer("mail", 25, "none", SENDER)),
        (
            f"smtp://ann%40example.org:p%23ss@mail.example.org:2525?from={SENDER}",
            SmtpServer("mail.example.org", 2525, "starttls", SENDER, "ann@example.org", "p#ss"),
        ),
        ("", None),
        ("mail.example.org", None),
        ("http://mail.example.org?from=a@example.org", None),
        ("smtp://?from=a@example.org", None),
        ("smtp://mail.example.org", None),
        ("smtp://mail.example.org?from=tables", None),
        ("smtp://mail.example.org?from=a@example.org%0d%0ax:y", None),
        ("smtp://mail.example.org?from=a@example.org&from=b@example.org", None),
        ("smtp://mail.example.org?from=a@example.org&tls=maybe", None),
        ("smtps://mail.example.org?from=a@example.org&tls=off", None),
        ("smtp://mail.example.org?from=a@example.org&starttls=no", None),
        ("smtp://mail.example.org:x?from=a@example.org", None),
        ("smtp://mail.example.org/inbox?from=a@example.org", None),
        ("smtp://ann@mail.example.org?from=a@example.org", None),
        ("smtp://ann:hunter2@mail.example.org", None),
        ("smtp://ann:hunter2@mail?tls=off&from=a@example.org", None),
        ("smtp://ann:hun#ter2@mail?from=a@example.org", None),
    ],
)
def test_a_mail_server_is_named_by_a_url(url: str, server: SmtpServer | None) -> None:
    if server is not None:
        assert read_server(url) == server
        return
    with pytest.raises(BosquetError, match="--smtp") as refused:
        read_server(url)
    assert "hun" not in str(refused.value)


def test_no_password_is_shown() -> None:
    url = f"smtp://ann:hunter2@mail.example.org?from={SENDER}"
    assert "hunter2" not in repr(read_server(url)) + repr(Serving(smtp=url))


@each_row(
    ("options", "public"),
    [
        ({"names": ["tables.example.org", "another.example.org"]}, PUBLIC),
        ({"names": ["tables.example.org"], "public": "http://tables.example.org:8642/"},
         "http://tables.example.org:8642"),
        ({"public": "http://192.168.1.5:8642"}, "http://192.168.1.5:8642"),
        ({"public": "http://[fd00::1]:8642"}, "http://[fd00::1]:8642"),
        ({"public": "http://anything", "host": "0.0.0.0"}, "http://anything"),
        ({"names": ["tables.example.org"], "base": "/games/"}, f"{PUBLIC}/games"),
        ({"public": "http://192.168.1.5/games/", "base": "/games/"}, "http://192.168.1.5/games"),
        ({"public": "http://192.168.1.5/others", "base": "/games/"}, "must be the address of the start page"),
        ({}, "--public or --name"),
        ({"public": PUBLIC}, "add --name tables.example.org"),
        ({"public": "tables.example.org"}, "must be the address"),
        ({"public": f"{PUBLIC}/games"}, "must be the address"),
        ({"public": "https://ann:hunter2@tables.example.org"}, "must be the address"),
    ],
)  # fmt: skip
def test_links_begin_with_the_public_address(options: dict[str, Any], public: str) -> None:
    serving = Serving(smtp=f"smtp://localhost?from={SENDER}", **options)
    if public.startswith("http"):
        mailer = serve.mailer_of(serving)
        assert mailer is not None
        assert mailer.public == public
    else:
        with pytest.raises(BosquetError, match=public):
            serve.mailer_of(serving)


@each_row(
    ("address", "valid"),
    [
        ("ann@example.org", True),
        ("ann.b+tables@mail.example.co.uk", True),
        ("o'neill@example.org", True),
        ("ann@xn--bcher-kva.example", True),
        (f"{'a' * 64}@example.org", True),
        (f"{'a' * 65}@example.org", False),
        (f"ann@{'a' * 60}.{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 10}.org", False),
        ("ann", False),
        ("ann@localhost", False),
        ("ann@127.0.0.1", False),
        ("ann@[127.0.0.1]", False),
        ("ann@example.org\n", False),
        ("ann@example.org\r\nBcc: bea@example.org", False),
        ("ann@example.org,bea@example.org", False),
        ("ann@example.org bea@example.org", False),
        ("Ann <ann@example.org>", False),
        ('"ann"@example.org', False),
        ("ann(b)@example.org", False),
        ("ann%example.com@example.org", False),
        ("example.com!ann@example.org", False),
        (".ann@example.org", False),
        ("ann..b@example.org", False),
        ("ann@example..org", False),
        ("ann@-example.org", False),
        ("änn@example.org", False),
        ("ann@example.org\0", False),
        ("", False),
    ],
)
def test_an_address_is_one_plain_address(address: str, valid: bool) -> None:
    assert is_mail_address(address) == valid


# --- how mails are handed over ---


@pytest.mark.parametrize("implicit", [False, True], ids=["STARTTLS", "TLS"])
def test_a_mail_is_handed_over_encrypted_with_a_password(tmp_path: Path, implicit: bool) -> None:
    async def main() -> None:
        security = "tls" if implicit else "starttls"
        async with MailServer(certificate(tmp_path), "hunter2").open(implicit=implicit) as server:
            message = mails.confirmation(SENDER, "ann@example.org", "de", PUBLIC, "code")
            account = {"security": security, "user": "ann@example.org"}
            await server.mailer(host="localhost", password="hunter2", **account).send("ann@example.org", message)
            (mail,) = server.received
            assert (mail.sender, mail.to, mail.encrypted) == (SENDER, ["ann@example.org"], True)
            with pytest.raises(AwayError) as refused:
                await server.mailer(host="localhost", password="hunter3", **account).send("ann@example.org", message)
            assert "hunter" not in str(refused.value)
            stranger = server.mailer(host="localhost", password="hunter2", **account)
            stranger._context = None  # whose certificates are those of the system
            with pytest.raises(AwayError):
                await stranger.send("ann@example.org", message)

    asyncio.run(main())


def test_nothing_is_sent_in_clear_where_tls_is_meant() -> None:
    async def main() -> None:
        async with MailServer().open() as server:
            message = mails.confirmation(SENDER, "ann@example.org", "en", PUBLIC, "code")
            with pytest.raises(AwayError):
                await server.mailer(security="starttls").send("ann@example.org", message)
            assert server.received == []

    asyncio.run(main())


@each_row(
    ("answer", "gone"),
    [
        ("550 no such user", True),
        ("550 5.1.1 no such user", True),
        ("551 moved", True),
        ("553 not allowed", True),
        ("554 5.2.1 mailbox disabled", True),
        ("550 5.7.1 relaying denied", False),
        ("554 relay access denied", False),
        ("550 5.1.8 bad sender", False),
        ("530 5.7.0 authentication required", False),
        ("552 5.2.2 mailbox full", False),
        ("552 mailbox full", False),
        ("450 4.2.1 try later", False),
        ("452 too many", False),
    ],
)
def test_a_server_refuses_a_recipient_or_what_holds_for_all(answer: str, gone: bool) -> None:
    async def main() -> None:
        async with MailServer().open() as server:
            server.to_recipient = answer
            with pytest.raises(UnsentError) as refused:
                await server.mailer().send("ann@example.org", mails.confirmation(SENDER, "a@b.org", "en", PUBLIC, "c"))
            assert isinstance(refused.value, NoMailboxError) == gone
            assert "ann" not in str(refused.value)

    asyncio.run(main())


def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "SECONDS", 0.3)

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def main() -> None:
        silent = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
        server = MailServer()
        server.port = silent.sockets[0].getsockname()[1]
        mailer, message = server.mailer(), mails.confirmation(SENDER, "a@b.org", "en", PUBLIC, "c")
        tries = [mailer.send("ann@example.org", message) for _ in range(3 * smtp.SLOTS)]
        began = asyncio.get_running_loop().time()
        failed = await asyncio.gather(*tries, return_exceptions=True)
        assert asyncio.get_running_loop().time() - began < 2  # who asks for a mail waits no longer for a slot
        assert {type(one) for one in failed} == {AwayError}
        silent.close()

    asyncio.run(main())
