"""`bosquet serve`: the tables on the network."""

from __future__ import annotations

from typing import Annotated

import typer

from bosquet.cli.options import DataOption


def serve(
    host: Annotated[str, typer.Option("--host", help="Who may come: 127.0.0.1 is this machine alone.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="[default: 8642, or the next that is free]", show_default=False),
    ] = None,
    data: DataOption = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="What it is called, as behind a proxy; repeat it for more.", show_default=False),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> None:
    """The table on the network: play in the browser, with friends and bots. Plain `bosquet` does this, too."""
    from bosquet.server.serve import PORT, data_folder
    from bosquet.server.serve import serve as run

    run(host, PORT if port is None else port, data or data_folder(), not no_browser, name or ())
