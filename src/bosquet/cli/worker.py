"""`bosquet worker`: bots for nodes on other machines."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

from bosquet.cli.serve import LogForm
from bosquet.core.errors import BosquetError


class Kind(StrEnum):
    """Kinds of jobs."""

    BOTS = "bots"
    DAYS = "days"


def worker(
    bus: Annotated[
        str | None,
        typer.Option(
            "--bus",
            metavar="URL",
            help="The bus of the nodes, as redis://HOST:PORT; also BOSQUET_BUS.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        list[Kind] | None,
        typer.Option(
            "--kind",
            help="What to do: moves at tables, or games of days.",
            show_default="both",
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            min=1,
            help="How many bots think at a time at most.",
            show_default="one fewer than cores, at least 2",
        ),
    ] = None,
    log: Annotated[LogForm, typer.Option("--log", help="Log for people or for programs.")] = LogForm.PLAIN,
) -> None:
    """Think for the bots of nodes that run elsewhere (`bosquet serve --workers 0`)."""
    from bosquet.server.base import logs
    from bosquet.server.compute.work_queue import serve_jobs

    url = bus or os.environ.get("BOSQUET_BUS")
    if not url:
        raise BosquetError("--bus: which one? As redis://HOST:PORT, or in BOSQUET_BUS")
    logs.configure("json" if log is LogForm.JSON else "plain")
    serve_jobs(url, [one.value for one in dict.fromkeys(kind or Kind)], processes)
