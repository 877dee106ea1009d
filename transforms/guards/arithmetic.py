"""Guards of arithmetic that upstream leaves undefined: the ISA's rules hold instead.

Division by zero traps, the least integer by -1 wraps, shift amounts count modulo the width, floats convert with
saturation. Promises (`nsw`, `nnan`), after which anything could follow from a wrong value, are dropped.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith, ub, vector
from xdsl.dialects.builtin import FixedBitwidthType, IndexType, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import vector as our_vector
from hologram.dialects.arith import scalar_of
from hologram.dialects.atlas.instructions.scalar import CvtOp
from hologram.dialects.atlas.instructions.types import dtype_of
from hologram.dialects.layouts import as_vector
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.verbs import number, width_of
from hologram.errors import PassError
from hologram.support.walking import operations
from hologram.transforms.analysis.index_bounds import constant_of
from hologram.transforms.guards.guards import GUARDS, Guards, none_of
from hologram.transforms.guards.refusals import FLAG

DIVISIONS = (
    "arith.divsi arith.divui arith.remsi arith.remui arith.floordivsi arith.ceildivsi arith.ceildivui"
    " index.divs index.divu index.rems index.remu index.floordivs index.ceildivs index.ceildivu"
).split()
UNSAFE_MATH = frozenset(("nnan", "ninf"))


def believe_nothing(root: Operation) -> None:
    """Drops the promises of arithmetic: of what does not hold, anything could follow."""
    for op in operations(root):
        for name in ("overflowFlags", "isExact", "isDisjoint", "nonNeg", "nneg", "exact"):
            if name in op.properties:
                if name == "overflowFlags":
                    op.properties[name] = arith.IntegerOverflowAttr("none")
                else:
                    del op.properties[name]
        flags = op.properties.get("fastmath")
        if isinstance(flags, arith.FastMathFlagsAttr) and UNSAFE_MATH & {f.value for f in flags.data}:
            op.properties["fastmath"] = arith.FastMathFlagsAttr([f for f in flags.data if f.value not in UNSAFE_MATH])


@GUARDS.on(*DIVISIONS)
def guard_division(guards: Guards, op: Any) -> None:
    """Trap on zero; divide by 1 in place of -1, and negate."""
    a, b = cast("tuple[SSAValue, SSAValue]", tuple(op.operands))
    signed = op.name.endswith(("si", "s"))
    low, high = guards.bounds.range(b) if as_vector(b.type) is None else (-1, 0)
    at = OpBuilder(op)
    core = at.core
    if low <= 0 <= high:
        zero = core.compare("eq", b, 0)
        message = f"{op.name}: integer division by zero"
        if isinstance(b.type, VectorType):
            guards.check(at, none_of(at, zero), message)
        else:
            guards.check(at, core.complement(zero), f"{message} of {{}}", a)
    if not signed or not low <= -1 <= high:
        return
    minus = core.compare("eq", b, -1)
    op.operands[1] = core.select(minus, 1, b)
    if "rem" in op.name:
        return
    block = op.parent_block()
    assert block is not None
    after = OpBuilder(op.next_op or block, op)
    chosen = after.core.select(minus, after.core.negate(a), op.results[0])
    result: SSAValue = op.results[0]
    result.replace_uses_with_if(chosen, lambda use: use.operation is not chosen.owner)


@GUARDS.on("arith.shli", "arith.shrsi", "arith.shrui", "index.shl", "index.shrs", "index.shru")
def guard_shift(guards: Guards, op: Any) -> None:
    """The amount counts modulo the width."""
    amount = op.operands[1]
    bits = width_of(scalar_of(amount.type))
    if not isinstance(amount.type, VectorType):
        low, high = guards.bounds.range(amount)
        if 0 <= low and high < bits:
            return
    core = OpBuilder(op).core
    even = bits & (bits - 1) == 0
    op.operands[1] = core.both(amount, bits - 1) if even else core.rem(amount, bits)


@GUARDS.on("arith.fptosi", "arith.fptoui")
def guard_conversion(guards: Guards, op: Any) -> None:
    """Saturate, with 0 for NaN, element by element."""
    source: SSAValue = op.operands[0]
    target: SSAValue = op.results[0]
    at = OpBuilder(op)
    unsigned = op.name.endswith("ui")
    shape = as_vector(source.type)
    if shape is None:
        result = _converted(at, op, source, target.type, unsigned)
    else:
        if shape.get_num_dims() != 1:
            raise PassError(
                op, "guard-conversion-rank", f"'{op.name}' is on a {shape}", hint="unroll the outer dimensions first"
            )
        parts = [at.op(vector.ExtractOp(source, [n], shape.element_type)) for n in range(shape.get_shape()[0])]
        kind = scalar_of(target.type)
        result = at.op(our_vector.FromElementsOp([_converted(at, op, p, kind, unsigned) for p in parts], target.type))
    target.replace_all_uses_with(result)
    op.detach()
    op.erase()


def _converted(at: OpBuilder, op: Operation, value: SSAValue, type: Attribute, unsigned: bool) -> SSAValue:
    source, target = dtype_of(value.type), dtype_of(type, unsigned=unsigned)
    if source is None or target is None:
        raise PassError(
            op,
            "guard-conversion",
            f"'{op.name}' from {value.type} to {type} is undefined out of range",
            hint="take i32",
        )
    return at.op(CvtOp(source, target, value))


@GUARDS.on("ub.poison")
def guard_poison(guards: Guards, op: ub.PoisonOp) -> None:
    """Any value will do: 0."""
    kind = op.result.type
    if not isinstance(scalar_of(kind), IntegerType | IndexType | FixedBitwidthType):
        raise PassError(op, "guard-poison", f"'{op.name}' is a {kind}, which would be any", hint=FLAG)
    zero = OpBuilder(op).op(arith.ConstantOp(number(0, kind)))
    op.result.replace_all_uses_with(zero)
    op.detach()
    op.erase()


@GUARDS.on("ub.unreachable")
def guard_unreachable(guards: Guards, op: Operation) -> None:
    """What must not be reached traps."""
    at = OpBuilder(op)
    guards.check(at, at.core.constant(0, IntegerType(1)), "ub.unreachable: it was reached")


@GUARDS.on("scf.for", "scf.parallel")
def guard_steps(guards: Guards, op: Any) -> None:
    """Steps are at least 1, and the index does not wrap behind the upper bound."""
    loops = (
        [(op.lb, op.ub, op.step)] if op.name == "scf.for" else zip(op.lowerBound, op.upperBound, op.step, strict=True)
    )
    for _, upper, step in loops:
        known = constant_of(step)
        if known == 1:
            continue
        at = OpBuilder(op)
        core = at.core
        if known is None or known < 1:
            guards.check(at, core.compare("sge", step, 1), f"{op.name}: the step {{}} is not positive", step)
        bits = width_of(upper.type)
        most = (1 << (bits - 1)) - 1
        if guards.bounds.range(upper)[1] <= most - max(known or most, 0):
            continue
        room = core.sub(core.constant(most, step.type), core.sub(step, 1))
        guards.check(at, core.compare("sle", upper, room), f"{op.name}: the index wraps before it is {{}}", upper)
