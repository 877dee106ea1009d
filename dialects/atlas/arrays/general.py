"""Array-level instructions: `map` and `reduce` with linalg.generic's contract (isa.md section 3).

All are destination-passing: they read `ins` and write every element of `outs`, on memrefs or, in value form, on
tensors, where each `outs` operand gives the shape of one result (as in linalg).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir import Attribute, Block, Operation, ParametrizedAttribute, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from hologram.dialects.atlas.arrays.base import (
    KIND_NAMES,
    ArrayEffect,
    ArrayOp,
    Kind,
    KindAttr,
    YieldOp,
    identity,
    parse_group,
    print_group,
    result_types,
    show_types,
)
from hologram.dialects.atlas.instructions.instruction import parse_dtype
from hologram.dialects.atlas.instructions.types import DTYPES, NUMBERS, STORED, DType, DTypeAttr, reduced_types
from hologram.dialects.shapes import DYNAMIC, EndlessType, element_type, is_endless, shape_of
from hologram.errors import VerifyError, parse_error, parse_word


@irdl_attr_definition
class IotaType(ParametrizedAttribute, EndlessType):
    """The indices 0, 1, 2, ... as integers of a type, without end and without memory: `!atlas.iota<i64>`."""

    name = "atlas.iota"
    dtype: DTypeAttr

    @property
    def endless_element(self) -> Attribute:
        return self.dtype.dtype.ir

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            name = parser.parse_identifier()
            if name not in IOTA_TYPES:
                parse_error(parser, "atlas-iota-type", f"there are no indices of '{name}'", at=start,
                            hint="the types are " + ", ".join(IOTA_TYPES))  # fmt: skip
            return [DTypeAttr.of(DTYPES[name])]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.dtype.dtype.name)


IOTA_TYPES = tuple(f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64))


@irdl_op_definition
class IotaOp(IRDLOperation):
    """The indices 0, 1, 2, ..., which maps and reductions take among their ins: the one result of the indexing map is
    the element itself. They lie in no memory, tell no loop its extent, and wrap as integers of their type do.

    Example::

        %i = atlas.iota : !atlas.iota<i64>
    """

    name = "atlas.iota"
    result = result_def(IotaType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, dtype: DType):
        super().__init__(result_types=[IotaType(DTypeAttr.of(dtype))])


class GenericOp(ArrayOp):
    """The base of `map` and `reduce`: an iteration space, an indexing map for each operand, a region of scalars.

    A bare dimension in a map says that the loop runs over that whole axis: its size is the loop's extent. Any other
    expression must only stay inside; `d0 floordiv 1` reads the start of a longer axis. The indices of an `atlas.iota`
    have no end, so any expression stays inside.
    """

    MARKS: ClassVar[tuple[str, ...]] = ("contract",)
    INDICES: ClassVar[bool] = True
    PRINTED: ClassVar[Mapping[str, str]] = {"indexing_maps": "maps"}
    if TYPE_CHECKING:
        indexing_maps: ArrayAttr[AffineMapAttr]
        body: Region

    @property
    def maps(self) -> list[AffineMap]:
        return [m.data for m in self.indexing_maps]

    @property
    def num_loops(self) -> int:
        return self.maps[0].num_dims

    def extent_source(self, dim: int) -> tuple[int, int] | None:
        """The operand and axis whose size is the extent of loop `dim`: the first indexed by just that dimension,
        a static one before a dynamic one."""
        source: tuple[int, int] | None = None
        for number, (value, map) in enumerate(zip(self.operands, self.maps, strict=True)):
            for axis, expr in enumerate(() if is_endless(value.type) else map.results):
                if expr == AffineDimExpr(dim):
                    if shape_of(value.type)[axis] != DYNAMIC:
                        return number, axis
                    source = source or (number, axis)
        return source

    def static_extents(self) -> tuple[int, ...]:
        """The extent of each loop, DYNAMIC where not known."""
        extents: list[int] = []
        for dim in range(self.num_loops):
            source = self.extent_source(dim)
            extents.append(DYNAMIC if source is None else shape_of(self.operands[source[0]].type)[source[1]])
        return tuple(extents)

    def verify_maps(self) -> None:
        """One map an operand, of its rank; every loop has an extent; static sizes agree and lie in bounds."""
        if len(self.indexing_maps) != len(self.operands):
            raise VerifyError(
                "atlas-map-count",
                f"'{self.name}' has {len(self.operands)} operands and {len(self.indexing_maps)} indexing maps",
                hint="give one map for each operand, ins first",
            )
        for number, (value, map) in enumerate(zip(self.operands, self.maps, strict=True)):
            self._verify_map(f"indexing map {number} of '{self.name}'", map, len(shape_of(value.type)))
        for dim in range(self.num_loops):
            if self.extent_source(dim) is None:
                raise VerifyError(
                    "atlas-map-extent",
                    f"no operand of '{self.name}' is indexed by d{dim} alone, so the loop has no extent",
                )
        self._verify_bounds()

    def _verify_map(self, what: str, map: AffineMap, rank: int) -> None:
        if map.num_dims != self.num_loops or map.num_symbols:
            raise VerifyError("atlas-map-dims", f"{what} has other dimensions than the first, or symbols")
        if len(map.results) != rank:
            raise VerifyError("atlas-map-rank", f"{what} has {len(map.results)} results for an operand of rank {rank}")
        if not all(map_expr_is_safe(e) for e in map.results):
            raise VerifyError(
                "atlas-map-divisor", f"{what} divides by what is no positive constant",
                hint="the right side of floordiv, ceildiv and mod is a constant of at least 1",
            )  # fmt: skip

    def _verify_bounds(self) -> None:
        extents = self.static_extents()
        for number, (value, map) in enumerate(zip(self.operands, self.maps, strict=True)):
            for axis, (size, expr) in enumerate(zip(shape_of(value.type), map.results, strict=True)):
                if size == DYNAMIC or any(extents[d] == DYNAMIC for d in expr.used_dims()):
                    continue
                if isinstance(expr, AffineDimExpr):
                    low, high = 0, extents[expr.position] - 1
                    fits = high == size - 1
                else:
                    low, high = (0, -1) if 0 in extents else reach(expr, extents)
                    fits = low >= 0 and high < size
                if not fits:
                    raise VerifyError(
                        "atlas-map-bounds",
                        f"axis {axis} of operand {number} of '{self.name}' has size {size}, "
                        f"but its indexing map reaches from {low} to {high}",
                    )

    def verify_body(self, arguments: Sequence[SSAValue], region: Region, yields: Sequence[Attribute]) -> None:
        """The region takes the operands' elements and yields the given types."""
        block = region.block
        expected = [element_type(v.type) for v in arguments]
        if list(block.arg_types) != expected:
            raise VerifyError(
                "atlas-body-arguments",
                f"the body of '{self.name}' takes {show_types(expected)}, found {show_types(block.arg_types)}",
            )
        last = block.last_op
        if not isinstance(last, YieldOp) or list(last.operand_types) != list(yields):
            raise VerifyError(
                "atlas-body-yield", f"the body of '{self.name}' must end by yielding {show_types(yields)}"
            )


def within(dim: AffineExpr) -> AffineExpr:
    """A dimension as an index into an axis that may be longer than the loop."""
    return AffineExpr.binary(AffineBinaryOpKind.FloorDiv, dim, AffineExpr.constant(1))


_DIVISIONS = (AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv, AffineBinaryOpKind.Mod)


def map_expr_is_safe(expr: AffineExpr) -> bool:
    """Return whether every division is by a positive constant."""
    return all(
        isinstance(part.rhs, AffineConstantExpr) and part.rhs.value > 0
        for part in expr.post_order()
        if isinstance(part, AffineBinaryOpExpr) and part.kind in _DIVISIONS
    )


def reach(expr: AffineExpr, extents: Sequence[int]) -> tuple[int, int]:
    """Bounds of an expression over loops of static extents; the least ones where each loop stands in it once."""
    if not isinstance(expr, AffineBinaryOpExpr):
        return expr.eval([0] * len(extents), []), expr.eval([e - 1 for e in extents], [])
    low, high = reach(expr.lhs, extents)
    other = reach(expr.rhs, extents)
    divisor = other[0]
    match expr.kind:
        case AffineBinaryOpKind.Add:
            return low + other[0], high + other[1]
        case AffineBinaryOpKind.Mul:
            corners = [a * b for a in (low, high) for b in other]
            return min(corners), max(corners)
        case AffineBinaryOpKind.FloorDiv:
            return low // divisor, high // divisor
        case AffineBinaryOpKind.CeilDiv:
            return -(-low // divisor), -(-high // divisor)
        case AffineBinaryOpKind.Mod:
            return (low % divisor, high % divisor) if low // divisor == high // divisor else (0, divisor - 1)


def parse_maps(parser: Parser) -> ArrayAttr[AffineMapAttr]:
    """Parses `maps [affine_map<...>, ...]`."""
    parser.parse_keyword("maps")
    start = parser.pos
    maps = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
    if not all(isinstance(m, AffineMapAttr) for m in maps):
        parse_error(parser, "atlas-maps", "expected affine maps, such as affine_map<(d0) -> (d0)>", at=start)
    return ArrayAttr([m for m in maps if isinstance(m, AffineMapAttr)])


def print_maps(printer: Printer, maps: ArrayAttr[AffineMapAttr]) -> None:
    printer.print_string(" maps [")
    printer.print_list(maps.data, printer.print_attribute)
    printer.print_string("]")


@irdl_op_definition
class MapOp(GenericOp):
    """Computes each element of `outs` from elements of `ins`, anywhere the indexing maps point; scalars may be ins too.

    The loops run over the outs (their maps are permutations of all dimensions), in any order. An in may be the out of
    the same map; any other overlap is undefined.

    Example::

        atlas.map ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
          maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
        ^bb0(%x: f32, %y: f32):
          %s = atlas.add f32 %x, %y
          atlas.yield %s : f32
        }
    """

    name = "atlas.map"
    ins = var_operand_def()
    outs = var_operand_def()
    res = var_result_def()
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self, ins: Sequence[SSAValue], outs: Sequence[SSAValue], maps: Sequence[AffineMap], body: Region | Block
    ):
        super().__init__(
            operands=[ins, outs],
            result_types=[result_types(outs)],
            properties={"indexing_maps": ArrayAttr([AffineMapAttr(m) for m in maps])},
            regions=[Region(body) if isinstance(body, Block) else body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        ins, outs = parse_group(parser, "ins"), parse_group(parser, "outs")
        maps = parse_maps(parser)
        body = parser.parse_region()
        op = cls(ins, outs, [m.data for m in maps], body)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        print_group(printer, "ins", self.ins)
        print_group(printer, "outs", self.outs)
        print_maps(printer, self.indexing_maps)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_groups()
        self.verify_maps()
        for map in self.maps[len(self.ins) :]:
            if not _permutes(map, range(self.num_loops)):
                raise VerifyError(
                    "atlas-map-permutation",
                    f"the map {map} of an out of 'atlas.map' is no permutation of all dimensions",
                )
        self.verify_body(self.ins, self.body, [element_type(v.type) for v in self.outs])


@irdl_op_definition
class ReduceOp(GenericOp):
    """Combines elements over the reduction dimensions by `kinds`, one for each value the body yields.

    The body computes each element from `ins`; the optional finish region takes the combined values, then the elements
    of `finish_ins` (indexed by parallel dimensions alone), and yields what is stored to `outs`. Without it the combined
    values are stored. Float sums and products have the association of isa.md section 3, starting from the identity, and
    those below 32 bits are taken in f32 and rounded once; an empty reduction gives the identity (a float sum +0).

    Example::

        atlas.reduce [add f32] ins(%x : memref<?x?xf32>) outs(%s : memref<?xf32>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
        ^bb0(%e: f32):
          atlas.yield %e : f32
        }
    """

    name = "atlas.reduce"
    MARKS: ClassVar[tuple[str, ...]] = ("reassoc", "contract")
    TYPES: ClassVar[frozenset[str]] = NUMBERS | STORED
    kinds = prop_def(ArrayAttr[KindAttr])
    types = prop_def(ArrayAttr[DTypeAttr])
    ins = var_operand_def()
    finish_ins = var_operand_def()
    outs = var_operand_def()
    res = var_result_def()
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")
    finish = region_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        kinds: Sequence[tuple[Kind, DType]],
        ins: Sequence[SSAValue],
        outs: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        body: Region | Block,
        finish_ins: Sequence[SSAValue] = (),
        finish: Region | Block | None = None,
    ):
        finish = Region() if finish is None else Region(finish) if isinstance(finish, Block) else finish
        super().__init__(
            operands=[ins, finish_ins, outs],
            result_types=[result_types(outs)],
            properties={
                "kinds": ArrayAttr([KindAttr(k) for k, _ in kinds]),
                "types": ArrayAttr([DTypeAttr.of(t) for _, t in kinds]),
                "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in maps]),
            },
            regions=[Region(body) if isinstance(body, Block) else body, finish],
        )

    @property
    def combiners(self) -> list[tuple[Kind, DType]]:
        """The kind and type of each combined value."""
        return [(k.data, t.dtype) for k, t in zip(self.kinds, self.types, strict=True)]

    @property
    def out_maps(self) -> list[AffineMap]:
        return self.maps[len(self.ins) + len(self.finish_ins) :]

    @property
    def parallel_dims(self) -> list[int]:
        """The dimensions of the outs, in the order of the first out's map."""
        return [e.position for e in self.out_maps[0].results if isinstance(e, AffineDimExpr)]

    @property
    def reduction_dims(self) -> list[int]:
        """The other dimensions, in order: the reduced index is row-major over them."""
        parallel = set(self.parallel_dims)
        return [d for d in range(self.num_loops) if d not in parallel]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        kinds = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_kind(parser))
        ins = parse_group(parser, "ins")
        finish_ins = parse_group(parser, "finish_ins")
        outs = parse_group(parser, "outs")
        maps = parse_maps(parser)
        body = parser.parse_region()
        finish = parser.parse_region() if parser.parse_optional_keyword("finish") is not None else Region()
        op = cls(kinds, ins, outs, [m.data for m in maps], body, finish_ins, finish)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" [" + ", ".join(f"{k.value} {t.name}" for k, t in self.combiners) + "]")
        print_group(printer, "ins", self.ins)
        print_group(printer, "finish_ins", self.finish_ins)
        print_group(printer, "outs", self.outs)
        print_maps(printer, self.indexing_maps)
        printer.print_string(" ")
        printer.print_region(self.body)
        if self.finish.blocks:
            printer.print_string(" finish ")
            printer.print_region(self.finish)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_groups()
        if not self.kinds.data or len(self.kinds) != len(self.types):
            raise VerifyError("atlas-reduce-kinds", "'atlas.reduce' needs at least one kind, and a type for each")
        for kind, dtype in self.combiners:
            if dtype.name not in reduced_types(kind.value):
                raise VerifyError(
                    "atlas-reduce-kind-type", f"a reduction by {kind.value} is not defined for {dtype.name}"
                )
        self.verify_maps()
        self._verify_dims()
        combined = [t.ir for _, t in self.combiners]
        self.verify_body(self.ins, self.body, combined)
        self._verify_finish(combined, [element_type(v.type) for v in self.outs])

    def _verify_dims(self) -> None:
        parallel = self.parallel_dims
        for map in self.out_maps:
            if not _permutes(map, parallel):
                raise VerifyError(
                    "atlas-reduce-outs",
                    f"the map {map} of an out of 'atlas.reduce' is no permutation of the parallel dimensions",
                )
        for map in self.maps[len(self.ins) : len(self.ins) + len(self.finish_ins)]:
            if not all(e.used_dims() <= set(parallel) for e in map.results):
                raise VerifyError("atlas-reduce-finish-ins", f"the map {map} of a finish_in uses a reduced dimension")

    def _verify_finish(self, combined: Sequence[Attribute], outs: Sequence[Attribute]) -> None:
        if not self.finish.blocks:
            if self.finish_ins:
                raise VerifyError("atlas-finish-missing", "'atlas.reduce' has finish_ins but no finish region")
            if list(combined) != list(outs):
                raise VerifyError(
                    "atlas-reduce-types",
                    f"'atlas.reduce' combines {show_types(combined)} but stores {show_types(outs)}",
                    hint="convert in a finish region",
                )
            return
        if self.finish.first_block is not self.finish.last_block:
            raise VerifyError("atlas-finish-blocks", "the finish region has more than one block")
        block = self.finish.block
        expected = [*combined, *(element_type(v.type) for v in self.finish_ins)]
        if list(block.arg_types) != expected:
            raise VerifyError(
                "atlas-finish-arguments", f"the finish region takes {show_types(expected)}, the combined values first"
            )
        last = block.last_op
        if not isinstance(last, YieldOp) or list(last.operand_types) != list(outs):
            raise VerifyError("atlas-finish-yield", f"the finish region must yield {show_types(outs)}")


def _permutes(map: AffineMap, dims: Sequence[int]) -> bool:
    """Return whether the results of a map are the given dimensions, each once."""
    plain = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
    return len(plain) == len(map.results) and sorted(plain) == sorted(dims)


def _parse_kind(parser: Parser) -> tuple[Kind, DType]:
    name = parse_word(parser, KIND_NAMES, "atlas-kind", "a reduction kind", "the kinds are " + " ".join(KIND_NAMES))
    return Kind(name), parse_dtype(parser)


OPS: list[type[Operation]] = [YieldOp, IotaOp, MapOp, ReduceOp]

__all__ = [
    "DYNAMIC", "OPS", "ArrayEffect", "ArrayOp", "GenericOp", "IotaOp", "IotaType", "Kind", "KindAttr", "MapOp",
    "ReduceOp", "YieldOp", "element_type", "identity", "parse_group", "print_group", "result_types", "shape_of",
    "within",
]  # fmt: skip
