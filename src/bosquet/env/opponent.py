"""A bot in a seat of a world. It gets views, as everywhere."""

from __future__ import annotations

from bosquet import bots
from bosquet.bots.uniform import Random
from bosquet.core.chance import Chance
from bosquet.env.world import World


class Opponent:
    """A bot for one seat of one game."""

    def __init__(self, name: str, *seed: object) -> None:
        """Make the bot and its chance; the same seed, printable parts, gives the same moves. Raises OptionError."""
        self.bot = bots.make(name)
        self.chance = Chance(*seed)

    def choose(self, world: World) -> int:
        """The index of the move that it makes in the world; it is to move there."""
        if isinstance(self.bot, Random):  # looks at nothing, so nothing need be drawn up for it
            return self.chance.choice(world.legal())
        return world.read(self.bot.choose(world.view(world.seat), self.chance))
