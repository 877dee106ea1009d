"""The output form `mlir`: text that can be read back bit for bit, by us, by the stock xdsl-opt and by mlir-opt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.dialects.mlir_printer import MlirPrinter

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.printer import Printer


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
