"""What bots are called: a level has a name in each language and a number, as on the page."""

from __future__ import annotations

from collections.abc import Sequence

from bosquet import bots
from bosquet.bots import champion, outside
from bosquet.core.errors import OptionError, did_you_mean, quoted
from bosquet.terminal.words import LANGUAGES, Words

RANKED = (*bots.LEVELS, champion.NAME)
"""The bots that the page offers, from the weakest to the strongest."""


def bot_named(text: str) -> str:
    """Return the bot that the page calls so, in any language, or by its number; else the text itself."""
    if text.isascii() and text.isdigit() and 1 <= int(text[:3]) <= len(RANKED):
        return RANKED[int(text) - 1]
    for language in LANGUAGES:
        for bot in RANKED:
            if text.casefold() == shown_bot(bot, Words(language)).casefold():
                return bot
    return text


def bot_asked(text: str) -> str:
    """Return the bot that is asked for by any of its names. Whether there is such a bot is not looked at.

    Raises OptionError for what is nearly a name of the page.
    """
    name = bot_named(text)
    if not (bots.is_ours(name) or outside.is_outside(name) or did_you_mean(name, bots.NAMES)):
        shown = sorted({shown_bot(bot, Words(language)) for language in LANGUAGES for bot in RANKED})
        if meant := did_you_mean(name, shown):
            raise OptionError(f"there is no bot {quoted(name)}{meant}")
    return name


def bots_asked(text: str) -> list[str]:
    """Return the bots of a list with commas between, as in `bot_asked`."""
    return list(map(bot_asked, outside.split_names(text)))


def shown_bot(bot: str, words: Words) -> str:
    """Return what the page calls a bot; the text itself for any other."""
    return words(f"start.bot_{bot}") if bot in RANKED else bot


def strength(bot: str, words: Words) -> str:
    """Return the place of a bot among those of the page, like `2 of 7, easy-going`."""
    word = words(f"start.strength_{bot}")
    return words("start.strength", n=RANKED.index(bot) + 1, of=len(RANKED), word=word)


def shown_names(seats: Sequence[str], words: Words) -> list[str]:
    """Return the names of seats as they are shown: the second bot of a level has a 2 behind its name, and so on."""
    names = []
    for seat, name in enumerate(seats):
        twins = list(seats[:seat]).count(name)
        names.append(f"{shown_bot(name, words)} {twins + 1}" if name in RANKED and twins else shown_bot(name, words))
    return names
