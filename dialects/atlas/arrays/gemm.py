"""The array-level matrix product, with what is done to its elements before they are stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, Float64Type, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.atlas.arrays import reference
from hologram.dialects.atlas.arrays.base import (
    YieldOp,
    element_dtype,
    parse_group,
    print_group,
    result_types,
    show_types,
)
from hologram.dialects.atlas.arrays.general import parse_maps, print_maps
from hologram.dialects.atlas.arrays.named import NamedOp
from hologram.dialects.atlas.instructions.types import NUMBERS, STORED, Array, dtype_of
from hologram.dialects.shapes import DYNAMIC, compatible, element_type, shape_of, show_shape
from hologram.errors import InputError, VerifyError, where_of


@irdl_op_definition
class GemmOp(NamedOp):
    """alpha * a b + beta * c over the last two axes; leading axes are a batch. `trans_a`, `trans_b` transpose the last
    two.

    c is the optional third in; beta counts only with it. Floats are accumulated in f32 (f64 for f64) in any order, with
    fused multiply-adds: a tolerance, not bits (isa.md section 3). Integers wrap; their alpha and beta are integers.

    The optional finish region takes each element, rounded to its type, then those of `finish_ins`, and yields what is
    stored. The maps of `finish_ins` go from the out's indices to dimensions and constants.

    Example::

        atlas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) finish_ins(%v : memref<?xf32>)
          outs(%c : memref<?x?xf32>) {alpha = 2.0 : f64} maps [affine_map<(d0, d1) -> (d1)>] finish {
        ^bb0(%e: f32, %w: f32):
          %s = atlas.add f32 %e, %w
          atlas.yield %s : f32
        }
    """

    name = "atlas.gemm"
    ARITY: ClassVar[tuple[int, ...]] = (2, 3)
    FLAGS: ClassVar[frozenset[str]] = frozenset({"trans_a", "trans_b"})
    MARKS: ClassVar[tuple[str, ...]] = ("contract",)
    TYPES: ClassVar[frozenset[str]] = NUMBERS | STORED
    alpha = opt_prop_def(FloatAttr[Float64Type])
    beta = opt_prop_def(FloatAttr[Float64Type])
    trans_a = opt_prop_def(IntegerAttr)
    trans_b = opt_prop_def(IntegerAttr)
    finish_maps = opt_prop_def(ArrayAttr[AffineMapAttr])
    ins = var_operand_def()
    finish_ins = var_operand_def()
    outs = var_operand_def()
    res = var_result_def()
    finish = region_def()

    def __init__(
        self,
        ins: Sequence[SSAValue],
        outs: Sequence[SSAValue],
        finish_ins: Sequence[SSAValue] = (),
        finish_maps: Sequence[AffineMap] = (),
        finish: Region | Block | None = None,
        **properties: Attribute | None,
    ):
        given = {k: v for k, v in properties.items() if v is not None}
        finish = Region() if finish is None else Region(finish) if isinstance(finish, Block) else finish
        if finish_maps:
            given["finish_maps"] = ArrayAttr([AffineMapAttr(m) for m in finish_maps])
        super(NamedOp, self).__init__(
            operands=[ins, finish_ins, outs], result_types=[result_types(outs)], properties=given, regions=[finish]
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        ins, finish_ins, outs = (parse_group(parser, g) for g in ("ins", "finish_ins", "outs"))
        attributes = parser.parse_optional_attr_dict()
        known = cls.get_irdl_definition().properties
        maps = parse_maps(parser).data if finish_ins else ()
        finish = parser.parse_region() if parser.parse_optional_keyword("finish") is not None else Region()
        properties = {k: v for k, v in attributes.items() if k in known}
        op = cls(ins, outs, finish_ins, [m.data for m in maps], finish, **properties)
        op.attributes |= {k: v for k, v in attributes.items() if k not in known}
        return op

    def print(self, printer: Printer) -> None:
        print_group(printer, "ins", self.ins)
        print_group(printer, "finish_ins", self.finish_ins)
        print_group(printer, "outs", self.outs)
        hidden = ("operandSegmentSizes", "finish_maps")
        printer.print_op_attributes({k: v for k, v in self.properties.items() if k not in hidden} | self.attributes)
        if self.finish_maps is not None:
            print_maps(printer, self.finish_maps)
        if self.finish.blocks:
            printer.print_string(" finish ")
            printer.print_region(self.finish)

    @property
    def finishing(self) -> list[tuple[SSAValue, AffineMap]]:
        """The finish_ins with their maps."""
        maps = () if self.finish_maps is None else self.finish_maps.data
        return [(v, m.data) for v, m in zip(self.finish_ins, maps, strict=True)]

    @property
    def scalars(self) -> dict[str, Attribute]:
        """The properties by which gemms of equal operands differ."""
        return {n: v for n, v in self.properties.items() if n in ("alpha", "beta", "trans_a", "trans_b")}

    @property
    def scales(self) -> tuple[float, float]:
        """alpha and beta, 1 where absent."""
        alpha, beta = (1.0 if v is None else v.value.data for v in (self.alpha, self.beta))
        return alpha, beta

    @property
    def transposed(self) -> tuple[bool, bool]:
        """Whether a and b are transposed."""
        a, b = (v is not None and bool(v.value.data) for v in (self.trans_a, self.trans_b))
        return a, b

    def matrix_shapes(self) -> tuple[list[int], list[int]]:
        """The shapes of a and b after their transposes."""
        shapes = [list(shape_of(v.type)) for v in self.ins[:2]]
        for shape, flip in zip(shapes, self.transposed, strict=True):
            if flip:
                shape[-2:] = shape[:-3:-1]
        return shapes[0], shapes[1]

    @property
    def element(self) -> Attribute:
        """The type of the elements that are multiplied."""
        return element_type(self.ins[0].type)

    def verify_(self) -> None:
        self.verify_arity()
        a, b = self.matrix_shapes()
        if len(a) < 2 or len(a) != len(b):
            raise VerifyError(
                "atlas-gemm-rank",
                f"'{self.name}' takes two matrices or equal batches of them, found ranks {len(a)} and {len(b)}",
            )
        if not compatible([*a[:-2], a[-1]], b[:-1]):
            raise VerifyError("atlas-gemm-shape", f"the shapes {show_shape(a)} and {show_shape(b)} do not multiply")
        batch = [y if x == DYNAMIC else x for x, y in zip(a[:-2], b[:-2], strict=True)]
        self.verify_shape([*batch, a[-2], b[-1]])
        for added in self.ins[2:]:
            self.verify_shape(shape_of(added.type))
        self._verify_finish()
        for value in self.ins:
            if element_type(value.type) != self.element:
                raise VerifyError(
                    "atlas-gemm-elements",
                    f"'{self.name}' multiplies one element type, found {element_type(value.type)} and {self.element}",
                )
        dtype = dtype_of(self.element)
        if dtype is None or dtype.name not in self.TYPES:
            raise VerifyError("atlas-gemm-type", f"'{self.name}' is not defined for {self.ins[0].type}")
        for name, scale in zip(("alpha", "beta"), self.scales, strict=True):
            if dtype.is_integer and not scale.is_integer():
                raise VerifyError(
                    "atlas-gemm-scale",
                    f"'{self.name}' of integers takes integers for alpha and beta, found {name} = {scale}",
                    hint="convert the operands to a float type first",
                )

    def _verify_finish(self) -> None:
        """The region takes the element and one of each finish_in, and yields one of the out."""
        stored = element_type(self.outs[0].type)
        if not self.finish.blocks:
            if self.finish_ins:
                raise VerifyError("atlas-gemm-finish-missing", f"'{self.name}' has finish_ins but no finish region")
            self.verify_element(self.ins[0])
            return
        block = self.finish.first_block
        assert block is not None
        last = block.last_op
        expected = [self.element, *(element_type(v.type) for v in self.finish_ins)]
        yields = list(last.operand_types) if isinstance(last, YieldOp) else None
        if block is not self.finish.last_block or list(block.arg_types) != expected or yields != [stored]:
            raise VerifyError(
                "atlas-gemm-finish",
                f"the finish region of '{self.name}' is one block that takes {show_types(expected)} "
                f"and yields {show_types([stored])}",
            )
        maps = 0 if self.finish_maps is None else len(self.finish_maps)
        if maps != len(self.finish_ins):
            raise VerifyError(
                "atlas-gemm-finish-maps", f"'{self.name}' has {len(self.finish_ins)} finish_ins and {maps} maps"
            )
        for value, map in self.finishing:
            self._verify_finish_map(shape_of(value.type), map)

    def _verify_finish_map(self, shape: Sequence[int], map: AffineMap) -> None:
        sizes = shape_of(self.outs[0].type)
        fits = (map.num_dims, map.num_symbols, len(map.results)) == (len(sizes), 0, len(shape))
        if not fits or not all(_reads(e, n, sizes) for e, n in zip(map.results, shape, strict=True)):
            raise VerifyError(
                "atlas-gemm-finish-map",
                f"the map {map} does not take the indices of an out of shape {show_shape(sizes)} to those of "
                f"a finish_in of shape {show_shape(shape)}",
                hint="its results are dimensions, and constants below static sizes",
            )

    def evaluate(self, *ins: Array) -> Array:
        """The elements before the finish region takes them."""
        a, b = (x.swapaxes(-1, -2) if flip else x for x, flip in zip(ins, self.transposed, strict=False))
        added = ins[2] if len(ins) == 3 else None
        fits = a.shape[:-2] == b.shape[:-2] and a.shape[-1] == b.shape[-2]
        if not fits or not (added is None or added.shape == (*a.shape[:-1], b.shape[-1])):
            third = "" if added is None else f" and add to {added.shape}"
            raise InputError(
                "interpreter-product",
                f"shapes {a.shape} and {b.shape} do not multiply{third} in '{self.name}'",
                where=where_of(self),
            )
        return reference.product(element_dtype(self.ins[0]), a, b, added, *self.scales)


def _reads(expr: AffineExpr, size: int, out: Sequence[int]) -> bool:
    """Whether an index lies in an axis: all of the out's axis, or a constant."""
    if isinstance(expr, AffineDimExpr):
        return compatible([size], [out[expr.position]])
    return isinstance(expr, AffineConstantExpr) and 0 <= expr.value < size


OPS: list[type[Operation]] = [GemmOp]
