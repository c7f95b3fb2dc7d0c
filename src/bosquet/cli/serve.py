"""`bosquet serve`: the tables on the network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option("--host", help="Who may come: 127.0.0.1 is this machine alone.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="The port.", show_default="8642, or the next that is free"),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="The folder of the tables.", show_default="the user's data folder"),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="What it is called, as behind a proxy; repeat it for more.", show_default=False),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> None:
    """Serve the page: play in the browser, with friends and bots. Plain `bosquet` does this, too."""
    from bosquet.server.serve import PORT, data_folder
    from bosquet.server.serve import serve as run

    run(host, PORT if port is None else port, data or data_folder(), not no_browser, name or ())
