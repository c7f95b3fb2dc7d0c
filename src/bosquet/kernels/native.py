"""Compiled versions of the functions in `kernels.bits` and `kernels.atomic`, as LLVM instructions.

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

from bosquet.kernels import atomic, bits


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


MEMBERS_OF_BYTE = [[bit for bit in range(8) if byte >> bit & 1] for byte in range(256)]


@intrinsic
def write_members(typingctx: Any, numbers: Any, n: Any, members: Any, first: Any, step: Any) -> Any:
    """Compile `bits.write_members`: a table gives the members of a byte, which are written at once.

    A round takes the members among eight numbers, beginning with the smallest. Most sets need one or two, which a
    processor predicts better than a loop over single members. Where the entries of `numbers` do not lie next to each
    other, there is such a loop.
    """

    def one_by_one(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, begin, given, first, step = arguments
        array = make_array(signature.args[0])(context, builder, arguments[0])
        word, item = ir.IntType(64), array.data.type.pointee
        before = builder.block
        look, write, after = (builder.append_basic_block(name) for name in ("members", "member", "written"))
        builder.branch(look)
        builder.position_at_end(look)
        rest, at = builder.phi(word), builder.phi(word)
        builder.cbranch(builder.icmp_unsigned("!=", rest, word(0)), write, after)
        builder.position_at_end(write)
        member = builder.cttz(rest, context.get_constant(types.boolean, True))
        found = builder.add(first, builder.mul(step, member))
        place = cgutils.pointer_add(builder, array.data, builder.mul(at, builder.extract_value(array.strides, 0)))
        builder.store(builder.trunc(found, item) if item.width < word.width else found, place)
        less, more = builder.and_(rest, builder.sub(rest, word(1))), builder.add(at, word(1))
        builder.branch(look)
        for phi, value, next_value in ((rest, given, less), (at, begin, more)):
            phi.add_incoming(value, before)
            phi.add_incoming(next_value, write)
        builder.position_at_end(after)
        return at

    if numbers.layout != "C":
        return types.int64(numbers, types.int64, types.int64, types.int64, types.int64), one_by_one

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, begin, given, first, step = arguments
        data = make_array(signature.args[0])(context, builder, array).data
        word, byte, lane = ir.IntType(64), ir.IntType(8), ir.IntType(32)
        eight = ir.VectorType(data.type.pointee, 8)
        rows = [row + [0] * (8 - len(row)) for row in MEMBERS_OF_BYTE]
        row_type = ir.ArrayType(byte, 8)
        content = ir.Constant(ir.ArrayType(row_type, 256), [ir.Constant(row_type, row) for row in rows])
        table = cgutils.global_constant(builder, "members_of_byte", content)

        def splat(value: Any) -> Any:
            """Return a vector of eight times the same number."""
            narrow = builder.trunc(value, eight.element) if eight.element.width < word.width else value
            single = builder.insert_element(ir.Constant(eight, ir.Undefined), narrow, lane(0))
            return builder.shuffle_vector(single, single, ir.Constant(ir.VectorType(lane, 8), [0] * 8))

        before = builder.block
        loop, after = builder.append_basic_block("members"), builder.append_basic_block("written")
        builder.branch(loop)
        builder.position_at_end(loop)
        rest, at = builder.phi(word), builder.phi(word)
        smallest = builder.cttz(builder.or_(rest, word(1 << 62)), context.get_constant(types.boolean, True))
        window = builder.and_(builder.lshr(rest, smallest), word(255))
        row = builder.bitcast(builder.gep(table, [word(0), window]), ir.VectorType(byte, 8).as_pointer())
        start = splat(builder.add(first, builder.mul(step, smallest)))
        found = builder.add(start, builder.mul(splat(step), builder.zext(builder.load(row, align=8), eight)))
        place = builder.bitcast(builder.gep(data, [at]), eight.as_pointer())
        builder.store(found, place, align=eight.element.width // 8)
        end = builder.add(at, builder.ctpop(window))
        left = builder.and_(rest, builder.not_(builder.shl(word(255), smallest)))
        builder.cbranch(builder.icmp_unsigned("!=", left, word(0)), loop, after)
        for phi, value, next_value in ((rest, given, left), (at, begin, end)):
            phi.add_incoming(value, before)
            phi.add_incoming(next_value, loop)
        builder.position_at_end(after)
        return end

    return types.int64(numbers, types.int64, types.int64, types.int64, types.int64), codegen


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


INTRINSICS: dict[Callable[..., Any], Any] = {
    bits.lowest_bit: lowest_bit,
    bits.count_bits: count_bits,
    bits.index: index,
    bits.write_members: write_members,
    bits.state_byte: state_byte,
    atomic.exchange_if: exchange_if,
}
