"""The wing of guests, as the application collects it."""

from __future__ import annotations

import functools
from typing import Any

from bosquet.server.base.wing import Wing
from bosquet.server.guests import here_now, people, vacations
from bosquet.server.guests.clean_up import GuestRetention, clean_up
from bosquet.server.guests.here_now import HereNow
from bosquet.server.guests.me import Me
from bosquet.server.guests.transfers import Transfers
from bosquet.server.store.store import Store


def guest_wing(store: Store, me: Me, transfers: Transfers, here: HereNow, retention: GuestRetention) -> Wing:
    """Return what the wing hands over."""

    async def kept(guest: str, device: int) -> dict[str, Any]:
        identity = await transfers.identity(guest, device)
        return {
            "identity": identity if identity.devices or identity.name or identity.phrase else None,
            "people": await people.kept(store, guest),
            "vacations": await vacations.kept(store, guest),
            "shown": await here_now.is_shown(store, guest),
        }

    async def erase(guest: str) -> None:
        await here_now.erase(store, guest)
        await vacations.erase(store, guest)
        await people.erase(store, guest)
        await transfers.erase(guest)

    return Wing(me.routes(), kept, erase, functools.partial(clean_up, store, retention), (here.telling,))
