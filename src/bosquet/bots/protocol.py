"""Messages between bosquet and a bot in a process of its own, one JSON object a line (docs/bot-protocol.md).

`VERSION` increases when a bot written for the version before would no longer work. Fields and messages may be added
without that: a reader ignores unknown fields, and a bot ignores unknown messages.
"""

from __future__ import annotations

from typing import Any

import msgspec

VERSION = 1


class Message(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="type"):
    """A message of either side. Its `type` is the name of its class in lower case."""


# --- to the bot ---


class Hello(Message, tag="hello"):
    """The first message of both sides."""

    protocol: int
    """The version that the sender speaks."""
    bosquet: str = ""
    """The version of bosquet; a bot leaves it out."""
    name: str = ""
    """What the bot calls itself; bosquet leaves it out."""


class Game(Message, tag="game"):
    """A game begins, or the bot joins one. The bot must forget what it knows of the game before."""

    game: str
    options: dict[str, Any]
    """The options of the game, `players` among them."""
    seat: int
    """The seat of the bot."""


class Position(Message, tag="position"):
    """What the bot's seat may know of the state, with its legal moves."""

    view: msgspec.Raw


class Go(Message, tag="go"):
    """A move is wanted in the last position. The answer is a `Bestmove` with the same `id`."""

    id: int
    seconds: float
    """The time to answer; a later answer loses the game."""
    seed: int
    """A number below 2**53, drawn for this decision. A bot that draws from it plays the same in the same match."""


class Quit(Message, tag="quit"):
    """The bot must end."""


# --- from the bot ---


class Info(Message, tag="info"):
    """What the bot thinks, for people who read along. It may come at any time."""

    text: str = ""


class Bestmove(Message, tag="bestmove"):
    """The answer to `Go`."""

    id: int
    move: str
    """The notation of one of the view's moves, its field `say`."""


ToBot = Hello | Game | Position | Go | Quit
FromBot = Hello | Info | Bestmove
