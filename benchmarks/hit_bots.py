"""Bots for Schlossgarten that consider turns with a hit, and bots that do not.

    uv run bosquet arena schlossgarten --players 2 --bots benchmarks/hit_bots.py:With,benchmarks/hit_bots.py:Without

`With` is the search as it is, with hits at the root; `Everywhere` has hits below the root, too. Use `--bot-seconds
100`, since a first decision includes compiling.
"""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from bosquet.core.installed import spec
from bosquet.core.state import Numbers
from bosquet.kernels.jit import bind, kernel
from bosquet.search import Search, Settings, tree
from bosquet.search.model import model_kernels
from bosquet.search.worker import Worker

GAME = "schlossgarten"


@kernel
def no_hits(state: Any, steps: int, choices: int, n: int, rng_state: Numbers, workspace: Any) -> int:
    """Return the number of choices unchanged. Replaces `add_hits`."""
    return choices


@functools.cache
def worker_without_hits() -> Worker:
    """Return a worker whose candidates have no hits."""
    worker = Worker(GAME)
    kernels = spec(GAME).kernels | model_kernels(worker.model) | {"add_hits": no_hits}
    worker.simulate = bind(tree.simulate, kernels)
    worker.start_search = bind(tree.start_search, kernels)
    return worker


class With(Search):
    """The search as it is, with 300 simulations."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings or Settings(simulations=300))


class Without(With):
    """The same without hits."""

    def _workers(self, game: str, count: int) -> AbstractContextManager[list[Worker]]:
        return nullcontext([worker_without_hits()])


class WithoutLonger(Without):
    """The search without hits, with the simulations that it makes in the time of 300 of `Everywhere`."""

    def __init__(self) -> None:
        super().__init__(Settings(simulations=327))


class WithInTime(With):
    """The search as it is, with 0.1 s for a decision."""

    def __init__(self) -> None:
        super().__init__(Settings(simulations=1, seconds=0.1))


class WithoutInTime(Without):
    """The same without hits."""

    def __init__(self) -> None:
        super().__init__(Settings(simulations=1, seconds=0.1))


@functools.cache
def worker_with_hits_everywhere() -> Worker:
    """Return a worker whose candidates have hits in the whole tree."""
    worker = Worker(GAME)
    kernels = spec(GAME).kernels | model_kernels(worker.model)
    worker.simulate = bind(tree.simulate, kernels | {"candidates": kernels["root_candidates"]})
    return worker


class Everywhere(With):
    """The same with hits below the root, too."""

    def _workers(self, game: str, count: int) -> AbstractContextManager[list[Worker]]:
        return nullcontext([worker_with_hits_everywhere()])
