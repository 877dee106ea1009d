"""Types and attributes of upstream's spirv dialect that only rows have: matrices, images, and words of operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr, VectorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.dialects.spirv.enums import EnumAttr, ScopeAttr
from hologram.dialects.spirv.images import ImageType
from hologram.dialects.spirv.types import is_float, is_scalar, name_of

_USES = ("MatrixA", "MatrixB", "MatrixAcc")


@irdl_attr_definition
class MatrixType(ParametrizedAttribute, TypeAttribute):
    """So many columns, which are vectors of floats: `!spirv.matrix<3 x vector<3xf32>>`."""

    name = "spirv.matrix"

    columns: IntAttr
    column: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            columns = parser.parse_shape_dimension(allow_dynamic=False)
            parser.parse_shape_delimiter()
            column = parser.parse_type()
            if columns not in (2, 3, 4):
                parser.raise_error(f"a matrix has 2, 3 or 4 columns, not {columns}", start)
            if not isinstance(column, VectorType) or column.get_shape()[0] not in (2, 3, 4):
                parser.raise_error(f"the columns of a matrix are vectors of 2, 3 or 4 elements, not {column}", start)
            if not is_float(cast(Attribute, column)):
                parser.raise_error(f"the elements of a matrix are floats, not those of {column}", start)
        return [IntAttr(columns), cast(Attribute, column)]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.columns.data} x {self.column}>")


@irdl_attr_definition
class CooperativeMatrixType(ParametrizedAttribute, TypeAttribute):
    """A matrix that a group holds together: `!spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>`."""

    name = "spirv.coopmatrix"

    shape: ArrayAttr[IntAttr]
    element: Attribute
    scope: StringAttr
    use: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            shape, element = parser.parse_ranked_shape()
            if len(shape) != 2:
                parser.raise_error("a matrix of a group has rows and columns", start)
            if not is_scalar(element):
                parser.raise_error(f"a matrix of a group has no elements of {element}", start)
            parser.parse_punctuation(",")
            scope = name_of(parser, "scope", [*ScopeAttr.NUMBERS])
            parser.parse_punctuation(",")
            use = name_of(parser, "use of matrices", _USES)
        return [ArrayAttr([IntAttr(n) for n in shape]), element, StringAttr(scope), StringAttr(use)]

    def print_parameters(self, printer: Printer) -> None:
        sizes = "x".join(str(n.data) for n in self.shape)
        printer.print_string(f"<{sizes}x{self.element}, {self.scope.data}, {self.use.data}>")


@irdl_attr_definition
class SampledImageType(ParametrizedAttribute, TypeAttribute):
    """An image with how it is sampled."""

    name = "spirv.sampled_image"

    image: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            image = parser.parse_type()
            if not isinstance(image, ImageType):
                parser.raise_error(f"what is sampled is a !spirv.image, not {image}", start, parser.pos)
        return [image]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.image}>")


# Attributes


@irdl_attr_definition
class GroupOperationAttr(EnumAttr):
    """How far the values of a group are taken together."""

    name = "spirv.group_operation"
    NUMBERS: ClassVar[Mapping[str, int]] = {
        "Reduce": 0, "InclusiveScan": 1, "ExclusiveScan": 2, "ClusteredReduce": 3, "PartitionedReduceNV": 6,
        "PartitionedInclusiveScanNV": 7, "PartitionedExclusiveScanNV": 8,
    }  # fmt: skip


@irdl_attr_definition
class PackedVectorFormatAttr(EnumAttr):
    """How integers hold vectors."""

    name = "spirv.packed_vector_format"
    NUMBERS: ClassVar[Mapping[str, int]] = {"PackedVectorFormat4x8Bit": 0}


@irdl_attr_definition
class MatrixLayoutAttr(EnumAttr):
    """The order of the elements of a matrix in memory."""

    name = "spirv.coop_matrix_layout_khr"
    NUMBERS: ClassVar[Mapping[str, int]] = {"RowMajor": 0, "ColumnMajor": 1}


@irdl_attr_definition
class MatrixOperandsAttr(EnumAttr):
    """Which matrices of a product have signed elements, and whether its sums stop at the largest."""

    name = "spirv.coop_matrix_operands_khr"
    NUMBERS: ClassVar[Mapping[str, int]] = {
        "None": 0, "ASigned": 1, "BSigned": 2, "CSigned": 4, "ResultSigned": 8, "AccSat": 16,
    }  # fmt: skip


@irdl_attr_definition
class ImageOperandsAttr(EnumAttr):
    """What is given beside the coordinate of an element of an image."""

    name = "spirv.image_operands"
    NUMBERS: ClassVar[Mapping[str, int]] = {
        "None": 0, "Bias": 1, "Lod": 2, "Grad": 4, "ConstOffset": 8, "Offset": 16, "ConstOffsets": 32, "Sample": 64,
        "MinLod": 128, "MakeTexelAvailable": 256, "MakeTexelVisible": 512, "NonPrivateTexel": 1024,
        "VolatileTexel": 2048, "SignExtend": 4096, "Offsets": 65536, "ZeroExtend": 8192, "Nontemporal": 16384,
    }  # fmt: skip


MORE_TYPES: Sequence[type[Attribute]] = (MatrixType, CooperativeMatrixType, SampledImageType)
