"""A table at the terminal: people at one screen and bots, asked for their moves in turn."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import platformdirs
from rich.console import Console
from rich.text import Text

import bosquet
from bosquet import bots
from bosquet.core.chance import Chance
from bosquet.core.errors import BosquetError, IllegalMove, OptionError, quoted
from bosquet.core.game import Game
from bosquet.core.record import write_file
from bosquet.games import NAMES, rules
from bosquet.terminal import draw, draw_moves, draw_sheet
from bosquet.terminal.text import RULES_IN_SHORT

COMMANDS = {
    "?": "the rules in short",
    "moves": "every legal move",
    "look": "draw the table again",
    "undo": "take back, until something hidden was seen",
    "score": "where the points come from so far",
    "save FILE": "write the record to a file",
    "quit": "leave the table; the game is kept",
}
FEW_MOVES = 12


class Leave(Exception):  # noqa: N818  (not an error)
    """Somebody leaves the table."""


class Table:
    """One game at one screen."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        *,
        console: Console | None = None,
        ask: Callable[[str], str] | None = None,
    ) -> None:
        """Seat people and bots by their names. `ask` reads a line; it raises EOFError when there are no more."""
        self.game = game
        self.names = list(seats)
        self.console = console or Console(highlight=False)
        self.ask = ask or (lambda prompt: self.console.input(Text(prompt, style="bold")))
        self.bots = {seat: (bots.make(name), Chance()) for seat, name in enumerate(seats) if name in bots.NAMES}
        self.people = [seat for seat in range(game.players) if seat not in self.bots]
        self.at_screen: int | None = self.people[0] if len(self.people) == 1 else None
        self.told = [len(game.moves)] * game.players
        self.saved = False
        game.extra["players"] = list(self.names)

    def run(self) -> bool:
        """Play until the game is over (True) or somebody leaves (False); a game left is kept in a file."""
        try:
            while not self.game.over:
                self.step()
            self.end()
            return True
        except (Leave, EOFError, KeyboardInterrupt):
            self.leave()
            return False

    def step(self) -> None:
        """Have one decision made."""
        game = self.game
        if game.chance_due:
            game.roll()
        elif game.seat in self.bots:
            bot, chance = self.bots[game.seat]
            game.play(bot.choose(game.view(game.seat), chance))
        elif game.seat is not None:
            self.turn(game.seat)

    def turn(self, seat: int) -> None:
        """Let a person make one decision."""
        if seat != self.at_screen:
            self.curtain(seat)
        self.tell(seat)
        self.look(seat)
        while True:
            answer = " ".join(self.ask(f"{self.names[seat]}, your move: ").split())
            try:
                if self.obey(answer, seat):
                    return
            except BosquetError as error:
                self.console.print(Text(str(error)), soft_wrap=False)

    def obey(self, answer: str, seat: int) -> bool:
        """Do what was asked for. Whether the position is another one now."""
        game = self.game
        word, _, rest = answer.partition(" ")
        match word.lower():
            case "":
                return False
            case "?" | "help":
                self.console.print(Text(RULES_IN_SHORT[game.name]))
                self.console.print(Text(self.help()))
            case "moves":
                self.console.print(draw_moves(game.view(seat), limit=1000))
            case "look":
                self.look(seat)
            case "score":
                self.open_score(seat)
            case "undo":
                game.undo()
                self.told[seat] = min(self.told[seat], len(game.moves))
                return True
            case "save":
                self.save(Path(rest) if rest else None)
            case "quit" | "exit":
                raise Leave
            case _:
                game.play(self.move(answer, seat))
                return True
        return False

    def move(self, answer: str, seat: int) -> str:
        """The notation that was meant: a number of the list, or notation as it is."""
        if answer.isascii() and answer.isdigit() and len(answer) < 6:
            moves: list[Any] = self.game.view(seat).moves  # type: ignore[attr-defined]
            if not 1 <= int(answer) <= len(moves):
                raise IllegalMove(f"there is no move {answer}; the list has 1 to {len(moves)}")
            number: str = moves[int(answer) - 1].say
            return number
        return answer

    def help(self) -> str:
        """What can be typed."""
        lines = ["", "Type a move, its number, or:"]
        return "\n".join(lines + [f"  {name:<10} {meaning}" for name, meaning in COMMANDS.items()])

    def look(self, seat: int | None) -> None:
        """Draw the table as a seat may see it."""
        view: Any = self.game.view(seat)
        self.console.print(draw(view, self.names))
        if view.moves:
            self.console.print(draw_moves(view, limit=FEW_MOVES))
            self.console.print(Text("? for the rules, and what else can be typed", style="dim"))

    def open_score(self, seat: int) -> None:
        """The score sheet of what lies open."""
        if self.game.view(seat).scores is None:
            raise BosquetError("hands are hidden, so the score sheet waits for the end; moves shows what lines see now")
        self.console.print(draw_sheet(self.game.score_sheet(), self.names))

    def tell(self, seat: int) -> None:
        """Say what the others did since this person last looked."""
        moves = self.game.told(seat)
        news = [(by, move) for by, move in moves[self.told[seat] :] if by != seat]
        self.told[seat] = len(moves)
        for by in dict.fromkeys(by for by, _ in news):
            made = ", ".join(move for other, move in news if other == by)
            self.console.print(Text(f"{self.names[by]}: {made}", style="italic"))

    def curtain(self, seat: int) -> None:
        """Hide one person's hand before the next one looks."""
        if self.console.is_terminal:
            self.console.clear()
        self.ask(f"{self.names[seat]}, it is your turn. The others look away; press Enter. ")
        if self.console.is_terminal:
            self.console.clear()
        self.at_screen = seat

    def end(self) -> None:
        """Show the end: the table, the score sheet, who won."""
        game = self.game
        self.console.print(draw(game.view(None), self.names))
        self.console.print(draw_sheet(game.score_sheet(), self.names))
        if not self.saved:
            path = self.keep()
            self.console.print(Text(f"The record is in {path}", style="dim"), soft_wrap=True)

    def save(self, path: Path | None) -> None:
        """Write the record where somebody wants it."""
        if path is None:
            raise BosquetError("save where? Type save and a file's name, like: save game.json")
        write_file(path, [self.game])
        self.saved = True
        self.console.print(Text(f"saved; go on with: bosquet play --load {path}"), soft_wrap=True)

    def keep(self) -> Path:
        """Write the record to the user's own data folder."""
        folder = platformdirs.user_data_path("bosquet") / "games"
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, 10**6):
            path = folder / f"{self.game.name}-{number}.json"
            if not path.exists():
                break
        write_file(path, [self.game])
        return path

    def leave(self) -> None:
        """Keep the game for another time."""
        with contextlib.suppress(OSError):
            path = self.keep()
            self.console.print()
            self.console.print(Text(f"The game is kept. Go on with: bosquet play --load {path}"), soft_wrap=True)


def seat_names(
    players: int, seats: str | None = None, bots_given: str | None = None, before: Sequence[str] | None = None
) -> list[str]:
    """Who sits where: as `seats` says, or you and the bots repeated, or as before, or all here. Raises OptionError."""
    if seats is not None:
        names = [name.strip() for name in seats.split(",")]
        if len(names) != players or not all(names):
            raise OptionError(f"--seats is {quoted(seats)}; it must name {players} seats, like Ann,greedy")
        return names
    if bots_given is not None:
        named = bots_given.split(",")
        for name in named:
            bots.make(name)
        return ["You", *(named[i % len(named)] for i in range(players - 1))]
    if before is not None:
        return list(before)
    return ["You"] if players == 1 else [f"Player {seat + 1}" for seat in range(players)]


def names_of(game: Game) -> list[str]:
    """The names in a record, if it has one for each seat; otherwise plain ones."""
    given = game.extra.get("players")
    if isinstance(given, list) and len(given) == game.players and all(isinstance(name, str) for name in given):
        return ["".join(c for c in name if c.isprintable())[:24] or f"Player {i + 1}" for i, name in enumerate(given)]
    return seat_names(game.players)


def choose_table() -> Table:
    """Ask somebody at the terminal what to play, and against whom."""
    console = Console(highlight=False)
    console.print(Text("What shall it be?", style="bold"))
    for number, name in enumerate(NAMES, 1):
        rule = rules(name)
        seats = sorted(rule.OPTIONS["players"])
        console.print(f"  {number}  {rule.TITLE}, {seats[0]} to {seats[-1]} players")
    name = NAMES[_number(console, "Game", len(NAMES), 1) - 1]
    rule = rules(name)
    options: dict[str, Any] = {"players": _number(console, "Players", 4, 2, min(rule.OPTIONS["players"]))}
    for option in rule.OPTIONS:
        if option != "players":
            options[option] = _yes(console, {"draft": "With the draft", "expert": "Expert scoring"}.get(option, option))
    game = bosquet.new(name, **options)
    against = game.players > 1 and _yes(console, "Against bots (otherwise all sit here)", True)
    return Table(game, seat_names(game.players, bots_given="greedy" if against else None))


def _number(console: Console, what: str, most: int, default: int, least: int = 1) -> int:
    """Ask for a number until there is one."""
    while True:
        answer = console.input(f"{what} ({least}–{most}) [{default}]: ").strip()
        if not answer:
            return default
        if answer.isascii() and answer.isdigit() and least <= int(answer[:4]) <= most:
            return int(answer)
        console.print(f"a number from {least} to {most}, please")


def _yes(console: Console, what: str, default: bool = False) -> bool:
    """Ask for yes or no until it is one."""
    while True:
        answer = console.input(f"{what}? ({'Y/n' if default else 'y/N'}): ").strip().lower()
        if not answer:
            return default
        if answer in ("y", "yes", "n", "no"):
            return answer.startswith("y")
        console.print("yes or no, please")
