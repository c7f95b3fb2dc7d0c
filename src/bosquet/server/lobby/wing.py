"""The wing of the lobby, as the application collects it."""

from __future__ import annotations

import functools
from typing import Any

from bosquet.server.base.wing import Wing
from bosquet.server.lobby import invitations
from bosquet.server.lobby.clean_up import LobbyRetention, clean_up
from bosquet.server.lobby.lobby_requests import LobbyRequests
from bosquet.server.lobby.my_people import MyPeople
from bosquet.server.store.store import Store


def lobby_wing(store: Store, lobby: LobbyRequests, my_people: MyPeople, retention: LobbyRetention) -> Wing:
    """Return what the wing hands over."""

    async def kept(guest: str, device: int) -> dict[str, Any]:
        return {"invitations": await invitations.kept(store, guest)}

    return Wing(
        [*lobby.routes(), *my_people.routes()],
        kept,
        functools.partial(invitations.erase, store),
        functools.partial(clean_up, store, retention),
    )
