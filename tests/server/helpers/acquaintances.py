"""People who have played together, whom they block, and whom they invite."""

from __future__ import annotations

import contextlib
from typing import Any

import sqlalchemy as sa

from bosquet.server.store.schema import finished, results
from bosquet.server.store.store import Store
from tests.server.helpers.people import FRIEND, ME, Person, begin


def play(*players: Person, names: tuple[str, ...] = ("Ann", "Bea", "Cyd"), **join: Any) -> str:
    """Let some people play a game that all of them end at once."""
    host, *others = players
    table = host.open("topas", {"players": len(players)}, [ME | {"name": names[0]}, *[FRIEND] * len(others)])
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(host.at(table))]
        invitation = pages[0].hear("table")["invitation"]
        for other, name in zip(others, names[1:], strict=False):
            body = {"name": name, "invitation": invitation, **join}
            assert other.post(f"/api/tables/{table}/join", body).status_code == 204
            pages.append(stack.enter_context(other.at(table)))
        begin(*pages)
        for page in pages:
            page.ask("agree", proposal="end")
        while pages[0].news.get("phase") != "over":
            pages[0].hear()
    return table


def of(person: Person) -> dict[str, list[dict[str, Any]]]:
    answer = person.get("/api/people")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    return {which: found[which] for which in ("people", "blocked")}


def id_of(person: Person, name: str) -> str:
    (found,) = [one["id"] for kind in of(person).values() for one in kind if one["name"] == name]
    return str(found)


def block(person: Person, name: str, blocked: bool = True) -> None:
    answer = person.post("/api/people/block", {"person": id_of(person, name), "blocked": blocked})
    assert answer.status_code == 204, answer.text


async def some_people(store: Store, count: int, owner: str = "ann") -> None:
    """Let a guest have played once with each of this number of people, the last one latest."""
    for number in range(count):
        table, ended = f"{owner}{number:04}", f"2026-01-01T00:00:00.{number:03}Z"
        game = {"game": "topas", "ended": ended}
        row = {"table_id": table, "players": 2, "whole": True, "outcome": "void", "program": False, "again": False}
        both = [(0, owner, owner), (1, f"p{number}", f"P{number}")]
        await store.write(
            sa.insert(finished).values(id=table, options={}, assistance="full", **game),
            *[
                sa.insert(results).values(row | game | {"seat": seat, "guest": guest, "name": name, "stood_in": False})
                for seat, guest, name in both
            ],
        )


def invite(person: Person, name: str, table: str) -> Any:
    return person.post("/api/people/invite", {"person": id_of(person, name), "table": table})


def invited(person: Person) -> list[tuple[str, str]]:
    found = person.get("/api/lobby").json()["invitations"]
    return [(one["name"], one["table"]["table"]) for one in found]


def answer(person: Person, table: str, how: str = "accept", name: str | None = "Bea") -> Any:
    return person.post("/api/people/answer", {"table": table, "answer": how, "name": name})
