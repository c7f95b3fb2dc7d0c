"""Bots as opponents in environments."""

from __future__ import annotations

from bosquet.bots import Bot, outside
from bosquet.bots.uniform import Random
from bosquet.core.rng import Rng
from bosquet.env.game_state import GameState


class Opponent:
    """A bot for one seat of one game. It gets only views."""

    def __init__(self, name: str, *seed: object) -> None:
        """Make a bot with a seed of any printable parts; the same seed gives the same moves. Raises OptionError."""
        self.bot: Bot = outside.make(name)
        self.rng: Rng = Rng(*seed)

    def choose(self, game_state: GameState) -> int:
        """Return the index of the bot's move for the seat to move. Raises BotError if a bot from outside has none."""
        if isinstance(self.bot, Random):  # needs no view, which is slow to make
            return self.rng.choice(game_state.legal())
        return game_state.parse(self.bot.choose(game_state.view(game_state.seat), self.rng))

    def close(self) -> None:
        """Leave the process of a bot from outside to later games."""
        outside.close(self.bot)
