"""Placeholders for the kernels of a game: named as the kernels, refusing to run unbound."""

from __future__ import annotations

import pytest

from bosquet.core import bound
from bosquet.core.encoding import ENCODER_KERNELS
from bosquet.core.installed import spec
from bosquet.core.rules import KERNELS
from bosquet.kernels.jit import bind, kernel
from bosquet.search import model
from bosquet.search.model import MODEL_KERNELS


@kernel
def _count(state: object, moves: list[int]) -> int:
    return bound_legal(state, moves)


bound_legal = bound.legal


@pytest.mark.parametrize("name", [*KERNELS, *ENCODER_KERNELS, "observe_again"])
def test_every_kernel_of_rules_and_encoders_has_a_placeholder(name: str) -> None:
    placeholder = getattr(bound, name)
    assert placeholder.__name__ == name
    with pytest.raises(NotImplementedError, match=name):
        placeholder()


@pytest.mark.parametrize("name", MODEL_KERNELS)
def test_every_kernel_of_a_search_model_has_a_placeholder(name: str) -> None:
    with pytest.raises(NotImplementedError, match=name):
        getattr(model, name)()


def test_a_bound_name_runs_the_kernel_of_the_game() -> None:
    rules = spec("topiary").rules
    state, moves = rules.new_state({"players": 2, "draft": False}), [0] * rules.MAX_MOVES
    rules.deal(state, [1, 2, 3, 4])
    with pytest.raises(NotImplementedError, match="legal"):
        _count(state, moves)
    count = bind(_count, {"bound_legal": rules.legal}, jit=False)
    assert count(state, moves) == rules.legal(state, [0] * rules.MAX_MOVES) > 0
