"""Compile kernels with numba. Each is typed and translated to LLVM code once, and optimized once for every entry.

An entry is a kernel that is called from Python. `Entry` links it with all kernels that it calls, optimizes the whole
and caches the machine code. A kernel that is called by other kernels is an `Inner`; its LLVM code is cached without
being optimized and never runs by itself. numba's own dispatchers would optimize every kernel again in each of its
callers, and would compile it for every combination of literal and small integer types with which it is called.

What one process has cached is linked with what others have cached. Therefore symbols follow from what they stand for:
the digest of a kernel and its argument types. numba's own symbols contain numbers of functions and of record types,
which are different ones in each process.

This module is imported only when rules are compiled.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import importlib.metadata
import io
import pickle
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np
from numba.core import config, funcdesc, itanium_mangler, serialize, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime import rtsys
from numba.core.sigutils import normalize_signature

from bosquet.kernels import ahead, native, native_ahead
from bosquet.kernels import cache as kernel_cache
from bosquet.kernels.kernel import Twin, code_parts

INTRINSICS = native.INTRINSICS | {ahead.expect: native_ahead.expect}
FORMAT = 4
"""Goes up whenever this module writes other files or compiles in another way."""
OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
SWITCHES = (
    *("OPT", "DEBUGINFO_DEFAULT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DISABLE_INTEL_SVML"),
    *("LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS"),
)
"""Settings of numba on which compiled code depends."""
ARGUMENTS = (types.Number, types.Boolean, types.Bytes, types.Record, types.Array, types.NoneType, types.Omitted)
"""Types of arguments, besides tuples of them: their names tell everything of them, in every process."""
COMPILED = "_ZN"
"""Prefix of the symbols of what numba compiles; functions written in C have others."""
KERNEL = "bosquet_kernel"
"""Part of the symbols of kernels, which tells them from those of numba's own functions."""


@functools.cache
def entry(twin: Twin) -> Entry:
    """Return the compiled twin, to be called from Python."""
    return Entry(twin)


@functools.cache
def inner(twin: Twin) -> Any:
    """Return the compiled twin, to be called by other compiled twins."""
    return INTRINSICS.get(twin.function) or Inner(twin)


class Linked(NamedTuple):
    """A compiled twin with all that it calls, not optimized for this processor."""

    symbol: str
    """The symbol of the twin in the module."""
    result: Any
    """numba's type of what it returns."""
    module: Any
    """The code, as a module of LLVM."""


def linked(twin: Twin, arguments: tuple[Any, ...]) -> Linked:
    """Return a twin compiled for these argument types; `kernels.retarget` makes code for other machines from it."""
    kernel = inner(twin)
    kernel.compile(arguments)
    result = kernel.overloads[arguments]
    module = result.library._final_module.clone()
    for library in _all_linked(result.library.callees):
        module.link_in(library._get_module_for_linking(), preserve=True)
    _check_calls(module, set())
    return Linked(result.fndesc.llvm_func_name, result.signature.return_type, module)


class _Library(JITCodeLibrary):
    """LLVM code in which every symbol follows from what it stands for."""

    def _rename_functions_of_numba(self) -> None:
        """Name numba's own functions, of which the library has copies, after the library and by their order in it."""
        copies = [value for value in _defined(self._final_module) if KERNEL not in value.name]
        for number, value in enumerate(copies):
            environment = lookup_environment(value.name)
            if environment and environment.consts:  # Python objects of this process
                self._dynamic_globals.append(value.name)
            else:
                value.name = f"{self.name}.{number}"


class _Fragment(_Library):
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
        self._rename_functions_of_numba()
        self._finalized = True

    @property
    def callees(self) -> list[_Fragment]:
        """Return the kernels that it calls."""
        return [library for library in dict.fromkeys(self._linking_libraries) if isinstance(library, _Fragment)]


class _Program(_Library):
    """The machine code of an entry with everything that it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link all kernels that are called, directly or indirectly; optimize; generate machine code."""
        self._linking_libraries = _all_linked(self._linking_libraries)
        for library in self._linking_libraries:
            self._dynamic_globals.extend(library._dynamic_globals)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimize as numba does; then once more, with what is left of the callees known to be called from here only.

        That makes loops over small rules up to twice as fast. Internal from the start is slower than either.
        """
        self._rename_functions_of_numba()
        super()._optimize_final_module()
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _verify_declare_only_symbols(self) -> None:
        """Raise LookupError for a function that is called and defined nowhere; to call it would end the process."""
        _check_calls(self._final_module, set())


def _defined(module: Any) -> Iterator[Any]:
    """Yield the functions and variables of compiled Python code that a module defines."""
    for value in (*module.functions, *module.global_variables):
        if value.name.startswith(COMPILED) and not value.is_declaration:
            yield value


def _check_calls(module: Any, known: set[str]) -> None:
    """Raise LookupError if a module calls a compiled function that neither it defines nor is known by its symbol."""
    for function in module.functions:
        if function.is_declaration and function.name.startswith(COMPILED) and function.name not in known:
            raise LookupError(f"no kernel defines {function.name}")


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


class _KernelCompiler(Compiler):
    """numba's compiler, with symbols that follow from what they stand for."""

    library: type[_Library]

    def compile_extra(self, func: Any) -> Any:
        """Compile into a library."""
        self.state.targetctx = self.state.targetctx.subtarget(mangler=_symbol)
        name = f"{func.__qualname__}.{_digest(self.state.args)}"
        self.state.library = self.library(self.state.targetctx.codegen(), name)
        return super().compile_extra(func)

    def define_pipelines(self) -> Any:
        """Forget the number that numba has given to the function."""
        function = self.state.func_id
        function.unique_id, function.unique_name = 0, function.func_qualname
        return super().define_pipelines()


class _FragmentCompiler(_KernelCompiler):
    """numba's compiler, up to the LLVM code."""

    library = _Fragment

    def compile_extra(self, func: Any) -> Any:
        """Compile into a fragment."""
        self.state.flags.no_compile = True
        return super().compile_extra(func)


class _ProgramCompiler(_KernelCompiler):
    """numba's compiler for an entry."""

    library = _Program

    def define_pipelines(self) -> Any:
        """Keep the machine code, for the cache."""
        self.state.library.enable_object_caching()
        return super().define_pipelines()


def _symbol(name: str, arguments: tuple[Any, ...], *, abi_tags: Any = (), uid: Any = None) -> str:
    """Return the symbol of a function: numba's own for functions of numba, which are renamed when they are linked."""
    if KERNEL not in name:
        return str(funcdesc.default_mangler(name, arguments, abi_tags=abi_tags, uid=uid))
    return str(itanium_mangler.mangle(f"{name}.{_digest(arguments)}", ()))


def _digest(arguments: tuple[Any, ...]) -> str:
    """Return a hash of argument types: their names tell all fields of a record and the shape of a nested array."""
    return hashlib.sha256(repr(tuple(arguments)).encode()).hexdigest()[:16]


class _Pickler(serialize.NumbaPickler):
    """Pickles types without the numbers that numba gave them in this process."""

    def reducer_override(self, obj: Any) -> Any:
        """Return what makes an object again."""
        if isinstance(obj, types.Type):
            rebuild, (make, arguments, state) = obj.__reduce__()
            return rebuild, (make, arguments, {name: value for name, value in state.items() if name != "_code"})
        return super().reducer_override(obj)


def _pickled(content: Any) -> bytes:
    with io.BytesIO() as out:
        _Pickler(out, protocol=pickle.HIGHEST_PROTOCOL).dump(content)
        return out.getvalue()


class _Kernel(CPUDispatcher):
    """A kernel, compiled at its first call with each combination of argument types."""

    kind: str
    pipeline: type[Compiler]

    def __init__(self, twin: Twin, **options: Any) -> None:
        self.twin = twin
        function = twin.clone({})  # globals are set when it is compiled; a cached kernel does not need its callees
        function.__qualname__ += f".{KERNEL}.{self.kind}.{twin.digest[:16]}"  # its symbol is made from it
        if _is_empty(function.__code__):
            options["debug"] = False  # numba raises IndexError when it looks for the first statement
        super().__init__(function, targetoptions=OPTIONS | options, pipeline_class=self.pipeline)

    def compile(self, sig: Any) -> Any:
        """Compile for a signature, or load the compiled form from the cache."""
        args = tuple(normalize_signature(sig)[0])
        self._check_types(args)
        with global_compiler_lock:
            if args not in self.overloads:
                self.add_overload(self._result(args))
            return self.overloads[args].entry_point

    def _check_types(self, args: tuple[Any, ...]) -> None:
        """Raise TypeError for a type whose name is not the same in every process, as that of a function."""
        for arg in args:
            if isinstance(arg, types.BaseTuple):
                self._check_types(tuple(arg))
            elif not isinstance(arg, ARGUMENTS):
                raise TypeError(f"{self.twin.function.__qualname__} is given {arg}; see `bosquet.kernels.kernel`")

    def _result(self, args: tuple[Any, ...]) -> Any:
        file = self._file_of(args)
        result = self._loaded(file)
        if result is None:
            with kernel_cache.claimed(file):
                result = self._loaded(file) or self._made(file, args)
        return result

    def _file_of(self, args: tuple[Any, ...]) -> str:
        key = "\0".join([self.twin.digest, str(args), toolchain()])
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
        *before, _annotation, reload_init, environments = result._reduce()
        return _pickled((*before, "", reload_init, environments))  # the annotation has addresses, and is not read

    def _read(self, file: str, content: bytes) -> Any:
        rtsys.initialize(self.targetctx)  # not `refresh`, which imports all that numba can compile
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
        return _pickled((result.fndesc, result.signature, result.environment, callees, bitcode))

    def _read(self, file: str, content: bytes) -> Any:
        return _read_fragment(file, content)


_fragments: dict[str, Any] = {}
"""The compiled inner kernels of this process, by file name."""


def _read_fragment(file: str, content: bytes | None) -> Any:
    """Load an inner kernel and those that it calls. Raises LookupError if one of them is missing from the cache."""
    if file in _fragments:
        return _fragments[file]
    if content is None:
        raise LookupError(file)
    fndesc, signature, environment, callees, bitcode = pickle.loads(content)
    library = _Fragment(cpu_target.target_context.codegen(), fndesc.qualname)
    library.file = file
    called = [_read_fragment(callee, kernel_cache.load(callee)) for callee in callees]
    library._linking_libraries = [callee.library for callee in called]
    library._final_module = llvm.parse_bitcode(bitcode)
    library._final_module.get_function(fndesc.llvm_func_name)  # raises NameError if it does not define itself
    _check_calls(library._final_module, {callee.fndesc.llvm_func_name for callee in called})
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
        return inner(value)
    return table(value) if isinstance(value, tuple) else value


@functools.cache
def table(rows: tuple[Any, ...]) -> np.ndarray[Any, np.dtype[Any]]:
    """Return a table as the array that compiled code reads: integers, or a row of bytes, which its size precedes."""
    if not (rows and isinstance(rows[0], bytes)):
        return np.array(rows, dtype=np.int64)
    longest = max(map(len, rows))
    if longest > 255:
        raise ValueError(f"a table has a text of {longest} bytes; there may be 255")
    return np.array([(len(row), *row.ljust(longest, b"\0")) for row in rows], np.uint8)


def _is_empty(code: Any) -> bool:
    """Return whether a function has no statement but its docstring."""
    steps = {step.opname for step in dis.get_instructions(code)}
    return steps <= {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


@functools.cache
def toolchain() -> str:
    """Return what compiled code depends on besides kernels: versions, settings, the processor, and `kernels.native`."""
    versions = [(name, importlib.metadata.version(name)) for name in ("numba", "llvmlite", "numpy")]
    switches = {name: getattr(config, name) for name in SWITCHES}
    processor = cpu_target.target_context.codegen().magic_tuple()
    intrinsics = [part for intrinsic in INTRINSICS.values() for part in code_parts(intrinsic._defn.__code__)]
    return repr((FORMAT, sys.implementation.cache_tag, versions, switches, processor, intrinsics))
