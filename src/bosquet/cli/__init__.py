"""The command line, one module a group of commands. Contracts: docs/records.md, docs/matches.md.

A module imports at its top what `bosquet --help` needs, and inside a command what that command needs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.metadata import metadata
from typing import Annotated

import typer
from rich.markup import escape

import bosquet
from bosquet.cli import streams
from bosquet.cli.analyse import analyse
from bosquet.cli.arena import arena
from bosquet.cli.backups import backup, check, restore
from bosquet.cli.bench import bench
from bosquet.cli.bot import bot
from bosquet.cli.bots import bots
from bosquet.cli.evaluate import evaluate
from bosquet.cli.examples import EXAMPLES
from bosquet.cli.options import GameCommand
from bosquet.cli.output import UsageError, complain, explained
from bosquet.cli.play import play
from bosquet.cli.position import position
from bosquet.cli.puzzles import puzzles
from bosquet.cli.records import replay, score
from bosquet.cli.selfplay import selfplay
from bosquet.cli.serve import serve
from bosquet.cli.simulate import simulate
from bosquet.cli.site import site
from bosquet.cli.train import train
from bosquet.cli.worker import worker
from bosquet.core.errors import BosquetError
from bosquet.core.installed import names

__all__ = ["app", "main"]

SUMMARY = metadata("bosquet")["Summary"]
"""What the program is, as `pyproject.toml` says it."""

app: typer.Typer = typer.Typer(
    name="bosquet",
    help=SUMMARY,
    epilog="Plain [bold]bosquet[/bold] opens the page; for the terminal: "
    f"[bold]bosquet play {names()[0]} -b greedy[/bold]",
    rich_markup_mode="rich",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
GROUPS: dict[str, list[Callable[..., None]]] = {
    "Play": [play, serve],
    "Bots and matches": [bots, simulate, arena, bot],
    "Records and positions": [replay, score, analyse, position],
    "Hosting": [site, backup, restore, check, worker],
    "Research": [evaluate, selfplay, train, puzzles, bench],
}
OF_GAMES = (play, simulate, arena, selfplay, train, bench)
"""The commands that take the options of games."""
for group, commands in GROUPS.items():
    for command in commands:
        app.command(
            cls=GameCommand if command in OF_GAMES else None,
            rich_help_panel=group,
            epilog="\n  ".join(["[bold]Examples[/bold]", *map(escape, EXAMPLES[command.__name__])]),
        )(command)


@app.callback(invoke_without_command=True, help=SUMMARY)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Print the version, or start the server where no command is given."""
    if version:
        typer.echo(bosquet.__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        serve()


def main() -> None:
    """Run the command line: errors are one line and exit code 1, wrong usage is 2, Ctrl-C 130."""
    streams.set_up()
    try:
        sys.exit(app(prog_name="bosquet", standalone_mode=False))
    except UsageError as error:
        complain(f"bosquet: {explained(error)}")
        sys.exit(error.exit_code)
    except typer.Abort:
        complain("bosquet: the input has ended")
        sys.exit(1)
    except BosquetError as error:
        complain(f"bosquet: {error}")
        sys.exit(1)
    except BrokenPipeError:
        # The reader of our output is gone: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
