"""The wing of the lobby, as the application collects it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import date
from typing import Any

from bosquet.server.base.wing import Wing
from bosquet.server.guests import people
from bosquet.server.guests.clean_up import midnight
from bosquet.server.lobby import invitations
from bosquet.server.lobby.lobby_requests import LobbyRequests
from bosquet.server.lobby.my_people import MyPeople
from bosquet.server.store.store import Store


@dataclass(frozen=True)
class LobbyRetention:
    """How many days invitations are kept."""

    invitations: int = 1


def lobby_wing(store: Store, lobby: LobbyRequests, my_people: MyPeople, retention: LobbyRetention) -> Wing:
    """Return what the wing hands over."""

    async def kept(guest: str, device: int) -> dict[str, Any]:
        return {"invitations": await invitations.kept(store, guest)}

    async def clean_up(today: date) -> None:
        await invitations.delete_before(store, midnight(today, retention.invitations))
        await people.sweep(store)  # after the results of the wings below, from which they follow

    return Wing([*lobby.routes(), *my_people.routes()], kept, functools.partial(invitations.erase, store), clean_up)
