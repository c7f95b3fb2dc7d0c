"""`bosquet site`: the games as files, for any host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bosquet.cli.options import BaseOption
from bosquet.cli.output import err, out


def site(
    folder: Annotated[Path, typer.Argument(help="Where to write it.", show_default=False)],
    base: BaseOption = "/",
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that is not empty.")] = False,
) -> None:
    """Write a site of files only: one plays on it in the browser, alone or at one screen, and no server runs.

    Any host of files serves it, over https where it shall work without a network, too.
    """
    from bosquet.server.base.place import read_base
    from bosquet.server.host.site import write_site
    from bosquet.server.http.static_files import DOCS

    files = write_site(folder, read_base(base), force=force)
    if not (DOCS / "index.html").exists():
        err.print("the documentation is not built: links to it lead nowhere")
    size = sum(file.stat().st_size for file in files)
    out.print(f"{folder}: written, {len(files)} files, {size / 1e6:.1f} MB, for {base}", markup=False, soft_wrap=True)
