"""How the arrays of a batch lie in the memory of a device."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bosquet.core.rng import RNG_WORDS
from bosquet.env.batch.batch import PADDING
from bosquet.env.compiled_game import CompiledGame
from bosquet.kernels import threads
from bosquet.kernels.threads import By, Place

COPIED_BYTES = 2048
"""Size of the largest rows that threads copy; larger ones are used where they are."""


def device_rows(compiled: CompiledGame, masks: bool, keep_last: bool) -> list[threads.DeviceRows]:
    """Return how the arrays of a batch lie on a device."""
    state = compiled.spec.rules.State.dtype
    words = next(word for word in (8, 4, 2, 1) if state.itemsize % word == 0)
    small = state.itemsize <= COPIED_BYTES
    int32, int64, uint8, truth = (np.dtype(kind) for kind in (np.int32, np.int64, np.uint8, np.bool_))
    players, size = compiled.players, compiled.observation_size
    most = compiled.spec.rules.MAX_MOVES + PADDING
    return [
        threads.DeviceRows("states", state, (), Place.COPIED if small else Place.OWN, words),
        threads.DeviceRows("rng_state", int64, (RNG_WORDS,), Place.COPIED, 8),
        threads.DeviceRows("sampling", int64, (RNG_WORDS,), Place.COPIED, 8),
        threads.DeviceRows("legal", int32, (most,), Place.ACROSS),
        threads.DeviceRows("legal_count", int32),
        threads.DeviceRows("observations", uint8, (size,), Place.ACROSS),
        threads.DeviceRows("masks", truth, (compiled.actions,), Place.ACROSS, empty=not masks),
        threads.DeviceRows("seats", np.dtype(np.int8)),
        threads.DeviceRows("chosen", int64),
        threads.DeviceRows("sampled", int64),
        threads.DeviceRows("rewards", np.dtype(np.float32), (players,), Place.ACROSS),
        threads.DeviceRows("done", truth),
        threads.DeviceRows("final", int32, (players,), Place.ACROSS),
        threads.DeviceRows("won", truth, (players,), Place.ACROSS),
        threads.DeviceRows("last", uint8, (players, size), Place.ACROSS, empty=not keep_last),
        threads.DeviceRows("found", int64, (1,), Place.WHOLE),
    ]


def copied_if_small(rows: threads.DeviceRows) -> threads.DeviceRows:
    """Return how a thread takes a row that it uses in many steps."""
    if rows.place is not Place.ACROSS or rows.empty or rows.size > COPIED_BYTES:
        return rows
    return replace(rows, place=Place.COPIED, word=rows.dtype.itemsize)


def words_of(rows: threads.DeviceRows, name: str, by: By) -> threads.DeviceRows:
    """Return the same array as rows of words, to be copied."""
    if rows.place is Place.OWN:
        word = next(word for word in (8, 4, 2, 1) if rows.size % word == 0)
        return threads.DeviceRows(name, np.dtype(f"u{word}"), (rows.size // word,), Place.OWN, by=by)
    return threads.DeviceRows(name, np.dtype(f"u{rows.spread}"), (rows.size // rows.spread,), Place.ACROSS, by=by)
