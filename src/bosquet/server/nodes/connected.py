"""Who is connected to a table at one node, as the nodes tell each other."""

from __future__ import annotations

from typing import NamedTuple


class Connected(NamedTuple):
    """Who is connected to a table at one node."""

    guests: frozenset[str]
    """The marks of the people who sit there, and of its host."""
    watchers: int
    """Pages of others."""
    marks: frozenset[str] = frozenset()
    """The marks of some watchers, as their table gives them."""


NOBODY = Connected(frozenset(), 0)
