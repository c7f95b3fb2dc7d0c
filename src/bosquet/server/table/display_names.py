"""The names of people and bots at a table, which can be told from each other (`base/look_alikes.py`).

`base/legible.py` takes invisible characters out of a name before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bosquet import bots
from bosquet.server.base.legible import JOINER, LENGTH, NON_JOINER
from bosquet.server.base.look_alikes import skeleton
from bosquet.server.base.refusals import Refusal
from bosquet.server.table.session import Chair

_BOTS = frozenset(map(skeleton, bots.NAMES))


def name_of_person(name: str, others: Iterable[Chair]) -> str:
    """Return the name under which somebody sits down: with a number if another person has exactly this name.

    Raises Refusal for the name of a bot, and for one that looks like that of another person.
    """
    taken = [chair for chair in others if chair.name]
    alike = [chair for chair in taken if skeleton(str(chair.name)) == skeleton(name)]
    letters = "".join(character for character in name if character.isalnum())
    if {skeleton(name), skeleton(letters)} & _BOTS or any(chair.guest is None for chair in alike):
        raise Refusal("name", f"{name} is the name of a bot, or looks like it; choose another name")
    if any(chair.name != name for chair in alike):
        raise Refusal("name", f"{name} looks like the name of somebody at this table; choose another name")
    if not alike:
        return name
    used = {skeleton(str(chair.name)) for chair in taken}
    short = name[: LENGTH - 2].rstrip(NON_JOINER + JOINER)
    numbered = (f"{short} {number}" for number in range(2, 10))
    return next(one for one in numbered if skeleton(one) not in used)


def check_name_of_bot(name: str, others: Iterable[Chair]) -> None:
    """Check that a bot is not called like a person at the table. Raises Refusal."""
    if any(chair.guest and chair.name and skeleton(chair.name) == skeleton(name) for chair in others):
        raise Refusal("name", f"somebody at this table is called {name}, or it looks so; give the bot another name")


def name_apart(chairs: Sequence[Chair]) -> None:
    """Give the people of a new table names that can be told from each other, and from the bots. Raises Refusal."""
    named = [chair for chair in chairs if chair.guest is None]
    for chair in chairs:
        if chair.guest is not None and chair.name:
            chair.name = name_of_person(chair.name, named)
            named.append(chair)
