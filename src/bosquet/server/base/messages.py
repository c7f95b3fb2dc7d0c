"""Messages of several wings, and how bodies become messages."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from bosquet.core.ending import How
from bosquet.core.errors import BosquetError

GameName = Annotated[str, Meta(max_length=32, extra={"typescript": "GameName"})]
"""A name in `core.installed.names()`; the receiver checks that."""
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
Code = Literal[
    "malformed",
    "name",
    "illegal",
    "stale",
    "not yours",
    "not now",
    "no table",
    "not found",
    "unreadable",
    "no seat",
    "host away",
    "busy",
    "too large",
    "wrong origin",
    "unavailable",
    "bots away",
    "revoked",
    "erased",
    "no code",
    "no person",
    "other tables",
    "devices",
    "hidden",
    "barred",
]
"""What kind of refusal it is, for the page to say in the reader's language; the message has the details."""


class Ending(Struct):
    """How a game ended other than by its rules."""

    how: How
    resigned: list[int]
    """The seats that had resigned; they can't win."""


Language = Literal["en", "fr", "es", "de"]
Reaction = Literal["hello", "well played", "thinking", "oops", "thanks"]
Shown = Literal[Reaction, "hint"]
"""What is shown beside a player: a reaction, or that it was given a hint."""


class Problem(Struct):
    """Why a request was refused, and what would be right."""

    code: Code
    message: str


Decoded = TypeVar("Decoded")


def decoded(decoder: msgspec.json.Decoder[Decoded], body: bytes) -> Decoded:
    """Return what the body of a request says. Raises BosquetError."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BosquetError(f"the body is not what is asked for: {error}") from None


ENCODER = msgspec.json.Encoder()


class Why(Struct):
    """Why a move is illegal, for a page that says it in its own language."""

    key: str
    """Which sentence it is, in a word of the game."""
    about: dict[str, str]
    """What the sentence names: cells, pawns, cards."""
