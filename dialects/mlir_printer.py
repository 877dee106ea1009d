"""Prints IR as MLIR text that can be read back bit for bit, by us, by the stock xdsl-opt and by mlir-opt."""

from __future__ import annotations

import math
from io import StringIO
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects.builtin import AnyFloat, ComplexType, DenseIntOrFPElementsAttr
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove

from hologram.dialects.custom import custom_syntax
from hologram.dialects.custom.inherent import as_properties

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation


_Dense: TypeAlias = DenseIntOrFPElementsAttr[Any]


class MlirPrinter(Printer):
    """xDSL's printer, with dense attributes that hold NaN or infinity as blobs, for it misreads the list form that it
    prints, and with the syntax of upstream's operations that its classes lack."""

    def print_op(self, op: Operation) -> None:
        syntax = None if self.print_generic_format else custom_syntax(op.name)
        if syntax is None or syntax.print is None:
            super().print_op(op)
            return
        self._print_results(op)
        isolated = op.has_trait(IsolatedFromAbove)
        if isolated:
            self.enter_scope()
        self.print_string(op.name)
        syntax.print(self, op)
        if isolated:
            self.exit_scope()
        if self.print_debuginfo:
            self.print_string(" ")
            self.print_attribute(op.location)

    def _populate_block_name(self, block: Block, block_index: int | None = None) -> None:
        """Names a block: in generic form by its number in its region, as upstream does, and else as it was named."""
        region = block.parent
        if self.print_generic_format and region is not None:
            self._blocks[block] = f"bb{region.get_block_index(block) if block_index is None else block_index}"
        else:
            super()._populate_block_name(block, block_index)

    def print_op_with_default_format(self, op: Operation) -> None:
        with as_properties(op):
            super().print_op_with_default_format(op)

    def print_attribute(self, attribute: Attribute) -> None:
        if isinstance(attribute, DenseIntOrFPElementsAttr) and _holds_non_finite(
            attribute := cast("_Dense", attribute)
        ):
            self.print_string(f'dense<"0x{_blob(attribute).hex().upper()}"> : ')
            self.print_attribute(attribute.type)
            return
        super().print_attribute(attribute)


def _holds_non_finite(attribute: _Dense) -> bool:
    element = cast(Attribute, attribute.get_element_type())
    if isinstance(element, ComplexType):
        element = cast("ComplexType[Any]", element).element_type
    if not isinstance(element, AnyFloat):
        return False
    return not all(math.isfinite(v) for v in element.iter_unpack(attribute.data.data))


def _blob(attribute: _Dense) -> bytes:
    """The bytes of all elements, or of one if all are the same."""
    data = attribute.data.data
    size = attribute.get_element_type().compile_time_size
    return data[:size] if data == data[:size] * len(attribute) else data


def print_operation(op: Operation, *, generic: bool = False, debuginfo: bool = False) -> str:
    """The text of an operation, without a newline at its end."""
    stream = StringIO()
    MlirPrinter(stream=stream, print_generic_format=generic, print_debuginfo=debuginfo).print_op(op)
    return stream.getvalue()
