"""The meanings of upstream's operations on scalars: each names the instruction that it is, or is a function.

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
    """The meaning of an operation."""

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


_OF_BITS = {
    "add": ("xor", "xor"), "sub": ("xor", "xor"), "mul": ("and", "and"), "min": ("or", "and"), "max": ("and", "or"),
}  # fmt: skip
"""What instructions are of integers of one bit, signed and unsigned: there the bit is the sign."""


def instruction(name: str, *, unsigned: bool = False) -> Meaning:
    """The instruction under the type of the last operand."""
    declared = INSTRUCTIONS[name]
    of_bits = _OF_BITS.get(name, ("", ""))[unsigned]

    def compute(op: Operation, args: Sequence[Array]) -> Array:
        dtype = isa_type(op.operands[-1].type, unsigned=unsigned)
        if dtype.kind == "bool" and of_bits:
            return INSTRUCTIONS[of_bits].evaluate(dtype, *args)
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
    """Truncate to fewer bits; one bit keeps the lowest, which is not what `cvt` to bool does."""
    target = isa_type(op.results[0].type)
    return args[0] % 2 != 0 if target.kind == "bool" else converted(isa_type(op.operands[0].type), target, args[0])


def sign_extended(op: Operation, args: Sequence[Array]) -> Array:
    """Extend to more bits by the sign; of one bit the sign is the bit."""
    wide = converted(isa_type(op.operands[0].type), isa_type(op.results[0].type), args[0])
    return -wide if args[0].dtype == np.bool_ else wide


def resized(op: Operation, args: Sequence[Array]) -> Array:
    """Extend to more bits by the sign, or cut off the upper ones."""
    to_a_bit = isa_type(op.results[0].type).kind == "bool"
    return truncated(op, args) if to_a_bit else sign_extended(op, args)


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
    if dtype.kind == "bool" and name.startswith("s"):
        args = args[::-1]  # The bit is the sign.
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


_INTEGERS = {
    **{name: instruction(name) for name in ("add", "sub", "mul", "and", "or", "xor", "shl")},
    "divs": instruction("div"), "divu": instruction("div", unsigned=True),
    "rems": instruction("rem"), "remu": instruction("rem", unsigned=True),
    "floordivs": rounded_division("down"), "ceildivs": rounded_division("up"),
    "ceildivu": rounded_division("up", unsigned=True),
    "mins": instruction("min"), "minu": instruction("min", unsigned=True),
    "maxs": instruction("max"), "maxu": instruction("max", unsigned=True),
    "shrs": instruction("shr"), "shru": instruction("shr", unsigned=True),
}  # fmt: skip
"""What an operation on integers computes, by its name in `index`; in `arith` that has an `i` at its end."""
_FLOATS = {
    "addf": "add", "subf": "sub", "mulf": "mul", "divf": "div", "negf": "neg", "minimumf": "min.nan",
    "maximumf": "max.nan", "minnumf": "min", "maxnumf": "max",
    "absf": "abs", "powf": "pow", "roundeven": "round",
}  # fmt: skip
"""The instruction that an operation on floats is, where it has another name."""
_MATH = (
    math.AbsFOp, math.CeilOp, math.FloorOp, math.RoundEvenOp, math.TruncOp, math.SqrtOp, math.RsqrtOp, math.FmaOp,
    math.ExpOp, math.Exp2Op, math.ExpM1Op, math.LogOp, math.Log2Op, math.Log10Op, math.Log1pOp, math.PowFOp, math.SinOp,
    math.CosOp, math.TanOp, math.AtanOp, math.Atan2Op, math.TanhOp, math.ErfOp,
)  # fmt: skip


def _short(op: type[Operation]) -> str:
    return op.name.partition(".")[2]


MEANINGS: dict[type[Operation], Meaning] = {
    **{op: _INTEGERS[_short(op)] for op in index.BINARY_OPS},
    **{op: _INTEGERS[_short(op)[:-1]] for op in arith.Arith.operations if _short(op)[:-1] in _INTEGERS},
    **{op: of_floats(_FLOATS[_short(op)]) for op in arith.Arith.operations if _short(op) in _FLOATS},
    **{op: of_floats(_FLOATS.get(_short(op), _short(op))) for op in _MATH},
    arith.CmpiOp: Meaning(compared_integers), arith.CmpfOp: Meaning(compared_floats),
    arith.SelectOp: Meaning(lambda op, args: np.where(*args)),
    arith.ExtSIOp: Meaning(sign_extended), arith.ExtUIOp: conversion(source=True), arith.TruncIOp: Meaning(truncated),
    **dict.fromkeys((arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp, arith.FPToSIOp), conversion()),
    arith.IndexCastOp: Meaning(resized),
    **dict.fromkeys((arith.UIToFPOp, IndexCastUIOp, index.CastUOp), conversion(source=True)),
    arith.FPToUIOp: conversion(target=True), index.CastSOp: conversion(), arith.BitcastOp: Meaning(same_bits),
    math.AbsIOp: instruction("abs"), math.CopySignOp: Meaning(lambda op, args: np.copysign(*args)),
    index.BoolConstantOp: Meaning(lambda op, args: np.array(bool(op.value.value.data))),
    index.SizeOfOp: Meaning(lambda op, args: np.array(64)), index.CmpOp: Meaning(compared_indices),
}  # fmt: skip
"""What each operation of arith, math and index computes, but for constants, which are their values."""
