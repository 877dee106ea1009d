"""Scalar operations over arrays of lanes: the atlas instructions, and by their means those of arith, math and index.

A function here takes the operation and its operands in storage form, of any shapes that broadcast, and gives the
result. It raises `Trap` with the mask of the lanes that trap; the caller knows how to name them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from hologram.dialects import index
from hologram.dialects.arith import IndexCastUIOp
from hologram.dialects.atlas import reference, scalar, state
from hologram.dialects.atlas.arrays import Kind
from hologram.dialects.atlas.instruction import ScalarOp, storage, view
from hologram.dialects.atlas.lane_reductions import WINDOWS, WindowOp
from hologram.dialects.atlas.scalar import INSTRUCTIONS, CvtBitsOp, CvtOp, CvtSatfiniteOp, MovImmOp, SetccOp
from hologram.dialects.atlas.types import DTYPES, DType
from hologram.errors import InputError, where_of
from hologram.runtime.interpreter.reduction import combine
from hologram.runtime.interpreter.values import Array, Buffer, Value, dense, isa_type, scalars

ROWS = (*scalar.ROWS, *state.ROWS)

ScalarFunction: TypeAlias = Callable[[Any, Sequence[Array]], Value]


def _instruction(op: ScalarOp, args: Sequence[Array]) -> Array:
    return op.INSTRUCTION.evaluate(op.dtype, *args)


def _setcc(op: SetccOp, args: Sequence[Array]) -> Array:
    return op.evaluate(args[0], args[1])


def _cvt(op: CvtOp | CvtBitsOp, args: Sequence[Array]) -> Array:
    return op.evaluate(args[0])


def _window(op: WindowOp, args: Sequence[Array]) -> Array:
    """A reduction over values, in the fixed association."""
    values = np.stack(np.broadcast_arrays(*args), axis=-1)
    return combine(Kind(op.KIND), op.dtype, values)


def _constant(op: Any, args: Sequence[Array]) -> Value:
    return constant(op.value, op.results[0].type)


def constant(attr: Attribute, type: Attribute) -> Value:
    """An attribute's value: a scalar, or a buffer for a dense one."""
    match attr:
        case IntegerAttr() | FloatAttr():
            return scalars([attr.value.data], isa_type(type)).reshape(())
        case DenseIntOrFPElementsAttr():
            return Buffer(dense(attr))  # pyright: ignore[reportUnknownArgumentType]
        case _:
            raise InputError("interpreter-constant", f"the interpreter has no value for the constant {attr}")


# arith, math, index: what an upstream operation is called here. Where upstream leaves a case open, the ISA's rule holds


def _by_instruction(name: str, *, unsigned: bool = False) -> ScalarFunction:
    """The atlas instruction under the type of the last operand."""

    def call(op: Operation, args: Sequence[Array]) -> Array:
        dtype = isa_type(op.operands[-1].type, unsigned=unsigned)
        if name in ("shl", "shr"):
            args = [args[0], shift_amount(args[1], dtype)]
        return INSTRUCTIONS[name].INSTRUCTION.evaluate(dtype, *args)

    return call


def shift_amount(amount: Array, dtype: DType) -> Array:
    """A shift amount in the type of the shifted value as the u32 that the instruction takes; only its rest modulo the
    width counts."""
    unsigned = DTYPES[f"u{dtype.bits}"]
    return storage(
        reference.wrap(DTYPES["u32"], view(amount, unsigned) % unsigned.numpy.type(dtype.bits)), DTYPES["u32"]
    )


def _convert(*, source: bool = False, target: bool = False) -> ScalarFunction:
    """A conversion; the flags say which side is unsigned."""

    def call(op: Operation, args: Sequence[Array]) -> Array:
        return convert(
            isa_type(op.operands[0].type, unsigned=source), isa_type(op.results[0].type, unsigned=target), args[0]
        )

    return call


def convert(source: DType, target: DType, lanes: Array) -> Array:
    """`atlas.cvt` over lanes in storage form."""
    with np.errstate(all="ignore"):
        return storage(np.asarray(reference.convert(source, target, view(lanes, source))), target)


def _truncate(op: Operation, args: Sequence[Array]) -> Value:
    """To fewer bits; one bit keeps the lowest, which is not what `cvt` to bool does."""
    if isa_type(op.results[0].type).kind == "bool":
        return args[0] % 2 != 0
    return _convert()(op, args)


def _sign_extend(op: Operation, args: Sequence[Array]) -> Array:
    """To more bits by the sign; of one bit the sign is the bit."""
    wide = convert(isa_type(op.operands[0].type), isa_type(op.results[0].type), args[0])
    return -wide if args[0].dtype == np.bool_ else wide


def _bitcast(op: Operation, args: Sequence[Array]) -> Array:
    return cast(Array, np.asarray(args[0]).view(isa_type(op.results[0].type).numpy))


def _rounded_division(toward: str, *, unsigned: bool = False) -> ScalarFunction:
    """Division that rounds down or up: the truncated quotient, moved by one where there is a rest on that side."""

    def call(op: Operation, args: Sequence[Array]) -> Array:
        dtype = isa_type(op.operands[0].type, unsigned=unsigned)
        quotient = view(INSTRUCTIONS["div"].INSTRUCTION.evaluate(dtype, *args), dtype)
        rest = INSTRUCTIONS["rem"].INSTRUCTION.evaluate(dtype, *args) != 0
        a, b = (view(x, dtype) for x in args)
        same_sign = (a < 0) == (b < 0)
        step = (rest & same_sign).astype(dtype.numpy) if toward == "up" else -(rest & ~same_sign).astype(dtype.numpy)
        with np.errstate(all="ignore"):
            return storage(quotient + step, dtype)

    return call


_CONDITIONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _compare_integers(name: str, op: Operation, args: Sequence[Array]) -> Array:
    unsigned = name.startswith("u")
    condition = name if name in ("eq", "ne") else name[1:]
    dtype = isa_type(op.operands[0].type, unsigned=unsigned)
    return reference.compare(condition, dtype, view(args[0], dtype), view(args[1], dtype))


def _cmpi(op: arith.CmpiOp, args: Sequence[Array]) -> Array:
    return _compare_integers(_CONDITIONS[op.predicate.value.data], op, args)


def _index_cmp(op: index.CmpOp, args: Sequence[Array]) -> Array:
    return _compare_integers(str(op.pred.data), op, args)


def _cmpf(op: arith.CmpfOp, args: Sequence[Array]) -> Array:
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
            holds: Array = reference.compare(
                ("eq", "gt", "ge", "lt", "le", "ne")[number % 7 - 1], isa_type(op.lhs.type), a, b
            )
            return np.logical_or(holds, unordered) if number > 7 else np.logical_and(holds, ~unordered)


def _select(op: arith.SelectOp, args: Sequence[Any]) -> Value:
    """Upstream's select also chooses whole tensors and memrefs."""
    if any(isinstance(a, Buffer) for a in args):
        return args[1] if bool(args[0]) else args[2]
    lanes = cast("Sequence[Array]", args)
    return np.where(lanes[0], lanes[1], lanes[2])


def _copysign(op: Operation, args: Sequence[Array]) -> Array:
    return np.copysign(args[0], args[1])


def _sizeof(op: Operation, args: Sequence[Array]) -> Array:
    return np.array(64)


def _bool_constant(op: index.BoolConstantOp, args: Sequence[Array]) -> Array:
    return np.array(bool(op.value.value.data))


_ARITH: dict[type[Operation], ScalarFunction] = {
    arith.ConstantOp: _constant,
    arith.AddiOp: _by_instruction("add"), arith.SubiOp: _by_instruction("sub"), arith.MuliOp: _by_instruction("mul"),
    arith.DivSIOp: _by_instruction("div"), arith.DivUIOp: _by_instruction("div", unsigned=True),
    arith.RemSIOp: _by_instruction("rem"), arith.RemUIOp: _by_instruction("rem", unsigned=True),
    arith.FloorDivSIOp: _rounded_division("down"), arith.CeilDivSIOp: _rounded_division("up"),
    arith.CeilDivUIOp: _rounded_division("up", unsigned=True),
    arith.MinSIOp: _by_instruction("min"), arith.MaxSIOp: _by_instruction("max"),
    arith.MinUIOp: _by_instruction("min", unsigned=True), arith.MaxUIOp: _by_instruction("max", unsigned=True),
    arith.AndIOp: _by_instruction("and"), arith.OrIOp: _by_instruction("or"), arith.XOrIOp: _by_instruction("xor"),
    arith.ShLIOp: _by_instruction("shl"), arith.ShRSIOp: _by_instruction("shr"),
    arith.ShRUIOp: _by_instruction("shr", unsigned=True),
    arith.AddfOp: _by_instruction("add"), arith.SubfOp: _by_instruction("sub"), arith.MulfOp: _by_instruction("mul"),
    arith.DivfOp: _by_instruction("div"), arith.NegfOp: _by_instruction("neg"),
    arith.MinimumfOp: _by_instruction("min.nan"), arith.MaximumfOp: _by_instruction("max.nan"),
    arith.MinnumfOp: _by_instruction("min"), arith.MaxnumfOp: _by_instruction("max"),
    arith.CmpiOp: _cmpi, arith.CmpfOp: _cmpf, arith.SelectOp: _select,
    arith.ExtSIOp: _sign_extend, arith.ExtUIOp: _convert(source=True), arith.TruncIOp: _truncate,
    arith.ExtFOp: _convert(), arith.TruncFOp: _convert(),
    arith.SIToFPOp: _convert(), arith.UIToFPOp: _convert(source=True),
    arith.FPToSIOp: _convert(), arith.FPToUIOp: _convert(target=True), arith.IndexCastOp: _convert(),
    IndexCastUIOp: _convert(source=True), arith.BitcastOp: _bitcast,
}  # fmt: skip

_MATH: dict[type[Operation], ScalarFunction] = {
    math.AbsFOp: _by_instruction("abs"), math.AbsIOp: _by_instruction("abs"), math.CeilOp: _by_instruction("ceil"),
    math.FloorOp: _by_instruction("floor"), math.RoundEvenOp: _by_instruction("round"),
    math.TruncOp: _by_instruction("trunc"),
    math.SqrtOp: _by_instruction("sqrt"), math.RsqrtOp: _by_instruction("rsqrt"), math.FmaOp: _by_instruction("fma"),
    math.ExpOp: _by_instruction("exp"), math.Exp2Op: _by_instruction("exp2"), math.ExpM1Op: _by_instruction("expm1"),
    math.LogOp: _by_instruction("log"), math.Log2Op: _by_instruction("log2"), math.Log10Op: _by_instruction("log10"),
    math.Log1pOp: _by_instruction("log1p"), math.PowFOp: _by_instruction("pow"), math.SinOp: _by_instruction("sin"),
    math.CosOp: _by_instruction("cos"), math.TanOp: _by_instruction("tan"), math.AtanOp: _by_instruction("atan"),
    math.Atan2Op: _by_instruction("atan2"), math.TanhOp: _by_instruction("tanh"), math.ErfOp: _by_instruction("erf"),
    math.CopySignOp: _copysign,
}  # fmt: skip

_INDEX: dict[type[Operation], ScalarFunction] = {
    index.ConstantOp: _constant, index.BoolConstantOp: _bool_constant, index.SizeOfOp: _sizeof,
    index.AddOp: _by_instruction("add"), index.SubOp: _by_instruction("sub"), index.MulOp: _by_instruction("mul"),
    index.DivSOp: _by_instruction("div"), index.DivUOp: _by_instruction("div", unsigned=True),
    index.RemSOp: _by_instruction("rem"), index.RemUOp: _by_instruction("rem", unsigned=True),
    index.FloorDivSOp: _rounded_division("down"), index.CeilDivSOp: _rounded_division("up"),
    index.CeilDivUOp: _rounded_division("up", unsigned=True),
    index.MinSOp: _by_instruction("min"), index.MaxSOp: _by_instruction("max"),
    index.MinUOp: _by_instruction("min", unsigned=True), index.MaxUOp: _by_instruction("max", unsigned=True),
    index.ShlOp: _by_instruction("shl"), index.ShrSOp: _by_instruction("shr"),
    index.ShrUOp: _by_instruction("shr", unsigned=True),
    index.AndOp: _by_instruction("and"), index.OrOp: _by_instruction("or"), index.XOrOp: _by_instruction("xor"),
    index.CmpOp: _index_cmp, index.CastSOp: _convert(), index.CastUOp: _convert(source=True),
}  # fmt: skip

SCALARS: dict[type[Operation], ScalarFunction] = {
    **dict.fromkeys(ROWS, _instruction),
    SetccOp: _setcc,
    CvtOp: _cvt,
    CvtBitsOp: _cvt,
    CvtSatfiniteOp: _cvt,
    **dict.fromkeys(WINDOWS, _window),
    MovImmOp: _constant,
    **_ARITH,
    **_MATH,
    **_INDEX,
}
"""What computes each scalar operation."""

SCALARS_BY_NAME: dict[str, ScalarFunction] = {op.name: function for op, function in SCALARS.items()}


def may_trap(op: Operation) -> bool:
    """Whether some operands make the operation trap."""
    return op.name in TRAPPING


TRAPPING = set(
    op.name
    for op in [op for op in ROWS if op.INSTRUCTION.traps]
    + [
        arith.DivSIOp,
        arith.DivUIOp,
        arith.RemSIOp,
        arith.RemUIOp,
        arith.FloorDivSIOp,
        arith.CeilDivSIOp,
        arith.CeilDivUIOp,
    ]
    + [index.DivSOp, index.DivUOp, index.RemSOp, index.RemUOp, index.FloorDivSOp, index.CeilDivSOp, index.CeilDivUOp]
)


def unsupported(op: Operation) -> InputError:
    """The interpreter has no meaning for an operation."""
    return InputError(
        "interpreter-operation",
        f"the interpreter does not execute '{op.name}'",
        where=where_of(op),
        hint="it executes the hologram and atlas dialects, and host functions of func, scf, memref, tensor and arith",
    )
