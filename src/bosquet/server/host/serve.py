"""Starts a server: reads its options, holds the data folder, listens on its sockets, opens the browser."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import re
import socket
import sys
import webbrowser
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from bosquet.core.errors import BosquetError, quoted
from bosquet.core.system.extras import page_remedy
from bosquet.server.base import logs
from bosquet.server.base.base_path import ROOT
from bosquet.server.base.host_names import is_address, is_loopback, name_in, names_of
from bosquet.server.base.logs import Form
from bosquet.server.host.backups import finish_restore
from bosquet.server.host.run import run
from bosquet.server.http.app import create_app
from bosquet.server.http.limits import Limits
from bosquet.server.http.local_network import LocalNetwork
from bosquet.server.http.static_files import PAGE
from bosquet.server.nodes.redis_bus import RedisBus
from bosquet.server.notices.smtp import Mailer, read_server
from bosquet.server.store.folder import Held, hold
from bosquet.server.store.key import KEY_FILE, read_key
from bosquet.server.store.sqlite_file import DATABASE

PORT = 8642
DESCRIPTORS = 8192
"""Files and connections that the process may have open, if the system lets it: twice as many as connections at tables,
since usual systems start a process with fewer than those."""
OWN_DESCRIPTORS = 128
"""What the server needs for itself: its database, its workers, requests under way."""
OWN_WORKERS = 2
"""Processes that think for bots at most where somebody serves for themselves."""
MAX_PORT = 65535
PUBLIC = re.compile(r"https?://(?P<place>(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?)")


def data_folder() -> Path:
    """Where tables are kept if nobody says otherwise."""
    return Path(platformdirs.user_data_dir("bosquet", appauthor=False))


@dataclass(frozen=True)
class Serving:
    """How a server is run."""

    host: str = "127.0.0.1"
    port: int = PORT
    """0 takes any free one."""
    data: Path = field(default_factory=data_folder)
    database: str | None = None
    """URL of the database; by default it is an SQLite file in the data folder."""
    bus: str | None = None
    """URL of the bus, if there are several nodes."""
    workers: int | None = None
    """How many processes think for bots at most; 0 leaves that to workers that the bus reaches."""
    key: Path | None = None
    """The file with the key that signs cookies; by default it is in the data folder."""
    browser: bool = False
    """Whether the page is opened in a browser."""
    names: Collection[str] = ()
    """What the server is called, where that is known."""
    proxies: Collection[str] = ()
    """Addresses that are believed what they say of their clients."""
    network: str | None = None
    """The address at which hosts may let others in the local network in; by default it is found out, `none` forbids."""
    monitor: str | None = None
    """`HOST:PORT` or `PORT` at which those who run the server see how it is."""
    smtp: str | None = field(default=None, repr=False)
    """URL of the mail server for notices by e-mail."""
    base: str = ROOT
    """The folder of its host in which it is reached."""
    public: str | None = None
    """URL at which people reach the server, for links in mails; by default https and the first of the names."""
    drain: float = 0.0
    """Seconds from SIGTERM to the end, in which a proxy sends new visitors elsewhere."""
    log: Form = "plain"

    @property
    def is_own(self) -> bool:
        """Whether somebody serves for themselves on this machine, not for the public."""
        deployed = self.names or self.proxies or self.database or self.bus
        return (self.host == "localhost" or is_loopback(self.host)) and not deployed


def serve(serving: Serving) -> None:
    """Serve until Ctrl-C.

    Raises BosquetError; where another server holds the folder already, its page is opened before.
    """
    data, host = serving.data, serving.host
    if not (PAGE / "index.html").exists():
        raise BosquetError(f"{PAGE}: the page has not been built; {page_remedy()}")
    os.umask(0o077)  # what is kept holds the secrets of games that run
    try:
        with hold(data) as leave_word:
            finish_restore(data)
            listening = _listen(host, serving.port)
            address = f"http://{_shown(host)}:{listening.getsockname()[1]}{serving.base}"
            monitored = _monitored(serving.monitor)
            mailer = mailer_of(serving)
            leave_word(address)
            logs.configure(serving.log)
            sockets = _descriptors() - OWN_DESCRIPTORS
            limits = Limits(connections=min(Limits.connections, sockets), sockets=sockets)
            database = serving.database or f"sqlite:///{data / DATABASE}"
            app = create_app(
                database,
                read_key(serving.key or data / KEY_FILE, may_make=serving.key is None),
                limits=limits,
                bus=None if serving.bus is None else RedisBus(serving.bus),
                processes=OWN_WORKERS if serving.workers is None and serving.is_own else serving.workers,
                names=names_of(host, serving.names),
                base=serving.base,
                network=_network(serving),
                contact=f"https://{next(iter(serving.names))}" if serving.names else None,
                mailer=mailer,
            )

            def started() -> None:
                place = "the database" if serving.database else data
                sys.stderr.write(f"bosquet plays at {address} · tables are kept in {place} · Ctrl-C ends\n")
                sys.stderr.flush()
                if serving.browser:
                    _open(address)

            run(app, listening, started, serving.proxies, monitored, serving.drain)
    except Held as held:
        if serving.browser and held.address:
            _open(held.address)
        raise


def mailer_of(serving: Serving) -> Mailer | None:
    """What sends mail, if a mail server was named. Raises BosquetError."""
    if serving.smtp is None:
        return None
    server = read_server(serving.smtp)
    if serving.public is None and not serving.names:
        raise BosquetError("--smtp: mails have links to this server; say where it is with --public or --name")
    folder = serving.base.removesuffix("/")
    public = (serving.public or f"https://{next(iter(serving.names))}").removesuffix("/").removesuffix(folder)
    found = PUBLIC.fullmatch(public)
    if found is None:
        raise BosquetError(f"--public {quoted(public)}: must be the address of the start page, as https://example.org")
    known, name = names_of(serving.host, serving.names), name_in(found["place"])
    if known is not None and name not in known and not is_address(name):
        raise BosquetError(f"--public {quoted(public)}: this server answers to no such name; add --name {name}")
    return Mailer(server, public + folder)


def _network(serving: Serving) -> LocalNetwork | None:
    """The local network of a server that somebody starts for themselves; a deployed one opens nothing further.

    Raises BosquetError.
    """
    wanted = serving.network
    if wanted not in (None, "none"):
        try:
            address = ipaddress.IPv4Address(wanted)
            if address.is_unspecified or address.is_multicast or address.is_global:
                raise ValueError
        except ValueError:
            raise BosquetError(
                f"--network {quoted(wanted)}: must be the IPv4 address of this machine in a private network, or none"
            ) from None
    return LocalNetwork(wanted) if serving.is_own and wanted != "none" else None


def _open(address: str) -> None:
    """Open the page in a browser, if there is one."""
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)


def _descriptors() -> int:
    """How many descriptors this process may have, after it has asked for enough."""
    if sys.platform == "win32":
        return DESCRIPTORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unbounded = resource.RLIM_INFINITY
    if soft == unbounded or soft >= DESCRIPTORS:
        return DESCRIPTORS
    enough = DESCRIPTORS if hard == unbounded else min(DESCRIPTORS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
    return enough


def _monitored(place: str | None) -> socket.socket | None:
    """A socket that listens at `HOST:PORT`, or at a port of loopback. Raises BosquetError."""
    if place is None:
        return None
    host, _, port = place.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > MAX_PORT:
        raise BosquetError(f"--monitor {quoted(place)}: must be PORT or HOST:PORT, as 127.0.0.1:9642")
    return _listen(host.strip("[]") or "127.0.0.1", int(port))


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; the next free port if the usual one is taken."""
    last: OSError | None = None
    for candidate in _candidates(port):
        try:
            return socket.create_server((host, candidate), family=_family(host), backlog=512)
        except OSError as error:
            last = error
    assert last is not None
    place = f"[{host}]" if ":" in host else host
    raise BosquetError(f"{place}:{port}: can't listen there: {last.strerror or last}; name another --host or --port")


def _candidates(port: int) -> Iterator[int]:
    yield port
    if port == PORT:
        yield from range(PORT + 1, PORT + 10)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _shown(host: str) -> str:
    """How a host is written in an address that opens the page on this machine."""
    if is_address(host) and ipaddress.ip_address(host).is_unspecified:
        return "localhost"
    return f"[{host}]" if ":" in host else host
