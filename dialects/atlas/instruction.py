"""What declares an instruction: one object with its name, operands, types, meaning and reference function.

The interpreter, the folder, the documentation, the conformance tests and the assembler read this declaration. A family
is a table of calls to `scalar`, which makes the op class of each row; an op with a shape of its own is a class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeAlias, cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType, i1, i32
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, ConstantLike, EffectInstance, MemoryEffect, MemoryEffectKind, OpTrait, Pure

from hologram.dialects.atlas.types import DTYPES, DType, DTypeAttr, DTypeName
from hologram.dialects.families import described, member
from hologram.dialects.lazy import np
from hologram.errors import VerifyError, parse_word

if TYPE_CHECKING:
    from hologram.dialects.atlas.types import Array

    Unary: TypeAlias = Callable[[DType, Array], Array]
    Binary: TypeAlias = Callable[[DType, Array, Array], Array]
    Ternary: TypeAlias = Callable[[DType, Array, Array, Array], Array]
    Reference: TypeAlias = Unary | Binary | Ternary
else:
    Reference = Any
"""`(dtype, *arrays) -> array`: over arrays of lanes, each read as `dtype.numpy`. Warnings are off."""


CONTRACT = "contract"
"""The mark, a unit attribute, of products and sums that may become one instruction with one rounding."""
class Trap(Exception):
    """Raised by a reference function: `lanes` is a mask of those that trapped."""

    def __init__(self, reason: str, lanes: Array):
        super().__init__(reason)
        self.reason = reason
        self.lanes = lanes


@dataclass(frozen=True)
class Instruction:
    """One instruction's declaration.

    `operands` maps each operand's name to its kind: `T` for the instruction's type, `u32` for a shift amount, `bool`
    for a predicate. `result` is a kind too. `exact` says that every device gives the reference's bits, so constants
    fold.
    """

    name: str
    operands: dict[str, str]
    result: str
    types: frozenset[str]
    meaning: str
    reference: Reference
    example: str
    exact: bool = True
    commutative: bool = False
    traps: str | None = None
    """The reason a lane may trap for, if any."""

    def kind_type(self, kind: str, dtype: DType) -> Attribute:
        """The SSA type of an operand or result kind."""
        return {"T": dtype.ir, "u32": i32, "bool": i1}[kind]

    def evaluate(self, dtype: DType, *lanes: Array) -> Array:
        """The instruction over arrays of lanes in storage form (integers signed, as SSA values are signless).

        Raises Trap if a lane traps.
        """
        shape = np.broadcast_shapes(*(np.shape(a) for a in lanes))
        read = {"T": dtype, "u32": DTYPES["u32"], "bool": DTYPES["bool"]}
        arrays = [np.atleast_1d(view(a, read[kind])) for a, kind in zip(lanes, self.operands.values(), strict=True)]
        with np.errstate(all="ignore"):
            result = cast("Callable[..., Array]", self.reference)(dtype, *arrays)
        return storage(np.asarray(result), dtype if self.result == "T" else DTYPES["bool"]).reshape(shape)


def view(lanes: Array, dtype: DType) -> Array:
    """Lanes in storage form, read as `dtype`."""
    lanes = np.asarray(lanes)
    if dtype.bits > 64:
        return _wrapped(lanes, dtype)
    return lanes if lanes.dtype == dtype.numpy else lanes.view(dtype.numpy)


def storage(lanes: Array, dtype: DType) -> Array:
    """Lanes of `dtype` in storage form: signless integers are held signed."""
    if dtype.bits > 64:
        return _wrapped(lanes, DTYPES[f"i{dtype.bits}"])
    lanes = lanes.astype(dtype.numpy, copy=False)
    return lanes.view(DTYPES[f"i{dtype.bits}"].numpy) if dtype.kind == "unsigned" else lanes


def _wrapped(lanes: Array, dtype: DType) -> Array:
    """Python integers modulo 2^bits, in the range of `dtype`."""
    from hologram.dialects.atlas.reference import wrap

    return wrap(dtype, lanes)


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
            result_types=[self.INSTRUCTION.kind_type(self.INSTRUCTION.result, dtype)],
            properties={"type": DTypeAttr.of(dtype)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        dtype = parse_dtype(parser)
        operands = parse_operands(
            parser, [cls.INSTRUCTION.kind_type(k, dtype) for k in cls.INSTRUCTION.operands.values()]
        )
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=operands,
            result_types=[cls.INSTRUCTION.kind_type(cls.INSTRUCTION.result, dtype)],
            properties={"type": DTypeAttr.of(dtype)},
            attributes=attributes,
        )

    def verify_(self) -> None:
        instruction, dtype = self.INSTRUCTION, self.dtype
        if dtype.name not in instruction.types:
            raise VerifyError(
                "atlas-instruction-type",
                f"'{self.name}' is not defined for {dtype.name}",
                hint="it takes " + ", ".join(n for n in DTYPES if n in instruction.types),
            )
        for value, (name, kind) in zip(self.operands, instruction.operands.items(), strict=True):
            if value.type != (expected := instruction.kind_type(kind, dtype)):
                raise VerifyError(
                    "atlas-operand-type",
                    f"'{self.name}' takes {expected} for operand '{name}' under type {dtype.name}, found {value.type}",
                )
        expected = instruction.kind_type(instruction.result, dtype)
        if self.results[0].type != expected:
            raise VerifyError(
                "atlas-result-type",
                f"'{self.name}' gives {expected} under type {dtype.name}, found {self.results[0].type}",
            )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        if not self.INSTRUCTION.exact or self.dtype.bits > 64:
            return None
        lanes: list[Array] = []
        for value in self.operands:
            attr = ConstantLike.get_constant_value(value)
            dtype = DTYPES["bool"] if value.type == i1 else self.dtype if value.type == self.dtype.ir else DTYPES["u32"]
            array = None if attr is None else constant_lanes(attr, dtype)
            if array is None:
                return None
            lanes.append(array)
        try:
            result = self.INSTRUCTION.evaluate(self.dtype, *lanes)
        except Trap:
            return None
        return (constant_attr(result[0], self.dtype if self.INSTRUCTION.result == "T" else DTYPES["bool"]),)


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
    reference: Reference,
    *,
    result: str = "T",
    exact: bool = True,
    commutative: bool = False,
    traps: str | None = None,
    base: type[ScalarOp] = ScalarOp,
    example_type: str | None = None,
) -> type[Any]:
    """Makes the op class of one row of a table. `operands` is `a b c`, each optionally with a kind: `a amount:u32`."""
    kinds = dict((part.split(":") + ["T"])[:2] for part in operands.split())
    shown = example_type or next(n for n in ("f32", "u32", "bool") if n in types)
    example = f"%r = atlas.{name} {shown} " + ", ".join("%" + o for o in kinds)
    instruction = Instruction(name, kinds, result, types, meaning, reference, example, exact, commutative, traps)
    traits: list[OpTrait] = [TrapEffect()] if traps else [Pure()]
    if commutative:
        traits.append(Commutative())
    module = "hologram.dialects.atlas.scalar"
    fields = described(f"atlas.{name}", meaning, example, module, INSTRUCTION=instruction)
    class_name = "".join(part.capitalize() for part in name.replace(".", "_").split("_")) + "Op"
    definitions = {**{operand: operand_def() for operand in kinds}, "result": result_def()}
    return member(base, class_name, fields, traits, definitions)


__all__ = [
    "DTypeName", "Instruction", "Reference", "ScalarOp", "Trap", "TrapEffect", "constant_attr", "constant_lanes",
    "parse_dtype", "scalar", "storage", "view",
]  # fmt: skip
