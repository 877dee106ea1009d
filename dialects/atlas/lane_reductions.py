"""Reductions of a lane: over a window of values, in the ISA's fixed association."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.irdl import IRDLOperation, VarOperand, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from hologram.dialects.atlas.form import Form
from hologram.dialects.atlas.instruction import parse_dtype
from hologram.dialects.atlas.types import NUMBERS, DType, DTypeAttr
from hologram.errors import VerifyError

MOST = 256
"""The most values of a window: as many as there are registers."""


class WindowOp(IRDLOperation):
    """The base of `reduce.*`: value i belongs to accumulator i mod 128; accumulators take their values in order and
    combine by halving. f16 and bf16 are added and multiplied in f32, and only the result is rounded."""

    KIND: ClassVar[str]
    if TYPE_CHECKING:
        type: DTypeAttr
        values: VarOperand
        result: OpResult

    def __init__(self, dtype: DType, values: Sequence[SSAValue | Operation]):
        super().__init__(operands=[list(values)], result_types=[dtype.ir], properties={"type": DTypeAttr.of(dtype)})

    @property
    def dtype(self) -> DType:
        return self.type.dtype

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        dtype = parse_dtype(parser)
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        op = cls(dtype, [parser.resolve_operand(name, dtype.ir) for name in names])
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.dtype.name} ")
        printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if self.dtype.name not in NUMBERS:
            raise VerifyError("atlas-window-type", f"'{self.name}' is not defined for {self.dtype.name}")
        if not 1 <= len(self.values) <= MOST:
            raise VerifyError(
                "atlas-window-size", f"'{self.name}' combines 1 to {MOST} values, found {len(self.values)}"
            )
        if wrong := [v.type for v in (*self.values, self.result) if v.type != self.dtype.ir]:
            raise VerifyError(
                "atlas-window-values", f"'{self.name}' of {self.dtype.name} works on {self.dtype.ir}, found {wrong[0]}"
            )


def _window(kind: str, meaning: str) -> Any:
    namespace: dict[str, Any] = {
        "name": f"atlas.reduce.{kind}",
        "__doc__": f"{meaning} of a window of values of the lane, in the fixed association.\n\n"
        f"Example::\n\n    %s = atlas.reduce.{kind} f32 %a, %b, %c\n",
        "__module__": __name__,
        "__annotations__": {"FORM": ClassVar[Form], "KIND": ClassVar[str]},
        "FORM": Form(f"reduce.{kind}", "=d:T values:T*count count:#", {"type": NUMBERS}),
        "KIND": kind,
        "type": prop_def(DTypeAttr),
        "values": var_operand_def(),
        "result": result_def(),
        "traits": traits_def(Pure()),
    }
    return irdl_op_definition(type(f"Reduce{kind.capitalize()}Op", (WindowOp,), namespace))


WINDOWS: tuple[type[WindowOp], ...] = (
    _window("add", "The sum"),
    _window("min", "The least"),
    _window("max", "The greatest"),
    _window("mul", "The product"),
)
"""Reductions over values: min and max skip NaN, and give the type's end if nothing else remains."""
