"""Scalar conversions from any type to any other."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from hologram.dialects.atlas.instructions import reference
from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.atlas.instructions.instruction import constant_attr, constant_lanes, parse_dtype
from hologram.dialects.atlas.instructions.storage import storage, view
from hologram.dialects.atlas.instructions.types import ALL, DTYPES, FLOATS, STORED, DType, DTypeAttr
from hologram.dialects.lazy import np
from hologram.errors import VerifyError

if TYPE_CHECKING:
    from hologram.dialects.atlas.instructions.types import Array


class ConversionOp(IRDLOperation):
    """The base of `cvt` and `cvt.bits`: from one type to another."""

    source_type = prop_def(DTypeAttr)
    type = prop_def(DTypeAttr)
    a = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, source: DType | str, target: DType | str, a: SSAValue | Operation):
        source = DTYPES[source] if isinstance(source, str) else source
        target = DTYPES[target] if isinstance(target, str) else target
        super().__init__(
            operands=[a],
            result_types=[target.ir],
            properties={"source_type": DTypeAttr.of(source), "type": DTypeAttr.of(target)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        source = parse_dtype(parser)
        parser.parse_keyword("to")
        target = parse_dtype(parser)
        a = parser.resolve_operand(parser.parse_unresolved_operand(), source.ir)
        op = cls(source, target, a)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.source_type.dtype.name} to {self.type.dtype.name} ")
        printer.print_ssa_value(self.a)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        source, target = self.source_type.dtype, self.type.dtype
        if self.a.type != source.ir or self.result.type != target.ir:
            raise VerifyError(
                "atlas-cvt-type",
                f"'{self.name}' from {source.name} to {target.name} takes {source.ir} and gives {target.ir}, "
                f"found {self.a.type} and {self.result.type}",
            )


class NumberOp(ConversionOp, HasFolderInterface):
    """The base of `cvt` and `cvt.satfinite`: to the nearest number of a type."""

    @staticmethod
    @abstractmethod
    def converted(source: DType, target: DType, a: Array) -> Any:
        """The conversion over lanes."""

    def evaluate(self, a: Array) -> Array:
        """The conversion over lanes in storage form."""
        source, target = self.source_type.dtype, self.type.dtype
        with np.errstate(all="ignore"):
            return storage(np.asarray(self.converted(source, target, view(a, source))), target)

    def fold(self) -> tuple[Attribute, ...] | None:
        attr = ConstantLike.get_constant_value(self.a)
        lanes = None if attr is None else constant_lanes(attr, self.source_type.dtype)
        return None if lanes is None else (constant_attr(self.evaluate(lanes)[0], self.type.dtype),)


@irdl_op_definition
class CvtOp(NumberOp):
    """Converts between any two types: int to int truncates or extends by the source's sign; int to float and float to
    float round to nearest even; float to int truncates toward zero, saturates, NaN gives 0; to bool is != 0.

    Example::

        %r = atlas.cvt f32 to i32 %x
    """

    name = "atlas.cvt"
    FORM: ClassVar[Form] = Form("cvt", "=d:T a:S", {"type": ALL, "source_type": ALL})

    @staticmethod
    def converted(source: DType, target: DType, a: Array) -> Any:
        return reference.convert(source, target, a)


@irdl_op_definition
class CvtSatfiniteOp(NumberOp):
    """Converts a number to a float type as `cvt` does, but what is past the greatest finite number, infinities too,
    becomes that number with its sign. NaN stays NaN.

    Example::

        %r = atlas.cvt.satfinite f32 to f8E4M3FN %x
    """

    name = "atlas.cvt.satfinite"
    FORM: ClassVar[Form] = Form("cvt.satfinite", "=d:T a:S", {"type": FLOATS | STORED, "source_type": ALL})

    def verify_(self) -> None:
        super().verify_()
        if not self.type.dtype.is_float:
            raise VerifyError(
                "atlas-cvt-satfinite", f"'{self.name}' gives floats, not {self.type.dtype.name}",
                hint="atlas.cvt saturates to integers as it is",
            )  # fmt: skip

    @staticmethod
    def converted(source: DType, target: DType, a: Array) -> Any:
        return reference.convert_finite(source, target, a)


@irdl_op_definition
class CvtBitsOp(ConversionOp):
    """The same bits as another type of equal width. NaNs keep theirs.

    Example::

        %r = atlas.cvt.bits f32 to u32 %x
    """

    name = "atlas.cvt.bits"
    FORM: ClassVar[Form] = Form("cvt.bits", "=d:T a:S", {"type": ALL, "source_type": ALL})

    def verify_(self) -> None:
        super().verify_()
        source, target = self.source_type.dtype, self.type.dtype
        if source.bits != target.bits:
            raise VerifyError(
                "atlas-cvt-bits",
                f"'{self.name}' keeps the width: {source.name} has {source.bits} bits, {target.name} {target.bits}",
            )

    def evaluate(self, a: Array) -> Array:
        """The bits over lanes in storage form."""
        return with_bits_of(a, self.type.dtype)


def with_bits_of(lanes: Array, dtype: DType) -> Array:
    """The bits of lanes in storage form, as elements of another type of equal width."""
    if dtype.bits > 64:
        return lanes
    return np.asarray(lanes, order="C").view((DTYPES[f"i{dtype.bits}"] if dtype.is_integer else dtype).numpy)
