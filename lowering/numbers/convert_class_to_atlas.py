"""`convert-class-to-atlas`: operations over classes become integer arithmetic, on tensors inside array-level maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from xdsl.dialects import arith, tensor
from xdsl.dialects.bufferization import MaterializeInDestinationOp, ToTensorOp
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    TensorType,
    UnitAttr,
    i8,
)
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag, ReductionOp
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from hologram.dialects.atlas.arrays import general
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.types import DTYPES, dtype_of
from hologram.dialects.classes import data, tiles
from hologram.dialects.classes import elementwise as ops
from hologram.dialects.classes.base import ENDS, ClassOp, element_of, reason, vector_shape
from hologram.dialects.hologram.tensors import ConstantOp
from hologram.dialects.shapes import DYNAMIC, is_tensor, shape_of
from hologram.lowering.numbers import class_formulas
from hologram.lowering.numbers.class_formulas import Numbers
from hologram.lowering.numbers.ring_rewriter import yielding
from hologram.lowering.rewriting.conversion import Rewriter, Rules, RulesPass

RULES = Rules()
Formula = Callable[..., SSAValue]
"""Emits the arithmetic for values in range."""


def formula_of(op: ClassOp) -> Formula:
    """The formula of an operation."""
    if isinstance(op, ops.TransformOp):
        return partial(class_formulas.transform, op.element)
    return cast("Formula", getattr(class_formulas, op.DEFINITION.reference))


def check(rw: Rewriter, op: ClassOp) -> None:
    """Traps where an operand, or an element of one, is out of range."""
    done = set[tuple[SSAValue, str]]()
    for value, kind in op.checked:
        if (value, kind) in done:
            continue
        done.add((value, kind))
        given, core = rw.value(value), Numbers(rw)
        if is_tensor(given.type):
            check_tensor(rw, op, given, kind)
        elif vector_shape(given.type):
            most = {"kind": CombiningKindAttr(CombiningKindFlag.MAXUI)}
            types = [element_of(given.type)]
            greatest = ReductionOp.build(operands=[given, None], result_types=types, properties=most)
            assert_below(core, op, core.op(greatest), kind)
        else:
            assert_below(core, op, given, kind)


def assert_below(core: Numbers, op: ClassOp, value: SSAValue, kind: str) -> None:
    """Traps where a number is out of range."""
    inside = core.compare("ult", value, ENDS[kind])
    core.rw.emit(AssertOp(inside, f"{op.name}: {reason(kind)}", None, [value]))


def check_tensor(rw: Rewriter, op: ClassOp, value: SSAValue, kind: str) -> None:
    """Traps on the greatest element of a tensor: a check of each one by itself would keep the map from vectors."""
    rank, element = len(shape_of(value.type)), element_of(value.type)
    dtype = dtype_of(element, unsigned=True)
    assert dtype is not None

    def finish(greatest: Sequence[SSAValue]) -> Sequence[SSAValue]:
        assert_below(Numbers(rw), op, greatest[0], kind)
        return greatest

    out = rw.emit(tensor.EmptyOp([], TensorType(element, []))).tensor
    body, end = yielding(rw, [element], lambda elements: elements), yielding(rw, [element], finish)
    maps = [AffineMap.identity(rank), AffineMap(rank, 0, ())]
    rw.emit(general.ReduceOp([(general.Kind.max, dtype)], [value], [out], maps, body, finish=end))


@RULES.on(*ops.ROWS, ops.TransformOp)
def convert(rw: Rewriter, op: Any) -> None:
    """Scalars and vectors where they are, tensors by a map."""
    check(rw, op)
    values, formula = [rw.value(v) for v in op.operands], formula_of(op)
    if not is_tensor(op.result.type):
        rw.define(op.result, formula(Numbers(rw), *values))
        return
    rank = len(shape_of(op.result.type))
    map_elements(
        rw, op, values, [AffineMap.identity(rank)] * (len(values) + 1), lambda *args: formula(Numbers(rw), *args)
    )


def map_elements(
    rw: Rewriter, op: Any, ins: Sequence[SSAValue], maps: Sequence[AffineMap], body: Callable[..., SSAValue]
) -> None:
    """Replaces an operation by a map; `body` emits what it yields for elements of `ins`."""
    out = rw.emit(tensor.EmptyOp(sizes_of(rw, ins[0], op.result.type), op.result.type)).tensor
    block = yielding(rw, [element_of(v.type) for v in ins], lambda args: [body(*args)])
    rw.replace(op, general.MapOp(ins, [out], maps, block))


@RULES.on(data.ClassifyDataOp)
def classify_data(rw: Rewriter, op: data.ClassifyDataOp) -> None:
    """A reduction has no exclusive or; but the lowest bit of the sum of all bytes shifted by n is that of their bits n.
    The lowest bit of a byte does not matter to its class."""
    core, value = Numbers(rw), rw.value(op.data)
    rank, places = len(shape_of(value.type)), range(1, 8)

    def finish(totals: Sequence[SSAValue]) -> list[SSAValue]:
        folded = core.constant(0, i8)
        for n, total in zip(places, totals, strict=True):
            folded = core.either(folded, core.shl(core.both(total, 1), n))
        return [class_formulas.classify(core, folded)]

    out = rw.emit(tensor.EmptyOp([], op.result.type)).tensor
    body = yielding(rw, [i8], lambda args: [core.shr(args[0], n) for n in places])
    end = yielding(rw, [i8] * len(places), finish)
    kinds = [(general.Kind.add, DTYPES["u8"])] * len(places)
    maps = [AffineMap.identity(rank), AffineMap(rank, 0, ())]
    rw.replace(op, general.ReduceOp(kinds, [value], [out], maps, body, finish=end))


def _tile(rw: Rewriter, op: tiles.PlacedOp) -> SSAValue:
    """The tile of an operation on tensors, as a memref."""
    page = None if op.page is None else rw.value(op.page)
    return rw.emit(tiles.TileOp(rw.value(op.c), op.type, page)).tile


@RULES.on(tiles.LoadOp)
def load(rw: Rewriter, op: tiles.LoadOp) -> None:
    """A copy, which bufferisation makes."""
    rw.replace(op, ToTensorOp(_tile(rw, op), restrict=True))


@RULES.on(tiles.StoreOp)
def store(rw: Rewriter, op: tiles.StoreOp) -> None:
    """A copy, which bufferisation makes."""
    operands = [rw.value(op.value), _tile(rw, op)]
    rw.emit(MaterializeInDestinationOp.create(operands=operands, properties={"writable": UnitAttr()}))


_TEXT = "cAB (h2=C, d=D, l=E)"
"""A label, letters in place of its digits."""


@RULES.on(data.LabelOp)
def label(rw: Rewriter, op: data.LabelOp) -> None:
    """A map over the characters: those of the text, digits where it has their letters."""
    check(rw, op)
    value = rw.value(op.c)
    text = DenseIntOrFPElementsAttr.from_list(TensorType(i8, [data.LABEL_BYTES]), list(_TEXT.encode()))
    letters = rw.emit(ConstantOp(text)).result
    rank = len(shape_of(op.result.type))
    dims = [AffineDimExpr(d) for d in range(rank)]
    maps = [
        AffineMap(rank, 0, tuple(dims[:-1])) if is_tensor(value.type) else AffineMap(rank, 0, ()),
        AffineMap(rank, 0, (dims[-1],)),
        AffineMap.identity(rank),
    ]

    def character(c: SSAValue, letter: SSAValue) -> SSAValue:
        core, text = Numbers(rw), letter
        for mark, digit in zip("ABCDE", class_formulas.digits(core, c), strict=True):
            here = core.compare("eq", letter, ord(mark))
            numeral = core.add(core.resize(digit, i8, signed=False), ord("0"))
            text = core.select(here, numeral, text)
        return text

    map_elements(rw, op, [value, letters], maps, character)


def sizes_of(rw: Rewriter, like: SSAValue, type: Attribute) -> list[SSAValue]:
    """The dynamic sizes of a tensor type: those of a tensor with these axes first."""
    sizes: list[SSAValue] = []
    for axis, size in enumerate(shape_of(type)):
        if size == DYNAMIC:
            number = rw.emit(arith.ConstantOp(IntegerAttr(axis, IndexType()))).result
            sizes.append(rw.emit(tensor.DimOp(like, number)).result)
    return sizes


@dataclass(frozen=True)
class ConvertClassToAtlasPass(RulesPass):
    """Turns operations over classes into integer arithmetic: scalars and vectors in place, tensors as `atlas.map`. A
    number that is not known to be in range is checked, and traps.

    Before::

        %c = class.classify %byte : i8
        %d = class.transform [r = 1] %c : i8

    After::

        ... %c = 24 h2 + 8 d + l by shifts, masks and a select
        %s = arith.addi %c, %c24 : i8
        %past = arith.cmpi uge, %s, %c96 : i8
        %w = arith.subi %s, %c96 : i8
        %d = arith.select %past, %w, %s : i8
    """

    name = "convert-class-to-atlas"
    TABLE = RULES
