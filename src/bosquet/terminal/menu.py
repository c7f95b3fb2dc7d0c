"""What is asked where the command line leaves it open: which game, with whom, and who begins."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

import bosquet
from bosquet.core import installed
from bosquet.core.errors import OptionError
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.terminal.bot_names import RANKED, shown_bot, shown_names, strength
from bosquet.terminal.kept import kept_games
from bosquet.terminal.seating import LOT, OPEN, first_seat, names_of, seat_names, seats_of
from bosquet.terminal.table import Table
from bosquet.terminal.words import Words

YES = ("y", "o", "s", "j")
"""What yes begins with, in each language."""
GAMES_KEPT = 3
"""How many of the games that were kept are offered."""
USUAL_BOT = 2
"""The number of the bot that is offered first, as on the page."""


class Menu:
    """Questions at a terminal."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.console: Console = Console(highlight=False)

    def table(self) -> Table:
        """Ask what to play and against whom; return the table."""
        self.console.print(Text(self.words("terminal.what"), style="bold"))
        offered = [installed.spec(name) for name in installed.names()]
        for number, spec in enumerate(offered, 1):
            seats = sorted(spec.options["players"])
            self.console.print(Text(f"  {number}  {spec.title}, {seats[0]}–{seats[-1]}"))
        kept = list(kept_games().items())[:GAMES_KEPT]
        for number, (_, game) in enumerate(kept, len(offered) + 1):
            names = ", ".join(names_of(game, self.words))
            text = self.words("terminal.go_on_kept", game=game.spec.title, names=names)
            self.console.print(Text(f"  {number}  {text}"))
        chosen = self.number("", len(offered) + len(kept), 1) - 1
        if chosen >= len(offered):
            path, game = kept[chosen - len(offered)]
            return Table(game, seats_of(game), kept=path, words=self.words)
        spec = offered[chosen]
        seats = sorted(spec.options["players"])
        usual = spec.options["players"][0]
        options: dict[str, Any] = {"players": self.number(self.words("terminal.how_many"), seats[-1], usual, seats[0])}
        for option in spec.options:
            if option != "players":
                options[option] = self.option(spec, options, option)
        game = bosquet.new(spec.name, **options)
        named = seat_names(game.players, bots_given=self.bots(game.players))
        return Table(game, self.order(game.name, named, OPEN, Rng()), words=self.words)

    def bots(self, players: int) -> str | None:
        """Ask for the bot that sits on every other seat; return its name, or None."""
        if players == 1:
            return None
        self.console.print(Text(self.words("terminal.against"), style="bold"))
        self.console.print(Text(f"  0  {self.words('terminal.nobody')}"))
        for number, bot in enumerate(RANKED, 1):
            self.console.print(Text(f"  {number}  {shown_bot(bot, self.words)}, {strength(bot, self.words)}"))
        chosen = self.number("", len(RANKED), USUAL_BOT, 0)
        return RANKED[chosen - 1] if chosen else None

    def order(self, game: str, seats: Sequence[str], first: str, rng: Rng) -> list[str]:
        """Return who sits on each seat, from the one who begins on, and say who that is. Raises OptionError.

        `first` is as in `first_seat`, or `open`, which asks and says what the printed rules do. A lot steps `rng`.
        """
        if len(seats) == 1:
            first_seat(seats, LOT if first == OPEN else first, rng, self.words)
            return list(seats)
        names = shown_names(seats, self.words)
        begins = None
        if first == OPEN:
            if printed := self.words.get(f"{game}.first"):
                self.console.print(Text(printed))
            self.console.print(Text(self.words("waiting.first_ask"), style="bold"))
            for number, name in enumerate([self.words("setting.first_lot"), *names]):
                self.console.print(Text(f"  {number}  {name}"))
            begins = self.number("", len(names), 0, 0) - 1
            first = LOT if begins < 0 else first
        if first != OPEN:
            begins = first_seat(seats, first, rng, self.words)
        assert begins is not None
        how = f" ({self.words('setting.first_lot')})" if first == LOT else ""
        self.console.print(Text(f"{self.words('setting.first')}: {names[begins]}{how}"))
        return [*seats[begins:], *seats[:begins]]

    def option(self, spec: GameSpec, chosen: Mapping[str, Any], option: str) -> Any:
        """Ask for the value of an option until one is given that goes with the options chosen so far."""
        values = spec.options[option]
        name = self.words.get(f"{spec.name}.option_{option}") or option.capitalize()
        allowed = {}
        for value in values:
            with contextlib.suppress(OptionError):
                check_options(spec, {**chosen, option: value})
                allowed[str(value)] = value
        if len(allowed) == 1:
            return next(iter(allowed.values()))
        if isinstance(values[0], bool):
            return self.yes(name)
        told = [self.words.get(f"{spec.name}.option_{option}_{value}") for value in allowed]
        shown = ", ".join(f"{value} ({text})" if text else value for value, text in zip(allowed, told, strict=True))
        while True:
            answer = self.console.input(Text(f"{name}: {shown} [{values[0]}]: ")).strip()
            if not answer or answer in allowed:
                return allowed.get(answer, values[0])

    def number(self, what: str, most: int, default: int, least: int = 1) -> int:
        """Ask for a number until a valid one is given."""
        while True:
            answer = self.console.input(Text(f"{what} ({least}–{most}) [{default}]: ".lstrip())).strip()
            if not answer:
                return default
            if answer.isascii() and answer.isdigit() and least <= int(answer[:4]) <= most:
                return int(answer)
            self.console.print(Text(self.words("terminal.number", least=least, most=most)))

    def yes(self, what: str) -> bool:
        """Ask a yes-or-no question until the answer is valid."""
        while True:
            answer = self.console.input(Text(f"{what}? (y/N): ")).strip().lower()
            if answer[:1] in YES or answer in ("", "n", "no", "non", "nein"):
                return answer[:1] in YES
            self.console.print("yes or no, please")
