"""Makes text that people write legible (one line, no invisible characters), and finds names that look alike.

Two names look alike if they have the same skeleton, as in Unicode Technical Standard 39, but with a small table of
letters only: the Cyrillic and Greek ones that look like Latin ones.
"""

from __future__ import annotations

import functools
import unicodedata

from bosquet.server.base.refusals import Refusal

LENGTH = 24
"""A name is at most this long."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without ink: fillers of Hangul, and the empty pattern of Braille."""
NON_JOINER, JOINER = "\u200c", "\u200d"
"""Signs without ink that letters and emoji may need between them."""
VIRAMA = 9
"""The combining class of the signs after which either of them chooses how a letter of India is written."""
JOINED = ("MONGOLIAN", "NKO", "ADLAM")
"""Scripts whose letters join each other, beside those that Unicode calls Arabic letters."""
EMOJI_PARTS = "\ufe0e\ufe0f" + "".join(map(chr, range(0x1F3FB, 0x1F400)))
"""What may stand between an emoji and the joiner: selectors of variants, and tones of skin."""
FLAG = "\U0001f3f4"
TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
"""After the flag, they say of which region it is."""
CAPITALS = str.maketrans("АВЕЅІЈКМНОРСТУХԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESIJKMHOPCTYXGABEZHIKMNOPTYX")
SMALL = str.maketrans("аесорхуіјѕһԁԛԝӏαικνορυɑɡıi1|0", "aecopxyljshdqwlalkvopuagllllo")
"""Also i, 1 and | to l, and 0 to o, since a capital I looks like an l."""


def tidy(name: str) -> str:
    """Return a name on one line without signs that can't be seen. Raises Refusal if nothing of it is visible."""
    return legible(name, LENGTH, "a name is needed; one letter that can be seen is enough")


def legible(text: str, most: int, otherwise: str = "nothing of this can be seen") -> str:
    """Return a text on one line without signs that can't be seen, but for those that letters and emoji need.

    Raises Refusal if nothing of it is visible, and if it is too long when its letters are composed (NFC), which makes
    several of some signs.
    """
    seen = "".join(sign if _is_seen(text, at) else " " for at, sign in enumerate(text))
    tidied = unicodedata.normalize("NFC", " ".join(seen.split()))
    if all(unicodedata.category(sign)[0] in "CMZ" for sign in tidied):
        raise Refusal("name", otherwise)
    if len(tidied) > most:
        raise Refusal("name", f"this comes to {len(tidied)} signs, and {most} is the most; shorten it")
    return tidied


def _is_seen(text: str, at: int) -> bool:
    """Return whether a sign of a text can be seen, or changes how its neighbours are written."""
    sign, before, after = text[at], text[:at], text[at + 1 :]
    if sign.isprintable():
        return sign not in BLANK
    if sign in TAGS:
        return before.rstrip(TAGS).endswith(FLAG)
    if sign not in (NON_JOINER, JOINER):
        return False
    if unicodedata.combining(before[-1:] or " ") == VIRAMA:
        return True
    if sign == JOINER:
        return _is_emoji(before.rstrip(EMOJI_PARTS)[-1:]) and _is_emoji(after[:1])
    return _joins("".join(one for one in before if not unicodedata.combining(one))[-1:]) and _joins(after[:1])


def _is_emoji(sign: str) -> bool:
    """Return whether a sign may be a part of an emoji; an empty text is none."""
    return sign != "" and unicodedata.category(sign) in ("So", "Sm") and sign not in BLANK


def _joins(sign: str) -> bool:
    """Return whether a sign is a letter that joins its neighbours; an empty text is none."""
    if sign == "" or not sign.isalpha():
        return False
    return unicodedata.bidirectional(sign) == "AL" or unicodedata.name(sign, "").startswith(JOINED)


@functools.lru_cache(1024)
def skeleton(name: str) -> str:
    """Return a text that is the same for names that look alike."""
    letters = unicodedata.normalize("NFKC", name).translate(CAPITALS).casefold().translate(SMALL)
    visible = "".join(sign for sign in letters if not _has_no_ink(sign))
    return unicodedata.normalize("NFD", visible).replace("rn", "m").replace("vv", "w")


def _has_no_ink(sign: str) -> bool:
    """Return whether a sign has no ink of its own: a joiner, a tag, or a selector of variants."""
    return sign in ("\u034f", NON_JOINER, JOINER) or sign in TAGS or "VARIATION SELECTOR" in unicodedata.name(sign, "")
