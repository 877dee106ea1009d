"""The bodies of the named operations of linalg: what one element of the output is, of elements of the operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import AnyFloat, ComplexType, FloatAttr, IndexType, IntegerAttr, IntegerType, f64, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from hologram.dialects.linalg.loops import IndexOp, YieldOp, element_type


class BodyBuilder:
    """Emits what is done with elements, at the end of a block, for the type of the last argument."""

    def __init__(self, block: Block, unsigned: bool = False):
        self.block = block
        self.type: Attribute = block.args[-1].type
        self.unsigned = unsigned
        """Whether elements are cast as unsigned numbers."""

    def emit(self, op: Operation) -> SSAValue:
        """Emits an operation, whose result this returns."""
        self.block.add_op(op)
        return op.results[0]

    def cast(self, value: SSAValue, type: Attribute | None = None, unsigned: bool | None = None) -> SSAValue:
        """A value in another type, by default that of the output."""
        source, target = value.type, self.type if type is None else type
        if isinstance(target, ComplexType) and source != target:
            return self._complex(value, cast("ComplexType[AnyFloat]", target).element_type)
        kind = (
            None
            if source == target
            else _cast(source, cast("Attribute", target), self.unsigned if unsigned is None else unsigned)
        )
        return value if kind is None else self.emit(cast("Any", kind)(value, target))

    def _complex(self, value: SSAValue, element: AnyFloat) -> SSAValue:
        """A complex number with parts of another type, or of a real one."""
        if isinstance(value.type, ComplexType):
            parts = [self.emit(complex.ReOp(value)), self.emit(complex.ImOp(value))]
            parts = [self.cast(part, element) for part in parts]
        else:
            parts = [self.cast(value, element), self.emit(arith.ConstantOp(FloatAttr(0.0, element)))]
        return self.emit(complex.CreateOp(parts[0], parts[1], ComplexType(element)))

    def unary(self, name: str, value: SSAValue) -> SSAValue:
        """A function of one number."""
        if not isinstance(value.type, AnyFloat):
            raise VerifyException(f"'linalg.{name}' is of floats, and these are {value.type}")
        if name == "reciprocal":
            one = self.emit(arith.ConstantOp(FloatAttr(1.0, value.type)))
            return self.emit(arith.DivfOp(one, value))
        return self.emit(arith.MulfOp(value, value) if name == "square" else _UNARY[name](value))

    def binary(self, name: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """A function of two numbers, by their type."""
        type = a.type
        kinds = _BINARY[name]
        kind = kinds[3] if type == IntegerType(1) else kinds[2] if isinstance(type, IntegerType | IndexType) else None
        kind = kinds[1] if isinstance(type, AnyFloat) else kinds[0] if isinstance(type, ComplexType) else kind
        if kind is None:
            raise VerifyException(f"'linalg.{name}' is not defined on {type}")
        return self.emit(kind(a, b))


def _cast(source: Attribute, target: Attribute, unsigned: bool) -> type[Operation] | None:
    """The operation that casts; None where there is none, and the value stays as it is."""
    if isinstance(target, IntegerType):
        if isinstance(source, AnyFloat):
            return arith.FPToUIOp if unsigned else arith.FPToSIOp
        if isinstance(source, IndexType):
            return arith.IndexCastOp
        if isinstance(source, IntegerType):
            wider = target.bitwidth > source.bitwidth
            return (arith.ExtUIOp if unsigned else arith.ExtSIOp) if wider else arith.TruncIOp
    elif isinstance(target, AnyFloat):
        if isinstance(source, IntegerType):
            return arith.UIToFPOp if unsigned else arith.SIToFPOp
        if isinstance(source, AnyFloat) and source.bitwidth != target.bitwidth:
            return arith.ExtFOp if target.bitwidth > source.bitwidth else arith.TruncFOp
    return None


_UNARY: dict[str, Any] = {
    "exp": math.ExpOp, "log": math.LogOp, "abs": math.AbsFOp, "ceil": math.CeilOp, "floor": math.FloorOp,
    "negf": arith.NegfOp, "round": math.RoundOp, "sqrt": math.SqrtOp, "rsqrt": math.RsqrtOp, "tanh": math.TanhOp,
    "erf": math.ErfOp,
}  # fmt: skip
_BINARY: dict[str, tuple[Any, Any, Any, Any]] = {
    "add": (complex.AddOp, arith.AddfOp, arith.AddiOp, arith.OrIOp),
    "sub": (complex.SubOp, arith.SubfOp, arith.SubiOp, None),
    "mul": (complex.MulOp, arith.MulfOp, arith.MuliOp, arith.AndIOp),
    "div": (complex.DivOp, arith.DivfOp, arith.DivSIOp, None),
    "div_unsigned": (None, None, arith.DivUIOp, None),
    "max": (None, arith.MaximumfOp, arith.MaxSIOp, arith.MaxSIOp),
    "max_unsigned": (None, None, arith.MaxUIOp, arith.MaxUIOp),
    "min": (None, arith.MinimumfOp, arith.MinSIOp, arith.MinSIOp),
    "min_unsigned": (None, None, arith.MinUIOp, arith.MinUIOp),
    "powf": (None, math.PowFOp, None, None),
}
"""The operations on complex numbers, floats, integers, and bits."""

Body = Callable[[BodyBuilder, Sequence[SSAValue]], SSAValue]


def product(b: BodyBuilder, x: Sequence[SSAValue]) -> SSAValue:
    """The output, plus the product of the inputs."""
    return b.binary("add", x[2], b.binary("mul", b.cast(x[0]), b.cast(x[1])))


def quantized_product(b: BodyBuilder, x: Sequence[SSAValue]) -> SSAValue:
    """The output, plus the product of two inputs less their zero points."""
    first = b.binary("sub", b.cast(x[0]), b.cast(x[2]))
    second = b.binary("sub", b.cast(x[1]), b.cast(x[3]))
    return b.binary("add", x[4], b.binary("mul", first, second))


def pooled(name: str) -> Body:
    """The output, put together with the input."""
    how = "add" if name == "sum" else name
    return lambda b, x: b.binary(how, x[2], b.cast(x[0], unsigned=name.endswith("_unsigned")))


def elementwise(name: str) -> Body:
    """A function of the inputs, which are not cast: one, two, or the three of a selection."""
    if name == "select":
        return lambda b, x: b.emit(arith.SelectOp(x[0], x[1], x[2]))
    if name in _BINARY:
        return lambda b, x: b.binary(name, x[0], x[1])
    return lambda b, x: b.unary(name, x[0])


def copied(b: BodyBuilder, x: Sequence[SSAValue]) -> SSAValue:
    """The input."""
    return b.cast(x[0])


def random(b: BodyBuilder, x: Sequence[SSAValue]) -> SSAValue:
    """A random number between two, by a linear congruential generator that starts at a seed and the two indices."""

    def constant(value: int, type: Attribute) -> SSAValue:
        return b.cast(b.emit(arith.ConstantOp(IntegerAttr(value, i64))), type)

    def index(axis: int) -> SSAValue:
        return b.cast(b.emit(IndexOp(axis)), i32)

    def step(index: SSAValue, state: SSAValue) -> SSAValue:
        start = b.binary("add", index, state)
        return b.binary("add", b.binary("mul", start, constant(1103515245, i32)), constant(12345, i32))

    offset = constant(2147483647, f64)
    column = index(1)
    drawn = step(column, step(index(0), x[2]))
    place = b.binary("add", offset, b.cast(drawn, f64))
    size = b.binary("sub", x[1], x[0])
    scale = b.emit(arith.ConstantOp(FloatAttr(2.3283063999999999e-10, f64)))
    return b.cast(b.binary("add", b.binary("mul", place, b.binary("mul", size, scale)), x[0]))


def region(body: Body, operands: Sequence[SSAValue], unsigned: bool = False) -> Region:
    """The region of an operation with these operands."""
    block = Block(arg_types=[element_type(value) for value in operands])
    result = body(BodyBuilder(block, unsigned), block.args)
    block.add_op(YieldOp(result))
    return Region(block)
