"""The mails that the server writes, in the languages of the page.

They hold no text by a guest, so that the server can't be used to send messages to others, and no link that gives a
seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, localtime, make_msgid
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec

from bosquet.server.notices.messages import NoticeTable

WORDS = msgspec.json.decode(Path(__file__).with_name("mail_words.json").read_bytes(), type=dict[str, dict[str, str]])
"""Texts by name and language."""


def confirmation(sender: str, to: str, language: str, public: str, code: str) -> EmailMessage:
    """Return the mail that asks whether an address is that of the guest who has given it."""
    words = _words(language)
    asked = words["confirm"].format(host=urlsplit(public).netloc)
    text = [asked, f"{public}/mail/confirm#{code}", words["confirm_not"]]
    return _mail(sender, to, language, public, words["confirm_subject"], text)


def notice_mail(
    sender: str, to: str, language: str, public: str, tables: Sequence[NoticeTable], zone: str, stop: str
) -> EmailMessage:
    """Return the mail about turns, bots and invitations at tables. Its link with the token `stop` ends such mails."""
    words = _words(language)
    invited = sum(table.invited for table in tables)
    played = sum(table.kind == "stood in" for table in tables)
    due = len(tables) - invited - played
    what, count = ("turn", due) if due else ("stood_in", played) if played else ("invitation", invited)
    subject = words[f"{what}_subject"] if count == 1 else words[f"{what}s_subject"].format(n=count)
    ways = ["/" if table.invited else f"/table/{table.table}" for table in tables]
    text = [f"{_line(table, words, ZoneInfo(zone))}\n{public}{way}" for table, way in zip(tables, ways, strict=True)]
    if any(table.deadline is not None for table in tables):
        text.append(words["zone"].format(zone=zone))
    end = f"{public}/mail/stop/{stop}"
    why = words["why"].format(host=urlsplit(public).netloc)
    text.append(f"-- \n{why}\n{end}\n{words['settings']}\n{public}/me?notices")
    mail = _mail(sender, to, language, public, subject, text)
    mail["List-Unsubscribe"] = f"<{end}>"
    if public.startswith("https:"):
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return mail


def _line(table: NoticeTable, words: Mapping[str, str], zone: ZoneInfo) -> str:
    """What a mail says of a table."""
    if table.invited:
        return words["invited"].format(game=table.title)
    if table.kind == "stood in":
        return words["stood_in"].format(game=table.title)
    if table.deadline is None:
        return table.title
    end = datetime.fromtimestamp(table.deadline, UTC).astimezone(zone)
    month = words["months"].split()[end.month - 1]
    when = words["when"].format(day=end.day, month=month, year=end.year, time=f"{end:%H:%M}")
    return words["reminder" if table.kind == "reminder" else "until"].format(game=table.title, when=when)


def _words(language: str) -> dict[str, str]:
    return {name: texts[language] for name, texts in WORDS.items()}


def _mail(sender: str, to: str, language: str, public: str, subject: str, paragraphs: list[str]) -> EmailMessage:
    """A mail of some paragraphs, to which no program answers (RFC 3834)."""
    mail = EmailMessage(SMTP)
    mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = subject
    mail["Date"] = format_datetime(localtime())
    mail["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("\n\n".join(paragraphs) + "\n", cte="quoted-printable")
    mail["Content-Language"] = language
    return mail
