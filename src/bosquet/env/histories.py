"""What the seats of a batch have ever known: information states with perfect recall, as OpenSpiel has them.

A loop of learning looks like this::

    with bosquet.batch(game, players=2, n=4096) as batch:
        histories = Histories(batch)
        while learning:
            histories.step(choose(histories.information_states(), batch.masks))
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bosquet.core.bound import action_at, is_concealed, private
from bosquet.core.errors import OptionError
from bosquet.env.batch.batch import Batch
from bosquet.env.batch.given import Rows, rows_of, viewers_of
from bosquet.env.batch.kernels import EVERYBODY
from bosquet.env.chance_game import HIDDEN
from bosquet.env.gpu.batch import DeviceBatch
from bosquet.kernels.jit import kernel

PRIVATE_BITS = 16
"""Bits per number for private information, three numbers in all; a float32 holds each exactly."""
PRIVATE_NUMBERS = 3
SEEN = 2
"""What is added to an action that a seat has seen; 1 is one that it has not seen, 0 none."""


class Histories:
    """The decisions of the games of a batch that are under way. The batch is stepped and dealt through it only."""

    def __init__(self, batch: Batch) -> None:
        """Begin with games that have just been dealt.

        A decision that a game may have takes 32 bytes. Raises OptionError for a batch with a learner, whose opponents
        decide unseen, and for one on a device.
        """
        if isinstance(batch, DeviceBatch):
            raise OptionError("the games are on a device, and their histories are kept on the processor only")
        if batch._own_seat != EVERYBODY:
            raise OptionError("the batch has a learner, so that decisions of other seats are not seen; leave it out")
        self.batch: Batch = batch
        compiled = batch.compiled
        self._most = compiled.encoder.max_decisions(compiled.options)
        self._lengths = np.zeros(batch.n, np.int64)
        self._told = np.zeros((batch.n, self._most, 4), np.int64)
        """Of each decision its seat, the action, whether only that seat knows it, and what was private to the seat."""
        self._note_some = compiled.bound(note_some)

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Return how many decisions were made in each game, shape `(n,)`."""
        return self._lengths.copy()

    def reset(self, *arguments: Any, where: Rows | None = None, **more: Any) -> None:
        """Deal games again; see `Batch.reset`."""
        self.batch.reset(*arguments, where=where, **more)
        self._lengths[rows_of(where, self.batch.n)] = 0

    def step(self, actions: npt.ArrayLike, *, where: Rows | None = None) -> None:
        """Apply an action in every game; see `Batch.step`."""
        batch, rows = self.batch, rows_of(where, self.batch.n)
        chosen, noted = np.asarray(actions), np.zeros((batch.n, 4), np.int64)
        if chosen.shape == (batch.n,):
            self._note_some(batch._states, batch._legal, batch._legal_count, chosen.astype(np.int64), noted)
        batch.step(actions, where=where)
        self._told[rows, self._lengths[rows]] = noted[rows]
        self._lengths[rows] += 1
        self._lengths[batch.done] = 0

    def information_states(self, seat: npt.ArrayLike | None = None) -> npt.NDArray[np.float32]:
        """Return what a seat has ever known in each game, by default the one to move, as a new array.

        `seat` is one seat, or one for each game. Row i has the seat as a one-hot, its observation, `(most,)` actions,
        and `(most, 3)` numbers of 16 bits that were private to it at its own decisions, where `most` is the greatest
        number of decisions of a game. An action is 0 if it has not been made yet, 1 if the seat did not see it, else
        the action plus 2. It is the tensor that OpenSpiel gives. Raises OptionError.
        """
        batch, most = self.batch, self._most
        viewers = batch.seats.astype(np.int64) if seat is None else viewers_of(seat, batch.compiled, batch.n)
        seats, actions, concealed, secrets = np.moveaxis(self._told, 2, 0)
        made = np.arange(most) < self._lengths[:, None]
        own = made & (seats == viewers[:, None])
        shown = np.where(own | (concealed == 0), actions, HIDDEN) + SEEN
        places = np.arange(PRIVATE_NUMBERS) * PRIVATE_BITS
        parts = np.where(own, secrets, 0)[:, :, None] >> places & ((1 << PRIVATE_BITS) - 1)
        observations = batch.observations if seat is None else batch.observe(seat)
        one_hot = np.arange(batch.players) == viewers[:, None]
        found = (one_hot, observations, np.where(made, shown, 0), parts.reshape(batch.n, -1))
        return np.concatenate([part.astype(np.float32) for part in found], axis=1)


@kernel
def note_some(states: Any, legal: Any, legal_count: Any, chosen: Any, noted: Any) -> None:
    """Write of each game the entry of its history that the chosen action makes, if it is legal."""
    for i in range(chosen.shape[0]):
        state = states[i]
        row = legal[i]
        for k in range(legal_count[i]):
            if row[k] == chosen[i]:
                action = action_at(state, int(chosen[i]))
                noted[i, 0] = state.seat
                noted[i, 1] = action
                noted[i, 2] = int(is_concealed(state, action))
                noted[i, 3] = private(state, state.seat)
