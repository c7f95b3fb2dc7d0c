"""Answers that refuse a request: the code of a refusal, and the HTTP status that it has."""

from __future__ import annotations

from starlette.responses import Response
from starlette.websockets import WebSocket

from bosquet.server.base.bodies import json_answer
from bosquet.server.base.messages import Code, Problem

STATUS: dict[Code, int] = {
    "malformed": 400,
    "name": 400,
    "illegal": 400,
    "not yours": 403,
    "wrong origin": 403,
    "no table": 404,
    "not found": 404,
    "stale": 409,
    "not now": 409,
    "no seat": 409,
    "host away": 409,
    "unreadable": 410,
    "too large": 413,
    "busy": 429,
    "unavailable": 503,
    "bots away": 503,
    "revoked": 403,
    "erased": 403,
    "no code": 410,
    "no person": 404,
    "other tables": 409,
    "devices": 409,
    "hidden": 409,
    "barred": 403,
}


def problem(code: Code, message: str) -> Response:
    """Return the answer that refuses a request."""
    return json_answer(Problem(code=code, message=message), STATUS[code])


async def deny(socket: WebSocket, code: Code, message: str) -> None:
    """Answer somebody who asks for a WebSocket with a refusal instead."""
    await socket.send_denial_response(problem(code, message))
