"""Bots of the six levels at tables: whole turns are thought out once, and processes that get ready."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Coroutine
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

import bosquet
from bosquet import bots
from bosquet.bots import outside
from bosquet.core.positions.position import decision_rng
from bosquet.core.records import fair
from bosquet.core.rng import Rng
from bosquet.search import plan_key
from bosquet.server.compute import choosing
from bosquet.server.compute.choosing import NotReady, Searched, Searches, choose, get_ready, load_beside
from bosquet.server.compute.workers import Closed, Workers
from tests.server.helpers.people import Person

ME = {"kind": "me", "name": "Ann"}
SALT = "salt"
LEVEL = {"kind": "bot", "bot": "level1", "name": "Daisy"}


def test_a_plan_is_what_a_bot_that_stays_would_play() -> None:
    game = bosquet.new("schlossgarten", players=2, seed=2)
    stays = bots.make("level3")
    seat = game.seat
    assert seat is not None
    planned = choose("level3", game.view(seat), SALT)
    assert len(planned) > 2
    for view, move in planned:
        now: Any = game.view(seat)
        assert view == plan_key(now)
        assert game.seat == seat
        assert stays.choose(now, decision_rng(f"level3/{SALT}", now)) == move
        game.play(move)


def test_a_move_depends_on_what_nobody_at_the_table_knows() -> None:
    """Or one could try which hidden hands lead to the moves of a bot."""
    view = bosquet.new("topas", players=2, seed=2).view(0)
    moves = {choose("random", view, fair.bot_salt(secret))[0][1] for secret in map(str, range(10))}
    assert len(moves) > 5
    assert len({choose("random", view, SALT)[0][1] for _ in range(5)}) == 1


def test_a_turn_of_schlossgarten_is_thought_about_once(
    ann: Person, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = client.app.state.server.services.compute.thinking.workers
    run, thought = pool.run, []

    async def run_and_count(work: Any, *given: Any) -> Any:
        if work is choose:
            thought.append(given[1])
        return await run(work, *given)

    monkeypatch.setattr(pool, "run", run_and_count)
    table = ann.open("schlossgarten", {"players": 2}, [ME, LEVEL])
    with ann.at(table) as page:
        page.ready()
        page.play_on(Rng(3), 25)
    turns = Counter(view.turn for view in thought)
    moves = [entry for entry in page.entries if entry["seat"] != page.position["viewpoint"]]
    assert len(moves) > 2 * len(thought)
    # A card that is drawn, or a figure that was jumped over, may make a second thought necessary.
    assert max(turns.values()) <= 2


def loading_beside(monkeypatch: pytest.MonkeyPatch) -> Searches:
    """Return the searches of a process that has just started and loads them beside what else it is asked."""
    cold = Searches()
    cold.beside = True
    monkeypatch.setattr(choosing, "_searches", cold)
    return cold


def test_gentle_levels_do_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's first game begins with half a minute of silence; and what they play is what they play compiled."""
    monkeypatch.setattr(choosing, "Rng", lambda: Rng(5))
    for name in bosquet.GAMES:
        game = bosquet.new(name, players=2, seed=4)
        view = game.view(game.seat)
        usual = choose("level2", view, SALT)
        with monkeypatch.context() as patch:
            cold = loading_beside(patch)
            patch.setattr(cold, "begin", lambda searched: pytest.fail("waits for the compiler"))
            patch.setattr("bosquet.search.worker.available", lambda: pytest.fail("compiles"))
            assert choose("level2", view, SALT) == usual
            get_ready(name, view.options, ["level2", "greedy", "random"])


@pytest.mark.compiled
@pytest.mark.slow
def test_a_table_of_levels_plays_to_its_end(ann: Person) -> None:
    seats = [ME, {"kind": "bot", "bot": "level2"}, {"kind": "bot", "bot": "level6"}]
    table = ann.open("topas", {"players": 3}, seats)
    with ann.at(table) as page:
        page.ready()
        page.play_on(Rng(3))
    assert {seat["bot"] for seat in page.news["seats"]} == {None, "level2", "level6"}


@pytest.mark.slow
def test_nobody_waits_in_a_process_that_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()
    loading_beside(monkeypatch)
    monkeypatch.setattr(choosing, "PATIENCE", 0.05)
    monkeypatch.setattr(Searched, "load", lambda searched: compiled.wait())
    view = bosquet.new("topiary", seed=1).view(0)
    for bot in ("level6", "champion"):
        with pytest.raises(NotReady):
            choose(bot, view, SALT)
    assert choose("greedy", view, SALT)
    compiled.set()
    assert choose("level6", view, SALT)


@pytest.mark.slow
def test_a_search_that_could_not_be_loaded_is_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    loading_beside(monkeypatch)
    view = bosquet.new("topiary", seed=1).view(0)
    with monkeypatch.context() as patch:
        patch.setattr(Searched, "load", lambda searched: bosquet.spec("rosy"))
        with pytest.raises(bosquet.OptionError):
            choose("level6", view, SALT)
    assert choose("level6", view, SALT)


def test_a_table_loads_what_its_bots_think_with_and_nothing_else(
    ann: Person, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = client.app.state.server.services.compute.thinking.workers
    asked: list[tuple[Any, ...]] = []

    async def note(work: Any, *given: Any) -> Any:
        asked.append((work, *given))
        return [(b"", "")]

    monkeypatch.setattr(pool, "run", note)
    ann.open("topas", {"players": 2}, [ME, {"kind": "bot", "bot": "level6"}])
    ann.open("topas", {"players": 2}, [ME, {"kind": "friend"}])
    deadline = time.monotonic() + 5
    while not asked and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [(work, given[0], given[2]) for work, *given in asked] == [(get_ready, "topas", ["level6"])]
    begun = loading_beside(monkeypatch)._loading
    monkeypatch.setattr(Searched, "load", lambda searched: None)
    for work, *given in asked:
        work(*given)
    assert set(begun) == {Searched("topas")}


def test_processes_start_when_something_is_asked_and_end_when_nothing_is() -> None:
    async def run() -> None:
        pool = Workers(2, idle=0.2)
        pool.open()
        first = await pool.run(os.getpid)
        assert await pool.run(os.getpid) == first  # a second one is not needed
        (started,) = [child for child in multiprocessing.active_children() if child.pid == first]
        await asyncio.to_thread(started.join, 10)
        assert not started.is_alive()
        assert await pool.run(os.getpid) != first
        pool.close()

    asyncio.run(run())


def test_a_process_at_work_is_not_idle() -> None:
    async def run() -> None:
        pool = Workers(1, idle=0.1)
        pool.open()
        await pool.run(time.sleep, 0.5)
        pool.close()

    asyncio.run(run())


def test_a_process_that_dies_is_replaced() -> None:
    async def run() -> None:
        pool = Workers(1)
        pool.open()
        with pytest.raises(BrokenProcessPool):
            await pool.run(os._exit, 3)
        assert await pool.run(int, "7") == 7
        pool.close()

    asyncio.run(run())


def test_what_is_under_way_when_a_pool_is_closed_says_so() -> None:
    async def run() -> None:
        pool = Workers(1)
        pool.open()
        busy = asyncio.create_task(pool.run(time.sleep, 60))
        await asyncio.sleep(0.5)
        await asyncio.to_thread(pool.close)
        for work in (busy, pool.run(time.sleep, 0)):
            with pytest.raises(Closed):
                await work

    asyncio.run(run())


def test_several_processes_think_about_several_games() -> None:
    async def chosen() -> list[choosing.Planned]:
        pool = Workers(2, begin=load_beside)
        pool.open()
        try:
            games = [bosquet.new(name, players=2, seed=1) for name in bosquet.GAMES]
            asked: list[Coroutine[Any, Any, choosing.Planned]] = [
                pool.run(choose, "level1", game.view(game.seat), SALT) for game in games
            ]
            return await asyncio.gather(*asked)
        finally:
            pool.close()

    assert all(len(planned) >= 1 for planned in asyncio.run(chosen()))


def test_processes_that_have_just_started_end_at_once() -> None:
    async def run() -> None:
        pool = Workers(2)
        pool.open()
        asking = asyncio.create_task(pool.run(time.sleep, 60))
        await asyncio.sleep(0.1)
        begin = time.monotonic()
        pool.close()
        assert time.monotonic() - begin < 0.5
        with pytest.raises(Closed):
            await asking

    asyncio.run(run())


@pytest.mark.parametrize(
    "name", ["cmd:touch MARK", "os:getcwd", "mine.py:Bot", "search:5", "rosy", "", ["greedy"], {"cmd": "touch MARK"}]
)
def test_nobody_names_a_module_or_a_command_over_the_network(
    ann: Person, name: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server plays with its own bots only, whatever packages are installed."""
    monkeypatch.setattr(outside, "installed", lambda: {"rosy": None})
    monkeypatch.setattr(subprocess, "Popen", lambda *given, **how: pytest.fail("a process was started"))
    mark = tmp_path / "mark"
    given = name.replace("MARK", str(mark)) if isinstance(name, str) else name
    seats = [ME, {"kind": "bot", "bot": given}]
    body = {"game": "topas", "options": {"players": 2}, "seats": seats, "pace": "instant"}
    response = ann.post("/api/tables", body)
    assert response.status_code == 400
    assert response.json()["code"] == "malformed"
    assert not mark.exists()
