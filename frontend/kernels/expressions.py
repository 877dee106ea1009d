"""Expressions of kernels: Python's operators and the functions of the language, as scalar instructions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Block, Region, SSAValue

from hologram.dialects.atlas.instructions.composites import COMPOSITES
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS, CvtOp, MovImmOp, SetccOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.hologram import kernels as form
from hologram.frontend.kernels import model
from hologram.frontend.kernels.building import Body, Builder, composed
from hologram.frontend.kernels.calls import call
from hologram.frontend.kernels.values import BOOL, I64, Number, Operand, Typed, alone, common, fits
from hologram.support.promotion import FOLDED, STORED, is_large, shown

_FOLDED_ONE: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
_INSTRUCTION = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
_LARGEST_POWER = 64
_CONDITION = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}


class Expressions:
    """Builds expressions where a body's statements stand."""

    def __init__(self, body: Body):
        self.body = body
        self.program = body.program
        self.fault = body.program.fault

    # Entries

    def of(self, e: model.Expression) -> Operand:
        """The value of an expression; a number if it is one without a type."""
        match e:
            case model.LiteralValue():
                return self._literal(e)
            case model.Var():
                return self.body.read(e)
            case model.Unary():
                return self._unary(e)
            case model.Binary():
                return self._logical(e) if e.op in ("and", "or") else self._binary(e)
            case model.Index():
                return self.body.load(e)
            case model.Conditional():
                return self._choose(self.truth(e.condition), e.then, e.otherwise, e.at, None)
            case model.Call():
                value = call(self, e)
                if value is None:
                    self.fault("kernel-no-value", e.at, f"'{e.function}' gives no value")
                return value

    def _literal(self, e: model.LiteralValue) -> Operand:
        if isinstance(e.value, str):
            if e.dtype is None:
                self.fault("kernel-limit", e.at, f"'{e.value}' is of a type, and there is none")
            dtype = DTYPES[e.dtype]
            return self.cast(dtype.least if e.value == "least" else dtype.greatest, dtype, e.at)
        return e.value if e.dtype is None else self.cast(e.value, DTYPES[e.dtype], e.at)

    def typed(self, e: model.Expression) -> Typed:
        """The value of an expression, a literal in the type that it has alone."""
        return self.settle(self.of(e), e.at)

    def integer(self, e: model.Expression, what: str) -> Typed:
        """An expression that counts, as an i64."""
        value = self.of(e)
        dtype = value.dtype if isinstance(value, Typed) else alone(value)
        if dtype.is_float or dtype is BOOL:
            self.fault(
                "kernel-not-integer", e.at, f"{what} is an integer, not {dtype.name}", "write i64(...) around it"
            )
        return self.cast(value, I64, e.at)

    # Types

    def settle(self, value: Operand, at: model.At | None) -> Typed:
        """A literal gets the type that it has alone."""
        return value if isinstance(value, Typed) else self.cast(value, alone(value), at)

    def cast(self, value: Operand, dtype: DType, at: model.At | None) -> Typed:
        """A value in a type. A literal must be a number of it."""
        if not isinstance(value, Typed):
            if dtype is BOOL:
                return Typed(self.emit(MovImmOp.of(int(bool(value)), dtype), at), dtype)
            if not fits(value, dtype):
                hint = None if dtype.is_float else f"{dtype.name} holds {dtype.least} to {dtype.greatest}"
                self.fault("kernel-literal-range", at, f"{shown(value)} is no number of {dtype.name}", hint)
            return Typed(self.emit(MovImmOp.of(value, dtype), at), dtype)
        if value.dtype == dtype:
            return value
        return Typed(self.emit(CvtOp(value.dtype, dtype, value.value), at), dtype)

    def common(self, a: Operand, b: Operand, at: model.At | None) -> tuple[Typed, Typed]:
        """Two operands in the type that both are brought to."""
        dtype = common(a, b)
        if dtype is None:
            names = " and ".join(v.dtype.name for v in (a, b) if isinstance(v, Typed))
            self.fault("kernel-no-common-type", at, f"no integer type holds {names}", "cast one of them")
        self._check_computes(dtype, at)
        return self.cast(a, dtype, at), self.cast(b, dtype, at)

    # Operators

    def _unary(self, e: model.Unary) -> Operand:
        if e.op == "not":
            operand = self.truth(e.operand)
            if not isinstance(operand, Typed):
                return not operand
            return self.instruction("not", BOOL, [self.cast(operand, BOOL, e.at)], e.at)
        operand = self.of(e.operand)
        if not isinstance(operand, Typed):
            if e.op == "~" and isinstance(operand, float):
                self.fault("kernel-invert-float", e.at, "'~' takes integers")
            return _FOLDED_ONE[e.op](operand)
        if operand.dtype is BOOL:
            operand = self.cast(operand, I64, e.at)
        if e.op == "+":
            return operand
        if e.op == "~" and operand.dtype.is_float:
            self.fault("kernel-invert", e.at, f"'~' takes integers, not {operand.dtype.name}")
        return self.instruction("neg" if e.op == "-" else "not", operand.dtype, [operand], e.at)

    def _binary(self, e: model.Binary) -> Operand:
        return self.combine(e.op, self.of(e.left), self.of(e.right), e.at)

    def combine(self, op: str, a: Operand, b: Operand, at: model.At | None) -> Operand:
        """Two operands under an operator."""
        if not isinstance(a, Typed) and not isinstance(b, Typed):
            return self._fold(op, a, b, at)
        if op == "**":
            return _power(self, a, b, at)
        if op in ("<<", ">>"):
            return self._shift(op, a, b, at)
        x, y = self.common(a, b, at)
        if op in _CONDITION:
            return Typed(self.emit(SetccOp(_CONDITION[op], x.dtype, x.value, y.value), at), BOOL)
        if op in ("&", "|", "^") and x.dtype.is_float:
            self.fault("kernel-bits-of-float", at, f"'{op}' takes integers, not {x.dtype.name}")
        if x.dtype is BOOL and op not in ("&", "|", "^"):
            x, y = self.cast(x, I64, at), self.cast(y, I64, at)
        if op in _INSTRUCTION:
            return self.instruction(_INSTRUCTION[op], x.dtype, [x, y], at)
        return _divide(self, op, x, y, at)

    def _fold(self, op: str, a: Number, b: Number, at: model.At | None) -> Number:
        """Two literals, as Python computes them."""
        text = f"{shown(a)} {op} {shown(b)}"
        if isinstance(a, int) and isinstance(b, int) and is_large(op, a, b):
            self.fault("kernel-literal-power", at, f"{text} is too large")
        try:
            result = FOLDED[op](a, b)
        except (ArithmeticError, ValueError, TypeError) as error:
            self.fault("kernel-literal-arithmetic", at, f"{text}: {error}")
        if isinstance(result, complex):
            self.fault("kernel-literal-complex", at, f"{text} is no real number")
        return result

    def _shift(self, op: str, a: Operand, b: Operand, at: model.At | None) -> Typed:
        x, y = self.settle(a, at), self.settle(b, at)
        if x.dtype.is_float or y.dtype.is_float:
            self.fault("kernel-shift-float", at, f"'{op}' takes integers")
        x = self.cast(x, I64, at) if x.dtype is BOOL else x
        amount = self.cast(y, DTYPES["u32"], at)
        return self.instruction("shl" if op == "<<" else "shr", x.dtype, [x, amount], at)

    def truth(self, e: model.Expression) -> Operand:
        """Return what a condition is decided by: whether `and` or `or` holds, without a common type; else the value."""
        if not isinstance(e, model.Binary) or e.op not in ("and", "or"):
            return self.of(e)
        otherwise: model.Expression = model.LiteralValue(e.op == "or", "bool", e.at)
        then, other = (e.right, otherwise) if e.op == "and" else (otherwise, e.right)
        return self._choose(self.truth(e.left), then, other, e.at, BOOL)

    def _logical(self, e: model.Binary) -> Operand:
        """The value of `and` and `or`: that of the last operand that is computed."""
        left = self.of(e.left)
        if not isinstance(left, Typed):
            return left if bool(left) == (e.op == "or") else self.of(e.right)
        return self._choose(left, *((e.right, left) if e.op == "and" else (left, e.right)), e.at, None)

    def _choose(self, known: Operand, then: model.Expression | Typed, otherwise: model.Expression | Typed,
                at: model.At | None, dtype: DType | None) -> Operand:  # fmt: skip
        """One of two expressions, in a type that both are brought to unless one is given."""
        if not isinstance(known, Typed):
            chosen = self._chosen(then if known else otherwise, dtype)
            if dtype is None:
                return chosen
            return self.cast(chosen, dtype, at) if isinstance(chosen, Typed) else bool(chosen)
        holds = self.cast(known, BOOL, at).value
        blocks = Block(), Block()
        values: list[Operand] = []
        for block, e in zip(blocks, (then, otherwise), strict=True):
            with self.body.inside(block):
                values.append(self._chosen(e, dtype))
        wanted = dtype or common(*values)
        if wanted is None:
            self.fault("kernel-conditional-types", at, "the two values have no common type", "cast one of them")
        variable = self.body.variable(wanted)
        for block, value in zip(blocks, values, strict=True):
            with self.body.inside(block):
                self.emit(form.SetOp(variable, self.cast(value, wanted, at).value), at)
        self.emit(form.IfOp(holds, Region(blocks[0]), Region(blocks[1])), at)
        return Typed(self.emit(form.GetOp(variable), at), wanted)

    def _chosen(self, e: model.Expression | Typed, dtype: DType | None) -> Operand:
        if isinstance(e, Typed):
            return e
        return self.truth(e) if dtype is BOOL else self.of(e)

    # Instructions

    def instruction(self, name: str, dtype: DType, operands: Sequence[Typed], at: model.At | None) -> Typed:
        """A scalar instruction."""
        self._check_computes(dtype, at)
        cls: Any = INSTRUCTIONS[name]
        return Typed(self.emit(cls(dtype, *(v.value for v in operands)), at), cls.INSTRUCTION.result_type(dtype))

    def _check_computes(self, dtype: DType, at: model.At | None) -> None:
        if dtype.name in STORED:
            self.fault(
                "kernel-stored-type", at, f"{dtype.name} is a type of memory, in which nothing is computed",
                "write f32(...) around the operands, and the cast around the result",
            )  # fmt: skip

    def emit(self, op: Any, at: model.At | None) -> Any:
        """Puts an operation where the body stands; its first result."""
        return self.body.emit(op, at)

    def size(self, array: SSAValue, axis: int, at: model.At | None) -> Typed:
        """Emit the number of elements that an array has along an axis."""
        number = self.emit(arith.ConstantOp(IntegerAttr(axis, IndexType())), at)
        dim = self.emit(memref.DimOp(array, number), at)
        return Typed(self.emit(arith.IndexCastOp(dim, i64), at), I64)


def _divide(on: Builder, op: str, x: Typed, y: Typed, at: model.At | None) -> Typed:
    """`/`, `//` and `%` of two values of one type."""
    if op == "/":
        if not x.dtype.is_float:
            on.fault(
                "kernel-divide-integers", at, f"'/' of two integers is no {x.dtype.name}",
                "write // for the quotient rounded down, or f32(...) around one of them",
            )  # fmt: skip
        return on.instruction("div", x.dtype, [x, y], at)
    if not x.dtype.is_float and (size := _power_of_two(y)) is not None:
        return _by_bits(on, op, x, size, at)
    return composed(on, COMPOSITES["floor_div" if op == "//" else "mod"], x.dtype, [x, y], at)


def _power_of_two(y: Typed) -> int | None:
    """A literal that is one."""
    owner = y.value.owner
    number = owner.value.value.data if isinstance(owner, MovImmOp) else None
    return number if isinstance(number, int) and number > 0 and number & (number - 1) == 0 else None


def _by_bits(on: Builder, op: str, x: Typed, size: int, at: model.At | None) -> Typed:
    """Rounding down, as Python does, is what shifts and masks give."""
    if op == "%":
        return on.instruction("and", x.dtype, [x, on.cast(size - 1, x.dtype, at)], at)
    return on.instruction("shr", x.dtype, [x, on.cast(size.bit_length() - 1, DTYPES["u32"], at)], at)


def _power(on: Builder, a: Operand, b: Operand, at: model.At | None) -> Typed:
    """`**`: a whole literal exponent multiplies, another one needs floats."""
    if isinstance(a, Typed) and a.dtype is BOOL:
        a = on.cast(a, I64, at)
    if isinstance(b, int) and not isinstance(b, bool) and isinstance(a, Typed) and 0 <= b <= _LARGEST_POWER:
        if not a.dtype.is_float or b <= 3:
            return _product(on, a, b, at)
    dtype = common(a, b)
    if dtype is None or not dtype.is_float:
        both_literal = not isinstance(a, Typed)
        on.fault(
            "kernel-integer-power", at, "integers are raised to literal powers from 0 to 64 alone",
            "write f32(...) around one of them" if not both_literal else None,
        )  # fmt: skip
    return on.instruction("pow", dtype, [on.cast(a, dtype, at), on.cast(b, dtype, at)], at)


def _product(on: Builder, a: Typed, exponent: int, at: model.At | None) -> Typed:
    """a multiplied with itself, by repeated squaring."""
    product: Typed | None = None
    square = a
    while exponent:
        if exponent & 1:
            product = square if product is None else on.instruction("mul", a.dtype, [product, square], at)
        exponent >>= 1
        if exponent:
            square = on.instruction("mul", a.dtype, [square, square], at)
    return on.cast(1, a.dtype, at) if product is None else product
