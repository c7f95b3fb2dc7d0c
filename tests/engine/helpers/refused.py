"""Texts that are no legal moves, legal only in other positions or never, as questions with what Python says of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from bosquet.core.errors import IllegalMove, Reason
from bosquet.core.game import Game
from tests.engine.helpers.questions import Question

STRANGE = " \t\n\0,@+-_/.0123456789abcdegxKGAWTBRYNSEWé²٣１\u0301\u200b\ud800\U0001f333\"'\\{}"
HOSTILE: tuple[Any, ...] = (
    *(None, True, 3, [], {}, "", " ", "  ", "\0", "\ud800", "x" * 300, "keep " * 90, "keep", "keep ", "keep T1 T1 T1"),
    *("K d2 hit", "G build 9", "G build 3", "card 0", "card 33", "@", "@,N", "B1G2@99,99N", "B1G2@-0,0N", "take c2 "),
)


def refusal(game: Game, move: Any) -> dict[str, Any] | None:
    """Return what an engine has to say of a move, None if it is legal."""
    try:
        game.parse(move)
    except IllegalMove as error:
        found: dict[str, Any] = {"reason": "move", "message": str(error)}
        if isinstance(error.reason, Reason):
            found["why"] = {"key": error.reason.key, "about": error.reason.about}
        return found
    return None


def slip(text: str, rng: random.Random) -> str:
    """Return a text with a slip of the pen."""
    at = rng.randrange(len(text) + 1)
    words = text.split(" ")
    return rng.choice(
        [
            text[:at] + rng.choice(STRANGE) + text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + rng.choice(STRANGE) + text[at + 1 :],
            " ".join(rng.sample(words, len(words))),
            f"{text} {text}",
            text.swapcase(),
        ]
    )


def any_action(game: Game, rng: random.Random) -> str:
    """Return the notation of any action of the game, or of one that can be tried; it is hardly ever legal."""
    module: Any = game.spec.module("attempts")
    moves = [0] * module.MAX_ATTEMPTS
    tried = moves[: module.attempts(game.state, moves)]
    while True:
        action = rng.choice(tried) if rng.random() < 0.5 else rng.randrange(game.spec.rules.ACTIONS)
        try:
            return game.spec.notation.to_notation(game.state, action)
        except IndexError:
            continue  # not every number is an action


def strange_moves(game: Game, rng: random.Random, count: int) -> Iterator[Any]:
    """Yield a number of texts that somebody may give as a move of the seat to move."""
    for _ in range(count):
        said = rng.choice([any_action(game, rng), rng.choice([*game.moves, *game.legal()])])
        yield rng.choice([said, said, slip(said, rng), rng.choice(HOSTILE)])


def refused(game: Game, rng: random.Random, count: int) -> list[Question]:
    """Return questions about illegal moves of the seat to move, up to a number."""
    found = [(move, refusal(game, move)) for move in strange_moves(game, rng, count)]
    return [Question("play", {"move": move}, answer) for move, answer in found if answer is not None]
