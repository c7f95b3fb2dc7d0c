"""Make the engine of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bosquet.core.spec import GameSpec
from bosquet.engine import greedy, playing, searching
from bosquet.engine.memory import memory_of
from bosquet.kernels.kernel import Twin, twin_of
from bosquet.search.model import model_kernels, search_model


def exports_of(spec: GameSpec) -> dict[str, Twin]:
    """Return what the engine of a game exports, by name."""
    model = search_model(spec.name)
    bindings = {**spec.kernels, **model_kernels(model), "STATE_BYTES": spec.rules.State.dtype.itemsize}
    bindings["deal_game"] = bindings.pop("deal")
    exports = _bound([*playing.EXPORTS, *searching.EXPORTS], bindings)
    if spec.greedy_action is not None:
        exports |= _bound(greedy.EXPORTS, {**bindings, "greedy_action": spec.greedy_action})
    return exports


def _bound(kernels: Iterable[Callable[..., Any]], bindings: dict[str, Any]) -> dict[str, Twin]:
    return {kernel.__name__: twin_of(kernel, bindings) for kernel in kernels}


def build(spec: GameSpec) -> bytes:
    """Return the engine of a game, a module of WebAssembly. Takes a minute; needs numba and the package `ziglang`."""
    from bosquet.kernels.wasm import module  # imports numba

    return module(exports_of(spec), memory_of(spec.rules, search_model(spec.name)))
