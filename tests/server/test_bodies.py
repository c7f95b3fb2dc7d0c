"""Work for requests goes on as long as their clients are there."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import ClientDisconnect, Request

from bosquet.core.errors import BosquetError
from bosquet.server.base.bodies import while_connected


class Client:
    """One who has sent a body, and stays until it leaves."""

    def __init__(self) -> None:
        self.leaves = asyncio.Event()
        self.request = Request({"type": "http"}, self.receive)

    async def receive(self) -> dict[str, str]:
        await self.leaves.wait()
        return {"type": "http.disconnect"}


def test_work_ends_when_the_client_leaves() -> None:
    async def left() -> bool:
        client, cancelled = Client(), False

        async def work() -> None:
            nonlocal cancelled
            try:
                await asyncio.sleep(60)
            finally:
                cancelled = True

        asyncio.get_running_loop().call_later(0.05, client.leaves.set)
        with pytest.raises(ClientDisconnect):
            await while_connected(client.request, work())
        return cancelled

    assert asyncio.run(left())


def test_work_is_done_for_one_who_stays() -> None:
    async def done() -> int:
        async def work() -> int:
            return 3

        async def refused() -> int:
            raise BosquetError("no")

        with pytest.raises(BosquetError):
            await while_connected(Client().request, refused())
        return await while_connected(Client().request, work())

    assert asyncio.run(done()) == 3
