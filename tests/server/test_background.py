"""Work in the background goes on after a failure, and the log tells of what nobody else has told."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from bosquet.server.background import failures_logged
from bosquet.server.events import Refusal


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
