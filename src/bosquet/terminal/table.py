"""A game at a terminal, for people at one screen and bots."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.text import Text

from bosquet import bots
from bosquet.bots import outside
from bosquet.bots.uniform import Random
from bosquet.core.errors import BosquetError, IllegalMove, Reason
from bosquet.core.game import Game
from bosquet.core.positions.position import decision_rng
from bosquet.core.records.record import write_file
from bosquet.core.system.extras import program
from bosquet.kernels import jit
from bosquet.terminal import draw, draw_moves, draw_sheet
from bosquet.terminal.bot_names import shown_names
from bosquet.terminal.help import draw_help
from bosquet.terminal.kept import folder, keep, kept_games, made_folder
from bosquet.terminal.moves import moves_like
from bosquet.terminal.screen import Ask, drop_typed, is_small, lines_of, page_through
from bosquet.terminal.seating import names_bot, names_of
from bosquet.terminal.words import ENGLISH, Words

FEW_MOVES = 12
MOVES_AND_PROMPT = 4
"""Lines below a drawing at least."""
HINTS = 3
"""How many moves a hint shows."""
SIMULATIONS = 400
"""How long a hint is thought about."""


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
        ask: Ask | None = None,
        own_bots: bool = False,
        kept: Path | None = None,
        words: Words = ENGLISH,
    ) -> None:
        """Seat people and bots by name. `ask` prompts for a line; it must raise EOFError at the end of the input.

        With `own_bots`, a seat may have any name of a bot, such as that of a program to start. Names from a record may
        not. A game that was kept goes on in its file `kept`.
        """
        self.game = game
        self.words = words
        self.names: list[str] = shown_names(seats, words)
        self.console: Console = console or Console(highlight=False)
        self.ask: Ask = ask or (lambda prompt: self.console.input(Text(prompt, style="bold")))
        is_bot = names_bot if own_bots else bots.NAMES.__contains__
        self.bots: dict[int, tuple[bots.Bot, str]] = {
            seat: (outside.make(name), name) for seat, name in enumerate(seats) if is_bot(name)
        }
        self.people: list[int] = [seat for seat in range(game.players) if seat not in self.bots]
        self.at_screen: int | None = self.people[0] if len(self.people) == 1 else None
        self.shown: list[int] = [len(game.moves)] * game.players
        self.kept: Path | None = kept
        self.saved: tuple[Path, list[str]] | None = None
        """The file that a player saved to last, and the moves it has."""
        self.typed: str = ""
        """What was typed at a prompt for the next page: it is the next answer."""
        self.had_hint: bool = False
        game.extra["players"] = list(seats)

    def run(self) -> bool:
        """Play until the game is over (return True) or a player leaves (return False, after saving the game)."""
        begun_over = self.game.over
        try:
            for line in self.options():
                self.console.print(line)
            if not begun_over:
                self.warn()
            while not self.game.over:
                self.step()
            self.end(keeps=not begun_over)
            return True
        except (Leave, EOFError, KeyboardInterrupt):
            self.leave()
            return False
        finally:
            for bot, _ in self.bots.values():
                outside.close(bot)

    def say(self, key: str, **values: object) -> str:
        """Return a text of the terminal's own."""
        return self.words(f"terminal.{key}", **values)

    def options(self) -> list[Text]:
        """Return a line for each option that has not its default, and one for a box that is not the house's."""
        game, words = self.game, self.words
        lines = []
        for name, value in game.options.items():
            if name != "players" and value != game.spec.options[name][0]:
                option = words.get(f"{game.name}.option_{name}") or game.spec.option_help.get(name, name)
                called = words.get(f"{game.name}.option_{name}_{value}") or value
                lines.append(Text(option if value is True else f"{option}: {called}"))
        if box := game.spec.box_of(game.deal):
            lines.append(Text(f"The box of this game is not that of the house: {', '.join(box)}."))
        return lines

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
        bot, name = self.bots[seat]
        try:
            with self.console.status(self.say("bot_thinks", name=escape(self.names[seat]))):
                rng = decision_rng(name, self.game.view(seat, moves=False))
                move = bots.choose(bot, self.game, rng)
        except outside.BotError as error:
            self.console.print(Text(f"{self.names[seat]} has lost: it {error.reason}. Random moves are made for it."))
            self.bots[seat] = Random(), name
            return
        self.game.play(move)

    def turn(self, seat: int) -> None:
        """Let a person make one decision."""
        if seat != self.at_screen:
            self.curtain(seat)
        self.look(seat, self.news(seat))
        while True:
            typed, self.typed = self.typed, ""
            answer = " ".join((typed or self.ask(self.say("your_move", name=self.names[seat]))).split())
            try:
                if self.obey(answer, seat):
                    return
            except BosquetError as error:
                self.console.print(Text(self.complaint(error)))

    def obey(self, answer: str, seat: int) -> bool:
        """Carry out a command or a move. Return whether the state has changed."""
        game = self.game
        word, _, rest = answer.partition(" ")
        match word.lower():
            case "":
                return False
            case "?" | "help":
                self.page(Group(*self.options(), draw_help(game, self.words)), self.say("back"))
                if self.console.is_terminal and not self.typed:
                    self.look(seat)
            case "moves":
                self.page(draw_moves(game.view(seat), limit=1000))
            case "hint":
                self.hint(seat)
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
            case "games":
                self.page(draw_kept(self.words))
            case "quit" | "exit":
                raise Leave
            case _:
                return self.move(answer, seat)
        return False

    def move(self, answer: str, seat: int) -> bool:
        """Make a move that was given by its number in the list or as notation; list those that begin so.

        Return whether one was made. Raises IllegalMove.
        """
        view: Any = self.game.view(seat)
        if answer.isascii() and answer.isdigit() and len(answer) < 6:
            if not 1 <= int(answer) <= len(view.moves):
                raise IllegalMove(f"there is no move {answer}; the list has 1 to {len(view.moves)}")
            self.game.play(view.moves[int(answer) - 1].say)
            return True
        alike = moves_like(view, answer)
        exact = [move for move in alike if move.say.casefold() == answer.casefold()]
        if len(exact) != 1 and alike:
            self.page(draw_moves(view, limit=1000, only=alike))
            return False
        self.game.play(exact[0].say if exact else answer)
        return True

    def complaint(self, error: BosquetError) -> str:
        """Return the message of an error, with the reason why a move is illegal in the words of the page."""
        said, reason = str(error), getattr(error, "reason", None)
        if self.words.language == ENGLISH.language or not isinstance(reason, Reason):
            return said
        game = self.game.name
        about = {name: self.words.get(f"{game}.{name}_{part}") or part for name, part in reason.about.items()}
        why = self.words.get(f"{game}.illegal.{reason.key}", **about)
        return said if why is None else said.replace(reason, why.rstrip("."))

    def hint(self, seat: int) -> None:
        """Show the moves that the coach finds best, given what the seat may know. Ctrl-C ends the thinking."""
        from bosquet.lab import coach
        from bosquet.terminal.analysis import draw_choices

        if not self.had_hint and jit.available():
            self.console.print(Text(self.say("first_hint")))
        self.had_hint = True
        try:
            with self.console.status(self.say("thinking")):
                view = self.game.view(seat)
                choices = coach.best(view, decision_rng("hint", view), SIMULATIONS)
        except KeyboardInterrupt:
            return
        finally:
            drop_typed()
        self.console.print(draw_choices(choices[:HINTS], seat, self.names[seat]))

    def page(self, drawn: RenderableType, last: str | None = None) -> None:
        """Print what may be longer than the screen; with `last`, prompt behind it. Sets `typed`."""
        self.typed = page_through(self.console, drawn, self.ask, self.say("more"), last)

    def look(self, seat: int, news: Sequence[Text] = ()) -> None:
        """Draw what a seat sees below the moves that it has not seen yet, so that all fits on the screen if it can."""
        view: Any = self.game.view(seat)
        shown: list[RenderableType] = [*news, self.board(view, len(news))]
        if view.moves:
            keys = Text(self.say("keys", n=len(view.moves)), style="dim")
            room = self.console.height - lines_of(self.console, Group(*shown, keys)) - 1
            limit = FEW_MOVES
            while self.console.is_terminal and limit and lines_of(self.console, draw_moves(view, limit=limit)) > room:
                limit -= 1
            shown += [draw_moves(view, limit=limit), keys] if limit else [keys]
        self.console.print(Group(*shown))

    def board(self, view: Any, others: int = 0) -> RenderableType:
        """Return a drawing of a view, compact where the large one does not fit with `others` lines and the moves."""
        large = draw(view, self.names)
        small = is_small(self.console, lines_of(self.console, large) + others + MOVES_AND_PROMPT)
        return draw(view, self.names, compact=True) if small else large

    def open_score(self, seat: int) -> None:
        """Draw the score sheet. Raises BosquetError while scores are hidden."""
        if self.game.view(seat).scores is None:
            raise BosquetError("scores are hidden until the end of the game; type moves to see what each move scores")
        self.page(draw_sheet(self.game.score_sheet(), self.names, over=self.game.over))

    def news(self, seat: int) -> list[Text]:
        """Return the moves that the others made since this player last looked, a line for each of them."""
        moves = self.game.observed_moves(seat)
        news = [(by, move) for by, move in moves[self.shown[seat] :] if by != seat]
        self.shown[seat] = len(moves)
        lines = []
        for by in dict.fromkeys(by for by, _ in news):
            made = ", ".join(move for other, move in news if other == by)
            lines.append(Text(f"{self.names[by]}: {made}", style="italic"))
        return lines

    def curtain(self, seat: int) -> None:
        """Clear the screen before the next player looks at it."""
        if self.console.is_terminal:
            self.console.clear()
        self.ask(self.say("curtain", name=self.names[seat]))
        if self.console.is_terminal:
            self.console.clear()
        self.at_screen = seat

    def end(self, *, keeps: bool) -> None:
        """Draw the final state, the score sheet and the result; say where the record is and what the coach does."""
        game = self.game
        sheet = draw_sheet(game.score_sheet(), self.names, over=game.over)
        self.page(Group(self.board(game.view(None)), sheet))
        if keeps:
            path = self.keep()
            if path is None:
                return
            self.console.print(Text(f"The record is in {path}", style="dim"), soft_wrap=True)
            command = f"{program()} analyse {shlex.quote(str(path))}"
            self.console.print(Text(self.say("coach", command=command)), soft_wrap=True)

    def save(self, answer: str) -> None:
        """Write the record to a file that a player named; `--force` beside it replaces one. Raises BosquetError."""
        words = answer.split(" ")
        name = " ".join(word for word in words if word != "--force")
        if not name:
            raise BosquetError("save where? Type save and a file's name, like: save game.json")
        write_file(name, [self.game], force="--force" in words)
        self.saved = Path(name), list(self.game.moves)
        command = f"{program()} play --load {shlex.quote(name)}"
        self.console.print(Text(self.say("saved", command=command)), soft_wrap=True)

    def leave(self) -> None:
        """Save the game, to be continued later; one without a move is not kept."""
        self.console.print()
        if not self.game.moves and self.kept is None:
            self.console.print(Text(self.say("no_move")))
            return
        path = self.keep()
        if path is not None:
            self.console.print(Text(f"The record is in {path}", style="dim"), soft_wrap=True)
            name = path.stem if path.parent == folder() else shlex.quote(str(path))
            self.console.print(Text(self.say("go_on", command=f"{program()} play --load {name}")), soft_wrap=True)

    def warn(self) -> None:
        """Say so if the game can't be kept."""
        try:
            made_folder()
        except BosquetError as error:
            self.console.print(Text(f"{error}\n{self.say('not_kept')}"), soft_wrap=True)

    def keep(self) -> Path | None:
        """Keep the game and return its file. Where that fails, ask for a file; None if a player gives none.

        Raises BosquetError if it fails and the input has ended.
        """
        try:
            return keep(self.game, self.kept)
        except BosquetError as error:
            wrong = error
        while self.saved is None or self.saved[1] != self.game.moves:
            self.console.print(Text(str(wrong)), soft_wrap=True)
            try:
                name = self.ask(self.say("save_where")).strip().removeprefix("save ").strip()
            except (EOFError, KeyboardInterrupt):
                raise wrong from None
            if not name:
                return None
            try:
                self.save(name)
            except BosquetError as error:
                wrong = error
        return self.saved[0]


def draw_kept(words: Words) -> RenderableType:
    """Return the kept games that still run, and how to go on with each."""
    lines = [
        Text(f"{path.stem}: {', '.join(names_of(game, words))} · {len(game.moves)} moves")
        for path, game in kept_games().items()
    ]
    if not lines:
        return Text(words("terminal.no_games"))
    return Group(*lines, Text(words("terminal.go_on_with", program=program()), style="dim"))
