"""What an engine was made from, as a hash: that of the sources, the same in every version of Python.

The digest of a twin (`kernels.kernel`) tells apart what one version compiles, by its bytecode. This one reads the
source text of every kernel, without comments, docstrings and annotations, and the values that its names stand for.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

from bosquet.kernels import native, retarget, wasm
from bosquet.kernels.kernel import Twin

DOCUMENTED = (ast.FunctionDef, ast.ClassDef, ast.Module)
LEFT_OUT = ("annotation", "decorator_list", "kind", "returns", "type_comment", "type_ignores", "type_params")
"""Fields of a part of a program that do not change what it does, or that only some versions of Python have."""


def digest_of(exports: Mapping[str, Twin], memory: np.dtype[Any]) -> str:
    """Return the hash of all that a module is made from but the versions of tools. Needs the sources, and numba."""
    parts = [f"{name}={_twin(twin)}" for name, twin in exports.items()]
    parts += [_module(module) for module in (native, retarget, wasm)]
    return _hash([*parts, _layout(memory)])


@functools.cache
def _twin(twin: Twin) -> str:
    values = [f"{name}={_value(value)}" for name, value in sorted(twin.names.items())]
    return _hash([_function(twin.function), *values])


@functools.cache
def _function(function: Any) -> str:
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    return _shape(definition)


def _module(module: Any) -> str:
    return _shape(ast.parse(inspect.getsource(module)))


def _value(value: Any) -> str:
    """Return what a name stands for, as text that is the same in every process."""
    if isinstance(value, Twin):
        return _twin(value)
    return getattr(value, "__name__", None) or repr(value)


def _shape(node: Any) -> str:
    """Return a part of a program as text, without what does not change what it does.

    `ast.dump` is another text in each version of Python.
    """
    if isinstance(node, list):
        return "[" + ",".join(map(_shape, node)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = dict(ast.iter_fields(node))
    if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        fields["body"] = node.body[1:]
    told = {name: value for name, value in fields.items() if name not in LEFT_OUT and value not in ([], None)}
    return f"{type(node).__name__}({','.join(f'{name}={_shape(value)}' for name, value in told.items())})"


def _layout(kind: np.dtype[Any]) -> str:
    """Return the layout of a record as text."""
    if kind.subdtype is not None:
        item, shape = kind.subdtype
        return f"{shape}{_layout(item)}"
    if kind.fields is None:
        return kind.str
    fields = [f"{name}@{offset}:{_layout(item)}" for name, (item, offset, *_) in kind.fields.items()]
    return "{" + ",".join(fields) + f"}}{kind.itemsize}"


def _hash(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
