"""What tables keep of a guest, and how that is erased.

The moves and scores of a finished game stay, since they belong to the others at the table, too; the guest's name and
the link to the guest are deleted. In a running game a bot plays on. A table that waits for players loses the seat, and
is closed if the guest opened it.
"""

from __future__ import annotations

from bosquet.server.base.clock import now
from bosquet.server.store.store import Conflict, Store
from bosquet.server.table.messages import KeptTable
from bosquet.server.tables.registry import TableRegistry

STAND_IN = "greedy"
"""The bot that plays on."""
ERASED_NAME = "Guest"
TRIES = 5


async def kept(store: Store, guest: str) -> list[KeptTable]:
    """Return the tables that a guest opened or sits at. Raises Refusal."""
    return [
        KeptTable(
            table=row["id"],
            game=row["game"],
            phase=row["phase"],
            host=row["host"] == guest,
            seats=[seat["seat"] for seat in seats if guest in (seat["guest"], seat["left_by"])],
            names=sorted(
                {seat["name"] for seat in seats if guest in (seat["guest"], seat["left_by"]) and seat["name"]}
            ),
            opened=row["opened"],
            ended=row["ended"],
        )
        for row, seats in await store.tables_with(guest)
    ]


async def erase(store: Store, registry: TableRegistry, guest: str) -> None:
    """Erase a guest from all tables. Raises Conflict where a table goes on again and again meanwhile, Refusal."""
    for row, _ in await store.tables_with(guest):
        for attempt in range(TRIES):
            found = await store.read_table(row["id"])
            if found is None:
                break
            table, seats = found
            try:
                await store.erase_guest(
                    row["id"],
                    guest,
                    table["phase"],
                    seated=any(seat["guest"] == guest for seat in seats),
                    left=any(seat["left_by"] == guest for seat in seats),
                    host=table["host"] == guest,
                    bot=STAND_IN,
                    name=ERASED_NAME,
                    due=None if table["turn_days"] is None and table["since"] is None else now(),
                )
                if table["host"] == guest and table["phase"] == "waiting":
                    await registry.offer_again(row["id"], table["previous"])
                break
            except Conflict:  # the table went on meanwhile
                if attempt == TRIES - 1:
                    raise
        await registry.read_again(row["id"])
