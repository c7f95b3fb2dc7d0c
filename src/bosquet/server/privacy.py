"""What is kept of a guest: shown to whoever has the cookie, and erased if they want that.

Of a finished game its moves and scores stay, for they belong to the others at the table, too; the guest's name and the
link to the guest do not. In a running game a bot plays on. A table that waits for players loses the seat, and is closed
if the guest opened it.
"""

from __future__ import annotations

from bosquet.server.messages import Identity, Kept, KeptTable
from bosquet.server.registry import TableRegistry
from bosquet.server.store import Conflict

STAND_IN = "greedy"
"""The bot that plays on."""
ERASED_NAME = "Guest"
TRIES = 5


async def kept(registry: TableRegistry, guest: str, identity: Identity) -> Kept:
    """Return all that the database has about a guest, whose identity is given."""
    found = await registry.store.tables_with(guest)
    return Kept(
        tables=[
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
            for row, seats in found
        ],
        identity=identity if identity.devices or identity.name or identity.phrase else None,
    )


async def erase(registry: TableRegistry, guest: str) -> None:
    """Erase a guest from all tables. Raises Refusal."""
    for row, _ in await registry.store.tables_with(guest):
        for attempt in range(TRIES):
            found = await registry.store.read_table(row["id"])
            if found is None:
                break
            now, seats = found
            try:
                await registry.store.erase_guest(
                    row["id"],
                    guest,
                    now["phase"],
                    seated=any(seat["guest"] == guest for seat in seats),
                    left=any(seat["left_by"] == guest for seat in seats),
                    host=now["host"] == guest,
                    bot=STAND_IN,
                    name=ERASED_NAME,
                )
                break
            except Conflict:  # the table went on meanwhile
                if attempt == TRIES - 1:
                    raise
        await registry.read_again(row["id"])
