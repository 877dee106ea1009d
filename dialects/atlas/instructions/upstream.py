"""What upstream's operations on scalars compute: each names the instruction that it is, or says it as a function.

Where upstream leaves a case open, the ISA's rule holds. The interpreter reads the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ContainerType
from xdsl.ir import Attribute, Operation

from hologram.dialects import index
from hologram.dialects.arith import IndexCastUIOp
from hologram.dialects.atlas.instructions.dtypes import Array, DType
from hologram.dialects.atlas.instructions.reference import converted, shift_amount
from hologram.dialects.atlas.instructions.storage import storage, view
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS, SETCC
from hologram.dialects.atlas.instructions.types import dtype_of
from hologram.dialects.lazy import np
from hologram.errors import InputError

Compute: TypeAlias = "Callable[[Any, Sequence[Array]], Array]"
"""Takes the operation and its operands in storage form, of any shapes that broadcast, and gives the result. It raises
`Trap` with the mask of the lanes that trap."""


@dataclass(frozen=True)
class Meaning:
    """What an operation computes."""

    compute: Compute
    traps: bool = False
    """Whether some operands make it trap."""


def element_type(type: Attribute) -> Attribute:
    """The element type of a shaped type; a scalar's own type."""
    return cast("ContainerType[Attribute]", type).get_element_type() if isinstance(type, ContainerType) else type


def isa_type(type: Attribute, *, unsigned: bool = False) -> DType:
    """The ISA type of a scalar or element type; of elements of a ring that of the integers that hold them."""
    element = element_type(type)
    dtype = dtype_of(getattr(element, "storage", element), unsigned=unsigned)
    if dtype is None:
        raise InputError("interpreter-type", f"the interpreter has no values of type {type}")
    return dtype


def instruction(name: str, *, unsigned: bool = False) -> Meaning:
    """The instruction under the type of the last operand."""
    declared = INSTRUCTIONS[name]

    def compute(op: Operation, args: Sequence[Array]) -> Array:
        dtype = isa_type(op.operands[-1].type, unsigned=unsigned)
        if list(declared.operands.values())[-1] == "u32":
            args = [args[0], shift_amount(args[1], dtype)]
        return declared.evaluate(dtype, *args)

    return Meaning(compute, declared.traps is not None)


def of_floats(name: str) -> Meaning:
    """The instruction where it is one of floats, which never trap."""
    return Meaning(instruction(name).compute)


def conversion(*, source: bool = False, target: bool = False) -> Meaning:
    """A conversion; the flags say which side is unsigned."""

    def compute(op: Operation, args: Sequence[Array]) -> Array:
        return converted(
            isa_type(op.operands[0].type, unsigned=source), isa_type(op.results[0].type, unsigned=target), args[0]
        )

    return Meaning(compute)


def truncated(op: Operation, args: Sequence[Array]) -> Array:
    """To fewer bits; one bit keeps the lowest, which is not what `cvt` to bool does."""
    target = isa_type(op.results[0].type)
    return args[0] % 2 != 0 if target.kind == "bool" else converted(isa_type(op.operands[0].type), target, args[0])


def sign_extended(op: Operation, args: Sequence[Array]) -> Array:
    """To more bits by the sign; of one bit the sign is the bit."""
    wide = converted(isa_type(op.operands[0].type), isa_type(op.results[0].type), args[0])
    return -wide if args[0].dtype == np.bool_ else wide


def same_bits(op: Operation, args: Sequence[Array]) -> Array:
    """The bits as another type."""
    return np.asarray(args[0]).view(isa_type(op.results[0].type).numpy)


def rounded_division(toward: str, *, unsigned: bool = False) -> Meaning:
    """Division that rounds down or up: the truncated quotient, moved by one where there is a rest on that side."""

    def compute(op: Operation, args: Sequence[Array]) -> Array:
        dtype = isa_type(op.operands[0].type, unsigned=unsigned)
        quotient = view(INSTRUCTIONS["div"].evaluate(dtype, *args), dtype)
        rest = INSTRUCTIONS["rem"].evaluate(dtype, *args) != 0
        a, b = (view(x, dtype) for x in args)
        same_sign = (a < 0) == (b < 0)
        step = (rest & same_sign).astype(dtype.numpy) if toward == "up" else -(rest & ~same_sign).astype(dtype.numpy)
        with np.errstate(all="ignore"):
            return storage(quotient + step, dtype)

    return Meaning(compute, traps=True)


_CONDITIONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _compared(name: str, op: Operation, args: Sequence[Array]) -> Array:
    condition = name if name in ("eq", "ne") else name[1:]
    dtype = isa_type(op.operands[0].type, unsigned=name.startswith("u"))
    return SETCC.evaluate(dtype, *args, condition=condition)


def compared_integers(op: arith.CmpiOp, args: Sequence[Array]) -> Array:
    """`arith.cmpi`, whose predicate is a number."""
    return _compared(_CONDITIONS[op.predicate.value.data], op, args)


def compared_indices(op: index.CmpOp, args: Sequence[Array]) -> Array:
    """`index.cmp`."""
    return _compared(str(op.pred.data), op, args)


def compared_floats(op: arith.CmpfOp, args: Sequence[Array]) -> Array:
    """Predicates 1 to 7 are ordered, 8 to 14 unordered; 0 is false, 15 true."""
    number = op.predicate.value.data
    a, b = args
    unordered: Array = np.isnan(a) | np.isnan(b)
    match number:
        case 0 | 15:
            return np.full(unordered.shape, number == 15)
        case 7 | 14:
            return unordered if number == 14 else ~unordered
        case _:
            condition = ("eq", "gt", "ge", "lt", "le", "ne")[number % 7 - 1]
            holds = SETCC.evaluate(isa_type(op.lhs.type), a, b, condition=condition)
            return np.logical_or(holds, unordered) if number > 7 else np.logical_and(holds, ~unordered)


MEANINGS: dict[type[Operation], Meaning] = {
    arith.AddiOp: instruction("add"), arith.SubiOp: instruction("sub"), arith.MuliOp: instruction("mul"),
    arith.DivSIOp: instruction("div"), arith.DivUIOp: instruction("div", unsigned=True),
    arith.RemSIOp: instruction("rem"), arith.RemUIOp: instruction("rem", unsigned=True),
    arith.FloorDivSIOp: rounded_division("down"), arith.CeilDivSIOp: rounded_division("up"),
    arith.CeilDivUIOp: rounded_division("up", unsigned=True),
    arith.MinSIOp: instruction("min"), arith.MaxSIOp: instruction("max"),
    arith.MinUIOp: instruction("min", unsigned=True), arith.MaxUIOp: instruction("max", unsigned=True),
    arith.AndIOp: instruction("and"), arith.OrIOp: instruction("or"), arith.XOrIOp: instruction("xor"),
    arith.ShLIOp: instruction("shl"), arith.ShRSIOp: instruction("shr"),
    arith.ShRUIOp: instruction("shr", unsigned=True),
    arith.AddfOp: of_floats("add"), arith.SubfOp: of_floats("sub"), arith.MulfOp: of_floats("mul"),
    arith.DivfOp: of_floats("div"), arith.NegfOp: of_floats("neg"),
    arith.MinimumfOp: of_floats("min.nan"), arith.MaximumfOp: of_floats("max.nan"),
    arith.MinnumfOp: of_floats("min"), arith.MaxnumfOp: of_floats("max"),
    arith.CmpiOp: Meaning(compared_integers), arith.CmpfOp: Meaning(compared_floats),
    arith.SelectOp: Meaning(lambda op, args: np.where(*args)),
    arith.ExtSIOp: Meaning(sign_extended), arith.ExtUIOp: conversion(source=True), arith.TruncIOp: Meaning(truncated),
    arith.ExtFOp: conversion(), arith.TruncFOp: conversion(),
    arith.SIToFPOp: conversion(), arith.UIToFPOp: conversion(source=True),
    arith.FPToSIOp: conversion(), arith.FPToUIOp: conversion(target=True), arith.IndexCastOp: conversion(),
    IndexCastUIOp: conversion(source=True), arith.BitcastOp: Meaning(same_bits),
    math.AbsFOp: of_floats("abs"), math.AbsIOp: instruction("abs"), math.CeilOp: of_floats("ceil"),
    math.FloorOp: of_floats("floor"), math.RoundEvenOp: of_floats("round"),
    math.TruncOp: of_floats("trunc"),
    math.SqrtOp: of_floats("sqrt"), math.RsqrtOp: of_floats("rsqrt"), math.FmaOp: of_floats("fma"),
    math.ExpOp: of_floats("exp"), math.Exp2Op: of_floats("exp2"), math.ExpM1Op: of_floats("expm1"),
    math.LogOp: of_floats("log"), math.Log2Op: of_floats("log2"), math.Log10Op: of_floats("log10"),
    math.Log1pOp: of_floats("log1p"), math.PowFOp: of_floats("pow"), math.SinOp: of_floats("sin"),
    math.CosOp: of_floats("cos"), math.TanOp: of_floats("tan"), math.AtanOp: of_floats("atan"),
    math.Atan2Op: of_floats("atan2"), math.TanhOp: of_floats("tanh"), math.ErfOp: of_floats("erf"),
    math.CopySignOp: Meaning(lambda op, args: np.copysign(*args)),
    index.BoolConstantOp: Meaning(lambda op, args: np.array(bool(op.value.value.data))),
    index.SizeOfOp: Meaning(lambda op, args: np.array(64)),
    index.AddOp: instruction("add"), index.SubOp: instruction("sub"), index.MulOp: instruction("mul"),
    index.DivSOp: instruction("div"), index.DivUOp: instruction("div", unsigned=True),
    index.RemSOp: instruction("rem"), index.RemUOp: instruction("rem", unsigned=True),
    index.FloorDivSOp: rounded_division("down"), index.CeilDivSOp: rounded_division("up"),
    index.CeilDivUOp: rounded_division("up", unsigned=True),
    index.MinSOp: instruction("min"), index.MaxSOp: instruction("max"),
    index.MinUOp: instruction("min", unsigned=True), index.MaxUOp: instruction("max", unsigned=True),
    index.ShlOp: instruction("shl"), index.ShrSOp: instruction("shr"),
    index.ShrUOp: instruction("shr", unsigned=True),
    index.AndOp: instruction("and"), index.OrOp: instruction("or"), index.XOrOp: instruction("xor"),
    index.CmpOp: Meaning(compared_indices), index.CastSOp: conversion(), index.CastUOp: conversion(source=True),
}  # fmt: skip
"""What each operation of arith, math and index computes, but for constants, which are their values."""

__all__ = ["MEANINGS", "Compute", "Meaning", "element_type", "isa_type"]
