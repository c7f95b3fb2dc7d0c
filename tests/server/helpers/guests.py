"""What guests do with themselves: other devices, and to be forgotten."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.server.helpers.people import Person

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0"
PHONE = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"


def ask(person: Person, path: str, body: Any = None, agent: str = FIREFOX) -> httpx2.Response:
    """Ask for something of oneself; keeps a new cookie, as a browser does."""
    headers = {"cookie": f"bosquet={person.cookie}", "user-agent": agent}
    answer = (
        person.client.get(f"/api/me/{path}", headers=headers)
        if body is None
        else person.client.post(f"/api/me/{path}", json=body, headers=headers)
    )
    person.cookie = answer.cookies.get("bosquet") or person.cookie
    person.client.cookies.clear()
    return answer


def code_of(person: Person) -> str:
    code: str = ask(person, "transfer", {}).json()["code"]
    return code


def move(person: Person, code: str, **more: Any) -> httpx2.Response:
    return ask(person, "transfer/claim", {"code": code, **more}, PHONE)


def erase(person: Person) -> None:
    """Have somebody be forgotten; their old cookie counts no more, and they go on with a new one."""
    before = person.cookie
    answer = person.post("/api/me/erase", {})
    assert answer.status_code == 204
    assert person.get("/api/me").status_code == 403
    person.cookie = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert person.cookie != before


def key(person: Person) -> str:
    """The key of a guest, which nobody else may learn."""
    return person.cookie.partition(".")[0]
