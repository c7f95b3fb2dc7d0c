"""Makes text that people write legible: one line, no invisible characters. `look_alikes.py` compares names."""

from __future__ import annotations

import unicodedata

from bosquet.server.base.refusals import Refusal

LENGTH = 24
"""A name is at most this long."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without ink: fillers of Hangul, and the empty pattern of Braille."""
NON_JOINER, JOINER = "\u200c", "\u200d"
"""Characters without ink that letters and emoji may need between them."""
VIRAMA = 9
"""The combining class of the characters after which either of them chooses how a letter of India is written."""
JOINED = ("MONGOLIAN", "NKO", "ADLAM")
"""Scripts whose letters join each other, beside those that Unicode calls Arabic letters."""
EMOJI_PARTS = "\ufe0e\ufe0f" + "".join(map(chr, range(0x1F3FB, 0x1F400)))
"""What may stand between an emoji and the joiner: selectors of variants, and tones of skin."""
FLAG = "\U0001f3f4"
TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
"""After the flag, they say of which region it is."""


def tidy(name: str) -> str:
    """Return a name on one line without characters that can't be seen. Raises Refusal if nothing of it is visible."""
    return legible(name, LENGTH, "a name is needed; one letter that can be seen is enough")


def legible(text: str, most: int, otherwise: str = "nothing of this can be seen") -> str:
    """Return a text on one line without characters that can't be seen, but for those that letters and emoji need.

    Raises Refusal if nothing of it is visible, and if it is too long when its letters are composed (NFC), which makes
    several of some characters.
    """
    seen = "".join(character if _is_seen(text, at) else " " for at, character in enumerate(text))
    tidied = unicodedata.normalize("NFC", " ".join(seen.split()))
    if all(unicodedata.category(character)[0] in "CMZ" for character in tidied):
        raise Refusal("name", otherwise)
    if len(tidied) > most:
        raise Refusal("name", f"this comes to {len(tidied)} characters, and {most} is the most; shorten it")
    return tidied


def _is_seen(text: str, at: int) -> bool:
    """Return whether a character of a text can be seen, or changes how its neighbours are written."""
    character, before, after = text[at], text[:at], text[at + 1 :]
    if character.isprintable():
        return character not in BLANK
    if character in TAGS:
        return before.rstrip(TAGS).endswith(FLAG)
    if character not in (NON_JOINER, JOINER):
        return False
    if unicodedata.combining(before[-1:] or " ") == VIRAMA:
        return True
    if character == JOINER:
        return _is_emoji(before.rstrip(EMOJI_PARTS)[-1:]) and _is_emoji(after[:1])
    return _joins("".join(one for one in before if not unicodedata.combining(one))[-1:]) and _joins(after[:1])


def _is_emoji(character: str) -> bool:
    """Return whether a character may be a part of an emoji; an empty text is none."""
    return character != "" and unicodedata.category(character) in ("So", "Sm") and character not in BLANK


def _joins(character: str) -> bool:
    """Return whether a character is a letter that joins its neighbours; an empty text is none."""
    if character == "" or not character.isalpha():
        return False
    return unicodedata.bidirectional(character) == "AL" or unicodedata.name(character, "").startswith(JOINED)
