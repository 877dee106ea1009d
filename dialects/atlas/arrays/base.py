"""The base of array-level instructions: reductions' kinds, the syntax of operand groups, effects, and checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import ClassVar

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, IsTerminator, MemoryEffect, MemoryEffectKind, Pure, get_effects
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.atlas.instructions.types import ALL, DType, dtype_of
from hologram.dialects.shapes import element_type, is_endless, is_memref, is_shaped, is_tensor
from hologram.dialects.syntax import Angled, parse_values, print_values
from hologram.errors import VerifyError


class Kind(StrEnum):
    """The ways in which a reduction combines: each names the scalar instruction that it repeats."""

    add = "add"
    mul = "mul"
    min = "min"
    max = "max"
    min_nan = "min.nan"
    max_nan = "max.nan"


KIND_NAMES = tuple(k.value for k in Kind)
KIND_ALIASES = {"sum": "add", "product": "mul"}
"""What assembly also calls them."""


@irdl_attr_definition
class KindAttr(Angled, EnumAttribute[Kind]):
    """A reduction's kind: `#atlas.kind<add>`."""

    name = "atlas.kind"


def identity(kind: Kind, dtype: DType) -> int | float:
    """The value a reduction starts from: 0 (-0 for floats), 1, the type's greatest, its least."""
    match kind:
        case Kind.add:
            return -0.0 if dtype.is_float else 0
        case Kind.mul:
            return 1.0 if dtype.is_float else 1
        case Kind.min | Kind.min_nan:
            return dtype.greatest
        case Kind.max | Kind.max_nan:
            return dtype.least


def parse_group(parser: Parser, keyword: str) -> list[SSAValue]:
    """Parses `keyword(%a, %b : type, type)`; an absent group is empty."""
    if parser.parse_optional_keyword(keyword) is None:
        return []
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")") is not None:
        return []
    values = list(parse_values(parser))
    parser.parse_punctuation(")")
    return values


def print_group(printer: Printer, keyword: str, values: Sequence[SSAValue]) -> None:
    """Prints what `parse_group` reads; nothing for no values."""
    if not values:
        return
    printer.print_string(f" {keyword}(")
    print_values(printer, values)
    printer.print_string(")")


def show_types(types: Sequence[Attribute]) -> str:
    """Types for a message: `(f32, i1)`."""
    return f"({', '.join(map(str, types))})"


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a region with its values.

    Example::

        atlas.yield %x : f32
    """

    name = "atlas.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[list(values)])


class ArrayEffect(MemoryEffect):
    """On memrefs it reads and writes; on tensors it has the effects of its regions, and that of a trap of its own."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        if not op.results:
            return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}
        traps = isinstance(op, ArrayOp) and op.may_trap
        effects = {EffectInstance(MemoryEffectKind.WRITE)} if traps else set[EffectInstance]()
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    op_effects = get_effects(inner)
                    if op_effects is None:
                        return None
                    effects |= op_effects
        return effects


class ArrayOp(IRDLOperation):
    """The base of array-level operations: `ins`, `outs`, and a result for each `outs` that is a tensor. One with more
    groups declares all of them anew, in its own order."""

    TRAPS: ClassVar[bool] = False
    """Whether it may trap by what it does itself, apart from its regions, on any operands."""
    FLAGS: ClassVar[frozenset[str]] = frozenset()
    """The integer properties that say yes (by any number but 0) or no."""
    MARKS: ClassVar[tuple[str, ...]] = ()
    """The unit attributes that free it: `reassoc` the order of its sums, `contract` the products and sums of its
    regions to round once."""
    PRINTED: ClassVar[Mapping[str, str]] = {}
    """What assembly calls a property, where it is not its name."""
    INDICES: ClassVar[bool] = False
    """Whether it takes the indices of an `atlas.iota` among its ins."""
    TYPES: ClassVar[frozenset[str]] = ALL
    """The ISA types of its elements, of its first in where others have their own; it may take fewer of them under some
    of its properties."""
    traits = traits_def(ArrayEffect())
    ins = var_operand_def()
    outs = var_operand_def()
    res = var_result_def()

    @property
    def is_value_form(self) -> bool:
        """Return whether it works on tensors (else on memrefs)."""
        return bool(self.results)

    @property
    def may_trap(self) -> bool:
        """Return whether it may trap by what it does itself, apart from its regions."""
        return self.TRAPS

    @property
    def inputs(self) -> Sequence[SSAValue]:
        """The operands that are read."""
        return self.operands[: len(self.operands) - len(self.outs)]

    def verify_groups(self) -> None:
        """Outs are all tensors or all memrefs, and so are shaped ins; results repeat the tensors' types."""
        types = [v.type for v in self.outs]
        same = all(map(is_tensor, types)) or all(map(is_memref, types))
        if not types or not same:
            raise VerifyError("atlas-array-outs", f"'{self.name}' takes tensors, or memrefs, in outs; one at least")
        for value in self.inputs:
            if is_shaped(value.type) and is_tensor(value.type) != is_tensor(types[0]):
                raise VerifyError(
                    "atlas-array-ins",
                    f"'{self.name}' works on tensors or on memrefs, found both: {value.type}, {types[0]}",
                )
            if is_endless(value.type) and not self.INDICES:
                raise VerifyError(
                    "atlas-iota-ins",
                    f"'{self.name}' works on arrays, and {value.type} is none",
                    hint="maps and reductions take the indices of atlas.iota: store them by a map first",
                )
        if list(self.result_types) != [t for t in types if is_tensor(t)]:
            raise VerifyError("atlas-array-results", f"'{self.name}' gives one result of each tensor's type in outs")


def element_dtype(value: SSAValue) -> DType:
    """The ISA type of a value's elements, signed of signless integers."""
    dtype = dtype_of(element_type(value.type))
    assert dtype is not None
    return dtype


def result_types(outs: Sequence[SSAValue]) -> list[Attribute]:
    """The types of an array-level op's results: its tensor outs."""
    return [v.type for v in outs if is_tensor(v.type)]
