"""What the terminal says, in the languages of the page.

The words that the page has, too, are read from its catalogue: `web/src` in a checkout, and a copy of it in an installed
package. The terminal's own are in `words.json` beside this module.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from bosquet.core.errors import OptionError, quoted

LANGUAGES = ("en", "fr", "es", "de")
OWN = "terminal"
"""The area of the terminal's own words."""
INSTALLED = Path(__file__).parents[1] / "words"
CHECKOUT = Path(__file__).parents[3] / "web" / "src"
PLACEHOLDER = re.compile(r"\{(\w+)\}")
CHOICE = re.compile(r"\{\w+,")
"""Matches what only the page can say: a text that depends on a number or a choice."""

Catalogue = Mapping[str, Mapping[str, str]]
"""Texts by key and language."""


def preferred(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the environment asks for, if the page speaks it, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next((environment[name] for name in names if environment.get(name)), "")[:2].lower()
    return wanted if wanted in LANGUAGES else "en"


def chosen(language: str | None) -> str:
    """Return a language that was asked for, by default that of the environment. Raises OptionError."""
    if language is not None and language not in LANGUAGES:
        raise OptionError(f"--language is {quoted(language)}; it must be one of {', '.join(LANGUAGES)}")
    return language or preferred()


@functools.cache
def catalogue(area: str) -> Catalogue:
    """Return the words of an area: `terminal`, a part of the page such as `start`, or a game. Empty if it has none."""
    names = [f"words/{area}.json", f"games/{area}/words.json"]
    paths = [folder / name for folder in (INSTALLED, CHECKOUT) for name in names]
    if area == OWN:
        paths = [Path(__file__).with_name("words.json")]
    found = next((path for path in paths if path.is_file()), None)
    return {} if found is None else msgspec.json.decode(found.read_bytes(), type=dict[str, dict[str, str]])


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key such as `start.bot_level1`.

        Raises KeyError if there is none, if a value is missing, and for a text that depends on numbers.
        """
        area, _, name = key.partition(".")
        text = catalogue(area)[name][self.language]
        if CHOICE.search(text):
            raise KeyError(f"{key} depends on a number or a choice")
        return PLACEHOLDER.sub(lambda found: str(values[found[1]]), text)

    def get(self, key: str, **values: object) -> str | None:
        """Return the text of a key, or None where it can't be said."""
        try:
            return self(key, **values)
        except KeyError:
            return None


ENGLISH = Words("en")
