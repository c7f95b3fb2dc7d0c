"""Step many games at once in compiled code, on all cores.

A loop of learning looks like this::

    batch = bosquet.batch(game, players=2, n=4096)
    while learning:
        batch.step(choose(batch.observations, batch.masks))

Every step writes in place into the same NumPy arrays, and only what has changed: they are to be read. DLPack gives them
to other libraries without a copy (`torch.from_dlpack(batch.observations)`). A game that ends is dealt again in the same
step.

`with bosquet.batch(game) as batch` stops the threads at the end of the block, as does `close`.
"""

from __future__ import annotations

from bosquet.env.batch.batch import Batch, SavedGames

__all__ = ["Batch", "SavedGames"]
