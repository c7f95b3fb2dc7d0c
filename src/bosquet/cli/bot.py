"""`bosquet bot`: a bot as a program."""

from __future__ import annotations

from typing import Annotated

import typer


def bot(
    name: Annotated[str, typer.Argument(help="Which bot: one of bosquet, or yours in Python.", show_default=False)],
) -> None:
    """Run a bot as a program that other programs can ask for moves: JSON lines on standard input and output."""
    import sys

    from bosquet.bots.host import private_output, serve

    serve(name, sys.stdin.buffer, private_output())
