"""Tells systemd that the server has started and that its loop goes on; else systemd starts it again.

The protocol is that of sd_notify(3): datagrams to the socket that the environment names.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Mapping

from bosquet.server.base.background import in_background

BEATS = 3
"""How often it is told within the time after which systemd gives the server up."""


@contextlib.asynccontextmanager
async def watched(environment: Mapping[str, str] = os.environ) -> AsyncIterator[None]:
    """Tell that the server has started, and meanwhile again and again that it goes on; nothing without systemd."""
    place = environment.get("NOTIFY_SOCKET", "")
    if not place:
        yield
        return
    seconds = int(environment.get("WATCHDOG_USEC", "0")) / 1e6
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.setblocking(False)
        told.connect(place.replace("@", "\0", 1) if place.startswith("@") else place)
        told.send(b"READY=1")
        async with in_background(_beat(told, seconds / BEATS) if seconds else asyncio.sleep(0)):
            yield


async def _beat(told: socket.socket, pause: float) -> None:
    while True:
        with contextlib.suppress(OSError):
            told.send(b"WATCHDOG=1")
        await asyncio.sleep(pause)
