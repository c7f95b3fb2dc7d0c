"""The player around the search for callers that have states: it plays as `Search` does, without making views.

It never looks at what is hidden from the seat to move: that is drawn anew before anything else.
"""

from __future__ import annotations

from typing import Any

from bosquet.core.installed import spec_or_variant
from bosquet.core.rng import Rng
from bosquet.search.bot import Search
from bosquet.search.model import actions_of, search_model


class StateSearch:
    """A player that searches, for one seat of one game. In equal positions it makes the moves of `search`."""

    def __init__(self, game: str, search: Search) -> None:
        self._spec = spec_or_variant(game)
        self._model = search_model(game)
        self._search = search
        self._moves = [0] * self._spec.rules.MAX_MOVES
        self._ahead: list[tuple[bytes, int]] = []
        """The actions that are left of the candidate that was chosen, each with the `_key` of its position."""

    def choose(self, state: Any, rng: Rng) -> int:
        """Return the action of the seat to move in an uncompiled state, which is left as it was. Advances `rng`."""
        if self._ahead and self._ahead[0][0] == self._key(state, state.seat):
            return self._ahead.pop(0)[1]
        if self._spec.rules.legal(state, self._moves) == 1:
            return self._moves[0]
        found = self._search.search_from(self._spec.name, self._spec.determinize(state, state.seat, rng), rng)
        self._ahead = self._actions(state, found.candidates[0].candidate)
        return self._ahead.pop(0)[1]

    def _actions(self, state: Any, candidate: int) -> list[tuple[bytes, int]]:
        """Return the actions of a candidate, each with the `_key` of its position; the first has none."""
        seat = state.seat
        rehearsal = self._spec.determinize(state, seat, Rng("rehearsal"))
        actions: list[tuple[bytes, int]] = []
        for action in actions_of(self._model, rehearsal, candidate, jit=self._search.jit):
            actions.append((self._key(rehearsal, seat) if actions else b"", action))
            self._spec.rules.play(rehearsal, action)
        return actions

    def _key(self, state: Any, seat: int) -> bytes:
        """Return what tells positions apart for a seat."""
        key: bytes = self._spec.conceal(state, seat).pack().tobytes()
        return key
