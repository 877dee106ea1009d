"""Scalar instructions as operations: the class that a declaration makes, with its syntax, its checks and its fold.

`operation_of` makes the class of a declaration, `scalar` of one that is given field by field; an instruction with a
shape of its own is a class.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, Protocol, Self, cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, ConstantLike, EffectInstance, MemoryEffect, MemoryEffectKind, OpTrait, Pure

from hologram.dialects.atlas.instructions.declaration import Composition, Reference, made
from hologram.dialects.atlas.instructions.declaration import Instruction as Instruction
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.atlas.instructions.types import DTYPES, Array, DType, DTypeAttr, DTypeName
from hologram.dialects.families import described, member
from hologram.dialects.lazy import np
from hologram.errors import VerifyError, parse_word

CONTRACT = "contract"
"""The mark, a unit attribute, of products and sums that may become one instruction with one rounding."""


def parse_dtype(parser: Parser) -> DType:
    """Parses a bare type name (`u32`)."""
    return DTYPES[parse_word(parser, DTYPES, "atlas-type-name", "an instruction type such as f32 or u64")]


def constant_attr(value: Any, dtype: DType) -> FloatAttr[AnyFloat] | IntegerAttr[IntegerType]:
    """A Python or numpy scalar as an attribute of the type's SSA type; a float beyond it rounds to infinity."""
    if dtype.is_float:
        type = cast("AnyFloat", dtype.ir)
        try:
            return FloatAttr(float(value), type)
        except OverflowError:
            return FloatAttr(math.copysign(math.inf, value), type)
    return IntegerAttr(int(value), IntegerType(dtype.bits), truncate_bits=True)


def constant_lanes(attr: Attribute, dtype: DType) -> Array | None:
    """A one-lane array in storage form holding a constant attribute, or None if `attr` is no scalar constant."""
    match attr:
        case IntegerAttr():
            value = attr.value.data
            if isinstance(attr.type, IntegerType) and attr.type.bitwidth == 1:
                return np.array([value != 0])
            bits = dtype.bits
            value &= (1 << bits) - 1
            return np.array([value - (1 << bits) if value >> (bits - 1) else value], DTYPES[f"i{bits}"].numpy)
        case FloatAttr():
            return np.array([attr.value.data]).astype(dtype.numpy)
        case _:
            return None


class TypedOp(IRDLOperation):
    """The base of instructions of a type: `atlas.NAME TYPE %operand, ...`."""

    type = prop_def(DTypeAttr)

    @property
    def dtype(self) -> DType:
        return self.type.dtype

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.dtype.name} ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)


def parse_operands(parser: Parser, types: Sequence[Attribute]) -> list[SSAValue]:
    """Parses `%a, %b`, one for each type."""
    operands: list[SSAValue] = []
    for number, type in enumerate(types):
        if number:
            parser.parse_punctuation(",")
        operands.append(parser.resolve_operand(parser.parse_unresolved_operand(), type))
    return operands


class ScalarOp(TypedOp, HasFolderInterface):
    """The base of instructions that compute one value: `atlas.NAME TYPE %operand, ...`."""

    INSTRUCTION: ClassVar[Instruction]

    def __init__(self, dtype: DType | str, *operands: SSAValue | Operation):
        dtype = DTYPES[dtype] if isinstance(dtype, str) else dtype
        super().__init__(
            operands=list(operands),
            result_types=[self.INSTRUCTION.result_type(dtype).ir],
            properties={"type": DTypeAttr.of(dtype)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        dtype = parse_dtype(parser)
        operands = parse_operands(parser, [t.ir for t in cls.INSTRUCTION.operand_types(dtype)])
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=operands,
            result_types=[cls.INSTRUCTION.result_type(dtype).ir],
            properties={"type": DTypeAttr.of(dtype)},
            attributes=attributes,
        )

    def evaluate(self, *lanes: Array) -> Array:
        """What it computes, over lanes in storage form."""
        return self.INSTRUCTION.evaluate(self.dtype, *lanes)

    def verify_(self) -> None:
        instruction, dtype = self.INSTRUCTION, self.dtype
        if dtype.name not in instruction.types:
            raise VerifyError(
                "atlas-instruction-type",
                f"'{self.name}' is not defined for {dtype.name}",
                hint="it takes " + ", ".join(n for n in DTYPES if n in instruction.types),
            )
        for value, name, type in zip(
            self.operands, instruction.operands, instruction.operand_types(dtype), strict=True
        ):
            if value.type != (expected := type.ir):
                raise VerifyError(
                    "atlas-operand-type",
                    f"'{self.name}' takes {expected} for operand '{name}' under type {dtype.name}, found {value.type}",
                )
        expected = instruction.result_type(dtype).ir
        if self.results[0].type != expected:
            raise VerifyError(
                "atlas-result-type",
                f"'{self.name}' gives {expected} under type {dtype.name}, found {self.results[0].type}",
            )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        if not self.INSTRUCTION.exact or self.dtype.bits > 64:
            return None
        lanes: list[Array] = []
        for value, dtype in zip(self.operands, self.INSTRUCTION.operand_types(self.dtype), strict=True):
            attr = ConstantLike.get_constant_value(value)
            array = None if attr is None else constant_lanes(attr, dtype)
            if array is None:
                return None
            lanes.append(array)
        try:
            result = self.evaluate(*lanes)
        except Trap:
            return None
        return (constant_attr(result[0], self.INSTRUCTION.result_type(self.dtype)),)


class HasDType(Protocol):
    """An operation with an instruction type."""

    @property
    def dtype(self) -> DType: ...


class TrapEffect(MemoryEffect):
    """An integer form that may trap is no dead code; a float form never traps."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        is_float = cast("HasDType", op).dtype.is_float
        return frozenset() if is_float else frozenset({EffectInstance(MemoryEffectKind.WRITE)})


def scalar(
    name: str,
    operands: str,
    types: frozenset[str],
    meaning: str,
    reference: Reference | None = None,
    *,
    compose: Composition | None = None,
    result: str = "T",
    exact: bool = True,
    commutative: bool = False,
    traps: str | None = None,
    base: type[ScalarOp] = ScalarOp,
) -> type[Any]:
    """Makes the op class of one row of a table. `operands` is `a b c`, each optionally with a kind: `a amount:u32`."""
    declared = made(
        name, operands, types, meaning, reference, result=result, exact=exact, commutative=commutative, traps=traps,
        compose=compose,
    )  # fmt: skip
    return operation_of(declared, base)


def operation_of(declared: Instruction, base: type[ScalarOp] = ScalarOp) -> type[Any]:
    """The op class of a declaration."""
    traits: list[OpTrait] = [TrapEffect()] if declared.traps else [Pure()]
    if declared.commutative:
        traits.append(Commutative())
    module = "hologram.dialects.atlas.instructions.scalar"
    fields = described(f"atlas.{declared.name}", declared.meaning, declared.example, module, INSTRUCTION=declared)
    class_name = "".join(part.capitalize() for part in declared.name.replace(".", "_").split("_")) + "Op"
    definitions = {**{operand: operand_def() for operand in declared.operands}, "result": result_def()}
    return member(base, class_name, fields, traits, definitions)


__all__ = [
    "DTypeName", "Instruction", "ScalarOp", "TrapEffect", "constant_attr", "constant_lanes", "operation_of",
    "parse_dtype", "scalar",
]  # fmt: skip
