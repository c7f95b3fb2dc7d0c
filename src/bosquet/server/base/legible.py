"""Text that people write, made legible: one line, no invisible characters, and which names look alike.

Two names look alike if they have the same skeleton, as in Unicode Technical Standard 39, but for a small table of
letters: those of Cyrillic and Greek that look like Latin ones.
"""

from __future__ import annotations

import unicodedata

from bosquet.server.base.refusals import Refusal

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


def _selects_variant(sign: str) -> bool:
    """Return whether a sign has no ink of its own: a selector of variants, or the joiner of graphemes."""
    return sign == "\u034f" or "VARIATION SELECTOR" in unicodedata.name(sign, "")
