"""Check that a batch conforms to its documentation; for authors of games, encoders and batches."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bosquet.env.batch.batch import Batch

TOLERANCE = 1e-4


def check_batch(batch: Batch, steps: int = 1000) -> int:
    """Play random steps and check each of them; return the number of games that ended.

    A batch may have no masks (`masks=False`); its lists of legal actions are checked in either case. Mutates the batch.
    Raises AssertionError, whose message names the violated property.
    """
    _check_forms(batch)
    ended = 0
    for _ in range(steps):
        _check_position(batch)
        before = batch.scores.copy()
        kept = [batch.observations, batch.masks, batch.seats, batch.rewards, batch.done, batch.scores]
        _check_refusal(batch)
        actions = batch.sample()
        taken = actions.copy()
        batch.step(actions)
        assert (actions == taken).all(), "a step must not change the array that sample returned"
        now = [batch.observations, batch.masks, batch.seats, batch.rewards, batch.done, batch.scores]
        assert all(one is other for one, other in zip(kept, now, strict=True)), "a step must write into the same arrays"
        assert not batch.rewards[~batch.done].any(), "a game that goes on has no rewards"
        assert (batch.scores[~batch.done] == before[~batch.done]).all(), "final points change only when a game ends"
        if batch.players > 1:
            assert np.abs(batch.rewards.sum(1)).max() < TOLERANCE, "the rewards of a table sum to 0"
        ended += int(batch.done.sum())
    return ended


def _check_forms(batch: Batch) -> None:
    n, players, size = batch.n, batch.players, batch.compiled.observation_size
    forms = {
        "observations": ((n, size), np.uint8),
        "masks": ((n if len(batch.masks) else 0, batch.actions), np.bool_),
        "legal_counts": ((n,), np.int32),
        "seats": ((n,), np.int8),
        "rewards": ((n, players), np.float32),
        "done": ((n,), np.bool_),
        "scores": ((n, players), np.int32),
    }
    for name, (shape, dtype) in forms.items():
        array = getattr(batch, name)
        assert array.shape == shape, f"{name} has shape {array.shape}; it must be {shape}"
        assert array.dtype == dtype, f"{name} has type {array.dtype}; it must be {np.dtype(dtype)}"
    names = [part.name for part in batch.layout]
    assert len(set(names)) == len(names), "two parts of an observation have the same name"
    assert all(part.meaning for part in batch.layout), "a part of an observation has no meaning"
    assert sum(part.size for part in batch.layout) == size, "the parts do not fill the observation"


def _check_position(batch: Batch) -> None:
    masks = _masks(batch)
    assert masks.any(1).all(), "a seat to move has no legal action"
    assert (masks.sum(1) == batch.legal_counts).all(), "the lists of legal actions do not agree with the masks"
    assert (masks == _listed(batch)).all(), "the lists of legal actions do not agree with the masks"
    assert ((batch.seats >= 0) & (batch.seats < batch.players)).all(), "the seat to move is not a seat of the game"
    own = batch.parts["moves 0"][:, 0]
    assert (own == 1).all(), "an observation is not that of the seat to move"
    chosen = batch.sample()
    assert masks[np.arange(batch.n), chosen].all(), "a random action is not legal"


def _masks(batch: Batch) -> npt.NDArray[np.bool_]:
    """Return which actions are legal, shape `(n, actions)`, also where the batch has no masks."""
    return batch.masks if len(batch.masks) else _listed(batch)


def _listed(batch: Batch) -> npt.NDArray[np.bool_]:
    """Return which actions are in the lists of legal actions, shape `(n, actions)`."""
    masks = np.zeros((batch.n, batch.actions), np.bool_)
    for mask, listed, count in zip(masks, batch.legal_actions, batch.legal_counts, strict=True):
        mask[listed[:count]] = True
    return masks


def _check_refusal(batch: Batch) -> None:
    """Check that an illegal action is refused and changes nothing."""
    masks = _masks(batch)
    wrong = np.flatnonzero(~masks.all(1))
    if not len(wrong):
        return
    actions = batch.sample().copy()
    actions[wrong[0]] = np.flatnonzero(~masks[wrong[0]])[0]
    before = [array.copy() for array in (batch.observations, batch.masks, batch.seats, batch.rewards)]
    try:
        batch.step(actions)
    except ValueError:
        after = (batch.observations, batch.masks, batch.seats, batch.rewards)
        assert all((one == other).all() for one, other in zip(before, after, strict=True)), (
            "a refused step changed an array"
        )
    else:
        raise AssertionError("an illegal action was accepted")
