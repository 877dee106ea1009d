"""The interfaces by which the parts that build kernels call one another."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from xdsl.ir import Attribute, Block, SSAValue

from hologram.dialects.atlas.instructions.declaration import Composer, Instruction
from hologram.dialects.atlas.instructions.scalar import MovImmOp, SetccOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.frontend.kernels import model
from hologram.frontend.kernels.values import Operand, Typed


@dataclass(frozen=True, slots=True)
class Memory:
    """An array: a parameter, or one that a body declares."""

    value: SSAValue
    dtype: DType
    rank: int
    sized: bool = True
    """Whether its sizes are known; a pointer's are not."""


@dataclass(frozen=True, slots=True)
class Built:
    """A function as calls of one kind need it."""

    name: str
    dtype: DType | None
    """The type of what it returns, if it returns something."""
    shared: Sequence[Attribute]
    """The types of the shared arrays that its callers declare for it, as its last arguments."""


class Fault(Protocol):
    """Raises an error at a place of the source."""

    def __call__(self, code: str, at: model.At | None, message: str, hint: str | None = None) -> NoReturn: ...


class Program(Protocol):
    """The module's operations that are built of a document."""

    fault: Fault
    functions: dict[str, model.Function]

    def location(self, at: model.At | None) -> Any: ...
    def function(self, function: model.Function, given: Sequence[Any], at: model.At | None) -> Built: ...


class Body(Protocol):
    """The statements of a kernel or a function: where operations go, and what names mean."""

    program: Program

    def emit(self, op: Any, at: model.At | None) -> Any: ...
    def inside(self, block: Block) -> AbstractContextManager[None]: ...
    def variable(self, dtype: DType) -> SSAValue: ...
    def declared(self, type: Attribute, at: model.At | None) -> SSAValue: ...
    def read(self, e: model.Var) -> Operand: ...
    def load(self, e: model.Index) -> Typed: ...
    def place(self, e: model.Index) -> tuple[Memory, list[SSAValue]]: ...
    def array(self, name: str, at: model.At | None) -> Memory: ...
    def is_array(self, name: str) -> bool: ...
    def check_fits(self, name: str, dtype: DType, value: Operand, at: model.At | None) -> None: ...


class Builder(Protocol):
    """Builds expressions."""

    body: Body
    program: Program
    fault: Fault

    def of(self, e: model.Expression) -> Operand: ...
    def cast(self, value: Operand, dtype: DType, at: model.At | None) -> Typed: ...
    def emit(self, op: Any, at: model.At | None) -> Any: ...
    def size(self, array: SSAValue, axis: int, at: model.At | None) -> Typed: ...
    def instruction(self, name: str, dtype: DType, operands: Sequence[Typed], at: model.At | None) -> Typed: ...


class _Emitter(Composer):
    """Emits the instructions of a composition into a body."""

    def __init__(self, on: Builder, dtype: DType, at: model.At | None):
        super().__init__(dtype)
        self.on = on
        self.at = at

    def apply(self, instruction: Instruction, dtype: DType, operands: Sequence[Any]) -> Typed:
        return self.on.instruction(instruction.name, dtype, operands, self.at)

    def compare(self, condition: str, a: Any, b: Any) -> Typed:
        a, b = (self.number(v) if isinstance(v, int | float) else v for v in (a, b))
        return Typed(self.on.emit(SetccOp(condition, self.dtype, a.value, b.value), self.at), DTYPES["bool"])

    def number(self, value: float) -> Typed:
        return Typed(self.on.emit(MovImmOp.of(value, self.dtype), self.at), self.dtype)

    def is_predicate(self, value: Any) -> bool:
        return value.dtype is DTYPES["bool"]


def composed(on: Builder, declared: Instruction, dtype: DType, operands: Sequence[Typed], at: model.At | None) -> Typed:
    """A composition of instructions on operands of a type."""
    inner = declared.inner_type(dtype)
    if inner is dtype:
        return declared.composed(_Emitter(on, dtype, at), *operands)
    wide = [on.cast(v, inner, at) if v.dtype is dtype else v for v in operands]
    result = declared.composed(_Emitter(on, inner, at), *wide)
    return on.cast(result, dtype, at) if result.dtype is inner else result
