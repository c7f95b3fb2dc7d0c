"""Work in the background goes on after a failure, and the log tells of what nobody else has told."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from bosquet.server.base.background import ended, failures_logged
from bosquet.server.base.refusals import Refusal


def test_what_fails_is_logged_and_the_work_goes_on() -> None:
    with capture_logs() as logs, failures_logged("it did not work", table="abcdef"):
        raise ValueError
    assert [(entry["event"], entry["log_level"], entry["table"]) for entry in logs] == [
        ("it did not work", "error", "abcdef")
    ]


def test_what_the_store_refuses_is_not_logged_twice() -> None:
    with capture_logs() as logs, failures_logged("it did not work"):
        raise Refusal("unavailable", "the disk is full")
    assert logs == []


def test_cancelling_ends_the_work() -> None:
    with pytest.raises(asyncio.CancelledError), capture_logs() as logs, failures_logged("it did not work"):
        raise asyncio.CancelledError
    assert logs == []


def test_a_task_ends_that_swallows_a_cancellation() -> None:
    async def stubborn() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(60)

    async def story() -> None:
        async def failing() -> None:
            raise ValueError

        tasks = [asyncio.create_task(stubborn()), asyncio.create_task(failing()), asyncio.create_task(asyncio.sleep(0))]
        await asyncio.sleep(0.01)
        async with asyncio.timeout(5):
            await ended(*tasks)
        assert tasks[0].cancelled()
        assert isinstance(tasks[1].exception(), ValueError)

    asyncio.run(story())
