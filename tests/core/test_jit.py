"""Twins of kernels: which are the same, and what their digests depend on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

import bosquet
from bosquet.core import rng
from bosquet.core.state import Field, Int8, StateRecord
from bosquet.kernels.jit import available, bind, kernel
from bosquet.lab.playout import random_games

needs_jit = pytest.mark.skipif(not available(), reason="compiling is turned off (BOSQUET_JIT=0) or numba is absent")

SOURCE = '''
from bosquet.kernels.kernel import compiled_as, kernel

TABLE = (3, 1, 2)
FACTOR = 10
TEXTS = (b"ab", b"c")
TEXT = b"xyz"

@kernel
def callee(i):
    """One line."""
    return TABLE[i] * FACTOR

@kernel
def byte_of(word):
    return word[1]

@kernel
def compiled_sum(i):
    return TEXTS[i][0] + byte_of(b"pqr") + byte_of(TEXT)

@compiled_as(compiled_sum)
def sum_of(i):
    return len(TEXTS[i]) + b"pqr"[1] + TEXT[1]

@kernel
def caller(i):
    """Another line."""
    return callee(i) + sum_of(1) - sum_of(1) + 1

@kernel
def stranger(i):
    return i
'''


def caller_of(source: str) -> Callable[..., Any]:
    """The kernel `caller` of a module's source."""
    names: dict[str, Any] = {"__name__": "sample"}
    exec(source, names)
    made: Callable[..., Any] = names["caller"]
    return made


def digest_of(source: str) -> str:
    digest: str = bind(caller_of(source)).twin.digest  # type: ignore[attr-defined]
    return digest


@needs_jit
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("One line.", "What it does, told\n    at length."),
        ("Another line.", "Something else."),
        ("\n@kernel", "\n\n# a comment\n\n@kernel"),
        ("    return i\n", "    return i + 1\n"),
        ("    return len(TEXTS[i]) +", "    return 0 + len(TEXTS[i]) +"),
    ],
    ids=["a callee's docstring", "its own docstring", "lines", "an unrelated kernel", "what runs plainly instead"],
)
def test_digests_do_not_depend_on(old: str, new: str) -> None:
    assert old in SOURCE
    assert digest_of(SOURCE.replace(old, new)) == digest_of(SOURCE)


@needs_jit
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(3, 1, 2)", "(3, 1, 4)"),
        ("FACTOR = 10", "FACTOR = 11"),
        ("* FACTOR", "- FACTOR"),
        ("+ 1", "+ 2"),
        ('b"ab"', 'b"aB"'),
        ('byte_of(b"pqr")', 'byte_of(b"pQr")'),
        ('b"xyz"', 'b"xYz"'),
        ("return word[1]", "return word[0]"),
    ],
    ids=[
        *("a callee's table", "a callee's constant", "a callee's code", "its own code", "a table of texts"),
        *("a literal text in a call", "a constant text", "what is compiled instead"),
    ],
)
def test_digests_depend_on(old: str, new: str) -> None:
    assert old in SOURCE
    assert digest_of(SOURCE.replace(old, new)) != digest_of(SOURCE)


@needs_jit
def test_digests_depend_on_bindings() -> None:
    caller = caller_of(SOURCE)
    plain, bound = bind(caller), bind(caller, {"FACTOR": 7})
    assert plain.twin.digest != bound.twin.digest  # type: ignore[attr-defined]
    assert (plain(2), bound(2)) == (21, 15)


@needs_jit
def test_texts_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    names: dict[str, Any] = {"__name__": "sample"}
    exec(SOURCE, names)
    for i in range(2):
        assert bind(names["sum_of"])(i) == bind(names["sum_of"], jit=False)(i) == 2 - i + ord("q") + ord("y")


@needs_jit
def test_a_text_that_is_too_long_for_a_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with pytest.raises(ValueError, match="a text of 256 bytes; there may be 255"):
        bind(caller_of(SOURCE.replace('b"ab"', f'b"{"a" * 256}"')))(0)


def test_equal_bindings_give_the_same_twin() -> None:
    caller = caller_of(SOURCE)
    for jit in {False, available()}:
        assert bind(caller, jit=jit) is bind(caller, {"unused": 1}, jit=jit)
        assert bind(caller, {"TABLE": (1,)}, jit=jit) is not bind(caller, jit=jit)


@needs_jit
@pytest.mark.parametrize("name", bosquet.GAMES)
def test_search_lab_and_batches_share_the_rules(name: str) -> None:
    from bosquet.env.compiled_game import compiled_game
    from bosquet.kernels.compiler import inner
    from bosquet.search.worker import Worker

    spec = bosquet.spec(name)
    lab = bind(random_games, spec.kernels).twin.names  # type: ignore[attr-defined]
    search = Worker(name).simulate.twin.names  # type: ignore[attr-defined]
    environment = compiled_game(name).advance.twin.names  # type: ignore[attr-defined]
    assert lab["play"] is search["play"] is environment["play"]
    assert inner(lab["play"]) is inner(search["play"])
    assert lab["below"] is bind(rng.shuffle).twin.names["below"]  # type: ignore[attr-defined]


@needs_jit
def test_integers_of_all_kinds_share_one_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bosquet.kernels.compiler import inner

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # what comes from a cache has no inner forms to count
    assert bind(_calls)(np.array([5], np.int8), 7) == 6 + 8 + 10 + 1
    forms = inner(bind(_calls).twin.names["_grown"]).overloads  # type: ignore[attr-defined]
    assert len(forms) == 1


class _Shelf(StateRecord):
    books: Annotated[list[int], Field("i8", 2)]


class _Library(_Shelf):
    readers: Int8


@needs_jit
def test_a_record_is_not_taken_for_that_of_its_base_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba converts a record to one that it begins with, and warns of it."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    shelf, library = _Shelf(), _Library()
    shelf.books, library.books = [1, 2], [3, 4]
    assert bind(_first_of_shelf)(shelf.pack()[0]) == 1
    assert bind(_first_of_library)(library.pack()[0]) == 3


@kernel
def _first_book(shelf: _Shelf) -> int:
    return shelf.books[0]


@kernel
def _first_of_shelf(shelf: _Shelf) -> int:
    return _first_book(shelf)


@kernel
def _first_of_library(library: _Library) -> int:
    return _first_book(library)


@kernel
def _grown(number: int) -> int:
    return number + 1


@kernel
def _calls(small: Any, number: int) -> int:
    return _grown(small[0]) + _grown(number) + _grown(9) + _grown(0)


@kernel
def _endless(number: int) -> int:
    return _endless(number)


@needs_jit
def test_a_numba_that_is_switched_off_is_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)  # what NUMBA_DISABLE_JIT=1 sets
    assert not available()


@needs_jit
def test_a_kernel_is_not_given_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The type of one is its address, by which another process would find another function."""
    import numba

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with pytest.raises(TypeError, match=r"_grown is given type.*_first_book"):
        bind(_grown)(numba.njit(_first_book))


def test_a_recursive_kernel_is_refused() -> None:
    with pytest.raises(TypeError, match="calls itself"):
        bind(_endless, jit=False)


@needs_jit
def test_a_kernel_that_reads_what_can_change_is_refused() -> None:
    caller = caller_of(SOURCE)
    with pytest.raises(TypeError, match="callee reads TABLE, a list"):
        bind(caller, {"TABLE": [1, 2, 3]})(0)
