"""Compile kernels with numba. Each is typed and translated to LLVM code once, and optimized once for every entry.

An entry is a kernel that is called from Python. `Entry` links it with all kernels that it calls, optimizes the whole
and caches the machine code. A kernel that is called by other kernels is an `Inner`; its LLVM code is cached without
being optimized and never runs by itself. numba's own dispatchers would optimize every kernel again in each of its
callers, and would compile it for every combination of literal and small integer types with which it is called.

This module is imported only when rules are compiled.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import pickle
import sys
from typing import Any

import llvmlite.binding as llvm
from numba.core import config, serialize, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.sigutils import normalize_signature

from bosquet.kernels import cache as kernel_cache
from bosquet.kernels.jit import Twin, table

FORMAT = 2
"""Goes up whenever this module writes other files or compiles in another way."""
OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


class _Fragment(JITCodeLibrary):
    """The LLVM code of an inner kernel, without its callees. It is linked into entries."""

    file = ""
    """Name of its file in the cache."""

    def finalize(self) -> None:
        """Link numba's own functions that it calls; the entry links the other kernels."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            if not isinstance(library, _Fragment):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def callees(self) -> list[_Fragment]:
        """Return the kernels that it calls."""
        return [library for library in dict.fromkeys(self._linking_libraries) if isinstance(library, _Fragment)]


class _Program(JITCodeLibrary):
    """The machine code of an entry with everything that it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link all kernels that are called, directly or indirectly; optimize; generate machine code."""
        self._linking_libraries = _all_linked(self._linking_libraries)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimize as numba does; then once more, with what is left of the callees known to be called from here only.

        That makes loops over small rules up to twice as fast. Internal from the start is slower than either.
        """
        super()._optimize_final_module()
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


def _all_linked(libraries: list[Any]) -> list[Any]:
    """Return libraries and all their dependencies, callers first: LLVM links only symbols that are already used."""
    met: dict[Any, None] = {}

    def visit(library: Any) -> None:
        if library not in met:
            if isinstance(library, _Fragment):
                for callee in library.callees:
                    visit(callee)
            met[library] = None

    for library in libraries:
        visit(library)
    return list(reversed(met))


class _FragmentCompiler(Compiler):
    """numba's compiler, up to the LLVM code."""

    def compile_extra(self, func: Any) -> Any:
        """Compile into a fragment."""
        self.state.library = _Fragment(self.state.targetctx.codegen(), func.__qualname__)
        self.state.flags.no_compile = True
        return super().compile_extra(func)

    def define_pipelines(self) -> Any:
        """Number functions by their names alone, so that every process gives them the same symbols."""
        self.state.func_id.unique_id = 0
        return super().define_pipelines()


class _ProgramCompiler(Compiler):
    """numba's compiler for an entry."""

    def compile_extra(self, func: Any) -> Any:
        """Compile into a program."""
        self.state.library = _Program(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class _Kernel(CPUDispatcher):
    """A kernel, compiled at its first call with each combination of argument types."""

    kind: str
    pipeline: type[Compiler]

    def __init__(self, twin: Twin, **options: Any) -> None:
        self.twin = twin
        function = twin.clone({})  # globals are set when it is compiled; a cached kernel does not need its callees
        function.__qualname__ += f".{self.kind}.{twin.digest[:16]}"  # symbols are derived from it and must be unique
        super().__init__(function, targetoptions=OPTIONS | options, pipeline_class=self.pipeline)

    def compile(self, sig: Any) -> Any:
        """Compile for a signature, or load the compiled form from the cache."""
        args = tuple(normalize_signature(sig)[0])
        with global_compiler_lock:
            if args not in self.overloads:
                self.add_overload(self._result(args))
            return self.overloads[args].entry_point

    def _result(self, args: tuple[Any, ...]) -> Any:
        file = self._file_of(args)
        result = self._loaded(file)
        if result is None:
            with kernel_cache.claimed(file):
                result = self._loaded(file) or self._made(file, args)
        return result

    def _file_of(self, args: tuple[Any, ...]) -> str:
        key = "\0".join([self.twin.digest, str(args), _toolchain()])
        name = f"{self.twin.function.__module__}.{self.twin.function.__name__}".removeprefix("bosquet.")
        return f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.{self.kind}"

    def _loaded(self, file: str) -> Any:
        content = kernel_cache.load(file)
        if content is None:
            return None
        try:
            return self._read(file, content)
        except Exception:  # an unreadable file is compiled again
            return None

    def _made(self, file: str, args: tuple[Any, ...]) -> Any:
        names = self.py_func.__globals__
        for name, value in self.twin.names.items():
            names[name] = _compiled_value(value)
        result = self._compiler.compile(args, None)
        if not result.library.has_dynamic_globals:
            kernel_cache.save(file, self._written(result))
        return result


class Entry(_Kernel):
    """A compiled kernel that is called from Python."""

    kind = "entry"
    pipeline = _ProgramCompiler

    def _made(self, file: str, args: tuple[Any, ...]) -> Any:
        result = super()._made(file, args)
        for environment in result._find_referenced_environments():
            result.library.codegen.set_env(environment.env_name, environment)
        return result

    def _written(self, result: Any) -> bytes:
        content: bytes = serialize.dumps(result._reduce())
        return content

    def _read(self, file: str, content: bytes) -> Any:
        self.targetctx.refresh()
        return CompileResult._rebuild(self.targetctx, *pickle.loads(content))


class Inner(_Kernel):
    """A compiled kernel that is called by other kernels."""

    kind = "inner"
    pipeline = _FragmentCompiler

    def __init__(self, twin: Twin) -> None:
        super().__init__(twin, no_cpython_wrapper=True)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Type a call. Literal and small integers become 64 bits, so that such calls share one compiled form."""
        _, folded = self._compiler.fold_argument_types(args, kws)
        return super().get_call_template(tuple(_widened(arg) for arg in folded), {})

    def add_overload(self, result: Any) -> None:
        """Register a compiled form for the kernels that call it."""
        result = result._replace(entry_point=object())  # never called, but numba looks up the compiled form by it
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result

    def _loaded(self, file: str) -> Any:
        return _fragments.get(file) or super()._loaded(file)

    def _made(self, file: str, args: tuple[Any, ...]) -> Any:
        result = super()._made(file, args)
        result.library.file = file
        return _fragments.setdefault(file, result)

    def _written(self, result: Any) -> bytes:
        result.fndesc.typemap = result.fndesc.calltypes = None  # large, and not used after compiling
        callees = [callee.file for callee in result.library.callees]
        bitcode = result.library._final_module.as_bitcode()
        content: bytes = serialize.dumps((result.fndesc, result.signature, result.environment, callees, bitcode))
        return content

    def _read(self, file: str, content: bytes) -> Any:
        return _read_fragment(file, content)


_fragments: dict[str, Any] = {}
"""The compiled inner kernels of this process, by file name."""


def _read_fragment(file: str, content: bytes | None) -> Any:
    """Load an inner kernel and those that it calls. Raises LookupError if one of them is not in the cache."""
    if file in _fragments:
        return _fragments[file]
    if content is None:
        raise LookupError(file)
    fndesc, signature, environment, callees, bitcode = pickle.loads(content)
    library = _Fragment(cpu_target.target_context.codegen(), fndesc.qualname)
    library.file = file
    library._linking_libraries = [_read_fragment(callee, kernel_cache.load(callee)).library for callee in callees]
    library._final_module = llvm.parse_bitcode(bitcode)
    library._finalized = True
    result = compile_result(
        typing_context=cpu_target.typing_context,
        target_context=cpu_target.target_context,
        signature=signature,
        objectmode=False,
        fndesc=fndesc,
        library=library,
        environment=environment,
    )
    return _fragments.setdefault(file, result)


def _widened(arg: Any) -> Any:
    """Return the type as which an argument of this type is passed."""
    arg = types.unliteral(arg)
    return types.int64 if isinstance(arg, types.Integer) and arg.signed else arg


def _compiled_value(value: Any) -> Any:
    """Return a global value in the form that compiled code uses."""
    if isinstance(value, Twin):
        return value.inner
    return table(value) if isinstance(value, tuple) else value


@functools.cache
def _toolchain() -> str:
    """Return the versions of the compiler and the name of the processor."""
    versions = [(name, importlib.metadata.version(name)) for name in ("numba", "llvmlite", "numpy")]
    switches = {name: getattr(config, name) for name in ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE")}
    processor = cpu_target.target_context.codegen().magic_tuple()
    return repr((FORMAT, sys.implementation.cache_tag, versions, switches, processor))
