"""The web application: pages, requests and the WebSockets of tables, over a database."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.middleware import Middleware

from bosquet.server.base.base_path import ROOT, InFolder
from bosquet.server.base.host_names import Names
from bosquet.server.base.logs import RequestIds
from bosquet.server.base.metrics import Metrics
from bosquet.server.compute.compile_ahead import compiling_ahead
from bosquet.server.compute.compute import build_compute
from bosquet.server.compute.quick_views import quickening
from bosquet.server.http.limits import Limits
from bosquet.server.http.local_network import LocalNetwork
from bosquet.server.http.monitor import Monitor
from bosquet.server.http.retention import Retention
from bosquet.server.http.security_headers import Headers
from bosquet.server.http.server import Server
from bosquet.server.nodes.bus import LocalBus
from bosquet.server.nodes.nodes import Nodes
from bosquet.server.nodes.redis_bus import RedisBus
from bosquet.server.notices.push_delivery import Delivery
from bosquet.server.notices.smtp import Mailer
from bosquet.server.services import Services
from bosquet.server.store.store import Store


def create_app(
    database: str,
    key: bytes,
    *,
    limits: Limits | None = None,
    bus: RedisBus | None = None,
    processes: int | None = None,
    names: frozenset[str] | None = None,
    base: str = ROOT,
    network: LocalNetwork | None = None,
    contact: str | None = None,
    delivery: Delivery | None = None,
    mailer: Mailer | None = None,
    warm: bool = True,
) -> Starlette:
    """Return the application over a database (an SQLAlchemy URL), whose cookies are signed with `key`.

    With a bus it is one of several nodes. It answers to these `names`, or to any, in the
    folder `base` of its host. Into a `network` hosts may open it.
    Push services are told a `contact`, the URL of those who run it; `delivery` is how they are reached.
    Without a `mailer` no e-mail is sent.
    Bots think in a number of `processes`, see `build_compute`. Unless it is not `warm`, what they need is compiled
    before anybody plays. Raises BosquetError.
    """
    metrics = Metrics()
    store = Store(database, metrics, alone=bus is None)
    metrics.watch("store_bytes", "Size of an SQLite store", store.size)
    nodes = Nodes(bus or LocalBus(), key)
    bounds = limits or Limits()
    compute = build_compute(processes, bus, nodes, bounds, metrics)
    server = Server(
        Services(store, nodes, compute, metrics),
        key,
        bounds,
        Retention(),
        base=base,
        network=network,
        contact=contact,
        delivery=delivery,
        mailer=mailer,
    )

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with server.running(), contextlib.AsyncExitStack() as stack:
            if warm:
                await stack.enter_async_context(compiling_ahead())
                await stack.enter_async_context(quickening())
            yield

    app = Starlette(
        routes=server.routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(RequestIds),
            Middleware(Headers),
            Middleware(Names, names=names),
            Middleware(InFolder, base=base),
        ],
    )
    app.state.server = server
    app.state.monitor = Monitor(store, nodes, metrics)
    return app
