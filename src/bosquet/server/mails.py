"""The mails that the server writes, in the languages of the page.

They hold no word that a guest has chosen, so that nobody can have anything of their own sent through the server, and no
link that gives anybody a seat.
"""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, localtime, make_msgid
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

WORDS = msgspec.json.decode(Path(__file__).with_name("mail_words.json").read_bytes(), type=dict[str, dict[str, str]])
"""Texts by name and language."""


def confirmation(sender: str, to: str, language: str, public: str, code: str) -> EmailMessage:
    """Return the mail that asks whether an address is that of the guest who has given it."""
    words = {name: texts[language] for name, texts in WORDS.items()}
    asked = words["confirm"].format(host=urlsplit(public).netloc)
    text = [asked, f"{public}/mail/confirm#{code}", words["confirm_not"]]
    return _mail(sender, to, language, public, words["confirm_subject"], text)


def _mail(sender: str, to: str, language: str, public: str, subject: str, paragraphs: list[str]) -> EmailMessage:
    """A mail of some paragraphs, to which no program answers (RFC 3834)."""
    mail = EmailMessage(SMTP)
    mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = subject
    mail["Date"] = format_datetime(localtime())
    mail["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    mail["Auto-Submitted"] = "auto-generated"
    mail["Content-Language"] = language
    mail.set_content("\n\n".join(paragraphs) + "\n", cte="quoted-printable")
    return mail
