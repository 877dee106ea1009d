"""The directives that declare memory: arrays of programs and functions, and pools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, MemRefType, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import IRDLOperation, irdl_attr_definition, irdl_op_definition, prop_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from hologram.dialects.atlas.instructions.instruction import parse_dtype
from hologram.dialects.atlas.instructions.types import DTYPES, DType, DTypeAttr
from hologram.errors import VerifyError

DYNAMIC = -1


@irdl_attr_definition
class ArrayTypeAttr(ParametrizedAttribute):
    """An array in memory: element type and sizes, `?` where a launch says: `#machine.array<f32[?, 4]>`."""

    name = "machine.array"
    element: DTypeAttr
    sizes: ArrayAttr[IntAttr]

    def __init__(self, element: DType | str, sizes: Sequence[int]):
        dtype = DTYPES[element] if isinstance(element, str) else element
        super().__init__(DTypeAttr.of(dtype), ArrayAttr([IntAttr(n) for n in sizes]))

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes, DYNAMIC (-1) where not known."""
        return tuple(n.data for n in self.sizes)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.element.dtype

    @property
    def memref(self) -> MemRefType[Attribute]:
        """The type of the memref that it is, in global memory."""
        return MemRefType(self.dtype.ir, [DYNAMIC_INDEX if n == DYNAMIC else n for n in self.shape])

    def __str__(self) -> str:
        sizes = ", ".join("?" if n == DYNAMIC else str(n) for n in self.shape)
        return f"{self.dtype.name}[{sizes}]"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            array = parse_array(cast("Parser", parser))
        return array.element, array.sizes

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self}>")

    def verify(self) -> None:
        if any(n != DYNAMIC and n < 1 for n in self.shape):
            raise VerifyError("machine-array-size", f"an array has sizes of at least 1, found {self}")


def parse_array(parser: Parser) -> ArrayTypeAttr:
    """Parses `f32[?, 4]`."""

    def size() -> int:
        if parser.parse_optional_punctuation("?") is not None:
            return DYNAMIC
        return parser.parse_integer(allow_boolean=False, allow_negative=False)

    dtype = parse_dtype(parser)
    return ArrayTypeAttr(dtype, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, size))


@irdl_op_definition
class ArrayOp(IRDLOperation):
    """Declares an array of shared memory (one a block) or local memory (one a lane), `shared0`, `shared1`, ... in
    their order. One shared array may have no length, `f32[?]`: the launch's shared bytes size it.

    Example::

        machine.array shared f32[128]
    """

    name = "machine.array"
    space = prop_def(StringAttr)
    array = prop_def(ArrayTypeAttr)

    def __init__(self, space: str, array: ArrayTypeAttr):
        super().__init__(properties={"space": StringAttr(space), "array": array})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        space = parser.parse_identifier()
        op = cls(space, parse_array(parser))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.space.data} {self.array}")
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if self.space.data not in ("shared", "local"):
            raise VerifyError("machine-array-space", f"'{self.space.data}' is not shared or local memory")
        sizes = self.array.shape
        if len(sizes) != 1 or (DYNAMIC in sizes and self.space.data == "local"):
            raise VerifyError(
                "machine-array-shape", f"an array of {self.space.data} memory has one size, found {self.array}"
            )


@irdl_op_definition
class PoolOp(IRDLOperation):
    """Declares a pool of constant size, `pool0`, `pool1`, ... in their order; one for a launch.

    Example::

        machine.pool f32[1024]
    """

    name = "machine.pool"
    array = prop_def(ArrayTypeAttr)

    def __init__(self, array: ArrayTypeAttr):
        super().__init__(properties={"array": array})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        op = cls(parse_array(parser))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.array}")
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if len(self.array.shape) != 1 or DYNAMIC in self.array.shape:
            raise VerifyError("machine-pool-shape", f"a pool has one constant size, found {self.array}")
