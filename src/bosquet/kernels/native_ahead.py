"""The compiled version of the function in `kernels.ahead`, which no engine of the page uses. Needs numba."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

LINE = 64
"""Bytes that a cache loads at once."""


@intrinsic
def expect(typingctx: Any, rows: Any, i: Any, begin: Any, size: Any) -> Any:
    """Compile `ahead.expect`: a prefetch into all caches for each line."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given, row, first, length = arguments
        array = make_array(signature.args[0])(context, builder, given)
        word, byte, number = ir.IntType(64), ir.IntType(8), ir.IntType(32)
        pointer = byte.as_pointer()
        if rows.ndim == 1:  # of constant length, so that the compiler can unroll the loop
            whole = word(context.get_abi_sizeof(array.data.type.pointee))
            length = builder.select(builder.icmp_signed("<", length, whole), length, whole)
        hint = builder.module.declare_intrinsic(
            "llvm.prefetch", [pointer], ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        )
        offset = builder.add(builder.mul(row, builder.extract_value(array.strides, 0)), first)
        start = builder.gep(builder.bitcast(array.data, pointer), [offset])
        with cgutils.for_range_slice(builder, word(0), length, word(LINE), word) as (at, _):
            builder.call(hint, [builder.gep(start, [at]), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(rows, types.int64, types.int64, types.int64), codegen
