"""A game at a terminal, for people at one screen and bots."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import platformdirs
from rich.console import Console
from rich.text import Text

import bosquet
from bosquet import bots
from bosquet.bots import outside
from bosquet.bots.uniform import Random
from bosquet.core import installed
from bosquet.core.errors import BosquetError, IllegalMove, OptionError, quoted
from bosquet.core.game import Game
from bosquet.core.record import write_file
from bosquet.core.rng import Rng
from bosquet.core.spec import GameSpec, check_options
from bosquet.terminal import draw, draw_moves, draw_sheet

COMMANDS = {
    "?": "the rules in short",
    "moves": "every legal move",
    "look": "draw the table again",
    "undo": "take back, until something hidden was seen",
    "score": "where the points come from so far",
    "save FILE": "write the record to a file; --force replaces one",
    "quit": "leave the table; the game is kept",
}
FEW_MOVES = 12


class Leave(Exception):  # noqa: N818  (not an error)
    """Raised when a player leaves the game."""


class Table:
    """A game at a terminal."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        *,
        console: Console | None = None,
        ask: Callable[[str], str] | None = None,
        own_bots: bool = False,
    ) -> None:
        """Seat people and bots by name. `ask` prompts for a line; it must raise EOFError at the end of the input.

        With `own_bots`, a seat may have any name of a bot, such as that of a program to start. Names from a record may
        not.
        """
        self.game = game
        self.names: list[str] = list(seats)
        self.console: Console = console or Console(highlight=False)
        self.ask = ask or (lambda prompt: self.console.input(Text(prompt, style="bold")))
        is_bot = names_bot if own_bots else bots.NAMES.__contains__
        self.bots: dict[int, tuple[bots.Bot, Rng]] = {
            seat: (outside.make(name), Rng()) for seat, name in enumerate(seats) if is_bot(name)
        }
        self.people: list[int] = [seat for seat in range(game.players) if seat not in self.bots]
        self.at_screen: int | None = self.people[0] if len(self.people) == 1 else None
        self.shown: list[int] = [len(game.moves)] * game.players
        self.saved = False
        game.extra["players"] = list(self.names)

    def run(self) -> bool:
        """Play until the game is over (return True) or a player leaves (return False, after saving the game)."""
        try:
            self.show_options()
            while not self.game.over:
                self.step()
            self.end()
            return True
        except (Leave, EOFError, KeyboardInterrupt):
            self.leave()
            return False
        finally:
            for bot, _ in self.bots.values():
                outside.close(bot)

    def show_options(self) -> None:
        """Print what this game plays otherwise than by default: its options and its box."""
        game = self.game
        for name, value in game.options.items():
            if name != "players" and value != game.spec.options[name][0]:
                self.console.print(Text(f"Option {name} {value}: {game.spec.option_help.get(name, name)}."))
        if box := game.spec.box_of(game.deal):
            self.console.print(Text(f"The box of this game is not that of the house: {', '.join(box)}."))

    def step(self) -> None:
        """Let the player or bot to move make one decision."""
        game = self.game
        if game.chance_due:
            game.sample_chance()
        elif game.seat in self.bots:
            self.let_bot_move(game.seat)
        elif game.seat is not None:
            self.turn(game.seat)

    def let_bot_move(self, seat: int) -> None:
        """Let a bot make one decision. For one that fails, random moves are made from then on."""
        bot, rng = self.bots[seat]
        try:
            move = bot.choose(self.game.view(seat), rng)
        except outside.BotError as error:
            self.console.print(Text(f"{self.names[seat]} has lost: it {error.reason}. Random moves are made for it."))
            self.bots[seat] = Random(), rng
            return
        self.game.play(move)

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
        """Carry out a command or a move. Return whether the state has changed."""
        game = self.game
        word, _, rest = answer.partition(" ")
        match word.lower():
            case "":
                return False
            case "?" | "help":
                self.console.print(Text(game.spec.rules_in_short))
                self.show_options()
                self.console.print(Text(self.help()))
            case "moves":
                self.console.print(draw_moves(game.view(seat), limit=1000))
            case "look":
                self.look(seat)
            case "score":
                self.open_score(seat)
            case "undo":
                game.undo()
                self.shown[seat] = min(self.shown[seat], len(game.moves))
                return True
            case "save":
                self.save(rest)
            case "quit" | "exit":
                raise Leave
            case _:
                game.play(self.move(answer, seat))
                return True
        return False

    def move(self, answer: str, seat: int) -> str:
        """Return the notation of a move that was given by its number in the list or as notation."""
        if answer.isascii() and answer.isdigit() and len(answer) < 6:
            moves = self.game.view(seat).moves
            if not 1 <= int(answer) <= len(moves):
                raise IllegalMove(f"there is no move {answer}; the list has 1 to {len(moves)}")
            return moves[int(answer) - 1].say
        return answer

    def help(self) -> str:
        """Return the list of commands."""
        lines = ["", "Type a move, its number, or:"]
        return "\n".join(lines + [f"  {name:<10} {meaning}" for name, meaning in COMMANDS.items()])

    def look(self, seat: int | None) -> None:
        """Draw the view of a seat."""
        view: Any = self.game.view(seat)
        self.console.print(draw(view, self.names))
        if view.moves:
            self.console.print(draw_moves(view, limit=FEW_MOVES))
            self.console.print(Text("? for the rules, and what else can be typed", style="dim"))

    def open_score(self, seat: int) -> None:
        """Draw the score sheet. Raises BosquetError while scores are hidden."""
        if self.game.view(seat).scores is None:
            raise BosquetError("scores are hidden until the end of the game; type moves to see what each move scores")
        self.console.print(draw_sheet(self.game.score_sheet(), self.names, over=self.game.over))

    def tell(self, seat: int) -> None:
        """Print the moves that the others made since this player last looked."""
        moves = self.game.observed_moves(seat)
        news = [(by, move) for by, move in moves[self.shown[seat] :] if by != seat]
        self.shown[seat] = len(moves)
        for by in dict.fromkeys(by for by, _ in news):
            made = ", ".join(move for other, move in news if other == by)
            self.console.print(Text(f"{self.names[by]}: {made}", style="italic"))

    def curtain(self, seat: int) -> None:
        """Clear the screen before the next player looks at it."""
        if self.console.is_terminal:
            self.console.clear()
        self.ask(f"{self.names[seat]}, it is your turn. The others look away; press Enter. ")
        if self.console.is_terminal:
            self.console.clear()
        self.at_screen = seat

    def end(self) -> None:
        """Draw the final state, the score sheet and the result."""
        game = self.game
        self.console.print(draw(game.view(None), self.names))
        self.console.print(draw_sheet(game.score_sheet(), self.names, over=game.over))
        if not self.saved:
            path = self.keep()
            self.console.print(Text(f"The record is in {path}", style="dim"), soft_wrap=True)

    def save(self, answer: str) -> None:
        """Write the record to a file that a player named; `--force` beside it replaces one. Raises BosquetError."""
        words = answer.split(" ")
        name = " ".join(word for word in words if word != "--force")
        if not name:
            raise BosquetError("save where? Type save and a file's name, like: save game.json")
        write_file(name, [self.game], force="--force" in words)
        self.saved = True
        self.console.print(Text(f"saved; go on with: bosquet play --load {name}"), soft_wrap=True)

    def keep(self) -> Path:
        """Write the record to the user's data folder; return its path. Raises BosquetError."""
        folder = platformdirs.user_data_path("bosquet") / "games"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise BosquetError(f"{folder}: can't be written: {error.strerror}") from None
        paths = (folder / f"{self.game.name}-{number}.json" for number in itertools.count(1))
        path = next(path for path in paths if not path.exists())
        write_file(path, [self.game])
        return path

    def leave(self) -> None:
        """Save the game, to be continued later."""
        path = self.keep()
        self.console.print()
        self.console.print(Text(f"The game is kept. Go on with: bosquet play --load {path}"), soft_wrap=True)


def seat_names(
    players: int, seats: str | None = None, bots_given: str | None = None, before: Sequence[str] | None = None
) -> list[str]:
    """Return the names of all seats: those in `seats`, else you and bots, else the earlier ones, else all people here.

    Raises OptionError.
    """
    if seats is not None:
        names = outside.split_names(seats)
        if len(names) != players or not all(names):
            raise OptionError(f"--seats is {quoted(seats)}; it must name {players} seats, like Ann,greedy")
        outside.check([name for name in names if names_bot(name)])
        return names
    if bots_given is not None:
        named = outside.split_names(bots_given)
        if not 0 < len(named) < players:
            raise OptionError(f"--bots names {len(named)} bots; seats besides yours: {players - 1}")
        outside.check(named)
        return ["You", *(named[i % len(named)] for i in range(players - 1))]
    if before is not None:
        return list(before)
    return ["You"] if players == 1 else [f"Player {seat + 1}" for seat in range(players)]


def names_bot(name: str) -> bool:
    """Return whether a name that somebody gave at this terminal is that of a bot."""
    return bots.is_ours(name) or outside.is_outside(name)


def names_of(game: Game) -> list[str]:
    """Return the names in a record, or default names if it does not have one for each seat."""
    given = game.extra.get("players")
    if isinstance(given, list) and len(given) == game.players and all(isinstance(name, str) for name in given):
        return ["".join(c for c in name if c.isprintable())[:24] or f"Player {i + 1}" for i, name in enumerate(given)]
    return seat_names(game.players)


def choose_table() -> Table:
    """Ask what to play and against whom; return the table."""
    console = Console(highlight=False)
    console.print(Text("What shall it be?", style="bold"))
    offered = [installed.spec(name) for name in installed.names()]
    for number, spec in enumerate(offered, 1):
        seats = sorted(spec.options["players"])
        console.print(f"  {number}  {spec.title}, {seats[0]} to {seats[-1]} players")
    spec = offered[_number(console, "Game", len(offered), 1) - 1]
    seats = sorted(spec.options["players"])
    options: dict[str, Any] = {"players": _number(console, "Players", seats[-1], spec.options["players"][0], seats[0])}
    for option in spec.options:
        if option != "players":
            options[option] = _option(console, spec, options, option)
    game = bosquet.new(spec.name, **options)
    against = game.players > 1 and _yes(console, "Against bots (otherwise all sit here)", True)
    return Table(game, seat_names(game.players, bots_given="greedy" if against else None))


def _option(console: Console, spec: GameSpec, chosen: Mapping[str, Any], option: str) -> Any:
    """Ask for the value of an option until one is given that goes with the options chosen so far."""
    values = spec.options[option]
    title = f"{option.capitalize()} ({spec.option_help.get(option, 'yes or no')})"
    if isinstance(values[0], bool):
        return _yes(console, title)
    allowed = {}
    for value in values:
        with contextlib.suppress(OptionError):
            check_options(spec, {**chosen, option: value})
            allowed[str(value)] = value
    if len(allowed) == 1:
        return next(iter(allowed.values()))
    while True:
        answer = console.input(f"{title} ({', '.join(allowed)}) [{values[0]}]: ").strip()
        if not answer or answer in allowed:
            return allowed.get(answer, values[0])


def _number(console: Console, what: str, most: int, default: int, least: int = 1) -> int:
    """Ask for a number until a valid one is given."""
    while True:
        answer = console.input(f"{what} ({least}–{most}) [{default}]: ").strip()
        if not answer:
            return default
        if answer.isascii() and answer.isdigit() and least <= int(answer[:4]) <= most:
            return int(answer)
        console.print(f"a number from {least} to {most}, please")


def _yes(console: Console, what: str, default: bool = False) -> bool:
    """Ask a yes-or-no question until the answer is valid."""
    while True:
        answer = console.input(f"{what}? ({'Y/n' if default else 'y/N'}): ").strip().lower()
        if not answer:
            return default
        if answer in ("y", "yes", "n", "no"):
            return answer.startswith("y")
        console.print("yes or no, please")
