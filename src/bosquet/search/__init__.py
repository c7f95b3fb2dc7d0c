"""The bot `search`: information-set Monte Carlo tree search over determinizations of what its seat can't see.

    from bosquet.search import Search, Settings

    Search(Settings(simulations=2000)).choose(view, rng)

It gets a view only. `tree` is the search, for every game; `model` says what a game tells it.
"""

from __future__ import annotations

from bosquet.search.bot import Evaluation, Search, SearchResult, plan_key
from bosquet.search.model import SearchModel, search_model
from bosquet.search.settings import Settings
from bosquet.search.worker import CandidateResult, Task

__all__ = [
    "CandidateResult",
    "Evaluation",
    "Search",
    "SearchModel",
    "SearchResult",
    "Settings",
    "Task",
    "plan_key",
    "search_model",
]
