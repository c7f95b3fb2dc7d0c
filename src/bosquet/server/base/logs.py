"""Logs: events on standard error, one a line, for people or for programs, without secrets."""

from __future__ import annotations

import logging
import re
import secrets
import sys
from typing import Literal

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Form = Literal["plain", "json"]

REQUEST_ID = "x-request-id"
GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""An id that a proxy may give; any other is replaced."""


def configure(form: Form = "plain") -> None:
    """Log to standard error, in this form: events of our own and those of libraries."""
    # Plain tracebacks: the others show the values of variables, secrets and hands among them.
    common: list[structlog.types.Processor] = [structlog.processors.add_log_level]
    shown: list[structlog.types.Processor]
    if form == "json":
        common.append(structlog.contextvars.merge_contextvars)  # the id of the request, which says nothing to people
        common.append(structlog.processors.TimeStamper(fmt="iso", utc=True))
        shown = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        common.append(structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False))
        shown = [
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
        ]
    structlog.configure(
        processors=[*common, *shown],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    remove_meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=common, processors=[remove_meta, *shown])
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it warns of requests that are no HTTP


class RequestIds:
    """Gives each request an id, which its events and its answer have; one that a proxy gave is kept."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        request = given if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)

        async def with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[REQUEST_ID] = request
            await send(message)

        with structlog.contextvars.bound_contextvars(request=request):
            await self._app(scope, receive, with_id)
