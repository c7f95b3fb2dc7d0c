"""Check batches on a GPU against the processor, byte for byte, and measure them beside Pgx's connect_four.

    python -m benchmarks.gpu    # three to five minutes, most of them compiling; needs bosquet[cuda], Pgx and JAX

Prints what differs, and the table of `docs/gpu.md`. Steps are random legal actions; observations, lists of legal
actions, masks where there are some, and rewards are written at every step.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import bosquet
from bosquet.core.errors import BosquetError
from bosquet.env.batch import Batch

SIZES = (4096, 65536, 1 << 20)
STEPS = 100
SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("topiary", {"players": 2}),
    ("topiary", {"players": 4, "draft": True, "learner": 1, "opponents": "greedy", "masks": False}),
    ("topas", {"players": 1}),
    ("topas", {"players": 2}),
    ("topas", {"players": 4, "masks": False}),
    ("schlossgarten", {"players": 2}),
    ("schlossgarten", {"players": 4, "learner": 2, "reward": "points"}),
)
ARRAYS = ("observations", "masks", "seats", "rewards", "done", "scores", "winners", "last", "legal_counts")


def differing(here: Batch, there: Batch) -> list[str]:
    """Return the names of the arrays that are not the same."""
    listed = np.arange(here.legal_actions.shape[1]) < here.legal_counts[:, None]
    found = [name for name in ARRAYS if not np.array_equal(getattr(here, name), getattr(there, name))]
    if not np.array_equal(here.legal_actions[listed], np.asarray(there.legal_actions)[listed]):
        found.append("legal_actions")
    ours, theirs = here.states, there.states
    return found + [name for name in ours.dtype.names or () if not np.array_equal(ours[name], theirs[name])]


def check(game: str, settings: dict[str, Any], n: int = 96) -> str:
    """Return what differs after each of many calls, or that nothing does."""
    here = bosquet.batch(game, n, seed=3, threads=1, keep_last=True, **settings)
    there = bosquet.batch(game, n, seed=3, device="cuda", keep_last=True, **settings)
    seat, wrong = settings.get("learner", 0), []
    uses: dict[str, Callable[[Batch], object]] = {
        "deal": lambda batch: None,
        "steps": lambda batch: take_steps(batch, 3),
        "play": lambda batch: batch.play(150),
        "step of some": lambda batch: batch.step(batch.sample(), where=[2, 7]),
        "reset": lambda batch: batch.reset(where=[3, 5], seeds=[1, 2]),
        "clone": lambda batch: batch.clone_from(4, where=[0, 1, 2]),
        "determinize": lambda batch: batch.determinize(seat, range(n)),
        "restore": lambda batch: batch.restore(here.save()),
        "load": lambda batch: batch.load_states(batch.states[::-1].copy()),
    }
    for name, use in uses.items():
        for batch in (here, there):
            use(batch)
        if found := differing(here, there):
            wrong.append(f"{name}: {found}")
    if not np.array_equal(here.observe(seat), there.observe(seat)):
        wrong.append("observe")
    return "; ".join(wrong) or "every array is the same"


def take_steps(batch: Batch, number: int) -> None:
    """Step with sampled actions."""
    for _ in range(number):
        batch.step(batch.sample())


def play_one_by_one(batch: Batch, number: int) -> None:
    """Make steps with a launch for each."""
    for _ in range(number):
        batch.play(1)


def seconds(work: Callable[[], object], wait: Callable[[], object], times: int = 3) -> float:
    """Return the median time of some work."""
    found = []
    for _ in range(times + 1):
        begin = time.perf_counter()
        work()
        wait()
        found.append(time.perf_counter() - begin)
    return float(np.median(found[1:]))


def speeds(game: str, n: int, *, masks: bool) -> tuple[float, float, float]:
    """Return steps a second in one launch of STEPS, with a launch for each, and of `step(sample())`."""
    with bosquet.batch(game, n, seed=1, players=2, masks=masks, device="cuda") as batch:
        wait: Callable[[], None] = batch.synchronize  # type: ignore[attr-defined]
        batch.play(20)
        one = seconds(lambda: batch.play(STEPS), wait)
        each = seconds(lambda: play_one_by_one(batch, STEPS), wait)
        checked = seconds(lambda: take_steps(batch, STEPS // 5), wait)
        return n * STEPS / one, n * STEPS / each, n * (STEPS // 5) / checked


def pgx_speeds(n: int) -> tuple[float, float]:
    """Return steps a second of Pgx's connect_four in one compiled loop of STEPS, and with a call for each."""
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    import jax
    import pgx
    from jax import numpy as jnp
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step_all = jax.vmap(auto_reset(env.step, env.init))

    def once(_: Any, carried: Any) -> Any:
        state, key = carried
        key, drawing, stepping = jax.random.split(key, 3)
        counts = jnp.cumsum(state.legal_action_mask, axis=-1, dtype=jnp.int32)
        rank = jnp.floor(jax.random.uniform(drawing, (n,)) * counts[:, -1]).astype(jnp.int32)
        actions = jnp.argmax(counts > rank[:, None], axis=-1).astype(jnp.int32)
        return step_all(state, actions, jax.random.split(stepping, n)), key

    many = jax.jit(lambda carried: jax.lax.fori_loop(0, STEPS, once, carried))
    single = jax.jit(lambda carried: once(0, carried))
    carried = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n)), jax.random.PRNGKey(1)

    def loop(step: Callable[[Any], Any], times: int) -> None:
        nonlocal carried
        for _ in range(times):
            carried = step(carried)

    def wait() -> None:
        jax.block_until_ready(carried)

    return n * STEPS / seconds(lambda: loop(many, 1), wait), n * STEPS / seconds(lambda: loop(single, STEPS), wait)


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    from bosquet.env.gpu.cuda import CudaDevice

    yield f"Steps a second on an {CudaDevice().name}, two players:"
    yield ""
    yield "| environment | games | one launch | × Pgx | a launch a step | × one launch | `step(sample())` |"
    yield "|---|---|---|---|---|---|---|"
    peer = {n: pgx_speeds(n) for n in SIZES}
    for n, (one, each) in peer.items():
        yield f"| Pgx connect_four | {n:,} | {one:.3g} | 1 | {each:.3g} | {each / one:.2f} | |"
    for game in bosquet.GAMES:
        for masks in (True, False):
            for n in SIZES:
                name = f"{bosquet.spec(game).title}{'' if masks else ', lists only'}"
                try:
                    one, each, checked = speeds(game, n, masks=masks)
                except bosquet.BosquetError as error:
                    yield f"| {name} | {n:,} | {error} | | | | |"
                    continue
                beside = f"{one:.3g} | {one / peer[n][0]:.2f} | {each:.3g} | {each / one:.2f} | {checked:.3g}"
                yield f"| {name} | {n:,} | {beside} |"


def main() -> None:
    """Check, then measure; `--check` and `--measure` do one of both."""
    try:
        if "--measure" not in sys.argv:
            for game, settings in SETTINGS:
                print(game, settings, "->", check(game, settings), flush=True)
        if "--check" not in sys.argv:
            for line in table():
                print(line, flush=True)
    except BosquetError as error:
        sys.exit(f"benchmarks.gpu: {error}")


if __name__ == "__main__":
    main()
