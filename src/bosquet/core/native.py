"""Compiled versions of the functions in `core.bits` and `core.atomic`, as LLVM instructions.

Imported only when rules are compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from bosquet.core import atomic, bits


@intrinsic
def lowest_bit(typingctx: Any, mask: Any) -> Any:
    """Compile `bits.lowest_bit`: count trailing zeros."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (value,) = arguments
        return builder.cttz(value, context.get_constant(types.boolean, True))

    return types.int64(types.int64), codegen


@intrinsic
def count_bits(typingctx: Any, mask: Any) -> Any:
    """Compile `bits.count_bits`: population count."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (value,) = arguments
        return builder.ctpop(value)

    return types.int64(types.int64), codegen


@intrinsic
def index(typingctx: Any, number: Any) -> Any:
    """Compile `bits.index`: the same bits, unsigned."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (value,) = arguments
        return value

    return types.uint64(types.int64), codegen


@intrinsic
def state_byte(typingctx: Any, state: Any, at: Any) -> Any:
    """Compile `bits.state_byte`: a byte of the record's memory."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, position = arguments
        memory = builder.bitcast(record, ir.IntType(8).as_pointer())
        return builder.zext(builder.load(builder.gep(memory, [position])), ir.IntType(64))

    return types.int64(state, types.int64), codegen


@intrinsic
def exchange_if(typingctx: Any, numbers: Any, at: Any, expected: Any, new: Any) -> Any:
    """Compile `atomic.exchange_if`: compare and exchange."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, position, before, after = arguments
        shared = make_array(signature.args[0])(context, builder, array)
        place = cgutils.gep_inbounds(builder, shared.data, position)
        return builder.extract_value(builder.cmpxchg(place, before, after, "seq_cst"), 0)

    return types.int64(numbers, types.int64, types.int64, types.int64), codegen


INTRINSICS: dict[Callable[..., Any], Callable[..., Any]] = {
    bits.lowest_bit: lowest_bit,
    bits.count_bits: count_bits,
    bits.index: index,
    bits.state_byte: state_byte,
    atomic.exchange_if: exchange_if,
}
