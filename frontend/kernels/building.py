"""What the parts that build kernels ask of one another."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from xdsl.ir import Block, SSAValue

from hologram.dialects.atlas.types import DType
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


class Fault(Protocol):
    """Raises an error at a place of the source."""

    def __call__(self, code: str, at: model.At | None, message: str, hint: str | None = None) -> NoReturn: ...


class Program(Protocol):
    """What is built of a document."""

    fault: Fault
    functions: dict[str, model.Function]

    def location(self, at: model.At | None) -> Any: ...
    def function(
        self, function: model.Function, given: Sequence[Any], at: model.At | None
    ) -> tuple[str, DType | None]: ...


class Body(Protocol):
    """The statements of a kernel or a function: where operations go, and what names mean."""

    program: Program

    def emit(self, op: Any, at: model.At | None) -> Any: ...
    def inside(self, block: Block) -> AbstractContextManager[None]: ...
    def variable(self, dtype: DType) -> SSAValue: ...
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
