"""Who sits where at a terminal. The first seat begins; the others follow in the order in which they were named."""

from __future__ import annotations

from collections.abc import Sequence

from bosquet import bots
from bosquet.bots import outside
from bosquet.core.errors import OptionError, did_you_mean, quoted
from bosquet.core.game import Game
from bosquet.core.rng import Rng
from bosquet.terminal.bot_names import bot_named, bots_asked, page_names, shown_names
from bosquet.terminal.sheet import YOU
from bosquet.terminal.words import ENGLISH, Words

LOT, ME, OPEN = "lot", "me", "open"
"""Values of `--first` beside names: by lot, the person here, and whom the people here say."""
NEAR = 0.85
"""How alike the names of a person and a bot may be: `ivyy` is too near to `Ivy`, `Pierre` not to `Lierre`."""


def seat_names(
    players: int, seats: str | None = None, bots_given: str | None = None, before: Sequence[str] = ()
) -> list[str]:
    """Return who sits on each seat: those in `seats`, else you and bots, else people here.

    You sit where the first person sat `before`, or first. Raises OptionError.
    """
    if seats is not None:
        names = [bot_named(name) for name in outside.split_names(seats)]
        if len(names) != players or not all(names):
            raise OptionError(f"--seats is {quoted(seats)}; it must name {players} seats, like Ann,greedy")
        outside.check([name for name in names if names_bot(name)])
        for name in names:
            known = [*bots.NAMES, *page_names()]
            if not names_bot(name) and (meant := did_you_mean(name, known, NEAR)):
                raise OptionError(f"--seats has {quoted(name)}, which is no bot{meant} A person needs another name")
        return names
    if bots_given is not None:
        named = bots_asked(bots_given)
        if not 0 < len(named) < players:
            raise OptionError(f"--bots names {len(named)} bots; seats besides yours: {players - 1}")
        outside.check(named)
        seated = [named[i % len(named)] for i in range(players - 1)]
        yours = next((seat for seat, name in enumerate(before) if not names_bot(name)), 0)
        return [*seated[:yours], YOU, *seated[yours:]]
    return [YOU] if players == 1 else [f"Player {seat + 1}" for seat in range(players)]


def first_seat(names: Sequence[str], first: str, rng: Rng, words: Words = ENGLISH) -> int:
    """Return the place among the names of the one who begins: `lot`, `me`, or a name, also as it is shown in `words`.

    Raises OptionError for a name that is not there.
    """
    if first == LOT:
        return rng.below(len(names))
    wanted = bot_named(first).casefold()
    people = [seat for seat, name in enumerate(names) if not names_bot(name)]
    if first == ME and people:
        return people[0]
    shown = shown_names(names, words)
    for seat, called in enumerate(zip(names, shown, strict=True)):
        if wanted in map(str.casefold, called):
            return seat
    known = ", ".join([LOT, *([ME] if people else []), OPEN, *shown])
    raise OptionError(f"--first is {quoted(first)}; it must be one of {known}")


def names_bot(name: str) -> bool:
    """Return whether a name that somebody gave at this terminal is that of a bot."""
    return bots.is_ours(name) or outside.is_outside(name)


def seats_of(game: Game) -> list[str]:
    """Return who sits on each seat by a record, or default names if it does not have one for each seat."""
    given = game.extra.get("players")
    if isinstance(given, list) and len(given) == game.players and all(isinstance(name, str) for name in given):
        return ["".join(c for c in name if c.isprintable())[:24] or f"Player {i + 1}" for i, name in enumerate(given)]
    return seat_names(game.players)


def names_of(game: Game, words: Words = ENGLISH) -> list[str]:
    """Return the names in a record as they are shown."""
    return shown_names(seats_of(game), words)
