"""Metrics of a running server for Prometheus. None names a guest, a table or a move."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the buckets of all durations."""
LAG_PERIOD = 0.5
"""Seconds between two measurements of the lag of the loop."""


class Metrics:
    """The metrics of one application."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.moves: Counter = Counter("bosquet_moves", "Moves made and written", ["game"], registry=registry)
        self.commits: Histogram = Histogram(
            "bosquet_commit_seconds", "Time of a commit, of all that was waiting", registry=registry, buckets=SECONDS
        )
        self.queue: Histogram = Histogram(
            "bosquet_thinking_queue_seconds", "Wait of bots for a process", registry=registry, buckets=SECONDS
        )
        self.thinking: Histogram = Histogram(
            "bosquet_thinking_seconds", "Time that bots think", registry=registry, buckets=SECONDS
        )
        self.lag: Histogram = Histogram(
            "bosquet_loop_lag_seconds", "Delay of the event loop", registry=registry, buckets=SECONDS
        )
        self.refusals: Counter = Counter(
            "bosquet_refusals", "What could not be done, by code", ["code"], registry=registry
        )
        self.errors: Counter = Counter("bosquet_errors", "Errors of the server itself", registry=registry)

    def watch(self, name: str, documentation: str, value: Callable[[], float]) -> None:
        """Add a value that is asked for whenever the metrics are."""
        Gauge(f"bosquet_{name}", documentation, registry=self._registry).set_function(value)

    def exposition(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self._registry)

    async def measure_lag(self) -> None:
        """Measure the lag of the event loop until cancelled."""
        while True:
            begin = time.perf_counter()
            await asyncio.sleep(LAG_PERIOD)
            self.lag.observe(max(0.0, time.perf_counter() - begin - LAG_PERIOD))
