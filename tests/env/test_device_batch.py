"""A batch on a device plays the games of a batch on the processor: every array the same, byte for byte.

The device is this processor (`helpers.host_device`): it runs the programs of a GPU thread after thread.
`python -m benchmarks.gpu` tries a GPU.
"""

from __future__ import annotations

import functools
import pickle
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.core.errors import BosquetError, OptionError
from bosquet.core.system.extras import remedy
from bosquet.env.batch import Batch
from bosquet.env.compiled_game import compiled_game
from tests.helpers.rows import each_row

pytest.importorskip("numba", reason="needs the compiler")
from bosquet.env.gpu.batch import DeviceBatch
from bosquet.kernels.retarget import PTX
from bosquet.kernels.threads import Program
from tests.env.helpers.host_device import HostDevice

pytestmark = [pytest.mark.compiled, pytest.mark.slow]
ARRAYS = ("observations", "masks", "seats", "rewards", "done", "scores", "winners", "last", "legal_counts")
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("topiary", {"players": 4, "draft": True, "learner": 1, "opponents": "greedy", "masks": False, "reward": "points"}),
    ("topas", {"players": 3, "masks": False}),
    ("schlossgarten", {"players": 4, "learner": 2}),
]
N = 8


class AssemblingDevice(HostDevice):
    """Assembles each program for a GPU, too, where there is `ptxas`."""

    def load(self, program: Program) -> Any:
        if assembler := shutil.which("ptxas"):
            run = [assembler, "-arch=sm_75", "-", "-o", "/dev/null"]
            subprocess.run(run, input=program.code(PTX), check=True, capture_output=True)
        return super().load(program)


def differing(one: Batch, other: Batch) -> list[str]:
    """The names of the arrays that are not the same."""
    counts = np.asarray(one.legal_counts)
    listed = np.arange(one.legal_actions.shape[1]) < counts[:, None]
    found = [name for name in ARRAYS if not np.array_equal(getattr(one, name), getattr(other, name))]
    if not np.array_equal(np.asarray(one.legal_actions)[listed], np.asarray(other.legal_actions)[listed]):
        found.append("legal_actions")
    ours, theirs = one.states, other.states
    assert ours.dtype.names
    return found + [name for name in ours.dtype.names if not np.array_equal(ours[name], theirs[name])]


def pair(game: str, given: dict[str, Any], n: int = N, device: HostDevice | None = None) -> tuple[Batch, DeviceBatch]:
    """The same games on the processor and on the device."""
    options = {name: value for name, value in given.items() if name in bosquet.spec(game).options}
    settings = {name: value for name, value in given.items() if name not in options}
    here = bosquet.batch(game, n, threads=1, seed=3, **given, keep_last=True)
    there = DeviceBatch(
        compiled_game(game, **options), n, device=device or HostDevice(), seed=3, keep_last=True, **settings
    )
    return here, there


@pytest.mark.parametrize(("game", "given"), SETTINGS)
def test_every_method_does_what_it_does_on_a_processor(game: str, given: dict[str, Any]) -> None:
    both = here, there = pair(game, given, device=AssemblingDevice())
    seat = given.get("learner", 0)

    def same(use: Callable[[Batch], Any]) -> None:
        for batch in both:
            use(batch)
        assert not differing(here, there)

    same(lambda batch: None)
    for _ in range(4):
        assert np.array_equal(here.sample(), there.sample())
        same(lambda batch: batch.step(batch.sample()))
    same(lambda batch: batch.play(2))
    same(lambda batch: batch.play(1500))
    assert np.asarray(here.scores).any(), "no game has ended"
    saved = here.save(), there.save()
    same(lambda batch: batch.reset(where=[3, 5], seeds=[1, 2]))
    same(lambda batch: batch.step(batch.sample(), where=[2, 7]))
    same(lambda batch: batch.clone_from(4, where=[0, 1, 2]))
    same(lambda batch: batch.clone_from(1))
    same(lambda batch: batch.determinize(seat, range(N)))
    assert np.array_equal(here.observe(seat), there.observe(seat))
    same(lambda batch: batch.restore(saved[batch is there]))
    same(lambda batch: batch.play(2))
    same(lambda batch: batch.restore(saved[batch is here], where=[1, 2, 3]))
    same(lambda batch: batch.restore(pickle.loads(pickle.dumps(saved[1]))))
    same(lambda batch: batch.load_states(batch.states[::-1].copy()))
    same(lambda batch: batch.reset(9))
    for name, part in there.parts.items():
        assert np.array_equal(part, here.parts[name])


@pytest.mark.parametrize("game", ["topiary", "topas", "schlossgarten"])
def test_greedy_plays_on_a_device(game: str) -> None:
    here, there = pair(game, {"players": 2}, n=4)
    for batch in (here, there):
        batch.play(8, "greedy")
    assert not differing(here, there)


def test_many_steps_are_one_launch() -> None:
    device = HostDevice()
    _, there = pair("topiary", {"players": 2}, n=4, device=device)
    before = device.launches
    there.play(50)
    assert device.launches == before + 1


def text_of(use: Callable[[], Any]) -> str:
    with pytest.raises((ValueError, BosquetError)) as raised:
        use()
    return f"{raised.type.__name__}: {raised.value}"


def test_what_is_wrong_is_refused_as_on_a_processor() -> None:
    here, there = pair("topiary", {"players": 2}, n=4)
    illegal = np.asarray(here.sample()).copy()
    illegal[2] = -1
    uses: list[Callable[[Batch], Any]] = [
        lambda batch: batch.step(illegal),
        lambda batch: batch.step(np.full(4, 999)),
        lambda batch: batch.step(np.zeros(3, int)),
        lambda batch: batch.step(np.zeros(4)),
        lambda batch: batch.observe(2),
        lambda batch: batch.reset(where=[4]),
        lambda batch: batch.reset(1, seeds=[1]),
        lambda batch: batch.clone_from(4),
        lambda batch: batch.restore(None),  # type: ignore[arg-type]
        lambda batch: batch.load_states([]),
        lambda batch: batch.play(-1),
        lambda batch: batch.play(1, "level1"),
    ]
    for use in uses:
        refused, expected = (text_of(functools.partial(use, batch)) for batch in (there, here))
        assert refused == expected
    assert not differing(here, there)
    there.close()
    assert text_of(there.sample) == "BosquetError: the batch is closed; make another one"


@each_row(
    ("settings", "words"),
    [
        ({"device": "gpu"}, 'device is "gpu"; it must be "cpu", "cuda"'),
        ({"device": "cuda:x"}, 'device is "cuda:x"'),
        ({"device": "cuda", "threads": 2}, "threads is given"),
        ({"stream": 1}, "stream is given"),
    ],
)
def test_settings_that_no_device_has_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError) as raised:
        bosquet.batch("topiary", 4, **settings)
    assert words in str(raised.value)


@each_row(
    ("game", "use"),
    [
        ("topiary", lambda: pair("topiary", {"opponents": "level1", "learner": 0}, n=2)),
        ("topas", lambda: pair("topas", {"opponents": "greedy", "learner": 0}, n=2)),
        ("schlossgarten", lambda: pair("schlossgarten", {"opponents": "greedy", "learner": 0}, n=2)),
    ],
)
def test_who_cannot_play_on_a_device_is_refused(game: str, use: Callable[[], Any]) -> None:
    words = 'on a device it must be "random"' + (' or "greedy"' if game == "topiary" else "")
    assert text_of(use).endswith(words)


@pytest.mark.quick
def test_without_a_gpu_the_error_says_what_is_missing() -> None:
    try:
        bosquet.batch("topiary", 4, device="cuda").close()
    except BosquetError as error:
        said = str(error)
        assert remedy("cuda") in said or 'device="cpu"' in said or "driver" in said


def test_arrays_go_to_other_libraries_without_a_copy() -> None:
    _, there = pair("topiary", {"players": 2}, n=4)
    shared = np.from_dlpack(there.observations)
    there.play(3)
    assert np.array_equal(shared, there.observations)
    assert shared.shape == (4, there.compiled.observation_size)
    assert not hasattr(there.observations, "__cuda_array_interface__")
