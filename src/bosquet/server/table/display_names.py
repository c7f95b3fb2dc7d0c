"""What people and bots at a table may be called: names that can be seen, and told from each other.

Two names look alike if they have the same skeleton, as in Unicode Technical Standard 39, but for a small table of
letters: those of Cyrillic and Greek that look like Latin ones.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from bosquet import bots
from bosquet.server.base.refusals import Refusal
from bosquet.server.table.session import Chair

LENGTH = 24
"""A name is at most this long."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without ink: fillers of Hangul, and the empty pattern of Braille."""
CAPITALS = str.maketrans("АВЕЅІЈКМНОРСТУХԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESIJKMHOPCTYXGABEZHIKMNOPTYX")
SMALL = str.maketrans("аесорхуіјѕһԁԛԝӏαικνορυɑɡıi1|0", "aecopxyljshdqwlalkvopuagllllo")
"""Also i, 1 and | to l, and 0 to o, since a capital I looks like an l."""


def tidy(name: str) -> str:
    """Return a name on one line without signs that can't be seen. Raises Refusal if nothing of it is visible."""
    return legible(name, LENGTH, "a name is needed; one letter that can be seen is enough")


def legible(text: str, most: int, otherwise: str = "nothing of this can be seen") -> str:
    """Return a text on one line without signs that can't be seen.

    Raises Refusal if nothing of it is visible, and if it is too long when its letters are composed (NFC), which makes
    several of some signs.
    """
    seen = "".join(sign if sign.isprintable() and sign not in BLANK else " " for sign in text)
    tidied = unicodedata.normalize("NFC", " ".join(seen.split()))
    if all(unicodedata.category(sign)[0] in "MZ" for sign in tidied):
        raise Refusal("name", otherwise)
    if len(tidied) > most:
        raise Refusal("name", f"this comes to {len(tidied)} signs, and {most} is the most; shorten it")
    return tidied


def skeleton(name: str) -> str:
    """Return a text that is the same for names that look alike."""
    letters = unicodedata.normalize("NFKC", name).translate(CAPITALS).casefold().translate(SMALL)
    visible = "".join(sign for sign in letters if not _selects_variant(sign))
    return unicodedata.normalize("NFD", visible).replace("rn", "m").replace("vv", "w")


def name_of_person(name: str, others: Iterable[Chair]) -> str:
    """Return the name under which somebody sits down: with a number if another person has exactly this name.

    Raises Refusal for the name of a bot, and for one that looks like that of another person.
    """
    taken = [chair for chair in others if chair.name]
    alike = [chair for chair in taken if skeleton(str(chair.name)) == skeleton(name)]
    letters = "".join(sign for sign in name if sign.isalnum())
    if {skeleton(name), skeleton(letters)} & set(map(skeleton, bots.NAMES)) or any(
        chair.guest is None for chair in alike
    ):
        raise Refusal("name", f"{name} is the name of a bot, or looks like it; choose another name")
    if any(chair.name != name for chair in alike):
        raise Refusal("name", f"{name} looks like the name of somebody at this table; choose another name")
    if not alike:
        return name
    used = {skeleton(str(chair.name)) for chair in taken}
    numbered = (f"{name[: LENGTH - 2]} {number}" for number in range(2, 10))
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


def _selects_variant(sign: str) -> bool:
    """Return whether a sign has no ink of its own: a selector of variants, or the joiner of graphemes."""
    return sign == "\u034f" or "VARIATION SELECTOR" in unicodedata.name(sign, "")
