"""Element-wise operations: one for each instruction and composition that declares a tensor form, and those of several
types. What an operation computes of the elements is its `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType, UnitAttr, i1
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, OpTrait, Pure

from hologram.dialects.atlas.instructions.composites import ROWS as COMPOSITION_ROWS
from hologram.dialects.atlas.instructions.conversions import with_bits_of
from hologram.dialects.atlas.instructions.declaration import from_outside
from hologram.dialects.atlas.instructions.instruction import Instruction, TrapEffect
from hologram.dialects.atlas.instructions.reference import converted, shift_amount
from hologram.dialects.atlas.instructions.scalar import ConditionAttr, parse_condition
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS, SETCC
from hologram.dialects.atlas.instructions.table import ROWS as INSTRUCTION_ROWS
from hologram.dialects.atlas.instructions.types import DTYPES, Array, DType
from hologram.dialects.families import described, member
from hologram.dialects.hologram.base import Sizes, SizesOf, TensorOp, dtype_in, element_of, same_sizes, shape_of
from hologram.dialects.hologram.folding import fold_instruction
from hologram.dialects.shapes import is_tensor, with_element
from hologram.dialects.sizes import Requirement
from hologram.errors import VerifyError
from hologram.plugins.tables import Row


class ElementwiseOp(TensorOp):
    """The base: operands and result of one shape; integers are signed unless the flag `unsigned` is there."""

    FLAGS: ClassVar[tuple[str, ...]] = ("unsigned",)

    @property
    def typed(self) -> SSAValue:
        """An operand of the type that the operation works on."""
        return self.operands[-1]

    @property
    def dtype(self) -> DType:
        """The ISA type that the operation works on."""
        dtype = dtype_in(self.typed, unsigned="unsigned" in self.properties)
        assert dtype is not None
        return dtype

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return same_sizes(self.operands, sizes)[0]

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        return same_sizes(self.operands, sizes)[1]


class InstructionOp(ElementwiseOp, HasFolderInterface):
    """The base of operations that apply one instruction, or a composition of some, to each element."""

    INSTRUCTION: ClassVar[Instruction]

    @property
    def typed(self) -> SSAValue:
        return self.operands[[*self.INSTRUCTION.operands.values()].index("T")]

    @classmethod
    def spread(cls, type: Attribute, count: int) -> tuple[list[Attribute], Attribute]:
        predicate = with_element(type, i1)
        kinds = cls.INSTRUCTION.operands.values()
        result = predicate if cls.INSTRUCTION.result == "bool" else type
        return [predicate if kind == "bool" else type for kind in kinds], result

    def evaluate(self, *operands: Array) -> Array:
        """The instruction; a shift amount, which has the type of the values here, counts modulo the width."""
        kinds = zip(operands, self.INSTRUCTION.operands.values(), strict=True)
        lanes = [shift_amount(value, self.dtype) if kind == "u32" else value for value, kind in kinds]
        return self.INSTRUCTION.evaluate(self.dtype, *lanes)

    def verify_(self) -> None:
        dtype = dtype_in(self.typed, unsigned="unsigned" in self.properties)
        if dtype is None or dtype.name not in self.INSTRUCTION.types:
            raise VerifyError(
                "hologram-elementwise-type",
                f"'{self.name}' is not defined for elements of {element_of(self.typed)}",
                hint="it takes " + ", ".join(n for n in DTYPES if n in self.INSTRUCTION.types),
            )
        if "unsigned" in self.properties and not dtype.is_integer:
            raise VerifyError("hologram-unsigned", f"'{self.name} unsigned' needs integers, found {dtype.name}")
        for value in self.operands:
            self.verify_shape(shape_of(value), shape_of(self.results[0]))
        self.verify_elements()

    def verify_elements(self) -> None:
        """Operands and result have one element type, and predicates i1."""
        kinds = (*self.INSTRUCTION.operands.values(), self.INSTRUCTION.result)
        values = list(zip((*self.operands, self.results[0]), kinds, strict=True))
        alike = [value for value, kind in values if kind != "bool"]
        self.verify_same_element(*alike, like=alike[-1])
        for value, kind in values:
            if kind == "bool" and element_of(value) != i1:
                raise VerifyError(
                    "hologram-select-predicate", f"the predicate of '{self.name}' is a tensor of i1, found {value.type}"
                )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        result = self.results[0].type
        return fold_instruction(self.INSTRUCTION, self.dtype, self.operands, result) if is_tensor(result) else None


def _row(declared: Instruction) -> type[Any]:
    """Makes the op class of a declaration that has a tensor form."""
    name = declared.tensor
    operands = ["%" + o for o in declared.operands]
    traits: list[OpTrait] = [TrapEffect()] if declared.traps else [Pure()]
    if declared.commutative:
        traits.append(Commutative())
    shown = DTYPES[declared.shown]
    flag = "unsigned " if shown.is_integer and f"i{shown.bits}" not in declared.types else ""
    example = f"%r = hologram.{name} {flag}{', '.join(operands)} : tensor<?x4x{shown.ir}>"
    fields = described(
        f"hologram.{name}", f"{declared.meaning} For each element.", example, __name__, INSTRUCTION=declared
    )
    definitions = {
        "unsigned": opt_prop_def(UnitAttr),
        **{operand: operand_def(TensorType) for operand in declared.operands},
        "result": result_def(TensorType),
    }
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Op"
    return member(InstructionOp, class_name, fields, traits, definitions)


ROWS: tuple[type[InstructionOp], ...] = tuple(
    _row(declared) for declared in (*INSTRUCTION_ROWS, *COMPOSITION_ROWS) if declared.tensor
)
"""Every element-wise operation that a declaration of ours makes; min and max are the forms where NaN wins, as in
numpy."""
OUTSIDE: dict[str, type[InstructionOp]] = {}
"""Those of plug-ins, by the names of the declarations."""


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.tensor:
        OUTSIDE[instruction.name] = _row(instruction)


from_outside(_from_outside)


@irdl_op_definition
class CompareOp(ElementwiseOp):
    """Compares element by element: `eq ne lt le gt ge` (floats ordered, `ne` true on NaN), `ltu leu gtu geu` on
    integers.

    Example::

        %p = hologram.compare lt %a, %b : tensor<?xf32>
    """

    name = "hologram.compare"
    condition = prop_def(ConditionAttr)
    unsigned = opt_prop_def(UnitAttr)
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def evaluate(self, *operands: Array) -> Array:
        """Return whether the condition holds."""
        return SETCC.evaluate(self.dtype, *operands, condition=self.condition.data.value)

    @classmethod
    def spread(cls, type: Attribute, count: int) -> tuple[list[Attribute], Attribute]:
        return [type] * count, with_element(type, i1)

    @classmethod
    def parse_head(cls, parser: Parser) -> dict[str, Attribute]:
        return {"condition": ConditionAttr(parse_condition(parser))} | super().parse_head(parser)

    def print_head(self, printer: Printer) -> None:
        printer.print_string(f" {self.condition.data.value}")
        super().print_head(printer)

    def verify_(self) -> None:
        dtype = dtype_in(self.a, unsigned=self.unsigned is not None)
        if dtype is None or element_of(self.a) != element_of(self.b) or element_of(self.result) != i1:
            raise VerifyError(
                "hologram-compare-type",
                f"'{self.name}' compares equal element types into i1, "
                f"found {self.a.type} and {self.b.type} into {self.result.type}",
            )
        if (self.unsigned is not None or self.condition.data.value.endswith("u")) and not dtype.is_integer:
            raise VerifyError("hologram-compare-unsigned", f"an unsigned comparison needs integers, found {dtype.name}")
        for value in self.operands:
            self.verify_shape(shape_of(value), shape_of(self.result))


@irdl_op_definition
class SelectOp(InstructionOp):
    """The first value where the predicate holds, else the second, element by element.

    Example::

        %r = hologram.select %p, %a, %b : tensor<?xf32>
    """

    name = "hologram.select"
    INSTRUCTION: ClassVar[Instruction] = INSTRUCTIONS["sel"]
    unsigned = opt_prop_def(UnitAttr)
    p = operand_def(TensorType)
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class CastOp(ElementwiseOp):
    """Converts elements by the rules of `atlas.cvt`. `unsigned` reads integer sources, `to_unsigned` integer results as
    unsigned.

    Example::

        %r = hologram.cast %x : tensor<?xf32> to tensor<?xi32>
    """

    name = "hologram.cast"
    FLAGS: ClassVar[tuple[str, ...]] = ("unsigned", "to_unsigned")
    unsigned = opt_prop_def(UnitAttr)
    to_unsigned = opt_prop_def(UnitAttr)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def evaluate(self, *operands: Array) -> Array:
        """The nearest element of the other type."""
        return converted(self.dtype, self.target, *operands)

    @property
    def target(self) -> DType:
        """The ISA type converted to."""
        dtype = dtype_in(self.result, unsigned=self.to_unsigned is not None)
        assert dtype is not None
        return dtype

    def verify_(self) -> None:
        for value in (self.x, self.result):
            if dtype_in(value) is None:
                raise VerifyError("hologram-cast-type", f"'{self.name}' does not convert {element_of(value)}")
        for value, flag in ((self.x, self.unsigned), (self.result, self.to_unsigned)):
            dtype = dtype_in(value)
            if flag is not None and (dtype is None or not dtype.is_integer):
                raise VerifyError("hologram-cast-unsigned", f"an unsigned cast needs integers, found {value.type}")
        self.verify_shape(shape_of(self.x), shape_of(self.result))


@irdl_op_definition
class BitcastOp(ElementwiseOp):
    """The same bits as elements of another type of equal width. NaNs keep theirs.

    Example::

        %r = hologram.bitcast %x : tensor<?xf32> to tensor<?xi32>
    """

    name = "hologram.bitcast"
    FLAGS: ClassVar[tuple[str, ...]] = ()
    x = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())

    def evaluate(self, *operands: Array) -> Array:
        """The elements read as another type."""
        return with_bits_of(operands[0], self.target)

    @property
    def target(self) -> DType:
        """The ISA type that the bits are read as."""
        dtype = dtype_in(self.result)
        assert dtype is not None
        return dtype

    def verify_(self) -> None:
        source, target = dtype_in(self.x), dtype_in(self.result)
        if source is None or target is None or source.bits != target.bits or source.name == "bool":
            raise VerifyError(
                "hologram-bitcast-type",
                f"'{self.name}' keeps the width, and {element_of(self.x)} is not as wide as {element_of(self.result)}",
                hint="hologram.cast converts numbers" if source and target and source.bits != target.bits else "",
            )
        self.verify_shape(shape_of(self.x), shape_of(self.result))


OPS: tuple[type[ElementwiseOp], ...] = (*ROWS, CompareOp, SelectOp, CastOp, BitcastOp)
