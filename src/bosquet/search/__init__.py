"""The bot `search`: information-set Monte Carlo tree search over determinizations of what its seat can't see.

    from bosquet.search import Search, Settings

    Search(Settings(simulations=2000)).choose(view, rng)

It gets a view only. `tree` is the search, for every game; `model` says what a game tells it.
"""

from __future__ import annotations

import warnings
from typing import Any

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

_DEPRECATED = {"Appraisal": Evaluation, "Option": CandidateResult, "Verdict": SearchResult}
"""Former names, until 0.2."""


def __getattr__(name: str) -> Any:
    if name not in _DEPRECATED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    new = _DEPRECATED[name]
    warnings.warn(f"`bosquet.search.{name}` is now `{new.__name__}`", DeprecationWarning, stacklevel=2)
    return new
