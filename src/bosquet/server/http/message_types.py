"""All messages between the page and the server, of every wing."""

from __future__ import annotations

from msgspec import Struct

from bosquet.server.base import messages as base
from bosquet.server.compute import messages as compute
from bosquet.server.guests import messages as guests
from bosquet.server.history import messages as history
from bosquet.server.http import messages as http
from bosquet.server.lobby import messages as lobby
from bosquet.server.notices import messages as notices
from bosquet.server.reviews import messages as reviews
from bosquet.server.table import messages as table
from bosquet.server.table.actions import MESSAGES
from bosquet.server.table.actions.join import Join
from bosquet.server.today import messages as today

MODULES = (base, http, guests, lobby, table, compute, history, today, notices, reviews)


def message_types() -> list[type[Struct]]:
    """Return every message: what is asked of a table, and the others in the order of their modules."""
    found = [
        value
        for module in MODULES
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Struct) and value.__module__ == module.__name__
    ]
    return [Join, *MESSAGES, *found]
