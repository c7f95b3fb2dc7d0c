"""The clean-up of the lobby: invitations that are void, and people whose results are forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from bosquet.server.guests import people
from bosquet.server.guests.clean_up import midnight
from bosquet.server.store.schema import invitations
from bosquet.server.store.store import Store


@dataclass(frozen=True)
class LobbyRetention:
    """How many days invitations are kept."""

    invitations: int = 1


async def clean_up(store: Store, retention: LobbyRetention, today: date) -> None:
    """Delete old invitations and lists of people who are not known any more. Raises Refusal."""
    await store.write(sa.delete(invitations).where(invitations.c.made < midnight(today, retention.invitations)))
    await people.sweep(store)  # after the results of the wings below, from which these lists follow
