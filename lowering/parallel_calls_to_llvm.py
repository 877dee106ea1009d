"""Calls whose range may be split, to llvm: what they pass is packed, and the call goes through a pointer to a pool.

The pointer is the module's own, `@hologram_pool`. At first it leads to a function of the module that runs the whole
range at once, so an object file needs nothing beside it. A runtime that has threads puts another function there.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, StringAttr, SymbolRefAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects.llvm import GlobalOp, LLVMPointerType, LLVMStructType
from hologram.errors import PassError
from hologram.lowering import llvm_build as ll
from hologram.lowering.conversion import Rewriter
from hologram.lowering.outline_parallel_loops import CALL
from hologram.pool_call import POOL, SERIAL

LEADING = 3
"""The operands before the captures: begin, end, the work of one iteration."""


def check_parallel_call(op: func.CallOp, callee: func.FuncOp | None) -> None:
    """Raises a PassError unless the callee can be called for parts of a range."""
    if (
        callee is None
        or not callee.body.blocks
        or callee.sym_visibility != StringAttr("private")
        or callee.function_type.outputs.data
        or [*callee.function_type.inputs][:LEADING] != [IndexType()] * LEADING
    ):
        raise PassError(
            op,
            "parallel-call-callee",
            f"@{op.callee.string_value()} can't be called with the attribute {CALL}",
            hint="that takes a private function with a body, whose first arguments are the begin and the end of a "
            "range and the work of one iteration, of type index, and which returns nothing",
        )


def call_through_pool(rw: Rewriter, callee: str, operands: Sequence[SSAValue]) -> None:
    """Calls `callee` for the range of its first operands, by way of the pool."""
    begin, end, work, *captures = operands
    context = _pack(rw, captures)
    body = f"{callee}_range"
    rw.declare(SERIAL, _serial)
    rw.declare(POOL, _pool)
    types = [v.type for v in captures]
    rw.declare(body, lambda: _range_function(body, callee, types))
    place = ll.emit(rw, "mlir.addressof", (), ll.pointer(), {"global_name": _symbol(POOL)})
    pool = ll.emit(rw, "load", (place,), ll.pointer(), ll.NOT_ATOMIC)
    target = ll.emit(rw, "mlir.addressof", (), ll.pointer(), {"global_name": _symbol(body)})
    rw.emit(_indirect(pool, [target, context, begin, end, work]))


def _pack(rw: Rewriter, captures: Sequence[SSAValue]) -> SSAValue:
    """The address of a struct of the captures, on the stack."""
    kind = LLVMStructType.from_type_list([v.type for v in captures])
    one = rw.emit_at_entry(ll.build("mlir.constant", (), (i64,), {"value": ll.number(1)}))
    made = ll.build("alloca", one.results, (ll.pointer(),), {"elem_type": kind, "alignment": ll.alignment(64)})
    context = rw.emit_at_entry(made).results[0]
    for number, value in enumerate(captures):
        place = rw.emit(_field(context, kind, number)).results[0]
        ll.emit_effect(rw, "store", (value, place), ll.NOT_ATOMIC)
    return context


def _field(context: SSAValue, kind: LLVMStructType, number: int) -> Operation:
    """The address of a field."""
    properties: dict[str, Attribute] = {
        "rawConstantIndices": ll.words(0, number),
        "elem_type": kind,
        "noWrapFlags": ll.number(ll.GEP_INBOUNDS, i32),
    }
    return ll.build("getelementptr", (context,), (ll.pointer(),), properties)


def _symbol(name: str) -> Attribute:
    return SymbolRefAttr(StringAttr(name))


def _call(operands: Sequence[SSAValue], properties: dict[str, Attribute]) -> Operation:
    given: dict[str, Attribute] = {
        "CConv": ll.C_CALL,
        "TailCallKind": ll.NO_TAIL_CALL,
        "fastmathFlags": ll.NO_FASTMATH,
        "operandSegmentSizes": ll.words(len(operands), 0),
        "op_bundle_sizes": ll.words(),
    }
    return ll.build("call", operands, (), {**given, **properties})


def _indirect(target: SSAValue, operands: Sequence[SSAValue]) -> Operation:
    return _call([target, *operands], {})


# Symbols


def _range_function(name: str, callee: str, types: Sequence[Attribute]) -> Operation:
    """`void(ptr context, i64 begin, i64 end)`: unpacks the context and calls `callee`."""
    block = Block(arg_types=[ll.pointer(), i64, i64])
    context, begin, end = block.args
    kind = LLVMStructType.from_type_list(types)
    zero = ll.build("mlir.constant", (), (i64,), {"value": ll.number(0)})
    block.add_op(zero)
    captures: list[SSAValue] = []
    for number, type in enumerate(types):
        place = _field(context, kind, number)
        value = ll.build("load", place.results, (type,), ll.NOT_ATOMIC)
        block.add_ops([place, value])
        captures.append(value.results[0])
    # LLVM would inline it anyway, but simplify all of it before and once more behind that.
    how: dict[str, Attribute] = {"callee": _symbol(callee), "always_inline": UnitAttr()}
    call = _call([begin, end, zero.results[0], *captures], how)
    block.add_ops([call, ll.build("return")])
    return _function(name, [ll.pointer(), i64, i64], block)


def _serial() -> Operation:
    """Runs the whole range."""
    block = Block(arg_types=[ll.pointer(), ll.pointer(), i64, i64, i64])
    body, context, begin, end, _ = block.args
    block.add_ops([_indirect(body, [context, begin, end]), ll.build("return")])
    return _function(SERIAL, [a.type for a in block.args], block)


def _function(name: str, inputs: Sequence[Attribute], block: Block) -> Operation:
    # Its address is taken, so nothing is saved by inlining it, and it would be compiled twice.
    properties: dict[str, Attribute] = {"linkage": ll.LinkageAttr("internal"), "no_inline": UnitAttr()}
    return ll.function(name, inputs, None, Region(block), properties)


def _pool() -> Operation:
    """The pointer. It is weak, so that several objects can be linked into one program, and share it."""
    kind: LLVMPointerType = ll.pointer()
    address = ll.build("mlir.addressof", (), (kind,), {"global_name": _symbol(SERIAL)})
    block = Block([address, ll.build("return", address.results)])
    return GlobalOp(kind, POOL, "weak", initializer=Region(block))
