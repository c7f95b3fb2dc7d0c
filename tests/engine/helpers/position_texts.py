"""Texts of positions: right ones, some with their fields in another order, and broken ones that Python refuses."""

from __future__ import annotations

from collections.abc import Iterator

import bosquet
from bosquet.core.rng import Rng
from tests.contract.helpers.positions import every_ply, viewers
from tests.helpers.cases import CASES

RIGHT, WRONG = 24, 96
"""Numbers of texts of each game that are positions, and of broken ones."""
LOOSE_ONE_IN = 3
"""Every third position has its fields in another order."""
CHARACTERS = "-.,=:@_/0123456789GKATWBRYEN"


def texts_of(name: str) -> list[str]:
    """Return texts of a game."""
    rng, texts = Rng("position vectors", name), _texts(name)
    chosen = rng.sample(texts, RIGHT)
    given = [_shuffled(text, rng) if i % LOOSE_ONE_IN == 0 else text for i, text in enumerate(chosen)]
    wrong = _broken(texts, rng)
    while len(given) < RIGHT + WRONG:
        if _is_refused(text := next(wrong)):
            given.append(text)
    return given


def _texts(name: str) -> list[str]:
    """Return positions of games with all kinds of options."""
    found = []
    for options in (options for game, options in CASES if game == name):
        for game in every_ply(name, options, 1, 90):
            if len(game.moves) % 7 == 0 or game.seat is None:
                found += [str(game.position(viewer)) for viewer in viewers(game)]
    return sorted(set(found))


def _shuffled(text: str, rng: Rng) -> str:
    """Return a text with its fields in another order."""
    game, *fields = text.split("/")
    rng.shuffle(fields)
    return "/".join([game, *fields])


def _broken(texts: list[str], rng: Rng) -> Iterator[str]:
    """Yield texts in which a field is missing, is there twice, comes from another text, or has other characters."""
    while True:
        fields = rng.choice(texts).split("/")
        at, how = rng.below(len(fields)), rng.below(6)
        name = fields[at].partition("=")[0]
        if how == 0:
            del fields[at]
        elif how == 1:
            fields.insert(at, fields[at])
        elif how == 2:
            fields[at] = rng.choice([word for text in texts for word in text.split("/") if word.startswith(name)])
        else:
            place = rng.below(len(fields[at]) + 1)
            fields[at] = fields[at][:place] + rng.choice(CHARACTERS) + fields[at][place + rng.below(3) :]
        yield "/".join(fields)


def _is_refused(text: str) -> bool:
    """Return whether Python refuses a text."""
    try:
        bosquet.position(text)
    except bosquet.PositionError:
        return True
    return False
