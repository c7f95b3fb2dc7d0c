"""Deadlines that pass while no server runs, that two nodes look after, or that come to nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bosquet.server.base.clock import later, now
from bosquet.server.base.refusals import Refusal
from bosquet.server.host.checking import check_database
from bosquet.server.store.schema import tables
from bosquet.server.store.sqlite_file import DATABASE
from bosquet.server.store.store import Store
from bosquet.server.table.listeners import TurnBegan, TurnEnded
from bosquet.server.table.table import Table
from bosquet.server.tables import deadlines
from tests.server.helpers.kept import change
from tests.server.helpers.slow import (
    ONE_TURN,
    UNTIL_BACK,
    at_rest,
    looking,
    node,
    opened,
    play,
    run,
    stop_bots,
    to_move,
)


def test_deadlines_that_passed_while_no_server_ran_are_found_after_a_restart(tmp_path: Path) -> None:
    left: dict[str, tuple[str, str, int]] = {}

    async def before(store: Store) -> None:
        registry, _ = node(store)
        for agreed in (ONE_TURN, UNTIL_BACK):
            table = await opened(registry, agreed)
            left[table.id] = (*to_move(table)[1:], table.session.deadline or "", table.session.number)

    async def after(store: Store) -> None:
        registry, told = node(store)
        assert list(registry.held()) == []
        late = max(deadline for _, deadline, _ in left.values())
        assert await looking(registry, late).look() == 2
        for table_id, (guest, deadline, number) in left.items():
            table = await registry.find(table_id)
            await at_rest(table)
            assert table.session.number > number
            assert to_move(table)[1] != guest
            assert table.session.deadline != deadline
        assert sorted(one.guest for one in told if isinstance(one, TurnEnded)) == sorted(
            guest for guest, _, _ in left.values()
        )

    run(tmp_path, before)
    run(tmp_path, after)
    assert [found for found in check_database(tmp_path / DATABASE) if found[1]] == []


def test_a_bot_whose_server_was_killed_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def before(store: Store) -> None:
        registry, _ = node(store)
        table = await opened(registry)
        stop_bots(registry)
        await looking(registry, table.session.deadline or "").look()
        seat, _ = to_move(table)
        assert table.session.chairs[seat].bot == "random"
        assert table.bots.task is not None
        table.bots.task.cancel()

    async def after(store: Store) -> None:
        registry, _ = node(store)
        ((table_id, due),) = await deadlines.due_tables(store, "9999", 9)
        assert await looking(registry, due).look() == 1
        table = await registry.find(table_id)
        await at_rest(table)
        assert [chair.bot for chair in table.session.chairs] == [None, None]
        assert table.session.deadline is not None

    run(tmp_path, before)
    run(tmp_path, after)


def test_of_two_nodes_one_acts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    due_tables, both = deadlines.due_tables, asyncio.Barrier(2)

    async def seen_by_both(*given: Any) -> list[tuple[str, str]]:
        """Let no node act before the other one has seen that the table is due."""
        found = await due_tables(*given)
        await both.wait()
        return found

    monkeypatch.setattr(deadlines, "due_tables", seen_by_both)

    async def story(store: Store) -> None:
        (first, told), (second, told_there) = node(store), node(store)
        table = await opened(first)
        guest = to_move(table)[1]
        deadline, number = table.session.deadline or "", table.session.number
        told.clear()
        claimed = await asyncio.gather(looking(first, deadline).look(), looking(second, deadline).look())
        assert sorted(claimed) == [0, 1]
        for registry in (first, second):
            if table.id in {held.id for held in registry.held()}:
                await at_rest(await registry.find(table.id))
        again, _ = node(store)
        read = await again.find(table.id)
        assert read.session.number > number
        news = told + told_there
        assert [one.guest for one in news if isinstance(one, TurnEnded)] == [guest]
        assert len([one for one in news if isinstance(one, TurnBegan)]) == 1

    run(tmp_path, story)


def test_a_table_that_fails_keeps_no_other_from_being_looked_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(store: Store) -> None:
        registry, _ = node(store)
        bad, good = await opened(registry), await opened(registry)
        seat, _ = to_move(good)
        current = registry.current

        async def failing(table: str) -> Table:
            if table == bad.id:
                raise RuntimeError("of all things")
            return await current(table)

        monkeypatch.setattr(registry, "current", failing)
        stop_bots(registry)
        assert await looking(registry, "9999-01-01T00:00:00.000Z").look() == 2
        assert good.session.chairs[seat].bot == "random"
        assert good.bots.task is not None
        good.bots.task.cancel()

    run(tmp_path, story)


def test_of_a_move_and_a_stand_in_at_two_nodes_one_counts(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        for quicker in ("move", "bot"):
            (first, told), (second, told_there) = node(store), node(store)
            table = await opened(first)
            guest, deadline = to_move(table)[1], table.session.deadline or ""
            there = await second.find(table.id)
            stop_bots(first)
            stop_bots(second)
            told.clear()
            if quicker == "move":
                await play(table)
                with pytest.raises(Refusal, match="quicker"):
                    await there.look_after(deadline)
                assert told_there == []
            else:
                await there.look_after(deadline)
                with pytest.raises(Refusal, match="quicker"):
                    await play(table)
                assert table.session.chairs[to_move(table)[0]].bot == "random"
                assert told == []
                for one in (there, table):
                    if one.bots.task is not None:
                        one.bots.task.cancel()
            read = (await node(store)[0].find(table.id)).session
            assert read.number == table.session.number == there.session.number
            assert read.deadline == table.session.deadline == there.session.deadline
            assert [one.guest for one in told + told_there if isinstance(one, TurnEnded)] == [guest]

    run(tmp_path, story)


def test_a_claim_that_came_to_nothing_is_looked_after_again(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, _ = node(store)
        table = await opened(registry)
        deadline = table.session.deadline or ""
        ((_, due),) = await deadlines.due_tables(store, deadline, 9)
        await deadlines.claim(store, table.id, due, later(deadline, seconds=120))  # by a node that is killed
        assert await looking(registry, later(deadline, seconds=119)).look() == 0
        assert await looking(registry, later(deadline, seconds=120)).look() == 1
        await at_rest(table)
        assert table.session.deadline != deadline

    run(tmp_path, story)


def test_a_table_that_is_looked_after_too_early_stays_as_it_is_and_tells_nobody_again(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        registry, told = node(store)
        table = await opened(registry)
        deadline, number = table.session.deadline or "", table.session.number
        await store.update_table(table.id, due=now())
        assert await looking(registry, later(now(), seconds=1)).look() == 1
        assert (table.session.deadline, table.session.number, len(told)) == (deadline, number, 1)
        assert await deadlines.due_tables(store, "9999", 9) == [(table.id, later(deadline, hours=-12))]

    run(tmp_path, story)


def test_a_deadline_that_a_crash_left_out_begins_anew(tmp_path: Path) -> None:
    """What concerns seats and moves is written in two steps."""

    async def story(store: Store) -> None:
        table = await opened(node(store)[0])
        await store.update_table(table.id, deadline=None, due=now())
        registry, told = node(store)
        at = later(now(), seconds=1)
        assert await looking(registry, at).look() == 1
        again = await registry.find(table.id)
        assert again.session.deadline == later(at, days=1)
        assert await deadlines.due_tables(store, "9999", 9) == [(table.id, later(at, hours=12))]
        assert isinstance(told[-1], TurnBegan)

    run(tmp_path, story)


def test_many_deadlines_are_looked_after_a_few_at_a_time_and_one_that_is_damaged_hinders_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def before(store: Store) -> None:
        registry, _ = node(store)
        for _ in range(3):
            await opened(registry)

    async def after(store: Store) -> None:
        registry, _ = node(store)
        late = max(due for _, due in await deadlines.due_tables(store, "9999", 9))
        monkeypatch.setattr(deadlines, "AT_ONCE", 2)
        assert [await looking(registry, late).look() for _ in range(3)] == [2, 1, 0]
        dues = {row.due for row in await store.select(sa.select(tables.c.due).where(tables.c.late_bot == "deep"))}
        assert dues == {later(late, days=1)}

    run(tmp_path, before)
    change(tmp_path / DATABASE, "UPDATE tables SET late_bot = 'deep' WHERE id = (SELECT MIN(id) FROM tables)")
    run(tmp_path, after)
