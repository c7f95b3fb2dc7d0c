"""Moves are data on the wire: what is offered, what the log says and what a hint proposes."""

from __future__ import annotations

from typing import Any

import pytest

import bosquet
from bosquet.core.rng import Rng
from tests.server.helpers.people import FRIEND, ME, Person

KINDS = {
    "topiary": {"line", "take", "pass", "put"},
    "topas": {"move"},
    "schlossgarten": {"card", "step", "jump", "shift", "hit", "stop", "dig", "build", "end"},
}


@pytest.mark.parametrize("name", bosquet.GAMES)
def test_the_log_has_the_moves_that_were_offered(name: str, ann: Person, bea: Person) -> None:
    table = ann.open(name, {"players": 2}, [ME, FRIEND], listed=True, assistance="full")
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    with ann.at(table) as first, bea.at(table) as second:
        pages = [first, second]
        for page in pages:
            page.ready()
        for page in pages:
            page.hear("position")
        rng = Rng(name, "moves")
        made: list[dict[str, Any]] = []
        for _ in range(12):
            mover = next(page for page in pages if page.position["view"]["moves"])
            move = rng.choice(mover.position["view"]["moves"])
            made.append(move)
            mover.play(move["say"])
            for page in pages:
                page.hear("position")
            assert mover.entries[-1]["move"] == move
            other = next(page for page in pages if page is not mover)
            assert other.entries[-1]["move"] | {"points": 0} == move | {"points": 0}
            assert other.entries[-1]["say"] == other.entries[-1]["move"]["say"]
        assert {move.get("kind", "move") for move in made} <= KINDS[name]
        with Person(ann.client).at(table) as watching:
            watching.hear("position")
            assert [entry["move"]["cells"] for entry in watching.entries] == [move["cells"] for move in made]


def test_what_is_kept_in_the_draft_is_said_to_its_owner_only(ann: Person, bea: Person) -> None:
    table = ann.open("topiary", {"players": 2, "draft": True}, [ME, FRIEND], listed=True)
    bea.post(f"/api/tables/{table}/join", {"name": "Bea"})
    with ann.at(table) as first, bea.at(table) as second:
        for page in (first, second):
            page.ready()
        for page in (first, second):
            page.hear("position")
        mover, other = (first, second) if first.position["view"]["moves"] else (second, first)
        move = mover.position["view"]["moves"][0]
        assert len(move["kept"]) == 3
        mover.play(move["say"])
        mover.hear("position")
        other.hear("position")
        assert mover.entries[0]["move"] == move
        assert other.entries[0]["move"] == {"say": "keep", "kind": "keep", "cells": []}


def test_what_is_taken_back_is_no_move(ann: Person) -> None:
    table = ann.open("schlossgarten", {"players": 2}, [ME, {"kind": "bot", "bot": "random"}])
    with ann.at(table) as page:
        page.ready()
        while not page.position.get("view", {}).get("moves"):
            page.hear("position")
        while not page.position["undo"]:
            page.play(page.position["view"]["moves"][0]["say"])
            page.hear("position")
        page.ask("undo", seat=page.position["viewpoint"], number=page.position["number"])
        page.hear("position")
        assert (page.entries[-1]["move"], page.entries[-1]["undo"]) == (None, True)
