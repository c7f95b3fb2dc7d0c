"""`bosquet backup`, `restore` and `check`: what a server keeps, saved and looked at."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from bosquet.cli.options import DataOption, ForceOption
from bosquet.cli.output import complain, err, out
from bosquet.core.system.files import check_free


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it.", show_default=False)],
    data: DataOption = None,
    force: ForceOption = False,
) -> None:
    """Write a backup of all tables and of the server's key to one file; the server may go on.

    Keep the file secret: it holds the hands of games that run, and its key opens every seat.
    """
    from bosquet.server.host.backups import back_up
    from bosquet.server.host.serve import data_folder

    check_free(file, force=force)
    err.print(f"copying the tables and the key of {data or data_folder()}", markup=False)
    back_up(data or data_folder(), file, force=force)
    out.print(f"{file}: written, {file.stat().st_size:,} bytes", markup=False)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `bosquet backup` has written.", show_default=False)],
    data: DataOption = None,
) -> None:
    """Put the tables and the key of a backup in the place of those in the data folder; its server must be stopped.

    What was there before is moved to a folder `replaced-…` in the data folder.
    """
    from bosquet.server.host import backups
    from bosquet.server.host.serve import data_folder

    os.umask(0o077)
    folder = data or data_folder()
    former = backups.restore(file, folder)
    kept = "" if former is None else f"; what was there before is in {former}"
    out.print(f"{folder}: restored from {file}{kept}", markup=False, soft_wrap=True)


def check(data: DataOption = None) -> None:
    """Check the database of a data folder, and replay all its tables; the server may go on.

    Exit code 0 if everything can be read; otherwise 1, and a line for the database or each table that can't.
    """
    from bosquet.server.host.checking import check_database
    from bosquet.server.host.serve import data_folder
    from bosquet.server.store.sqlite_file import DATABASE

    database = (data or data_folder()) / DATABASE
    err.print(f"checking {database}, and replaying all its tables", markup=False)
    right = wrong = 0
    for table, why in check_database(database):
        if why is None:
            right += 1
        else:
            wrong += 1
            complain(f"{database}: {why}" if table is None else f"table {table}: {why}")
    out.print(f"{right} tables, all can be read" if not wrong else f"{right} tables can be read")
    if wrong:
        raise typer.Exit(1)
