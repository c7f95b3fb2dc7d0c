"""`bosquet bot`: a bot as a program, or at a table of a server."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated

import typer

from bosquet.cli.options import BotLogOption, BotMemoryOption, BotSecondsOption, ForceOption
from bosquet.core.errors import OptionError


def bot(
    name: Annotated[str, typer.Argument(help="Which bot: one of bosquet, or yours.", show_default=False)],
    server: Annotated[
        str | None,
        typer.Option(
            "--server", metavar="LINK", help="Play at a table: the link with its invitation.", show_default=False
        ),
    ] = None,
    called: Annotated[
        str | None, typer.Option("--name", help="What it is called there.", show_default="the name of the bot")
    ] = None,
    guest: Annotated[
        Path | None,
        typer.Option("--guest", metavar="FILE", help="Keep in FILE who it is, to be the same the next time."),
    ] = None,
    stay: Annotated[bool, typer.Option("--stay", help="Go on to the games that follow at the same table.")] = False,
    bot_seconds: BotSecondsOption = 10.0,
    bot_memory: BotMemoryOption = 4096,
    bot_log: BotLogOption = None,
    force: ForceOption = False,
) -> None:
    """Run a bot as a program that other programs ask for moves: JSON lines on standard input and output.

    With `--server`, seat it at a table of a server instead. The table shows that it is a program.
    """
    import sys

    from bosquet.terminal.bot_names import bot_asked

    bot = bot_asked(name)
    if server is not None:
        from bosquet.bots.at_table import Link, play
        from bosquet.bots.outside import Limits
        from bosquet.bots.program import keep_log
        from bosquet.cli.output import err

        keep_log(bot_log, force=force)
        limits = Limits(bot_seconds, bot_memory)
        shown = called or f"{Path(name.rsplit(':', 1)[-1]).stem.capitalize()[:20]} bot"
        say = functools.partial(err.print, markup=False)
        play(bot, Link.read(server), shown, limits=limits, file=guest, stay=stay, say=say)
        return
    if bot_log is not None:
        raise OptionError("--bot-log is for --server; here what the bot prints is on standard error")
    from bosquet.bots.host import private_output, serve

    serve(bot, sys.stdin.buffer, private_output())
