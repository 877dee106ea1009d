"""Array-level instructions: `map` and `reduce` with linalg.generic's contract, and the named forms (isa.md section 3).

All are destination-passing: they read `ins` and write every element of `outs`, on memrefs or, in value form, on tensors,
where each `outs` operand gives the shape of one result (as in linalg).
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Self

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ArrayAttr, FloatAttr, IntegerAttr, MemRefType, TensorType, UnitAttr, f64, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarOperand,
    VarOpResult,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import EffectInstance, IsTerminator, MemoryEffect, MemoryEffectKind, Pure, get_effects
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.atlas.instruction import parse_dtype
from hologram.dialects.atlas.types import DType, DTypeAttr
from hologram.errors import VerifyError, did_you_mean, parse_error

ShapedType = MemRefType | TensorType
DYNAMIC = DYNAMIC_INDEX


class Kind(StrEnum):
    """How a reduction combines: each names the scalar instruction it repeats."""

    add = "add"
    mul = "mul"
    min = "min"
    max = "max"
    min_nan = "min.nan"
    max_nan = "max.nan"


KIND_NAMES = tuple(k.value for k in Kind)


@irdl_attr_definition
class KindAttr(EnumAttribute[Kind]):
    """A reduction's kind: `#atlas.kind<add>`."""

    name = "atlas.kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Kind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


def identity(kind: Kind, dtype: DType) -> int | float:
    """The value a reduction starts from: 0 (-0 for floats), 1, the type's greatest, its least."""
    match kind:
        case Kind.add:
            return -0.0 if dtype.is_float else 0
        case Kind.mul:
            return 1.0 if dtype.is_float else 1
        case Kind.min | Kind.min_nan:
            return dtype.greatest
        case Kind.max | Kind.max_nan:
            return dtype.least


def element_type(type: Attribute) -> Attribute:
    """The element type of a shaped type; a scalar's own type."""
    return type.element_type if isinstance(type, MemRefType | TensorType) else type


def shape_of(type: Attribute) -> tuple[int, ...]:
    """The shape with DYNAMIC for dynamic sizes; `()` for a scalar."""
    return type.get_shape() if isinstance(type, MemRefType | TensorType) else ()


def parse_group(parser: Parser, keyword: str) -> list[SSAValue]:
    """Parses `keyword(%a, %b : type, type)`; an absent group is empty."""
    if parser.parse_optional_keyword(keyword) is None:
        return []
    parser.parse_punctuation("(")
    if parser.parse_optional_punctuation(")") is not None:
        return []
    operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    start = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return list(parser.resolve_operands(operands, types, start))


def print_group(printer: Printer, keyword: str, values: Sequence[SSAValue]) -> None:
    """Prints what `parse_group` reads; nothing for no values."""
    if not values:
        return
    printer.print_string(f" {keyword}(")
    printer.print_list(values, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list([v.type for v in values], printer.print_attribute)
    printer.print_string(")")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a region with its values.

    Example::

        atlas.yield %x : f32
    """

    name = "atlas.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[list(values)])


class ArrayEffect(MemoryEffect):
    """On memrefs it reads and writes; on tensors it has the effects of its regions, and those of a trap."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        if not op.results:
            return {EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE)}
        effects: set[EffectInstance] = set()
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    found = get_effects(inner)
                    if found is None:
                        return None
                    effects |= found
        return effects


class ArrayOp(IRDLOperation):
    """The base of array-level operations: `ins`, `outs`, and a result for each `outs` that is a tensor."""

    if TYPE_CHECKING:  # declared by each subclass, in its own order
        ins: VarOperand
        outs: VarOperand
        res: VarOpResult

    @property
    def is_value_form(self) -> bool:
        """Whether it works on tensors (else on memrefs)."""
        return bool(self.results)

    def verify_groups(self) -> None:
        """Outs are all tensors or all memrefs; results repeat the tensors' types."""
        tensors = [v.type for v in self.outs if isinstance(v.type, TensorType)]
        if tensors and len(tensors) != len(self.outs) or any(not isinstance(v.type, ShapedType) for v in self.outs):
            raise VerifyError("atlas-array-outs", f"'{self.name}' takes all tensors or all memrefs in outs")
        if [r.type for r in self.results] != tensors:
            raise VerifyError("atlas-array-results", f"'{self.name}' gives one result of each tensor's type in outs")


def result_types(outs: Sequence[SSAValue]) -> list[Attribute]:
    """The types of an array-level op's results: its tensor outs."""
    return [v.type for v in outs if isinstance(v.type, TensorType)]


# map and reduce


class GenericOp(ArrayOp):
    """What `map` and `reduce` share: an iteration space, an indexing map for each operand, a region of scalars."""

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
        found: tuple[int, int] | None = None
        for number, (value, map) in enumerate(zip(self.operands, self.maps, strict=True)):
            for axis, expr in enumerate(map.results):
                if expr == AffineDimExpr(dim):
                    if shape_of(value.type)[axis] != DYNAMIC:
                        return number, axis
                    found = found or (number, axis)
        return found

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
            if map.num_dims != self.num_loops or map.num_symbols:
                raise VerifyError(
                    "atlas-map-dims", f"indexing map {number} of '{self.name}' has another number of dimensions than the first"
                )
            if len(map.results) != len(shape_of(value.type)):
                raise VerifyError(
                    "atlas-map-rank",
                    f"indexing map {number} of '{self.name}' has {len(map.results)} results for an operand of rank "
                    f"{len(shape_of(value.type))}",
                )
        for dim in range(self.num_loops):
            if self.extent_source(dim) is None:
                raise VerifyError(
                    "atlas-map-extent", f"no operand of '{self.name}' is indexed by d{dim} alone, so the loop has no extent"
                )
        self._verify_bounds()

    def _verify_bounds(self) -> None:
        extents = self.static_extents()
        if any(e == 0 for e in extents):
            return
        for number, (value, map) in enumerate(zip(self.operands, self.maps, strict=True)):
            for axis, (size, expr) in enumerate(zip(shape_of(value.type), map.results, strict=True)):
                used = expr.used_dims()
                if size == DYNAMIC or any(extents[d] == DYNAMIC for d in used):
                    continue
                corners = [_corner(expr, extents, top) for top in (False, True)]
                if isinstance(expr, AffineDimExpr) and corners[1] != size - 1 or min(corners) < 0 or max(corners) >= size:
                    raise VerifyError(
                        "atlas-map-bounds",
                        f"axis {axis} of operand {number} of '{self.name}' has size {size}, but its indexing map reaches from "
                        f"{min(corners)} to {max(corners)}",
                    )

    def verify_body(self, arguments: Sequence[SSAValue], region: Region, yields: Sequence[Attribute], what: str) -> None:
        """The region takes the operands' elements and yields the given types."""
        block = region.block
        expected = [element_type(v.type) for v in arguments]
        if [a.type for a in block.args] != expected:
            raise VerifyError(
                "atlas-body-arguments",
                f"the {what} of '{self.name}' takes ({', '.join(map(str, expected))}), "
                f"found ({', '.join(str(a.type) for a in block.args)})",
            )
        last = block.last_op
        if not isinstance(last, YieldOp) or [v.type for v in last.values] != list(yields):
            raise VerifyError(
                "atlas-body-yield", f"the {what} of '{self.name}' must end by yielding ({', '.join(map(str, yields))})"
            )


def _corner(expr: AffineExpr, extents: Sequence[int], top: bool) -> int:
    return expr.eval([e - 1 if top else 0 for e in extents], [])


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
    traits = traits_def(ArrayEffect())

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
            if sorted(map.results, key=str) != sorted((AffineDimExpr(d) for d in range(self.num_loops)), key=str):
                raise VerifyError(
                    "atlas-map-permutation", f"the map {map} of an out of 'atlas.map' is no permutation of all dimensions"
                )
        self.verify_body(self.ins, self.body, [element_type(v.type) for v in self.outs], "body")


@irdl_op_definition
class ReduceOp(GenericOp):
    """Combines elements over the reduction dimensions by `kinds`, one for each value the body yields.

    The body computes each element from `ins`; the optional finish region takes the combined values, then the elements
    of `finish_ins` (indexed by parallel dimensions alone), and yields what is stored to `outs`. Without it the combined
    values are stored. Float sums and products have the association of isa.md section 3, starting from the identity; an
    empty reduction gives the identity (a float sum +0).

    Example::

        atlas.reduce [add f32] ins(%x : memref<?x?xf32>) outs(%s : memref<?xf32>)
          maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
        ^bb0(%e: f32):
          atlas.yield %e : f32
        }
    """

    name = "atlas.reduce"
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
    traits = traits_def(ArrayEffect())

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
        if not self.kinds.data or len(self.kinds) != len(self.types) or not self.outs:
            raise VerifyError("atlas-reduce-kinds", "'atlas.reduce' needs at least one kind with its type, and an out")
        self.verify_maps()
        parallel = set(self.parallel_dims)
        for map in self.out_maps:
            dims = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
            if len(dims) != len(map.results) or len(set(dims)) != len(dims) or set(dims) != parallel:
                raise VerifyError(
                    "atlas-reduce-outs", f"the map {map} of an out of 'atlas.reduce' is no permutation of the parallel dimensions"
                )
        for map in self.maps[len(self.ins) : len(self.ins) + len(self.finish_ins)]:
            if not all(e.used_dims() <= parallel for e in map.results):
                raise VerifyError("atlas-reduce-finish-ins", f"the map {map} of a finish_in uses a reduced dimension")
        types = [t.ir for _, t in self.combiners]
        self.verify_body(self.ins, self.body, types, "body")
        outs = [element_type(v.type) for v in self.outs]
        if self.finish.blocks:
            self._verify_finish(types, outs)
        elif types != outs:
            raise VerifyError(
                "atlas-reduce-types", f"'atlas.reduce' combines ({', '.join(map(str, types))}) but stores ({', '.join(map(str, outs))})",
                hint="convert in a finish region",
            )

    def _verify_finish(self, types: list[Attribute], outs: list[Attribute]) -> None:
        block = self.finish.block
        expected = [*types, *(element_type(v.type) for v in self.finish_ins)]
        last = block.last_op
        if [a.type for a in block.args] != expected:
            raise VerifyError(
                "atlas-finish-arguments", f"the finish region takes ({', '.join(map(str, expected))}), the combined values first"
            )
        if not isinstance(last, YieldOp) or [v.type for v in last.values] != outs:
            raise VerifyError("atlas-finish-yield", f"the finish region must yield ({', '.join(map(str, outs))})")


def _parse_kind(parser: Parser) -> tuple[Kind, DType]:
    start = parser.pos
    name = parser.parse_optional_identifier() or ""
    if name not in KIND_NAMES:
        parse_error(
            parser, "atlas-kind", f"expected a reduction kind, found '{name}'",
            hint=did_you_mean(name, KIND_NAMES) or "the kinds are " + " ".join(KIND_NAMES), at=start,
        )
    return Kind(name), parse_dtype(parser)


OPS: list[type[Operation]] = [YieldOp, MapOp, ReduceOp]
