"""Moves a guest to another device: by a code that one of its devices makes, or by a recovery phrase.

Only a hash of a code is kept. A code counts once and for ten minutes, and a guest has one at a time. Only a slow hash
of a phrase is kept. A phrase counts until a new one is made, or the device that made it is signed out. The database
decides which of two claims is first.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections.abc import Iterator

import sqlalchemy as sa

from bosquet.server.base.clock import today
from bosquet.server.base.fair_queue import ASKING, FairQueue
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.devices import Devices, acting, acting_alone, added, erased
from bosquet.server.guests.messages import Arrival, Identity, OpenTransfer, Phrase, TransferCode
from bosquet.server.store.schema import devices, identities, phrases, seats, tables, transfers
from bosquet.server.store.store import Conflict, Store

SECONDS = 600
CODE_BYTES = 16
SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that looks like a digit, and no U."""
MISREAD = str.maketrans("OIL", "011")
PHRASE_SYMBOLS = 26
"""They have 130 bits."""
CHECK_SYMBOLS = 2
"""They tell a misread phrase from a wrong one, without a slow hash."""
GROUP = 4
SALT = b"bosquet.phrase"
"""The same for all, since a phrase is looked up by its hash; phrases are long enough to resist brute force."""


class Transfers:
    """Ways of guests to other devices."""

    def __init__(self, store: Store, devices: Devices) -> None:
        self._store = store
        self._devices = devices
        self._hashing = FairQueue(lambda: 1)

    async def identity(self, guest: str, here: int) -> Identity:
        """Return what is kept of the identity of a guest, as its device `here` sees it. Raises Refusal."""
        names = await self._store.select(sa.select(identities.c.name).where(identities.c.guest == guest))
        made = await self._store.select(sa.select(phrases.c.made).where(phrases.c.guest == guest))
        query = sa.select(transfers.c.expires, transfers.c.claimed).where(transfers.c.guest == guest)
        codes = [
            OpenTransfer(seconds=max(0, row.expires - _now()) if row.claimed is None else 0, claimed=row.claimed)
            for row in await self._store.select(query)
        ]
        return Identity(
            name=names[0].name if names else None,
            devices=await self._devices.listed(guest, here),
            phrase=made[0].made if made else None,
            transfer=codes[0] if codes else None,
        )

    async def rename(self, guest: str, here: int, name: str) -> None:
        """Call a guest something else from the next table on. Raises Refusal."""
        with acting_alone():
            await self._store.write(
                acting(guest, here),
                sa.delete(identities).where(identities.c.guest == guest),
                sa.insert(identities).values(guest=guest, name=name),
            )

    # --- codes ---

    async def make_code(self, guest: str, here: int) -> TransferCode:
        """Return a new code of a guest; the one before counts no longer. Raises Refusal."""
        code = secrets.token_urlsafe(CODE_BYTES)
        row = {"guest": guest, "digest": _digest(code), "device": here, "expires": _now() + SECONDS}
        with acting_alone():
            await self._store.write(
                acting(guest, here),
                sa.delete(transfers).where(transfers.c.guest == guest),
                sa.insert(transfers).values(row),
            )
        return TransferCode(code=code, seconds=SECONDS)

    async def look(self, code: str, asking: str) -> Arrival:
        """Return whose device one becomes by a code. Raises Refusal if it does not count (any more)."""
        guest = await self._guest_of(code)
        query = sa.select(devices.c.browser, devices.c.system).join(
            transfers, (transfers.c.guest == devices.c.guest) & (transfers.c.device == devices.c.number)
        )
        made_by = await self._store.select(query.where(transfers.c.guest == guest))
        names = await self._store.select(sa.select(identities.c.name).where(identities.c.guest == guest))
        browser, system = made_by[0] if made_by else (None, None)
        return Arrival(name=names[0].name if names else None, browser=browser, system=system, same=guest == asking)

    async def claim(self, code: str, asking: str, agent: str, give_up: bool) -> tuple[str, int]:
        """Let the device of the guest `asking` become one of another guest; return that one. Raises Refusal."""
        guest = await self._guest_of(code)
        number = await self._arrive(guest, asking, give_up)
        counts = (transfers.c.digest == _digest(code)) & transfers.c.claimed.is_(None) & (transfers.c.expires > _now())
        with _first():
            await self._store.write(
                sa.update(transfers).where(counts).values(claimed=number), added(guest, number, agent)
            )
        return guest, number

    async def _guest_of(self, code: str) -> str:
        """Return the guest who made a code. Raises Refusal if it does not count."""
        open_one = transfers.c.claimed.is_(None) & (transfers.c.expires > _now())
        query = sa.select(transfers.c.guest).where(transfers.c.digest == _digest(code), open_one)
        found = await self._store.select(query)
        if not found:
            raise Refusal("no code", "this code has expired or was used; make a new one on your other device")
        return str(found[0].guest)

    async def _arrive(self, guest: str, asking: str, give_up: bool) -> int:
        """Return the number of a new device of a guest that so far is one of the guest `asking`. Raises Refusal."""
        if guest == asking:
            raise Refusal("not now", "this device is one of this player already")
        if not give_up and await self._has_tables(asking):
            raise Refusal("other tables", "this device sits at tables as somebody else; it would lose its way to them")
        return await self._devices.fresh(guest)

    async def _has_tables(self, guest: str) -> bool:
        """Return whether a guest sits anywhere, or waits as the host of a table."""
        seated = sa.select(seats.c.table_id).where(seats.c.guest == guest).limit(1)
        hosted = sa.select(tables.c.id).where(tables.c.host == guest, tables.c.phase == "waiting").limit(1)
        return bool(await self._store.select(seated) or await self._store.select(hosted))

    # --- phrases ---

    async def make_phrase(self, guest: str, here: int) -> Phrase:
        """Return a new recovery phrase of a guest; the one before counts no longer. Raises Refusal."""
        phrase = fresh_phrase()
        row = {"guest": guest, "digest": await self._slow_digest(phrase), "device": here, "made": today()}
        with acting_alone():
            await self._store.write(
                acting(guest, here),
                sa.delete(phrases).where(phrases.c.guest == guest),
                sa.insert(phrases).values(row),
            )
        return Phrase(phrase=phrase)

    async def recover(self, entered: str, asking: str, agent: str, give_up: bool) -> tuple[str, int]:
        """Let the device of the guest `asking` become one of the guest with a phrase. Raises Refusal."""
        phrase = read_phrase(entered)
        if phrase is None:
            raise Refusal("malformed", "this is no recovery phrase: a letter or a digit is missing, or misread")
        digest = await self._slow_digest(phrase)
        found = await self._store.select(sa.select(phrases.c.guest).where(phrases.c.digest == digest))
        if not found:
            raise Refusal("no code", "nobody has this recovery phrase, or a new one was made since")
        guest = found[0].guest
        number = await self._arrive(guest, asking, give_up)
        with _first():
            await self._store.write(
                sa.update(phrases).where(phrases.c.digest == digest).values(guest=guest), added(guest, number, agent)
            )
        return guest, number

    async def _slow_digest(self, phrase: str) -> str:
        """Return the hash of a phrase; one at a time is made, outside of the loop. Raises Refusal."""
        async with self._hashing.one(None, ASKING.get()):
            return (await asyncio.to_thread(_scrypt, phrase.replace("-", ""))).hex()

    # --- the end ---

    async def erase(self, guest: str) -> None:
        """Erase the identity of a guest, so that its cookies count no more. Raises Refusal.

        The first two statements wait for a claim at the same moment, so that the device it adds is erased, too.
        """
        first, second, last = (
            sa.delete(table).where(table.c.guest == guest) for table in (transfers, phrases, identities)
        )
        await self._store.write(first, second, *erased(guest), last)


def fresh_phrase() -> str:
    """Return a phrase that nobody can guess, in groups."""
    symbols = "".join(secrets.choice(SYMBOLS) for _ in range(PHRASE_SYMBOLS))
    whole = symbols + _check(symbols)
    return "-".join(whole[i : i + GROUP] for i in range(0, len(whole), GROUP))


def read_phrase(entered: str) -> str | None:
    """Return a phrase as it was made, however it was written down; None if it is none."""
    symbols = "".join(character for character in entered.upper().translate(MISREAD) if character in SYMBOLS)
    strange = any(character.isalnum() and character not in SYMBOLS for character in entered.upper().translate(MISREAD))
    checked = symbols[:PHRASE_SYMBOLS]
    if strange or len(symbols) != PHRASE_SYMBOLS + CHECK_SYMBOLS or symbols[PHRASE_SYMBOLS:] != _check(checked):
        return None
    return symbols


def _check(symbols: str) -> str:
    """Return the check symbols of some symbols, by which a misread one is detected."""
    first, second = hashlib.sha256(symbols.encode()).digest()[:CHECK_SYMBOLS]
    return SYMBOLS[first % len(SYMBOLS)] + SYMBOLS[second % len(SYMBOLS)]


def _scrypt(symbols: str) -> bytes:
    return hashlib.scrypt(symbols.encode(), salt=SALT, n=1 << 14, r=8, p=1, dklen=32)


def _digest(code: str) -> str:
    """Return the hash of a code: a fast one, for a code is as long as a key."""
    return hashlib.sha256(code.encode()).hexdigest()


def _now() -> int:
    return int(time.time())


@contextlib.contextmanager
def _first() -> Iterator[None]:
    """Refuse a claim that another one was quicker than."""
    try:
        yield
    except Conflict:
        raise Refusal("no code", "this code has expired or was used; make a new one on your other device") from None
