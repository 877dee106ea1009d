"""Turns integers that a device has not into limbs that it has, in kernels of the flat form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, math, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu
from hologram.dialects.arith import IndexCastUIOp
from hologram.errors import PassError, UsageError
from hologram.lowering.conversion import Rewriter, Rules, convert_module
from hologram.lowering.core_builder import f32, f64
from hologram.lowering.emit.kernels.kinds import ALIGN
from hologram.lowering.flat_launches import launches_of, retype_launch
from hologram.lowering.limb_memory import RULES as MEMORY
from hologram.lowering.limb_memory import inline_readers
from hologram.lowering.limb_rules import LimbRules, is_split, limb_count, limbs_of
from hologram.lowering.limbs import LimbCode, Limbs
from hologram.lowering.traps import FUNCTIONS as TRAP_FUNCTIONS
from hologram.walking import operations

MOST_PRODUCT = 1024
"""The bits of the widest products: their code is as long as the square of their limbs."""


RULES = Rules()


@dataclass(frozen=True)
class SplitWideIntegersPass(ModulePass):
    """Replaces integers of more than `limb` bits (64 or 32) in gpu.modules by as many limbs, the least first.

    Values become several values, elements of buffers as many elements. Sums carry from limb to limb, products are made
    row by row, divisions bit by bit.

    Before::

        %s = arith.addi %a, %b : i128

    After::

        %low = arith.addi %a0, %b0 : i64
        %over = arith.cmpi ult, %low, %a0 : i64
        %more = arith.select %over, %c1, %c0 : i64
        %sum = arith.addi %a1, %b1 : i64
        %high = arith.addi %sum, %more : i64
    """

    name = "split-wide-integers"
    limb: int = 64

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.limb not in (32, 64):
            raise UsageError("split-limb", f"option 'limb' of split-wide-integers is 32 or 64, not {self.limb}")
        rules = LimbRules(table=RULES.table | MEMORY.table, width=self.limb)
        rules.types.append(rules.split)
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            if any(_touches(rules, o) for o in operations(module)):
                inline_readers(module, rules)
                convert_module(cast("Any", module), rules)
                for launch in launches_of(module, op):
                    given = launch.kernelOperands
                    retype_launch(launch, [(v, rules.split(v.type) or [v.type]) for v in given])


def _touches(rules: LimbRules, op: Operation) -> bool:
    blocks = (b for r in op.regions for b in r.blocks)
    types = [*(v.type for v in (*op.operands, *op.results)), *(a.type for b in blocks for a in b.args)]
    return any(rules.split(t) is not None for t in types)


# Arithmetic


@RULES.on(arith.ConstantOp)
def constant(rw: Rewriter, op: arith.ConstantOp) -> None:
    """Cut into limbs."""
    if not (count := limb_count(rw, op.result.type)):
        return rw.rebuild(op)
    rw.define(op.result, *limbs_of(rw).number(cast("Any", op.value).value.data, count))


_EACH: dict[type[Operation], Any] = {op: op for op in (arith.AndIOp, arith.OrIOp, arith.XOrIOp)}
_SUMS = {arith.AddiOp: LimbCode.add, arith.SubiOp: LimbCode.subtract}
_EXTREMES = {
    # operation: whether it is signed, and takes the lesser
    arith.MinSIOp: (True, True),
    arith.MinUIOp: (False, True),
    arith.MaxSIOp: (True, False),
    arith.MaxUIOp: (False, False),
}


@RULES.on(*_EACH)
def bitwise(rw: Rewriter, op: Any) -> None:
    """Limb by limb."""
    if not is_split(rw, op.result.type):
        return rw.rebuild(op)
    code = limbs_of(rw)
    kind = op.__class__
    rw.define(op.result, *code.each(lambda x, y: code.core(kind(x, y)), rw.values(op.lhs), rw.values(op.rhs)))


@RULES.on(*_SUMS)
def sums(rw: Rewriter, op: Any) -> None:
    """With carries."""
    if not is_split(rw, op.result.type):
        return rw.rebuild(op)
    rw.define(op.result, *_SUMS[type(op)](limbs_of(rw), rw.values(op.lhs), rw.values(op.rhs)))


@RULES.on(arith.MuliOp)
def product(rw: Rewriter, op: arith.MuliOp) -> None:
    """Row by row."""
    if not is_split(rw, op.result.type):
        return rw.rebuild(op)
    bits = cast("IntegerType", op.result.type).bitwidth
    if bits > MOST_PRODUCT:
        raise PassError(
            op,
            "device-refuses-product",
            f"{op.name} multiplies integers of {bits} bits, and this device's products have up to {MOST_PRODUCT}",
            hint="isa.md section 7: a device may refuse products over 1024 bits; use the processor",
        )
    rw.define(op.result, *limbs_of(rw).multiply(rw.values(op.lhs), rw.values(op.rhs)))


@RULES.on(*_EXTREMES)
def extreme(rw: Rewriter, op: Any) -> None:
    """The lesser or the greater."""
    if not is_split(rw, op.result.type):
        return rw.rebuild(op)
    signed, lesser = _EXTREMES[type(op)]
    code, a, b = limbs_of(rw), rw.values(op.lhs), rw.values(op.rhs)
    below = code.below(a, b, signed=signed)
    rw.define(op.result, *(code.select(below, a, b) if lesser else code.select(below, b, a)))


@RULES.on(arith.DivUIOp, arith.DivSIOp, arith.RemUIOp, arith.RemSIOp)
def divide(rw: Rewriter, op: Any) -> None:
    """Magnitudes are divided; the quotient is negative where the signs differ, the remainder where a is."""
    if not is_split(rw, op.result.type):
        return rw.rebuild(op)
    code, a, b = limbs_of(rw), rw.values(op.lhs), rw.values(op.rhs)
    signed, quotient = isinstance(op, arith.DivSIOp | arith.RemSIOp), isinstance(op, arith.DivUIOp | arith.DivSIOp)
    x, y = (code.magnitude(v) if signed else v for v in (a, b))
    found = code.divide(x, y)[0 if quotient else 1]
    if signed:
        top = code.core(arith.XOrIOp(a[-1], b[-1])) if quotient else a[-1]
        found = code.select(code.is_negative((top,)), code.negate(found), found)
    rw.define(op.result, *found)


@RULES.on(arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp)
def shift(rw: Rewriter, op: Any) -> None:
    """By whole limbs and by bits; the amount's least limb says it all."""
    if not is_split(rw, op.result.type):
        return rw.rebuild(op)
    code, a = limbs_of(rw), rw.values(op.lhs)
    fill = code.sign(a) if isinstance(op, arith.ShRSIOp) else code.one(0)
    rw.define(op.result, *code.shift(a, rw.values(op.rhs)[0], left=isinstance(op, arith.ShLIOp), fill=fill))


@RULES.on(arith.CmpiOp)
def compare(rw: Rewriter, op: Any) -> None:
    """From the least limb on."""
    if not is_split(rw, op.lhs.type):
        return rw.rebuild(op)
    number = int(op.predicate.value.data)
    code, a, b = limbs_of(rw), rw.values(op.lhs), rw.values(op.rhs)
    if number < 2:
        found, negated = code.equal(a, b), number == 1
    else:  # slt sle sgt sge ult ule ugt uge
        kind = (number - 2) % 4
        x, y = (a, b) if kind in (0, 3) else (b, a)
        found, negated = code.below(x, y, signed=number < 6), kind in (1, 3)
    if negated:
        found = code.core(arith.XOrIOp(found, code.core.constant(1, IntegerType(1))))
    rw.define(op.result, found)


@RULES.on(arith.SelectOp)
def select(rw: Rewriter, op: Any) -> None:
    """Part by part; buffers too."""
    condition, pairs = rw.value(op.cond), zip(rw.values(op.lhs), rw.values(op.rhs), strict=True)
    core = limbs_of(rw).core
    rw.define(op.result, *(core.select(condition, a, b) for a, b in pairs))


# Widths


@RULES.on(arith.ExtUIOp, arith.ExtSIOp, arith.TruncIOp)
def resize(rw: Rewriter, op: Any) -> None:
    """More or fewer limbs."""
    source, target = op.input.type, op.result.type
    if not is_split(rw, source) and not is_split(rw, target):
        return rw.rebuild(op)
    signed = isinstance(op, arith.ExtSIOp)
    rw.define(op.result, *_resized(rw, rw.values(op.input), target, signed))


def _resized(rw: Rewriter, a: Limbs, target: Attribute, signed: bool) -> Limbs:
    code = limbs_of(rw)
    if not (count := limb_count(rw, target)):
        return (code.core.resize(a[0], target, signed=signed),)
    if len(a) == 1:
        a = (code.core.resize(a[0], code.limb, signed=signed),)
    fill = code.sign(a) if signed and len(a) < count else code.one(0)
    return (*a[:count], *[fill] * (count - len(a)))


@RULES.on(arith.IndexCastOp, IndexCastUIOp)
def index_cast(rw: Rewriter, op: Any) -> None:
    """An integer that no index is becomes the greatest index, which no size exceeds."""
    _index_cast(rw, op, signed=not isinstance(op, IndexCastUIOp))


def _index_cast(rw: Rewriter, op: Any, *, signed: bool) -> None:
    code, source, target = limbs_of(rw), op.input.type, op.result.type
    kind = op.__class__
    if is_split(rw, target):
        limb = code.core(kind.create(operands=[rw.value(op.input)], result_types=[code.limb]))
        rw.define(op.result, *_resized(rw, (limb,), target, signed))
    elif is_split(rw, source):
        a = rw.values(op.input)
        fill = code.sign(a[:1]) if signed else code.one(0)
        fits = code.equal(a[1:], tuple([fill] * (len(a) - 1)))
        least = code.core.select(fits, a[0], code.one((1 << (code.width - 1)) - 1))
        rw.define(op.result, code.core(kind.create(operands=[least], result_types=[IndexType()])))
    else:
        rw.rebuild(op)


_COUNTS = {
    math.CountLeadingZerosOp: LimbCode.leading_zeros,
    math.CountTrailingZerosOp: LimbCode.trailing_zeros,
    math.CtPopOp: LimbCode.ones,
}


@RULES.on(*_COUNTS)
def count_bits(rw: Rewriter, op: Any) -> None:
    """The sum over limbs, or the count of the first that is not empty."""
    if not is_split(rw, op.result.type):
        return rw.rebuild(op)
    rw.define(op.result, *_COUNTS[type(op)](limbs_of(rw), rw.values(op.operand)))


# Floats: of integers of 64 bits, and of more where their expansions end


@RULES.on(arith.SIToFPOp, arith.UIToFPOp)
def to_float(rw: Rewriter, op: Any) -> None:
    """The 32 highest digits, the last one set where any below is, rounded once; times a power of two."""
    if not is_split(rw, op.input.type):
        return rw.rebuild(op)
    code, a = limbs_of(rw), rw.values(op.input)
    core, signed = code.core, isinstance(op, arith.SIToFPOp)
    _need_pairs(op, code, a)
    size = code.magnitude(a) if signed else a
    if op.result.type == f64:
        parts = [core(arith.UIToFPOp(x, f64)) for x in size]
        high = core(arith.MulfOp(parts[1], core.constant(2.0**32, f64)))
        found = core(arith.AddfOp(high, parts[0]))
    else:
        zeros = code.leading_zeros(size)[0]
        top = code.shift(size, core(arith.MinUIOp(zeros, code.one(63))), left=True, fill=code.one(0))
        sticky = core.select(core.compare("ne", top[0], code.one(0)), code.one(1), code.one(0))
        digits = core(arith.UIToFPOp(core.either(top[1], sticky), f32))
        exponent = core(arith.SubiOp(code.one(127 + 32), zeros))
        scale = core.bits(core(arith.ShLIOp(exponent, code.one(23))), f32)
        found = core(arith.MulfOp(digits, scale))
    if signed:
        found = core.select(code.is_negative(a), core.negate(found), found)
    rw.define(op.result, found)


def _need_pairs(op: Operation, code: LimbCode, a: Limbs) -> None:
    if code.width != 32 or len(a) != 2:
        raise PassError(
            op,
            "split-float",
            f"{op.name} is between floats and integers of {len(a) * code.width} bits",
            hint="convert by atlas.cvt, whose expansion goes by way of 64 bits",
        )


@RULES.on(arith.FPToSIOp, arith.FPToUIOp)
def to_integer(rw: Rewriter, op: Any) -> None:
    """The magnitude by 2^32, and what that leaves, which are both exact."""
    if not is_split(rw, op.result.type):
        return rw.rebuild(op)
    code, x = limbs_of(rw), rw.value(op.input)
    core, type = code.core, x.type
    _need_pairs(op, code, code.number(0, limb_count(rw, op.result.type)))
    size = core(math.TruncOp(core(math.AbsFOp(x))))
    high = core(math.TruncOp(core(arith.MulfOp(size, core.constant(2.0**-32, type)))))
    low = core(arith.SubfOp(size, core(arith.MulfOp(high, core.constant(2.0**32, type)))))
    found = tuple(core(arith.FPToUIOp(v, code.limb)) for v in (low, high))
    if isinstance(op, arith.FPToSIOp):
        found = code.select(core.compare("olt", x, core.constant(0.0, type)), code.negate(found), found)
    rw.define(op.result, *found)


@RULES.on(arith.BitcastOp)
def bits(rw: Rewriter, op: arith.BitcastOp) -> None:
    """Floats of 64 bits are beside integers of 64 bits only."""
    if is_split(rw, op.input.type) or is_split(rw, op.result.type):
        raise PassError(
            op,
            "device-refuses-f64-bits",
            f"{op.name} is between {op.input.type} and {op.result.type}, and this device's integers have "
            f"{limbs_of(rw).width} bits",
            hint="isa.md section 7: a device may refuse f64 where it lacks it; compute in f32, or on another device",
        )
    rw.rebuild(op)


# Control flow and functions


def _flat(rw: Rewriter, values: Sequence[SSAValue]) -> list[SSAValue]:
    return [new for old in values for new in rw.values(old)]


def _results(rw: Rewriter, old: Operation, new: Operation) -> None:
    """Lets the results of the new operation stand for those of the old one, part by part."""
    left = list(new.results)
    for result in old.results:
        count = len(rw.types(result.type))
        rw.define(result, *left[:count])
        left = left[count:]


@RULES.on(scf.IfOp, scf.ForOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp, func.CallOp, func.ReturnOp, gpu.ReturnOp)
def parts(rw: Rewriter, op: Operation) -> None:
    """Each value as its parts."""
    operands = _flat(rw, op.operands)
    regions: list[Region] = [rw.region(r) for r in op.regions]
    rw._source = op  # pyright: ignore[reportPrivateUsage]  # the regions' last operation was it
    new = type(op).create(
        operands=operands,
        result_types=[t for r in op.results for t in rw.types(r.type)],
        properties=op.properties,
        attributes=op.attributes,
        regions=regions,
    )
    rw.emit(new)
    _results(rw, op, new)


@RULES.on(func.FuncOp, gpu.FuncOp)
def function(rw: Rewriter, op: func.FuncOp | gpu.FuncOp) -> None:
    """Arguments in parts. What fills the trap record is each language's own, so its body goes."""
    bare = op.sym_name.data in TRAP_FUNCTIONS
    body = Region() if bare or not op.body.blocks else rw.region(op.body)
    properties = {**op.properties, "function_type": cast("FunctionType", rw.type(op.function_type))}
    if op.arg_attrs is not None or not bare:
        properties["arg_attrs"] = ArrayAttr(_said(rw, op))
    rw._source = op  # pyright: ignore[reportPrivateUsage]
    rw.emit(type(op).create(properties=properties, attributes=op.attributes, regions=[body]))


def _said(rw: Rewriter, op: func.FuncOp | gpu.FuncOp) -> list[DictionaryAttr]:
    """The attributes of arguments; the first part of a scalar is aligned as the whole."""
    inputs = list(op.function_type.inputs)
    said = list(op.arg_attrs or [DictionaryAttr({})] * len(inputs))
    found: list[DictionaryAttr] = []
    for type, attributes in zip(inputs, said, strict=True):
        if count := limb_count(rw, type):
            first = DictionaryAttr({**attributes.data, ALIGN: IntegerAttr(8, i64)})
            found += [first, *[DictionaryAttr({})] * (count - 1)]
        else:
            found.append(attributes)
    return found
