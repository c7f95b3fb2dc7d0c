"""Make the engine of a game, a module of WebAssembly, and tell whether the one that it has is current.

`kernels/wasm.py` compiles the kernels to it.
"""

from __future__ import annotations

import importlib.metadata
import itertools
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, cast

import numpy as np

from bosquet.core.ending import ended
from bosquet.core.positions import position_head
from bosquet.core.real_game import count_kernel
from bosquet.core.spec import GameSpec, check_options
from bosquet.engine import (
    attempting,
    counting,
    dealing,
    greedy,
    judging,
    knowing,
    looking_ahead,
    playing,
    positions,
    reaching,
    searching,
    seeding,
    valuing,
    viewing,
)
from bosquet.engine.facts import dealt_fields, facts_text, has_deal_form
from bosquet.engine.memory import PARTS, memory_of
from bosquet.engine.weights import arrays, key_places
from bosquet.kernels.kernel import Twin, twin_of
from bosquet.search.learned_weights import shipped_model
from bosquet.search.model import model_kernels, search_model

FILE = "engine.wasm"
"""Name of the module in the package of a game."""
FORMAT = 3
"""Goes up with every change of the exports after which a page that knows the earlier ones goes wrong."""
GAME, FACTS, SOURCES, TOOLS = "bosquet.game", "bosquet.facts", "bosquet.sources", "bosquet.tools"
"""Sections of a module: format and game, what a page must know besides, the digest of what the module was made from,
and the versions that made it."""
WRITING = ("write_view", "write_move", "write_entries", "write_totals")


def exports_of(spec: GameSpec) -> dict[str, Twin]:
    """Return what the engine of a game exports, by name."""
    bindings = bindings_of(spec)
    kernels: list[Callable[..., Any]] = [*playing.EXPORTS, *searching.EXPORTS, *judging.EXPORTS, *seeding.EXPORTS]
    if (position := spec.module("position")) is not None:
        kernels += knowing.EXPORTS
        bindings["conceal_state"] = position.conceal
    if position is not None and (texts := spec.module("position_text")) is not None:
        kernels += [*knowing.TEXT_EXPORTS, *positions.EXPORTS]
        bindings |= {name: getattr(texts, name) for name in ("write_options", "write_position")}
        bindings |= position_head.bindings(spec) | {"read_of_game": texts.read_position}
    if (writing := spec.module("writing")) is not None:
        kernels += viewing.EXPORTS
        bindings |= {name: getattr(writing, name) for name in WRITING}
        if hasattr(writing, "write_chance"):
            kernels.append(viewing.chance_made)
            bindings["write_chance"] = writing.write_chance
        if hasattr(writing, "write_revealed"):
            kernels.append(viewing.revealed)
            bindings["write_revealed"] = writing.write_revealed
        if (attempts := spec.module("attempts")) is not None and (notation := spec.module("move_text")) is not None:
            kernels += attempting.EXPORTS
            bindings |= {"list_attempts": attempts.attempts, "write_reason": attempts.write_reason}
            bindings["read_move"] = notation.read_move
        if (reach := spec.module("reachable")) is not None:
            kernels += reaching.EXPORTS
            bindings["write_reachable"] = reach.write_reachable
    if (counts := count_kernel(spec.real_game)) is not None:
        kernels += counting.EXPORTS
        bindings["count_real"] = counts
    if has_deal_form(spec):
        rules: Any = spec.rules
        kernels += dealing.EXPORTS
        bindings |= {"begin_dealt": rules.begin, "write_deal": cast(Any, writing).write_deal}
    if (chances := spec.module("chance_text")) is not None:
        kernels += dealing.CHANCE_EXPORTS
        bindings |= {"read_chance": chances.read_chance, "write_due": chances.write_due}
    if spec.greedy_action is not None:
        kernels += greedy.EXPORTS
        bindings["greedy_action"] = spec.greedy_action
    elif spec.module("greedy") is None:
        kernels += greedy.MOST_POINTS
    if (ahead := spec.module("solitaire")) is not None:
        kernels += looking_ahead.EXPORTS
        bindings["choose_ahead"] = ahead.choose_ahead
    exports = _bound(kernels, bindings)
    if (learned := shipped_model(spec.name)) is not None:
        exports |= _bound(valuing.EXPORTS, bindings | model_kernels(learned) | {"KEY_PLACES": key_places(spec)})
    return exports


def bindings_of(spec: GameSpec) -> dict[str, Any]:
    """Return what the names stand for that the kernels of every engine leave open."""
    model = search_model(spec.name)
    bindings = {**spec.kernels, **model_kernels(model), "STATE_BYTES": spec.rules.State.dtype.itemsize}
    bindings["deal_game"] = bindings.pop("deal")
    bindings["OPTION_BYTES"] = option_bytes(spec)
    bindings["OVER_BYTES"] = over_bytes(spec)
    bindings["reveals"] = spec.rules.is_irreversible
    return bindings


def memory(spec: GameSpec) -> np.dtype[Any]:
    """Return the type of the memory of the engine of a game."""
    ahead = spec.module("solitaire")
    workspace = None if ahead is None else ahead.Workspace
    room = getattr(spec.module("attempts"), "MAX_ATTEMPTS", 0)
    return memory_of(spec.rules, search_model(spec.name), shipped_model(spec.name), workspace, room)


def option_bytes(spec: GameSpec) -> tuple[tuple[int, int, int, int], ...]:
    """Return the bytes of a new state that options set: rows of an option, its value, a place, and the byte there.

    Options and values are numbered as in `spec.options`; the first rows are those of the defaults, as option -1. Raises
    ValueError if what an option sets depends on another one: the engine sets one after the other.
    """
    defaults = check_options(spec, {})
    base = _bytes_of(spec, defaults)
    rows = [(-1, 0, at, byte) for at, byte in enumerate(base) if byte]
    for option, (name, values) in enumerate(spec.options.items()):
        for number, value in enumerate(values):
            given = _bytes_of(spec, {**defaults, name: value})
            places = {at for each in values for at in _differences(base, _bytes_of(spec, {**defaults, name: each}))}
            rows += [(option, number, at, given[at]) for at in sorted(places)]
    for chosen in itertools.product(*(range(len(values)) for values in spec.options.values())):
        made = bytearray(base)
        for option, number in enumerate(chosen):
            for _, _, at, byte in (row for row in rows if row[:2] == (option, number)):
                made[at] = byte
        options = {name: values[number] for (name, values), number in zip(spec.options.items(), chosen, strict=True)}
        if bytes(made) != _bytes_of(spec, options):
            raise ValueError(f"what an option of {spec.name} sets depends on another one")
    return tuple(rows)


def over_bytes(spec: GameSpec) -> tuple[tuple[int, int], ...]:
    """Return the bytes of a state that an early ending sets: rows of a place, and the byte there."""
    kind = spec.rules.State
    rows = set()
    for byte in (0, 1):  # one of them differs from what is set
        state = kind.unpack(np.frombuffer(bytes([byte]) * kind.dtype.itemsize, kind.dtype))
        before, after = (each.pack().tobytes() for each in (state, ended(spec, state)))
        rows |= {(at, after[at]) for at in _differences(before, after)}
    return tuple(sorted(rows))


def _bytes_of(spec: GameSpec, options: Mapping[str, Any]) -> bytes:
    packed: bytes = spec.new_state(options).pack().tobytes()
    return packed


def _differences(first: bytes, second: bytes) -> list[int]:
    return [at for at, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]


def _bound(kernels: Iterable[Callable[..., Any]], bindings: dict[str, Any]) -> dict[str, Twin]:
    return {kernel.__name__: twin_of(kernel, bindings) for kernel in kernels}


def build(spec: GameSpec) -> bytes:
    """Return the engine of a game, a module of WebAssembly. Takes a minute; needs numba and the package `ziglang`."""
    from bosquet.kernels.wasm import module, with_section  # imports numba

    sources = digest(spec)  # first: while it is compiled, somebody may change a file
    made = module(
        exports_of(spec), memory(spec), (*PARTS, *arrays(spec), *(f"table.{name}" for name in dealt_fields(spec)))
    )
    made = with_section(made, GAME, f"{FORMAT} {spec.name}".encode())
    made = with_section(made, FACTS, facts_text(spec))
    made = with_section(made, SOURCES, sources.encode())
    return with_section(made, TOOLS, tools().encode())


def digest(spec: GameSpec) -> str:
    """Return the digest of what the engine of a game is made from. Needs numba."""
    from bosquet.engine.digest import digest_of

    return digest_of(exports_of(spec), memory(spec))


def tools() -> str:
    """Return the versions on which the bytes of a module depend. Raises PackageNotFoundError if one is missing."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("llvmlite", "numba", "ziglang")]
    return ", ".join([f"Python {sys.version_info[0]}.{sys.version_info[1]}", *versions])


def engine_file(spec: GameSpec) -> Traversable:
    """Return the file of the engine of a game, which need not exist."""
    return files(spec.package) / FILE
