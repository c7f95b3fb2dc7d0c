"""What can be asked of a table: a module for each action, or for a few that belong together.

Each has the messages, what they decide, the events that follow, and what is stored of these; `table/action.py` has the
base classes. A new action is a new module that is named in `MODULES`. `decide` adds what follows from any action:
deadlines (`deadline.py`) and clocks (`clock.py`).
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, TypeVar, Union

import msgspec

from bosquet.server.base.refusals import as_unreadable
from bosquet.server.store.entries import JournalEntry
from bosquet.server.table import action
from bosquet.server.table.actions import (
    agree,
    chat,
    clock,
    close,
    deadline,
    deal,
    first,
    give_up,
    hint,
    join,
    look,
    move,
    pace,
    react,
    rematch,
    send_away,
    stand_in,
    undo,
    vacation,
)
from bosquet.server.table.session import Session

Kind = TypeVar("Kind")

MODULES: tuple[ModuleType, ...] = (
    deal,
    first,
    look,
    move,
    undo,
    react,
    pace,
    hint,
    chat,
    rematch,
    join,
    stand_in,
    send_away,
    close,
    give_up,
    agree,
    deadline,
    clock,
    vacation,
)


def _of_kind(kind: type[Kind]) -> tuple[type[Kind], ...]:
    """Return the classes of a kind that the actions define, in the order of the modules."""
    return tuple(
        value
        for module in MODULES
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, kind) and value.__module__ == module.__name__
    )


MESSAGES = tuple(kind for kind in _of_kind(action.Ask) if kind.__struct_config__.tag is not None)
"""Everything that a page may ask; other commands come from the server itself, or over HTTP."""
EVENTS = _of_kind(action.Event)
ENTRIES: dict[str, type[action.JournalEvent]] = {kind.kind: kind for kind in _of_kind(action.JournalEvent)}
"""The events that are entries of the journal, by the kind of the entry."""
Ask: Any = Union[MESSAGES]  # noqa: UP007
ASKS: msgspec.json.Decoder[action.Ask] = msgspec.json.Decoder(Ask)


def decide(session: Session, command: action.Command, context: action.Context) -> list[action.Event]:
    """Return what happens when this is asked; nothing has changed yet. Raises Refusal."""
    happened = command.decide(session, context)
    at = context.at
    return [*happened, *deadline.timed(session, happened, at), *clock.clocked(session, happened, at)]


def replay(session: Session, entry: JournalEntry) -> None:
    """Apply an entry of the journal. Raises Unreadable if it can't have happened here."""
    with as_unreadable():
        if entry.kind not in ENTRIES:
            raise ValueError("an entry of another kind")
        ENTRIES[entry.kind].read(session, entry.text).apply(session)
