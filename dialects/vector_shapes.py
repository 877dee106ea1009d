"""Operations of upstream's vector dialect that change shapes, combine along axes, or run under a mask."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    VectorBaseTypeConstraint,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.custom.syntax import parse_body, parse_results
from hologram.dialects.families import defined
from hologram.dialects.syntax import parse_typed, print_typed
from hologram.errors import VerifyError

Vector: TypeAlias = VectorType[Any]
_MASK = VectorBaseTypeConstraint(i1)
_POSITIONS = DenseArrayBase.constr(i64)


def _vector(value: SSAValue) -> Vector:
    return cast("Vector", value.type)


def _scalable(type: Vector) -> list[bool]:
    return [bool(s.value.data) for s in type.scalable_dims]


def _need(holds: bool, message: str) -> None:
    """Refuse an operation whose types and attributes do not fit, with what does not hold of it."""
    if not holds:
        raise VerifyError("vector-shapes", message)


# Shapes


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """The same elements in row-major order with another shape."""

    name = "vector.shape_cast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        source, result = _vector(self.source), _vector(self.result)
        same = source.element_type == result.element_type and sum(_scalable(source)) == sum(_scalable(result))
        fits = same and prod(source.get_shape()) == prod(result.get_shape())
        _need(fits, f"{source} has not the elements of {result}")


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """The vector with its axes in another order: axis i of the result is axis `permutation[i]`."""

    name = "vector.transpose"

    vector = operand_def(VectorType)
    permutation = prop_def(_POSITIONS)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"

    def verify_(self) -> None:
        source, result, order = _vector(self.vector), _vector(self.result), [*self.permutation.iter_values()]
        is_order = sorted(order) == [*range(source.get_num_dims())]
        _need(is_order, f"{order} is no order of the axes of {source}")
        shape = [(source.get_shape()[n], _scalable(source)[n]) for n in order]
        fits = [*zip(result.get_shape(), _scalable(result), strict=True)] == shape
        fits = fits and source.element_type == result.element_type
        _need(fits, f"{source} with its axes in the order {order} is no {result}")


class StridedSlice(IRDLOperation):
    """A slice of a vector that lies in a larger one."""

    def check(self, slice: Vector, whole: Vector, sizes: Sequence[int] | None) -> None:
        """Refuse offsets, sizes and strides that are not those of a slice of the first axes."""
        offsets, strides = (_numbers(self.properties[n]) for n in ("offsets", "strides"))
        name, shape = self.name, whole.get_shape()
        _need(slice.element_type == whole.element_type, f"'{name}' has vectors of other elements")
        given = [offsets, strides] if sizes is None else [offsets, sizes, strides]
        alike = len({len(g) for g in given}) == 1 and len(given[0]) <= len(shape)
        _need(alike, f"'{name}' has an offset, a size and a stride for each of the first axes")
        _need(all(s == 1 for s in strides), f"the strides of '{name}' are 1")
        extents = sizes if sizes is not None else slice.get_shape()[-len(shape) :][: len(offsets)]
        inside = all(0 <= o and 0 < n and o + n <= s for o, n, s in zip(offsets, extents, shape, strict=False))
        _need(inside, f"'{name}' has a slice that leaves {whole}")


def _numbers(attribute: Attribute) -> list[int]:
    return [n.value.data for n in cast("ArrayAttr[IntegerAttr[Any]]", attribute)]


@irdl_op_definition
class ExtractStridedSliceOp(StridedSlice):
    """A slice of a vector along its first axes."""

    name = "vector.extract_strided_slice"

    source = operand_def(VectorType)
    offsets = prop_def(ArrayAttr[IntegerAttr])
    sizes = prop_def(ArrayAttr[IntegerAttr])
    strides = prop_def(ArrayAttr[IntegerAttr])
    result = result_def(VectorType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def verify_(self) -> None:
        source, result, sizes = _vector(self.source), _vector(self.result), _numbers(self.sizes)
        self.check(result, source, sizes)
        shape = [*sizes, *source.get_shape()[len(sizes) :]]
        _need([*result.get_shape()] == shape, f"the slice has the shape {shape}, not {result}")


@irdl_op_definition
class InsertStridedSliceOp(StridedSlice):
    """A vector with a slice replaced by a smaller vector."""

    name = "vector.insert_strided_slice"

    valueToStore = operand_def(VectorType)
    dest = operand_def(VectorType)
    offsets = prop_def(ArrayAttr[IntegerAttr])
    strides = prop_def(ArrayAttr[IntegerAttr])
    res = result_def(VectorType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)

    @classmethod
    def parse(cls, parser: Parser) -> InsertStridedSliceOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        whole = parser.parse_unresolved_operand()
        attributes, type = parse_typed(parser)
        parser.parse_keyword("into")
        result = parser.parse_type()
        operands = [parser.resolve_operand(value, type), parser.resolve_operand(whole, result)]
        properties = {n: attributes.pop(n) for n in ("offsets", "strides") if n in attributes}
        return cls.create(operands=operands, result_types=[result], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes({**self.properties, **self.attributes})
        printer.print_string(f" : {self.valueToStore.type} into {self.dest.type}")

    def verify_(self) -> None:
        value, whole = _vector(self.valueToStore), _vector(self.dest)
        few = len(_numbers(self.offsets)) == whole.get_num_dims() and value.get_num_dims() <= whole.get_num_dims()
        _need(few, f"'{self.name}' has an offset for each axis of {whole}")
        _need(self.res.type == whole, f"'{self.name}' gives a {whole}, not a {self.res.type}")
        offsets, lead = _numbers(self.offsets), whole.get_num_dims() - value.get_num_dims()
        _need(
            len(_numbers(self.strides)) == value.get_num_dims(), f"'{self.name}' has a stride for each axis of {value}",
        )  # fmt: skip
        _need(all(s == 1 for s in _numbers(self.strides)), f"the strides of '{self.name}' are 1")
        extents = [1] * lead + [*value.get_shape()]
        inside = all(0 <= o and o + n <= s for o, n, s in zip(offsets, extents, whole.get_shape(), strict=True))
        _need(inside, f"'{self.name}' has a slice that leaves {whole}")


# Elements


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """All elements of a vector in row-major order, a result each."""

    name = "vector.to_elements"

    source = operand_def(VectorType)
    elements = var_result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ToElementsOp:
        source = parser.parse_unresolved_operand()
        attributes, type = parse_typed(parser)
        if type.name != "vector":
            parser.raise_error("a vector was expected here")
        types: list[Attribute] = [cast("Vector", type).element_type] * prod(cast("Vector", type).get_shape())
        return cls.create(operands=[parser.resolve_operand(source, type)], result_types=types, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        print_typed(printer, self.attributes, self.source.type)

    def verify_(self) -> None:
        kind = _vector(self.source)
        fits = [*self.elements.types] == [kind.element_type] * prod(kind.get_shape()) and not any(_scalable(kind))
        _need(fits, f"the results of '{self.name}' are the elements of {kind}")


class _Interleaved(IRDLOperation):
    """Vectors that stand in turns along the last axis of one that is twice as long."""

    def check(self, part: Vector, whole: Vector) -> None:
        """Refuse types that are not those of halves and of the whole."""
        shape, last = [*part.get_shape()], [1] * (part.get_num_dims() == 0)
        wanted = [*shape[:-1], 2 * (shape or last)[-1]]
        fits = part.element_type == whole.element_type and [*whole.get_shape()] == wanted
        _need(fits, f"{part} in turns with another one is no {whole}")


@irdl_op_definition
class InterleaveOp(_Interleaved):
    """The elements of two vectors in turns along the last axis."""

    name = "vector.interleave"

    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> InterleaveOp:
        values = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes, type = parse_typed(parser)
        parser.parse_punctuation("->")
        operands = [parser.resolve_operand(v, type) for v in values]
        return cls.create(operands=operands, result_types=[parser.parse_type()], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_typed(printer, self.attributes, self.lhs.type)
        printer.print_string(f" -> {self.result.type}")

    def verify_(self) -> None:
        _need(self.lhs.type == self.rhs.type, f"'{self.name}' takes two vectors of one type")
        self.check(_vector(self.lhs), _vector(self.result))


@irdl_op_definition
class DeinterleaveOp(_Interleaved):
    """The elements of a vector at even places along the last axis, and those at odd ones."""

    name = "vector.deinterleave"

    source = operand_def(VectorType)
    res1 = result_def(VectorType)
    res2 = result_def(VectorType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> DeinterleaveOp:
        source = parser.parse_unresolved_operand()
        attributes, type = parse_typed(parser)
        parser.parse_punctuation("->")
        half = parser.parse_type()
        operand = parser.resolve_operand(source, type)
        return cls.create(operands=[operand], result_types=[half, half], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        print_typed(printer, self.attributes, self.source.type)
        printer.print_string(f" -> {self.res1.type}")

    def verify_(self) -> None:
        for part in self.results:
            self.check(_vector(part), _vector(self.source))


# Along axes


@irdl_op_definition
class MultiReductionOp(IRDLOperation):
    """The elements along axes combined with each other and with `acc`."""

    name = "vector.multi_reduction"

    source = operand_def(VectorType)
    acc = operand_def()
    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(_POSITIONS)
    dest = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> MultiReductionOp:
        kind = CombiningKindAttr(CombiningKindAttr.parse_parameter(parser))
        parser.parse_punctuation(",")
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        acc = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        axes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        parser.parse_punctuation(":")
        type = parser.parse_type()
        parser.parse_keyword("to")
        result = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(source, type), parser.resolve_operand(acc, result)],
            result_types=[result],
            properties={"kind": kind, "reduction_dims": DenseArrayBase.from_list(i64, axes)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        self.kind.print_parameter(printer)
        printer.print_string(", ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        axes = ", ".join(map(str, self.reduction_dims.iter_values()))
        printer.print_string(f" [{axes}] : {self.source.type} to {self.dest.type}")

    def verify_(self) -> None:
        source, axes = _vector(self.source), {*self.reduction_dims.iter_values()}
        kept = [s for n, s in enumerate(source.get_shape()) if n not in axes]
        result = self.dest.type
        shape = [*cast("Vector", result).get_shape()] if isinstance(result, VectorType) else []
        element = cast("Vector", result).element_type if isinstance(result, VectorType) else result
        fits = shape == kept and element == source.element_type and self.acc.type == result
        _need(fits, f"{source} reduced along {sorted(axes)} is no {result}")


class IteratorType(StrEnum):
    """What an axis of `vector.contract` is."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"


@irdl_attr_definition
class IteratorTypeAttr(EnumAttribute[IteratorType]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)

    @classmethod
    def parse_parameter(cls, parser: Any) -> IteratorType:
        with parser.in_angle_brackets():
            return IteratorType(parser.parse_identifier())


@irdl_op_definition
class ContractOp(IRDLOperation):
    """The sums of products of two vectors that maps say, combined with a third one.

    The maps give the axes of the operands; what `iterator_types` calls a reduction is combined by `kind`.
    """

    name = "vector.contract"

    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def()
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr[IteratorTypeAttr])
    kind = prop_def(CombiningKindAttr)
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ContractOp:
        given = cast("Any", parser.parse_attribute()).data
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        more = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_keyword("into")
        result = parser.parse_type()
        operands = parser.resolve_operands(names, [*types, result][: max(3, len(types))], parser.pos)
        attributes: dict[str, Attribute] = {**given, **more}
        properties = {n: attributes.pop(n) for n in ("indexing_maps", "iterator_types", "kind") if n in attributes}
        properties.setdefault("kind", CombiningKindAttr(CombiningKindFlag.ADD))
        words: list[Attribute] = [*cast("ArrayAttr[Attribute]", properties.get("iterator_types", ArrayAttr([])))]
        kinds = [IteratorTypeAttr(IteratorType(w.data)) if isinstance(w, StringAttr) else w for w in words]
        properties["iterator_types"] = ArrayAttr(kinds)
        return cls.create(operands=operands, result_types=[result], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        words = ArrayAttr([StringAttr(a.data) for a in self.iterator_types])
        printer.print_string(" ")
        printer.print_attr_dict({**self.properties, "iterator_types": words})
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(f" : {self.lhs.type}, {self.rhs.type} into {self.result.type}")

    def verify_(self) -> None:
        maps, count = [m.data for m in self.indexing_maps], len(self.iterator_types)
        fits = len(maps) == 3 and all(m.num_dims == count and not m.num_symbols for m in maps)
        _need(fits, f"'{self.name}' has a map of its {count} axes for each operand")
        sizes: dict[Any, int] = {}
        for map, value in zip(maps, self.operands, strict=True):
            shape = [*_vector(value).get_shape()] if value.type.name == "vector" else []
            _need(len(map.results) == len(shape), f"{value.type} has not the axes that {map} gives")
            for axis, size in zip(map.results, shape, strict=True):
                same = sizes.setdefault(str(axis), size) == size
                _need(same, f"the axis {axis} of '{self.name}' has two sizes")
        _need(self.acc.type == self.result.type, f"'{self.name}' gives what it adds to")


@irdl_op_definition
class OuterProductOp(IRDLOperation):
    """The product of each element of a vector with each of another, or with a number; combined with `acc`."""

    name = "vector.outerproduct"

    lhs = operand_def(VectorType)
    rhs = operand_def()
    acc = opt_operand_def(VectorType)
    kind = opt_prop_def(CombiningKindAttr, default_value=CombiningKindAttr(CombiningKindFlag.ADD))
    result = result_def(VectorType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> OuterProductOp:
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        left = cast("Vector", parser.parse_type())
        parser.parse_punctuation(",")
        right: Attribute = parser.parse_type()
        result = left
        if right.name == "vector":
            other = cast("Vector", right)
            dims = [*left.scalable_dims, *other.scalable_dims]
            result = VectorType(left.element_type, [*left.get_shape(), *other.get_shape()], ArrayAttr(dims))
        operands = parser.resolve_operands(names, [left, right, result][: len(names)], parser.pos)
        kind = attributes.pop("kind", CombiningKindAttr(CombiningKindFlag.ADD))
        return cls.create(operands=operands, result_types=[result], properties={"kind": kind}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        is_sum = self.kind.data is CombiningKindFlag.ADD
        printer.print_op_attributes(({} if is_sum else {**self.properties}) | self.attributes)
        printer.print_string(f" : {self.lhs.type}, {self.rhs.type}")

    def verify_(self) -> None:
        left, right, result = _vector(self.lhs), self.rhs.type, _vector(self.result)
        shape = [*left.get_shape(), *(cast("Vector", right).get_shape() if isinstance(right, VectorType) else ())]
        _need(left.get_num_dims() == 1, f"the first operand of '{self.name}' has one axis")
        fits = [*result.get_shape()] == shape and left.element_type == result.element_type
        _need(fits, f"the outer product of {left} and {right} is no {result}")


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Running combinations along an axis, from an initial value; the last ones are the second result."""

    name = "vector.scan"

    source = operand_def(VectorType)
    initial_value = operand_def(VectorType)
    kind = prop_def(CombiningKindAttr)
    reduction_dim = prop_def(IntegerAttr)
    inclusive = prop_def(BoolAttr)
    dest = result_def(VectorType)
    accumulated_value = result_def(VectorType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        kind = CombiningKindAttr(CombiningKindAttr.parse_parameter(parser))
        parser.parse_punctuation(",")
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        properties = {n: attributes.pop(n) for n in ("reduction_dim", "inclusive") if n in attributes}
        operands = parser.resolve_operands(names, types, parser.pos)
        return cls.create(
            operands=operands, result_types=types, properties={"kind": kind, **properties}, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        self.kind.print_parameter(printer)
        printer.print_string(", ")
        printer.print_list(self.operands, printer.print_ssa_value)
        shown = {n: a for n, a in self.properties.items() if n != "kind"}
        printer.print_op_attributes(shown | self.attributes)
        printer.print_string(f" : {self.source.type}, {self.initial_value.type}")

    def verify_(self) -> None:
        source, axis = _vector(self.source), self.reduction_dim.value.data
        inside = 0 <= axis < source.get_num_dims()
        _need(inside, f"'{self.name}' goes along an axis of {source}, and {axis} is none")
        kept = [s for n, s in enumerate(source.get_shape()) if n != axis]
        fits = [*_vector(self.initial_value).get_shape()] == kept and self.dest.type == source
        fits = fits and self.accumulated_value.type == self.initial_value.type
        _need(fits, f"'{self.name}' along axis {axis} starts with the other axes of {source}")


# Masks


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """A mask that holds where each index is below a number."""

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(_POSITIONS)
    result = result_def(_MASK)

    traits = traits_def(Pure())
    assembly_format = "$mask_dim_sizes attr-dict `:` type($result)"

    def verify_(self) -> None:
        shape, sizes = _vector(self.result).get_shape(), [*self.mask_dim_sizes.iter_values()]
        fits = len(sizes) == max(1, len(shape)) and all(0 <= n <= s for n, s in zip(sizes, shape or (1,), strict=True))
        _need(fits, f"{sizes} is no part of {self.result.type}")
        some = 0 in sizes and any(sizes)
        _need(not some, "a mask that is 0 along one axis is 0 along all")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The end of a region of the vector dialect."""

    name = "vector.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "attr-dict ($values^ `:` type($values))?"


@irdl_op_definition
class MaskOp(IRDLOperation):
    """Runs the operation in its region for the lanes where the mask holds; others get those of `passthru`."""

    name = "vector.mask"

    mask = operand_def(_MASK)
    passthru = opt_operand_def()
    maskRegion = region_def("single_block")
    outs = var_result_def()

    @classmethod
    def parse(cls, parser: Parser) -> MaskOp:
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        body = parse_body(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = [parser.parse_type(), *(results := parse_results(parser))]
        operands = parser.resolve_operands(names, types[: len(names)], parser.pos)
        last = body.block.last_op
        if not isinstance(last, YieldOp):
            body.block.add_op(YieldOp.create(operands=[] if last is None else last.results))
        return cls.create(operands=operands, result_types=results, regions=[body], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" { ")
        ops = [*self.maskRegion.block.ops]
        last = ops[-1]
        # The operation under the mask alone, if what is yielded is what it gives.
        shown = ops[:-1] if len(ops) == 2 and [*last.operands] == [*ops[0].results] else ops
        for op in shown:
            printer.print_op(op)
            printer.print_string(" ")
        printer.print_string("}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(f" : {self.mask.type}")
        if self.outs:
            printer.print_string(" -> ")
            printer.print_list(self.outs.types, printer.print_attribute)

    def verify_(self) -> None:
        ops: list[Operation] = [*self.maskRegion.block.ops]
        single = len(ops) <= 2 and bool(ops) and isinstance(ops[-1], YieldOp)
        _need(single, f"'{self.name}' holds one operation, and yields what it gives")
        fits = [v.type for v in ops[-1].operands] == [*self.outs.types]
        _need(fits, f"'{self.name}' gives what its region yields")


# Memory


class _Packed(IRDLOperation):
    """An access to neighbouring elements by the lanes of a mask."""

    def check(self, base: SSAValue, count: int, *vectors: SSAValue) -> None:
        """Refuse elements, shapes and numbers of indices that do not fit."""
        memory = cast("MemRefType[Any]", base.type)
        elements = {_vector(v).element_type for v in vectors} | {memory.element_type}
        shapes = {_vector(v).get_shape() for v in (*vectors, cast("Any", self).mask)}
        _need(len(elements) == 1 and len(shapes) == 1, f"'{self.name}' has types that differ")
        _need(not any(_scalable(_vector(vectors[0]))), f"'{self.name}' takes no scalable vectors")
        _need(memory.get_num_dims() == count, f"'{self.name}' has an index for each axis")


@irdl_op_definition
class ExpandLoadOp(_Packed):
    """Loads neighbouring elements into the lanes where the mask holds; others get those of `pass_thru`."""

    name = "vector.expandload"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(_MASK)
    pass_thru = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,`"
        " type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        self.check(self.base, len(self.indices), self.pass_thru, self.result)


@irdl_op_definition
class CompressStoreOp(_Packed):
    """Stores the lanes where the mask holds to neighbouring elements."""

    name = "vector.compressstore"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(_MASK)
    valueToStore = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr)

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` type($mask) `,`"
        " type($valueToStore)"
    )

    def verify_(self) -> None:
        self.check(self.base, len(self.indices), self.valueToStore)


# Scalable vectors


@irdl_op_definition
class VectorScaleOp(IRDLOperation):
    """How many times longer scalable vectors are than their types say."""

    name = "vector.vscale"

    res = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "attr-dict"


@irdl_op_definition
class ScalableExtractOp(IRDLOperation):
    """A part of a scalable vector."""

    name = "vector.scalable.extract"

    source = operand_def(VectorType)
    pos = prop_def(IntegerAttr.constr(i64))
    res = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)"


@irdl_op_definition
class ScalableInsertOp(IRDLOperation):
    """A scalable vector with a part replaced."""

    name = "vector.scalable.insert"

    T: ClassVar = VarConstraint("T", base(VectorType))
    valueToStore = operand_def(VectorType)
    dest = operand_def(T)
    pos = prop_def(IntegerAttr.constr(i64))
    res = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$valueToStore `,` $dest `[` $pos `]` attr-dict `:` type($valueToStore) `into` type($res)"


OPERATIONS = defined(globals(), Operation)
ATTRIBUTES = [IteratorTypeAttr]
