"""The verbs of arithmetic as scalar instructions of atlas."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue

from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS, CvtOp, MovImmOp, SelOp, SetccOp
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.verbs import SIGNED_FORMS, Operand, Verb, Verbs

_NAMES = {verb: name for name, verb in SIGNED_FORMS.items()}


def number_of(value: SSAValue) -> int | None:
    """The number that an integer of an `atlas.mov_imm` is, read without a sign; None for other values."""
    given = value.owner.value if isinstance(value.owner, MovImmOp) else None
    if not isinstance(given, IntegerAttr) or not isinstance(given.type, IntegerType):
        return None
    return given.value.data & ((1 << given.type.bitwidth) - 1)


class InstructionEmitter(ABC):
    """Emits scalar instructions at a place."""

    @abstractmethod
    def op(self, op: Operation) -> SSAValue:
        """Emits an operation with one result."""

    def constant(self, value: float, dtype: DType) -> SSAValue:
        """A number."""
        return self.op(MovImmOp.of(value, dtype))

    def of(self, dtype: DType) -> Instructions:
        """The verbs on values of a type."""
        return Instructions(self, dtype)

    def cvt(self, source: DType, target: DType, value: SSAValue) -> SSAValue:
        """A value in another type."""
        return value if source is target else self.op(CvtOp(source, target, value))


class InstructionBuilder(OpBuilder, InstructionEmitter):
    """Emits scalar instructions before an operation, or at the end of a block."""


@dataclass(frozen=True)
class Instructions(Verbs[Operand, SSAValue]):
    """Emits instructions of one type, which says whether they read a sign."""

    at: InstructionEmitter
    dtype: DType

    def value(self, a: Operand) -> SSAValue:
        """A value, or a number as one."""
        return a if isinstance(a, SSAValue) else self.at.constant(a, self.dtype)

    def apply(self, name: str, *values: Operand) -> SSAValue:
        """The result of an instruction by its name, such as `exp`."""
        return self.at.op(INSTRUCTIONS[name](self.dtype, *map(self.value, values)))

    def binary(self, verb: Verb, a: Operand, b: Operand) -> SSAValue:
        return self.apply(_NAMES.get(verb, verb), a, b)

    def negate(self, a: SSAValue) -> SSAValue:
        """-a."""
        return self.apply("neg", a)

    def compare(self, condition: str, a: Operand, b: Operand) -> SSAValue:
        """Emit whether a condition of `atlas.setcc` holds."""
        return self.at.op(SetccOp(condition, self.dtype, self.value(a), self.value(b)))

    def select(self, condition: SSAValue, a: Operand, b: Operand) -> SSAValue:
        """a where the condition holds, else b."""
        return self.at.op(SelOp(self.dtype, condition, self.value(a), self.value(b)))
