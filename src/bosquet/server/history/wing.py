"""The wing of games that were played and of ratings, as the application collects it."""

from __future__ import annotations

from typing import Any

from bosquet.server.base.wing import Wing
from bosquet.server.history import brought_games, games, ratings
from bosquet.server.history.bringing import Bringing
from bosquet.server.history.clean_up import HistoryCleanUp, HistoryRetention
from bosquet.server.history.my_games import MyGames
from bosquet.server.history.my_ratings import MyRatings
from bosquet.server.history.rater import Rater
from bosquet.server.history.record_requests import RecordRequests
from bosquet.server.store.store import Store


def history_wing(
    store: Store,
    my_games: MyGames,
    bringing: Bringing,
    my_ratings: MyRatings,
    record_requests: RecordRequests,
    rater: Rater,
    retention: HistoryRetention,
) -> Wing:
    """Return what the wing hands over."""

    async def kept(guest: str, device: int) -> dict[str, Any]:
        return {"games": await games.all_games(store, guest), "ratings": await ratings.kept(store, guest)}

    async def erase(guest: str) -> None:
        await ratings.erase(store, guest)
        await brought_games.erase(store, guest)

    return Wing(
        [*my_games.routes(), *bringing.routes(), *my_ratings.routes(), *record_requests.routes()],
        kept,
        erase,
        HistoryCleanUp(store, retention),
        (rater.keeping_up,),
    )
