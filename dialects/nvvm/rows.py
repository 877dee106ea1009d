"""Products of small matrices, of which the first may be sparse, as rows: they are read, verified and printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, VectorType
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttrConstraint, base
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build, print_dict
from hologram.dialects.custom.rows import Form, Row, RowOp, need
from hologram.dialects.nvvm.tensor_core import MMAShapeAttr, word

MMATypeAttr = word(
    "mma_type", "The type of a factor's elements: `#nvvm.mma_type<e4m3>`.",
    "f16", "f32", "tf32", "bf16", "s8", "u8", "s32", "s4", "u4", "b1", "f64", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1",
)  # fmt: skip
MMAIntOverflowAttr = word(
    "mma_int_overflow", "What sums of integers do at their ends: `#nvvm.mma_int_overflow<wrapped>`.",
    "satfinite", "wrapped",
)  # fmt: skip
MMAKindAttr = word("mma_kind", "The family of a product of small floats: `#nvvm.mma_kind<f8f6f4>`.", "f8f6f4")
ScaleVecSizeAttr = word("scale_vec_size", "How many scales a row has: `#nvvm.scale_vec_size<x1>`.", "x1", "x2", "x4")
BlockScaleFormatAttr = word(
    "block_scale_format", "The type of the scales: `#nvvm.block_scale_format<ue8m0>`.", "ue8m0", "ue4m3"
)
BlockScaleKindAttr = word(
    "block_scale_kind", "The family of a product with scales: `#nvvm.block_scale_kind<mxf8f6f4>`.",
    "mxf8f6f4", "mxf4", "mxf4nvf4",
)  # fmt: skip
ATTRIBUTES = [
    MMATypeAttr, MMAIntOverflowAttr, MMAKindAttr, ScaleVecSizeAttr, BlockScaleFormatAttr, BlockScaleKindAttr,
]  # fmt: skip

_FACTORS = (("A", "operandA"), ("B", "operandB"), ("C", "operandC"))
_SPARSE = (("sparseMetadata", "sparseMetadata"), ("selector", "sparsitySelector"))
_SCALES = (
    ("scaleA", "scaleAData byteIdA threadIdA"),
    ("scaleB", "scaleBData byteIdB threadIdB"),
)  # fmt: skip
_PTX = ("multiplicandAPtxType", "multiplicandBPtxType")


def own_kinds() -> Mapping[str, AttrConstraint]:
    """The attributes of these operations."""
    return {
        "mma_type": base(MMATypeAttr), "mma_int_overflow": base(MMAIntOverflowAttr), "mma_kind": base(MMAKindAttr),
        "scale_vec_size": base(ScaleVecSizeAttr), "block_scale_format": base(BlockScaleFormatAttr),
        "block_scale_kind": base(BlockScaleKindAttr), "mma_shape": base(MMAShapeAttr),
    }  # fmt: skip


def _inferred(type: Attribute) -> Attribute | None:
    """The PTX type that elements of a factor have without being named; None where registers do not tell."""
    element = cast("Attribute", cast("Any", type).element_type) if isinstance(type, VectorType) else type
    names = {Float16Type: "f16", BFloat16Type: "bf16", Float32Type: "tf32", Float64Type: "f64"}
    name = names.get(cast("Any", element.__class__))
    return None if name is None or isinstance(element, IntegerType) else MMATypeAttr(name)


def _written(groups: Sequence[tuple[str, str]]) -> Form:
    """`A[%a0, %a1] B[%b0] C[%c0] more[%x] {...} : (TA, TB, TC) -> R`."""

    def parse(kind: type[RowOp], parser: Parser) -> Operation:
        names: list[list[Any]] = []
        for label, _ in groups:
            parser.parse_keyword(label)
            names.append(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        result = parser.parse_type()
        if len(types) != len(_FACTORS):
            parser.raise_error("the types of the three factors were expected here")
        operands: list[Any] = [
            [parser.resolve_operand(n, type) for n in group] for group, type in zip(names, types, strict=False)
        ]
        for group, kinds in zip(names[len(_FACTORS) :], _fixed_types(groups), strict=True):
            if len(group) != len(kinds):
                parser.raise_error(f"{len(kinds)} values were expected in these brackets")
            operands += [parser.resolve_operand(n, IntegerType(k)) for n, k in zip(group, kinds, strict=True)]
        for name, type in zip(_PTX, types, strict=False):
            if name not in attributes and (found := _inferred(type)) is not None:
                attributes[name] = found
        return build(kind, operands, [result], attributes)

    def print(printer: Printer, op: Any) -> None:
        for label, fields in groups:
            values = [v for field in fields.split() for v in _values(op, field)]
            printer.print_string(f" {label}[")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string("]")
        types = [_values(op, field)[0].type for _, field in _FACTORS]
        hidden = [n for n, t in zip(_PTX, types, strict=False) if op.properties.get(n) == _inferred(t)]
        print_dict(printer, op, *hidden)
        printer.print_string(" : (")
        printer.print_list(types, printer.print_attribute)
        printer.print_string(") -> ")
        printer.print_attribute(op.res.type)

    return Form(parse, print)


def _fixed_types(groups: Sequence[tuple[str, str]]) -> list[list[int]]:
    """The widths of the values in the brackets behind the factors."""
    return [[16 if "Id" in field else 32 for field in fields.split()] for _, fields in groups[len(_FACTORS) :]]


def _values(op: Any, field: str) -> Sequence[Any]:
    found = getattr(op, field)
    return cast("Sequence[Any]", found) if isinstance(found, Sequence) else [found]


def _check(op: Any) -> None:
    for name, group in zip("AB", (op.operandA, op.operandB), strict=True):
        need(len(group) > 0, f"'{op.name}' has registers of the factor {name}")
    for name in _PTX:
        need(name in op.properties, f"'{op.name}' says the type of its elements by '{name}'")
    if (kind := op.properties.get("kind")) is not None and "scaleVecSize" in op.properties:
        scales = op.scaleVecSize.data, op.blockScaleFormat.data
        known = _SCALES_OF[kind.data]
        need(scales in known, f"'{op.name}' of {kind.data} has the scales {known}, not {scales}")


_SCALES_OF = {
    "mxf8f6f4": [("x1", "ue8m0")], "mxf4": [("x2", "ue8m0")], "mxf4nvf4": [("x2", "ue8m0"), ("x4", "ue4m3")],
}  # fmt: skip
"""How many scales a row may have, and of which type, by the family of a product."""


def _product(name: str, meaning: str, groups: Sequence[tuple[str, str]], properties: str) -> Row:
    fields = [f"{field}:any*" for _, field in _FACTORS]
    for (_, names), widths in zip(groups[len(_FACTORS) :], _fixed_types(groups), strict=True):
        fields += [f"{n}:{'i32' if w == 32 else 'int'}" for n, w in zip(names.split(), widths, strict=True)]
    return Row(
        f"nvvm.{name}",
        meaning,
        operands=" ".join(fields),
        results="res:any",
        properties=f"shape:mma_shape multiplicandAPtxType:mma_type? multiplicandBPtxType:mma_type? {properties}",
        form=_written(groups),
        check=_check,
    )


_SCALED = "scaleVecSize:scale_vec_size blockScaleFormat:block_scale_format kind:block_scale_kind"
ROWS = [
    _product(
        "mma.block_scale", "A product of matrices of small floats, rows of which have scales.",
        (*_FACTORS, *_SCALES), _SCALED,
    ),
    _product(
        "mma.sp.sync", "A product of matrices, of which the first has two of four elements.",
        (*_FACTORS, *_SPARSE), "intOverflowBehavior:mma_int_overflow? orderedMetadata:unit? kind:mma_kind?",
    ),
    _product(
        "mma.sp.block_scale", "A sparse product of matrices of small floats, rows of which have scales.",
        (*_FACTORS, *_SPARSE, *_SCALES), f"{_SCALED} orderedMetadata:unit?",
    ),
]  # fmt: skip
