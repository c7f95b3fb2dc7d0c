"""Workers elsewhere: jobs as JSON, moves of bots by `bosquet worker`, and what happens when one is killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import anyio
import msgspec
import pytest
from structlog.testing import capture_logs

import bosquet
from bosquet.core.errors import BosquetError
from bosquet.core.rng import Rng
from bosquet.search import plan_key
from bosquet.server.base.refusals import Refusal
from bosquet.server.compute import work_queue
from bosquet.server.compute.choosing import choose
from bosquet.server.compute.daily_play import play_deal
from bosquet.server.compute.work_queue import FUNCTIONS, Job, arguments_of, done, result_of
from bosquet.server.http.server import Server
from bosquet.server.table.actions.deal import Ready
from bosquet.server.table.messages import NewTable, SeatWish
from tests.helpers.rows import each_row
from tests.helpers.services import LEAVES_CONNECTIONS
from tests.nodes.helpers.cluster import KEY, SOON, Ear, Services, node, until

slow = pytest.mark.slow
pytestmark = [
    *LEAVES_CONNECTIONS,
    # streaq's own, of connections that are lost or cancelled
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]


class Inline:
    """A pool that does everything here."""

    processes = 1

    async def run(self, function: Any, *args: Any) -> Any:
        return function(*args)


def through_json(function: Any, *args: Any) -> Any:
    """What a function gives when it and its result travel as JSON."""
    kind = next(kind for kind, functions in FUNCTIONS.items() if function in functions)
    job = msgspec.json.encode(Job(function.__name__, msgspec.Raw(msgspec.json.encode(args)))).decode()
    there = msgspec.json.encode(asyncio.run(done(kind, job, Inline())))  # type: ignore[arg-type]
    return result_of(function, msgspec.json.decode(there, type=work_queue.Done))


@each_row(("game", "options"), [(name, {"players": 2}) for name in bosquet.GAMES])
def test_views_arrive_as_they_were(game: str, options: dict[str, Any]) -> None:
    playing = bosquet.new(game, seed=3, **options)
    rng = Rng(3)
    for _ in range(30):
        if playing.seat is None:
            break
        view = playing.view(playing.seat)
        raw = msgspec.Raw(msgspec.json.encode(["random", view, "salt"]))
        assert arguments_of(choose, raw) == ["random", view, "salt"]
        (key, move), *_ = through_json(choose, "greedy", view, "salt")
        assert key == plan_key(view)
        assert move in playing.legal()
        playing.play(rng.choice(playing.legal()))


def test_what_is_refused_there_is_refused_here() -> None:
    with pytest.raises(BosquetError, match="no bot"):
        through_json(play_deal, "topas", "5" * 64, ["nobody"])


def test_points_of_a_deal_arrive_as_they_were() -> None:
    asked = "topas", "5" * 64, ["greedy", "random"]
    assert through_json(play_deal, *asked) == play_deal(*asked)


@each_row(
    ("job",),
    [
        ("nonsense",),
        ("{}",),
        ('{"function":"system","arguments":["ls"]}',),
        ('{"function":"weigh","arguments":["",0]}',),
        ('{"function":"choose","arguments":["greedy",{"game":"chess"},"salt"]}',),
        ('{"function":"choose","arguments":["greedy"]}',),
    ],
)
def test_a_job_that_is_none_fails_and_ends_nothing(job: str, capfd: pytest.CaptureFixture[str]) -> None:
    made = asyncio.run(done("bots", job, Inline()))  # type: ignore[arg-type]
    assert made.error is not None
    assert "Traceback" not in capfd.readouterr().out


@contextlib.contextmanager
def worker(url: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run a worker meanwhile."""
    command = [sys.executable, "-m", "bosquet", "worker", "--bus", url, "--processes", "1", *options]
    environment = os.environ | {"BOSQUET_JIT": "0"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stderr is not None
        assert "bosquet works" in process.stderr.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


@contextlib.asynccontextmanager
async def thinking_node(services: Services) -> AsyncIterator[Any]:
    """A node that leaves all thinking to workers."""
    async with node(services.postgresql.database(), services.redis.url, KEY, processes=0) as server:
        yield server


def against(bot: str) -> NewTable:
    return NewTable(
        game="topiary",
        options={"players": 2},
        seats=[SeatWish(kind="me", name="Ann"), SeatWish(kind="bot", bot=bot)],
        pace="instant",
    )


async def begin(server: Server, bot: str) -> tuple[Any, Ear]:
    """Ann sits at a table with a bot, and the game begins."""
    table = await server.opener.open("ann", against(bot))
    ann = Ear("ann")
    await table.attach(ann)
    await table.do("ann", Ready(secrets.token_hex(16)))
    await until(lambda: ann.position)
    return table, ann


async def bot_to_move(server: Server, bot: str) -> tuple[Any, Ear]:
    """A table at which a bot moves first."""
    while True:
        table, ann = await begin(server, bot)
        if table.session.dealt().seat not in table.session.seats_of("ann"):
            return table, ann
        table.detach(ann)


@pytest.mark.parametrize("stopping", [False, True])
def test_a_connection_that_closes_under_a_job_is_told_unless_the_worker_stops(
    stopping: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job is then given back; the worker ends without an error, or tries again."""
    monkeypatch.setattr(work_queue, "_complained", {})
    stopped = asyncio.Event()
    if stopping:
        stopped.set()
    with capture_logs() as logged, work_queue._lost("bots", stopped):
        raise ExceptionGroup("while a job was given back", [anyio.ClosedResourceError()])
    assert [line["error"] for line in logged] == ([] if stopping else ["ClosedResourceError"])


@slow
def test_bots_think_elsewhere(services: Services) -> None:
    async def run() -> None:
        async with thinking_node(services) as server:
            with worker(services.redis.url) as process:
                await until(lambda: server.services.nodes.slots("bots") == 1)
                table, _ = await bot_to_move(server, "greedy")
                await until(lambda: table.session.number == 1)
                process.send_signal(signal.SIGTERM)
                _, complaints = process.communicate(timeout=10)
                assert process.returncode == 0, complaints

    asyncio.run(run())


@slow
def test_the_thought_of_a_worker_that_was_killed_is_thought_by_another(services: Services) -> None:
    async def run() -> None:
        async with thinking_node(services) as server:
            with worker(services.redis.url) as process:
                await until(lambda: server.services.nodes.slots("bots") == 1)
                table, _ = await bot_to_move(server, "level6")  # thinks for a second or more where nothing is compiled
                await asyncio.sleep(0.3)
                assert table.session.number == 0
                process.kill()
            with worker(services.redis.url):
                await until(lambda: table.session.number == 1, 2 * SOON)  # the other half is for thinking

    asyncio.run(run())


@slow
def test_without_a_worker_everybody_is_told_and_it_goes_on_with_one(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_queue, "PATIENCE", 0.5)

    async def run() -> None:
        async with thinking_node(services) as server:
            await until(lambda: not server.services.nodes.slots("bots"))
            table, ann = await bot_to_move(server, "greedy")
            await until(lambda: ann.refused == ["bots away"], 3 * SOON)
            with pytest.raises(Refusal, match="nobody thinks"):
                await server.services.compute.days.run(play_deal, "topas", "5" * 64, ["greedy"])
            with worker(services.redis.url):
                await until(lambda: table.session.number == 1, 3 * SOON)
            assert ann.refused == ["bots away"]

    asyncio.run(run())


@slow
def test_a_job_that_redis_has_forgotten_is_given_again(services: Services) -> None:
    async def run() -> None:
        async with thinking_node(services) as server:
            with worker(services.redis.url):
                await until(lambda: server.services.nodes.slots("bots") == 1)
                table, _ = await bot_to_move(server, "level6")
                await asyncio.sleep(0.3)
                services.redis.stop()
                await asyncio.sleep(1)
                services.redis.start()
                await until(lambda: table.session.number == 1, 2 * SOON)

    asyncio.run(run())
