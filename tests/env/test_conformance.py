"""Every game's batch passes the check that is offered to others, and the check finds what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bosquet
from bosquet.env.conformance import check_batch
from bosquet.kernels.jit import available
from tests.helpers.cases import QUICK, every_size, parameters

STEPS = 300 if available() else 12


def keep_to_what_is_promised(name: str, options: dict[str, Any], masks: bool) -> None:
    batch = bosquet.batch(name, 32 if available() else 2, seed=11, threads=2, masks=masks, **options)
    ended = check_batch(batch, STEPS)
    assert ended or name == "schlossgarten" or not available()  # random play of Schlossgarten is long
    batch.close()


@every_size
def test_batches_keep_to_what_is_promised(name: str, options: dict[str, Any]) -> None:
    keep_to_what_is_promised(name, options, masks=True)


@pytest.mark.parametrize(("name", "options"), parameters(QUICK))
def test_batches_without_masks_keep_to_it_too(name: str, options: dict[str, Any]) -> None:
    """What they list is in the masks of the others for every size (`test_batch.py`)."""
    keep_to_what_is_promised(name, options, masks=False)


class Broken:
    """A batch with one thing wrong."""

    def __init__(self, spoil: str) -> None:
        self._batch, self._spoil = bosquet.batch("topiary", 4, seed=1, threads=1), spoil

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    @property
    def observations(self) -> Any:
        return self._batch.observations.copy() if self._spoil == "copies" else self._batch.observations

    @property
    def masks(self) -> Any:
        return np.zeros_like(self._batch.masks) if self._spoil == "masks" else self._batch.masks

    @property
    def legal_counts(self) -> Any:
        return self._batch.legal_counts - (self._spoil == "lists")

    @property
    def seats(self) -> Any:
        return self._batch.seats.astype(np.int16) if self._spoil == "type" else self._batch.seats

    def step(self, actions: Any) -> None:
        if self._spoil == "illegal":
            actions = self._batch.sample()
        self._batch.step(actions)
        if self._spoil == "sampled":
            actions[:] = 0
        if self._spoil == "rewards":
            self._batch.rewards += 1


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        ("rewards", "has no rewards"),
        ("copies", "the same arrays"),
        ("masks", "no legal action"),
        ("type", "it must be int8"),
        ("illegal", "illegal action was accepted"),
        ("lists", "do not agree with the masks"),
        ("sampled", "must not change the array that sample returned"),
    ],
)
def test_the_check_finds_what_is_wrong(spoil: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_batch(Broken(spoil), 50)  # type: ignore[arg-type]
