"""What a wing of the server hands over to the application, which only collects it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import date
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from bosquet.server.base.rate_limits import Gate


@dataclass(frozen=True)
class Endpoint:
    """An address to which a guest sends requests. What is refused there becomes an answer with the refusal."""

    path: str
    answer: Callable[[Request, str], Awaitable[Response]]
    """Returns the answer to a guest; `request.state.known` is the guest, or None without a cookie. Raises Refusal."""
    method: str = "GET"
    gate: Gate | None = None
    """Bounds how often it may be asked, besides what bounds all requests."""
    anonymous: bool = False
    """Whether it does not matter if the guest's device was signed out."""
    any_site: bool = False
    """Whether pages of other sites may send requests: the address itself is the secret, not a cookie."""
    root: bool = False
    """Whether the path begins at the root of the site, and not below `/api`."""


Background = Callable[[], AbstractAsyncContextManager[None]]
"""Lets something go on in the background meanwhile."""


@dataclass(frozen=True)
class Wing:
    """What one wing hands over. Wings are listed from the lowest one to the highest one."""

    routes: Sequence[Endpoint | BaseRoute] = ()
    """Its addresses below `/api`: endpoints, and others that need no guest."""
    kept: Callable[[str, int], Awaitable[Mapping[str, Any]]] | None = None
    """Returns what is kept of a guest, as one of its devices sees it: fields of the message `Kept`. Raises Refusal."""
    erase: Callable[[str], Awaitable[None]] | None = None
    """Erases what is kept of a guest. Raises Refusal."""
    clean_up: Callable[[date], Awaitable[None]] | None = None
    """Deletes what is too old on a day. Raises Refusal."""
    background: Sequence[Background] = ()
    """What goes on as long as the application runs."""
