"""Two people who write to each other at a table."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tests.server.helpers.people import FRIEND, ME, Page, Person, begin


@contextlib.contextmanager
def seated(
    ann: Person, bea: Person, *, listed: bool = False, program: bool = False, by_link: bool = True
) -> Iterator[tuple[str, Page, Page]]:
    """A table of Ann and Bea, each with a page, whose game has begun."""
    table = ann.open("topas", {"players": 2}, [ME, FRIEND], listed=listed)
    with ann.at(table) as hers:
        link = hers.hear("table")["invitation"] if by_link else None
        body = {"name": "Bea", "invitation": link, "program": program}
        assert bea.post(f"/api/tables/{table}/join", body).status_code == 204
        with bea.at(table) as theirs:
            begin(hers, theirs)
            yield table, hers, theirs


def write(page: Page, text: str) -> None:
    page.ask("write", seat=page.position["viewpoint"], text=text)


def told(page: Page) -> list[str]:
    return [line["text"] for line in page.hear("chat")["lines"]]


def mine(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.get("/api/me").json()["chat"]
    return found
