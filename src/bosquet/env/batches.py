"""Batches by the name of a game, on the processor or on a device."""

from __future__ import annotations

from typing import Any, SupportsIndex

from bosquet.core.errors import OptionError
from bosquet.env.batch.batch import Batch
from bosquet.env.batch.opponents import Opponents
from bosquet.env.compiled_game import compiled_game


def batch(
    game: str,
    n: SupportsIndex = 256,
    *,
    seed: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    reward: str = "win",
    learner: SupportsIndex | None = None,
    opponents: Opponents | None = None,
    keep_last: bool = False,
    masks: bool = True,
    device: str = "cpu",
    stream: Any = None,
    **options: Any,
) -> Batch:
    """Return a batch of a game. Arguments are those of `Batch` and the options in `bosquet.spec(game).options`.

    With `device="cuda"`, or `"cuda:1"`, games and arrays are in the memory of a GPU: a
    `bosquet.env.gpu.batch.DeviceBatch`. Its work is done on `stream`, an object with `__cuda_stream__`, by default
    the legacy default stream, which PyTorch and CuPy use. Raises OptionError, and BosquetError if the GPU cannot be
    used.
    """
    compiled = compiled_game(game, **options)
    common: dict[str, Any] = {"seed": seed, "reward": reward, "learner": learner, "opponents": opponents}
    common |= {"keep_last": keep_last, "masks": masks}
    if device == "cpu":
        if stream is not None:
            raise OptionError("stream is given, but the batch is on the processor; leave it out, or give a device")
        return Batch(compiled, n, threads=threads, **common)
    if threads is not None:
        raise OptionError("threads is given, but on a device each game has a thread; leave it out")
    if not compiled.jit:
        raise OptionError("device is given, but kernels are not compiled here: numba is missing, or turned off")
    from bosquet.env.gpu.batch import DeviceBatch, device_of  # imports numba

    return DeviceBatch(compiled, n, device=device_of(device, stream), **common)
