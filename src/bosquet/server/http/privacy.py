"""What is kept of a guest: shown to whoever has the cookie, and erased if they want that.

Of a finished game its moves and scores stay, for they belong to the others at the table, too; the guest's name, the
link to the guest and the guest's history do not. In a running game a bot plays on. A table that waits for players loses
the seat, and is closed if the guest opened it.
"""

from __future__ import annotations

from bosquet.server.base.clock import now
from bosquet.server.guests import here_now, people
from bosquet.server.guests.messages import Identity
from bosquet.server.history import games as history
from bosquet.server.history import ratings
from bosquet.server.http.messages import Kept
from bosquet.server.lobby import invitations
from bosquet.server.notices.messages import KeptNotices
from bosquet.server.store.store import Conflict
from bosquet.server.table import chat, results
from bosquet.server.table.messages import KeptTable
from bosquet.server.table.registry import TableRegistry
from bosquet.server.today import daily_results, puzzles

STAND_IN = "greedy"
"""The bot that plays on."""
ERASED_NAME = "Guest"
TRIES = 5


async def kept(registry: TableRegistry, guest: str, identity: Identity, notices: KeptNotices | None) -> Kept:
    """Return all that the database has about a guest, whose identity and notices are given."""
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
        games=await history.all_games(registry.store, guest),
        identity=identity if identity.devices or identity.name or identity.phrase else None,
        notices=notices,
        ratings=await ratings.kept(registry.store, guest),
        daily=await daily_results.kept(registry.store, guest),
        puzzles=await puzzles.kept(registry.store, guest),
        people=await people.kept(registry.store, guest),
        invitations=await invitations.kept(registry.store, guest),
        shown=await here_now.is_shown(registry.store, guest),
        chat=await chat.kept(registry.store, guest),
    )


async def erase(registry: TableRegistry, guest: str) -> None:
    """Erase a guest from all tables. Raises Refusal."""
    for row, _ in await registry.store.tables_with(guest):
        for attempt in range(TRIES):
            found = await registry.store.read_table(row["id"])
            if found is None:
                break
            table, seats = found
            try:
                await registry.store.erase_guest(
                    row["id"],
                    guest,
                    table["phase"],
                    seated=any(seat["guest"] == guest for seat in seats),
                    left=any(seat["left_by"] == guest for seat in seats),
                    host=table["host"] == guest,
                    bot=STAND_IN,
                    name=ERASED_NAME,
                    due=None if table["turn_days"] is None else now(),
                )
                break
            except Conflict:  # the table went on meanwhile
                if attempt == TRIES - 1:
                    raise
        await registry.read_again(row["id"])
    await ratings.erase(registry.store, guest)
    await daily_results.erase(registry.store, guest)
    await puzzles.erase(registry.store, guest)
    await results.erase(registry.store, guest)  # after the tables: a game may have ended meanwhile
    await here_now.erase(registry.store, guest)
    await chat.erase(registry.store, guest)
    await invitations.erase(registry.store, guest)
    await people.erase(registry.store, guest)  # after the results: nobody is listed anew by then
