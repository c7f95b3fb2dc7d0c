"""Worker processes are shared fairly: by address, by guest, and tables with people first."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from bosquet.core.rng import Rng
from bosquet.server.base.fair_queue import HALF_LIFE, Asker, Used
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute.choosing import NotReady, Planned, choose, get_ready
from bosquet.server.compute.thinking import COMPILER_SECONDS, Thinking
from bosquet.server.compute.workers import Workers
from tests.server.helpers.clocks import without_waiting
from tests.server.helpers.people import GREEDY, RANDOM, Person


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Processes:
    """Stands for worker processes: what they do ends when a test says so."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.running: dict[str, asyncio.Future[str]] = {}
        self.begun: list[str] = []

    async def run(self, work: Callable[..., Any], name: str) -> str:
        self.begun.append(name)
        self.running[name] = asyncio.get_running_loop().create_future()
        return await self.running[name]

    async def finish(self, name: str) -> None:
        self.running.pop(name).set_result(name)
        await settle()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def thinking(processes: int, most: float = math.inf) -> tuple[Thinking, Processes, Clock]:
    clock = Clock()
    stand_in = Processes(processes)
    return Thinking(cast(Workers, stand_in), clock=clock, most=most), stand_in, clock


async def ask(
    queue: Thinking, name: str, address: str, guest: str = "g", people: bool = True, threads: int = 1
) -> asyncio.Task[Any]:
    task = asyncio.create_task(queue.run(Asker(guest, address, people, threads), print, name))
    await settle()
    return task


def test_what_waits_for_the_compiler_leaves_its_process_to_others() -> None:
    async def run() -> None:
        queue, processes, _ = thinking(2)
        waiting = [await ask(queue, f"hint {n}", f"address {n}") for n in range(2)]
        other = await ask(queue, "greedy", "address 9")
        assert "greedy" not in processes.begun
        for n in range(2):
            processes.running.pop(f"hint {n}").set_exception(NotReady())
        await settle()
        assert processes.begun[-1] == "greedy"
        await asyncio.sleep(2 * COMPILER_SECONDS)
        assert len(processes.begun) == 4  # one of the hints tries again
        await processes.finish("greedy")
        await settle()
        for n in range(2):
            await processes.finish(f"hint {n}")
        assert [await task for task in (*waiting, other)] == ["hint 0", "hint 1", "greedy"]

    without_waiting(run())


def test_one_address_never_occupies_the_last_process() -> None:
    async def run() -> None:
        queue, processes, _ = thinking(2)
        for i in range(20):
            await ask(queue, f"a{i}", "a", guest=f"guest {i}")
        assert processes.begun == ["a0"]
        await ask(queue, "b", "b")
        assert processes.begun == ["a0", "b"]
        await processes.finish("b")
        assert processes.begun == ["a0", "b"]
        await processes.finish("a0")
        assert processes.begun == ["a0", "b", "a1"]

    asyncio.run(run())


def test_a_flood_of_one_address_delays_others_by_one_turn_and_is_refused_before_them() -> None:
    async def run() -> None:
        queue, processes, clock = thinking(1, most=4)
        flood = [await ask(queue, f"a{i}", "a", guest=f"g{i}") for i in range(7)]
        assert [one.done() for one in flood] == [False] * 4 + [True] * 3
        await ask(queue, "b", "b")
        assert all(isinstance(one.exception(), Refusal) for one in flood[3:])
        clock.seconds += 1
        await processes.finish("a0")
        assert processes.begun == ["a0", "b"]
        await processes.finish("b")
        assert processes.begun == ["a0", "b", "a1"]

    asyncio.run(run())


def test_what_is_dear_never_occupies_the_last_process() -> None:
    async def run() -> None:
        queue, processes, _ = thinking(2)
        for address in "abc":
            await ask(queue, address, address, threads=2)
        assert processes.begun == ["a"]
        await ask(queue, "short", "d")
        assert processes.begun == ["a", "short"]
        await processes.finish("a")
        assert processes.begun == ["a", "short", "b"]
        await processes.finish("short")
        assert processes.begun == ["a", "short", "b"]

    asyncio.run(run())


def test_with_one_process_nobody_waits_for_more_than_one_dear_decision() -> None:
    async def run() -> None:
        queue, processes, clock = thinking(1)
        for i in range(3):
            await ask(queue, f"a{i}", "a", threads=2)
        await ask(queue, "short", "b")
        clock.seconds += 1
        await processes.finish("a0")
        assert processes.begun == ["a0", "short"]
        await processes.finish("short")
        assert processes.begun == ["a0", "short", "a1"]

    asyncio.run(run())


def test_two_threads_use_twice_as_much() -> None:
    async def run() -> None:
        queue, processes, clock = thinking(1)
        for address, threads in (("a", 2), ("b", 1)):
            for i in range(2):
                await ask(queue, f"{address}{i}", address, threads=threads)
        clock.seconds += 2
        await processes.finish("a0")  # used 4 seconds
        clock.seconds += 3
        await processes.finish("b0")  # used 3
        assert processes.begun == ["a0", "b0", "b1"]

    asyncio.run(run())


def test_who_has_used_less_comes_first() -> None:
    async def run() -> None:
        queue, processes, clock = thinking(1)
        for i in range(3):
            await ask(queue, f"a{i}", "a")
        clock.seconds += 5
        await ask(queue, "b0", "b")
        await ask(queue, "b1", "b")
        await processes.finish("a0")
        assert processes.begun[-1] == "b0"
        clock.seconds += 2
        await processes.finish("b0")
        assert processes.begun[-1] == "b1"
        clock.seconds += 4
        await processes.finish("b1")
        assert processes.begun[-1] == "a1"

    asyncio.run(run())


def test_guests_of_one_address_share_its_time() -> None:
    async def run() -> None:
        queue, processes, clock = thinking(1)
        for i in range(3):
            await ask(queue, f"ann{i}", "club", guest="ann")
        await ask(queue, "bea", "club", guest="bea")
        clock.seconds += 1
        await processes.finish("ann0")
        assert processes.begun == ["ann0", "bea"]

    asyncio.run(run())


def test_tables_with_people_come_first() -> None:
    async def run() -> None:
        queue, processes, _ = thinking(1)
        await ask(queue, "first", "a")
        await ask(queue, "bots", "b", people=False)
        await ask(queue, "people", "a")
        await processes.finish("first")
        assert processes.begun == ["first", "people"]

    asyncio.run(run())


def test_who_gives_up_waits_no_more_and_what_has_begun_is_finished() -> None:
    async def run() -> None:
        queue, processes, _ = thinking(1)
        begun = await ask(queue, "a", "a")
        waiting = await ask(queue, "b", "b")
        await ask(queue, "c", "c")
        for task in (begun, waiting):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        assert processes.begun == ["a"]  # its process is not free before it has finished
        await processes.finish("a")
        assert processes.begun == ["a", "c"]
        await processes.finish("c")
        await ask(queue, "d", "a")
        assert processes.begun == ["a", "c", "d"]

    asyncio.run(run())


def test_what_was_used_long_ago_counts_little() -> None:
    clock = Clock()
    used = Used(clock)
    used.add("a", 8.0)
    clock.seconds = HALF_LIFE
    used.add("b", 1.0)
    assert (used["a"], used["b"], used["c"]) == (4.0, 1.0, 0.0)
    clock.seconds = 20 * HALF_LIFE
    used.add("b", 1.0)
    assert used["a"] == 0.0


def test_a_champion_at_a_table_is_dear(ann: Person, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = cast(Any, client.app).state.server.services.compute.thinking
    asked = []

    async def answer(asker: Asker, work: Any, *given: Any) -> Planned:
        if work is get_ready:
            return []
        asked.append((given[0], asker.threads))
        return choose("level1", *given[1:])

    monkeypatch.setattr(queue, "run", answer)
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": "champion"}, {"kind": "bot", "bot": "level6"}]
    with ann.at(ann.open("topas", {"players": 3}, seats)) as page:
        page.ready()
        page.play_on(Rng(3), 9)
    assert {("champion", 2), ("level6", 1)} == set(asked)


def test_a_table_of_bots_pauses_while_nobody_watches(ann: Person, client: TestClient) -> None:
    registry = cast(Any, client.app).state.server.registry
    table = ann.open("schlossgarten", {"players": 4}, [GREEDY, RANDOM, RANDOM, RANDOM])
    assert client.portal is not None
    live: Any = client.portal.call(registry.find, table)
    time.sleep(0.3)
    assert live.session.number == 0
    with ann.at(table) as page:
        while page.position.get("number", 0) < 3:
            page.hear("position")
    time.sleep(0.3)
    paused = live.session.number
    time.sleep(0.3)
    assert not live.session.dealt().over
    assert live.session.number == paused
    with ann.at(table) as page:
        while page.position.get("number", 0) <= paused:
            page.hear("position")
