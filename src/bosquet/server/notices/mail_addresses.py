"""The addresses to which guests want notices mailed: given by a guest, and confirmed by the reader of mail there.

An address that was not confirmed gets one kind of mail: the question whether it is the guest's. How many of those are
sent is kept in the database, so that an address can't be flooded through this server, even if it is restarted. The
answer is a code that counts once; the page at its link sends it when somebody presses, since programs that look through
mail open links, too.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
import structlog
from sqlalchemy import Executable
from structlog.typing import FilteringBoundLogger

from bosquet.server.base.clock import days_before, written
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.devices import acting, acting_alone
from bosquet.server.notices.limits import NoticeLimits
from bosquet.server.notices.mails import confirmation, notice_mail
from bosquet.server.notices.messages import KeptMail, MailSettings, NoticeTable, SetMail
from bosquet.server.notices.slots import SLOT_SECONDS
from bosquet.server.notices.smtp import AwayError, Mailer, NoMailboxError, UnsentError, is_mail_address
from bosquet.server.store.schema import mail_addresses, mail_counts
from bosquet.server.store.store import Conflict, Store

CODE_BYTES = 16
CODE_SECONDS = 24 * 3600
"""How long a code counts."""
MONTH = 30
"""Days for which it is known how many mails were sent."""
TRIES = 5
"""Of several who count at the same moment, one is first."""
ALL = "all"
"""In the place of one who is counted: everybody."""

Row = sa.Row[*tuple[Any, ...]]

log: FilteringBoundLogger = structlog.get_logger()


class MailAddresses:
    """The addresses of all guests."""

    def __init__(
        self,
        store: Store,
        key: bytes,
        limits: NoticeLimits,
        mailer: Mailer | None = None,
        now: Callable[[], int] = lambda: int(time.time()),
    ) -> None:
        """Without a mailer none can be given; those that are kept can be looked at and removed."""
        self._store = store
        self._key = key
        self._limits = limits
        self._mailer = mailer
        self._now = now

    # --- for guests ---

    async def settings(self, guest: str) -> MailSettings | None:
        """Return where a guest gets mail; None where this server sends none. Raises Refusal."""
        if self._mailer is None:
            return None
        found = await self._of(guest)
        if found is None or (found.state == "waiting" and found.expires <= self._now()):
            return MailSettings(address=None, state="none")
        return MailSettings(address=found.address, state=found.state)

    async def give(self, guest: str, device: int, ask: SetMail, first: Sequence[Executable] = ()) -> None:
        """Ask by mail whether an address is the guest's, in the place of the one before; `first` is written with it.

        Raises Refusal.
        """
        mailer = self._mailer
        if mailer is None:
            raise Refusal("not now", "this server sends no mail")
        if not is_mail_address(ask.address):
            raise Refusal("malformed", "address: must be one e-mail address, as ann@example.org")
        found = await self._of(guest)
        if found is not None and found.state == "confirmed" and found.address == ask.address:
            same = (mail_addresses.c.guest == guest) & (mail_addresses.c.stop == found.stop)
            spoken = sa.update(mail_addresses).where(same).values(language=ask.language)
            with acting_alone():
                await self._store.write(acting(guest, device), spoken)
            return
        code = secrets.token_urlsafe(CODE_BYTES)
        row: dict[str, Any] = {"guest": guest, "device": device, "address": ask.address, "language": ask.language}
        row |= {"state": "waiting", "since": self._today(), "stop": secrets.token_urlsafe(CODE_BYTES)}
        given = sa.insert(mail_addresses).values(row | {"digest": _digest(code), "expires": self._now() + CODE_SECONDS})
        with acting_alone():
            await self._write_counted(guest, ask.address, acting(guest, device), *self.removed(guest), given, *first)
        this = (mail_addresses.c.guest == guest) & (mail_addresses.c.digest == _digest(code))
        message = confirmation(mailer.sender, ask.address, ask.language, mailer.public, code)
        try:
            await mailer.send(ask.address, message)
        except NoMailboxError:
            with contextlib.suppress(Conflict):  # it was changed meanwhile
                await self._store.write(_refused(this, self._today()))
        except UnsentError as error:
            log.warning("a mail could not be sent", reason=str(error))
            uncounted = self._uncounted(guest, ask.address) if isinstance(error, AwayError) else []
            with contextlib.suppress(Conflict):  # erased meanwhile
                await self._store.write(sa.delete(mail_addresses).where(this), *uncounted)
            raise Refusal("unavailable", "the mail could not be sent; try again later") from None

    async def remove(self, guest: str) -> None:
        """Send a guest no more mail. Raises Refusal."""
        await self._store.write(*self.removed(guest))

    def removed(self, guest: str) -> list[Executable]:
        """Return the changes that remove the address of a guest."""
        return [sa.delete(mail_addresses).where(mail_addresses.c.guest == guest)]

    def erased(self, guest: str) -> list[Executable]:
        """Return the changes that erase all that is kept of a guest here.

        How often an address was asked stays for a month, under a fingerprint: erased guests must not be a way around.
        """
        return [*self.removed(guest), sa.delete(mail_counts).where(mail_counts.c.whose == f"guest {guest}")]

    async def confirmed(self, guest: str) -> Row | None:
        """Return the address of a guest to which notices are sent. Raises Refusal."""
        found = None if self._mailer is None else await self._of(guest)
        return found if found is not None and found.state == "confirmed" else None

    async def send(self, to: Row, tables: Sequence[NoticeTable], zone: str) -> bool | None:
        """Mail a notice of some tables; return whether it was sent, None if that can be tried again. Raises Refusal.

        An address that the mail server refuses gets no more mail.
        """
        assert self._mailer is not None
        mailer = self._mailer
        try:
            message = notice_mail(mailer.sender, to.address, to.language, mailer.public, tables, zone, to.stop)
            await mailer.send(to.address, message, SLOT_SECONDS)
        except NoMailboxError as error:
            log.info("a mail was refused", reason=str(error))
            with contextlib.suppress(Conflict):  # it was changed meanwhile
                await self._store.write(_refused(mail_addresses.c.stop == to.stop, self._today()))
            return False
        except UnsentError as error:
            log.info("a mail could not be sent", reason=str(error))
            return None
        return True

    async def kept(self, guest: str) -> KeptMail | None:
        """Return the address of a guest and what belongs to it. Raises Refusal."""
        found = await self._of(guest)
        return None if found is None else KeptMail(found.address, found.state, found.language, found.since)

    # --- for the reader of mail there ---

    async def confirm(self, code: str) -> None:
        """Send mail to an address from now on. Raises Refusal if its code does not count (any more)."""
        counts = (mail_addresses.c.digest == _digest(code)) & (mail_addresses.c.expires > self._now())
        confirmed = {"state": "confirmed", "since": self._today(), "digest": None, "expires": None}
        try:
            await self._store.write(sa.update(mail_addresses).where(counts).values(confirmed))
        except Conflict:
            raise Refusal("no code", "this link has expired or was used; ask for a new one in “This is me”") from None

    async def stop(self, token: str) -> None:
        """Send no more mail to the address whose mail had this token. An unknown token is no error. Raises Refusal."""
        await self._store.write(sa.delete(mail_addresses).where(mail_addresses.c.stop == token))

    # --- how many mails are sent ---

    async def _write_counted(self, guest: str, address: str, *statements: Executable) -> None:
        """Write something and count a mail with it. Raises Refusal if these are too many; Conflict."""
        for attempt in range(TRIES):
            counted = await self._counted(guest, address)
            try:
                await self._store.write(*statements, *counted)
            except Conflict:  # something else was counted at this moment
                if attempt == TRIES - 1:
                    raise
            else:
                return

    async def _counted(self, guest: str, address: str) -> list[Executable]:
        """Return the changes that count one more mail. Raises Refusal if these are too many."""
        limits, day = self._limits, self._today()
        of_guest, to_address = self._whose(guest, address)
        known = mail_counts.c.whose.in_((of_guest, to_address, ALL)) & (mail_counts.c.day > days_before(day, MONTH))
        rows = await self._store.select(sa.select(mail_counts).where(known))
        sent = {row.whose: row.mails for row in rows if row.day == day}
        in_month = sum(row.mails for row in rows if row.whose == to_address)
        if sent.get(to_address, 0) >= limits.mails_to_address or in_month >= limits.mails_to_address_a_month:
            raise Refusal("busy", "mails were sent to this address already; look there, or try again another day")
        if sent.get(of_guest, 0) >= limits.mails_of_guest or sent.get(ALL, 0) >= limits.mails:
            raise Refusal("busy", "no more mails can be asked for today; try again tomorrow")
        return [_one_more(whose, day, sent.get(whose)) for whose in (of_guest, to_address, ALL)]

    def _uncounted(self, guest: str, address: str) -> list[Executable]:
        """The changes that undo the count of a mail that the mail server was never given."""
        theirs = mail_counts.c.whose.in_((*self._whose(guest, address), ALL)) & (mail_counts.c.day == self._today())
        return [sa.update(mail_counts).where(theirs, mail_counts.c.mails > 0).values(mails=mail_counts.c.mails - 1)]

    def _whose(self, guest: str, address: str) -> tuple[str, str]:
        """Who is counted: a guest, and an address under a fingerprint, the same for all forms of one mailbox."""
        local, _, domain = address.lower().partition("@")
        mailbox = f"{local.partition('+')[0].replace('.', '')}@{domain}"
        mark = hmac.new(self._key, f"bosquet.mail {mailbox}".encode(), hashlib.sha256).hexdigest()
        return f"guest {guest}", f"address {mark}"

    async def _of(self, guest: str) -> Row | None:
        found = await self._store.select(sa.select(mail_addresses).where(mail_addresses.c.guest == guest))
        return found[0] if found else None

    def _today(self) -> str:
        return written(datetime.fromtimestamp(self._now(), UTC))[:10]


def _one_more(whose: str, day: str, sent: int | None) -> Executable:
    """A change of a count; it conflicts if the count has changed meanwhile."""
    if sent is None:
        return sa.insert(mail_counts).values(whose=whose, day=day, mails=1)
    same = (mail_counts.c.whose == whose) & (mail_counts.c.day == day) & (mail_counts.c.mails == sent)
    return sa.update(mail_counts).where(same).values(mails=sent + 1)


def _refused(which: sa.ColumnElement[bool], day: str) -> sa.Update:
    changed = {"state": "refused", "since": day, "digest": None, "expires": None}
    return sa.update(mail_addresses).where(which).values(changed)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
