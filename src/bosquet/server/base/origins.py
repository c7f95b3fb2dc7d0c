"""Whether a request comes from a page of this server."""

from __future__ import annotations

from starlette.requests import HTTPConnection, Request


def is_same_origin(connection: HTTPConnection) -> bool:
    """Return whether a request comes from a page of this server, or from no page at all."""
    origin, host = connection.headers.get("origin"), connection.headers.get("host")
    return origin in (None, f"http://{host}", f"https://{host}")


def is_cross_site(request: Request) -> bool:
    """Return whether the page of another site makes a request.

    A link to this server is none: browsers send the cookie with it.
    """
    link = request.method == "GET" and request.headers.get("sec-fetch-mode") == "navigate"
    return not is_same_origin(request) or (request.headers.get("sec-fetch-site") == "cross-site" and not link)
