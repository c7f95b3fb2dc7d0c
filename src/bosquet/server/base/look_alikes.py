"""Finds names that look alike: those that have the same skeleton.

The skeleton is that of Unicode Technical Standard 39, but with a small table of letters only: the Cyrillic and Greek
ones that look like Latin ones.
"""

from __future__ import annotations

import functools
import unicodedata

from bosquet.server.base.legible import JOINER, NON_JOINER, TAGS

CAPITALS = str.maketrans("АВЕЅІЈКМНОРСТУХԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESIJKMHOPCTYXGABEZHIKMNOPTYX")
SMALL = str.maketrans("аесорхуіјѕһԁԛԝӏαικνορυɑɡıi1|0", "aecopxyljshdqwlalkvopuagllllo")
"""Also i, 1 and | to l, and 0 to o, since a capital I looks like an l."""


@functools.lru_cache(1024)
def skeleton(name: str) -> str:
    """Return a text that is the same for names that look alike."""
    letters = unicodedata.normalize("NFKC", name).translate(CAPITALS).casefold().translate(SMALL)
    visible = "".join(character for character in letters if not _has_no_ink(character))
    return unicodedata.normalize("NFD", visible).replace("rn", "m").replace("vv", "w")


def _has_no_ink(character: str) -> bool:
    """Return whether a character has no ink of its own: a joiner, a tag, or a selector of variants."""
    return (
        character in ("\u034f", NON_JOINER, JOINER)
        or character in TAGS
        or "VARIATION SELECTOR" in unicodedata.name(character, "")
    )
