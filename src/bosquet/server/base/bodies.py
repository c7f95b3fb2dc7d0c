"""Reads the bodies of requests within their limit, and makes answers."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Collection, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from bosquet.core.errors import BosquetError
from bosquet.server.base.background import ended
from bosquet.server.base.messages import ENCODER, decoded
from bosquet.server.base.refusals import Refusal

T = TypeVar("T")
Message = TypeVar("Message", bound=msgspec.Struct)


@dataclass(frozen=True)
class BodyLimits:
    """How long the body of a request may be."""

    body_bytes: int = 1 << 17
    """Six times the longest record of a game; in memory JSON may take thirty-five times its size."""


async def read_json(request: Request, kind: type[Message]) -> Message:
    """Return the body of a request, checked, as a message of some kind. Raises Refusal."""
    try:
        found: Message = decoded(_decoder(kind), await read_bytes(request))
    except BosquetError as error:
        raise Refusal("malformed", str(error)) from None
    return found


@functools.cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


async def read_bytes(
    request: Request, types: Collection[str] = ("application/json",), limit: int | None = None
) -> bytes:
    """Return the body of a request, of one of some types, as it came; by default it is as long as all may be.

    Raises Refusal.
    """
    most: int = request.state.body_bytes if limit is None else limit
    if request.headers.get("content-type", "").split(";")[0].strip() not in types:
        raise Refusal("malformed", f"the content-type must be {' or '.join(types)}")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refusal("too large", f"at most {most} bytes")
    return bytes(body)


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return what some work gives for a request whose body was read; cancel it when the client leaves.

    Raises what the work raises, and ClientDisconnect.
    """
    working, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        await ended(working, leaving)


async def _left(request: Request) -> None:
    """Wait until the client leaves."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def json_answer(value: Any, status: int = 200) -> Response:
    """Return an answer with a message."""
    return Response(ENCODER.encode(value), status, media_type="application/json")


def file_answer(content: bytes, media_type: str, name: str) -> Response:
    """Return an answer that a browser saves under a name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
