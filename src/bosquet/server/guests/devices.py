"""The devices of a guest: which of them may act for it.

A cookie names its device, and the database says whether that device was signed out. A guest who never looked after its
devices has one, and nothing is kept of it until the guest is erased. A change that a device makes to the identity is
written together with `acting`. So if the device is signed out at the same moment, the database decides which was first.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Executable

from bosquet.server.base.clock import days_before, today
from bosquet.server.base.refusals import Refusal
from bosquet.server.guests.cookie import FIRST_DEVICE
from bosquet.server.guests.limits import GuestLimits
from bosquet.server.guests.messages import Device
from bosquet.server.store.schema import devices, mail_addresses, phrases, subscriptions, transfers
from bosquet.server.store.store import AT_ONCE, Conflict, Store

MARKS = 8192
"""Guests whose mark is kept in memory, which is asked for at each request."""
NUMBERS = 10**12
"""Devices have numbers below this one: they tell the devices of one guest apart, and are no secret."""
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Vivaldi": "Vivaldi",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chromium": "Chromium",
    "HeadlessChrome": "Chromium",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
"""Browsers by the product that they name. A browser that names others, too, comes before these."""
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "Linux": "Linux",
    "X11": "Unix",
}
SIGNED_OUT = "this device was signed out by another one of the same player; you are somebody new here"
ERASED = "what was kept of this player was erased; you are somebody new here"


class Devices:
    """The devices of all guests."""

    def __init__(self, store: Store, limits: GuestLimits) -> None:
        self._store = store
        self._limits = limits

    async def check(self, guest: str, number: int) -> None:
        """Check that a device was not signed out, nor its guest erased, and note the day. Raises Refusal."""
        mark = erased_mark(guest)
        found = await self._store.look_up(_STANDING, {"guest": guest, "erased": mark, "number": number})
        if any(row.guest == mark for row in found):
            raise Refusal("erased", ERASED)
        if any(row.revoked is not None for row in found) if found else number != FIRST_DEVICE:
            raise Refusal("revoked", SIGNED_OUT)
        if found and found[0].last_day != today():
            with contextlib.suppress(Conflict):  # it is signed out at this moment: the next request is refused
                await self._store.write(acting(guest, number))

    async def is_noted(self, guest: str, number: int) -> bool:
        """Return whether anything is kept of a device. Raises Refusal."""
        return bool(await self._store.select(sa.select(devices.c.number).where(_one(guest, number))))

    async def note(self, guest: str, number: int, agent: str) -> None:
        """Store the first device of a guest, if none is stored yet. Raises Refusal."""
        if not await self.is_noted(guest, number):
            with contextlib.suppress(Conflict):  # it does so twice at once
                await self._store.write(added(guest, number, agent))

    async def fresh(self, guest: str) -> int:
        """Return the number of a new device of a guest. Raises Refusal if the guest has too many."""
        kept = await self.rows(guest)
        year = days_before(today(), 365)
        present = sum(row["revoked"] is None for row in kept)
        recent = present + sum(row["revoked"] is not None and row["revoked"] >= year for row in kept)
        if recent >= self._limits.devices_a_year:
            raise Refusal("devices", f"one player has at most {self._limits.devices_a_year} devices a year")
        if present >= self._limits.devices:
            raise Refusal("devices", f"at most {self._limits.devices} devices are one player; sign one out first")
        return 1 + secrets.randbelow(NUMBERS - 1)

    async def rows(self, guest: str) -> list[dict[str, Any]]:
        """Return what is kept of the devices of a guest, the oldest first. Raises Refusal."""
        query = sa.select(devices).where(devices.c.guest == guest).order_by(devices.c.first_day, devices.c.number)
        return [dict(row._mapping) for row in await self._store.select(query)]

    async def listed(self, guest: str, here: int) -> list[Device]:
        """Return the devices of a guest as the one that is `here` sees them. Raises Refusal."""
        rows = await self.rows(guest)
        return [
            Device(here=row["number"] == here, **{key: value for key, value in row.items() if key != "guest"})
            for row in rows
        ]

    async def revoke(self, guest: str, here: int, number: int) -> None:
        """Sign a device out: with it go each open code, and a phrase and an address of its own. Raises Refusal."""
        if number == here:
            raise Refusal("not now", "a device can't sign itself out; do it on another one")
        with acting_alone():
            await self._store.write(
                acting(guest, here),
                sa.update(devices).where(_one(guest, number), devices.c.revoked.is_(None)).values(revoked=today()),
                sa.delete(transfers).where(transfers.c.guest == guest),
                sa.delete(phrases).where(phrases.c.guest == guest, phrases.c.device == number),
                *_no_notices(guest, number),
            )

    async def leave(self, guest: str, number: int) -> None:
        """Sign out a device that becomes one of another guest, if anything is kept of it. Raises Refusal."""
        with contextlib.suppress(Conflict):
            standing = _one(guest, number) & devices.c.revoked.is_(None)
            await self._store.write(
                sa.update(devices).where(standing).values(revoked=today()), *_no_notices(guest, number)
            )

    async def revoked(self, those: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
        """Return which of some devices were signed out, or are of guests who were erased. Raises Refusal."""
        asked = sorted(set(those))
        standing: dict[tuple[str, int], bool] = {}
        guests = sorted({one for guest, _ in asked for one in (guest, erased_mark(guest))})
        for some in (guests[i : i + AT_ONCE] for i in range(0, len(guests), AT_ONCE)):
            query = sa.select(devices.c.guest, devices.c.number, devices.c.revoked).where(devices.c.guest.in_(some))
            standing |= {(row.guest, row.number): row.revoked is None for row in await self._store.select(query)}
        return {
            (guest, number)
            for guest, number in asked
            if not standing.get((guest, number), number == FIRST_DEVICE)
            or (erased_mark(guest), FIRST_DEVICE) in standing
        }


def acting(guest: str, number: int) -> sa.Update:
    """Return a change that notes the day of a device, and finds no row if the device was signed out."""
    standing = _one(guest, number) & devices.c.revoked.is_(None)
    return sa.update(devices).where(standing).values(last_day=today())


def added(guest: str, number: int, agent: str) -> sa.Insert:
    """Return a change that adds a device, named as its `User-Agent` says."""
    browser, system = named(agent)
    day = today()
    return sa.insert(devices).values(
        guest=guest, number=number, browser=browser, system=system, first_day=day, last_day=day
    )


def erased(guest: str) -> list[Executable]:
    """Return changes that delete the devices of a guest, and invalidate all cookies of the guest.

    For the latter a hash of the guest is kept in its place. It is deleted at the age at which signed-out devices are.
    """
    mark, day = erased_mark(guest), today()
    return [
        sa.delete(devices).where(devices.c.guest.in_((guest, mark))),
        sa.insert(devices).values(guest=mark, number=FIRST_DEVICE, first_day=day, last_day=day, revoked=day),
    ]


@functools.lru_cache(MARKS)
def erased_mark(guest: str) -> str:
    """Return what stands for a guest who was erased. Guests are long random texts, so nobody finds them by it."""
    return hashlib.sha256(guest.encode()).hexdigest()


@contextlib.contextmanager
def acting_alone() -> Iterator[None]:
    """Refuse a change if its device was signed out first, or if another device made a change at the same moment."""
    try:
        yield
    except Conflict:
        raise Refusal("stale", "something changed meanwhile; look again") from None


def named(agent: str) -> tuple[str | None, str | None]:
    """Return the browser and the system of a `User-Agent`, both of a closed list: nothing else of it is kept."""
    products = set(re.findall(r"([A-Za-z]+)/", agent))
    browser = next((name for product, name in BROWSERS.items() if product in products), None)
    system = next((name for word, name in SYSTEMS.items() if word in agent), None)
    return browser, system


def _no_notices(guest: str, number: int) -> list[sa.Delete]:
    """The changes after which a device gets no notices, nor an address that it has given."""
    ways = (subscriptions, mail_addresses)
    return [sa.delete(table).where(table.c.guest == guest, table.c.device == number) for table in ways]


def _one(guest: str, number: int) -> sa.ColumnElement[bool]:
    return (devices.c.guest == guest) & (devices.c.number == number)


_STANDING = sa.select(devices.c.guest, devices.c.revoked, devices.c.last_day).where(
    ((devices.c.guest == sa.bindparam("guest")) & (devices.c.number == sa.bindparam("number")))
    | ((devices.c.guest == sa.bindparam("erased")) & (devices.c.number == FIRST_DEVICE))
)
"""Asked at each request: to make a query takes longer than to carry it out."""
