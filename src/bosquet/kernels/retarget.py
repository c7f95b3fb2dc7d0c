"""Kernels as code for another machine than this process runs on, such as a GPU or a browser.

The code of a kernel and of all that it calls (`compiler.linked`) has not been optimized for this processor; here it is
optimized for a target. What is called from outside is a wrapper, in the text form of LLVM. Needs numba.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm


@dataclass(frozen=True)
class Target:
    """A machine that LLVM makes code for."""

    triple: str
    cpu: str = ""
    features: str = ""
    vectors: bool = True
    """Whether loops are turned into vector instructions."""
    inlining: int = 225
    """LLVM's limit for inlining a call; a higher one inlines larger functions."""

    @property
    def is_gpu(self) -> bool:
        """Return whether many threads run the same function there."""
        return self.triple.startswith("nvptx")

    def machine(self) -> Any:
        """Return LLVM's description of the machine. Raises RuntimeError if this LLVM cannot make code for it."""
        _initialize()
        made = llvm.Target.from_triple(self.triple)
        return made.create_target_machine(opt=3, cpu=self.cpu, features=self.features, jit=False)


PTX = Target("nvptx64-nvidia-cuda", cpu="sm_75", features="+ptx80", vectors=False, inlining=5000)
"""NVIDIA's GPUs from Turing (2018) on, with drivers for CUDA 12.0 (525.60, December 2022) or newer."""


def this_machine() -> Target:
    """Return the target of this processor."""
    features = llvm.get_host_cpu_features().flatten()
    return Target(llvm.get_process_triple(), cpu=llvm.get_host_cpu_name(), features=features, vectors=False)


def array_arguments(data: str, shape: Sequence[int | str], strides: Sequence[int | str], item: int) -> str:
    """Return the arguments that stand for one array, by its pointer, shape, strides in bytes and size of an entry."""
    sizes = [f"i64 {number}" for number in (*shape, *strides)]
    return ", ".join(["ptr null", "ptr null", "i64 1", f"i64 {item}", f"ptr {data}", *sizes])


def module_for(target: Target, code: Sequence[Any], wrapper: str, exported: Collection[str]) -> tuple[Any, Any]:
    """Return an optimized module for a target and LLVM's machine for it.

    `code` are modules of `compiler.linked`, which stay as they are. `wrapper` defines the functions `exported`, which
    call kernels of these modules. Everything else is called from nowhere else, so what is not used is left out.
    """
    machine = target.machine()
    whole = code[0].clone()
    for part in code[1:]:
        whole.link_in(part, preserve=True)
    module = llvm.parse_assembly(_mergeable(str(whole)) + wrapper)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    for function in module.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = llvm.Linkage.internal
    for variable in module.global_variables:
        if variable.linkage == llvm.Linkage.common:  # which WebAssembly and PTX do not have
            variable.linkage = llvm.Linkage.internal
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = target.vectors
    options.inlining_threshold = target.inlining
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module, machine


def _mergeable(code: str) -> str:
    """Return the text of a module in which constants of the same content, such as tables, may become one."""
    return re.sub(r"^(@\S+ = (?:internal |private )?)constant", r"\1unnamed_addr constant", code, flags=re.MULTILINE)


@functools.cache
def _initialize() -> None:
    """Let LLVM know all machines that it was built for."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
