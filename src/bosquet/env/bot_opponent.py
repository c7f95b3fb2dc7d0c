"""Bots as opponents in environments."""

from __future__ import annotations

from collections.abc import Sequence

from bosquet.bots import NAMES, Bot, is_search, outside, reads_moves
from bosquet.bots.uniform import Random
from bosquet.core import installed
from bosquet.core.errors import OptionError, quoted
from bosquet.core.rng import Rng
from bosquet.env.game_state import GameState


def check_names(game: str, names: Sequence[str]) -> None:
    """Raise OptionError for a name of no bot, and for a bot that does not play a variant."""
    outside.check(names)
    if game in installed.names():
        return
    for name in names:
        if name not in NAMES and not is_search(name):
            known = ", ".join(NAMES)
            raise OptionError(
                f"{game} is a variant: {quoted(name)} does not play it; {known} and search:SIMULATIONS do"
            )


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
        moves = reads_moves(self.bot, game_state.compiled.spec.name)
        view = game_state.view(game_state.seat, moves=moves)
        return game_state.parse(self.bot.choose(view, self.rng))

    def close(self) -> None:
        """Leave the process of a bot from outside to later games."""
        outside.close(self.bot)
