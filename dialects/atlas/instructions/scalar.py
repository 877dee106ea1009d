"""The operations of the scalar instructions: those of `table`, comparisons, and constants.

They stand in lane programs and in the regions of maps and reductions. Conversions are in `conversions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeGuard

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue, TypedAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.atlas.instructions.conversions import CvtBitsOp as CvtBitsOp
from hologram.dialects.atlas.instructions.conversions import CvtOp as CvtOp
from hologram.dialects.atlas.instructions.conversions import CvtSatfiniteOp as CvtSatfiniteOp
from hologram.dialects.atlas.instructions.declaration import from_outside
from hologram.dialects.atlas.instructions.form import Form, Modifier
from hologram.dialects.atlas.instructions.instruction import (
    Instruction,
    ScalarOp,
    constant_attr,
    constant_lanes,
    operation_of,
)
from hologram.dialects.atlas.instructions.table import ROWS as DECLARED
from hologram.dialects.atlas.instructions.table import SETCC
from hologram.dialects.atlas.instructions.types import ALL, BOOL, DTYPES, NUMBERS, Array, DType
from hologram.dialects.syntax import Angled
from hologram.errors import VerifyError, parse_error, parse_word
from hologram.plugins.tables import Row

ROWS: tuple[type[ScalarOp], ...] = (*[operation_of(row) for row in DECLARED],)
"""Every instruction of `table`, in the order of the documentation. Each class is an attribute of this module:
`MinNanOp` for `min.nan`."""
INSTRUCTIONS: dict[str, type[ScalarOp]] = {op.INSTRUCTION.name: op for op in ROWS}
"""By the instruction's name; of plug-ins too."""
globals().update({op.__name__: op for op in ROWS})


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.is_instruction:
        INSTRUCTIONS[instruction.name] = operation_of(instruction)


from_outside(_from_outside)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


class Condition(StrEnum):
    """Conditions of `setcc`; the `u` forms read integers as unsigned."""

    eq = "eq"
    ne = "ne"
    lt = "lt"
    le = "le"
    gt = "gt"
    ge = "ge"
    ltu = "ltu"
    leu = "leu"
    gtu = "gtu"
    geu = "geu"


@irdl_attr_definition
class ConditionAttr(Angled, EnumAttribute[Condition]):
    """A condition, printed bare inside `atlas.setcc` and `hologram.compare`."""

    name = "atlas.condition"


def parse_condition(parser: Parser) -> Condition:
    """Parses a bare condition (`ltu`)."""
    known = [c.value for c in Condition]
    return Condition(
        parse_word(parser, known, "atlas-condition", "a condition", "the conditions are " + " ".join(known))
    )


@irdl_op_definition
class SetccOp(ScalarOp):
    """Compares: `eq ne lt le gt ge`, floats ordered (`ne` true on NaN); `ltu leu gtu geu` read integers as unsigned.

    Example::

        %p = atlas.setcc lt f32 %a, %b
    """

    name = "atlas.setcc"
    INSTRUCTION: ClassVar[Instruction] = SETCC
    FORM: ClassVar[Form] = Form(
        "setcc", "=p:bool a:T b:T", {"type": NUMBERS | BOOL},
        (Modifier("condition", tuple(c.value for c in Condition)),), spelling="set{condition}",
    )  # fmt: skip
    condition = prop_def(ConditionAttr)
    a = operand_def()
    b = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(
        self, condition: Condition | str, dtype: DType | str, a: SSAValue | Operation, b: SSAValue | Operation
    ):
        super().__init__(dtype, a, b)
        self.properties["condition"] = ConditionAttr(Condition(condition))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        condition = parse_condition(parser)
        op = super().parse(parser)
        op.properties["condition"] = ConditionAttr(condition)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.condition.data.value}")
        super().print(printer)

    def verify_(self) -> None:
        super().verify_()
        if self.condition.data.value.endswith("u") and not self.dtype.is_integer:
            raise VerifyError(
                "atlas-unsigned-condition",
                f"'{self.condition.data.value}' compares integers as unsigned; {self.dtype.name} is no integer type",
                hint=f"use '{self.condition.data.value[:-1]}'",
            )

    def evaluate(self, *lanes: Array) -> Array:
        """The comparison over lanes in storage form."""
        return SETCC.evaluate(self.dtype, *lanes, condition=self.condition.data.value)

    def fold(self) -> tuple[Attribute, ...] | None:
        attrs = [ConstantLike.get_constant_value(v) for v in (self.a, self.b)]
        a, b = (None if attr is None else constant_lanes(attr, self.dtype) for attr in attrs)
        if a is None or b is None:
            return None
        return (constant_attr(self.evaluate(a, b)[0], DTYPES["bool"]),)


def is_number(value: Attribute) -> TypeGuard[TypedAttribute]:
    """Return whether an attribute is a scalar constant."""
    return isinstance(value, IntegerAttr | FloatAttr)


@irdl_op_definition
class MovImmOp(IRDLOperation, HasFolderInterface):
    """A constant.

    Example::

        %c = atlas.mov_imm 1.5 : f32
    """

    name = "atlas.mov_imm"
    FORM: ClassVar[Form] = Form("mov_imm", "=d:T value:const", {"type": ALL})
    T: ClassVar = VarConstraint("T", AnyAttr())
    value = prop_def(ParamAttrConstraint(IntegerAttr, (AnyAttr(), T)) | ParamAttrConstraint(FloatAttr, (AnyAttr(), T)))
    result = result_def(T)
    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: TypedAttribute):
        super().__init__(result_types=[value.get_type()], properties={"value": value})

    @classmethod
    def of(cls, value: Any, dtype: DType) -> MovImmOp:
        """A Python number as a constant of `dtype`."""
        return cls(constant_attr(value, dtype))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        value = parser.parse_attribute()
        if not is_number(value):
            parse_error(
                parser, "atlas-constant", f"expected a number with a type such as '1.5 : f32', found {value}", at=start
            )
        op = cls(value)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.value)
        printer.print_op_attributes(self.attributes)

    def fold(self) -> tuple[Attribute, ...]:
        return (self.value,)


class ConstantMaterialization(ConstantMaterializationInterface):
    """Folded results become `atlas.mov_imm`."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if is_number(value) and value.get_type() == type:
            return MovImmOp(value)
        return None
