"""The requests of the host of a table to let others in the local network in."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import json_answer
from bosquet.server.base.refusals import Refusal
from bosquet.server.base.wing import Endpoint
from bosquet.server.http.local_network import LocalNetwork
from bosquet.server.http.messages import Network
from bosquet.server.tables.registry import TableRegistry


class NetworkRequests:
    """The endpoints about the local network."""

    def __init__(self, registry: TableRegistry, network: LocalNetwork | None) -> None:
        self._registry = registry
        self._network = network

    def routes(self) -> list[Endpoint]:
        """Return the addresses."""
        return [
            Endpoint("/network", self.shown),
            Endpoint("/network/close", self.close, "POST"),
            Endpoint("/tables/{table}/network", self.open, "POST"),
        ]

    async def shown(self, request: Request, guest: str) -> Response:
        """Whether others in the local network can come."""
        if self._network is None or not self._network.is_offered_to(request):
            return json_answer(Network(offered=False, address=None))
        return json_answer(Network(offered=True, address=self._network.address))

    async def open(self, request: Request, guest: str) -> Response:
        """Let others in the local network in: for the host of a table, at this machine."""
        network = self._network_for(request)
        table = await self._registry.current(request.path_params["table"])
        if not table.session.is_host(guest):
            raise Refusal("not yours", "only the host of this table can do that")
        try:
            await network.open()
        except BosquetError as error:
            raise Refusal("unavailable", str(error)) from None
        return await self.shown(request, guest)

    async def close(self, request: Request, guest: str) -> Response:
        """Let others in the local network in no more: for anybody at this machine."""
        self._network_for(request).close()
        return await self.shown(request, guest)

    def _network_for(self, request: Request) -> LocalNetwork:
        """The local network, for requests that may change who can come. Raises Refusal."""
        if self._network is None or "origin" not in request.headers or not self._network.is_offered_to(request):
            raise Refusal("not yours", "only a browser on the machine of the server can do that")
        return self._network
