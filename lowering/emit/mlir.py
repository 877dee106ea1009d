"""Prints IR as MLIR text that can be read back bit for bit, by us, by the stock xdsl-opt and by mlir-opt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from io import StringIO
from typing import IO, TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects.builtin import AnyFloat, ComplexType, DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.utils.target import Target

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


_Dense: TypeAlias = DenseIntOrFPElementsAttr[Any]


class MlirPrinter(Printer):
    """xDSL's printer, with dense attributes that hold NaN or infinity as blobs: it misreads the list form it prints."""

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


@dataclass(frozen=True)
class MlirTarget(Target):
    """Prints the module as MLIR text: the form `hologram-opt` writes unless told otherwise."""

    name = "mlir"

    print_generic_format: bool = False
    print_properties_as_attributes: bool = False
    print_debuginfo: bool = False
    syntax_highlight: bool = False

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        printer = self._printer(output)
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        output.write("\n")

    def _printer(self, output: IO[str]) -> Printer:
        if self.syntax_highlight:
            from xdsl.syntax_printer import SyntaxPrinter

            return SyntaxPrinter(stream=output, print_generic_format=self.print_generic_format)
        return MlirPrinter(
            stream=output,
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
        )
