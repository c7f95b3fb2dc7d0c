"""The wing of games that were played and of ratings, as the application collects it."""

from __future__ import annotations

import functools
from typing import Any

from bosquet.server.base.wing import Wing
from bosquet.server.history import games, ratings
from bosquet.server.history.analysis_requests import AnalysisRequests
from bosquet.server.history.clean_up import HistoryCleanUp, HistoryRetention
from bosquet.server.history.my_games import MyGames
from bosquet.server.history.my_ratings import MyRatings
from bosquet.server.history.rater import Rater
from bosquet.server.store.store import Store


def history_wing(
    store: Store,
    my_games: MyGames,
    my_ratings: MyRatings,
    analyses: AnalysisRequests,
    rater: Rater,
    retention: HistoryRetention,
) -> Wing:
    """Return what the wing hands over."""

    async def kept(guest: str, device: int) -> dict[str, Any]:
        return {"games": await games.all_games(store, guest), "ratings": await ratings.kept(store, guest)}

    return Wing(
        [*my_games.routes(), *my_ratings.routes(), *analyses.routes()],
        kept,
        functools.partial(ratings.erase, store),
        HistoryCleanUp(store, retention),
        (rater.keeping_up,),
    )
