"""The bot `search`: it plays out what it can't see in many ways, and takes the plan that held up best.

    from bosquet.bots.search import Search, Settings

    Search(Settings(simulations=2000)).choose(view, chance)

It gets a view only. Every simulation begins with a world that agrees with the view (`resample` of the rules).
"""

from __future__ import annotations

from bosquet.bots.search.bot import Appraisal, Option, Search, Settings, Task, Verdict

__all__ = ["Appraisal", "Option", "Search", "Settings", "Task", "Verdict"]
