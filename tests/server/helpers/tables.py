"""Tables in the process of a test: what pages there are told, and work that is done at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


class HereAtOnce:
    """Works things out at once instead of in another process."""

    processes = 2

    def open(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    async def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Return what a function gives."""
        return function(*args)


class Ear:
    """A page at a table."""

    address = "127.0.0.1"
    watching = False
    engine = False

    def __init__(self, guest: str) -> None:
        self.guest = guest
        self.viewpoint: int | None = None
        self.number = 0
        self.state: dict[str, Any] = {}

    def send_off(self) -> None:
        raise AssertionError("nobody is sent away here")

    def send(self, message: bytes) -> None:
        told = json.loads(message)
        if told["type"] == "table":
            self.state = told
