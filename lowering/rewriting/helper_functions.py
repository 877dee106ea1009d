"""Private functions that conversions call, added to a module where they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import FunctionType, IndexType, IntegerAttr, ModuleOp, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from hologram.lowering.rewriting.hidden_arguments import RESONANCE, callee_of
from hologram.support.walking import operations

RESONATE = "hologram_resonate"
_ADDI = IntegerAttr(1, i64)
"""The kind of memref.atomic_rmw that adds integers."""


def define_helpers(module: ModuleOp, helpers: Mapping[str, Callable[[], func.FuncOp]]) -> None:
    """Adds each helper to the module, and to each gpu.module in it, where that calls it and has it not."""
    for scope in [o for o in operations(module) if isinstance(o, ModuleOp) or o.name == "gpu.module"]:
        block = scope.regions[0].block
        own = [op for op in block.ops if op.name != "gpu.module"]
        called = {callee_of(o) for op in own for o in operations(op)}
        defined = {op.sym_name.data for op in own if isinstance(op, func.FuncOp)}
        block.add_ops([make() for name, make in helpers.items() if name in called and name not in defined])


def resonate_function() -> func.FuncOp:
    """`@hologram_resonate`: adds a value in 64.64 fixed point to the sum of a class.

    Words are added one by one, and the carry is that of this very addition, so that the sum is right in the end
    whatever the order, without an atomic operation of 128 bits.
    """
    block = Block(arg_types=[RESONANCE.type, IndexType(), i64, i64])
    sums, number, low, high = block.args
    for arg, name in zip(block.args, ("sums", "class", "low", "high"), strict=True):
        arg.name_hint = name

    def add(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    zero = add(arith.ConstantOp.from_int_and_width(0, i64))
    one = add(arith.ConstantOp.from_int_and_width(1, IndexType()))
    place = add(arith.ShLIOp(number, one))
    old = add(_atomic_add(low, sums, place))
    carry = add(arith.ExtUIOp(add(arith.CmpiOp(add(arith.AddiOp(old, low)), low, "ult")), i64))
    more = add(arith.AddiOp(high, carry))
    after = arith.AddiOp(place, one)
    second = Block([after, _atomic_add(more, sums, after.result), scf.YieldOp()])
    block.add_ops([scf.IfOp(add(arith.CmpiOp(more, zero, "ne")), [], Region(second)), func.ReturnOp()])
    types = FunctionType.from_lists([a.type for a in block.args], [])
    return func.FuncOp(RESONATE, types, Region(block), visibility="private")


def _atomic_add(value: SSAValue, place: SSAValue, index: SSAValue) -> Operation:
    return memref.AtomicRMWOp.build(
        operands=[value, place, [index]], result_types=[value.type], properties={"kind": _ADDI}
    )
