"""`bosquet site`: the games as files, for any host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bosquet.cli.output import err, out


def site(
    folder: Annotated[Path, typer.Argument(help="Where to write it.", show_default=False)],
    base: Annotated[
        str,
        typer.Option(
            "--base", metavar="ADDRESS", help="The address of the site, as /games/ or https://example.org/games/."
        ),
    ] = "/",
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that is not empty.")] = False,
) -> None:
    """Write a site of files only: one plays on it in the browser, alone or at one screen, and no server runs.

    Any host of files serves it, over https where it shall work without a network, too. With the whole address,
    messengers show a picture beside its links.
    """
    from bosquet.server.base.base_path import read_address
    from bosquet.server.host.site import write_site
    from bosquet.server.http.static_files import DOCS

    origin, place = read_address(base)
    files = write_site(folder, place, origin=origin, force=force)
    if not (DOCS / "index.html").exists():
        err.print("the documentation is not built: links to it lead nowhere")
    size = sum(file.stat().st_size for file in files)
    out.print(f"{folder}: written, {len(files)} files, {size / 1e6:.1f} MB, for {base}", markup=False, soft_wrap=True)
