"""`bosquet serve`: the tables on the network."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bosquet.cli.options import BaseOption, DataOption

LONGEST_DRAIN = 3600.0


class LogForm(StrEnum):
    """Forms of the log."""

    PLAIN = "plain"
    JSON = "json"


def serve(
    host: Annotated[str, typer.Option("--host", help="Who may come: 127.0.0.1 is this machine alone.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="The port.", show_default="8642, or the next that is free"),
    ] = None,
    data: DataOption = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="PostgreSQL instead of a file in the folder, as postgresql://USER@HOST/NAME; also BOSQUET_DATABASE.",
            show_default=False,
        ),
    ] = None,
    bus: Annotated[
        str | None,
        typer.Option(
            "--bus",
            metavar="URL",
            help="Redis for several nodes that share a database, as redis://HOST:PORT; also BOSQUET_BUS.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=0,
            help="Processes that think for bots at most; 0 leaves that to `bosquet worker`.",
            show_default="2 on this machine alone, else one fewer than cores",
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="The key that signs cookies, the same at all nodes; by default a file in the folder.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="What it is called, as behind a proxy; repeat it for more.", show_default=False),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            metavar="ADDRESS",
            help="Believe what this reverse proxy says of its clients; repeat it for more.",
            show_default=False,
        ),
    ] = None,
    network: Annotated[
        str | None,
        typer.Option(
            "--network",
            metavar="ADDRESS",
            help="Where a host may let others in this local network in; `none` forbids it.",
            show_default="this machine's address",
        ),
    ] = None,
    monitor: Annotated[
        str | None,
        typer.Option(
            "--monitor",
            metavar="HOST:PORT",
            help="Where /healthz, /readyz and /metrics (Prometheus) are; a port alone is one of loopback.",
            show_default=False,
        ),
    ] = None,
    smtp: Annotated[
        str | None,
        typer.Option(
            "--smtp",
            metavar="URL",
            help="The mail server for notices by e-mail, as smtp://USER:PASSWORD@HOST?from=ADDRESS; also BOSQUET_SMTP.",
            show_default=False,
        ),
    ] = None,
    public: Annotated[
        str | None,
        typer.Option(
            "--public",
            metavar="URL",
            help="Where people reach the server, for links in mails.",
            show_default="https and the first --name",
        ),
    ] = None,
    base: BaseOption = "/",
    drain: Annotated[
        float,
        typer.Option("--drain", min=0, metavar="SECONDS", help="How long to go on after SIGTERM, not ready any more."),
    ] = 0.0,
    log: Annotated[LogForm, typer.Option("--log", help="Log for people or for programs.")] = LogForm.PLAIN,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> None:
    """Serve the page: play in the browser, with friends and bots. Plain `bosquet` does this, too."""
    from bosquet.core.errors import BosquetError
    from bosquet.server.base.base_path import read_base
    from bosquet.server.host.serve import PORT, Serving, data_folder
    from bosquet.server.host.serve import serve as run

    if not drain <= LONGEST_DRAIN:
        raise BosquetError(f"--drain {drain:g}: at most {LONGEST_DRAIN:g} seconds")
    run(
        Serving(
            host=host,
            port=PORT if port is None else port,
            data=data or data_folder(),
            database=database or os.environ.get("BOSQUET_DATABASE") or None,
            bus=bus or os.environ.get("BOSQUET_BUS") or None,
            workers=workers,
            key=key,
            browser=not no_browser,
            names=name or (),
            proxies=proxy or (),
            network=network,
            monitor=monitor,
            smtp=smtp or os.environ.get("BOSQUET_SMTP") or None,
            base=read_base(base),
            public=public,
            drain=drain,
            log="json" if log is LogForm.JSON else "plain",
        )
    )
